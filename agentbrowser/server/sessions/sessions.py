"""The sessions that outlive their connections: with a client, or parked until it is back or the time is over."""

import contextlib
import math
from collections.abc import Awaitable, Callable
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
"""How long closing a client's pages may take."""


@attrs.define(eq=False, kw_only=True)
class Sessions:
    """The sessions of a server that have an id.

    All changes are made at once, without a wait in between: of two clients that want a session at the same time one
    comes second, and takes it over from the first.
    """

    config: Config
    snapshots: SessionSnapshots
    restoring: trio.Lock = attrs.field(factory=trio.Lock, init=False)
    """Held by whoever brings back a session that is known only from the archive."""
    nursery: trio.Nursery
    """Where parked sessions wait, and closed ones end."""
    _known: dict[tuple[Owner, str], list[Session]] = attrs.field(factory=dict, init=False)
    _parked: dict[Session, trio.CancelScope] = attrs.field(factory=dict, init=False)
    """Those without a client, the one that lost it first coming first."""
    _is_closing: bool = attrs.field(default=False, init=False)

    @property
    def parked(self) -> int:
        """How many have no client."""
        return len(self._parked)

    def find(self, owner: Owner, claim: Claim) -> Session | None:
        """Return the session that a client wants back, with all it had; None if there is none.

        Raises:
          InvalidParams: it has not sent the event that the client has heard.
        """
        same = self._known.get((owner, claim.id), [])
        # All are asked, whichever fits, so that the time it takes tells nothing.
        found = [session for session in same if session.lease is not None and session.lease.admits(claim)]
        if not found:
            return None
        session = found[-1]
        _check_cursor(session, claim)
        return session

    async def recall(self, owner: Owner, claim: Claim) -> SavedSession | None:
        """Return what is written of the session that a client wants back, if it is not here. [trio]"""
        here = {one.lease.proof for one in self._known.get((owner, claim.id), ()) if one.lease is not None}
        return await self.snapshots.find(owner, claim, here)

    def keep(self, session: Session, owner: Owner, id_: str) -> str:
        """Have a session outlive its connection from now on, and return the secret that brings a client back to it."""
        secret = new_secret()
        self.adopt(session, SessionLease(id=id_, owner=owner, proof=proof_of(secret), nursery=self.nursery))
        return secret

    def adopt(self, session: Session, lease: SessionLease) -> None:
        """Have a session outlive its connection from now on."""
        session.lease = lease
        self._known.setdefault((lease.owner, lease.id), []).append(session)

    def release(self, session: Session) -> None:
        """Have a session end with its connection again."""
        self._forget(session)
        if session.lease is not None:
            session.lease.stop()
            session.lease = None

    async def end_lease(self, session: Session, *, keep: bool) -> None:
        """Have a session end with its connection again, and be forgotten unless it is to be kept. [trio]

        Raises:
          InvalidParams: it is to be kept, and can't be.
          InternalError: writing it down has failed.
        """
        lease = session.lease
        if keep and (lease is None or not self.snapshots.lasts):
            raise cannot_save()
        if keep and not await self.snapshots.save_at_end(session):
            raise save_failed()
        self.release(session)
        if lease is not None and not keep:
            await self.snapshots.forget(lease)

    def start(self, work: Callable[..., Awaitable[object]], *args: object) -> None:
        """Have work done that nobody waits for; should it fail, the log says so, and the server goes on."""
        self.nursery.start_soon(_run_contained, partial(work, *args))

    async def restore(self, session: Session) -> None:
        """Open the pages of a session that was written down, whether or not its client waits for that. [trio]"""
        if session.lease is not None:
            await session.lease.carry(partial(self._restore, session), lambda: False)

    async def _restore(self, session: Session) -> None:
        try:
            await self.snapshots.watch(session)
            await self.snapshots.reopen(session)
        except Exception:
            # What is written of it stays, for the next time.
            self._forget(session)
            session.lease = None
            if session in self._parked:
                self.unpark(session)
                self.start(self.close, session)
            raise

    def park(self, session: Session, longest_s: float = math.inf) -> None:
        """Keep a session that has lost its client, for as long as the operator says, and its token lasts."""
        if session.lease is None or self._is_closing or not self.config.session_ttl_s:
            self._close_later(session)
            return
        session.park_events()
        scope = self._parked[session] = trio.CancelScope()
        ttl_s = max(0.0, min(self.config.session_ttl_s, longest_s))
        self.nursery.start_soon(self._expire, session, scope, ttl_s)
        log.info("session_parked", session=session.lease.id, ttl_s=ttl_s)
        self.start(self.snapshots.look, session)
        self._make_room(session.lease.owner)

    def unpark(self, session: Session) -> None:
        """Stop the time of a session whose client is back."""
        if (scope := self._parked.pop(session, None)) is not None:
            scope.cancel()

    async def _expire(self, session: Session, scope: trio.CancelScope, ttl_s: float) -> None:
        with scope:
            await trio.sleep(ttl_s)
            log.info("session_expired", session=session.lease.id if session.lease else None)
            self._close_later(session)

    def _make_room(self, owner: Owner) -> None:
        """Close the oldest, of the owner and of all, if there are too many."""
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
        """End a session and close all that it has. [trio]

        Cancel: is put off until it is done, which takes 8 s at most.
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
        """End all, and from now on each that loses its client. [trio]"""
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
    """Return the error for a session that is not to be had."""
    # The same for all reasons, so that it tells nothing of the sessions of others.
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
