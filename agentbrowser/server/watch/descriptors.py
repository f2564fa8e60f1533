"""File descriptors of the server, its drivers and browsers, from /proc, and their limits."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import attrs
import structlog

log = structlog.get_logger("agentbrowser.descriptors")

_PROC: Final = Path("/proc")
_LIMIT: Final = "Max open files"


@attrs.frozen(order=True)
class DescriptorUsage:
    """Open and permitted file descriptors of one process."""

    used: int
    limit: int

    @property
    def free(self) -> int:
        """Return the number of descriptors that the process can still open."""
        return self.limit - self.used


def raise_limit() -> None:
    """Raise the soft limit of this process, which its browsers inherit, to the hard one; where the system has any."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == hard:
        return
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    except (OSError, ValueError) as error:  # macOS refuses "unlimited"
        log.warning("descriptor_limit_kept", soft=soft, hard=hard, error=str(error))


def hard_limit() -> int | None:
    """Return the hard limit of file descriptors of this process, or None if there is none."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return None
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return None if hard == resource.RLIM_INFINITY else hard


def scarcest(pids: Iterable[int]) -> DescriptorUsage | None:
    """Return the usage of the process that has the fewest left, this one included; None if nothing is known.

    Raises:
      OSError: no file descriptor is left.
    """
    known = [usage for pid in (os.getpid(), *pids) if (usage := _usage(pid)) is not None]
    return min(known, key=lambda usage: usage.free, default=None)


def _usage(pid: int) -> DescriptorUsage | None:
    folder = _PROC / str(pid)
    try:
        limits = (folder / "limits").read_text(encoding="ascii")
        used = len(os.listdir(folder / "fd"))
    except (FileNotFoundError, ProcessLookupError, PermissionError):  # it has ended, or there is no /proc
        return None
    limit = next(line for line in limits.splitlines() if line.startswith(_LIMIT)).split()[3]
    return None if limit == "unlimited" else DescriptorUsage(used, int(limit))
