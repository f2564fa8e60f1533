"""Watch of a directory by inotify, for a thread that waits until its files change. Linux only."""

import ctypes
import os
import struct
import sys
import threading
from pathlib import Path
from typing import Any, Final, Self

import attrs

_IN_MODIFY: Final = 0x002
_IN_MOVED_TO: Final = 0x080
_IN_CREATE: Final = 0x100
_IN_IGNORED: Final = 0x8000
"""Flag of the last event of a watch: it was removed, or its directory was."""
_EVENT: Final = struct.Struct("iIII")
_READ_BYTES: Final = 64 * 1024


@attrs.define(eq=False)
class DirectoryWatch:
    """Watch of one directory. One thread waits; any thread may end the watch."""

    _libc: Any
    _descriptor: int
    _number: int
    _lock: threading.Lock = attrs.field(factory=threading.Lock, init=False)
    """Guards the descriptor: once it is closed, its number may belong to another file."""
    _is_closed: bool = attrs.field(default=False, init=False)

    @classmethod
    def open(cls, folder: Path) -> Self | None:
        """Return the watch of a directory; None where the system has no inotify, or no watch left."""
        if sys.platform != "linux":
            return None
        libc = ctypes.CDLL(None, use_errno=True)
        descriptor = libc.inotify_init1(os.O_CLOEXEC)
        if descriptor < 0:
            return None
        number = libc.inotify_add_watch(descriptor, os.fsencode(folder), _IN_MODIFY | _IN_MOVED_TO | _IN_CREATE)
        if number < 0:
            os.close(descriptor)
            return None
        return cls(libc, descriptor, number)

    def wait(self) -> bool:
        """Wait until a file has changed since the last wait; return False once the watch has ended, and close it."""
        if not _is_end(os.read(self._descriptor, _READ_BYTES)):
            return True
        with self._lock:
            self._is_closed = True
            os.close(self._descriptor)
        return False

    def end(self) -> None:
        """End the watch, which wakes the thread that waits."""
        with self._lock:
            if not self._is_closed:
                self._libc.inotify_rm_watch(self._descriptor, self._number)


def _is_end(events: bytes) -> bool:
    """Return True if one of the events is the last one."""
    offset = 0
    while offset < len(events):
        _, mask, _, name_bytes = _EVENT.unpack_from(events, offset)
        if mask & _IN_IGNORED:
            return True
        offset += _EVENT.size + name_bytes
    return False
