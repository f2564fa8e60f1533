"""Server for many tests, in a thread of its own: to launch a browser for each test takes longest."""

import concurrent.futures
import contextlib
import queue
import secrets
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import attrs
import pytest
import trio

from agentbrowser.client import Browser, connect
from agentbrowser.config import Config
from agentbrowser.server.app import Server, open_server

ResultT = TypeVar("ResultT")

_LEFT_S: Final = 60.0


@contextlib.contextmanager
def kept_open(opens: Callable[[], contextlib.AbstractAsyncContextManager[ResultT]]) -> Iterator[ResultT]:
    """Enter an asynchronous context in a thread with a loop of its own, so that several tests can use its value."""
    opened: queue.SimpleQueue[tuple[ResultT, trio.lowlevel.TrioToken, trio.Event] | None] = queue.SimpleQueue()

    async def run() -> None:
        async with opens() as value:
            closing = trio.Event()
            opened.put((value, trio.lowlevel.current_trio_token(), closing))
            await closing.wait()

    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        running = pool.submit(trio.run, run)
        running.add_done_callback(lambda _: opened.put(None))
        found = opened.get()
        if found is None:
            running.result()
            raise AssertionError("the context was closed before it was open")
        value, token, closing = found
        try:
            yield value
        finally:
            with contextlib.suppress(trio.RunFinishedError):
                token.run_sync_soon(closing.set)
            running.result()


@attrs.define(eq=False)
class SharedServer:
    """Running server that each test meets as a new client. Tests that look into the server have one of their own.

    Args:
      config: its settings. They get a token if they have none: without one, a client that comes by a socket has at
        most the scope "standard".
      opens: runs the server for the duration of a block, and all that it needs beside it.
    """

    config: Config
    opens: Callable[[Config], contextlib.AbstractAsyncContextManager[Server]] = open_server
    url: str = attrs.field(default="", init=False)
    token: str = attrs.field(default="", init=False)
    _running: contextlib.ExitStack = attrs.field(factory=contextlib.ExitStack, init=False)

    def __attrs_post_init__(self) -> None:
        self.token = self.config.token or secrets.token_urlsafe()
        opens = partial(self.opens, attrs.evolve(self.config, token=self.token))
        self.url = self._running.enter_context(kept_open(opens)).url

    @contextlib.asynccontextmanager
    async def connect(self) -> AsyncIterator[Browser]:
        """Connect a new client."""
        async with connect(self.url, token=self.token) as browser:
            yield browser

    def close(self) -> None:
        """Shut the server down."""
        self._running.close()


@attrs.frozen
class ServerInFolder:
    """Server of the tests of a module that count its temporary files: they are in a folder that nothing else uses."""

    server: SharedServer
    folder: Path

    def until_empty(self, pattern: str) -> None:
        """Wait until no file has such a path: the sessions of a test end shortly after it."""
        due_s = time.monotonic() + _LEFT_S
        while left := list(self.folder.glob(pattern)):
            assert time.monotonic() < due_s, f"left behind: {left}"
            time.sleep(0.01)


@contextlib.contextmanager
def server_in_folder(config: Config, folder: Path) -> Iterator[ServerInFolder]:
    """Run a server whose temporary files are in a folder, and check that it leaves none there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(folder))
        server = SharedServer(config)
        try:
            yield ServerInFolder(server, folder)
        finally:
            server.close()
        assert list(folder.glob("agentbrowser-*")) == []
