"""How long until a client sees its first page? From a process that starts, and from a connection, cold or warm.

Run: python -m bench.cold
"""

import time
from collections.abc import Awaitable, Callable

import structlog
import trio

from agentbrowser.client import connect
from agentbrowser.config import Config
from agentbrowser.server.app import Server, open_server
from bench.harness import Subject, arguments, race
from bench.program import open_program


async def _until_healthy() -> float:
    """Start a server as a program, and return the seconds until it answers that it is well."""
    started = time.perf_counter()
    async with open_program() as program:
        stream = await trio.open_tcp_stream("127.0.0.1", program.port)
        await stream.send_all(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % program.port)
        answer = await stream.receive_some(1000)
        took = time.perf_counter() - started
        if not answer.startswith(b"HTTP/1.1 200"):
            raise ValueError(answer)
        await stream.aclose()
    return took


def _first_look(server: Server, ready: Callable[[], Awaitable[None]]) -> Callable[[], Awaitable[float]]:
    """Return a run from the connection to the first observation."""

    async def run() -> float:
        await ready()
        started = time.perf_counter()
        async with connect(server.url) as browser:
            seen = await browser.request("agent/observe")
            took = time.perf_counter() - started
        if seen["metadata"]["url"] != "about:blank":
            raise ValueError(seen)
        return took

    return run


async def _nothing() -> None:
    """Wait for nothing."""


def _spare_in(server: Server) -> Callable[[], Awaitable[None]]:
    async def ready() -> None:
        while not len(server.engine.warm_contexts):  # noqa: ASYNC110 - they are made in another thread
            await trio.sleep(0.01)

    return ready


async def _first_browser() -> float:
    """Return the seconds from a connection to the first observation, of the first client of a server."""
    async with open_server(Config(port=0)) as server:
        return await _first_look(server, _nothing)()


async def main(rounds: int) -> None:
    """Answer the questions."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    few = max(3, rounds // 10)
    await race("a server that starts", [Subject("process start to healthy", _until_healthy)], rounds=few, warmup=1)
    async with open_server(Config(port=0)) as cold, open_server(Config(port=0, warm_contexts=1)) as warm:
        subjects = [
            Subject("no context ready", _first_look(cold, _nothing)),
            Subject("a context ready", _first_look(warm, _spare_in(warm))),
        ]
        await race("connection to first observation", subjects, rounds=rounds, warmup=3)
        subjects = [Subject("no browser launched", _first_browser)]
        await race("connection to first observation, first client", subjects, rounds=few, warmup=1)


if __name__ == "__main__":
    trio.run(main, min(50, arguments().rounds))
