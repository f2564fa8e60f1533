"""Bridge between Trio and the browser thread: a `Portal` carries calls there, an `EventBridge` carries events back.

Two threads share these objects, and no lock guards a call: the thread that a method runs in, which its mark names,
decides what it may touch. `call_soon_threadsafe` and `run_sync_soon` both keep order. So calls start in the order of
`Portal.run`, and the report of the thread's death overtakes no result.
"""

import asyncio
import contextlib
import contextvars
import math
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, Generic, Self, TypeVar, TypeVarTuple

import attrs
import outcome
import structlog
import trio

from agentbrowser.browser.loop_hold import LoopHold, TimedSelector
from agentbrowser.spans import span

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
Result = outcome.Value[Any] | outcome.Error

log = structlog.get_logger("agentbrowser.portal")


class PortalClosed(Exception):
    """The browser thread has ended, or has cancelled the call by itself."""


def remaining_s() -> float:
    """Return the seconds left for the current request, at least 0, on either side; infinity if it has no deadline."""
    if trio.lowlevel.in_trio_task():
        return max(0.0, trio.current_effective_deadline() - trio.current_time())
    dues_s = [limited.due_s for limited in (_CALL.get(), _PART.get()) if limited is not None]
    return max(0.0, min(dues_s, default=math.inf) - time.monotonic())


@contextlib.contextmanager
def limited_to(timeout_s: float) -> Iterator[None]:
    """Limit `remaining_s` in the block, which is a part of a call. The caller cancels late work."""
    part = _Part(time.monotonic() + timeout_s)
    before = _PART.set(part)
    try:
        yield
    finally:
        part.due_s = math.inf
        _PART.reset(before)


def is_cancelled() -> bool:
    """Return True if the caller has cancelled the current call; for the browser thread."""
    call = _CALL.get()
    return call is not None and call.raise_cancel is not None


@attrs.define(eq=False)
class _Part:
    """A part of a call with a time limit of its own."""

    due_s: float
    """Infinite once the part has ended, since tasks that outlive it inherit this."""


@attrs.define(eq=False)
class _Call:
    """One call under way: Trio creates, aborts and completes it; the browser thread starts, cancels and ends it."""

    portal: "Portal"
    due_s: float = attrs.field(factory=lambda: time.monotonic() + remaining_s(), init=False)
    """Deadline on the monotonic clock; infinite once the call has ended, since tasks that outlive it inherit this."""
    caller: trio.lowlevel.Task = attrs.field(factory=trio.lowlevel.current_task, init=False)
    completed: trio.Event = attrs.field(factory=trio.Event, init=False)
    raise_cancel: trio.lowlevel.RaiseCancelT | None = attrs.field(default=None, init=False)
    task: asyncio.Task[Result] | None = attrs.field(default=None, init=False)

    def start(self, afn: Callable[..., Awaitable[Any]], *args: object) -> None:
        """Start the task in a copy of the current context, unless the loop runs only to clean up. [asyncio]"""
        if self.portal.alive:
            # Captured inside the task, since a SystemExit that leaves a task stops the loop.
            self.task = asyncio.get_running_loop().create_task(outcome.acapture(afn, *args))
            self.task.add_done_callback(self.end)

    def cancel(self) -> None:
        """Cancel the task, if it still runs. [asyncio]"""
        if self.task is not None:
            self.task.cancel()

    def end(self, task: asyncio.Task[Result]) -> None:
        """Send the result back. [asyncio]"""
        self.task = None  # a traceback refers to this object: avoid a cycle with its exception
        self.due_s = math.inf
        result = outcome.Error(asyncio.CancelledError()) if task.cancelled() else task.result()
        self.portal.call_in_trio(self.complete, result)

    def abort(self, raise_cancel: trio.lowlevel.RaiseCancelT) -> trio.lowlevel.Abort:
        """Request cancellation; the caller waits until the work has unwound. [trio]"""
        self.raise_cancel = raise_cancel
        self.portal.call_in_asyncio(self.cancel)
        # Timed here, since the browser thread may be stuck; in a system task, since no scope of the caller may stop it.
        trio.lowlevel.spawn_system_task(self.abandon_later)
        return trio.lowlevel.Abort.FAILED

    async def abandon_later(self) -> None:
        """Release the caller if the work has not unwound within the grace period. [trio]"""
        with trio.move_on_after(self.portal.grace_s):
            await self.completed.wait()
        if not self.completed.is_set():
            self.portal.abandoned += 1
            waiting = _waiting_in(self.task)
            log.warning("call_abandoned", grace_s=self.portal.grace_s, abandoned=self.portal.abandoned, waiting=waiting)
            self.complete(outcome.Error(asyncio.CancelledError()))

    def complete(self, result: Result) -> None:
        """Wake the caller with the first result that arrives. [trio]"""
        if self.completed.is_set():
            return
        self.completed.set()
        self.portal.calls.discard(self)
        if isinstance(result, outcome.Error) and isinstance(result.error, asyncio.CancelledError):
            closed = outcome.Error(PortalClosed("the browser side cancelled the call by itself"))
            result = outcome.capture(self.raise_cancel) if self.raise_cancel else closed
        trio.lowlevel.reschedule(self.caller, result)


