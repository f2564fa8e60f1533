"""The one door between Trio and the browser thread: calls cross through a `Portal`, events come back through a `Feed`.

Two threads share these objects, and no lock guards a call: what a method may touch follows from the thread it runs in,
which its mark names. Both ways to knock on the other thread (`call_soon_threadsafe`, `run_sync_soon`) keep order, so
calls begin in the order of `Portal.run`, and the news that the thread is dead overtakes no result.
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
from typing import Any, Final, Generic, Self, TypeVar, TypeVarTuple

import attrs
import outcome
import structlog
import trio

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
Result = outcome.Value[Any] | outcome.Error

log = structlog.get_logger("agentbrowser.portal")


class PortalClosed(Exception):
    """The browser thread has ended, or dropped the call without being asked to."""


def remaining_s() -> float:
    """Return the seconds left for the current request, at least 0, on either side; infinity if it has no deadline."""
    if trio.lowlevel.in_trio_task():
        return max(0.0, trio.current_effective_deadline() - trio.current_time())
    crossing = _CROSSING.get()
    dues_s = [limited.due_s for limited in (crossing, _PART.get()) if limited is not None]
    return max(0.0, min(dues_s, default=math.inf) - time.monotonic())


@contextlib.contextmanager
def within(timeout_s: float) -> Iterator[None]:
    """Have `remaining_s` count the time of the block too, which is a part of a call; the caller ends what is late."""
    part = _Part(time.monotonic() + timeout_s)
    before = _PART.set(part)
    try:
        yield
    finally:
        part.due_s = math.inf
        _PART.reset(before)


def is_called_off() -> bool:
    """Tell whether the caller does not want any more of the current call, in the browser thread."""
    crossing = _CROSSING.get()
    return crossing is not None and crossing.raise_cancel is not None


@attrs.define(eq=False)
class _Part:
    """A part of a call."""

    due_s: float
    """Never, once it is over, for tasks left behind inherit this."""


@attrs.define(eq=False)
class _Crossing:
    """One call on its way: Trio makes, aborts and lands it; the browser thread begins, cancels and ends it."""

    portal: "Portal"
    due_s: float = attrs.field(factory=lambda: time.monotonic() + remaining_s(), init=False)
    """When the answer is due, on the monotonic clock; never, once it is given, for tasks left behind inherit this."""
    caller: trio.lowlevel.Task = attrs.field(factory=trio.lowlevel.current_task, init=False)
    landed: trio.Event = attrs.field(factory=trio.Event, init=False)
    raise_cancel: trio.lowlevel.RaiseCancelT | None = attrs.field(default=None, init=False)
    task: asyncio.Task[Result] | None = attrs.field(default=None, init=False)

    def begin(self, afn: Callable[..., Awaitable[Any]], *args: object) -> None:
        """Start the task in a copy of the present context, unless the loop runs only to clean up. [asyncio]"""
        if self.portal.alive:
            # Captured inside the task, for a SystemExit that leaves a task stops the loop.
            self.task = asyncio.get_running_loop().create_task(outcome.acapture(afn, *args))
            self.task.add_done_callback(self.end)

    def cancel(self) -> None:
        """Cancel the task, if there still is one. [asyncio]"""
        if self.task is not None:
            self.task.cancel()

    def end(self, task: asyncio.Task[Result]) -> None:
        """Send the result home. [asyncio]"""
        self.task = None  # a traceback holds this object: keep no way from here back to its exception
        self.due_s = math.inf
        result = outcome.Error(asyncio.CancelledError()) if task.cancelled() else task.result()
        self.portal.call_in_trio(self.land, result)

    def abort(self, raise_cancel: trio.lowlevel.RaiseCancelT) -> trio.lowlevel.Abort:
        """Ask for cancellation and stay parked until the work has unwound. [trio]"""
        self.raise_cancel = raise_cancel
        self.portal.call_in_asyncio(self.cancel)
        # Timed here, for the browser thread may be stuck; in a system task, for no scope of the caller may stop it.
        trio.lowlevel.spawn_system_task(self.abandon_later)
        return trio.lowlevel.Abort.FAILED

    async def abandon_later(self) -> None:
        """Let the caller go if the work has not unwound within the grace. [trio]"""
        with trio.move_on_after(self.portal.grace_s):
            await self.landed.wait()
        if not self.landed.is_set():
            self.portal.abandoned += 1
            log.warning("call_abandoned", grace_s=self.portal.grace_s, abandoned=self.portal.abandoned)
            self.land(outcome.Error(asyncio.CancelledError()))

    def land(self, result: Result) -> None:
        """Wake the caller with the first result to arrive. [trio]"""
        if self.landed.is_set():
            return
        self.landed.set()
        self.portal.crossings.discard(self)
        if isinstance(result, outcome.Error) and isinstance(result.error, asyncio.CancelledError):
            unasked = outcome.Error(PortalClosed("the browser side cancelled the call by itself"))
            result = outcome.capture(self.raise_cancel) if self.raise_cancel else unasked
        trio.lowlevel.reschedule(self.caller, result)


_CROSSING: Final = contextvars.ContextVar[_Crossing | None]("agentbrowser_crossing", default=None)
_PART: Final = contextvars.ContextVar[_Part | None]("agentbrowser_part", default=None)


@attrs.define(eq=False)
class Portal:
    """A thread that runs an asyncio loop, and the way into it. Made by `Portal.open`.

    When the thread dies, the calls on their way and all later ones fail with `PortalClosed`, and `wait_dead` returns;
    `reopen` starts another.
    """

    grace_s: float
    abandoned: int = attrs.field(default=0, init=False)
    """Calls whose work swallowed its cancellation, so that the caller was let go without it."""
    alive: bool = attrs.field(default=False, init=False)
    """Whether calls can cross; either thread may end it."""
    crossings: set[_Crossing] = attrs.field(factory=set, init=False)
    cleanup: Callable[[], Coroutine[Any, Any, object]] | None = attrs.field(default=None, init=False)
    """Runs in a loop that ends without being asked to, so that nothing of it is left; within the grace."""
    _thread: threading.Thread = attrs.field(init=False)
    _loop: asyncio.AbstractEventLoop = attrs.field(init=False)
    _token: trio.lowlevel.TrioToken = attrs.field(factory=trio.lowlevel.current_trio_token, init=False)
    _up: trio.Event = attrs.field(factory=trio.Event, init=False)
    _died: trio.Event = attrs.field(factory=trio.Event, init=False)
    _gone: trio.Event = attrs.field(factory=trio.Event, init=False)

    @classmethod
    @contextlib.asynccontextmanager
    async def open(cls, *, grace_s: float = 5.0) -> AsyncIterator[Self]:
        """Start the thread, and end it at the exit of the block, which takes at most ``grace_s``. [trio]

        Args:
          grace_s: how long a cancelled call, and the exit, wait for work to unwind.

        Raises:
          PortalClosed: the thread could not make a loop.
        """
        portal = cls(grace_s)
        await portal._start()
        try:
            yield portal
        finally:
            with trio.CancelScope(shield=True):
                await portal._close()

    async def reopen(self) -> None:
        """Start another thread in the place of one that has died. [trio]

        Raises:
          PortalClosed: the thread could not make a loop.
        """
        with trio.CancelScope(shield=True):
            await self._gone.wait()
            self._thread.join()
        self._up, self._died, self._gone = trio.Event(), trio.Event(), trio.Event()
        await self._start()

    async def _start(self) -> None:
        # A daemon, for a thread that a blocking call holds for ever must not hold the process too.
        self._thread = threading.Thread(target=self._live, name="agentbrowser-portal", daemon=True)
        with trio.CancelScope(shield=True):
            self._thread.start()
            await self._up.wait()
        if not self.alive:
            raise PortalClosed("the browser thread did not start; the log has the reason")

    @trio.lowlevel.enable_ki_protection  # Ctrl-C between the knock and the parking would leave work without a caller
    async def run(self, afn: Callable[[*Ts], Awaitable[T]], *args: *Ts) -> T:
        """Run ``afn(*args)`` in the browser thread, in a copy of the caller's context, and return its result. [trio]

        Cancel: the work is cancelled and waited for; a result or exception that it ends with all the same wins. Work
        that has not unwound after ``grace_s`` is left behind and counted in ``abandoned``.

        Raises:
          PortalClosed: the browser thread has ended, or ends meanwhile.
        """
        await trio.lowlevel.checkpoint_if_cancelled()
        if not self.alive:
            raise PortalClosed("the browser thread has ended")
        crossing = _Crossing(self)
        self.crossings.add(crossing)
        context = contextvars.copy_context()
        context.run(_CROSSING.set, crossing)
        self.call_in_asyncio(crossing.begin, afn, *args, context=context)
        result: T = await trio.lowlevel.wait_task_rescheduled(crossing.abort)
        return result

    async def wait_dead(self) -> None:
        """Return when the thread has died without being asked to. [trio]"""
        await self._died.wait()

    def thread_stack(self) -> str:
        """Return what the thread is just doing, as lines of code without any values."""
        frame = sys._current_frames().get(self._thread.ident or 0)
        return "".join(traceback.format_stack(frame)) if frame else ""

    def call_in_asyncio(
        self, news: Callable[..., object], *args: object, context: contextvars.Context | None = None
    ) -> None:
        """Have ``news`` called in the browser thread, if it still has a loop. Never waits."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: `_bury` is on its way, or has been here
            self._loop.call_soon_threadsafe(news, *args, context=context)

    def call_in_trio(self, news: Callable[..., object], *args: object) -> None:
        """Have ``news`` called in the Trio thread, if its run goes on. Never waits."""
        with contextlib.suppress(trio.RunFinishedError):
            self._token.run_sync_soon(news, *args)

    def _live(self) -> None:
        self.call_in_trio(self._leave, outcome.capture(self._run_loop))

    def _run_loop(self) -> None:
        with asyncio.Runner() as runner:
            self._loop = runner.get_loop()
            self.alive = True
            self.call_in_trio(self._up.set)
            try:
                self._loop.run_forever()
            finally:
                # Before the runner cancels what is left: callers hear of the death, and at once, instead of that.
                unasked, self.alive = self.alive, False
                self.call_in_trio(self._bury, unasked)
                if unasked and self.cleanup is not None:
                    runner.run(self._take_leave(self.cleanup()))

    async def _take_leave(self, cleanup: Coroutine[Any, Any, object]) -> None:
        """Give the last work of the loop its time. [asyncio]"""
        try:
            async with asyncio.timeout(self.grace_s):
                await cleanup
        except Exception:  # there is nobody to be told: the thread ends
            log.exception("farewell_failed")

    def _bury(self, unasked: bool) -> None:
        if unasked:
            log.error("portal_died", calls=len(self.crossings))
            self._died.set()
        for crossing in tuple(self.crossings):
            crossing.land(outcome.Error(PortalClosed("the browser thread ended during the call")))

    def _leave(self, ended: Result) -> None:
        if isinstance(ended, outcome.Error):
            log.error("portal_thread_failed", error=repr(ended.error))
        self._up.set()
        self._gone.set()

    async def _close(self) -> None:
        running, self.alive = self.alive, False
        for stop in (running, True):  # a stop once the loop has ended ends the wait for work that will not unwind
            if stop:
                self.call_in_asyncio(self._loop.stop)
            with trio.move_on_after(self.grace_s / 2):
                await self._gone.wait()
                self._thread.join()
                return
        log.error("portal_thread_stuck", grace_s=self.grace_s)


@attrs.define(eq=False)
class Feed(Generic[T]):
    """The way back: what the browser thread has to tell is delivered to Trio in batches.

    Made on the Trio side. What a call has put is delivered before that call returns. What finds the feed full is
    dropped, and counted by kind.
    """

    deliver: Callable[[list[T], Mapping[str, int]], object]
    """Takes each batch in Trio, with the counts of what was dropped; must not wait."""
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
        if first:  # one wake for a batch
            with contextlib.suppress(trio.RunFinishedError):
                self._token.run_sync_soon(self._hand_over)

    def _hand_over(self) -> None:
        with self._lock:
            batch, self._items = self._items, []
            dropped, self._dropped = self._dropped, Counter()
        try:
            self.deliver(batch, dropped)
        except Exception:  # out of this callback it would end the whole Trio run
            log.exception("delivery_failed", items=len(batch))
