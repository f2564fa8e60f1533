"""Counts of work, which are the same on each machine, however busy it is."""

import gc
import sys
from collections.abc import Callable


def calls_in(work: Callable[[], object]) -> int:
    """Return the number of calls of functions in some work, those in C included."""
    count = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before, collects = sys.getprofile(), gc.isenabled()
    gc.disable()  # a collection calls back whoever has asked for it
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
        if collects:
            gc.enable()
    return count
