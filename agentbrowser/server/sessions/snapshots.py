"""Snapshots of sessions, which outlive the browser and, with a store, the server."""

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

log = structlog.get_logger("agentbrowser.sessions.snapshots")

_WRITE_PAUSE_S: Final = 0.5
_TAKE_TIMEOUT_S: Final = 3.0
_TURN_TIMEOUT_S: Final = 10.0
_LAUNCH_TRIES: Final = 5
_LAUNCH_PAUSE_S: Final = 1.0
_MAX_REOPENED: Final = 3
"""Restorations of a session per minute: one of its pages may crash the browser."""


@attrs.define(eq=False)
class SessionSnapshots:
    """Snapshots of all sessions with an id."""

    store: SessionStore | None = None
    _changed: dict[Session, None] = attrs.field(factory=dict, init=False)
    _news: trio.Event = attrs.field(factory=trio.Event, init=False)

    @property
    def is_persistent(self) -> bool:
        """Return True if snapshots outlive the server."""
        return self.store is not None

    async def run(self) -> None:
        """Save changed sessions, until cancelled. [trio]"""
        while True:
            await self._news.wait()
            await trio.sleep(_WRITE_PAUSE_S)
            await self._write()

    async def watch(self, session: Session) -> None:
        """Take snapshots of a session from now on, and restore its pages after a loss of the browser. [trio]"""
        call_in_trio = session.portal.call_in_trio
        show = partial(call_in_trio, self._note, session)
        lost = partial(call_in_trio, self._on_lost, session)
        await session.portal.run(_begin, session.tabs, show, lost)

    async def take(self, session: Session) -> None:
        """Take a snapshot of a session now. [trio]"""
        with trio.move_on_after(_TAKE_TIMEOUT_S):
            try:
                snapshot = await session.portal.run(_take, session.tabs)
                if snapshot is not None:
                    self._note(session, snapshot)
            except Exception as error:  # noqa: BLE001 - explain() logs foreign errors; the snapshot before stays
                log.info("picture_not_taken", error=str(dispatch.explain(error)))

    async def save_at_end(self, session: Session) -> bool:
        """Save the last snapshot of a session, and return True on success. [trio]"""
        lease = session.lease
        if self.store is None or lease is None:
            return False
        await self.take(session)
        self.save_soon(session)
        return await self._write() and lease.snapshot is not None

    async def find(self, owner: Owner, claim: Claim, alive: Container[bytes]) -> SavedSession | None:
        """Return the saved session that a claim names. [trio]

        Args:
          alive: the proofs of running sessions, which are never restored.
        """
        if self.store is None:
            return None
        return await self.store.find(
            owner, claim.id, lambda proof, shown: claim.is_met_by(owner, proof, shown) and proof not in alive
        )

    async def forget(self, lease: SessionLease) -> None:
        """Delete a saved session. [trio]"""
        if self.store is not None:
            await self.store.forget(lease.owner, lease.id, lease.proof)

    async def reopen(self, session: Session) -> None:
        """Restore the pages of a session's snapshot, even if its client disconnects meanwhile. [trio]"""
        if session.lease is not None:
            await session.lease.run_detached(partial(self._reopen, session, session.lease), lambda: False)

    async def _reopen(self, session: Session, lease: SessionLease) -> None:
        snapshot, refused = permitted(lease.snapshot or SessionSnapshot(), session.rules)
        turn = session.lanes.take(frozenset(page.page_id for page in snapshot.pages))
        try:
            with trio.move_on_after(_TURN_TIMEOUT_S):
                await turn.wait()  # pending requests end with the browser
            session.private_open, session.active = snapshot.private_open, snapshot.active
            await _open(session, snapshot)
            session.receive_events(refused, {})
        finally:
            turn.leave()

    def save_soon(self, session: Session) -> None:
        """Save a session soon."""
        if self.store is not None:
            self._changed[session] = None
            self._news.set()

    def _note(self, session: Session, snapshot: SessionSnapshot) -> None:
        if session.lease is not None:
            session.lease.snapshot = attrs.evolve(
                snapshot,
                active=session.active,
                private_open=session.private_open,
                secrets=sorted(session.used_secret_names),
            )
            self.save_soon(session)

    def _on_lost(self, session: Session) -> None:
        lease = session.lease
        if lease is not None and session.binding is None:
            lease.is_cold = True
        if lease is not None and lease.snapshot is not None and lease.snapshot.pages and _may_reopen(lease.reopened_s):
            log.info("session_reopened", session=lease.id, pages=len(lease.snapshot.pages))
            lease.nursery.start_soon(self._try_to_reopen, session)

    async def _try_to_reopen(self, session: Session) -> None:
        try:
            await self.reopen(session)
        except Exception as error:  # noqa: BLE001 - explain() logs foreign errors
            log.warning("session_not_reopened", error=str(dispatch.explain(error)))

    async def _write(self) -> bool:
        changed, self._changed, self._news = self._changed, {}, trio.Event()
        saved = [_saved_session(session.lease) for session in changed if session.lease is not None]
        return self.store is None or not saved or await self.store.save(one for one in saved if one is not None)


async def _open(session: Session, snapshot: SessionSnapshot) -> None:
    async def restore() -> None:
        await session.portal.run(_restore_pages, session.tabs, snapshot)

    for left in reversed(range(_LAUNCH_TRIES)):
        try:
            await (restore() if session.admission is None else session.admission.admit(restore, session.notify_queued))
            return
        except BrowserNotLaunched:
            if not left:
                raise
            await trio.sleep(_LAUNCH_PAUSE_S)


def permitted(snapshot: SessionSnapshot, rules: UrlRules) -> tuple[SessionSnapshot, list[Report]]:
    """Return the snapshot without what the present rules refuse, and events that report the refusals."""
    refused: list[Report] = []
    pages = [_permitted_page(page, rules, snapshot.private_open, refused) for page in snapshot.pages]
    url_checks = UrlChecks(rules, snapshot.private_open)
    contexts = [_permitted_context(context, url_checks) for context in snapshot.contexts]
    return attrs.evolve(snapshot, pages=pages, contexts=contexts), refused


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


def _saved_session(lease: SessionLease) -> SavedSession | None:
    if lease.snapshot is None:
        return None
    return SavedSession(lease.owner, lease.id, lease.proof, lease.has_shown_secret, lease.snapshot)


async def _begin(tabs: Tabs, show: partial[None], lost: partial[None]) -> None:
    tabs.contexts.snapshots.begin(show, lost)


async def _take(tabs: Tabs) -> SessionSnapshot | None:
    return await tabs.contexts.snapshots.take()


async def _restore_pages(tabs: Tabs, snapshot: SessionSnapshot) -> None:
    await tabs.contexts.snapshots.reopen(snapshot)
