"""A connection in a Trio thread, for blocking callers."""

import concurrent.futures
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple

import attrs

from agentbrowser.client.blocking.interfaces import SubscriptionInterface, ConnectionInterface
from agentbrowser.client.subscriptions import Subscription
from agentbrowser.client.connection.transport import ConnectionLost
from agentbrowser.client.thread import ConnectionThread, ThreadedConnection
from agentbrowser.protocol.types.event import EventFilter

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


@attrs.frozen(eq=False)
class BlockingSubscription(SubscriptionInterface):
    """A subscription of the connection in the thread."""

    thread: ConnectionThread
    subscription: Subscription

    def receive(self) -> Any:
        """Return the next event; None at the end, also when another thread closes the client."""
        try:
            return _run(self.thread, self.subscription.receive)
        except ConnectionLost:
            if self.thread.is_closing:
                return None
            raise

    def unread(self) -> list[Any]:
        """Return the events that have arrived, without waiting."""
        return _run(self.thread, self.subscription.unread)


@attrs.frozen(eq=False)
class BlockingConnection(ThreadedConnection, ConnectionInterface):
    """A connection that runs in a Trio thread."""

    def request(self, method: str, params: Mapping[str, Any] | None = None, timeout_ms: int | None = None) -> Any:
        """Call a method by its wire name with plain data, and return plain data."""
        return _run(self.thread, self.thread.connection.start_request, method, params, timeout_ms)

    def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Send a notification."""
        _run(self.thread, self.thread.connection.notify, method, params)

    def subscribe(self, names: frozenset[str], filter: EventFilter | None = None) -> SubscriptionInterface:
        """Subscribe to the notifications of these names."""
        return BlockingSubscription(self.thread, _run(self.thread, self.thread.connection.subscribe, names, filter))

    def unsubscribe(self, subscription: BlockingSubscription) -> None:
        """End a subscription."""
        _run(self.thread, self.thread.connection.unsubscribe, subscription.subscription)


def _run(thread: ConnectionThread, work: Callable[[*Ts], Awaitable[T]], *args: *Ts) -> T:
    task = thread.submit(work, *args)
    return result_of(task.future, task.cancel)


def result_of(future: "Future[T]", cancel: Callable[[], None]) -> T:
    """Return the result of a task in the thread; on Ctrl-C, cancel the task and wait for its end."""
    try:
        concurrent.futures.wait([future])
    except BaseException:
        cancel()
        with contextlib.suppress(Exception):
            future.result()
        raise
    return future.result()
