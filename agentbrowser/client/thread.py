"""A Trio thread that runs a connection, for asyncio programs and for blocking ones."""

import os
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Any, Generic, TypeVar, TypeVarTuple

import attrs
import trio

from agentbrowser.client.connection.connection import ClientConnection
from agentbrowser.client.connection.dial import run_connection
from agentbrowser.client.connection.reconnect import ConnectionState
from agentbrowser.client.connection.transport import ConnectionLost

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


def _running_future() -> "Future[Any]":
    """Return a future that is already running, so that its holder can't cancel it."""
    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()
    return future


@attrs.define(eq=False)
class ThreadTask(Generic[T]):
    """A coroutine that runs in the thread."""

    _cancel: Callable[[Callable[[], None]], None]
    """Calls a function in the thread."""
    future: "Future[T]" = attrs.field(factory=_running_future, init=False)
    scope: trio.CancelScope = attrs.field(factory=trio.CancelScope, init=False)

    def cancel(self) -> None:
        """Cancel the coroutine; the future is done once it has ended."""
        self._cancel(self.scope.cancel)

    async def run(self, work: Awaitable[T]) -> None:
        """Run the coroutine, and set the future. [trio]"""
        try:
            with self.scope:
                self.future.set_result(await work)
        except Exception as error:  # noqa: BLE001 - raised where the future is awaited
            self.future.set_exception(error)
        finally:
            if not self.future.done():
                reason = "The client was closed before the answer came."
                self.future.set_exception(ConnectionLost(reason, retryable=False))


@attrs.define(eq=False)
class ConnectionThread:
    """A thread that runs one connection."""

    connection: ClientConnection
    connected: "Future[None]" = attrs.field(factory=_running_future, init=False)
    """Done once the connection is open, or could not be opened."""
    closed: "Future[None]" = attrs.field(factory=_running_future, init=False)
    _thread: threading.Thread = attrs.field(init=False)
    _token: trio.lowlevel.TrioToken | None = attrs.field(default=None, init=False)
    """None if Trio did not start, such as without a file descriptor."""
    _nursery: trio.Nursery = attrs.field(init=False)
    _started: threading.Event = attrs.field(factory=threading.Event, init=False)
    _scope: trio.CancelScope = attrs.field(factory=trio.CancelScope, init=False)
    _closing: trio.Event = attrs.field(factory=trio.Event, init=False)
    _pid: int = attrs.field(factory=os.getpid, init=False)

    def start(self) -> "Future[None]":
        """Start the thread, and return `connected`."""
        self._thread = threading.Thread(target=self._run, name="agentbrowser", daemon=True)
        self._thread.start()
        self._started.wait()
        return self.connected

    @property
    def is_current(self) -> bool:
        """Return True for a caller in this thread."""
        return threading.current_thread() is self._thread

    @property
    def is_forked(self) -> bool:
        """Return True in a process that was forked since: it has no threads but the caller, and none would answer."""
        return os.getpid() != self._pid

    @property
    def is_closing(self) -> bool:
        """Return True once the client was closed."""
        return self._closing.is_set()

    def submit(self, work: Callable[[*Ts], Awaitable[T]], *args: *Ts) -> ThreadTask[T]:
        """Run a coroutine in the thread. Coroutines start in the order of submission, each up to its first await."""
        task: ThreadTask[T] = ThreadTask(self._call_soon)
        self._call_soon(lambda: self._start(task, work, args), task)
        return task

    def cancel(self) -> None:
        """Stop connecting."""
        self._call_soon(self._scope.cancel)

    def close(self) -> None:
        """Cancel the running tasks, and close the connection."""
        self._call_soon(self._closing.set)

    def _call_soon(self, work: Callable[[], object], task: ThreadTask[Any] | None = None) -> None:
        if self.is_forked:
            if task is not None:
                reason = "The client belongs to the process that this one was forked from: connect here anew."
                task.future.set_exception(ConnectionLost(reason, retryable=False))
            return
        try:
            if self._token is None:
                raise trio.RunFinishedError
            self._token.run_sync_soon(work)
        except trio.RunFinishedError:
            if task is not None:
                task.future.set_exception(ConnectionLost("The client is closed.", retryable=False))

    def _start(self, task: ThreadTask[Any], work: Callable[..., Awaitable[Any]], args: tuple[Any, ...]) -> None:
        if self._closing.is_set():
            task.future.set_exception(ConnectionLost("The client is closed.", retryable=False))
            return
        try:
            coroutine = work(*args)
        except Exception as error:  # noqa: BLE001 - raised where the future is awaited
            task.future.set_exception(error)
        else:
            self._nursery.start_soon(task.run, coroutine)

    def _run(self) -> None:
        try:
            trio.run(self._main)
        except BaseException as error:  # noqa: BLE001 - raised where the future is awaited
            if self.connected.done():
                self.closed.set_exception(error)
            else:
                self.connected.set_exception(_not_started(error) if isinstance(error, OSError) else error)
        if not self.connected.done():
            reason = "The client was closed before it was connected."
            self.connected.set_exception(ConnectionLost(reason, retryable=False))
        if not self.closed.done():
            self.closed.set_result(None)
        self._started.set()

    async def _main(self) -> None:
        self._token = trio.lowlevel.current_trio_token()
        self._started.set()
        with self._scope:
            async with run_connection(self.connection), trio.open_nursery() as self._nursery:
                self.connected.set_result(None)
                await self._closing.wait()
                self._nursery.cancel_scope.cancel()


@attrs.frozen(eq=False)
class ThreadedConnection:
    """A connection that runs in a Trio thread, as far as all callers read it alike."""

    thread: ConnectionThread

    @property
    def state(self) -> ConnectionState:
        """Return the state of the connection."""
        return self.thread.connection.state

    @property
    def dropped(self) -> Counter[str]:
        """Return the number of lost events by kind, on the server and in the client."""
        return self.thread.connection.dropped

    @property
    def server_info(self) -> Any:
        """Return the result of ``initialize`` as plain data."""
        return self.thread.connection.server_info


def _not_started(error: OSError) -> ConnectionLost:
    return ConnectionLost(f"The client could not start: {error.strerror}.", retryable=False)
