"""Speed of the agent interfaces: start of the MCP server, first navigation, looks, calls without the browser, verbs.

Goals: `initialize` 1.5 s after the spawn, a first navigation 1 s (asked for two idle seconds later), a look 4 ms more
than on the WebSocket, a call without the browser 2.5 ms on standard streams, a warm verb 60 ms with its process.

Run: python -m bench.interfaces [--rounds 200] [--smoke]
"""

import contextlib
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Final

import trio
from mcp import Client

from agentbrowser.cli.verbs.runtime_dir import VARIABLE
from agentbrowser.client import connect
from bench.harness import Figures, Subject, arguments, race
from bench.pages import ACTIONS
from bench.peers.mcp import Server
from bench.peers.running import running
from bench.program import open_program, open_site, write_line

_IDLE_S: Final = 2.0
_PROGRAM: Final = Path(sys.executable).parent / "agentbrowser"
_OPEN: Final = ("--private-network", "allow")
_LOOK: Final = {"format": "text", "maxElements": 200, "maxTokens": 2000}
"""The params that browser_look sends: all ways return the same look."""


@contextlib.asynccontextmanager
async def _spawned(home: Path, *options: str) -> AsyncIterator[Server]:
    command = [str(_PROGRAM), "mcp", *_OPEN, "--log-level", "error", *options]
    async with running(command, home=home, piped=True) as process:
        yield Server(process, home)


def _timed(run: Callable[[], Awaitable[object]]) -> Callable[[], Awaitable[float]]:
    async def timed() -> float:
        started = time.perf_counter()
        await run()
        return time.perf_counter() - started

    return timed


def _call(server: Server, tool: str, **given: Any) -> Callable[[], Awaitable[object]]:
    return lambda: server.use(tool, **given)


def _process(environ: Mapping[str, str], *words: str) -> Callable[[], Awaitable[float]]:
    """Return a run that times a process from start to end."""

    async def run() -> float:
        started = time.perf_counter()
        await trio.run_process(words, capture_stdout=True, env=environ)
        return time.perf_counter() - started

    return run


def _verb(environ: Mapping[str, str], *words: str) -> Callable[[], Awaitable[float]]:
    return _process(environ, str(_PROGRAM), *words)


async def _starts(home: Path, url: str, rounds: int) -> tuple[Figures, Figures]:
    """Return the times from the spawn to the handshake, and of the first navigation."""
    navigations: list[float] = []

    async def start() -> float:
        started = time.perf_counter()
        async with _spawned(home) as server:
            await server.introduce()
            took = time.perf_counter() - started
            await trio.sleep(_IDLE_S)
            asked = time.perf_counter()
            if "Add" not in (seen := await server.use("browser_navigate", url=url)):
                raise ValueError(seen)
            navigations.append(time.perf_counter() - asked)
        return took

    async def navigation() -> float:
        return navigations.pop(0)

    starts = await race(
        "spawn to initialize and tools/list", [Subject("agentbrowser mcp", start)], rounds=rounds, warmup=0
    )
    asked = [Subject(f"asked for {_IDLE_S:g} s later", navigation)]
    return starts[0], (await race("first navigation", asked, rounds=rounds, warmup=0))[0]


async def _looks(home: Path, url: str, rounds: int) -> list[Figures]:
    """Return the times of a look on a server: by its WebSocket, by /mcp, and by a process that joins it."""
    async with contextlib.AsyncExitStack() as stack:
        program = await stack.enter_async_context(open_program("--warm-contexts", "1"))
        browser = await stack.enter_async_context(connect(program.url))
        await browser.request("page/navigate", {"url": url})
        joined = await stack.enter_async_context(_spawned(home, "--url", program.url))
        await joined.introduce()
        await joined.use("browser_navigate", url=url)
        client = await stack.enter_async_context(Client(f"http://127.0.0.1:{program.port}/mcp", mode="legacy"))
        await client.call_tool("browser_navigate", {"url": url})
        own = await stack.enter_async_context(_spawned(home))
        await own.introduce()
        await own.use("browser_navigate", url=url)
        ways: dict[str, Callable[[], Awaitable[object]]] = {
            "WebSocket": lambda: browser.request("agent/observe", _LOOK),
            "mcp on standard streams": _call(own, "browser_look"),
            "mcp --url": _call(joined, "browser_look"),
            "/mcp, official client": lambda: client.call_tool("browser_look", {}),
        }
        subjects = [Subject(name, _timed(way)) for name, way in ways.items()]
        return await race("a look", subjects, rounds=rounds, warmup=max(2, rounds // 10))


async def _without_browser(home: Path, rounds: int) -> list[Figures]:
    async with _spawned(home) as server:
        await server.introduce()

        async def refused() -> None:
            given = {"name": "browser_look", "arguments": {"show": 1}}
            if not (await server.call("tools/call", given)).get("isError"):
                raise ValueError("a wrong argument was taken")

        ways: dict[str, Callable[[], Awaitable[object]]] = {
            "ping": lambda: server.call("ping", {}),
            "tools/list": lambda: server.call("tools/list", {}),
            "tools/call, refused": refused,
        }
        subjects = [Subject(name, _timed(way)) for name, way in ways.items()]
        return await race("a call without the browser", subjects, rounds=rounds, warmup=10)


async def _verbs(home: Path, url: str, rounds: int) -> list[Figures]:
    environ = {**os.environ, VARIABLE: str(home / "run"), "AGENT_PRIVATE_NETWORK": "allow"}
    await _verb(environ, "open", url)()
    try:
        verbs = (("look",), ("tabs",), ("click", "css=#add"), ("fill", "css=#name", "Ada"))
        subjects = [Subject(" ".join(words), _verb(environ, *words)) for words in verbs]
        floor = Subject("python -c pass", _process(environ, sys.executable, "-c", "pass"))
        return await race("a warm verb, with its process", [floor, *subjects], rounds=rounds, warmup=min(rounds, 3))
    finally:
        with trio.CancelScope(shield=True):
            await trio.run_process([str(_PROGRAM), "close", "--all"], env=environ)


async def main(rounds: int) -> None:
    """Print the times."""
    with open_site(lambda path: ACTIONS) as url, tempfile.TemporaryDirectory() as name:
        home = Path(name)
        started, navigated = await _starts(home, url, min(rounds, max(3, rounds // 10)))
        looks = await _looks(home, url, rounds)
        calls = await _without_browser(home, rounds)
        verbs = await _verbs(home, url, rounds)
    found = {
        "spawn to initialize, ms (<= 1500)": started.p50,
        "first navigation after two idle seconds, ms (<= 1000)": navigated.p50,
        **{f"a look, {one.name}, ms more than the WebSocket (<= 4)": one.p50 - looks[0].p50 for one in looks[1:]},
        **{f"{one.name}, ms (<= 2.5)": one.p50 for one in calls},
        **{f"verb {one.name}, ms (<= 60)": one.p50 for one in verbs[1:]},
    }
    print(f"\n  load {os.getloadavg()[0]:.2f}")
    for name, value in found.items():
        print(f"  {name:68}{value:9.2f}")
    write_line("interfaces", {name: round(value, 3) for name, value in found.items()})


if __name__ == "__main__":
    options = arguments()
    trio.run(main, min(options.rounds, 200))
