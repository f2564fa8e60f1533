"""Link to a browser: opened when a call first needs it, and again after a loss."""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import TYPE_CHECKING

import attrs
import structlog
import trio

from agentbrowser.client.browser import Browser
from agentbrowser.client.connection.dial import make_connection, run_connection
from agentbrowser.client.connection.transport import ConnectionLost
from agentbrowser.client.feed import PendingApproval
from agentbrowser.config import Config
from agentbrowser.frozen_imports import frozen_imports
from agentbrowser.nursery import open_quiet_nursery
from agentbrowser.tools.dispatch import forget

if TYPE_CHECKING:
    from agentbrowser.server.app import Server

    _OpenServer = Callable[..., AbstractAsyncContextManager[Server]]

log = structlog.get_logger("agentbrowser.mcp")

Open = Callable[[], AbstractAsyncContextManager[Browser]]
Decide = Callable[["BrowserLink", PendingApproval], Awaitable[None]]


@attrs.define(eq=False)
class BrowserLink:
    """The client of one server, which is opened on demand."""

    _open: Open
    _nursery: trio.Nursery
    """Nursery of the task that holds the server and the client open."""
    _decide: "Decide | None" = None
    """Decides on requests of the client that need an approval."""
    current: Browser | None = attrs.field(default=None, init=False)
    """The open client, if there is one."""
    _lock: trio.Lock = attrs.field(factory=trio.Lock, init=False)
    _holding: trio.CancelScope = attrs.field(factory=trio.CancelScope, init=False)

    async def browser(self) -> Browser:
        """Return the client; open it if there is none, or if the last one has lost its server. [trio]

        Raises:
          AgentBrowserError: it could not be opened; the next call tries again.
        """
        async with self._lock:
            if self.current is not None and self.current.state != "closed":
                return self.current
            opened: Browser = await self._nursery.start(self._hold)
            return opened

    def close(self) -> None:
        """Close the client; the next call opens another one."""
        self._holding.cancel()

    async def _hold(self, *, task_status: trio.TaskStatus[Browser]) -> None:
        """Hold a client open until it is lost. [trio]"""
        opened: Browser | None = None
        holding = trio.CancelScope()
        self._holding = holding
        try:
            with holding:
                async with (
                    self._open() as browser,
                    browser.changes() as changes,
                    browser.approvals() as approvals,
                    open_quiet_nursery() as nursery,
                ):
                    nursery.start_soon(self._decide_all, approvals, nursery)
                    self.current = opened = browser
                    task_status.started(browser)
                    async for change in changes:
                        if change.state == "closed":
                            break
                    nursery.cancel_scope.cancel()
            if opened is None:
                raise ConnectionLost("The session has ended.")
        except Exception:
            if opened is None:
                raise
            log.exception("link_failed")
        finally:
            if opened is not None:
                forget(opened)
            if self._holding is holding:
                self.current = None

    async def _decide_all(self, approvals: AsyncIterator[PendingApproval], nursery: trio.Nursery) -> None:
        """Decide on each request that needs an approval. [trio]"""
        with contextlib.suppress(ConnectionLost):
            async for pending in approvals:
                if self._decide is not None:
                    nursery.start_soon(self._decide, self, pending)


def remote(url: str, token: str | None) -> Open:
    """Return the opener of a client of a running server, which decides on no requests of others."""
    return partial(_connected, url, token)


@contextlib.asynccontextmanager
async def _connected(url: str, token: str | None) -> AsyncIterator[Browser]:
    connection = make_connection(url, token=token)
    if connection.handshake is not None:
        connection.handshake.approves = False
    async with run_connection(connection):
        yield Browser(connection)


def embedded(config: Config) -> Open:
    """Return the opener of a server in this process, which listens on no port."""
    return partial(_embedded, config)


@contextlib.asynccontextmanager
async def _embedded(config: Config) -> AsyncIterator[Browser]:
    open_here = await trio.to_thread.run_sync(load_server)
    async with open_here(config, listens=False) as server, server.connect() as browser:
        yield browser


def load_server() -> "_OpenServer":
    """Import the server and the browser side, while the loop answers requests."""
    with frozen_imports():
        from agentbrowser.server.app import open_server
    return open_server
