"""Audit log: one line of JSON for each request and each step of a sequence, without values."""

import contextlib
import datetime
import errno
import json
import os
import queue
import threading
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final, Self

import attrs
import structlog
import trio

from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.unseen import visible

log = structlog.get_logger("agentbrowser.audit")

_MAX_WAITING: Final = 10_000
"""Lines that wait for a slow disk; further ones are counted instead."""
_MODE: Final = 0o600


class BadAuditLog(Exception):
    """Audit log that can't be written."""


@attrs.define(eq=False)
class AuditLog:
    """Audit log of a server. A thread of its own writes, so that no loop waits for the disk."""

    path: str
    _file: int
    _lines: "queue.Queue[bytes | None]" = attrs.field(factory=lambda: queue.Queue(_MAX_WAITING), init=False)
    _is_moved: threading.Event = attrs.field(factory=threading.Event, init=False)
    _dropped: int = attrs.field(default=0, init=False)
    """Lines for which there was no room in the queue, since the last one that found some."""
    _is_late: bool = attrs.field(default=False, init=False)
    """True if the file could not be opened anew so far."""
    _writer: threading.Thread = attrs.field(init=False)

    @classmethod
    def open(cls, path: str) -> Self:
        """Append to a file until `close`.

        Raises:
          BadAuditLog: the file can't be opened.
        """
        try:
            audit = cls(path, _opened(path))
        except OSError as error:
            raise BadAuditLog(f"audit_log {path} can't be written: {error.strerror}") from None
        audit._writer = threading.Thread(target=audit._write, name="audit-log", daemon=True)
        audit._writer.start()
        return audit

    def close(self) -> None:
        """Write all lines and close the file. Blocks meanwhile."""
        self._lines.put(None)
        self._writer.join()

    def reopen(self) -> None:
        """Open the file anew before the next line, since logrotate has moved it."""
        self._is_moved.set()

    def record(
        self,
        *,
        token: str,
        session: str,
        method: str,
        duration_s: float,
        error: AgentBrowserError | None,
        page: str | None = None,
        target: Mapping[str, str] | None = None,
        approval: Mapping[str, str] | None = None,
        by: str | None = None,
    ) -> None:
        """Write a line soon.

        Args:
          target: role and name of the element.
          approval: the rule that decided, and its action.
          by: who did it on the live view.
        """
        line: dict[str, Any] = {
            "time": datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds"),
            "token": token,
            "session": session,
            "page": page,
            "method": method,
            "by": by,
            "target": target,
            "outcome": "ok" if error is None else type(error).__name__,
            "durationMs": round(duration_s * 1000),
            "approval": approval,
            "dropped": self._dropped or None,
        }
        plain = {name: value for name, value in line.items() if value is not None}
        try:
            self._lines.put_nowait(_encoded(plain))
        except queue.Full:
            self._dropped += 1
        else:
            self._dropped = 0

    def _write(self) -> None:
        lost = 0
        while (line := self._lines.get()) is not None:
            if self._is_moved.is_set():
                self._open_anew()
            counted = json.loads(line) if lost else {}
            try:
                self._append(_encoded(counted | {"dropped": counted.get("dropped", 0) + lost}) if lost else line)
            except OSError as error:
                if not lost:  # one log line for all that are lost in a row: a full disk loses each
                    log.error("audit_log_not_written", error=str(error))
                lost += json.loads(line).get("dropped", 0) + 1
            else:
                lost = 0
        os.close(self._file)

    def _open_anew(self) -> None:
        """Leave the moved file; while that fails, go on with it, and try again before the next line."""
        self._is_moved.clear()
        try:
            opened = _opened(self.path)
        except OSError as error:
            self._is_moved.set()
            if not self._is_late:
                log.error("audit_log_not_reopened", error=str(error))
            self._is_late = True
        else:
            os.close(self._file)
            self._file, self._is_late = opened, False

    def _append(self, line: bytes) -> None:
        """Append a line, or nothing: half of one would spoil the next, too.

        Raises:
          OSError: the line is not in the file.
        """
        written = os.write(self._file, line)
        if written < len(line):
            os.ftruncate(self._file, os.fstat(self._file).st_size - written)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _encoded(line: dict[str, Any]) -> bytes:
    return visible(json.dumps(line, ensure_ascii=False)).encode("utf-8", "replace") + b"\n"


def _opened(path: str) -> int:
    # Without waiting for the reader of a named pipe: the start would hang, and no signal would end it.
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0), _MODE)
    os.set_blocking(file, True)
    return file


@contextlib.asynccontextmanager
async def open_audit_log(path: str | None) -> AsyncIterator[AuditLog | None]:
    """Open the audit log, if there is one. [trio]

    Raises:
      BadAuditLog: the file can't be opened.
    """
    if path is None:
        yield None
        return
    audit = AuditLog.open(path)
    try:
        yield audit
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(audit.close)
