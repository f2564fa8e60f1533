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
"""Takes the position in the queue, from 1 on, each time it changes."""

log = structlog.get_logger("agentbrowser.admission")

_AGAIN_S = 1.0
"""How long the first in the queue waits at most before it tries again: what was measured may have changed."""


@attrs.define(eq=False)
class _Waiter:
    notify: NotifyPosition
    context: contextvars.Context = attrs.field(factory=contextvars.copy_context)
    """That of its request, to which what is told belongs, whoever has it told."""
    position: int = 0
    called: trio.Event = attrs.field(factory=trio.Event)


@attrs.define(eq=False, kw_only=True)
class Admission:
    """The queue of those that found no room. One for all clients; first come, first served."""

    capacity: Capacity
    max_queued: int
    timeout_s: float
    """How long each waits at most."""
    refused: int = attrs.field(default=0, init=False)
    """How many requests were sent away, at once or after their wait."""
    _queue: deque[_Waiter] = attrs.field(factory=deque, init=False)

    @property
    def queued(self) -> int:
        """How many wait."""
        return len(self._queue)

    async def admit(self, attempt: Callable[[], Awaitable[T]], notify: NotifyPosition) -> T:
        """Do what may find no room, as soon as there is some. [trio]

        Args:
          attempt: does it, or raises `CapacityExceeded` before it has done anything.
          tell: hears of the place in the queue.

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

    def look(self) -> None:
        """Let the first in the queue try: there may be room."""
        if self._queue:
            self._queue[0].called.set()

    async def _wait(self, attempt: Callable[[], Awaitable[T]], waiter: _Waiter, crowded: CapacityExceeded) -> T:
        deadline_s, token = trio.current_time() + self.timeout_s, trio.lowlevel.current_trio_token()
        while True:
            with trio.move_on_at(deadline_s) as patience:
                await self._turn(waiter)
            if patience.cancelled_caught:
                raise self._refusal(crowded) from None
            try:
                with in_turn(lambda: token.run_sync_soon(self._leave, waiter)):
                    return await attempt()
            except CapacityExceeded as still:
                if waiter not in self._queue:  # it was let in, and wanted more
                    raise
                crowded = still

    async def _turn(self, waiter: _Waiter) -> None:
        """Return when it is the waiter's turn to try."""
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
        """Take a waiter out, be it that it has its room and goes on with what it wanted that for."""
        if waiter not in self._queue:
            return
        self._queue.remove(waiter)
        self.capacity.waiting = len(self._queue)
        self._notify_positions()
        self.look()

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
