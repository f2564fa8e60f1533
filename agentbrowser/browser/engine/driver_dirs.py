"""Owned directories: temporary files with their owner, and a driver's with its processes: nothing outlives a crash.

A killed server leaves its directories behind. It leaves processes too if its browser was stopped, and so did not notice
that its pipe broke. The next server of the same user kills and removes both.
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
from typing import Any, Final, Self

import attrs
import structlog

from agentbrowser.browser.engine.processes import Process

if sys.platform != "win32":
    import fcntl

log = structlog.get_logger("agentbrowser.browser")

_PREFIX: Final = "agentbrowser-"
_OWNER: Final = "owner"
_STARTED: Final = "started"
_DOWNLOADS: Final = "downloads"
_TRACES: Final = "traces"
_PROGRAMS: Final = "programs"
_NO_HANDLER: Final = "#!/bin/sh\necho yes\n"
"""Answer of ``xdg-settings`` on which Chromium starts nothing: it is the handler of the scheme itself."""
_COMPILED: Final = "agentbrowser.node"  # a hyphen would make it look like a directory of a driver
_PRIVATE: Final = 0o600
_OTHERS: Final = 0o077
_NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)

_OPEN: Final[set["DriverDir"]] = set()
"""The directories of this process."""


@attrs.define(eq=False)
class OwnedDir:
    """A private directory (0700), with a lock that is held while its owner lives."""

    path: Path
    _lock: int

    @classmethod
    def make(cls, kind: str = "") -> Self:
        """Create a directory that is locked while this process lives.

        Args:
          kind: begin of its name, for those who look at the directory of temporary files.
        """
        path = Path(tempfile.mkdtemp(prefix=_PREFIX + kind))
        try:
            lock = _write(path / _OWNER, Process.of(os.getpid()))
            try:
                _try_lock(lock)
                cls._furnish(path)
            except BaseException:
                os.close(lock)
                raise
        except BaseException:
            shutil.rmtree(path, ignore_errors=True)
            raise
        return cls(path, lock)

    @staticmethod
    def _furnish(path: Path) -> None:
        """Make what belongs into the directory."""

    def remove(self) -> None:
        """Remove the directory with its content."""
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)


@attrs.define(eq=False)
class DriverDir(OwnedDir):
    """Directory of one driver, with its processes."""

    _started: tuple[Process, ...] = ()

    def __attrs_post_init__(self) -> None:
        _OPEN.add(self)

    @staticmethod
    def _furnish(path: Path) -> None:
        for name in (_DOWNLOADS, _TRACES):
            (path / name).mkdir(mode=0o700)
        _make_programs(path / _PROGRAMS)

    @property
    def downloads(self) -> Path:
        """Directory for the files that the browser is downloading."""
        return self.path / _DOWNLOADS

    @property
    def traces(self) -> Path:
        """Directory for the files of the traces that are recorded."""
        return self.path / _TRACES

    @property
    def programs(self) -> Path:
        """Directory that comes before those of ``PATH``, with programs that start nothing."""
        return self.path / _PROGRAMS

    def record(self, *pids: int | None) -> None:
        """Record the processes that were started, in place of those from before."""
        self._started = tuple(one for pid in pids if pid is not None and (one := Process.of(pid)))
        with contextlib.suppress(OSError):  # a full disk must not prevent a launch
            os.close(_write(self.path / _STARTED, *self._started))

    def kill(self) -> None:
        """Kill the recorded processes with their groups."""
        for process in reversed(self._started):  # the browser first: its driver would not notice its death
            process.kill_group()

    def remove(self) -> None:
        """Remove the directory with its content."""
        _OPEN.discard(self)
        super().remove()


def _make_programs(directory: Path) -> None:
    """Put programs into a directory in place of those with which Chromium opens ``mailto:`` and other schemes on Linux.

    A page can navigate there. The program, and what that starts, would be beyond the wall. For some schemes Chromium
    asks in a dialog first, which nobody sees, and which keeps all input from the page.
    """
    directory.mkdir(mode=0o700)
    settings = directory / "xdg-settings"
    settings.write_text(_NO_HANDLER, encoding="utf-8")
    settings.chmod(0o700)
    # Links, since a script does not run where files for temporary use may not be executed.
    if (false := shutil.which("false", path=os.defpath)) is not None:
        for name in ("xdg-open", "xdg-email"):
            (directory / name).symlink_to(false)


def compiled_code_dir() -> Path | None:
    """Return the user's directory for the code that Node has compiled, or None if no private one can be had.

    Node runs the code without a check, so that the directory must be this user's, and closed to all others.
    """
    try:
        path = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache").absolute() / _COMPILED
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            path.mkdir(mode=0o700)
        found = path.lstat()
    except (OSError, RuntimeError):  # a directory that can only be read, or a user without a home
        return None
    is_private = stat.S_ISDIR(found.st_mode) and found.st_uid == _user_id() and not found.st_mode & _OTHERS
    return path if is_private else None


def kill_all() -> None:
    """Kill every driver and browser of this process; for its sudden end, from any thread."""
    for driver_dir in tuple(_OPEN):
        driver_dir.kill()


def remove_leftovers() -> None:
    """Kill the processes and remove the directories that killed servers of this user have left."""
    if sys.platform == "win32":
        return
    try:
        found = [*Path(tempfile.gettempdir()).glob(f"{_PREFIX}*")]
    except OSError:  # no directory that can be written to; the launch reports it
        return
    for path in found:
        with contextlib.suppress(OSError, ValueError, TypeError), _abandoned(path) as is_abandoned:
            if is_abandoned:
                killed = [process.pid for process in _read(path / _STARTED) if process.kill_group()]
                shutil.rmtree(path, ignore_errors=True)
                log.warning("leftovers_removed", path=str(path), killed=killed)


@contextlib.contextmanager
def _abandoned(path: Path) -> Iterator[bool]:
    """Yield True if a directory is our user's and its owner is gone; the block holds its lock then."""
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != _user_id() or stat.S_IMODE(found.st_mode) != 0o700:
        yield False
        return
    lock = os.open(path / _OWNER, os.O_RDWR | _NO_FOLLOW)
    try:
        yield _try_lock(lock) and not any(owner.is_alive() for owner in _read(path / _OWNER))
    finally:
        os.close(lock)


def _try_lock(lock: int) -> bool:
    """Take a lock, and return True if it was free. Unlike a pid, it shows an owner in another container."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _write(path: Path, *processes: Process | None) -> int:
    """Write the processes into a private file, and return its descriptor."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | _NO_FOLLOW, _PRIVATE)
    try:
        os.write(file, json.dumps([attrs.astuple(process) for process in processes if process]).encode())
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


def _user_id() -> int:
    return os.geteuid() if sys.platform != "win32" else 0
