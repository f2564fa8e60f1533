"""Link to a browser: opened when a call first needs it, and again after a loss."""

import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import TYPE_CHECKING

import attrs
import structlog
import trio

from agentbrowser.client.browser import Browser
from agentbrowser.client.connection.dial import connect
from agentbrowser.config import Config

if TYPE_CHECKING:
    from agentbrowser.server.app import Server

    _OpenServer = Callable[..., AbstractAsyncContextManager[Server]]

log = structlog.get_logger("agentbrowser.mcp")

Open = Callable[[], AbstractAsyncContextManager[Browser]]


@attrs.define(eq=False)
class BrowserLink:
    """The client of one server, which is opened on demand."""

    _open: Open
    _nursery: trio.Nursery
    """Nursery of the task that holds the server and the client open."""
    current: Browser | None = attrs.field(default=None, init=False)
    """The open client, if there is one."""
    _lock: trio.Lock = attrs.field(factory=trio.Lock, init=False)

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

    async def _hold(self, *, task_status: trio.TaskStatus[Browser]) -> None:
        """Hold a client open until it is lost. [trio]"""
        is_open = False
        try:
            async with self._open() as browser:
                self.current, is_open = browser, True
                async with browser.changes() as changes:
                    task_status.started(browser)
                    async for change in changes:
                        if change.state == "closed":
                            break
        except Exception:
            if not is_open:
                raise
            log.exception("link_failed")
        finally:
            self.current = None


def remote(url: str, token: str | None) -> Open:
    """Return the opener of a client of a running server."""
    return partial(connect, url, token=token)


def embedded(config: Config) -> Open:
    """Return the opener of a server in this process, which listens on no port."""
    return partial(_embedded, config)


@contextlib.asynccontextmanager
async def _embedded(config: Config) -> AsyncIterator[Browser]:
    open_here = await trio.to_thread.run_sync(_load_server)
    async with open_here(config, listens=False) as server, server.connect() as browser:
        yield browser


def _load_server() -> "_OpenServer":
    """Import the server and the browser side, while the loop answers requests."""
    from agentbrowser.server.app import open_server

    return open_server