def _waiting_in(task: asyncio.Task[Result] | None) -> list[str]:
    """Return the functions that a task waits in, the outermost first."""
    waiting, work = [], None if task is None else task.get_coro()
    while (code := getattr(work, "cr_code", None)) is not None:
        waiting.append(f"{code.co_name} ({Path(code.co_filename).name})")
        work = getattr(work, "cr_await", None)
    return waiting


_MAX_THREADS: Final = 6
"""Threads for files and long work of all engines; one engine's long work has two, and memory grows with each."""
_CALL: Final = contextvars.ContextVar[_Call | None]("agentbrowser_call", default=None)
_PART: Final = contextvars.ContextVar[_Part | None]("agentbrowser_part", default=None)


@attrs.define(eq=False)
class Portal:
    """A thread that runs an asyncio loop, and calls into it. Made by `Portal.open`.

    When the thread dies, the calls under way and all later ones fail with `PortalClosed`, and `wait_dead` returns;
    `reopen` starts another thread.
    """

    grace_s: float
    abandoned: int = attrs.field(default=0, init=False)
    """Number of calls whose work ignored its cancellation, so that the caller returned without it."""
    alive: bool = attrs.field(default=False, init=False)
    """True while calls are possible; either thread may set it to False."""
    hold: LoopHold = attrs.field(factory=LoopHold, init=False)
    """Longest hold of the thread's loop."""
    calls: set[_Call] = attrs.field(factory=set, init=False)
    cleanup: Callable[[], Coroutine[Any, Any, object]] | None = attrs.field(default=None, init=False)
    """Clean-up that runs in a loop that ends unexpectedly; it has the grace period."""
    _thread: threading.Thread = attrs.field(init=False)
    _loop: asyncio.AbstractEventLoop = attrs.field(init=False)
    _token: trio.lowlevel.TrioToken = attrs.field(factory=trio.lowlevel.current_trio_token, init=False)
    _started: trio.Event = attrs.field(factory=trio.Event, init=False)
    _died: trio.Event = attrs.field(factory=trio.Event, init=False)
    _exited: trio.Event = attrs.field(factory=trio.Event, init=False)

    @classmethod
    @contextlib.asynccontextmanager
    async def open(cls, *, grace_s: float = 5.0) -> AsyncIterator[Self]:
        """Start the thread, and end it at the exit of the block, which takes at most ``grace_s``. [trio]

        Args:
          grace_s: the longest time that a cancelled call, and the exit, wait for work to unwind.

        Raises:
          PortalClosed: the thread could not create a loop.
        """
        portal = cls(grace_s)
        await portal._start()
        try:
            yield portal
        finally:
            with trio.CancelScope(shield=True):
                await portal._close()

    async def reopen(self) -> None:
        """Start another thread in the place of a dead one. [trio]

        Raises:
          PortalClosed: the thread could not create a loop.
        """
        with trio.CancelScope(shield=True):
            await self._exited.wait()
            self._thread.join()
        self._started, self._died, self._exited = trio.Event(), trio.Event(), trio.Event()
        await self._start()

    async def _start(self) -> None:
        # A daemon: a blocking call that holds the thread for ever must not hold the process.
        self._thread = threading.Thread(target=self._run_thread, name="agentbrowser-portal", daemon=True)
        with trio.CancelScope(shield=True):
            self._thread.start()
            await self._started.wait()
        if not self.alive:
            raise PortalClosed("the browser thread did not start; the log has the reason")

    @trio.lowlevel.enable_ki_protection  # Ctrl-C after the start would leave work without a caller
    async def run(self, afn: Callable[[*Ts], Awaitable[T]], *args: *Ts) -> T:
        """Run ``afn(*args)`` in the browser thread, in a copy of the caller's context, and return its result. [trio]

        Cancel: the work is cancelled and awaited; a result or exception that it ends with nevertheless wins. Work that
        has not unwound after ``grace_s`` is abandoned, and counted in ``abandoned``.

        Raises:
          PortalClosed: the browser thread has ended, or ends during the call.
        """
        await trio.lowlevel.checkpoint_if_cancelled()
        if not self.alive:
            raise PortalClosed("the browser thread has ended")
        with span("portal"):
            call = _Call(self)
            self.calls.add(call)
            context = contextvars.copy_context()
            context.run(_CALL.set, call)
            self.call_in_asyncio(call.start, afn, *args, context=context)
            result: T = await trio.lowlevel.wait_task_rescheduled(call.abort)
            return result

    async def wait_dead(self) -> None:
        """Wait for an unexpected death of the thread. [trio]"""
        await self._died.wait()

    def thread_stack(self) -> str:
        """Return the current stack of the thread, as lines of code without values."""
        frame = sys._current_frames().get(self._thread.ident or 0)
        return "".join(traceback.format_stack(frame)) if frame else ""

    def call_in_asyncio(
        self, function: Callable[..., object], *args: object, context: contextvars.Context | None = None
    ) -> None:
        """Call a function soon in the browser thread, if it still has a loop. Never waits."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: `_fail_calls` runs soon, or has run
            self._loop.call_soon_threadsafe(function, *args, context=context)

    def call_in_trio(self, function: Callable[..., object], *args: object) -> None:
        """Call a function soon in the Trio thread, if its run goes on. Never waits."""
        with contextlib.suppress(trio.RunFinishedError):
            self._token.run_sync_soon(function, *args)

    def _run_thread(self) -> None:
        ended = outcome.capture(self._run_loop)
        self.hold.end()
        self.call_in_trio(self._on_exit, ended)

    def _new_loop(self) -> asyncio.AbstractEventLoop:
        """Return a loop whose holds are measured, where the system's loops use a selector."""
        if sys.platform == "win32":  # its loop for subprocesses has no selector
            loop = asyncio.new_event_loop()
        else:
            loop = asyncio.SelectorEventLoop(TimedSelector(self.hold))
        loop.set_default_executor(ThreadPoolExecutor(_MAX_THREADS, thread_name_prefix="agentbrowser-work"))
        return loop

    def _run_loop(self) -> None:
        with asyncio.Runner(loop_factory=self._new_loop) as runner:
            self._loop = runner.get_loop()
            self.alive = True
            self.call_in_trio(self._started.set)
            try:
                self._loop.run_forever()
            finally:
                # Before the runner cancels the remaining tasks, so that callers get this error, and at once.
                is_unexpected, self.alive = self.alive, False
                self.call_in_trio(self._fail_calls, is_unexpected)
                if is_unexpected and self.cleanup is not None:
                    runner.run(self._run_cleanup(self.cleanup()))

    async def _run_cleanup(self, work: Coroutine[Any, Any, object]) -> None:
        """Run the clean-up within the grace period. [asyncio]"""
        try:
            async with asyncio.timeout(self.grace_s):
                await work
        except Exception:  # there is no caller: the thread ends
            log.exception("portal_cleanup_failed")

    def _fail_calls(self, is_unexpected: bool) -> None:
        if is_unexpected:
            log.error("portal_died", calls=len(self.calls))
            self._died.set()
        for call in tuple(self.calls):
            call.complete(outcome.Error(PortalClosed("the browser thread ended during the call")))

    def _on_exit(self, ended: Result) -> None:
        if isinstance(ended, outcome.Error):
            log.error("portal_thread_failed", error=repr(ended.error))
        self._started.set()
        self._exited.set()

    async def _close(self) -> None:
        running, self.alive = self.alive, False
        for stop in (running, True):  # a second stop ends the runner's wait for work that does not unwind
            if stop:
                self.call_in_asyncio(self._loop.stop)
            with trio.move_on_after(self.grace_s / 2):
                await self._exited.wait()
                self._thread.join()
                return
        log.error("portal_thread_stuck", grace_s=self.grace_s)


