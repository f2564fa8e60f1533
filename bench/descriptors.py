"""Contexts on a server with few file descriptors: does the browser survive, and does the server report that it is full?

Clients open a page each, until far more contexts are requested than there are descriptors for. Some must be refused
with ServerBusy, no page may be lost, /ready and /balance must report a full server, and room must come back.

Run: python -m bench.descriptors [--limit 1024] [--contexts 250]
"""

import argparse
import resource
import sys
import urllib.error
import urllib.request
from collections import Counter
from typing import Final

import trio

from agentbrowser.client import Browser, connect
from agentbrowser.protocol.errors import AgentBrowserError
from bench.program import Program, open_program, open_shop, write_line

_AT_ONCE: Final = 8
"""Clients that open their pages at the same time."""
_LIMIT_S: Final = 60.0


def status(program: Program, path: str) -> int:
    """Return the status of a path of the server."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{program.port}{path}", timeout=20) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code


async def until_status(program: Program, path: str, expected: int) -> int:
    """Wait until a path has a status; return the last one. [trio]"""
    found = 0
    with trio.move_on_after(_LIMIT_S):
        while (found := await trio.to_thread.run_sync(status, program, path)) != expected:  # noqa: ASYNC110 - another process
            await trio.sleep(0.2)
    return found


async def fill(program: Program, url: str, contexts: int) -> list[str]:
    """Request the contexts, check the server, and return what is wrong. [trio]"""
    outcomes: Counter[str] = Counter()
    open_pages: list[Browser] = []
    limiter = trio.CapacityLimiter(_AT_ONCE)

    async def client(nursery: trio.Nursery, *, task_status: trio.TaskStatus[None]) -> None:
        async with connect(program.url) as browser:
            try:
                await browser.request("page/navigate", {"url": url, "timeout": 60_000})
                open_pages.append(browser)
                outcomes["opened"] += 1
            except AgentBrowserError as error:
                outcomes[type(error).__name__] += 1
            task_status.started()
            await trio.sleep_forever()

    async def start(nursery: trio.Nursery) -> None:
        async with limiter:
            await nursery.start(client, nursery)

    wrong: list[str] = []
    async with trio.open_nursery() as clients:
        async with trio.open_nursery() as opening:
            for _ in range(contexts):
                opening.start_soon(start, clients)
        full = {path: await until_status(program, path, code) for path, code in (("/ready", 503), ("/balance", 404))}
        used = max(part.fds for part in program.taken().values())
        lost = 0
        for browser in open_pages:
            try:
                await browser.request("agent/observe", {"timeout": 60_000})
            except AgentBrowserError:
                lost += 1
        clients.cancel_scope.cancel()
    again = await until_status(program, "/ready", 200)
    facts = {"outcomes": dict(outcomes), "full": full, "descriptors": used, "lost": lost, "ready again": again}
    write_line("descriptors", {"contexts": contexts, **facts})
    if set(outcomes) != {"opened", "ServerBusy"}:
        wrong.append("contexts must be opened or refused as ServerBusy")
    if full != {"/ready": 503, "/balance": 404}:
        wrong.append("the server does not report that it is full")
    if lost:
        wrong.append(f"{lost} pages do not answer any more")
    if again != 200:
        wrong.append("there is no room after the end of all clients")
    return wrong


async def main(contexts: int) -> None:
    """Fill a server. [trio]"""
    limits = ("--max-total-contexts", "1000", "--max-total-pages", "1000", "--queue-timeout", "2", "--no-recorder")
    with open_shop() as site:
        async with open_program(*limits) as program:
            wrong = await fill(program, f"{site}20", contexts)
    if wrong:
        sys.exit("; ".join(wrong))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", type=int, default=1024, help="file descriptors of each process")
    parser.add_argument("--contexts", type=int, default=250, help="requested contexts")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (options.limit, options.limit))
    trio.run(main, options.contexts)
