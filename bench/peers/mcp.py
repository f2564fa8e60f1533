"""Peers with the Model Context Protocol: one process each, over standard streams."""

import base64
import contextlib
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import attrs
import trio

from bench.peers.pages import SHOP_SCRIPT
from bench.peers.peer import Peer, Setting
from bench.peers.running import running

_MORE: Final = 'role=button[name="More of it"]'
_FENCED: Final = re.compile(r"```(?:json)?\n(.*?)\n```", re.DOTALL)


@attrs.define
class Server:
    """A running MCP server, and the images of its last result."""

    process: trio.Process
    home: Path
    """Its working directory."""
    name: str = ""
    version: str = ""
    tools: str = ""
    _last: int = 0
    _rest: bytes = b""

    async def call(self, method: str, params: dict[str, Any]) -> Any:
        """Return the result of a request. [trio]"""
        self._last += 1
        await self._send({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        while True:
            message = json.loads(await self._line())
            if message.get("id") == self._last:
                break
        if "error" in message:
            raise ValueError(f"{method}: {message['error']}")
        return message["result"]

    async def use(self, tool: str, /, **arguments: Any) -> str:
        """Call a tool, and return the text of its result, or the data of its image. [trio]"""
        result = await self.call("tools/call", {"name": tool, "arguments": arguments})
        text = "\n".join(part["text"] for part in result["content"] if part["type"] == "text")
        if result.get("isError"):
            raise ValueError(f"{tool}: {text[:500]}")
        pictures = [part["data"] for part in result["content"] if part["type"] == "image"]
        return pictures[0] if pictures else text

    async def introduce(self) -> None:
        """Perform the handshake, and list the tools. [trio]"""
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        info = (await self.call("initialize", hello))["serverInfo"]
        self.name, self.version = info["name"], info["version"]
        await self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.tools = json.dumps((await self.call("tools/list", {}))["tools"])

    async def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        await self.process.stdin.send_all(json.dumps(message).encode() + b"\n")

    async def _line(self) -> bytes:
        assert self.process.stdout is not None
        parts = [self._rest]
        while b"\n" not in parts[-1]:
            got = await self.process.stdout.receive_some(1 << 20)
            if not got:
                raise ValueError("the server has ended")
            parts.append(bytes(got))
        line, _, self._rest = b"".join(parts).partition(b"\n")
        return line


@contextlib.asynccontextmanager
async def serving(setting: Setting, program: Path, *options: str) -> AsyncIterator[Server]:
    """Run a server in its own working directory. [trio]"""
    home = setting.home / f"{program.name}-mcp"
    home.mkdir()
    async with running([str(program), *options], home=home, piped=True) as process:
        server = Server(process, home)
        await server.introduce()
        yield server


@contextlib.asynccontextmanager
async def open_playwright_mcp(setting: Setting) -> AsyncIterator[Peer]:
    """Run Playwright's MCP server. [trio]"""
    flags = ["--no-sandbox"] if "--no-sandbox" in setting.flags else []
    command = ["--executable-path", setting.browser, "--headless", "--isolated", *flags]
    async with serving(setting, setting.program("playwright-mcp"), *command) as server:
        yield _playwright_peer(server, setting)


def _playwright_peer(server: Server, setting: Setting) -> Peer:
    add = "#add"

    async def navigate(url: str = setting.form) -> str:
        return await server.use("browser_navigate", url=url)

    async def look() -> str:
        return await server.use("browser_snapshot")

    async def go(url: str) -> None:
        nonlocal add
        await navigate(url)
        if url == setting.form:
            add = _first(r'button "Add" \[ref=(\w+)\]', await look())

    async def click(target: str) -> None:
        await server.use("browser_click", element="a button", target=target)

    async def fill(target: str, text: str) -> None:
        await server.use("browser_type", element="a field", target=target, text=text)

    async def choose(value: str) -> None:
        await server.use("browser_select_option", element="a list", target="#fruit", values=[value])

    async def ten() -> None:
        await fill("#name", "Ada")
        await fill("#mail", "ada@example.org")
        await click("#agree")
        await choose("b")
        await click("#add")
        await click(_MORE)
        await server.use("browser_hover", element="the menu", target="#menu")
        await click("#agree")
        await choose("a")
        await click("#done")

    async def evaluate(expression: str) -> Any:
        text = await server.use("browser_evaluate", function=f"() => ({expression})")
        return json.loads(_first(r"### Result\n(.*?)\n###", text + "\n###"))

    async def shoot() -> bytes:
        return base64.b64decode(await server.use("browser_take_screenshot", type="jpeg"))

    return Peer(
        name="playwright-mcp",
        version=server.version,
        operations={
            "navigate": navigate,
            "observe": look,
            "click by css": lambda: click("#add"),
            "click by role": lambda: click(_MORE),
            "click by ref": lambda: click(add),
            "fill": lambda: fill("#name", "Ada"),
            "ten steps": ten,
            "extract": lambda: evaluate(SHOP_SCRIPT),
            "screenshot": shoot,
        },
        go=go,
        evaluate=evaluate,
        tools=server.tools,
    )


@contextlib.asynccontextmanager
async def open_devtools_mcp(setting: Setting) -> AsyncIterator[Peer]:
    """Run the MCP server of Chrome DevTools. [trio]"""
    flags = [f"--chromeArg={flag}" for flag in (*setting.flags, "--window-size=1280,720")]
    quiet = ["--usageStatistics=false", "--performanceCrux=false"]
    command = ["--executablePath", setting.browser, "--headless", "--isolated", *flags, *quiet]
    async with serving(setting, setting.program("chrome-devtools-mcp"), *command) as server:
        yield _devtools_peer(server, setting)


def _devtools_peer(server: Server, setting: Setting) -> Peer:
    uids: dict[str, str] = {}

    async def use(tool: str, **arguments: Any) -> str:
        return await server.use(tool, pageId=1, **arguments)

    async def navigate(url: str = setting.form) -> str:
        return await use("navigate_page", url=url, type="url")

    async def look() -> str:
        return await use("take_snapshot")

    async def go(url: str) -> None:
        await navigate(url)
        if url == setting.form:
            uids.update(_uids(await look()))

    async def click(name: str) -> None:
        await use("click", uid=uids[name])

    async def fill(name: str, text: str) -> None:
        await use("fill", uid=uids[name], value=text)

    async def ten() -> None:
        await fill("Name", "Ada")
        await fill("Mail", "ada@example.org")
        await click("Agree")
        await fill("Apple", "Banana")
        await click("Add")
        await click("More of it")
        await use("hover", uid=uids["Menu"])
        await click("Agree")
        await fill("Apple", "Apple")
        await click("Done")

    async def evaluate(expression: str) -> Any:
        text = await use("evaluate_script", function=f"() => ({expression})")
        return json.loads(_first(_FENCED.pattern, text))

    async def shoot() -> bytes:
        return base64.b64decode(await use("take_screenshot", format="jpeg", quality=80))

    return Peer(
        name="chrome-devtools-mcp",
        version=server.version,
        operations={
            "navigate": navigate,
            "observe": look,
            "click by ref": lambda: click("Add"),
            "fill": lambda: fill("Name", "Ada"),
            "ten steps": ten,
            "extract": lambda: evaluate(SHOP_SCRIPT),
            "screenshot": shoot,
        },
        go=go,
        evaluate=evaluate,
        tools=server.tools,
    )


def _uids(snapshot: str) -> dict[str, str]:
    """Return the refs of the action page's elements by name; the fruit list by its initial choice."""
    named = re.findall(r'uid=(\S+) (?:(?:button|textbox|checkbox) )?"([^"]*)"', snapshot)
    chosen = re.findall(r'uid=(\S+) combobox .*?value="(\w+)"', snapshot)
    return {name: uid for uid, name in reversed(named)} | {value: uid for uid, value in chosen}


def _first(pattern: str, text: str) -> str:
    found = re.search(pattern, text, re.DOTALL)
    if found is None:
        raise ValueError(f"there is no {pattern} in {text[:500]}")
    return found[1]
