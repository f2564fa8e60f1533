"""Work beside a request: background tasks, creations that must not be interrupted, quiet closing, work in threads."""

import asyncio
import contextlib
import contextvars
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, TypeVar

import attrs
import structlog

from agentbrowser.browser import faults
from agentbrowser.long_work import LongWork
from agentbrowser.protocol.errors import AgentBrowserError, TargetClosed

ResultT = TypeVar("ResultT")

threads: Final = contextvars.ContextVar[asyncio.Semaphore | None]("agentbrowser_threads", default=None)
"""Threads of the engine that the present request uses."""

log = structlog.get_logger("agentbrowser.browser")

_CLOSE_TIMEOUT_S: Final = 2.0
_FINISH_TIMEOUT_S: Final = 0.5
_UNWIND_S: Final = 1.0
"""Time in which Playwright reports a lost browser to those who wait for it."""


async def in_thread(function: Callable[..., ResultT], *args: Any) -> ResultT:
    """Run work that takes long in one of the engine's threads. [asyncio]

    Cancel: the work ends at its next step; see `agentbrowser.long_work`.
    """
    work = LongWork(function)
    async with threads.get() or contextlib.nullcontext():
        try:
            result: ResultT = await asyncio.to_thread(work.run, *args)
        finally:
            work.is_abandoned = True
    return result


async def beside_loop(is_long: bool, function: Callable[..., ResultT], *args: Any) -> ResultT:
    """Run work at once, or in one of the engine's threads if it is long. [asyncio]"""
    return await in_thread(function, *args) if is_long else function(*args)


@attrs.define(eq=False)
class BackgroundTasks:
    """Background tasks of one client's pages, and creations that a cancelled request does not interrupt."""

    _tasks: set[asyncio.Task[None]] = attrs.field(factory=set, init=False)
    _creations: set[asyncio.Task[Any]] = attrs.field(factory=set, init=False)

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run the work; log its error, if it ends with one."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def cancel(self) -> None:
        """Cancel all running tasks."""
        for task in list(self._tasks):
            task.cancel()

    async def complete(
        self, work: Coroutine[Any, Any, ResultT], undo: Callable[[ResultT], Awaitable[None]] | None = None
    ) -> ResultT:
        """Run a creation to its end, since half a creation can't be taken back. [asyncio]

        Raises:
          TargetClosed: the browser was lost, and the creation did not end with it.

        Cancel: the work ends first; then ``undo`` receives its result.
        """
        task = asyncio.create_task(work)
        self._creations.add(task)
        task.add_done_callback(self._creations.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled():
                raise TargetClosed("The browser was lost.", target="browser", retryable=True) from None
            with contextlib.suppress(AgentBrowserError):  # nothing was made, so there is nothing to undo
                made = await task
                if undo is not None:
                    await undo(made)
            raise

    def end_with_browser(self) -> None:
        """Cancel what does not end soon: no answer of a lost browser may be waited for, with a lock held."""
        for task in (*self._tasks, *self._creations):
            asyncio.get_running_loop().call_later(_UNWIND_S, task.cancel)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("background_task_failed", error=type(error).__name__)


async def close_quietly(closing: Awaitable[object]) -> None:
    """Close something that may be closed already, or may hang. [asyncio]"""
    try:
        async with asyncio.timeout(_CLOSE_TIMEOUT_S):
            await closing
    except (TimeoutError, *faults.VENDOR_ERRORS) as error:
        log.info("close_failed", error=type(error).__name__)


async def discard_result(task: asyncio.Task[ResultT], discard: Callable[[ResultT], Awaitable[object]]) -> None:
    """Discard what a task makes, once it has ended. [asyncio]"""
    await asyncio.wait({task})
    if not task.cancelled() and task.exception() is None:
        with contextlib.suppress(*faults.VENDOR_ERRORS):
            await discard(task.result())


async def finish_tasks(tasks: set[asyncio.Task[Any]]) -> None:
    """Wait for tasks that the death of the browser ends, and cancel the others. [asyncio]"""
    if not tasks:
        return
    _, stuck = await asyncio.wait(tasks, timeout=_FINISH_TIMEOUT_S)
    for task in stuck:
        task.cancel()
    if stuck:
        await asyncio.wait(stuck, timeout=_FINISH_TIMEOUT_S)
