"""Time of clicks, fills and sequences through the whole corridor, against Playwright in process.

All subjects work on the same page of the same browser, in turn; the page counts what it was done to, and that is
checked before and after anything is timed. Server and client are two processes, as they are where people use them.

Run: python -m bench.actions [--smoke]
"""

import contextlib
import multiprocessing
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import Any, Final

import attrs
import trio
import trio_websocket

from agentbrowser.browser.tabs import Tabs
from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope, method
from agentbrowser.server.app import open_server
from bench.harness import Figures, Subject, arguments, race
from bench.pages import ACTIONS, STEPS, css, ten_steps
from bench.peers.ours import Client
from bench.program import open_site

_MORE: Final = {"type": "role", "role": "button", "name": "More of it"}
# Counts that the ten steps add on the page.
_DONE: Final = {"clicks": 3, "hovers": 1, "inputs": 1, "changes": 4}


@attrs.frozen(kw_only=True)
class DirectParams:
    """Name of the action to run by Playwright's own calls."""

    what: str
    page_id: str | None = None


@attrs.frozen(kw_only=True)
class Took:
    """Time in the browser thread, and the page's counts so far."""

    seconds: float
    counts: dict[str, int]


@method("bench/direct", DirectParams, scope=Scope.STANDARD)
async def direct(tabs: Tabs, params: DirectParams) -> Took:
    """Run the action as a program with Playwright in process does. [asyncio]"""
    page = (await tabs.tab(params.page_id)).page
    started = time.perf_counter()
    match params.what:
        case "click":
            await page.locator("#add").click()
        case "role":
            await page.get_by_role("button", name="More of it").click()
        case "fill":
            await page.locator("#name").fill("Ada")
        case "ten":
            await ten_steps(page)
    took = time.perf_counter() - started
    return Took(seconds=took, counts=await page.evaluate("({...counts})"))


class TimedClient(Client):
    """Client with the subjects of the benchmark."""

    async def counts(self) -> dict[str, int]:
        """Return the counts of the page. [trio]"""
        return dict((await self.call("bench/direct", what="nothing"))["counts"])

    def direct(self, what: str) -> Subject:
        """Return the action by Playwright in its own thread, on the clock there."""

        async def run() -> float:
            return float((await self.call("bench/direct", what=what))["seconds"])

        return Subject(f"Playwright in process: {what}", run)

    def timed(self, label: str, *requests: tuple[str, dict[str, Any]]) -> Subject:
        """Return requests in sequence, on the client's clock."""

        async def run() -> float:
            started = time.perf_counter()
            for name, params in requests:
                await self.call(name, **params)
            return time.perf_counter() - started

        return Subject(label, run)

    async def ref(self, name: str) -> str:
        """Return the ref of the element with the name. [trio]"""
        observed = await self.call("agent/observe")
        return str(next(one["ref"] for one in observed["interactiveElements"] if one.get("name") == name))


async def _check(client: TimedClient, subject: Subject, expected: dict[str, int]) -> None:
    """Check that the subject has the measured effect on the page."""
    before = await client.counts()
    await subject.run()
    after = await client.counts()
    done = {name: after[name] - before[name] for name in after if after[name] != before[name]}
    if any(done.get(name, 0) != count for name, count in expected.items()):
        raise ValueError(f"{subject.name} did {done} instead of {expected}")


async def _race(
    client: TimedClient, question: str, subjects: list[Subject], expected: dict[str, int], rounds: int
) -> list[Figures]:
    for subject in subjects:
        await _check(client, subject, expected)
    figures = await race(question, subjects, rounds=rounds, warmup=rounds // 10)
    for subject in subjects:
        await _check(client, subject, expected)
    return figures


async def _measure(client: TimedClient, rounds: int) -> dict[str, float]:
    click, ref = "action/click", await client.ref("Add")
    clicks = await _race(
        client,
        "a click",
        [
            client.direct("click"),
            client.timed("action/click by css", (click, {"selector": css("#add")})),
            client.timed("action/click by ref", (click, {"selector": {"type": "ref", "value": ref}})),
            client.timed("action/click by role", (click, {"selector": _MORE})),
            client.direct("role"),
        ],
        {"clicks": 1},
        rounds,
    )
    fill = client.timed("action/fill by css", ("action/fill", {"selector": css("#name"), "value": "Ada"}))
    fills = await _race(client, "a fill", [client.direct("fill"), fill], {"inputs": 1}, rounds)
    act = {"steps": [{"action": name, "params": params} for name, params in STEPS]}
    sequence = [
        client.direct("ten"),
        client.timed("agent/act", ("agent/act", act)),
        client.timed("ten requests", *STEPS),
    ]
    tens = await _race(client, "ten mixed steps", sequence, _DONE, min(rounds, max(10, rounds // 3)))
    by_css, by_ref, by_role = (clicks[0].p50 / clicks[index].p50 for index in (1, 2, 3))
    return {
        "click by css, times faster (>= 4)": by_css,
        "click by ref, times faster (>= 4)": by_ref,
        "click by role, times faster (>= 4)": by_role,
        "fill, times as long (<= 1.2)": fills[1].ratio,
        "ten steps in agent/act, times faster (>= 3)": 1 / tens[1].ratio,
        "agent/act against ten requests, times faster (>= 1.5)": tens[2].p50 / tens[1].p50,
    }


def _serve(parent: Connection) -> None:
    """Run the page's site and a server until the parent hangs up."""

    async def serve() -> None:
        with open_site(lambda path: ACTIONS) as site:
            async with open_server(Config(port=0, log_level="error", scope=Scope.STANDARD)) as server:
                parent.send((server.url, f"{site}/"))
                await trio.to_thread.run_sync(parent.poll, None)

    trio.run(serve)


@contextlib.contextmanager
def _served() -> Iterator[tuple[str, str]]:
    """Yield the URLs of a server in a process of its own, and of the page."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=_serve, args=(theirs,))
    process.start()
    theirs.close()
    try:
        yield ours.recv()
    finally:
        ours.close()
        process.join()


async def main(rounds: int) -> None:
    """Print the answers to the three questions."""
    with _served() as (url, page):
        async with trio_websocket.open_websocket_url(url) as connection:
            client = TimedClient(connection)
            await client.call("page/navigate", url=page)
            summary = await _measure(client, rounds)
    print()
    for name, value in summary.items():
        print(f"  {name:56}{value:6.2f}")


if __name__ == "__main__":
    options = arguments()
    trio.run(main, min(options.rounds, 300))
