"""The private directory of a driver, which notes whose it is and what was started, so that nothing outlives a crash.

A server that is killed leaves its directories behind, and, where its browser was stopped and so did not hear that its
pipe broke, processes too. The next one that starts ends and removes both, of its own user alone.
"""

import contextlib
import json
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import attrs
import structlog

from agentbrowser.browser.engine.processes import Process

if sys.platform != "win32":
    import fcntl

log = structlog.get_logger("agentbrowser.browser")

_PREFIX: Final = "agentbrowser-"
_OWNER: Final = "owner"
_STARTED: Final = "started"
_PRIVATE: Final = 0o600
_AS_IT_IS: Final = getattr(os, "O_NOFOLLOW", 0)

_LIVING: Final[set["DriverDir"]] = set()
"""Those of this process."""


@attrs.define(eq=False)
class DriverDir:
    """A directory of ours, 0700, and the lock that says that its owner lives."""

    path: Path
    _lock: int
    _started: tuple[Process, ...] = ()

    @classmethod
    def make(cls) -> "DriverDir":
        """Make a directory that is locked for as long as this process lives."""
        path = Path(tempfile.mkdtemp(prefix=_PREFIX))
        try:
            lock = _write(path / _OWNER, Process.of(os.getpid()))
            _takes(lock)
        except BaseException:
            shutil.rmtree(path, ignore_errors=True)
            raise
        home = cls(path, lock)
        _LIVING.add(home)
        return home

    def note(self, *pids: int | None) -> None:
        """Write down the processes that have been started, instead of those from before."""
        self._started = tuple(one for pid in pids if pid is not None and (one := Process.of(pid)))
        with contextlib.suppress(OSError):  # a full disk is no reason to do without a browser
            os.close(_write(self.path / _STARTED, *self._started))

    def kill(self) -> None:
        """Kill what was noted, with all the processes of its groups."""
        for process in reversed(self._started):  # the browser before its driver, of which it would be told nothing
            process.kill_group()

    def remove(self) -> None:
        """Remove the directory with all that is in it."""
        _LIVING.discard(self)
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)


def kill_all() -> None:
    """Kill every driver and browser of this process; for its sudden end, from any thread."""
    for home in tuple(_LIVING):
        home.kill()


def remove_leftovers() -> None:
    """End and remove what servers of this user have left behind that were killed."""
    if sys.platform == "win32":
        return
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError, ValueError, TypeError), _abandoned(path) as is_abandoned:
            if is_abandoned:
                killed = [process.pid for process in _read(path / _STARTED) if process.kill_group()]
                shutil.rmtree(path, ignore_errors=True)
                log.warning("leftovers_removed", path=str(path), killed=killed)


@contextlib.contextmanager
def _abandoned(path: Path) -> Iterator[bool]:
    """Tell whether a directory is ours and its owner is gone; nobody else takes it for that meanwhile."""
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != _user() or stat.S_IMODE(found.st_mode) != 0o700:
        yield False
        return
    lock = os.open(path / _OWNER, os.O_RDWR | _AS_IT_IS)
    try:
        yield _takes(lock) and not any(owner.lives() for owner in _read(path / _OWNER))
    finally:
        os.close(lock)


def _takes(lock: int) -> bool:
    """Take a lock, and tell whether it was free; its owner may be out of sight, in another container."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _write(path: Path, *processes: Process | None) -> int:
    """Write the processes into a file of ours alone, and return its descriptor."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | _AS_IT_IS, _PRIVATE)
    try:
        os.write(file, json.dumps([attrs.astuple(one) for one in processes if one]).encode())
    except BaseException:
        os.close(file)
        raise
    return file


def _read(path: Path) -> list[Process]:
    try:
        noted: list[Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    return [Process(*map(int, one)) for one in noted]


def _user() -> int:
    return os.geteuid() if sys.platform != "win32" else 0
