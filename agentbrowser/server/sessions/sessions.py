"""Registry of the sessions with an id: connected, or parked until the client returns or the time is over."""

import contextlib
import math
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from functools import partial
from typing import Final
from weakref import WeakValueDictionary

import attrs
import structlog
import trio

from agentbrowser.browser.portal import PortalClosed
from agentbrowser.config import Config
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.server.corridor import dispatch
from agentbrowser.server.corridor.outbox import OwnerShare
from agentbrowser.server.gate.auth import Owner
from agentbrowser.server.sessions.lease import Claim, SessionLease, cannot_save, check_size, new_secret, proof_of
from agentbrowser.server.sessions.session import Session
from agentbrowser.server.sessions.snapshots import SessionSnapshots
from agentbrowser.server.sessions.store import SavedSession, StoreUnavailable

log = structlog.get_logger("agentbrowser.sessions")

LEAST_PARKED_OF_OWNER: Final = 32
"""Parked sessions that one owner may always have; where more fit, it may have half of them."""
END_TIMEOUT_S: Final = 8.0
"""Time limit for closing a client's pages."""
REPLACED_CLOSE: Final = 4001
MAX_HANDED_OVER: Final = 4
"""Sessions that are handed over at the same time: each reads all its storage from the browser."""
HAND_OVER_S: Final = 0.5
"""Time that each session adds to the time allowed for a shutdown."""


