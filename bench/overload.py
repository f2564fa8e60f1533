"""Goodput of a node beyond its sustainable load, with and without the work gate.

Clients in a closed loop, each with a page of its own: a navigation, a click and a look, again and again. The number of
clients doubles until twice the load at which the most requests a second are answered.

Run: python -m bench.overload [--smoke]
"""

import argparse
import contextlib
import itertools
import sys
import time
from collections import Counter
from typing import Any, Final

import attrs
import trio

from agentbrowser.client import Browser, connect
from agentbrowser.protocol.errors import AgentBrowserError
from bench.program import open_program, open_shop, write_line

GOAL: Final = 0.8
"""Least share of the peak that is answered at twice the load."""
_NO_GATE: Final = "100000"
_CLICK: Final = {"selector": {"type": "css", "value": "#counter"}}


@attrs.frozen
class Level:
    """Answers at one number of clients."""

    clients: int
    per_s: float
    """Requests that were answered rightly, each second."""
    p99_ms: float
    errors: dict[str, int]
    """Numbers of errors, by name."""


@attrs.define
class _Load:
    """Clients in a closed loop, and what they were answered while it counts."""

    url: str
    site: str
    counts: bool = False
    is_under_way: trio.Event = attrs.field(factory=trio.Event)
    """Set once every client has done its loop."""
    is_answered: trio.Event = attrs.field(factory=trio.Event)
    """Set once an answer has counted."""
    clients: int = 0
    """Number of clients that have yet to do their loop."""
    took_ms: list[float] = attrs.field(factory=list)
    errors: Counter[str] = attrs.field(factory=Counter)

    async def client(self, number: int) -> None:
        """Repeat the loop of one client until cancelled. [trio]"""
        is_first = True
        async with connect(self.url) as browser:
            # Each client visits pages of all sizes: more clients then mean more requests, not larger pages.
            for visit in itertools.count(number):
                page = {"url": f"{self.site}{visit % 7 * 20 + 20}", "timeout": 60_000}
                for method, params in (("page/navigate", page), ("action/click", _CLICK), ("agent/observe", {})):
                    await self._send(browser, method, params)
                self.clients -= is_first
                is_first = False
                if self.clients == 0:
                    self.is_under_way.set()

    async def _send(self, browser: Browser, method: str, params: dict[str, Any]) -> None:
        began_s = time.perf_counter()
        try:
            await browser.request(method, params)
        except AgentBrowserError as error:
            if self.counts:
                self.errors[type(error).__name__] += 1
            await trio.sleep(error.retry_after_s or 0.1)
        else:
            if self.counts:
                self.is_answered.set()
                self.took_ms.append((time.perf_counter() - began_s) * 1000)


async def measure(url: str, site: str, clients: int, seconds: float) -> Level:
    """Measure one number of clients, once all have done their loop. [trio]"""
    load = _Load(url, site, clients=clients)
    async with trio.open_nursery() as nursery:
        for number in range(clients):
            nursery.start_soon(load.client, number)
        await load.is_under_way.wait()
        load.counts, began_s = True, time.perf_counter()
        await trio.sleep(seconds)
        await load.is_answered.wait()
        lasted_s = time.perf_counter() - began_s
        nursery.cancel_scope.cancel()
    slowest = sorted(load.took_ms)[int(len(load.took_ms) * 0.99)]
    return Level(clients=clients, per_s=len(load.took_ms) / lasted_s, p99_ms=slowest, errors=dict(load.errors))


async def climb(name: str, flags: tuple[str, ...], site: str, seconds: float, most: int) -> float:
    """Double the clients until twice the load of the peak; return the share of the peak that is left. [trio]"""
    levels: list[Level] = []
    clients = 2
    async with open_program(*flags) as program:
        while clients <= most:
            levels.append(await measure(program.url, site, clients, seconds))
            row = levels[-1]
            print(f"{name:14}{row.clients:5} clients{row.per_s:8.1f}/s   p99 {row.p99_ms:7.0f} ms   {row.errors or ''}")
            write_line("overload", {"name": name, **attrs.asdict(row)})
            if len(levels) > 1 and max(levels, key=lambda level: level.per_s) is not row:
                break
            clients *= 2
    share = levels[-1].per_s / max(level.per_s for level in levels)
    print(f"{name:14}{share:.0%} of the peak at {levels[-1].clients} clients\n")
    return share


async def main(seconds: float, most: int) -> None:
    """Compare a node with the gate and one without. [trio]"""
    limits = ("--max-total-contexts", "1000", "--max-total-pages", "1000", "--queue-timeout", "30")
    with open_shop() as site:
        gated = await climb("with the gate", limits, site, seconds, most)
        await climb("without", (*limits, "--max-working", _NO_GATE), site, seconds, most)
    if most > 8 and gated < GOAL:
        sys.exit(f"only {gated:.0%} of the peak: MISSED")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--smoke", action="store_true", help="a few clients, to check that the benchmark works")
    parser.add_argument("--seconds", type=float, default=60.0, help="length of each measurement")
    parser.add_argument("--most", type=int, default=256, help="largest number of clients")
    options = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        trio.run(main, 1.0 if options.smoke else options.seconds, 2 if options.smoke else options.most)
