"""Queue of the sessions that are to be saved: those of an owner in order, and the owners in turn.

The store serves one call at a time. With all changed sessions in one call, sixty of one owner, of 12 MB each, kept the
session of another from coming back for 55 s (measured).
"""

import contextlib
import itertools
import math
from collections.abc import Awaitable, Callable, Collection, Iterator
from functools import partial
from typing import Final

import attrs
import structlog
import trio

from agentbrowser.server.corridor.work_gate import WorkGate
from agentbrowser.server.gate.auth import Owner
from agentbrowser.server.sessions.lease import SessionLease
from agentbrowser.server.sessions.session import Session
from agentbrowser.server.sessions.store import SavedSession, SessionStore, StoreUnavailable

log = structlog.get_logger("agentbrowser.sessions.snapshots")

MAX_ENDED: Final = 256
"""Ended sessions that wait for a store that fails; beyond it, the oldest of the owner with the most is lost."""
_WRITE_PAUSE_S: Final = 0.5
_RETRY_PAUSE_S: Final = 1.0
"""Pause before what the store did not accept is saved again."""
_LOCAL_TRIES: Final = 3
"""Failures of a store on this machine's disk after which a shutdown goes on without it."""

_VERSIONS: Final = itertools.count()


@attrs.define(eq=False)
class _OwnerQueue:
    """Sessions of one owner that are not saved yet."""

    changed: dict[Session, int] = attrs.field(factory=dict, init=False)
    """Changed sessions, each with the number of its last change: one may change again while it is saved."""
    ended: dict[bytes, SavedSession] = attrs.field(factory=dict, init=False)
    """Sessions that have ended, by their proofs."""
    writing: trio.Lock = attrs.field(factory=trio.Lock, init=False)
    """Held while sessions are saved: an older snapshot must not follow a later one."""
    is_served: bool = attrs.field(default=False, init=False)
    """True while a task saves the sessions soon."""

    def __len__(self) -> int:
        return len(self.changed) + len(self.ended)


