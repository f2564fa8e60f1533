"""Snapshots of sessions, which outlive the browser; with a store, the server too."""

from collections import deque
from collections.abc import Container
from functools import partial
from typing import Final

import attrs
import structlog
import trio

from agentbrowser.browser.tabs import Tabs
from agentbrowser.policy import urls
from agentbrowser.policy.urls import UrlRules
from agentbrowser.protocol.errors import BrowserNotLaunched, DomainNotAllowed, InvalidParams
from agentbrowser.protocol.types.event import PageEvent, Report
from agentbrowser.protocol.types.snapshot import ContextSnapshot, PageSnapshot, SessionSnapshot
from agentbrowser.protocol.types.storage import StorageState
from agentbrowser.server.corridor import dispatch
from agentbrowser.server.corridor.url_checks import UrlChecks
from agentbrowser.server.gate.auth import Owner
from agentbrowser.server.sessions.lease import Claim, SessionLease
from agentbrowser.server.sessions.session import Session
from agentbrowser.server.sessions.store import SavedSession, SessionStore

log = structlog.get_logger("agentbrowser.archive")

_WRITE_PAUSE_S: Final = 0.5
_LOOK_TIMEOUT_S: Final = 3.0
_TURN_TIMEOUT_S: Final = 10.0
_LAUNCH_TRIES: Final = 5
_LAUNCH_PAUSE_S: Final = 1.0
_MAX_REOPENED: Final = 3
"""How often in a minute a session gets its pages again: one of them may be what ends the browser."""


@attrs.define(eq=False)
class SessionSnapshots:
    """Snapshots of all sessions that have an id."""

    store: SessionStore | None = None
    _changed: dict[Session, None] = attrs.field(factory=dict, init=False)
    _news: trio.Event = attrs.field(factory=trio.Event, init=False)

    @property
    def lasts(self) -> bool:
        """Whether it outlives the server."""
        return self.store is not None

    async def run(self) -> None:
        """Write down what changes, until cancelled. [trio]"""
        while True:
            await self._news.wait()
            await trio.sleep(_WRITE_PAUSE_S)
            await self._write()

    async def watch(self, session: Session) -> None:
        """Have pictures of a session from now on, and its pages opened again when the browser is lost. [trio]"""
        tell = session.portal.call_in_trio
        show = partial(tell, self._note, session)
        lost = partial(tell, self._lost, session)
        await session.portal.run(_begin, session.tabs, show, lost)

    async def look(self, session: Session) -> None:
        """Take a picture of a session now. [trio]"""
        with trio.move_on_after(_LOOK_TIMEOUT_S):
            try:
                picture = await session.portal.run(_take, session.tabs)
                if picture is not None:
                    self._note(session, picture)
            except Exception as error:  # noqa: BLE001 - explain() logs what is not ours, and there is the one before
                log.info("picture_not_taken", error=str(dispatch.explain(error)))

    async def save_at_end(self, session: Session) -> bool:
        """Write down how a session looks at its end, and tell whether that worked. [trio]"""
        lease = session.lease
        if self.store is None or lease is None:
            return False
        await self.look(session)
        self.mark(session)
        return await self._write() and lease.picture is not None

    async def find(self, owner: Owner, claim: Claim, alive: Container[bytes]) -> SavedSession | None:
        """Return what is written of the session that a client wants back. [trio]

        Args:
          alive: the proofs of those that are more than what is written of them.
        """
        if self.store is None:
            return None
        return await self.store.find(
            owner, claim.id, lambda proof, shown: claim.is_met_by(owner, proof, shown) and proof not in alive
        )

    async def forget(self, lease: SessionLease) -> None:
        """Delete what is written of a session. [trio]"""
        if self.store is not None:
            await self.store.forget(lease.owner, lease.id, lease.proof)

    async def reopen(self, session: Session) -> None:
        """Open the pages of a session's picture, whether or not its client waits for that. [trio]"""
        if session.lease is not None:
            await session.lease.carry(partial(self._reopen, session, session.lease), lambda: False)

    async def _reopen(self, session: Session, lease: SessionLease) -> None:
        picture, refused = permitted(lease.picture or SessionSnapshot(), session.rules)
        turn = session.lanes.take(frozenset(page.page_id for page in picture.pages))
        try:
            with trio.move_on_after(_TURN_TIMEOUT_S):
                await turn.wait()  # what was under way ends with the browser
            session.private_open, session.active = picture.private_open, picture.active
            await _open(session, picture)
            session.hear(refused, {})
        finally:
            turn.leave()

    def mark(self, session: Session) -> None:
        """Have a session written down again."""
        if self.store is not None:
            self._changed[session] = None
            self._news.set()

    def _note(self, session: Session, picture: SessionSnapshot) -> None:
        if session.lease is not None:
            session.lease.picture = attrs.evolve(
                picture, active=session.active, private_open=session.private_open, secrets=sorted(session.entrusted)
            )
            self.mark(session)

    def _lost(self, session: Session) -> None:
        lease = session.lease
        if lease is not None and session.binding is None:
            lease.is_cold = True
        if lease is not None and lease.picture is not None and lease.picture.pages and _may_reopen(lease.reopened_s):
            log.info("session_reopened", session=lease.id, pages=len(lease.picture.pages))
            lease.nursery.start_soon(self._try_to_reopen, session)

    async def _try_to_reopen(self, session: Session) -> None:
        try:
            await self.reopen(session)
        except Exception as error:  # noqa: BLE001 - explain() logs what is not ours; else there is no browser
            log.warning("session_not_reopened", error=str(dispatch.explain(error)))

    async def _write(self) -> bool:
        changed, self._changed, self._news = self._changed, {}, trio.Event()
        rows = [_row(session.lease) for session in changed if session.lease is not None]
        return self.store is None or not rows or await self.store.save(row for row in rows if row is not None)


