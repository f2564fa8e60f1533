"""A Trio thread that holds a line, for programs that run something else, or nothing."""

import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Any, Generic, TypeVar, TypeVarTuple

import attrs
import trio

from agentbrowser.client.connection.connection import Line
from agentbrowser.client.connection.dial import hold
from agentbrowser.client.connection.transport import ConnectionLost

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


def _running() -> "Future[Any]":
    """Return a future that only we can end."""
    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()
    return future


@attrs.define(eq=False)
class Job(Generic[T]):
    """Work in the thread."""

    _cancel: Callable[[Callable[[], None]], None]
    """Runs something in the thread."""
    future: "Future[T]" = attrs.field(factory=_running, init=False)
    scope: trio.CancelScope = attrs.field(factory=trio.CancelScope, init=False)

    def cancel(self) -> None:
        """Have the work stop; the future ends once it has."""
        self._cancel(self.scope.cancel)

    async def run(self, work: Awaitable[T]) -> None:
        """Do the work. [trio]"""
        try:
            with self.scope:
                self.future.set_result(await work)
        except Exception as error:  # noqa: BLE001 - it is told to the one who waits
            self.future.set_exception(error)
        finally:
            if not self.future.done():
                self.future.set_exception(ConnectionLost("The client was closed before the answer came."))


@attrs.define(eq=False)
class LineThread:
    """A thread in which a line lives."""

    line: Line
    up: "Future[None]" = attrs.field(factory=_running, init=False)
    """The line is there, or could not be had."""
    over: "Future[None]" = attrs.field(factory=_running, init=False)
    _thread: threading.Thread = attrs.field(init=False)
    _token: trio.lowlevel.TrioToken = attrs.field(init=False)
    _nursery: trio.Nursery = attrs.field(init=False)
    _begun: threading.Event = attrs.field(factory=threading.Event, init=False)
    _scope: trio.CancelScope = attrs.field(factory=trio.CancelScope, init=False)
    _left: trio.Event = attrs.field(factory=trio.Event, init=False)

    def start(self) -> "Future[None]":
        """Begin, and return what ends when the line is there."""
        self._thread = threading.Thread(target=self._run, name="agentbrowser", daemon=True)
        self._thread.start()
        self._begun.wait()
        return self.up

    @property
    def is_current(self) -> bool:
        """Whether the one who asks is in the thread."""
        return threading.current_thread() is self._thread

    def submit(self, work: Callable[[*Ts], Awaitable[T]], *args: *Ts) -> Job[T]:
        """Have work done in the thread. Up to where it first waits it is done in the order in which it is submitted."""
        job: Job[T] = Job(self._soon)
        self._soon(lambda: self._start(job, work, args), job)
        return job

    def cancel(self) -> None:
        """Give up connecting."""
        self._soon(self._scope.cancel)

    def leave(self) -> None:
        """End what goes on, and close the line."""
        self._soon(self._left.set)

    def _soon(self, work: Callable[[], object], job: Job[Any] | None = None) -> None:
        try:
            self._token.run_sync_soon(work)
        except trio.RunFinishedError:
            if job is not None:
                job.future.set_exception(ConnectionLost("The client is closed.", retryable=False))

    def _start(self, job: Job[Any], work: Callable[..., Awaitable[Any]], args: tuple[Any, ...]) -> None:
        if self._left.is_set():
            job.future.set_exception(ConnectionLost("The client is closed.", retryable=False))
            return
        try:
            begun = work(*args)
        except Exception as error:  # noqa: BLE001 - it is told to the one who waits
            job.future.set_exception(error)
        else:
            self._nursery.start_soon(job.run, begun)

    def _run(self) -> None:
        try:
            trio.run(self._live)
        except BaseException as error:  # noqa: BLE001 - it is told to the one who waits
            (self.over if self.up.done() else self.up).set_exception(error)
        if not self.up.done():
            self.up.set_exception(ConnectionLost("The client was closed before it was connected."))
        if not self.over.done():
            self.over.set_result(None)

    async def _live(self) -> None:
        self._token = trio.lowlevel.current_trio_token()
        self._begun.set()
        with self._scope:
            async with hold(self.line), trio.open_nursery() as self._nursery:
                self.up.set_result(None)
                await self._left.wait()
                self._nursery.cancel_scope.cancel()
