"""agentbrowser as agents use it: its MCP server on standard streams, and its verbs, a process for each."""

import base64
import contextlib
import json
import os
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import attrs
import trio

from agentbrowser import __version__
from agentbrowser.cli.verbs.runtime_dir import VARIABLE
from bench.peers.mcp import Server, serving
from bench.peers.peer import Peer, Setting

_ALL: Final = 25_000
"""More tokens than any page of the comparison has."""
_CURSOR: Final = re.compile(r"\.\.\. .*; cursor (\w+)$")
_ADD: Final = "css=#add"
_MORE: Final = "More of it"
_FIELDS: Final = ("name", "price: number")
_CARD: Final = "product"
_TEN: Final[list[dict[str, str]]] = [
    {"do": "fill", "on": "css=#name", "value": "Ada"},
    {"do": "fill", "on": "css=#mail", "value": "ada@example.org"},
    {"do": "check", "on": "css=#agree"},
    {"do": "select", "on": "css=#fruit", "value": "b"},
    {"do": "click", "on": _ADD},
    {"do": "click", "on": _MORE},
    {"do": "hover", "on": "css=#menu"},
    {"do": "uncheck", "on": "css=#agree"},
    {"do": "select", "on": "css=#fruit", "value": "a"},
    {"do": "click", "on": "css=#done"},
]


def _ref(look: str) -> str:
    return str(re.findall(r'(@\w+) button "Add"', look)[0])


def _rows(lines: str) -> list[Any]:
    return [json.loads(line) for line in lines.splitlines() if line.startswith("{")]


async def _whole(look: Callable[..., Awaitable[str]]) -> str:
    """Return a look, and what it leaves out, which its cursor leads to. [trio]"""
    parts = [await look()]
    while cursor := _CURSOR.search(parts[-1]):
        parts.append(await look(cursor[1]))
    return "\n".join(parts)


@contextlib.asynccontextmanager
async def open_our_mcp(setting: Setting) -> AsyncIterator[Peer]:
    """Run the MCP server, with the tool for JavaScript, which only the checks use. [trio]"""
    options = ["--scope", "privileged", "--private-network", "allow", "--executable-path", setting.browser]
    command = ["-m", "agentbrowser", "mcp", *options, "--tools", "evaluate", "--log-level", "error"]
    async with serving(setting, Path(sys.executable), *command) as server:
        yield _mcp_peer(server, setting)


def _mcp_peer(server: Server, setting: Setting) -> Peer:
    ref = ""

    async def navigate(url: str = setting.form) -> str:
        return await server.use("browser_navigate", url=url)

    async def look(*cursor: str) -> str:
        return await server.use("browser_look", max_tokens=_ALL, **dict(zip(["cursor"], cursor, strict=False)))

    async def go(url: str) -> None:
        nonlocal ref
        seen = await navigate(url)
        if url == setting.form:
            ref = _ref(seen)

    async def act(*steps: dict[str, str]) -> str:
        return await server.use("browser_act", steps=steps)

    async def extract() -> list[Any]:
        return _rows(await server.use("browser_extract", fields=_FIELDS, list=_CARD))

    async def evaluate(expression: str) -> Any:
        return json.loads(await server.use("browser_evaluate", expression=expression))

    async def shoot() -> bytes:
        return base64.b64decode(await server.use("browser_screenshot"))

    core = [tool for tool in json.loads(server.tools) if tool["name"] != "browser_evaluate"]
    return Peer(
        name="agentbrowser mcp",
        version=server.version,
        operations={
            "navigate": navigate,
            "observe": lambda: _whole(look),
            "click by css": lambda: act({"do": "click", "on": _ADD}),
            "click by role": lambda: act({"do": "click", "on": _MORE}),
            "click by ref": lambda: act({"do": "click", "on": ref}),
            "fill": lambda: act({"do": "fill", "on": "css=#name", "value": "Ada"}),
            "ten steps": lambda: act(*_TEN),
            "extract": extract,
            "screenshot": shoot,
        },
        go=go,
        evaluate=evaluate,
        tools=json.dumps(core),
    )


@attrs.frozen
class Verbs:
    """The command line as agents use it: one process for each verb."""

    environ: dict[str, str]

    async def run(self, *words: str, given: bytes = b"") -> str:
        """Return the output of a verb. [trio]"""
        command = [sys.executable, "-m", "agentbrowser", *words]
        ran = await trio.run_process(command, stdin=given, capture_stdout=True, env=self.environ, check=False)
        text = ran.stdout.decode()
        if ran.returncode:
            raise ValueError(f"{words}: {text[:500]}")
        return text


@contextlib.asynccontextmanager
async def open_verbs(setting: Setting) -> AsyncIterator[Peer]:
    """Run the verbs, the first of which starts their daemon. [trio]"""
    own = {VARIABLE: str(setting.home / "run"), "AGENT_EXECUTABLE_PATH": setting.browser}
    verbs = Verbs({**os.environ, **own, "AGENT_PRIVATE_NETWORK": "allow"})
    await verbs.run("open", setting.form)
    try:
        yield await _verbs_peer(verbs, setting)
    finally:
        with trio.CancelScope(shield=True):
            await verbs.run("close", "--all")


async def _verbs_peer(verbs: Verbs, setting: Setting) -> Peer:
    run, ref, shot = verbs.run, "", str(setting.home / "verbs.jpg")

    async def go(url: str) -> None:
        nonlocal ref
        seen = await run("open", url)
        if url == setting.form:
            ref = _ref(seen)

    async def look(*cursor: str) -> str:
        return await run("look", "--max-tokens", str(_ALL), *(f"--cursor={one}" for one in cursor))

    async def extract() -> list[Any]:
        return _rows(await run("extract", *_FIELDS, "--list", _CARD))

    async def evaluate(expression: str) -> Any:
        return json.loads(await run("eval", expression))

    async def shoot() -> str:
        await run("screenshot", shot)
        return shot

    steps = json.dumps(_TEN).encode()
    return Peer(
        name="agentbrowser verbs",
        version=__version__,
        operations={
            "navigate": lambda: run("open", setting.form),
            "observe": lambda: _whole(look),
            "click by css": lambda: run("click", _ADD),
            "click by role": lambda: run("click", _MORE),
            "click by ref": lambda: run("click", ref),
            "fill": lambda: run("fill", "css=#name", "Ada"),
            "ten steps": lambda: run("run", "-", given=steps),
            "extract": extract,
            "screenshot": shoot,
        },
        go=go,
        evaluate=evaluate,
        tools=await run("skill"),
    )
