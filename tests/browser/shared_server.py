"""Server for many tests, in a thread of its own: to launch a browser for each test takes longest."""

import contextlib
import secrets
import threading
from collections.abc import AsyncIterator, Callable

import attrs
import trio

from agentbrowser.client import Browser, connect
from agentbrowser.config import Config
from agentbrowser.server.app import Server, open_server


@attrs.define(eq=False)
class SharedServer:
    """Running server that each test meets as a new client. Tests that look into the server have one of their own.

    Args:
      opens: runs the server for the duration of a block, and all that it needs beside it.
    """

    config: Config
    opens: Callable[[Config], contextlib.AbstractAsyncContextManager[Server]] = open_server
    url: str = attrs.field(default="", init=False)
    token: str = attrs.field(factory=secrets.token_urlsafe, init=False)
    _failure: BaseException | None = attrs.field(default=None, init=False)
    _token: trio.lowlevel.TrioToken | None = attrs.field(default=None, init=False)
    _closing: trio.Event = attrs.field(factory=trio.Event, init=False)
    _started: threading.Event = attrs.field(factory=threading.Event, init=False)
    _thread: threading.Thread = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._thread = threading.Thread(target=self._run, name="shared server")
        self._thread.start()
        self._started.wait()
        if self._failure is not None:
            self._thread.join()
            raise self._failure

    @contextlib.asynccontextmanager
    async def connect(self) -> AsyncIterator[Browser]:
        """Connect a new client."""
        async with connect(self.url, token=self.token) as browser:
            yield browser

    def close(self) -> None:
        """Shut the server down."""
        if self._token is not None:
            self._token.run_sync_soon(self._closing.set)
        self._thread.join()

    def _run(self) -> None:
        try:
            trio.run(self._serve)
        except BaseException as failure:
            self._failure = failure
            if self._started.is_set():
                raise
        finally:
            self._started.set()

    async def _serve(self) -> None:
        # Without a token, a client that comes by a socket has at most the scope "standard".
        async with self.opens(attrs.evolve(self.config, token=self.token)) as server:
            self._token = trio.lowlevel.current_trio_token()
            self.url = server.url
            self._started.set()
            await self._closing.wait()
