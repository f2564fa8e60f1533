"""agent-browser by Vercel Labs: its command line, and direct calls of its daemon."""

import contextlib
import json
import os
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import attrs
import trio

from bench.peers.pages import SHOP_SCRIPT
from bench.peers.peer import Peer, Setting

_TEN: Final[list[list[str]]] = [
    ["fill", "#name", "Ada"],
    ["fill", "#mail", "ada@example.org"],
    ["check", "#agree"],
    ["select", "#fruit", "b"],
    ["click", "#add"],
    ["find", "role", "button", "click", "--name", "More of it"],
    ["hover", "#menu"],
    ["uncheck", "#agree"],
    ["select", "#fruit", "a"],
    ["click", "#done"],
]


@attrs.define
class Shell:
    """The command line as agents use it: one process per command."""

    program: Path
    home: Path
    browser: str
    flags: tuple[str, ...]

    async def run(self, *command: str, given: bytes = b"") -> str:
        """Return the output of a command. [trio]"""
        ran = await trio.run_process(
            [str(self.program), *command],
            stdin=given,
            capture_stdout=True,
            stderr=subprocess.STDOUT,
            env=self._environment(),
            check=False,
        )
        text = ran.stdout.decode()
        if ran.returncode:
            raise ValueError(f"{command}: {text[:500]}")
        return text

    def _environment(self) -> dict[str, str]:
        own = {"EXECUTABLE_PATH": self.browser, "ARGS": ",".join(self.flags), "SCREENSHOT_FORMAT": "jpeg"}
        own |= {"SCREENSHOT_QUALITY": "80", "SCREENSHOT_DIR": str(self.home)}
        settings = {f"AGENT_BROWSER_{name}": value for name, value in own.items()}
        # Its socket is below the home directory.
        return {**os.environ, **settings, "HOME": str(self.home)}

    async def evaluate(self, expression: str) -> Any:
        """Return the value of an expression. [trio]"""
        return json.loads(json.loads(await self.run("eval", f"JSON.stringify({expression})")))


@attrs.define
class Daemon:
    """The daemon, over its socket."""

    stream: trio.SocketStream
    _rest: bytes = b""

    async def call(self, action: str, **params: Any) -> Any:
        """Return the data of a result. [trio]"""
        await self.stream.send_all(json.dumps({"id": "1", "action": action, **params}).encode() + b"\n")
        parts = [self._rest]
        while b"\n" not in parts[-1]:
            parts.append(await self.stream.receive_some(1 << 20))
        line, _, self._rest = b"".join(parts).partition(b"\n")
        answer = json.loads(line)
        if not answer["success"]:
            raise ValueError(f"{action}: {answer}")
        return answer.get("data")

    async def ten(self) -> None:
        """Run the ten steps with one request each, as there are no sequences. [trio]"""
        await self.call("fill", selector="#name", value="Ada")
        await self.call("fill", selector="#mail", value="ada@example.org")
        await self.call("check", selector="#agree")
        await self.call("select", selector="#fruit", values=["b"])
        await self.call("click", selector="#add")
        await self.more()
        await self.call("hover", selector="#menu")
        await self.call("uncheck", selector="#agree")
        await self.call("select", selector="#fruit", values=["a"])
        await self.call("click", selector="#done")

    async def more(self) -> None:
        """Click by role. [trio]"""
        await self.call("getbyrole", role="button", name="More of it", subaction="click")


def _ref(snapshot: str) -> str:
    line = next(line for line in snapshot.splitlines() if 'button "Add"' in line)
    return "@" + line.partition("ref=")[2].rstrip("]")


@contextlib.asynccontextmanager
async def open_shell(setting: Setting) -> AsyncIterator[Shell]:
    """Run the daemon with a page. [trio]"""
    home = setting.home / "ab"
    home.mkdir()
    shell = Shell(setting.programs / "node_modules/.bin/agent-browser", home, setting.browser, setting.flags)
    # npm's entry point starts Node, which starts the native program; run the native program directly.
    shell.program = next(shell.program.resolve().parent.glob("agent-browser-linux-x64"), shell.program)
    await shell.run("open", setting.form)
    try:
        yield shell
    finally:
        with trio.CancelScope(shield=True):
            await shell.run("close")


@contextlib.asynccontextmanager
async def open_agent_browser(setting: Setting) -> AsyncIterator[tuple[Peer, Peer]]:
    """Run the command line and the daemon with the same page. [trio]"""
    async with open_shell(setting) as shell:
        version = (await shell.run("--version")).split()[-1]
        (address,) = (shell.home / ".agent-browser").glob("*.sock")
        async with await trio.open_unix_socket(str(address)) as stream:
            yield await _by_shell(shell, setting, version), _by_socket(Daemon(stream), shell, setting, version)


async def _by_shell(shell: Shell, setting: Setting, version: str) -> Peer:
    ref = ""

    async def look() -> str:
        return await shell.run("snapshot", "-i")

    async def go(url: str) -> None:
        nonlocal ref
        await shell.run("open", url)
        if url == setting.form:
            ref = _ref(await look())

    async def shoot() -> str:
        await shell.run("screenshot", str(shell.home / "shot.jpeg"))
        return str(shell.home / "shot.jpeg")

    return Peer(
        name="agent-browser",
        version=version,
        operations={
            "navigate": lambda: shell.run("open", setting.form),
            "observe": look,
            "click by css": lambda: shell.run("click", "#add"),
            "click by role": lambda: shell.run(*_TEN[5]),
            "click by ref": lambda: shell.run("click", ref),
            "fill": lambda: shell.run("fill", "#name", "Ada"),
            "ten steps": lambda: shell.run("batch", "--bail", given=json.dumps(_TEN).encode()),
            "extract": lambda: shell.evaluate(SHOP_SCRIPT),
            "screenshot": shoot,
        },
        go=go,
        evaluate=shell.evaluate,
        tools=await shell.run("skills", "get", "core"),
    )


def _by_socket(daemon: Daemon, shell: Shell, setting: Setting, version: str) -> Peer:
    ref = ""

    async def look() -> str:
        return str((await daemon.call("snapshot", interactive=True))["snapshot"])

    async def navigate(url: str = setting.form) -> None:
        await daemon.call("navigate", url=url)

    async def go(url: str) -> None:
        nonlocal ref
        await navigate(url)
        if url == setting.form:
            ref = _ref(await look())

    async def evaluate(expression: str) -> Any:
        return (await daemon.call("evaluate", script=f"({expression})"))["result"]

    async def shoot() -> str:
        return str((await daemon.call("screenshot", format="jpeg", quality=80))["path"])

    return Peer(
        name="its daemon alone",
        version=version,
        operations={
            "navigate": navigate,
            "observe": look,
            "click by css": lambda: daemon.call("click", selector="#add"),
            "click by role": daemon.more,
            "click by ref": lambda: daemon.call("click", selector=ref),
            "fill": lambda: daemon.call("fill", selector="#name", value="Ada"),
            "ten steps": daemon.ten,
            "extract": lambda: evaluate(SHOP_SCRIPT),
            "screenshot": shoot,
        },
        go=go,
        evaluate=evaluate,
    )
