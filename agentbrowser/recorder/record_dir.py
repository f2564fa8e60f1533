"""Record directory: the recordings of all sessions on disk, one directory each, written by a thread of its own."""

import contextlib
import errno
import math
import os
import queue
import stat
import threading
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Final

import attrs
import structlog
import trio

from agentbrowser.protocol import wire
from agentbrowser.recorder.archive import EVENTS, META, FileNames, meta_of
from agentbrowser.recorder.journal import Entry
from agentbrowser.recorder.session_recorder import SessionRecorder

log = structlog.get_logger("agentbrowser.recorder")

_MAX_WAITING_BYTES: Final = 64 * 1024 * 1024
"""Entries beyond that are lost: the disk is slower than the sessions."""
_WARN_EVERY_S: Final = 60.0
_NEW_META: Final = f"{META}.new"


class BadRecordDir(Exception):
    """Record directory that can't be used."""


@attrs.define(eq=False)
class RecordDir:
    """Directory for recordings. Its files are private to the user of the server."""

    path: Path
    _queue: "queue.SimpleQueue[Callable[[], None] | None]" = attrs.field(factory=queue.SimpleQueue, init=False)
    _waiting_bytes: int = attrs.field(default=0, init=False)
    _warned_s: dict[str, float] = attrs.field(factory=dict, init=False)
    """Times of the last log lines, by event."""
    _lock: threading.Lock = attrs.field(factory=threading.Lock, init=False)
    _thread: threading.Thread = attrs.field(init=False)

    @classmethod
    def open(cls, path: str) -> "RecordDir":
        """Make the directory if needed, and start the thread.

        Raises:
          BadRecordDir: it can't be written to, or others can.
        """
        folder = Path(path)
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder = folder.resolve()  # a link may be replaced after the check
            _check_owned(folder, path)
        except OSError as error:
            raise BadRecordDir(f"record_dir {path} can't be made: {error.strerror}") from None
        if not os.access(folder, os.W_OK | os.X_OK):
            raise BadRecordDir(f"record_dir {path} can't be written to")
        opened = cls(folder)
        opened._thread = threading.Thread(target=opened._run, name="agentbrowser-recorder", daemon=True)
        opened._thread.start()
        return opened

    def add(self, recorder: SessionRecorder) -> None:
        """Keep all that a recorder records from now on."""
        folder = SessionFolder(self.path / recorder.id, recorder)
        recorder.keep = lambda entry: self._put(entry.size, lambda: folder.write(entry))
        recorder.on_end = lambda: self._put(0, folder.describe)
        self._put(0, folder.make)

    def close(self) -> None:
        """Write what waits, and end the thread."""
        self._queue.put(None)
        self._thread.join()

    def _put(self, size: int, work: Callable[[], None]) -> None:
        with self._lock:
            if size and self._waiting_bytes + size > _MAX_WAITING_BYTES:
                if self._may_warn("recording_entry_lost"):
                    log.warning("recording_entry_lost", reason="the disk is too slow")
                return
            self._waiting_bytes += size
        self._queue.put(lambda: self._do(size, work))

    def _do(self, size: int, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception as error:  # noqa: BLE001 - without the thread, all recordings would be lost
            if self._may_warn("recording_not_kept"):
                log.warning("recording_not_kept", error=getattr(error, "strerror", None) or repr(error))
        finally:
            with self._lock:
                self._waiting_bytes -= size

    def _may_warn(self, event: str) -> bool:
        """Return True once a minute for each event: a full disk loses what each request adds."""
        now_s = time.monotonic()
        if now_s < self._warned_s.get(event, -math.inf) + _WARN_EVERY_S:
            return False
        self._warned_s[event] = now_s
        return True

    def _run(self) -> None:
        while (work := self._queue.get()) is not None:
            work()


def _check_owned(folder: Path, path: str) -> None:
    """Check that no other user can put a directory of his own in the place of a session's, and read what comes.

    Raises:
      BadRecordDir: another user can.
    """
    if not hasattr(os, "geteuid"):
        return
    found = folder.stat()
    if found.st_uid != os.geteuid():
        raise BadRecordDir(f"record_dir {path} is another user's; name a directory in it, which is then made")
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise BadRecordDir(f"record_dir {path}: others can write to it; chmod 700")


@contextlib.asynccontextmanager
async def open_record_dir(path: str | None) -> AsyncIterator[RecordDir | None]:
    """Open a record directory, if there is one, and write all that waits at the end. [trio]

    Raises:
      BadRecordDir: it can't be written to, or others can.
    """
    if path is None:
        yield None
        return
    record_dir = await trio.to_thread.run_sync(RecordDir.open, path)
    try:
        yield record_dir
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(record_dir.close)


@attrs.define(eq=False)
class SessionFolder:
    """Directory of one recording."""

    path: Path
    recorder: SessionRecorder
    _names: FileNames = attrs.field(factory=FileNames, init=False)

    def make(self) -> None:
        """Make the directory with its description."""
        self.path.mkdir(mode=0o700, exist_ok=True)
        self.describe()

    def describe(self) -> None:
        """Write the description; at the end it has the time of the end."""
        meta = {**meta_of(self.recorder), "evicted": 0}
        self._write(_NEW_META, wire.dump(meta))
        os.replace(self.path / _NEW_META, self.path / META)  # without a description, nothing of it can be read

    def write(self, entry: Entry) -> None:
        """Append an entry, and write its picture or body."""
        plain = self.recorder.plain(entry)
        if entry.blob is not None:
            plain["file"] = self._names.next(entry.kind)
            (self.path / plain["file"]).parent.mkdir(mode=0o700, exist_ok=True)
            self._write(plain["file"], entry.blob)
        self._append(wire.dump(plain) + b"\n")

    def _write(self, name: str, content: bytes) -> None:
        descriptor = os.open(self.path / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)

    def _append(self, line: bytes) -> None:
        """Append a line, or nothing: half of one would spoil the next, too.

        Raises:
          OSError: the line is not in the file.
        """
        descriptor = os.open(self.path / EVENTS, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            written = os.write(descriptor, line)
            if written < len(line):
                os.ftruncate(descriptor, os.fstat(descriptor).st_size - written)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        finally:
            os.close(descriptor)
