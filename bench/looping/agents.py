"""Agents' loops with three tools: look, act on something of the look, look again."""

import contextlib
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final, Protocol

import attrs
import trio_websocket

from agentbrowser import __version__
from agentbrowser.browser.observe.token_count import estimate
from bench.looping.facts import Action, WordsOf, words_of_outline, words_of_text
from bench.peers.mcp import Server, serving
from bench.peers.ours import MAX_BYTES, TOKEN, Client
from bench.peers.ours import serving as serving_ours
from bench.peers.peer import Setting
from bench.peers.vercel import Shell, open_shell

_LINK: Final = re.compile(r"\[Snapshot\]\(([^)]+)\)")
_RESULT: Final = re.compile(r"### Result\n(.*?)(?:\n###|\Z)", re.DOTALL)


@attrs.frozen
class Reply:
    """Answer to a look or an action: the look, and the tokens of all that a model has to read."""

    look: str
    tokens: int


class LoopAgent(Protocol):
    """A tool with one page, as an agent uses it."""

    name: str
    version: str
    words: WordsOf
    unseen: int
    """Number of targets that were in no look, and therefore found by role and name."""

    async def open(self, url: str) -> Reply:
        """Load a page, and look. [trio]"""

    async def act(self, action: Action) -> Reply:
        """Act, and look. [trio]"""

    async def look(self) -> Reply:
        """Look at the whole page. [trio]"""

    async def rest(self) -> Reply:
        """Return the further pages of the last look. [trio]"""

    async def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression in the page. [trio]"""


@attrs.define
class OurAgent:
    """An agent with agentbrowser: looks as text, with the default options."""

    client: Client
    name: str = "agentbrowser"
    version: str = __version__
    words: WordsOf = words_of_text
    unseen: int = 0
    _known: list[str] = attrs.field(factory=list)
    """Looks of this page; the refs in all of them are valid."""
    _cursor: str | None = None

    async def open(self, url: str) -> Reply:
        """Load a page, and look. [trio]"""
        self._known.clear()
        loaded = await self.client.call("page/navigate", url=url)
        return self._with(loaded, await self.look())

    async def act(self, action: Action) -> Reply:
        """Act; the changes come with the result. [trio]"""
        params: dict[str, Any] = {"selector": self._target(action)}
        if action.value is not None:
            params["value"] = action.value
        result = await self.client.call(f"action/{action.do}", **params, observe="changes")
        text = result.pop("observation")["text"]
        self._known.append(text)
        return self._with(result, Reply(text, estimate(text)))

    def _with(self, result: Any, reply: Reply) -> Reply:
        return attrs.evolve(reply, tokens=reply.tokens + estimate(json.dumps(result, ensure_ascii=False)))

    def _target(self, action: Action) -> dict[str, str]:
        pattern = rf'(@[\w.]+) {action.role} ~?"{re.escape(action.name)}"'
        for look in reversed(self._known):
            if found := re.search(pattern, look):
                return {"type": "ref", "value": found[1]}
        self.unseen += 1
        return {"type": "role", "role": action.role, "name": action.name}

    async def look(self) -> Reply:
        """Look at the whole page. [trio]"""
        return await self._observe()

    async def rest(self) -> Reply:
        """Return the further pages of the last look. [trio]"""
        texts = []
        while self._cursor is not None:
            texts.append(await self._observe(cursor=self._cursor))
        return Reply("\n".join(one.look for one in texts), sum(one.tokens for one in texts))

    async def _observe(self, **params: Any) -> Reply:
        seen = await self.client.call("agent/observe", format="text", **params)
        self._cursor = seen.get("nextCursor")
        self._known.append(seen["text"])
        return Reply(seen["text"], estimate(seen["text"]))

    async def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression in the page. [trio]"""
        return (await self.client.call("script/evaluate", expression=expression, world="main"))["value"]


@contextlib.asynccontextmanager
async def open_our_agent(setting: Setting) -> AsyncIterator[OurAgent]:
    """Run the server and a client. [trio]"""
    async with (
        serving_ours(setting) as url,
        trio_websocket.open_websocket_url(
            url, extra_headers=[(b"X-AGENT-Token", TOKEN.encode())], max_message_size=MAX_BYTES
        ) as connection,
    ):
        yield OurAgent(Client(connection))


