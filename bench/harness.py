"""Benchmark harness: interleaved rounds, percentiles, and confidence intervals.

The subjects of a benchmark run in turn, round by round, so that a disturbance of the machine affects all of them.
"""

import argparse
import json
import math
import random
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

import attrs

_RESULTS: Final = Path(__file__).parent / "results"


@attrs.frozen
class Subject:
    """A subject of a benchmark: each run returns its seconds, by a clock of its choice."""

    name: str
    run: Callable[[], Awaitable[float]]


@attrs.frozen
class Figures:
    """Result of one subject in milliseconds; ``low`` and ``high`` bound the median with 95 % confidence."""

    name: str
    runs: int
    p10: float
    p50: float
    p99: float
    low: float
    high: float
    ratio: float = 1.0
    """Ratio of the median to the baseline's."""


async def race(question: str, subjects: Sequence[Subject], *, rounds: int, warmup: int) -> list[Figures]:
    """Run every subject ``rounds`` times, in turn and in random order; the first subject is the baseline.

    Source: the interval is that of order statistics (Conover, Practical Nonparametric Statistics, 3.2).
    """
    times: dict[str, list[float]] = {subject.name: [] for subject in subjects}
    for number in range(-warmup, rounds):
        for subject in random.sample(subjects, len(subjects)):
            took = await subject.run()
            if number >= 0:
                times[subject.name].append(took * 1000)
    figures = [_figures(subject.name, sorted(times[subject.name])) for subject in subjects]
    figures = [attrs.evolve(one, ratio=one.p50 / figures[0].p50) for one in figures]
    _show(question, figures)
    _record(question, figures)
    return figures


def _figures(name: str, times: list[float]) -> Figures:
    count = len(times)
    reach = 1.96 * math.sqrt(count) / 2
    low = times[max(0, math.floor(count / 2 - reach))]
    high = times[min(count - 1, math.ceil(count / 2 + reach))]
    p10, p50, p99 = (times[min(count - 1, int(count * share))] for share in (0.1, 0.5, 0.99))
    return Figures(name, count, p10, p50, p99, low, high)


def _show(question: str, figures: list[Figures]) -> None:
    print(f"\n{question}")
    print(f"  {'':34}{'p10':>9}{'p50':>9}{'p99':>9}   {'p50, 95 %':>17}  {'ratio':>6}")
    for one in figures:
        span = f"{one.low:.3f}..{one.high:.3f}"
        print(f"  {one.name:34}{one.p10:9.3f}{one.p50:9.3f}{one.p99:9.3f}   {span:>17}  {one.ratio:5.2f}x  (ms)")


def _record(question: str, figures: list[Figures]) -> None:
    _RESULTS.mkdir(exist_ok=True)
    script = Path(sys.argv[0]).stem
    with (_RESULTS / f"{script}.jsonl").open("a") as lines:
        for one in figures:
            lines.write(json.dumps({"question": question, **attrs.asdict(one)}) + "\n")


def arguments() -> argparse.Namespace:
    """Return the common options of all benchmarks: ``--rounds``, and ``--smoke`` for a short check."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--smoke", action="store_true", help="a few rounds, to check that the benchmark works")
    options = parser.parse_args()
    if options.smoke:
        options.rounds = 2
    return options