@attrs.define(eq=False, kw_only=True)
class SaveQueue:
    """Sessions that are not saved yet. Everything runs in Trio.

    Args:
      report: receives each failure of the store, and None after a success.
      fence: closes sessions that another node has claimed.
    """

    store: SessionStore | None
    report: Callable[[StoreUnavailable | None], object]
    fence: Callable[[Collection[Session], Collection[bytes]], object]
    _queues: dict[Owner, _OwnerQueue] = attrs.field(factory=dict, init=False)
    _news: trio.Event = attrs.field(factory=trio.Event, init=False)
    _turns: WorkGate = attrs.field(
        factory=lambda: WorkGate(width=1, timeout_s=math.inf, longest_hold_s=math.inf), init=False
    )
    """Calls of the store, one session each: the store would serve a second one behind the first, whoever's it is."""

    def __len__(self) -> int:
        return sum(map(len, self._queues.values()))

    def put(self, session: Session) -> None:
        """Save a session soon."""
        self._queue_of(session.owner).changed[session] = next(_VERSIONS)

    def put_ended(self, row: SavedSession) -> None:
        """Save a session for the last time, and release it, soon."""
        self._queue_of(row.owner).ended[row.proof] = row
        if sum(len(queue.ended) for queue in self._queues.values()) > MAX_ENDED:
            crowd = max(self._queues.values(), key=lambda queue: len(queue.ended)).ended
            lost = crowd.pop(next(iter(crowd)))
            log.error("session_not_saved", session=lost.id)

    def withdraw(self, session: Session) -> None:
        """Forget the changes of a session."""
        if session.owner in self._queues:
            self._queues[session.owner].changed.pop(session, None)

    def withdraw_ended(self, lease: SessionLease) -> None:
        """Cancel the release of a session."""
        if lease.owner in self._queues:
            self._queues[lease.owner].ended.pop(lease.proof, None)

    def has_ended(self, owner: Owner, id_: str) -> bool:
        """Return True if an ended session of that id waits for its last save."""
        queue = self._queues.get(owner)
        return queue is not None and any(row.id == id_ for row in queue.ended.values())

    async def run(self) -> None:
        """Save sessions, until cancelled. [trio]"""
        async with trio.open_nursery() as nursery:
            while True:
                await self._news.wait()
                self._news = trio.Event()
                for owner, queue in self._queues.items():
                    if len(queue) and not queue.is_served:
                        queue.is_served = True
                        nursery.start_soon(self._serve, owner, queue)

    async def flush(self) -> None:
        """Save all that is not saved yet, however often a shared store fails. [trio]

        A local one is not waited for: a disk that is full stays so for longer than a shutdown may take.
        """
        failures = 0
        while len(self):
            if not await self.write_all():
                failures += 1
                if self.store is not None and not self.store.is_shared and failures >= _LOCAL_TRIES:
                    return
                await trio.sleep(_RETRY_PAUSE_S)

    async def write_all(self) -> bool:
        """Save what is not saved yet; return False if the store fails, and keep it then. [trio]"""
        failed: list[Owner] = []

        async def write(owner: Owner) -> None:
            if not await self.write(owner):
                failed.append(owner)

        async with trio.open_nursery() as nursery:
            for owner in self._queues:
                nursery.start_soon(write, owner)
        return not failed

    async def write(self, owner: Owner) -> bool:
        """Save what is not saved yet of an owner; return False if the store fails, and keep it then. [trio]"""
        queue = self._queues.get(owner)
        if queue is None or self.store is None:
            return True
        try:
            async with queue.writing:
                for call in self._calls(self.store, queue):
                    await self._turns.work(owner.name, call)
        except StoreUnavailable as error:
            self.report(error)
            return False
        finally:
            self._remove_empty(owner, queue)
        return True

    def _queue_of(self, owner: Owner) -> _OwnerQueue:
        """Return the queue of an owner, to which something is being added."""
        queue = self._queues.get(owner)
        if queue is None:
            queue = self._queues[owner] = _OwnerQueue()
        if not queue.is_served:
            self._news.set()
        return queue

    def _remove_empty(self, owner: Owner, queue: _OwnerQueue) -> None:
        is_idle = not (len(queue) or queue.is_served or queue.writing.locked())
        if is_idle and self._queues.get(owner) is queue:
            del self._queues[owner]

    async def _serve(self, owner: Owner, queue: _OwnerQueue) -> None:
        """Save the sessions of an owner until all are saved. [trio]"""
        await trio.sleep(_WRITE_PAUSE_S)
        while len(queue):
            if not await self.write(owner):
                await trio.sleep(_RETRY_PAUSE_S)
        queue.is_served = False
        self._remove_empty(owner, queue)

    def _calls(self, store: SessionStore, queue: _OwnerQueue) -> Iterator[Callable[[], Awaitable[None]]]:
        """Yield the calls of the store that are needed now, one for each session."""
        for session in list(queue.changed):
            yield partial(self._save, store, queue, session)
        for row in list(queue.ended.values()):
            yield partial(self._release, store, queue, row)

    async def _save(self, store: SessionStore, queue: _OwnerQueue, session: Session) -> None:
        version = queue.changed.get(session)
        row = None if session.lease is None else row_of(session.lease)
        if version is not None and row is not None:  # it may have ended before its turn
            with _bug_logged(row):
                claimed = await store.save([row])
                self.report(None)
                self.fence([session], claimed)
        if queue.changed.get(session) == version:
            queue.changed.pop(session, None)

    async def _release(self, store: SessionStore, queue: _OwnerQueue, row: SavedSession) -> None:
        if queue.ended.get(row.proof) is row:
            with _bug_logged(row):
                await store.release([row])
                self.report(None)
            if queue.ended.get(row.proof) is row:
                del queue.ended[row.proof]


@contextlib.contextmanager
def _bug_logged(row: SavedSession) -> Iterator[None]:
    """Log any other exception than `StoreUnavailable`: repeated, it would come again, and the other sessions wait."""
    try:
        yield
    except StoreUnavailable:
        raise
    except Exception:
        log.exception("session_save_failed", session=row.id)


def row_of(lease: SessionLease) -> SavedSession | None:
    """Return the row of a session; None before its first snapshot."""
    if lease.snapshot is None:
        return None
    return SavedSession(
        lease.owner, lease.id, lease.proof, lease.has_shown_secret, lease.snapshot, generation=lease.generation
    )
