"""Memory usage of the server and its child processes, from /proc."""

import os
from pathlib import Path
from typing import Final, Literal

import attrs

_PROC: Final = Path("/proc")
_PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096

Part = Literal["server", "driver", "browser"]


@attrs.frozen
class MemoryUsage:
    """Private memory of each part in bytes, without the code and files that processes share."""

    server: int = 0
    driver: int = 0
    browser: int = 0

    @property
    def total(self) -> int:
        """Return the sum of all parts."""
        return self.server + self.driver + self.browser


def can_measure() -> bool:
    """Return True if the system reports the memory of processes."""
    return (_PROC / "self" / "statm").exists()


def measure() -> MemoryUsage:
    """Return the memory of this process, its children (drivers) and grandchildren (browsers). Takes milliseconds.

    Raises:
      OSError: no file descriptor is left.
    """
    parents = _parents()
    sums: dict[Part, int] = {"server": 0, "driver": 0, "browser": 0}
    for pid in [os.getpid(), *parents]:
        if (part := _part(pid, parents)) is not None:
            sums[part] += _own_bytes(pid)
    return MemoryUsage(**sums)


def _parents() -> dict[int, int]:
    """Return the parent of each process except this one."""
    pids = [int(entry.name) for entry in _PROC.iterdir() if entry.name.isdecimal()]
    return {pid: parent for pid in pids if pid != os.getpid() and (parent := _parent(pid)) is not None}


def _parent(pid: int) -> int | None:
    # The name, in parentheses, may itself contain parentheses.
    fields = _read(pid, "stat").rpartition(")")[2].split()
    return int(fields[1]) if fields else None


def _part(pid: int, parents: dict[int, int]) -> Part | None:
    """Return the part that a process belongs to, by its depth below this one; None for unrelated processes."""
    distance, own = 0, os.getpid()
    while pid != own:
        if pid not in parents:
            return None
        pid, distance = parents[pid], distance + 1
    return "server" if distance == 0 else "driver" if distance == 1 else "browser"


def _own_bytes(pid: int) -> int:
    fields = _read(pid, "statm").split()
    return (int(fields[1]) - int(fields[2])) * _PAGE_BYTES if fields else 0


def _read(pid: int, name: str) -> str:
    try:
        return (_PROC / str(pid) / name).read_text(errors="replace")
    except (FileNotFoundError, ProcessLookupError, PermissionError):  # the process has ended, or is another user's
        return ""
