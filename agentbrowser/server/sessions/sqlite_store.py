"""Store of one node: a database in a directory of the operator's; a thread writes it."""

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import ClassVar, Final, Self, TypeVar

import attrs
import trio

from agentbrowser.protocol.errors import ResourceLimitExceeded
from agentbrowser.server.gate.auth import Owner
from agentbrowser.server.sessions.store import (
    KEPT_S,
    BadStore,
    Fits,
    OnGive,
    SavedSession,
    SessionStore,
    StoreUnavailable,
    dump_snapshot,
    load_snapshot,
)

T = TypeVar("T")

MAX_KEPT: Final = 1000
MAX_KEPT_OF_OWNER: Final = 100
MAX_BYTES_OF_OWNER: Final = 256 * 1024 * 1024
BUSY_S: Final = 2.0

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS sessions (
  owner TEXT, digest BLOB, id TEXT, proof BLOB, shown INTEGER, saved_s REAL, picture BLOB,
  PRIMARY KEY (owner, digest, id, proof)
) WITHOUT ROWID
"""
_COLUMNS: Final = "SELECT owner, digest, id, proof, shown, saved_s, picture FROM sessions LIMIT 0"
_UNREADABLE: Final = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR)
"""Errors of a damaged file, and of one with other columns."""
_KEY: Final = "owner = ? AND digest = ? AND id = ?"

_TOO_MANY: Final = """
DELETE FROM sessions WHERE (owner, digest, id, proof) IN (
  SELECT owner, digest, id, proof FROM (
    SELECT owner, digest, id, proof,
      row_number() OVER (ORDER BY saved_s DESC) AS nth,
      row_number() OVER (PARTITION BY owner, digest ORDER BY saved_s DESC) AS nth_of_owner,
      sum(length(picture)) OVER (PARTITION BY owner, digest ORDER BY saved_s DESC) AS bytes_of_owner
    FROM sessions
  ) WHERE nth > ? OR nth_of_owner > ? OR bytes_of_owner > ?
)
"""


class BadStateDir(BadStore):
    """Unusable state directory; the text gives the reason in one line."""


class StateDirInUse(BadStateDir):
    """State directory of another server, which may end soon."""


@attrs.define(eq=False)
class SqliteStore(SessionStore):
    """Database of saved sessions, used by one thread at a time. No other server has it, so nothing is fenced."""

    is_shared: ClassVar[bool] = False
    _db: sqlite3.Connection
    refused: dict[bytes, ResourceLimitExceeded] = attrs.field(factory=dict, init=False)
    _turn: trio.CapacityLimiter = attrs.field(factory=lambda: trio.CapacityLimiter(1), init=False)

    @classmethod
    def open(cls, directory: str) -> Self:
        """Open the database, created if missing and readable by its owner only. Blocks for a moment.

        Raises:
          BadStateDir: others could read it, or it can't be written.
          StateDirInUse: another server has it.
        """
        path = Path(directory)
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            _check_private(path)
            file = path / "sessions.db"
            os.close(os.open(file, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600))
            db = sqlite3.connect(file, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
            try:
                _prepare(db)
            except BaseException:
                db.close()
                raise
        except (OSError, sqlite3.Error) as error:
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
                raise StateDirInUse(f"state_dir {directory}: another server uses it") from None
            reason = getattr(error, "strerror", None) or str(error)
            if getattr(error, "sqlite_errorcode", None) in _UNREADABLE:
                reason = f"its sessions.db can't be read ({reason}); move the file away to begin anew"
            raise BadStateDir(f"state_dir {directory} can't be used: {reason}") from None
        return cls(db)

    async def claim(self, owner: Owner, id_: str, fits: Fits) -> SavedSession | None:
        """Return the owner's latest session of that id whose proof fits; None without one. [trio]"""
        return await self._run(lambda: self._find(owner, id_, fits))

    async def save(self, rows: Sequence[SavedSession]) -> Collection[bytes]:
        """Save sessions, and delete those that are too old or too many. [trio]"""
        kept = list(rows)
        await self._run(lambda: self._save(map(_columns, kept)))
        return ()

    async def release(self, rows: Sequence[SavedSession]) -> None:
        """Save sessions. [trio]"""
        await self.save(rows)

    async def give_back(self, row: SavedSession) -> None:
        """Change nothing: the row was only read."""

    async def refresh(self, rows: Sequence[SavedSession]) -> tuple[Collection[bytes], Collection[bytes]]:
        """Return that nothing is claimed or missing: no other server has the database."""
        return (), ()

    async def forget(self, owner: Owner, id_: str, proof: bytes) -> None:
        """Delete a session. [trio]"""
        await self._run(lambda: self._forget(owner, id_, proof))

    async def listen(self, on_give: OnGive) -> None:
        """Wait until cancelled: nobody requests a session. [trio]"""
        await trio.sleep_forever()

    async def close(self) -> None:
        """Close the database. [trio]"""
        with contextlib.suppress(StoreUnavailable):
            await self._run(self._db.close)

    async def _run(self, work: Callable[[], T]) -> T:
        results: list[T] = []
        with trio.CancelScope(shield=True):  # short, and useless when interrupted
            try:
                results.append(await trio.to_thread.run_sync(work, limiter=self._turn))
            except sqlite3.Error as error:
                raise StoreUnavailable("The database of sessions has failed.", cause=str(error)) from error
        return results[0]

    def _save(self, rows: Iterable[tuple[object, ...]]) -> None:
        oldest_s = time.time() - KEPT_S
        self._db.execute("BEGIN IMMEDIATE")
        try:
            self._db.executemany("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
            self._db.execute("DELETE FROM sessions WHERE saved_s < ?", (oldest_s,))
            self._db.execute(_TOO_MANY, (MAX_KEPT, MAX_KEPT_OF_OWNER, MAX_BYTES_OF_OWNER))
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:  # a full disk ends the transaction itself
                self._db.execute("ROLLBACK")
            raise

    def _forget(self, owner: Owner, id_: str, proof: bytes) -> None:
        self._db.execute(f"DELETE FROM sessions WHERE {_KEY} AND proof = ?", (owner.name, owner.digest, id_, proof))
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # the write-ahead log also holds what was deleted

    def _find(self, owner: Owner, id_: str, fits: Fits) -> SavedSession | None:
        key = owner.name, owner.digest, id_
        statement = f"SELECT proof, shown FROM sessions WHERE {_KEY} AND saved_s >= ? ORDER BY saved_s DESC"
        proofs = self._db.execute(statement, (*key, time.time() - KEPT_S)).fetchall()
        # Every proof is compared, so that the duration reveals nothing; only the snapshot of the first fit is read.
        fitting = [(proof, bool(shown)) for proof, shown in proofs if fits(proof, bool(shown))]
        for proof, shown in fitting[:1]:
            (text,) = self._db.execute(
                f"SELECT picture FROM sessions WHERE {_KEY} AND proof = ?", (*key, proof)
            ).fetchone()
            if (snapshot := load_snapshot(text)) is not None:
                return SavedSession(owner, id_, proof, shown, snapshot)
        return None


def _prepare(db: sqlite3.Connection) -> None:
    # Exclusive: two servers could otherwise both restore one session.
    for line in ("locking_mode=EXCLUSIVE", "journal_mode=WAL", "secure_delete=ON"):
        db.execute(f"PRAGMA {line}")
    db.execute(_SCHEMA)
    db.execute(_COLUMNS)  # each save of a file with other columns would fail, as if the store were down


def _check_private(path: Path) -> None:
    found = path.stat()
    if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
        raise BadStateDir(f"state_dir {path} is another user's")
    if found.st_mode & 0o077:
        raise BadStateDir(f"state_dir {path}: others can look into it; chmod 700")


def _columns(saved: SavedSession) -> tuple[object, ...]:
    owner = saved.owner
    columns = owner.name, owner.digest, saved.id, saved.proof, saved.has_shown_secret, time.time()
    return *columns, dump_snapshot(saved)
