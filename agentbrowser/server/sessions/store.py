"""Database of the sessions that outlive the server, in a directory of the operator's; a thread writes it."""

import os
import sqlite3
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, Self, TypeVar

import attrs
import structlog
import trio

from agentbrowser.protocol import wire
from agentbrowser.protocol.codec import structure, unstructure
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.types.snapshot import SessionSnapshot
from agentbrowser.server.gate.auth import Owner

T = TypeVar("T")
Fits = Callable[[bytes, bool], bool]
"""Returns True if a client may resume the session of a proof; the flag: its secret was presented before."""

log = structlog.get_logger("agentbrowser.store")

KEPT_S: Final = 24 * 3600.0
MAX_KEPT: Final = 1000
MAX_KEPT_OF_OWNER: Final = 100
MAX_BYTES_OF_OWNER: Final = 256 * 1024 * 1024
MAX_SNAPSHOT_BYTES: Final = 16 * 1024 * 1024
BUSY_S: Final = 2.0

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS sessions (
  owner TEXT, digest BLOB, id TEXT, proof BLOB, shown INTEGER, saved_s REAL, picture BLOB,
  PRIMARY KEY (owner, digest, id, proof)
) WITHOUT ROWID
"""
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


class BadStateDir(Exception):
    """Unusable state directory; the text gives the reason in one line."""


@attrs.frozen
class SavedSession:
    """Saved session, with the digests of its secret and token, never these themselves."""

    owner: Owner
    id: str
    proof: bytes = attrs.field(repr=False)
    has_shown_secret: bool
    snapshot: SessionSnapshot = attrs.field(repr=False)


@attrs.define(eq=False)
class SessionStore:
    """Database of saved sessions, used by one thread at a time. Errors are logged, and the server continues."""

    _db: sqlite3.Connection
    _turn: trio.CapacityLimiter = attrs.field(factory=lambda: trio.CapacityLimiter(1), init=False)

    @classmethod
    def open(cls, directory: str) -> Self:
        """Open the database, created if missing and readable by its owner only. Blocks for a moment.

        Raises:
          BadStateDir: others could read it, it can't be written, or another server has it.
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
            raise BadStateDir(f"{directory}: {_reason(error)}") from None
        return cls(db)

    async def save(self, rows: Iterable[SavedSession]) -> bool:
        """Save sessions, delete those that are too old or too many, and return True on success. [trio]"""
        kept = list(rows)
        return await self._run(lambda: self._save(map(_columns, kept)), False)

    async def find(self, owner: Owner, id_: str, fits: Fits) -> SavedSession | None:
        """Return the owner's latest session of that id whose proof fits; None without one. [trio]"""
        return await self._run(lambda: self._find(owner, id_, fits), None)

    async def forget(self, owner: Owner, id_: str, proof: bytes) -> None:
        """Delete a session. [trio]"""
        await self._run(lambda: self._forget(owner, id_, proof), None)

    async def close(self) -> None:
        """Close the database. [trio]"""
        await self._run(self._db.close, None)

    async def _run(self, work: Callable[[], T], otherwise: T) -> T:
        result = otherwise
        with trio.CancelScope(shield=True):  # short, and useless when interrupted
            try:
                result = await trio.to_thread.run_sync(work, limiter=self._turn)
            except sqlite3.Error as error:
                log.error("store_failed", error=str(error))
        return result

    def _save(self, rows: Iterable[tuple[object, ...]]) -> bool:
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
        return True

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
            if (snapshot := _snapshot(text)) is not None:
                return SavedSession(owner, id_, proof, shown, snapshot)
        return None


def _prepare(db: sqlite3.Connection) -> None:
    # Exclusive: two servers could otherwise both restore one session.
    for line in ("locking_mode=EXCLUSIVE", "journal_mode=WAL", "secure_delete=ON"):
        db.execute(f"PRAGMA {line}")
    db.execute(_SCHEMA)


def _check_private(path: Path) -> None:
    found = path.stat()
    if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
        raise BadStateDir(f"{path}: the state directory is another user's")
    if found.st_mode & 0o077:
        raise BadStateDir(f"{path}: others can look into the state directory; chmod 700")


def _reason(error: OSError | sqlite3.Error) -> str:
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
        return "another server uses the state directory"
    return getattr(error, "strerror", None) or str(error)


def _columns(saved: SavedSession) -> tuple[object, ...]:
    snapshot = wire.dump(unstructure(saved.snapshot))
    if len(snapshot) > MAX_SNAPSHOT_BYTES:
        log.warning("picture_too_large", session=saved.id, size=len(snapshot), limit=MAX_SNAPSHOT_BYTES)
        bare = [attrs.evolve(context, storage=type(context.storage)()) for context in saved.snapshot.contexts]
        snapshot = wire.dump(unstructure(attrs.evolve(saved.snapshot, contexts=bare)))
    owner = saved.owner
    return owner.name, owner.digest, saved.id, saved.proof, saved.has_shown_secret, time.time(), snapshot


def _snapshot(text: bytes) -> SessionSnapshot | None:
    """Return the saved snapshot; None if another version of the server has written it."""
    try:
        return structure(SessionSnapshot, wire.load(text))
    except (InvalidParams, ValueError) as error:
        log.warning("picture_not_read", error=type(error).__name__)
        return None
