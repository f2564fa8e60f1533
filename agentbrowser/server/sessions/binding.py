"""Binding of a connection to its session, which may have been another connection's before."""

from collections.abc import Awaitable, Callable
from typing import Final, Literal

import attrs
import structlog

from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.server.corridor.connection import Connection
from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.sessions.lease import Claim, SessionLease
from agentbrowser.server.sessions.session import Session
from agentbrowser.server.sessions.sessions import Sessions, unknown_session
from agentbrowser.server.sessions.store import SavedSession

log = structlog.get_logger("agentbrowser.seat")

REPLACED_CLOSE: Final = 4001


@attrs.frozen(kw_only=True)
class EnteredSession:
    """How a client has come to its session."""

    session: Session
    secret: str | None = attrs.field(repr=False)
    """None for a client that came back without it."""
    restored: Literal["warm", "cold"] | None = None
    missed: int | None = None


@attrs.define(eq=False, kw_only=True)
class SessionBinding:
    """Binding of one connection to one session at a time."""

    connection: Connection
    grant: Grant
    sessions: Sessions
    open: Callable[[], Session]
    """Makes another session for the connection."""

    def take(self, session: Session) -> None:
        """Give the connection that session."""
        session.binding, session.notify, session.tell = self, self.connection.notify, self.connection.tell
        self.connection.session = session

    async def enter(
        self, id_: str, secret: str | None, last_event: int | None, agree: Callable[[Session], Awaitable[None]]
    ) -> EnteredSession:
        """Find the client's session again, or have the one that it has now outlive the connection. [trio]

        Args:
          agree: has the session keep to what the client says of itself.

        Raises:
          InvalidParams: there is no such session, or the secret is not its.
        """
        owner, claim = self.grant.owner, Claim(id_, secret, last_event)
        session, row = self.sessions.find(owner, claim), None
        if session is None:
            async with self.sessions.restoring:
                session = self.sessions.find(owner, claim)  # another of the client's connections may have been first
                row = await self.sessions.recall(owner, claim) if session is None else None
                if row is not None:
                    self._revive(row, claim)
        if session is not None and session.lease is not None:
            entered = self._resume_warm(session, session.lease, claim)
            await agree(session)
            return entered
        if row is not None:
            session = self.connection.session
            await agree(session)  # first, for the client is told of what can't be opened
            await self.sessions.restore(session)
            if session.lease is not None:
                session.lease.is_cold = False
            return EnteredSession(session=session, secret=claim.secret, restored="cold")
        if claim.secret is not None:
            raise unknown_session()
        entered = await self._begin(claim)
        await agree(entered.session)
        return entered

    async def _begin(self, claim: Claim) -> EnteredSession:
        fresh = self.connection.session
        self.sessions.release(fresh)  # should an `initialize` have failed, nobody was told its secret
        secret = self.sessions.keep(fresh, self.grant.owner, claim.id)
        try:
            await self.sessions.snapshots.watch(fresh)
        except BaseException:
            self.sessions.release(fresh)
            raise
        return EnteredSession(session=fresh, secret=secret)

    def _revive(self, row: SavedSession, claim: Claim) -> None:
        """Give the connection a session of that row, whose pages are yet to be opened."""
        session = self.open()
        shown = row.has_shown_secret or claim.secret is not None
        lease = SessionLease(
            id=row.id, owner=row.owner, proof=row.proof, has_shown_secret=shown, nursery=self.sessions.nursery
        )
        lease.picture, lease.backlog.seq, lease.is_cold = row.picture, claim.last_event or 0, True
        session.expect(row.picture)
        self.sessions.adopt(session, lease)
        self._close_fresh()
        self.take(session)
        log.info("session_revived", session=row.id, pages=len(row.picture.pages))

    def _resume_warm(self, session: Session, lease: SessionLease, claim: Claim) -> EnteredSession:
        if claim.secret is not None and not lease.has_shown_secret:
            lease.has_shown_secret = True
            self.sessions.snapshots.mark(session)
        restored: Literal["warm", "cold"] = "cold" if lease.is_cold else "warm"
        lease.is_cold = False
        if session.binding is self:  # an `initialize` that failed, or was cancelled, has brought it here
            return EnteredSession(session=session, secret=claim.secret, restored=restored)
        cursor = lease.cursor if claim.last_event is None else claim.last_event
        missed = lease.backlog.missed(cursor)
        lease.heard = cursor + missed
        self._resume(session, lease)
        return EnteredSession(session=session, secret=claim.secret, restored=restored, missed=missed or None)

    def _resume(self, session: Session, lease: SessionLease) -> None:
        if session.binding is not None:
            log.info("session_taken_over", session=lease.id)
            reason = "another connection has taken over the session"
            self.sessions.start(session.binding.connection.expel, REPLACED_CLOSE, reason)
        self.sessions.unpark(session)
        session.initialized = False
        self._close_fresh()
        self.take(session)
        self.connection.fall_behind()

    def _close_fresh(self) -> None:
        """Close the session that the connection has, for it gets another."""
        fresh = self.connection.session
        fresh.binding = None
        fresh.mute()
        self.sessions.start(self.sessions.close, fresh)

    def park(self) -> None:
        """Park the connection's session, and give it another.

        Raises:
          InvalidParams: the session has no id to find it by.
        """
        session = self.connection.session
        if session.lease is None:
            raise InvalidParams(
                "Only a session with an id can keep its pages.",
                path="closePages",
                expected="true, or a sessionId in initialize",
                got=False,
            )
        fresh = self.open()
        fresh.ended = True
        self.take(fresh)
        session.binding = None
        self.sessions.park(session, self.grant.left_s)

    async def end(self) -> None:
        """Part with the session, for the connection is over: park it, or close it. [trio]"""
        session = self.connection.session
        if session.binding is not self:
            return  # another connection has taken it over
        session.binding = None
        if session.lease is not None and not self.grant.is_expired():
            self.sessions.park(session, self.grant.left_s)
        else:
            await self.sessions.close(session)
