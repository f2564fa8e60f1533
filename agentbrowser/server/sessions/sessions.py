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
from agentbrowser.server.sessions.lease import Claim, Stay, cant_keep, new_secret, not_kept, proof_of
from agentbrowser.server.sessions.session import Session
from agentbrowser.server.sessions.snapshots import Archive
from agentbrowser.server.sessions.store import Row

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
    archive: Archive
    recalling: trio.Lock = attrs.field(factory=trio.Lock, init=False)
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
        found = [session for session in same if session.stay is not None and session.stay.admits(claim)]
        if not found:
            return None
        session = found[-1]
        _check_cursor(session, claim)
        return session

    async def recall(self, owner: Owner, claim: Claim) -> Row | None:
        """Return what is written of the session that a client wants back, if it is not here. [trio]"""
        here = {one.stay.proof for one in self._known.get((owner, claim.id), ()) if one.stay is not None}
        return await self.archive.find(owner, claim, here)

    def keep(self, session: Session, owner: Owner, id_: str) -> str:
        """Have a session outlive its connection from now on, and return the secret that brings a client back to it."""
        secret = new_secret()
        self.adopt(session, Stay(id=id_, owner=owner, proof=proof_of(secret), nursery=self.nursery))
        return secret

    def adopt(self, session: Session, stay: Stay) -> None:
        """Have a session outlive its connection from now on."""
        session.stay = stay
        self._known.setdefault((stay.owner, stay.id), []).append(session)

    def release(self, session: Session) -> None:
        """Have a session end with its connection again."""
        self._forget(session)
        if session.stay is not None:
            session.stay.stop()
            session.stay = None

    async def release_for_good(self, session: Session, *, keep: bool) -> None:
        """Have a session end with its connection again, and be forgotten unless it is to be kept. [trio]

        Raises:
          InvalidParams: it is to be kept, and can't be.
          InternalError: writing it down has failed.
        """
        stay = session.stay
        if keep and (stay is None or not self.archive.lasts):
            raise cant_keep()
        if keep and not await self.archive.put_away(session):
            raise not_kept()
        self.release(session)
        if stay is not None and not keep:
            await self.archive.forget(stay)

    def start(self, work: Callable[..., Awaitable[object]], *args: object) -> None:
        """Have work done that nobody waits for; should it fail, the log says so, and the server goes on."""
        self.nursery.start_soon(_contained, partial(work, *args))

    async def restore(self, session: Session) -> None:
        """Open the pages of a session that was written down, whether or not its client waits for that. [trio]"""
        if session.stay is not None:
            await session.stay.carry(partial(self._restore, session), lambda: False)

    async def _restore(self, session: Session) -> None:
        try:
            await self.archive.watch(session)
            await self.archive.reopen(session)
        except Exception:
            # What is written of it stays, for the next time.
            self._forget(session)
            session.stay = None
            if session in self._parked:
                self.unpark(session)
                self.start(self.close, session)
            raise

    def park(self, session: Session, longest_s: float = math.inf) -> None:
        """Keep a session that has lost its client, for as long as the operator says, and its token lasts."""
        if session.stay is None or self._is_closing or not self.config.session_ttl_s:
            self._give_up(session)
            return
        session.be_parked()
        scope = self._parked[session] = trio.CancelScope()
        ttl_s = max(0.0, min(self.config.session_ttl_s, longest_s))
        self.nursery.start_soon(self._await_client, session, scope, ttl_s)
        log.info("session_parked", session=session.stay.id, ttl_s=ttl_s)
        self.start(self.archive.look, session)
        self._make_room(session.stay.owner)

    def unpark(self, session: Session) -> None:
        """Stop the time of a session whose client is back."""
        if (scope := self._parked.pop(session, None)) is not None:
            scope.cancel()

    async def _await_client(self, session: Session, scope: trio.CancelScope, ttl_s: float) -> None:
        with scope:
            await trio.sleep(ttl_s)
            log.info("session_expired", session=session.stay.id if session.stay else None)
            self._give_up(session)

    def _make_room(self, owner: Owner) -> None:
        """Close the oldest, of the owner and of all, if there are too many."""
        own = [one for one in self._parked if one.stay is not None and one.stay.owner == owner]
        for crowd, limit in ((own, MAX_PARKED_OF_OWNER), (list(self._parked), self.config.max_parked)):
            for session in crowd[: max(0, len(crowd) - limit)]:
                log.info("session_evicted", session=session.stay.id if session.stay else None)
                self._give_up(session)

    def _give_up(self, session: Session) -> None:
        self.unpark(session)
        self._forget(session)
        self.start(self.close, session)

    def _forget(self, session: Session) -> None:
        if session.stay is None:
            return
        key = session.stay.owner, session.stay.id
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
                await self.archive.put_away(session)
                self.release(session)
                with contextlib.suppress(PortalClosed):
                    await session.end()
        finally:
            with trio.CancelScope(shield=True):
                if session.door is not None:
                    await session.door.close()

    async def close_all(self) -> None:
        """End all, and from now on each that loses its client. [trio]"""
        self._is_closing = True
        async with trio.open_nursery() as nursery:
            for session in [session for same in self._known.values() for session in same]:
                self.unpark(session)
                nursery.start_soon(self.close, session)


async def _contained(work: Callable[[], Awaitable[object]]) -> None:
    try:
        await work()
    except Exception as error:  # noqa: BLE001 - explain() logs what is not ours
        log.warning("session_work_failed", error=str(dispatch.explain(error)))


def unknown() -> InvalidParams:
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
    latest = session.stay.backlog.seq if session.stay is not None else 0
    if claim.last_event is not None and claim.last_event > latest:
        raise InvalidParams(
            "The session has not sent that event yet.",
            path="lastEvent",
            expected=f"the seq of an event, at most {latest}",
            got=claim.last_event,
        )
