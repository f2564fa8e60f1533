"""The asyncio client: its connection runs in a Trio thread, everything else is the code of the Trio client.

``async with agentbrowser.client.aio.connect() as browser:`` returns the same `Browser` class. Cancelling a task cancels
its request on the server.
"""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple

import attrs

from agentbrowser.client.browser import Browser as Browser
from agentbrowser.client.connection.dial import DEFAULT_URL, make_connection
from agentbrowser.client.connection.handshake import SessionKey
from agentbrowser.client.connection.reconnect import Reconnect
from agentbrowser.client.connection.transport import ConnectionLost
from agentbrowser.client.interfaces import ConnectionInterface, SubscriptionInterface
from agentbrowser.client.subscriptions import Subscription
from agentbrowser.client.thread import ConnectionThread, ThreadedConnection

if TYPE_CHECKING:
    from concurrent.futures import Future

    from agentbrowser.protocol.types.event import EventFilter

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


@contextlib.asynccontextmanager
async def connect(
    url: str = DEFAULT_URL,
    *,
    token: str | None = None,
    reconnect: Reconnect | None = None,
    session: SessionKey | None = None,
    wait_s: float = 0.0,
    ca_file: str | os.PathLike[str] | None = None,
) -> AsyncIterator[Browser]:
    """Connect to a server, as `agentbrowser.connect` does. [asyncio]

    Raises:
      ConnectionLost: no server answers, or it refuses the connection.
      InvalidParams: the URL, the token, the wait or the CA file is malformed, the session has expired, or its secret is
        wrong.
    """
    made = make_connection(url, token=token, reconnect=reconnect, session=session, wait_s=wait_s, ca_file=ca_file)
    thread = ConnectionThread(made)
    try:
        await _result(thread.start(), thread.cancel)
        yield Browser(AsyncioConnection(thread))
    finally:
        thread.close()
        await asyncio.shield(asyncio.wrap_future(thread.closed))


@attrs.define(eq=False)
class AsyncioSubscription(SubscriptionInterface):
    """A subscription of the connection in the thread."""

    thread: ConnectionThread
    subscription: Subscription
    _unread: "Future[Any] | None" = attrs.field(default=None, init=False)
    """An event that arrived while its receiver was cancelled; the next `receive` returns it."""

    async def receive(self) -> Any:
        """Return the next event; None at the end, also when another task closes the client. [asyncio]

        Cancel: no event is lost.
        """
        if self._unread is not None:
            unread, self._unread = self._unread, None
            return unread.result()
        task = self.thread.submit(self.subscription.receive)
        try:
            return await _result(task.future, task.cancel)
        except asyncio.CancelledError:
            if task.future.done() and task.future.exception() is None:
                self._unread = task.future
            raise
        except ConnectionLost:
            if self.thread.is_closing:
                return None
            raise

    async def unread(self) -> list[Any]:
        """Return the events that have arrived, without waiting. [asyncio]"""
        kept, self._unread = self._unread, None
        later = await _run(self.thread, self.subscription.unread)
        return later if kept is None else [kept.result(), *later]


@attrs.frozen(eq=False)
class AsyncioConnection(ThreadedConnection, ConnectionInterface):
    """A connection that runs in a Trio thread."""

    async def request(self, method: str, params: Mapping[str, Any] | None = None, timeout_ms: int | None = None) -> Any:
        """Call a method by its wire name with plain data, and return plain data. [asyncio]"""
        return await _run(self.thread, self.thread.connection.start_request, method, params, timeout_ms)

    async def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Send a notification. [asyncio]"""
        await _run(self.thread, self.thread.connection.notify, method, params)

    async def subscribe(self, names: frozenset[str], filter: "EventFilter | None" = None) -> SubscriptionInterface:
        """Subscribe to the notifications of these names. [asyncio]"""
        return AsyncioSubscription(
            self.thread, await _run(self.thread, self.thread.connection.subscribe, names, filter)
        )

    async def unsubscribe(self, subscription: AsyncioSubscription) -> None:
        """End a subscription. [asyncio]"""
        await _run(self.thread, self.thread.connection.unsubscribe, subscription.subscription)


async def _run(thread: ConnectionThread, work: Callable[[*Ts], Awaitable[T]], *args: *Ts) -> T:
    task = thread.submit(work, *args)
    return await _result(task.future, task.cancel)


async def _result(future: "Future[T]", cancel: Callable[[], None]) -> T:
    """Return the result of a task in the thread; when cancelled, cancel that task and wait for its end."""
    try:
        return await asyncio.wrap_future(future)
    except asyncio.CancelledError:
        cancel()
        with contextlib.suppress(Exception):
            await asyncio.wrap_future(future)
        raise
