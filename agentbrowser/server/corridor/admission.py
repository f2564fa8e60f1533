"""Admission queue for requests that need room while the server is full."""

import contextvars
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

import attrs
import structlog
import trio

from agentbrowser.browser.capacity import Capacity, CapacityExceeded, in_turn

T = TypeVar("T")
NotifyPosition = Callable[[int], object]
"""Receives the position in the queue, from 1 on, after each change."""

log = structlog.get_logger("agentbrowser.admission")

_AGAIN_S = 1.0
"""Pause of the first in the queue before it tries again: memory may be free without a signal."""


@attrs.define(eq=False)
class _Waiter:
    notify: NotifyPosition
    context: contextvars.Context = attrs.field(factory=contextvars.copy_context)
    """Log context of the request: another task may send its notification."""
    position: int = 0
    called: trio.Event = attrs.field(factory=trio.Event)


@attrs.define(eq=False, kw_only=True)
class Admission:
    """First-come, first-served queue of the requests that found no room, one for all clients."""

    capacity: Capacity
    max_queued: int
    timeout_s: float
    """Longest wait of a request."""
    refused: int = attrs.field(default=0, init=False)
    """Number of rejected requests, at once or after their wait."""
    _queue: deque[_Waiter] = attrs.field(factory=deque, init=False)

    @property
    def queued(self) -> int:
        """Return the number of waiting requests."""
        return len(self._queue)

    async def admit(self, attempt: Callable[[], Awaitable[T]], notify: NotifyPosition) -> T:
        """Run an attempt, and repeat it in turn until there is room. [trio]

        Args:
          attempt: does the work, or raises `CapacityExceeded` before it has changed anything.
          notify: receives the position in the queue.

        Raises:
          ServerBusy: too many wait already, or there was no room in time.
        """
        try:
            return await attempt()
        except CapacityExceeded as crowded:
            if len(self._queue) >= self.max_queued:
                raise self._refusal(crowded) from None
            first = crowded
        waiter = self._enter(notify)
        try:
            return await self._wait(attempt, waiter, first)
        finally:
            self._leave(waiter)

    def wake_first(self) -> None:
        """Wake the first in the queue: there may be room."""
        if self._queue:
            self._queue[0].called.set()

    async def _wait(self, attempt: Callable[[], Awaitable[T]], waiter: _Waiter, crowded: CapacityExceeded) -> T:
        deadline_s, token = trio.current_time() + self.timeout_s, trio.lowlevel.current_trio_token()
        while True:
            with trio.move_on_at(deadline_s) as deadline:
                await self._turn(waiter)
            if deadline.cancelled_caught:
                raise self._refusal(crowded) from None
            try:
                with in_turn(lambda: token.run_sync_soon(self._leave, waiter)):
                    return await attempt()
            except CapacityExceeded as error:
                if waiter not in self._queue:  # it was admitted, and needed more room
                    raise
                crowded = error

    async def _turn(self, waiter: _Waiter) -> None:
        """Wait for the waiter's turn to try."""
        with trio.move_on_after(_AGAIN_S):
            await waiter.called.wait()
        while self._queue[0] is not waiter:
            await waiter.called.wait()
        waiter.called = trio.Event()

    def _enter(self, notify: NotifyPosition) -> _Waiter:
        waiter = _Waiter(notify)
        self._queue.append(waiter)
        self.capacity.waiting = len(self._queue)
        self._notify_positions()
        return waiter

    def _leave(self, waiter: _Waiter) -> None:
        """Remove a waiter, which may still be using the room that it got."""
        if waiter not in self._queue:
            return
        self._queue.remove(waiter)
        self.capacity.waiting = len(self._queue)
        self._notify_positions()
        self.wake_first()

    def _notify_positions(self) -> None:
        for position, waiter in enumerate(self._queue, 1):
            if waiter.position != position:
                waiter.position = position
                waiter.context.run(waiter.notify, position)

    def _refusal(self, crowded: CapacityExceeded) -> CapacityExceeded:
        self.refused += 1
        details = crowded.details
        log.info("refused_full", resource=details.get("resource"), queued=len(self._queue))
        if details.get("resource") == "queue" or len(self._queue) >= self.max_queued > 0:
            details = {"resource": "queue", "limit": self.max_queued, "current": len(self._queue)}
        hint = "Try again later; close pages that are no longer needed."
        return CapacityExceeded("The server is full, and has no room in time.", hint=hint, **details)
