"""Overhead of the request path: an empty request, and one with the cheapest browser call.

Run: python -m bench.overhead
"""

import time
from typing import Any

import attrs
import trio
import trio_websocket

from agentbrowser.browser.tab import Tab
from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope, composite, page_method
from agentbrowser.server.app import Server, open_server
from agentbrowser.server.corridor.dispatch import Call
from bench.harness import Subject, arguments, race


@attrs.frozen(kw_only=True)
class PageParams:
    """Params of a page; the active one when absent."""

    page_id: str | None = None


@attrs.frozen(kw_only=True)
class Title:
    """A title."""

    title: str


@attrs.frozen(kw_only=True)
class NoParams:
    """Empty params."""


@composite("bench/noop", NoParams, scope=Scope.READONLY, free=True)
async def noop(call: Call, params: NoParams) -> NoParams:
    """Return at once. [trio]"""
    return params


@page_method("bench/title", PageParams, scope=Scope.READONLY)
async def title(tab: Tab, params: PageParams) -> Title:
    """Return the title as page/navigate does. [asyncio]"""
    return Title(title=await tab.title())


@page_method("bench/direct", PageParams, scope=Scope.READONLY)
async def direct(tab: Tab, params: PageParams) -> Title:
    """Return the seconds of Playwright's own ``title`` call, timed in its thread. [asyncio]"""
    started = time.perf_counter()
    found = await tab.page.title()
    took = time.perf_counter() - started
    if found != "":
        raise ValueError(found)
    return Title(title=repr(took))


def _request(name: str) -> str:
    return f'{{"jsonrpc":"2.0","id":1,"method":"{name}","params":{{}}}}'


async def _echo(request: trio_websocket.WebSocketRequest) -> None:
    connection = await request.accept()
    while True:
        try:
            await connection.send_message(await connection.get_message())
        except trio_websocket.ConnectionClosed:
            return


def _round_trip(connection: trio_websocket.WebSocketConnection, message: str, expected: str) -> Any:
    async def run() -> float:
        started = time.perf_counter()
        await connection.send_message(message)
        answer = await connection.get_message()
        took = time.perf_counter() - started
        if expected not in str(answer):
            raise ValueError(f"{message} was answered by {answer!r}")
        return took

    return run


async def _measure(server: Server, nursery: trio.Nursery, rounds: int) -> None:
    echo = await nursery.start(trio_websocket.serve_websocket, _echo, "127.0.0.1", 0, None)
    async with (
        trio_websocket.open_websocket_url(f"ws://127.0.0.1:{echo.port}") as bare,
        trio_websocket.open_websocket_url(server.url) as ours,
    ):
        request = _request("bench/noop")
        await race(
            "a request with nothing to do, over a socket",
            [
                Subject("trio-websocket echo, same bytes", _round_trip(bare, request, request)),
                Subject("agentbrowser no-op", _round_trip(ours, request, '"result":{}')),
            ],
            rounds=rounds,
            warmup=rounds // 10,
        )

        async def direct_run() -> float:
            await ours.send_message(_request("bench/direct"))
            return float(str(await ours.get_message()).split('"title":"')[1].split('"')[0])

        await race(
            "the title of a page",
            [
                Subject("Playwright in its own thread", direct_run),
                Subject("through the whole corridor", _round_trip(ours, _request("bench/title"), '"title":""')),
            ],
            rounds=rounds,
            warmup=rounds // 10,
        )
    nursery.cancel_scope.cancel()


async def main(rounds: int) -> None:
    """Run both benchmarks."""
    async with open_server(Config(port=0, log_level="error")) as server, trio.open_nursery() as nursery:
        await _measure(server, nursery, rounds)


if __name__ == "__main__":
    trio.run(main, arguments().rounds)
