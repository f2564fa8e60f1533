"""Picture of the comparison: time of each peer relative to raw CDP, by operation."""

from bench.harness import Figures
from bench.picture import pyplot, save


def draw(figures: dict[str, list[Figures]]) -> None:
    """Draw it as ``bench/plots/peers.svg`` and ``.png``."""
    names = list(dict.fromkeys(one.name for row in figures.values() for one in row))
    picture, axes = pyplot().subplots(figsize=(11, 5))
    width = 0.8 / len(names)
    for place, name in enumerate(names):
        heights = [next((one.ratio for one in row if one.name == name), 0.0) for row in figures.values()]
        at = [number + (place - len(names) / 2) * width for number in range(len(figures))]
        axes.bar(at, heights, width, label=name, color="black" if name == "agentbrowser" else None)
    axes.set_yscale("log")
    axes.set_xticks(range(len(figures)), list(figures))
    axes.set_ylabel("median, as a multiple of raw CDP's")
    axes.axhline(1, color="grey", linewidth=0.8)
    axes.legend(ncols=4, fontsize="small", loc="upper left")
    picture.tight_layout()
    save(picture, "peers")