@attrs.define(eq=False)
class EventBridge(Generic[T]):
    """Delivery of items from the browser thread to Trio, in batches.

    Made on the Trio side. Items that a call has put are delivered before that call returns. A full feed drops items,
    and counts them by kind.
    """

    deliver: Callable[[list[T], Mapping[str, int]], object]
    """Receives each batch in Trio, with the counts of dropped items; must not wait."""
    _limit: int = 1000
    _token: trio.lowlevel.TrioToken = attrs.field(factory=trio.lowlevel.current_trio_token, init=False)
    _lock: threading.Lock = attrs.field(factory=threading.Lock, init=False)
    _items: list[T] = attrs.field(factory=list, init=False)
    _dropped: Counter[str] = attrs.field(factory=Counter, init=False)

    def put(self, item: T, kind: str, *, even_if_full: bool = False) -> None:
        """Queue an item, from any thread and without waiting; ``even_if_full`` drops nothing."""
        with self._lock:
            if len(self._items) >= self._limit and not even_if_full:
                self._dropped[kind] += 1
                return
            self._items.append(item)
            first = len(self._items) == 1
        if first:  # one wake-up per batch
            with contextlib.suppress(trio.RunFinishedError):
                self._token.run_sync_soon(self._deliver_batch)

    def _deliver_batch(self) -> None:
        with self._lock:
            batch, self._items = self._items, []
            dropped, self._dropped = self._dropped, Counter()
        try:
            self.deliver(batch, dropped)
        except Exception:  # it would end the whole Trio run
            log.exception("delivery_failed", items=len(batch))
