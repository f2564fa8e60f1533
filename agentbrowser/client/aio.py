"""The same client for asyncio: its line lives in a Trio thread, and everything else is the same code.

``async with agentbrowser.client.aio.connect() as browser:`` gives the very `Browser` that Trio programs have. A task
that is cancelled cancels its request at the server.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple

import attrs

from agentbrowser.client.browser import Browser as Browser
from agentbrowser.client.connection.dial import DEFAULT_URL, make_line
from agentbrowser.client.connection.handshake import SessionKey
from agentbrowser.client.connection.reconnect import LineState, Reconnect
from agentbrowser.client.interfaces import Ears, Lines
from agentbrowser.client.subscriptions import Ear
from agentbrowser.client.thread import LineThread
from agentbrowser.protocol.types.event import EventFilter

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


@contextlib.asynccontextmanager
async def connect(
    url: str = DEFAULT_URL,
    *,
    token: str | None = None,
    reconnect: Reconnect | None = None,
    session: SessionKey | None = None,
) -> AsyncIterator[Browser]:
    """Connect to a server and speak to it, as `agentbrowser.connect` does. [asyncio]

    Raises:
      ConnectionLost: nobody answers, or the server refuses.
      InvalidParams: the URL or the token can't be one, the session is no more, or the secret is not its.
    """
    thread = LineThread(make_line(url, token=token, reconnect=reconnect, session=session))
    try:
        await _result(thread.start(), thread.cancel)
        yield Browser(AsyncioLine(thread))
    finally:
        thread.leave()
        await asyncio.shield(asyncio.wrap_future(thread.over))


@attrs.define(eq=False)
class AsyncioEars(Ears):
    """What hears, in the thread."""

    thread: LineThread
    ear: Ear
    _taken: "Future[Any] | None" = attrs.field(default=None, init=False)
    """What came just when the task was cancelled that waited for it; the next one gets it."""

    async def receive(self) -> Any:
        """Return the next of the news; None once there will be no more. [asyncio]

        Cancel: nothing is lost.
        """
        if self._taken is not None:
            taken, self._taken = self._taken, None
            return taken.result()
        job = self.thread.submit(self.ear.receive)
        try:
            return await _result(job.future, job.cancel)
        except asyncio.CancelledError:
            if job.future.done() and job.future.exception() is None:
                self._taken = job.future
            raise


@attrs.frozen(eq=False)
class AsyncioLine(Lines):
    """A line that lives in a Trio thread."""

    thread: LineThread

    @property
    def state(self) -> LineState:
        """Whether there is a connection."""
        return self.thread.line.state

    @property
    def dropped(self) -> Counter[str]:
        """How many events of each kind were lost, here or on the way."""
        return self.thread.line.dropped

    @property
    def told(self) -> Any:
        """What the server has said of itself, as plain data."""
        return self.thread.line.told

    async def request(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Call a method by its wire name with plain data, and return plain data. [asyncio]"""
        return await _run(self.thread, self.thread.line.ask, method, params)

    async def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Send a notification. [asyncio]"""
        await _run(self.thread, self.thread.line.notify, method, params)

    async def hear(self, names: frozenset[str], filter: EventFilter | None = None) -> Ears:
        """Return what hears the news of these names. [asyncio]"""
        return AsyncioEars(self.thread, await _run(self.thread, self.thread.line.hear, names, filter))

    async def unhear(self, ear: AsyncioEars) -> None:
        """Let go of what hears. [asyncio]"""
        await _run(self.thread, self.thread.line.unhear, ear.ear)


async def _run(thread: LineThread, work: Callable[[*Ts], Awaitable[T]], *args: *Ts) -> T:
    job = thread.submit(work, *args)
    return await _result(job.future, job.cancel)


async def _result(future: "Future[T]", cancel: Callable[[], None]) -> T:
    """Return what comes of work in the thread; when the task is cancelled, cancel the work and wait for its end."""
    try:
        return await asyncio.wrap_future(future)
    except asyncio.CancelledError:
        cancel()
        with contextlib.suppress(Exception):
            await asyncio.wrap_future(future)
        raise