async def _open(session: Session, picture: SessionSnapshot) -> None:
    async def again() -> None:
        await session.portal.run(_again, session.tabs, picture)

    for left in reversed(range(_LAUNCH_TRIES)):
        try:
            await (again() if session.admission is None else session.admission.admit(again, session.notify_queued))
            return
        except BrowserNotLaunched:
            if not left:
                raise
            await trio.sleep(_LAUNCH_PAUSE_S)


def permitted(picture: SessionSnapshot, rules: UrlRules) -> tuple[SessionSnapshot, list[Report]]:
    """Return the picture without what the rules of now refuse, and events that tell of it."""
    refused: list[Report] = []
    pages = [_permitted_page(page, rules, picture.private_open, refused) for page in picture.pages]
    url_checks = UrlChecks(rules, picture.private_open)
    contexts = [_permitted_context(context, url_checks) for context in picture.contexts]
    return attrs.evolve(picture, pages=pages, contexts=contexts), refused


def _permitted_page(page: PageSnapshot, rules: UrlRules, private_open: bool, refused: list[Report]) -> PageSnapshot:
    if not page.url.startswith("http"):
        return page
    try:
        return attrs.evolve(page, url=urls.check_url(page.url, rules, private_open=private_open))
    except (InvalidParams, DomainNotAllowed) as error:
        reason = f"It may not go where it was: {error.message}"
        refused.append(PageEvent(type="error", page_id=page.page_id, url=page.url, reason=reason))
        return attrs.evolve(page, url="about:blank")


def _permitted_context(context: ContextSnapshot, url_checks: UrlChecks) -> ContextSnapshot:
    cookies = [cookie for cookie in context.storage.cookies if _passes(url_checks, cookie)]
    origins = [origin for origin in context.storage.origins if _passes(url_checks, origin)]
    return attrs.evolve(context, storage=StorageState(cookies=cookies, origins=origins))


def _passes(url_checks: UrlChecks, part: object) -> bool:
    try:
        url_checks.check(part)
    except (InvalidParams, DomainNotAllowed):
        return False
    return True


def _may_reopen(times_s: deque[float]) -> bool:
    now_s = trio.current_time()
    while times_s and times_s[0] <= now_s - 60:
        times_s.popleft()
    if len(times_s) >= _MAX_REOPENED:
        return False
    times_s.append(now_s)
    return True


def _row(lease: SessionLease) -> SavedSession | None:
    if lease.picture is None:
        return None
    return SavedSession(lease.owner, lease.id, lease.proof, lease.has_shown_secret, lease.picture)


async def _begin(tabs: Tabs, show: partial[None], lost: partial[None]) -> None:
    tabs.contexts.snapshots.begin(show, lost)


async def _take(tabs: Tabs) -> SessionSnapshot | None:
    return await tabs.contexts.snapshots.take()


async def _again(tabs: Tabs, picture: SessionSnapshot) -> None:
    await tabs.contexts.snapshots.reopen(picture)
