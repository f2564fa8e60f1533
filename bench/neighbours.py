"""Isolation of owners: delay of one owner's requests while another owner runs hostile pages and the largest requests.

Run: python -m bench.neighbours [CASE ...] [--seconds 60] [--smoke]
"""

import argparse
import contextlib
import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

import attrs
import trio

from agentbrowser.client import Browser, connect
from agentbrowser.protocol.errors import AgentBrowserError
from bench.hostile import CASES, TOKENS, attacking, open_hostile_site, tokens_file
from bench.picture import pyplot, save
from bench.program import Program, open_program, write_line

GOAL_MS: Final = 50.0
_PAUSE_S: Final = 0.01
_LOOK_EVERY: Final = 5
_CALM_SHARE: Final = 0.5
"""Length of the calm interval before a case, as a share of the case's."""
_LEAST_DRAWN_S: Final = 10.0


@attrs.define
class Delays:
    """Durations of one owner's requests in ms, and the failures."""

    noop: list[float] = attrs.field(factory=list)
    look: list[float] = attrs.field(factory=list)
    failures: list[str] = attrs.field(factory=list)


@attrs.frozen(kw_only=True)
class Row:
    """Outcome of one case for the other owner; durations in ms."""

    case: str
    seconds: float
    noop_p50: float
    noop_p99: float
    noop_max: float
    more_p99: float
    """Growth of the no-op's p99 over the calm interval before."""
    look_p50: float
    look_p99: float
    look_more_p99: float
    failures: int
    first_failure: str | None
    page_alive: bool
    server_mib: float
    """Growth of the server's memory during the case, at its peak."""
    attacker: dict[str, int]
    """Numbers of answers that the attacking client received."""


async def probe(browser: Browser, page: str, seconds: float) -> Delays:
    """Send no-ops, and a read of the page after every few; for this time at least, and until one was read. [trio]"""
    delays, end = Delays(), time.perf_counter() + seconds
    turn = 0
    while time.perf_counter() < end or not delays.look:
        turn += 1
        is_look = turn % _LOOK_EVERY == 0
        started = time.perf_counter()
        try:
            if is_look:
                await browser.request("observe/content", {"format": "text", "pageId": page})
            else:
                await browser.request("context/list")
        except AgentBrowserError as error:
            delays.failures.append(f"{type(error).__name__}: {error.message}")
        (delays.look if is_look else delays.noop).append((time.perf_counter() - started) * 1000)
        await trio.sleep(_PAUSE_S)
    return delays


def percentile(values: Sequence[float], share: float) -> float:
    """Return a percentile."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


async def measure(program: Program, site: str, case: str, seconds: float) -> tuple[Row, Delays, Delays]:
    """Measure the other owner before and during one case. [trio]"""
    async with connect(program.url, token=TOKENS["alice"]) as browser:
        page = (await browser.request("page/create", {"url": f"{site}/calm", "timeout": 60_000}))["id"]
        await probe(browser, page, min(1.0, seconds))
        calm = await probe(browser, page, seconds * _CALM_SHARE)
        before = program.taken()["server"].rss_bytes
        peak = [before]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_follow_memory, program, peak)
            async with attacking(program.url, site, case) as attack:
                during = await probe(browser, page, seconds)
                pages = (await browser.request("page/list"))["pages"]
            nursery.cancel_scope.cancel()
    row = Row(
        case=case,
        seconds=seconds,
        noop_p50=percentile(during.noop, 0.5),
        noop_p99=percentile(during.noop, 0.99),
        noop_max=max(during.noop),
        more_p99=percentile(during.noop, 0.99) - percentile(calm.noop, 0.99),
        look_p50=percentile(during.look, 0.5),
        look_p99=percentile(during.look, 0.99),
        look_more_p99=percentile(during.look, 0.99) - percentile(calm.look, 0.99),
        failures=len(during.failures),
        first_failure=next(iter(during.failures), None),
        page_alive=any(one["id"] == page for one in pages),
        server_mib=(max(peak) - before) / 1024**2,
        attacker=attack.counts,
    )
    return row, calm, during


async def _follow_memory(program: Program, peak: list[int]) -> None:
    while True:
        peak.append(_rss_bytes(program.pid))
        await trio.sleep(0.1)


def _rss_bytes(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def show(rows: Sequence[Row]) -> None:
    """Print the table."""
    print(f"\n{'':32}{'no-op p50':>10}{'p99':>8}{'more':>8}{'max':>9}{'look p99':>10}{'more':>8}{'fails':>7}{'MiB':>6}")
    for row in rows:
        mark = "" if row.more_p99 <= GOAL_MS and not row.failures and row.page_alive else "  MISSED"
        print(
            f"{row.case:32}{row.noop_p50:10.1f}{row.noop_p99:8.1f}{row.more_p99:8.1f}{row.noop_max:9.1f}"
            f"{row.look_p99:10.1f}{row.look_more_p99:8.1f}{row.failures:7}{row.server_mib:6.0f}{mark}"
        )


def draw(measured: Sequence[tuple[Row, Delays, Delays]]) -> None:
    """Plot the p99 of the no-op of each case, calm and under the load."""
    names = [row.case for row, _, _ in measured]
    figure, axis = pyplot().subplots(figsize=(9, 0.3 * len(names) + 1.5))
    for at, (label, values) in enumerate(
        (
            ("alone", [percentile(calm.noop, 0.99) for _, calm, _ in measured]),
            ("beside the load", [percentile(during.noop, 0.99) for _, _, during in measured]),
        )
    ):
        axis.barh([place + (at - 0.5) * 0.38 for place in range(len(names))], values, height=0.38, label=label)
    axis.set_yticks(range(len(names)), names)
    axis.invert_yaxis()
    axis.set_xlabel("no-op of another owner, p99 in ms")
    axis.grid(visible=True, axis="x", alpha=0.3)
    axis.legend()
    figure.tight_layout()
    save(figure, "neighbours")


async def main(cases: Sequence[str], seconds: float, *, drawn: bool) -> None:
    """Run the cases in turn, on one server."""
    measured: list[tuple[Row, Delays, Delays]] = []
    with open_tokens_file() as tokens, open_hostile_site() as site:
        async with open_program("--tokens-file", tokens) as program:
            for case in cases:
                measured.append(await measure(program, site, case, seconds))
                write_line("neighbours", attrs.asdict(measured[-1][0]))
    show([row for row, _, _ in measured])
    if drawn:
        draw(measured)


@contextlib.contextmanager
def open_tokens_file(tokens: Mapping[str, str] = MappingProxyType(TOKENS)) -> Iterator[str]:
    """Write a tokens file for the length of the block; yield its path."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "tokens.toml")
        file.write_text(tokens_file(tokens), encoding="utf-8")
        file.chmod(0o600)
        yield str(file)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("cases", nargs="*", choices=[*CASES, []])
    parser.add_argument("--seconds", type=float, default=60.0, help="length of each case")
    parser.add_argument("--smoke", action="store_true", help="two short cases, to check that the benchmark works")
    options = parser.parse_args()
    chosen = options.cases or (("errors", "fifty steps") if options.smoke else CASES)
    seconds = 1.0 if options.smoke else options.seconds
    trio.run(lambda: main(chosen, seconds, drawn=seconds >= _LEAST_DRAWN_S and not options.cases))
