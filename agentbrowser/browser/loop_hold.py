"""Longest time that an event loop did one thing, and looked for no input or output; long work gives way meanwhile."""

import selectors
import time
from collections.abc import Callable
from typing import Any

import attrs

from agentbrowser.long_work import busy_loops


@attrs.define(eq=False)
class LoopHold:
    """Longest hold of one loop. `begin` and `end` are called in the loop's thread.

    Args:
      clock: time in seconds; `time.thread_time` counts the thread's own work only.
    """

    clock: Callable[[], float] = time.perf_counter
    longest_s: float = attrs.field(default=0.0, init=False)
    _began_s: float | None = attrs.field(default=None, init=False)

    def begin(self) -> None:
        """Record that the loop has looked for input and output."""
        busy_loops.add(self)
        self._began_s = self.clock()

    def end(self) -> None:
        """Record that it is about to do so again, or has ended."""
        busy_loops.discard(self)
        began_s = self._began_s  # `reset` is called in another thread
        if began_s is not None:
            self.longest_s = max(self.longest_s, self.clock() - began_s)

    def reset(self, clock: Callable[[], float] | None = None) -> None:
        """Forget the longest hold and the present one."""
        self.clock = clock or self.clock
        self.longest_s, self._began_s = 0.0, None


class TimedSelector(selectors.DefaultSelector):
    """Selector of an asyncio loop that measures the loop's holds."""

    def __init__(self, hold: LoopHold) -> None:
        super().__init__()
        self._hold = hold

    def select(self, timeout: float | None = None) -> Any:
        """Wait as the base class does."""
        self._hold.end()
        try:
            return super().select(timeout)
        finally:
            self._hold.begin()
