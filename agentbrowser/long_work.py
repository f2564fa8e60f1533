"""Long work in Python in threads, beside the loops.

Python runs one thread at a time. A loop that wakes while long work runs waits for it, several times for each request.
So long work calls `give_way` at each of its steps: there it rests while a loop is busy, and ends once nobody waits for
its result any more.
"""

import threading
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

import attrs

ResultT = TypeVar("ResultT")

busy_loops: Final[set[object]] = set()
"""The loops that do something at present, and do not wait for input and output."""

_PAUSE_S: Final = 0.0005
_LONGEST_REST_S: Final = 0.004
_LEAST_WORK_S: Final = 0.001
"""Time of work between two rests in full length, so that it proceeds beside loops that are always busy."""
_thread = threading.local()


class Abandoned(Exception):
    """Nobody waits for the result of this work."""


@attrs.define(eq=False)
class LongWork:
    """A call of a function that takes long; any thread may abandon it."""

    function: Callable[..., Any]
    is_abandoned: bool = attrs.field(default=False, init=False)
    _rests_from_s: float = attrs.field(default=0.0, init=False)

    def run(self, *args: Any) -> Any:
        """Call the function in this thread.

        Raises:
          Abandoned: the work was abandoned meanwhile.
        """
        _thread.work = self
        try:
            return self.function(*args)
        finally:
            _thread.work = None

    def rest(self) -> None:
        """Wait while a loop is busy, for a bounded time."""
        now = time.perf_counter()
        if now < self._rests_from_s:
            return
        end = now + _LONGEST_REST_S
        while busy_loops:
            if time.perf_counter() >= end:
                self._rests_from_s = time.perf_counter() + _LEAST_WORK_S
                return
            time.sleep(_PAUSE_S)


def give_way() -> None:
    """Let the loops go first, if this thread runs long work; a step of work calls this about every 0.1 ms.

    Raises:
      Abandoned: nobody waits for the result.
    """
    work: LongWork | None = getattr(_thread, "work", None)
    if work is None:
        return
    if work.is_abandoned:
        raise Abandoned
    if busy_loops:
        work.rest()
