"""Registry of the sessions with an id: connected, or parked until the client returns or the time is over."""

import contextlib
import math
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Final

import attrs
import structlog
import trio

from agentbrowser.browser.portal import PortalClosed
from agentbrowser.config import Config
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.server.corridor import dispatch
from agentbrowser.server.gate.auth import Owner
from agentbrowser.server.sessions.lease import Claim, SessionLease, cannot_save, new_secret, proof_of, save_failed
from agentbrowser.server.sessions.session import Session
from agentbrowser.server.sessions.snapshots import SessionSnapshots
from agentbrowser.server.sessions.store import SavedSession

log = structlog.get_logger("agentbrowser.sessions")

MAX_PARKED_OF_OWNER: Final = 32
END_TIMEOUT_S: Final = 8.0
"""Time limit for closing a client's pages."""


@attrs.define(eq=False, kw_only=True)
class Sessions:
    """Sessions of a server that have an id.

    Changes happen without a checkpoint in between. If two clients claim a session at the same time, the second takes
    it over from the first.
    """

    config: Config
    snapshots: SessionSnapshots
    restoring: trio.Lock = attrs.field(factory=trio.Lock, init=False)
    """Held while a session is restored from the store."""
    nursery: trio.Nursery
    """Nursery of the timers of parked sessions, and of the closing of others."""
    _known: dict[tuple[Owner, str], list[Session]] = attrs.field(factory=dict, init=False)
    _parked: dict[Session, trio.CancelScope] = attrs.field(factory=dict, init=False)
    """Sessions without a client, the longest parked first."""
    _is_closing: bool = attrs.field(default=False, init=False)

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
        for session in list(self._parked):
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

    async def find_saved(self, owner: Owner, claim: Claim) -> SavedSession | None:
        """Return the saved session that a claim names, if it is not running. [trio]"""
        here = {one.lease.proof for one in self._known.get((owner, claim.id), ()) if one.lease is not None}
        return await self.snapshots.find(owner, claim, here)

    def keep(self, session: Session, owner: Owner, id_: str) -> str:
        """Lease a session, so that it outlives its connection, and return its secret."""
        secret = new_secret()
        self.adopt(session, SessionLease(id=id_, owner=owner, proof=proof_of(secret), nursery=self.nursery))
        return secret

    def adopt(self, session: Session, lease: SessionLease) -> None:
        """Register a session under a lease, so that it outlives its connection."""
        session.lease = lease
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
        """
        lease = session.lease
        if keep and (lease is None or not self.snapshots.is_persistent):
            raise cannot_save()
        if keep and not await self.snapshots.save_at_end(session):
            raise save_failed()
        self.release(session)
        if lease is not None and not keep:
            await self.snapshots.forget(lease)

    def start(self, work: Callable[..., Awaitable[object]], *args: object) -> None:
        """Run work in the background; a failure is logged, and the server continues."""
        self.nursery.start_soon(_run_contained, partial(work, *args))

    async def restore(self, session: Session) -> None:
        """Restore the pages of a saved session, even if its client disconnects meanwhile. [trio]"""
        if session.lease is not None:
            await session.lease.run_detached(partial(self._restore, session), lambda: False)

    async def _restore(self, session: Session) -> None:
        try:
            await self.snapshots.watch(session)
            await self.snapshots.reopen(session)
        except Exception:
            # The store keeps the saved session for the next attempt.
            self._forget(session)
            session.lease = None
            if session in self._parked:
                self.unpark(session)
                self.start(self.close, session)
            raise

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
        for crowd, limit in ((own, MAX_PARKED_OF_OWNER), (list(self._parked), self.config.max_parked)):
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
            with trio.CancelScope(shield=True):
                if session.session_proxy is not None:
                    await session.session_proxy.close()

    async def close_all(self) -> None:
        """Close all sessions, and from now on each one that loses its client. [trio]"""
        self._is_closing = True
        async with trio.open_nursery() as nursery:
            for session in [session for same in self._known.values() for session in same]:
                self.unpark(session)
                nursery.start_soon(self.close, session)


async def _run_contained(work: Callable[[], Awaitable[object]]) -> None:
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
