"""Resource growth in a long run: one action per second, with regular samples of all processes.

Run: python -m bench.soak --minutes 60
"""

import argparse
import math
import time
from collections.abc import Sequence
from typing import Any, Final

import attrs
import trio

from agentbrowser.client import Browser, connect
from bench.picture import pyplot, save
from bench.program import PARTS, Program, open_program, open_shop, write_line

_TEXTS: Final = ("a name", "another name")
_ACTIONS: Final = 100
"""Number of actions of one client."""
_WARM_UP: Final = 20
"""Number of clients before the first sample: caches and arenas grow by 1.2 MiB in 2,000 actions, and by 0.1 MiB in
2,500 more."""
_LEAST_DRAWN_S: Final = 600.0
"""Shortest run with a picture."""


@attrs.frozen
class Sample:
    """One sample."""

    hours: float
    actions: int
    taken: dict[str, dict[str, float]]
    """Resource usage of each part, by name."""


@attrs.frozen(kw_only=True)
class Slope:
    """Growth per hour, with the bounds of 95 % confidence."""

    of: str
    per_hour: float
    low: float
    high: float


async def warm_up(program: Program, shop: str, clients: int) -> None:
    """Run clients one after another, without pauses."""
    for _ in range(clients):
        async with connect(program.url) as browser:
            await browser.request("page/navigate", {"url": f"{shop}200"})
            for turn in range(_ACTIONS):
                await _act(browser, shop, turn)


async def soak(program: Program, shop: str, *, seconds: float, pause_s: float, every: int) -> list[Sample]:
    """Act once in every ``pause_s``, and take samples at regular intervals."""
    samples: list[Sample] = []
    started, actions = time.perf_counter(), 0
    while time.perf_counter() - started < seconds:
        async with connect(program.url) as browser:
            await browser.request("page/navigate", {"url": f"{shop}200"})
            for turn in range(_ACTIONS):
                if actions % every == 0:
                    samples.append(_look(program, started, actions))
                await _act(browser, shop, turn)
                actions += 1
                due = started + actions * pause_s
                await trio.sleep(max(0.0, due - time.perf_counter()))
                if time.perf_counter() - started >= seconds:
                    break
    samples.append(_look(program, started, actions))
    return samples


async def _act(browser: Browser, shop: str, turn: int) -> None:
    """Perform one of five actions, and check its effect."""
    match turn % 5:
        case 0:
            answer = await browser.request("page/navigate", {"url": f"{shop}200"})
            done = answer["title"] == "Shop"
        case 1:
            answer = await browser.request("action/click", {"selector": {"type": "css", "value": "#counter"}})
            done = "navigated" in answer
        case 2:
            text = _TEXTS[turn % 2]
            params = {"selector": {"type": "css", "value": "#name"}, "value": text}
            done = (await browser.request("action/fill", params))["value"] == text
        case 3:
            done = len((await browser.request("agent/observe"))["interactiveElements"]) > 10
        case _:
            done = (await browser.request("observe/screenshot", {}))["width"] > 0
    if not done:
        raise ValueError(f"turn {turn} went wrong")


def _look(program: Program, started: float, actions: int) -> Sample:
    taken = {part: attrs.asdict(of) for part, of in program.taken().items()}
    return Sample((time.perf_counter() - started) / 3600, actions, taken)


def slopes(samples: Sequence[Sample]) -> list[Slope]:
    """Fit a line to memory, descriptors and threads of each part, without the first fifth of the samples."""
    kept = samples[len(samples) // 5 :]
    return [
        _slope(f"{part} {name}", [one.hours for one in kept], [one.taken[part][field] / unit for one in kept])
        for part in PARTS
        for name, field, unit in (("MiB", "own_bytes", 1024**2), ("fds", "fds", 1), ("threads", "threads", 1))
    ]


def _slope(of: str, x: Sequence[float], y: Sequence[float]) -> Slope:
    """Return the least-squares slope, with the interval of ordinary regression (1.96 standard errors)."""
    count = len(x)
    middle_x, middle_y = sum(x) / count, sum(y) / count
    spread = sum((one - middle_x) ** 2 for one in x) or math.inf
    slope = sum((one - middle_x) * (two - middle_y) for one, two in zip(x, y, strict=True)) / spread
    rest = sum((two - middle_y - slope * (one - middle_x)) ** 2 for one, two in zip(x, y, strict=True))
    reach = 1.96 * math.sqrt(rest / max(1, count - 2) / spread)
    return Slope(of=of, per_hour=round(slope, 3), low=round(slope - reach, 3), high=round(slope + reach, 3))


def draw(samples: Sequence[Sample]) -> None:
    """Plot the memory of each part over time."""
    figure, axes = pyplot().subplots(len(PARTS), sharex=True, figsize=(9, 7))
    for part, axis in zip(PARTS, axes, strict=True):
        memory = [one.taken[part]["own_bytes"] / 1024**2 for one in samples]
        axis.plot([one.hours * 60 for one in samples], memory)
        axis.set_ylabel(f"{part}, MiB")
        axis.set_ylim(0, max(memory) * 1.2)
        axis.grid(visible=True, alpha=0.3)
    axes[-1].set_xlabel("minutes")
    figure.suptitle(f"{samples[-1].actions} actions: memory that is a part's own")
    save(figure, "soak")


async def main(seconds: float, pause_s: float, every: int, clients_before: int) -> None:
    """Run the soak test, and report the growth."""
    is_drawn = seconds >= _LEAST_DRAWN_S
    if is_drawn:
        pyplot()  # fail early if matplotlib is missing
    with open_shop() as shop:
        async with open_program() as program:
            await warm_up(program, shop, clients_before)
            samples = await soak(program, shop, seconds=seconds, pause_s=pause_s, every=every)
    for sample in samples:
        write_line("soak", attrs.asdict(sample))
    for slope in slopes(samples):
        facts: dict[str, Any] = {"question": "growth per hour", **attrs.asdict(slope)}
        write_line("soak", {**facts, "minutes": round(seconds / 60, 1), "actions": samples[-1].actions})
    if is_drawn:
        draw(samples)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--smoke", action="store_true", help="a few seconds, to check that the benchmark works")
    options = parser.parse_args()
    if options.smoke:
        trio.run(main, 6.0, 0.05, 5, 0)
    else:
        trio.run(main, options.minutes * 60, 1.0, 10, _WARM_UP)
