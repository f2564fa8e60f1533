"""A line that lives in a Trio thread, for callers that just wait."""

import concurrent.futures
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple

import attrs

from agentbrowser.client.blocking.interfaces import Ears, Lines
from agentbrowser.client.subscriptions import Ear
from agentbrowser.client.connection.reconnect import LineState
from agentbrowser.client.thread import LineThread
from agentbrowser.protocol.types.event import EventFilter

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


@attrs.frozen(eq=False)
class BlockingEars(Ears):
    """What hears, in the thread."""

    thread: LineThread
    ear: Ear

    def receive(self) -> Any:
        """Return the next of the news; None once there will be no more."""
        return _run(self.thread, self.ear.receive)


@attrs.frozen(eq=False)
class BlockingLine(Lines):
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

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Call a method by its wire name with plain data, and return plain data."""
        return _run(self.thread, self.thread.line.ask, method, params)

    def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Send a notification."""
        _run(self.thread, self.thread.line.notify, method, params)

    def hear(self, names: frozenset[str], filter: EventFilter | None = None) -> Ears:
        """Return what hears the news of these names."""
        return BlockingEars(self.thread, _run(self.thread, self.thread.line.hear, names, filter))

    def unhear(self, ear: BlockingEars) -> None:
        """Let go of what hears."""
        _run(self.thread, self.thread.line.unhear, ear.ear)


def _run(thread: LineThread, work: Callable[[*Ts], Awaitable[T]], *args: *Ts) -> T:
    job = thread.submit(work, *args)
    return result_of(job.future, job.cancel)


def result_of(future: "Future[T]", cancel: Callable[[], None]) -> T:
    """Return what comes of work in the thread; on Ctrl-C, cancel the work and wait for its end."""
    try:
        concurrent.futures.wait([future])
    except BaseException:
        cancel()
        with contextlib.suppress(Exception):
            future.result()
        raise
    return future.result()
