"""Admission queue for requests that need room while the server is full."""

import contextvars
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable
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
    owner: Hashable
    notify: NotifyPosition
    round: int
    """Round of turns in which it is served: each owner has one turn in a round."""
    context: contextvars.Context = attrs.field(factory=contextvars.copy_context)
    """Log context of the request: another task may send its notification."""
    position: int = 0
    called: trio.Event = attrs.field(factory=trio.Event)
    is_displaced: bool = False
    """True once it has lost its place to a request of another owner."""


@attrs.define(eq=False, kw_only=True)
class Admission:
    """Queue of the requests that found no room: owner by owner in turn, and those of one owner in their order."""

    capacity: Capacity
    max_queued: int
    timeout_s: float
    """Longest wait of a request."""
    refused: int = attrs.field(default=0, init=False)
    """Number of rejected requests, at once or after their wait."""
    _queue: list[_Waiter] = attrs.field(factory=list, init=False)
    _round: int = attrs.field(default=0, init=False)
    """Present round of turns."""

    @property
    def queued(self) -> int:
        """Return the number of waiting requests."""
        return len(self._queue)

    async def admit(self, attempt: Callable[[], Awaitable[T]], owner: Hashable, notify: NotifyPosition) -> T:
        """Run an attempt, and repeat it in turn until there is room. [trio]

        Args:
          attempt: does the work, or raises `CapacityExceeded` before it has changed anything.
          owner: whose request it is.
          notify: receives the position in the queue.

        Raises:
          ServerBusy: too many wait already, one of another owner has displaced it, or there was no room in time.
        """
        try:
            return await attempt()
        except CapacityExceeded as crowded:
            if len(self._queue) >= self.max_queued and not self._displace_for(owner):
                raise self._refusal(crowded) from None
            first = crowded
        waiter = self._enter(owner, notify)
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
            if deadline.cancelled_caught or waiter.is_displaced:
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
        while not waiter.is_displaced and self._queue[0] is not waiter:
            await waiter.called.wait()
        waiter.called = trio.Event()

    def _enter(self, owner: Hashable, notify: NotifyPosition) -> _Waiter:
        last = max((one.round for one in self._queue if one.owner == owner), default=self._round - 1)
        waiter = _Waiter(owner, notify, max(last + 1, self._round))
        others = self._queue[1:]  # the first may be trying at this moment
        position = bool(self._queue) + sum(one.round <= waiter.round for one in others)
        self._queue.insert(position, waiter)
        self.capacity.waiting = len(self._queue)
        self._notify_positions()
        return waiter

    def _displace_for(self, owner: Hashable) -> bool:
        """Take the place of a request of the owner with the most, unless that is hardly more than this owner has."""
        waiting = Counter(one.owner for one in self._queue)
        most, count = max(waiting.items(), key=lambda item: item[1], default=(owner, 0))
        if count <= waiting[owner] + 1:
            return False
        last = next(one for one in reversed(self._queue) if one.owner == most)
        last.is_displaced = True
        last.called.set()
        self._leave(last)
        return True

    def _leave(self, waiter: _Waiter) -> None:
        """Remove a waiter, which may still be using the room that it got."""
        if waiter not in self._queue:
            return
        if waiter is self._queue[0]:
            self._round = waiter.round
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
