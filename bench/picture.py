"""Pictures of benchmark results, with reproducible bytes."""

from pathlib import Path
from typing import Any, Final

_PLOTS: Final = Path(__file__).parent / "plots"


def pyplot() -> Any:
    """Return matplotlib's pyplot, ready to draw without a screen.

    Raises:
      ImportError: it is not there; it comes with ``pip install 'agentbrowser-server[bench]'``.
    """
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "agentbrowser"
    from matplotlib import pyplot as plot

    return plot


def save(figure: Any, name: str) -> None:
    """Write a picture as ``bench/plots/<name>.svg`` and ``.png``."""
    _PLOTS.mkdir(exist_ok=True)
    figure.savefig(_PLOTS / f"{name}.svg", metadata={"Date": None})
    figure.savefig(_PLOTS / f"{name}.png")
    print(f"drawn: bench/plots/{name}.svg and .png")
