"""The sessions that outlive the server: a small database in a directory of the operator's, written in a thread."""

import os
import sqlite3
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, Self, TypeVar

import attrs
import structlog
import trio

from agentbrowser import wire
from agentbrowser.codec import structure, unstructure
from agentbrowser.errors import InvalidParams
from agentbrowser.server.auth import Owner
from agentbrowser.types.picture import Picture

T = TypeVar("T")

log = structlog.get_logger("agentbrowser.store")

KEPT_S: Final = 24 * 3600.0
MAX_KEPT: Final = 1000
MAX_PICTURE_BYTES: Final = 16 * 1024 * 1024
_BUSY_S: Final = 2.0

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS sessions (
  owner TEXT, digest BLOB, id TEXT, proof BLOB, shown INTEGER, saved_s REAL, picture BLOB,
  PRIMARY KEY (owner, digest, id, proof)
) WITHOUT ROWID
"""
_KEY: Final = "owner = ? AND digest = ? AND id = ?"


class BadStateDir(Exception):
    """The directory can't be used; the text is one line that says why."""


@attrs.frozen
class Row:
    """A session as it is kept: never its secret, or its token, only their digests."""

    owner: Owner
    id: str
    proof: bytes = attrs.field(repr=False)
    has_shown_secret: bool
    picture: Picture = attrs.field(repr=False)


@attrs.define(eq=False)
class Store:
    """The database. One thread at a time uses it; whatever goes wrong with it is logged, and the server goes on."""

    _db: sqlite3.Connection
    _turn: trio.CapacityLimiter = attrs.field(factory=lambda: trio.CapacityLimiter(1), init=False)

    @classmethod
    def open(cls, directory: str) -> Self:
        """Open the database, made at the first time, for its owner's eyes only. Blocks for a moment.

        Raises:
          BadStateDir: others could read it, or it can't be written.
        """
        path = Path(directory)
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            if path.stat().st_mode & 0o077:
                raise BadStateDir(f"{directory}: others can look into the state directory; chmod 700")
            file = path / "sessions.db"
            os.close(os.open(file, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600))
            db = sqlite3.connect(file, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
            for line in ("PRAGMA journal_mode=WAL", "PRAGMA secure_delete=ON", _SCHEMA):
                db.execute(line)
        except (OSError, sqlite3.Error) as error:
            raise BadStateDir(f"{directory}: {getattr(error, 'strerror', None) or error}") from None
        return cls(db)

    async def save(self, rows: Iterable[Row]) -> None:
        """Keep sessions as they are now, and let go of those that are too old or too many. [trio]"""
        plain = [_plain(row) for row in rows]
        await self._run(lambda: self._save(plain), None)

    async def find(self, owner: Owner, id_: str) -> list[Row]:
        """Return the owner's sessions of that id, the latest last. [trio]"""
        return await self._run(lambda: self._find(owner, id_), [])

    async def forget(self, owner: Owner, id_: str, proof: bytes) -> None:
        """Let go of a session. [trio]"""
        statement = f"DELETE FROM sessions WHERE {_KEY} AND proof = ?"
        await self._run(lambda: self._db.execute(statement, (owner.name, owner.digest, id_, proof)), None)

    async def close(self) -> None:
        """Close it. [trio]"""
        await self._run(self._db.close, None)

    async def _run(self, work: Callable[[], T], otherwise: T) -> T:
        result = otherwise
        with trio.CancelScope(shield=True):  # it takes moments, and half of it is of no use
            try:
                result = await trio.to_thread.run_sync(work, limiter=self._turn)
            except sqlite3.Error as error:
                log.error("store_failed", error=str(error))
        return result

    def _save(self, rows: list[tuple[object, ...]]) -> None:
        oldest_s = time.time() - KEPT_S
        self._db.execute("BEGIN IMMEDIATE")
        try:
            self._db.executemany("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
            self._db.execute("DELETE FROM sessions WHERE saved_s < ?", (oldest_s,))
            self._db.execute(
                "DELETE FROM sessions WHERE saved_s < "
                "(SELECT min(saved_s) FROM (SELECT saved_s FROM sessions ORDER BY saved_s DESC LIMIT ?))",
                (MAX_KEPT,),
            )
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def _find(self, owner: Owner, id_: str) -> list[Row]:
        statement = f"SELECT proof, shown, picture FROM sessions WHERE {_KEY} AND saved_s >= ? ORDER BY saved_s"
        found = self._db.execute(statement, (owner.name, owner.digest, id_, time.time() - KEPT_S))
        read = [(proof, bool(shown), _picture(text)) for proof, shown, text in found]
        return [Row(owner, id_, proof, shown, picture) for proof, shown, picture in read if picture is not None]


def _plain(row: Row) -> tuple[object, ...]:
    picture = wire.dump(unstructure(row.picture))
    if len(picture) > MAX_PICTURE_BYTES:
        log.warning("picture_too_large", session=row.id, size=len(picture), limit=MAX_PICTURE_BYTES)
        bare = [attrs.evolve(context, storage=type(context.storage)()) for context in row.picture.contexts]
        picture = wire.dump(unstructure(attrs.evolve(row.picture, contexts=bare)))
    owner = row.owner
    return owner.name, owner.digest, row.id, row.proof, row.has_shown_secret, time.time(), picture


def _picture(text: bytes) -> Picture | None:
    """Return what was kept; None if another version of the server has written it."""
    try:
        return structure(Picture, wire.load(text))
    except (InvalidParams, ValueError) as error:
        log.warning("picture_not_read", error=type(error).__name__)
        return None
