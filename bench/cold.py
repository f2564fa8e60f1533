"""Start-up times: commands, the server, and the first observation of a client, cold and warm.

Run: python -m bench.cold
"""

import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable

import structlog
import trio

from agentbrowser.client import connect
from agentbrowser.config import Config
from agentbrowser.server.app import Server, open_server
from bench.harness import Subject, arguments, race


def _program(*words: str) -> Callable[[], Awaitable[float]]:
    """Return a run that times a Python process from start to end."""

    async def run() -> float:
        started = time.perf_counter()
        await trio.run_process([sys.executable, *words], stdout=subprocess.DEVNULL)
        return time.perf_counter() - started

    return run


async def _until_healthy() -> float:
    """Start a server process, and return the seconds until it answers /health."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    command = [sys.executable, "-m", "agentbrowser", "serve", "--log-level", "error", "--port", str(port)]
    started = time.perf_counter()
    async with trio.open_nursery() as nursery:
        process: trio.Process = await nursery.start(trio.run_process, command)
        while (answer := await _health(port)) is None:  # noqa: ASYNC110 - it runs in another process
            await trio.sleep(0.005)
        took = time.perf_counter() - started
        process.terminate()
    if not answer.startswith(b"HTTP/1.1 200"):
        raise ValueError(answer)
    return took


async def _health(port: int) -> bytes | None:
    """Return the response of GET /health; None while the port is closed."""
    try:
        async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
            await stream.send_all(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port)
            return bytes(await stream.receive_some(1000))
    except OSError:
        return None


def _first_look(server: Server, ready: Callable[[], Awaitable[None]]) -> Callable[[], Awaitable[float]]:
    """Return a run that times a client from its connection to its first observation."""

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
    """Return at once."""


def _spare_in(server: Server) -> Callable[[], Awaitable[None]]:
    async def ready() -> None:
        while not len(server.engine.warm_contexts):  # noqa: ASYNC110 - they are made in another thread
            await trio.sleep(0.01)

    return ready


async def _first_browser() -> float:
    """Return the seconds from the connection to the first observation, for the first client of a server."""
    async with open_server(Config(port=0)) as server:
        return await _first_look(server, _nothing)()


async def main(rounds: int) -> None:
    """Run the benchmark."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    few = min(rounds, max(3, rounds // 10))
    subjects = [
        Subject("python -c pass", _program("-c", "pass")),
        Subject("agentbrowser --version", _program("-m", "agentbrowser", "--version")),
        Subject("agentbrowser --help", _program("-m", "agentbrowser", "--help")),
        Subject("import trio, trio_websocket", _program("-c", "import trio, trio_websocket")),
        Subject("import agentbrowser.client", _program("-c", "import agentbrowser.client")),
        Subject("agentbrowser serve, until /health answers", _until_healthy),
    ]
    await race("process start", subjects, rounds=few, warmup=1)
    async with open_server(Config(port=0)) as cold, open_server(Config(port=0, warm_contexts=1)) as warm:
        subjects = [
            Subject("no context ready", _first_look(cold, _nothing)),
            Subject("a context ready", _first_look(warm, _spare_in(warm))),
        ]
        await race("connection to first observation", subjects, rounds=rounds, warmup=min(rounds, 3))
        subjects = [Subject("no browser launched", _first_browser)]
        await race("connection to first observation, first client", subjects, rounds=few, warmup=1)


if __name__ == "__main__":
    trio.run(main, min(50, arguments().rounds))
