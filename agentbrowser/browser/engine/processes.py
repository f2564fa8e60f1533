"""Processes of ours: told apart from others that have got the same number since, watched, and killed for certain."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import attrs

_START_TIME: Final = 19
"""Where a process's start stands among its facts."""

_TURN_S: Final = 0.005


@attrs.frozen
class Process:
    """A process that no other will be taken for, though its number may be given again.

    Args:
      start: when it began, in the system's own count; 0 where that can't be told (not Linux).
      group: the process group it was in.
    """

    pid: int
    start: int
    group: int

    @classmethod
    def of(cls, pid: int) -> "Process | None":
        """Return the process of that number, if there is one."""
        try:
            return cls(pid, _start_of(pid), os.getpgid(pid))
        except (OSError, ValueError):
            return None

    def lives(self) -> bool:
        """Tell whether it is still there, in the group it was in."""
        return Process.of(self.pid) == self

    def kill_group(self) -> bool:
        """Kill the whole group, if it is the process that leads it; return whether it was there to be killed."""
        if self.pid != self.group or not self.start or not self.lives():
            return False
        kill_group(self.pid)
        return True


def _start_of(pid: int) -> int:
    if sys.platform != "linux":
        return 0
    return int(_facts_of(pid)[_START_TIME])


def _facts_of(pid: int) -> list[str]:
    """Return what /proc says of a process, from its state on."""
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()


def watch(pid: int | None, on_death: Callable[[], None]) -> Callable[[], None]:
    """Have ``on_death`` called once in this loop when a process ends; never where the system can't watch.

    Returns: a function that ends the watch, and may be called at any time.
    """
    if sys.platform != "linux" or pid is None:
        return lambda: None
    try:
        watched = os.pidfd_open(pid)
    except ProcessLookupError:
        asyncio.get_running_loop().call_soon(on_death)
        return lambda: None
    except OSError:  # a kernel before 5.3, or no descriptor left
        return lambda: None
    loop, ends = asyncio.get_running_loop(), contextlib.ExitStack()
    ends.callback(os.close, watched)
    ends.callback(loop.remove_reader, watched)

    def died() -> None:
        ends.close()
        on_death()

    loop.add_reader(watched, died)
    return ends.close


def is_dead(pid: int) -> bool:
    """Tell whether a process has ended, be it not reaped; False where the system does not tell."""
    if sys.platform != "linux":
        return False
    try:
        return _facts_of(pid)[0] in "ZX"
    except OSError:
        return True


async def until(condition: Callable[[], bool]) -> None:
    """Return when something has come true that happens in another thread or process. [asyncio]"""
    while not condition():  # noqa: ASYNC110 - of which there is no event
        await asyncio.sleep(_TURN_S)


def kill_group(pid: int) -> None:
    """Kill the group that the process leads, if it is still there."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def kill(pid: int | None) -> None:
    """Kill a process, if it is still there."""
    if pid is not None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def exists(pid: int) -> bool:
    """Tell whether a process is there, be it dead and not reaped."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
