"""Work gate: limit on the requests that work in browsers at the same time.

Beyond a few for each core, more requests at once finish fewer in total: each takes longer, until all exceed their time
limits. The others wait here, owner by owner in turn.
"""

import os
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from typing import Final, Self, TypeVar

import attrs
import structlog
import trio

from agentbrowser.config import Config
from agentbrowser.protocol.errors import ServerBusy

T = TypeVar("T")

log = structlog.get_logger("agentbrowser.work_gate")

_PER_CORE: Final = 2
_LONGEST_HOLD_S: Final = 0.5


@attrs.define(eq=False)
class _Holder:
    owner: str
    is_let_in: trio.Event = attrs.field(factory=trio.Event)


@attrs.define(eq=False, kw_only=True)
class WorkGate:
    """Slots for working requests, and a queue for each owner. Everything runs in Trio.

    Args:
      width: number of slots.
      timeout_s: longest wait for a slot.
      longest_hold_s: time after which work gives its slot up: it mostly waits by then, for a site or for an element.
    """

    width: int
    timeout_s: float
    longest_hold_s: float = _LONGEST_HOLD_S
    refused: int = attrs.field(default=0, init=False)
    """Number of requests that got no slot in time."""
    _working: dict[_Holder, float] = attrs.field(factory=dict, init=False)
    """Holders of slots, each with the time when it loses its slot, in that order."""
    _queues: OrderedDict[str, deque[_Holder]] = attrs.field(factory=OrderedDict, init=False)
    """Waiting requests by owner; the owners in the order of their turns."""
    _contended: trio.Event = attrs.field(factory=trio.Event, init=False)

    @classmethod
    def of(cls, config: Config) -> Self:
        """Return the gate that the settings ask for, by default two slots for each core."""
        width = _PER_CORE * available_cores() if config.max_working is None else config.max_working
        return cls(width=width, timeout_s=config.queue_timeout_s)

    @property
    def working(self) -> int:
        """Return the number of slots in use."""
        return len(self._working)

    @property
    def waiting(self) -> int:
        """Return the number of requests that wait for a slot."""
        return sum(map(len, tuple(self._queues.values())))  # a thread reads it for the metrics

    async def work(self, owner: str, work: Callable[[], Awaitable[T]]) -> T:
        """Wait for a slot, and run some work in it. [trio]

        Raises:
          ServerBusy: there was no slot in time, and nothing was done.
        """
        holder = _Holder(owner)
        try:
            if not self._enter(holder):
                await self._wait(holder)
            return await work()
        finally:
            self._leave(holder)

    def _enter(self, holder: _Holder) -> bool:
        """Take a slot, or a place in the queue; return True for a slot."""
        if self._queues or len(self._working) >= self.width:
            self._expire()
        if len(self._working) < self.width:
            self._let_in(holder)
            return True
        self._queues.setdefault(holder.owner, deque()).append(holder)
        self._contended.set()
        return False

    async def _wait(self, holder: _Holder) -> None:
        with trio.move_on_after(self.timeout_s):
            await holder.is_let_in.wait()
        if not holder.is_let_in.is_set():
            self.refused += 1
            log.info("refused_busy", waiting=self.waiting, width=self.width)
            message = f"The server's browsers are busy, and had no slot within {self.timeout_s:g} s."
            raise ServerBusy(message, resource="working", limit=self.width, current=self.working)

    def _leave(self, holder: _Holder) -> None:
        """End the work, or the wait, of a holder, which may have lost its slot before."""
        if holder.is_let_in.is_set():
            self._working.pop(holder, None)
            self._fill()
        else:
            self._remove(holder)

    async def run(self) -> None:
        """Pass slots on that are held for too long, while requests wait. [trio]"""
        while True:
            await self._contended.wait()
            while self._queues:
                await trio.sleep_until(next(iter(self._working.values()), 0.0))
                self._expire()
            self._contended = trio.Event()

    def _expire(self) -> None:
        now_s = trio.current_time()
        while self._working and next(iter(self._working.values())) <= now_s:
            del self._working[next(iter(self._working))]
        self._fill()

    def _fill(self) -> None:
        while self._queues and len(self._working) < self.width:
            owner, queue = next(iter(self._queues.items()))
            holder = queue[0]
            self._remove(holder)
            if owner in self._queues:
                self._queues.move_to_end(owner)
            self._let_in(holder)

    def _let_in(self, holder: _Holder) -> None:
        self._working[holder] = trio.current_time() + self.longest_hold_s
        holder.is_let_in.set()

    def _remove(self, holder: _Holder) -> None:
        queue = self._queues[holder.owner]
        queue.remove(holder)
        if not queue:
            del self._queues[holder.owner]


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
