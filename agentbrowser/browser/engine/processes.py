"""Operating-system processes: identified by more than a reusable pid, watched, and killed."""

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
"""Index of the start time in the fields of /proc/PID/stat, counted from the state."""

_USER_TIME: Final = 11
"""Index of the time in user mode; that in the kernel follows."""

_FLAGS: Final = 6
_EXITING: Final = 0x4
"""Flag of a process that is ending, PF_EXITING; it is set before the files are closed."""

_POLL_S: Final = 0.005

_NETWORK_SERVICE: Final = b"=network.mojom.NetworkService"
"""Value of the switch by which Chromium tells its helper processes apart."""


@attrs.frozen
class Process:
    """A process, identified by pid, start time and group, since the system reuses pids.

    Args:
      start: its start time in clock ticks since boot; 0 outside Linux.
      group: its process group.
    """

    pid: int
    start: int
    group: int

    @classmethod
    def of(cls, pid: int) -> "Process | None":
        """Return the process with that pid, or None."""
        try:
            return cls(pid, _start_of(pid), os.getpgid(pid))
        except (OSError, ValueError):
            return None

    def is_alive(self) -> bool:
        """Return True if it still exists, in the same group."""
        return Process.of(self.pid) == self

    def kill_group(self) -> bool:
        """Kill the whole group if this process leads it, and return True if it existed."""
        if self.pid != self.group or not self.start or not self.is_alive():
            return False
        kill_group(self.pid)
        return True


def _start_of(pid: int) -> int:
    if sys.platform != "linux":
        return 0
    return int(_stat_fields(pid)[_START_TIME])


def _stat_fields(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat, from the state on."""
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()


def watch(pid: int | None, on_death: Callable[[], None]) -> Callable[[], None]:
    """Call ``on_death`` once in this loop when a process ends; never where the system can't watch processes.

    Returns: a function that ends the watch; it may be called at any time.
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


def network_service_of(browser_pid: int | None) -> int | None:
    """Return the network process of a Chromium that has loaded something, or None where it can't be found."""
    if sys.platform != "linux" or browser_pid is None:
        return None
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
        with contextlib.suppress(OSError):  # the process has ended
            if os.getpgid(pid) == browser_pid and _NETWORK_SERVICE in Path(f"/proc/{pid}/cmdline").read_bytes():
                return pid
    return None


def set_session_nice(pid: int, nice: int) -> bool:
    """Set the nice value of a process's session, where Linux shares the processor between sessions.

    These are the "autogroups" of kernels whose processes are in no control group. A process of our own session stays as
    it is, and so do other systems.

    Returns: False if it is to be tried again later, since Linux accepts few changes at a time.
    """
    try:
        if os.getsid(pid) != os.getsid(0):
            Path(f"/proc/{pid}/autogroup").write_text(str(nice), encoding="ascii")
    except BlockingIOError:
        return False
    except OSError:  # another system, or the process has ended
        return True
    return True


def set_session_processors(pid: int, processors: set[int]) -> None:
    """Have the processes of a process's session, and those that they start, run on these processors only.

    A process of our own session stays as it is, and so do other systems than Linux.
    """
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError):  # the process has ended
        session = os.getsid(pid)
        if session == os.getsid(0):
            return
        for other in map(int, filter(str.isdigit, os.listdir("/proc"))):
            with contextlib.suppress(OSError):
                if os.getsid(other) == session:
                    for thread in os.listdir(f"/proc/{other}/task"):
                        os.sched_setaffinity(int(thread), processors)


def usable_processors() -> set[int]:
    """Return the numbers of the processors that this process may use; none where the system does not tell."""
    return os.sched_getaffinity(0) if sys.platform == "linux" else set()


def processor_s(pid: int) -> float:
    """Return the processor time that a process has used, in s; 0 if it has ended, and outside Linux."""
    if sys.platform != "linux":
        return 0.0
    try:
        fields = _stat_fields(pid)
    except OSError:
        return 0.0
    return sum(map(int, fields[_USER_TIME : _USER_TIME + 2])) / os.sysconf("SC_CLK_TCK")


def is_dead(pid: int) -> bool:
    """Return True if a process has ended, reaped or not, or is about to; False outside Linux.

    A killed browser closes its pipe before it has ended: its driver may report the closed pages first.
    """
    if sys.platform != "linux":
        return False
    try:
        fields = _stat_fields(pid)
        return fields[0] in "ZX" or bool(int(fields[_FLAGS]) & _EXITING)
    except OSError:
        return True


async def wait_until(condition: Callable[[], bool]) -> None:
    """Poll until a condition holds that another thread or process changes. [asyncio]"""
    while not condition():  # noqa: ASYNC110 - no event reports it
        await asyncio.sleep(_POLL_S)


def kill_group(pid: int) -> None:
    """Kill the process group that a process leads, if it still exists."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def kill(pid: int | None) -> None:
    """Kill a process, if it still exists."""
    if pid is not None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def exists(pid: int) -> bool:
    """Return True if a process exists, even if it has ended and is not reaped."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
