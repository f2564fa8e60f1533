"""Clients of a fleet, which check what their sessions hold."""

import time
from collections.abc import Callable
from typing import Any, Final

import attrs
import trio

from agentbrowser.client.connection.connection import ClientConnection
from agentbrowser.client.connection.dial import make_connection
from agentbrowser.client.connection.handshake import SessionKey
from agentbrowser.client.connection.reconnect import Reconnect
from agentbrowser.protocol.errors import AgentBrowserError
from bench.fleet.cluster import Fleet

STORING_PAGE: Final = """<!doctype html><title>Stored</title><script>
if (!localStorage.a) {
  localStorage.a = sessionStorage.b = location.pathname;
  document.cookie = `c=${location.pathname}; path=/; max-age=9999`;
}</script>"""
_STORED: Final = "[location.pathname, localStorage.a, sessionStorage.b, document.cookie].join(' ')"
_PAUSE_S: Final = 0.1
_REQUEST_TIMEOUT_MS: Final = 30_000


@attrs.define(eq=False)
class Agent:
    """One client with one session, whose page has stored its path."""

    fleet: Fleet
    number: int
    site: str
    connection: ClientConnection = attrs.field(init=False)
    key: SessionKey = attrs.field(factory=SessionKey, init=False)
    path: str = attrs.field(init=False)
    trouble: str = attrs.field(default="", init=False)
    """Latest error or wrong answer."""

    def __attrs_post_init__(self) -> None:
        self.path = f"/{self.number}"

    async def connect(self, nursery: trio.Nursery) -> None:
        """Begin the session; the connection lives as long as the nursery. [trio]"""
        url, token = self.fleet.url_of(self.number), self.fleet.token_of(self.number)
        again = Reconnect(max_attempts=12, base_ms=500, jitter=0.5)
        self.connection = make_connection(url, token=token, session=self.key, reconnect=again, wait_s=60)
        await nursery.start(self.connection.run)

    async def visit(self) -> None:
        """Load the page that stores. [trio]"""
        await self.connection.request("page/navigate", {"url": self.site + self.path, "timeout": _REQUEST_TIMEOUT_MS})

    @property
    def node(self) -> str:
        """Return the name of the node that the proxy has chosen."""
        opening: Any = self.connection.open
        cookies = opening.args[-1].header() or ""
        return str(cookies.partition("NODE=")[2].partition(";")[0])

    @property
    def answer(self) -> dict[str, Any]:
        """Return the server's latest answer to ``initialize``."""
        return self.connection.server_info or {}

    async def read(self) -> str:
        """Return path, storage and cookie of the page. [trio]"""
        params = {"expression": _STORED, "timeout": _REQUEST_TIMEOUT_MS}
        return str((await self.connection.request("script/evaluate", params))["value"])

    async def is_back(self, limit_s: float) -> bool:
        """Return True once the page holds everything, False if it is lost. [trio]"""
        expected = f"{self.path} {self.path} {self.path} c={self.path}"
        with trio.move_on_after(limit_s):
            while self.connection.state != "closed":
                try:
                    self.trouble = await self.read()
                except AgentBrowserError as error:
                    self.trouble = f"{type(error).__name__}: {error}"
                else:
                    if self.trouble == expected:
                        return True
                await trio.sleep(_PAUSE_S)
        return False


async def for_each(agents: list[Agent], work: Callable[[Agent], Any], at_once: int) -> list[float]:
    """Do some work with every agent, so many at a time; return when each ended, in seconds. [trio]"""
    began_s, ended_s = time.perf_counter(), []
    limiter = trio.CapacityLimiter(at_once)

    async def one(agent: Agent) -> None:
        async with limiter:
            await work(agent)
        ended_s.append(time.perf_counter() - began_s)

    async with trio.open_nursery() as nursery:
        for agent in agents:
            nursery.start_soon(one, agent)
    return ended_s