@attrs.define(eq=False, kw_only=True)
class Sessions:
    """Sessions of a server that have an id.

    Changes happen without a checkpoint in between. If two clients claim a session at the same time, the second takes
    it over from the first.
    """

    config: Config
    snapshots: SessionSnapshots
    restores: Counter[str] = attrs.field(factory=Counter, init=False)
    """Number of sessions that clients have resumed, by kind: warm, cold or failed."""
    nursery: trio.Nursery
    """Nursery of the timers of parked sessions, and of the closing of others."""
    _known: dict[tuple[Owner, str], list[Session]] = attrs.field(factory=dict, init=False)
    _parked: dict[Session, trio.CancelScope] = attrs.field(factory=dict, init=False)
    """Sessions without a client, the longest parked first."""
    _shares: WeakValueDictionary[Owner, OwnerShare] = attrs.field(factory=WeakValueDictionary, init=False)
    _is_closing: bool = attrs.field(default=False, init=False)
    _claims: dict[tuple[Owner, str], trio.Lock] = attrs.field(factory=dict, init=False)
    """Locks of the sessions that are being claimed."""
    _hand_overs: trio.CapacityLimiter = attrs.field(factory=lambda: trio.CapacityLimiter(MAX_HANDED_OVER), init=False)

    def __attrs_post_init__(self) -> None:
        self.snapshots.held, self.snapshots.on_fenced = self.all, self.fence

    def share_of(self, owner: Owner) -> OwnerShare:
        """Return the share that all sessions of an owner have in turns and in memory."""
        return self._shares.setdefault(owner, OwnerShare())

    def all(self) -> list[Session]:
        """Return the sessions with an id."""
        return [session for same in self._known.values() for session in same]

    @property
    def hand_over_s(self) -> float:
        """Return the time allowed for saving all sessions, which grows with their number; 0 without a store."""
        if not self.snapshots.is_persistent:
            return 0.0
        return END_TIMEOUT_S + HAND_OVER_S * sum(map(len, self._known.values()))

    @property
    def parked(self) -> int:
        """Return the number of sessions without a client."""
        return len(self._parked)

    @property
    def parked_sessions(self) -> list[Session]:
        """Return the sessions without a client."""
        return list(self._parked)

    def end_parked(self, owners: Iterable[Owner]) -> None:
        """Close the parked sessions of these owners."""
        ended = set(owners)
        for session in self.parked_sessions:
            if session.lease is not None and session.lease.owner in ended:
                self._close_later(session)

    def find(self, owner: Owner, claim: Claim) -> Session | None:
        """Return the running session that a claim names; None if there is none.

        Raises:
          InvalidParams: the session has not sent the last event of the claim.
        """
        same = self._known.get((owner, claim.id), [])
        # Every proof is compared, so that the duration reveals nothing about the secrets.
        found = [session for session in same if session.lease is not None and session.lease.admits(claim)]
        if not found:
            return None
        session = found[-1]
        _check_cursor(session, claim)
        return session

    @contextlib.asynccontextmanager
    async def claiming(self, owner: Owner, id_: str) -> AsyncIterator[None]:
        """Let one client at a time claim the sessions of an id. [trio]"""
        lock = self._claims.setdefault((owner, id_), trio.Lock())
        try:
            async with lock:
                yield
        finally:
            if not lock.locked() and not lock.statistics().tasks_waiting:
                self._claims.pop((owner, id_), None)

    async def find_current(self, owner: Owner, claim: Claim) -> Session | None:
        """Return the running session that a claim names, unless another node has claimed it meanwhile. [trio]

        Raises:
          InvalidParams: the session has not sent the last event of the claim.
        """
        session = self.find(owner, claim)
        if session is None or await self.snapshots.is_current(session):
            return self.find(owner, claim)  # it may have ended, or begun, during the check
        self.fence(session)
        return None

    async def claim_saved(self, owner: Owner, claim: Claim) -> SavedSession | None:
        """Return the saved session that a claim names, if it is not running; this node then holds it. [trio]

        A client without a secret begins a new session if the store does not answer, since most such clients are new.

        Raises:
          StoreUnavailable: the store does not answer.
        """
        if claim.secret is None and not owner.is_proven:
            return None
        here = {one.lease.proof for one in self._known.get((owner, claim.id), ()) if one.lease is not None}
        try:
            return await self.snapshots.claim(owner, claim, here)
        except StoreUnavailable:
            if claim.secret is None:
                return None
            raise

    def keep(self, session: Session, owner: Owner, id_: str) -> str:
        """Lease a session, so that it outlives its connection, and return its secret."""
        secret = new_secret()
        self.adopt(session, SessionLease(id=id_, owner=owner, proof=proof_of(secret), nursery=self.nursery))
        return secret

    def adopt(self, session: Session, lease: SessionLease) -> None:
        """Register a session under a lease, so that it outlives its connection."""
        session.lease, session.name = lease, lease.id
        self._known.setdefault((lease.owner, lease.id), []).append(session)

    def release(self, session: Session) -> None:
        """Remove the lease of a session, which then ends with its connection."""
        self._forget(session)
        if session.lease is not None:
            session.lease.stop()
            session.lease = None

    async def end_lease(self, session: Session, *, keep: bool) -> None:
        """Remove the lease of a session, and save its snapshot or delete it. [trio]

        Raises:
          InvalidParams: nothing can be saved for this session.
          InternalError: saving has failed.
          ResourceLimitExceeded: the owner has its share of the store.
        """
        lease = session.lease
        if keep and (lease is None or not self.snapshots.is_persistent):
            raise cannot_save()
        if keep and lease is not None and (error := await self.snapshots.save_at_end(session)) is not None:
            self.snapshots.recall(lease)
            self.snapshots.save_soon(session)
            raise error
        self.release(session)
        if lease is not None and not keep:
            await self.snapshots.forget(lease)

    def start(self, work: Callable[..., Awaitable[object]], *args: object) -> None:
        """Run work in the background; a failure is logged, and the server continues."""
        self.nursery.start_soon(run_contained, partial(work, *args))

    async def restore(self, session: Session) -> None:
        """Restore the pages of a saved session, even if its client disconnects meanwhile. [trio]"""
        if session.lease is not None:
            await session.lease.run_detached(partial(self._restore, session), lambda: False)

    async def _restore(self, session: Session) -> None:
        try:
            if session.lease is not None and session.admission is not None:
                check_size(session.lease, session.admission.capacity)
            await self.snapshots.watch(session)
            await self.snapshots.reopen(session)
        except Exception:
            self.restores["failed"] += 1
            await self.abandon(session)
            raise
        self.restores["cold"] += 1

    async def abandon(self, session: Session) -> None:
        """Give up a session that could not be restored. The store keeps the saved one for the next attempt. [trio]"""
        lease = session.lease
        self._forget(session)
        session.lease = None
        if session in self._parked:
            self.unpark(session)
            self.start(self.close, session)
        if lease is not None:
            await self.snapshots.give_back(lease)

    def fence(self, session: Session) -> None:
        """Close a session that another node has claimed: nothing of it is saved any more."""
        self.unpark(session)
        self.release(session)
        self._expel(session)
        self.start(self.close, session)

    async def give(self, proof: bytes) -> None:
        """Save and close the session of a proof, because its client is at another node. [trio]"""
        for session in self.all():
            if session.lease is not None and session.lease.proof == proof:
                log.info("session_given", session=session.lease.id)
                self.unpark(session)
                self._forget(session)
                self._expel(session)
                await self.close(session)

    def _expel(self, session: Session) -> None:
        """Close the connection of a session that another node has claimed."""
        session.mute()
        binding, session.binding = session.binding, None
        if binding is not None:
            reason = "another node has taken over the session"
            self.start(binding.connection.expel, REPLACED_CLOSE, reason)

    async def hand_over(self, session: Session, deadline_s: float) -> None:
        """Save a session and release it, so that another node can restore it, until the deadline. [trio]"""
        lease = session.lease
        if lease is None or not self.snapshots.is_persistent:
            return
        with trio.move_on_at(deadline_s) as scope:
            scope.shield = True
            async with self._hand_overs:
                await self.snapshots.save_at_end(session)
        if scope.cancelled_caught:
            self.snapshots.end(session)
        self._forget(session)
        lease.stop()
        session.lease = None  # it may be so already: a client that leaves meanwhile has its session closed

    def park(self, session: Session, longest_s: float = math.inf) -> None:
        """Keep a disconnected session for the configured time, at most while its token is valid."""
        if session.lease is None or self._is_closing or not self.config.session_ttl_s:
            self._close_later(session)
            return
        session.park_events()
        scope = self._parked[session] = trio.CancelScope()
        ttl_s = max(0.0, min(self.config.session_ttl_s, longest_s))
        self.nursery.start_soon(self._expire, session, scope, ttl_s)
        log.info("session_parked", session=session.lease.id, ttl_s=ttl_s)
        self.start(self.snapshots.take, session)
        self._make_room(session.lease.owner)

    def unpark(self, session: Session) -> None:
        """Stop the timer of a session whose client is back."""
        if (scope := self._parked.pop(session, None)) is not None:
            scope.cancel()

    async def _expire(self, session: Session, scope: trio.CancelScope, ttl_s: float) -> None:
        with scope:
            await trio.sleep(ttl_s)
            log.info("session_expired", session=session.lease.id if session.lease else None)
            self._close_later(session)

    def _make_room(self, owner: Owner) -> None:
        """Close the longest parked sessions, of the owner and of all, beyond the limits."""
        own = [one for one in self._parked if one.lease is not None and one.lease.owner == owner]
        of_owner = max(LEAST_PARKED_OF_OWNER, self.config.max_parked // 2)  # a proxy's restart parks all at once
        for crowd, limit in ((own, of_owner), (list(self._parked), self.config.max_parked)):
            for session in crowd[: max(0, len(crowd) - limit)]:
                log.info("session_evicted", session=session.lease.id if session.lease else None)
                self._close_later(session)

    def _close_later(self, session: Session) -> None:
        self.unpark(session)
        self._forget(session)
        self.start(self.close, session)

    def _forget(self, session: Session) -> None:
        if session.lease is None:
            return
        key = session.lease.owner, session.lease.id
        same = self._known.get(key, [])
        if session in same:
            same.remove(session)
        if not same:
            self._known.pop(key, None)

    async def close(self, session: Session) -> None:
        """End a session, and close its pages and its proxy. [trio]

        Cancel: is delayed until the session is closed, at most 8 s.
        """
        try:
            with trio.move_on_after(END_TIMEOUT_S) as scope:
                scope.shield = True
                await self.snapshots.save_at_end(session)
                self.release(session)
                with contextlib.suppress(PortalClosed):
                    await session.end()
        finally:
            if session.recorder is not None:
                session.recorder.end()
            with trio.CancelScope(shield=True):
                if session.session_proxy is not None:
                    await session.session_proxy.close()

    def stop_parking(self) -> None:
        """Close each session that loses its client from now on."""
        self._is_closing = True

    async def close_parked(self, deadline_s: float) -> None:
        """Save and close the sessions without a client. [trio]"""
        await self._close_each(self.parked_sessions, deadline_s)

    async def close_all(self, deadline_s: float) -> None:
        """Save and close all sessions, and save what the store has not accepted, until the deadline. [trio]"""
        self.stop_parking()
        await self._close_each(self.all(), deadline_s)
        with trio.move_on_at(deadline_s):
            await self.snapshots.saves.flush()
        if self.snapshots.unsaved:
            log.error("sessions_not_saved", count=self.snapshots.unsaved)

    async def _close_each(self, sessions: Iterable[Session], deadline_s: float) -> None:
        async with trio.open_nursery() as nursery:
            for session in sessions:
                self.unpark(session)
                nursery.start_soon(run_contained, partial(self._close_at_shutdown, session, deadline_s))

    async def _close_at_shutdown(self, session: Session, deadline_s: float) -> None:
        await self.hand_over(session, deadline_s)
        await self.close(session)


async def run_contained(work: Callable[[], Awaitable[object]]) -> None:
    """Run work for one session, and log its failure: the others go on. [trio]"""
    try:
        await work()
    except Exception as error:  # noqa: BLE001 - explain() logs what is not ours
        log.warning("session_work_failed", error=str(dispatch.explain(error)))


def unknown_session() -> InvalidParams:
    """Return the error for a session that the client can't resume."""
    # The same for all reasons, so that it reveals nothing about the sessions of others.
    return InvalidParams(
        "There is no such session, or the secret is not its.",
        path="sessionId",
        reason="session",
        expected="the id and the secret of a session that this token began, and that is not over",
        hint="Leave sessionSecret out to begin a new session.",
    )


def _check_cursor(session: Session, claim: Claim) -> None:
    latest = session.lease.backlog.seq if session.lease is not None else 0
    if claim.last_event is not None and claim.last_event > latest:
        raise InvalidParams(
            "The session has not sent that event yet.",
            path="lastEvent",
            expected=f"the seq of an event, at most {latest}",
            got=claim.last_event,
        )