@attrs.define
class PlaywrightAgent:
    """An agent with playwright-mcp: each result names a file with the snapshot, which the agent reads at no cost."""

    server: Server
    home: Path
    name: str = "playwright-mcp"
    version: str = ""
    words: WordsOf = words_of_outline
    unseen: int = 0
    _last: str = ""

    async def open(self, url: str) -> Reply:
        """Load a page, and read the snapshot. [trio]"""
        return self._read(await self.server.use("browser_navigate", url=url))

    async def act(self, action: Action) -> Reply:
        """Act, and read the snapshot. [trio]"""
        found = re.search(rf'{action.role} "{re.escape(action.name)}"[^\n]*?\[ref=(\w+)\]', self._last)
        self.unseen += found is None
        target = found[1] if found else f"role={action.role}[name={json.dumps(action.name)}]"
        if action.do == "fill":
            answer = await self.server.use("browser_type", element=action.name, target=target, text=action.value)
        else:
            answer = await self.server.use("browser_click", element=action.name, target=target)
        if _LINK.search(answer) is None:  # some results have no snapshot
            answer += "\n" + await self.server.use("browser_snapshot")
        return self._read(answer)

    def _read(self, answer: str) -> Reply:
        link = _LINK.search(answer)
        self._last = (self.home / link[1]).read_text(encoding="utf-8") if link else answer
        read = answer if link is None else f"{answer}\n{self._last}"
        return Reply(self._last, estimate(read))

    async def look(self) -> Reply:
        """Take a snapshot. [trio]"""
        return self._read(await self.server.use("browser_snapshot"))

    async def rest(self) -> Reply:
        """Return nothing: snapshots are whole. [trio]"""
        return Reply("", 0)

    async def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression in the page. [trio]"""
        answer = await self.server.use("browser_evaluate", function=f"() => ({expression})")
        found = _RESULT.search(answer)
        if found is None:
            raise ValueError(answer[:500])
        return json.loads(found[1])


@contextlib.asynccontextmanager
async def open_playwright_agent(setting: Setting) -> AsyncIterator[PlaywrightAgent]:
    """Run Playwright's MCP server as it is by default. [trio]"""
    flags = ["--no-sandbox"] if "--no-sandbox" in setting.flags else []
    command = ["--executable-path", setting.browser, "--headless", "--isolated", *flags]
    async with serving(setting, setting.program("playwright-mcp"), *command) as server:
        yield PlaywrightAgent(server, server.home, version=server.version)


@attrs.define
class VercelAgent:
    """An agent with agent-browser: a process for each action and each snapshot."""

    shell: Shell
    name: str = "agent-browser"
    version: str = ""
    words: WordsOf = words_of_outline
    unseen: int = 0
    _last: str = ""

    async def open(self, url: str) -> Reply:
        """Load a page, and look. [trio]"""
        return self._with(await self.shell.run("open", url), await self.look())

    async def act(self, action: Action) -> Reply:
        """Act, and look. [trio]"""
        value = [] if action.value is None else [action.value]
        found = re.search(rf'{action.role} "{re.escape(action.name)}" \[[^\n]*?ref=(\w+)', self._last)
        self.unseen += found is None
        if found:
            answer = await self.shell.run(action.do, f"@{found[1]}", *value)
        else:
            answer = await self.shell.run("find", "role", action.role, action.do, *value, "--name", action.name)
        return self._with(answer, await self.look())

    def _with(self, answer: str, reply: Reply) -> Reply:
        return attrs.evolve(reply, tokens=reply.tokens + estimate(answer))

    async def look(self) -> Reply:
        """Take a snapshot with all texts. [trio]"""
        self._last = await self.shell.run("snapshot")
        return Reply(self._last, estimate(self._last))

    async def rest(self) -> Reply:
        """Return nothing: snapshots are whole. [trio]"""
        return Reply("", 0)

    async def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression in the page. [trio]"""
        return await self.shell.evaluate(expression)


@contextlib.asynccontextmanager
async def open_vercel_agent(setting: Setting) -> AsyncIterator[VercelAgent]:
    """Run agent-browser's daemon, which each command asks. [trio]"""
    async with open_shell(setting) as shell:
        yield VercelAgent(shell, version=(await shell.run("--version")).split()[-1])
