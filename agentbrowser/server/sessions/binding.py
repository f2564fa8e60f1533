"""Binding of a connection to its session, which may have belonged to another connection before."""

from collections.abc import Awaitable, Callable
from typing import Literal

import attrs
import structlog

from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.server.corridor.connection import Connection
from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.sessions.lease import Claim, SessionLease
from agentbrowser.server.sessions.session import Session
from agentbrowser.server.sessions.sessions import REPLACED_CLOSE, Sessions, unknown_session
from agentbrowser.server.sessions.store import SavedSession

log = structlog.get_logger("agentbrowser.sessions.binding")


@attrs.frozen(kw_only=True)
class EnteredSession:
    """Session that a client has entered: new, resumed (`warm`) or restored (`cold`)."""

    session: Session
    secret: str | None = attrs.field(repr=False)
    """Secret of the session; None if the client returned without it."""
    restored: Literal["warm", "cold"] | None = None
    missed: int | None = None


@attrs.define(eq=False, kw_only=True)
class SessionBinding:
    """Binding of one connection to one session at a time."""

    connection: Connection
    grant: Grant
    sessions: Sessions
    open: Callable[[], Session]
    """Opens another session for the connection."""

    def take(self, session: Session) -> None:
        """Bind the session to the connection."""
        session.binding, session.notify, session.send_notification = (
            self,
            self.connection.notify,
            self.connection.send_notification,
        )
        self.connection.session = session

    async def enter(
        self, id_: str, secret: str | None, last_event: int | None, agree: Callable[[Session], Awaitable[None]]
    ) -> EnteredSession:
        """Resume or restore the client's session, or lease its present one. [trio]

        Args:
          agree: applies the capabilities that the client announces.

        Raises:
          InvalidParams: there is no such session, or the secret is not its.
        """
        owner, claim = self.grant.owner, Claim(id_, secret, last_event)
        saved: SavedSession | None = None
        async with self.sessions.claiming(owner, claim.id):
            session = await self.sessions.find_current(owner, claim)
            if session is None:
                saved = await self.sessions.claim_saved(owner, claim)
            if saved is not None:
                self._restore_saved(saved, claim)
        if session is not None and session.lease is not None:
            entered = self._resume_warm(session, session.lease, claim)
            await agree(session)
            self.sessions.restores["warm"] += 1
            return entered
        if saved is not None:
            return await self._enter_restored(claim, agree)
        if claim.secret is not None:
            raise unknown_session()
        entered = await self._begin(claim)
        await agree(entered.session)
        return entered

    async def _enter_restored(self, claim: Claim, agree: Callable[[Session], Awaitable[None]]) -> EnteredSession:
        session = self.connection.session
        try:
            await agree(session)  # first, since restoring reports the pages that are refused
        except BaseException:
            self.sessions.start(self.sessions.abandon, session)
            raise
        await self.sessions.restore(session)
        if session.lease is not None:
            session.lease.is_cold = False
        return EnteredSession(session=session, secret=claim.secret, restored="cold")

    async def _begin(self, claim: Claim) -> EnteredSession:
        fresh = self.connection.session
        self.sessions.release(fresh)  # after a failed `initialize` no client has its secret
        secret = self.sessions.keep(fresh, self.grant.owner, claim.id)
        try:
            await self.sessions.snapshots.watch(fresh)
        except BaseException:
            self.sessions.release(fresh)
            raise
        return EnteredSession(session=fresh, secret=secret)

    def _restore_saved(self, saved: SavedSession, claim: Claim) -> None:
        """Bind the connection to a session of the saved one, whose pages are not open yet."""
        session = self.open()
        shown = saved.has_shown_secret or claim.secret is not None
        lease = SessionLease(
            id=saved.id,
            owner=saved.owner,
            proof=saved.proof,
            has_shown_secret=shown,
            generation=saved.generation,
            nursery=self.sessions.nursery,
        )
        lease.snapshot, lease.backlog.seq, lease.is_cold = saved.snapshot, claim.last_event or 0, True
        lease.is_unopened = True
        session.prepare_restore(saved.snapshot)
        self.sessions.adopt(session, lease)
        self._close_fresh()
        self.take(session)
        log.info("session_revived", session=saved.id, pages=len(saved.snapshot.pages))

    def _resume_warm(self, session: Session, lease: SessionLease, claim: Claim) -> EnteredSession:
        if claim.secret is not None and not lease.has_shown_secret:
            lease.has_shown_secret = True
            self.sessions.snapshots.save_soon(session)
        restored: Literal["warm", "cold"] = "cold" if lease.is_cold else "warm"
        lease.is_cold = False
        if session.binding is self:  # after an `initialize` that failed or was cancelled
            return EnteredSession(session=session, secret=claim.secret, restored=restored)
        cursor = lease.cursor if claim.last_event is None else claim.last_event
        missed = lease.backlog.missed(cursor)
        lease.last_sent = cursor + missed
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
        """Close the connection's present session, which another one replaces."""
        fresh = self.connection.session
        fresh.binding = None
        fresh.mute()
        self.sessions.start(self.sessions.close, fresh)

    def park(self) -> None:
        """Park the session, and bind the connection to a new one.

        Raises:
          InvalidParams: the session has no id.
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
        """Park or close the session at the end of the connection. [trio]"""
        session = self.connection.session
        if session.binding is not self:
            return  # another connection has taken it over
        session.binding = None
        session.mute()  # what closing its pages reports would stay in the outbox, and in its owner's memory for answers
        if session.lease is not None and not self.grant.is_expired():
            self.sessions.park(session, self.grant.left_s)
        else:
            await self.sessions.close(session)
