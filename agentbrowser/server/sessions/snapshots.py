"""Snapshots of sessions, which outlive the browser and, with a store, the server."""

import contextlib
import math
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Container, Iterable
from functools import partial
from typing import Final, TypeVar

import attrs
import structlog
import trio

from agentbrowser.browser.tabs import Tabs
from agentbrowser.policy import urls
from agentbrowser.policy.urls import UrlRules
from agentbrowser.protocol.errors import (
    AgentBrowserError,
    BrowserNotLaunched,
    DomainNotAllowed,
    InvalidParams,
    ServerBusy,
)
from agentbrowser.protocol.types.event import PageEvent, Report
from agentbrowser.protocol.types.snapshot import ContextSnapshot, PageSnapshot, SessionSnapshot
from agentbrowser.protocol.types.storage import StorageState
from agentbrowser.server.corridor import dispatch
from agentbrowser.server.corridor.url_checks import UrlChecks
from agentbrowser.server.corridor.work_gate import WorkGate
from agentbrowser.server.gate.auth import Owner
from agentbrowser.server.sessions.lease import Claim, SessionLease, save_failed
from agentbrowser.server.sessions.save_queue import SaveQueue, row_of
from agentbrowser.server.sessions.session import Session
from agentbrowser.server.sessions.store import SavedSession, SessionStore, StoreUnavailable

T = TypeVar("T")

log = structlog.get_logger("agentbrowser.sessions.snapshots")

_REFRESH_PAUSE_S: Final = 5.0
MAX_RESTORES: Final = 3
"""Sessions whose pages are restored at the same time, but for those that wait for a site."""
_RESTORE_HOLD_S: Final = 1.0
"""Time after which a restoration gives its slot up: it mostly waits for a site by then."""
_TAKE_TIMEOUT_S: Final = 3.0
_STUCK_S: Final = 1.0
"""Least duration of a call that a stuck store does not answer; one that is gone refuses it at once."""
_TURN_TIMEOUT_S: Final = 10.0
_LAUNCH_TRIES: Final = 5
_LAUNCH_PAUSE_S: Final = 1.0
_MAX_REOPENED: Final = 3
"""Restorations of a session per minute: one of its pages may crash the browser."""


@attrs.define(eq=False)
class SessionSnapshots:
    """Snapshots of all sessions with an id."""

    store: SessionStore | None = None
    held: Callable[[], Iterable[Session]] = attrs.field(default=tuple, init=False)
    """Returns the sessions with an id; the owner sets it."""
    on_fenced: Callable[[Session], object] = attrs.field(default=lambda session: None, init=False)
    """Closes a session that another node has claimed; the owner sets it."""
    is_store_up: bool = attrs.field(default=True, init=False)
    """False from a failure of the store to its next success."""
    is_store_stuck: bool = attrs.field(default=False, init=False)
    """True if the store accepted the last call, and did not answer in time. A call then costs its caller seconds for
    nothing: only saves, and the refreshment every 5 s, go on to try."""
    failures: int = attrs.field(default=0, init=False)
    """Number of calls that the store did not answer; saves are repeated."""
    fenced: int = attrs.field(default=0, init=False)
    """Number of sessions that another node has claimed."""
    unopened: int = attrs.field(default=0, init=False)
    """Number of losses of a browser after which the pages of a session could not all be opened again."""
    saves: SaveQueue = attrs.field(init=False)
    """Sessions with changes that are not saved."""
    restores: WorkGate = attrs.field(
        factory=lambda: WorkGate(width=MAX_RESTORES, timeout_s=math.inf, longest_hold_s=_RESTORE_HOLD_S), init=False
    )
    """Restorations of pages: owner by owner in turn, and those that wait for a site give way to others."""

    def __attrs_post_init__(self) -> None:
        self.saves = SaveQueue(store=self.store, report=self._report, fence=self._fence)

    @property
    def is_persistent(self) -> bool:
        """Return True if snapshots outlive the server."""
        return self.store is not None

    @property
    def unsaved(self) -> int:
        """Return the number of sessions with changes that are not saved."""
        return len(self.saves)

    async def run(self) -> None:
        """Save changed sessions, until cancelled. [trio]"""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._refresh)
            nursery.start_soon(self.restores.run)
            nursery.start_soon(self.saves.run)

    async def watch(self, session: Session) -> None:
        """Take snapshots of a session from now on, and restore its pages after a loss of the browser. [trio]"""
        call_in_trio = session.portal.call_in_trio
        show = partial(call_in_trio, self._note, session)
        lost = partial(call_in_trio, self._on_lost, session)
        await session.portal.run(_begin, session.tabs, show, lost)

    async def take(self, session: Session) -> None:
        """Take a snapshot of a session now, unless its pages are not restored yet. [trio]"""
        if session.lease is None or session.lease.is_unopened:
            return
        with trio.move_on_after(_TAKE_TIMEOUT_S):
            try:
                snapshot = await session.portal.run(session.tabs.contexts.snapshots.take)
                if snapshot is not None:
                    self._note(session, snapshot)
            except Exception as error:  # noqa: BLE001 - explain() logs foreign errors; the snapshot before stays
                log.info("snapshot_not_taken", error=str(dispatch.explain(error)))

    async def save_at_end(self, session: Session) -> AgentBrowserError | None:
        """Save the last snapshot of a session and release it; return None on success, else the reason. [trio]

        What the store does not accept now is kept, and saved later.
        """
        lease = session.lease
        if self.store is None or lease is None:
            return save_failed()
        await self.take(session)
        self.end(session)
        if not await self.saves.write(lease.owner) or lease.snapshot is None:
            return save_failed()
        return self.store.refused.pop(lease.proof, None)

    def end(self, session: Session) -> None:
        """Release a session soon, with its snapshot of now."""
        self.saves.withdraw(session)
        row = None if session.lease is None else row_of(session.lease)
        if self.store is not None and row is not None:
            self.saves.put_ended(row)

    def recall(self, lease: SessionLease) -> None:
        """Cancel the release of a session that goes on."""
        self.saves.withdraw_ended(lease)

    async def claim(self, owner: Owner, claim: Claim, alive: Container[bytes]) -> SavedSession | None:
        """Return the saved session that a claim names, which this node then holds. [trio]

        Args:
          alive: the proofs of running sessions, which are never restored.

        Raises:
          StoreUnavailable: the store does not answer.
        """
        if self.store is None:
            return None

        def fits(proof: bytes, shown: bool) -> bool:
            return claim.is_met_by(owner, proof, shown) and proof not in alive

        # A client that returns before its session is saved would be refused, and forget the secret.
        if self.saves.has_ended(owner, claim.id):
            await self.saves.write(owner)
        self._check_stuck()
        return await self._ask(self.store.claim(owner, claim.id, fits))

    async def is_current(self, session: Session) -> bool:
        """Return False if another node has claimed the session; True also while the store does not answer. [trio]"""
        row = None if session.lease is None else row_of(session.lease)
        if self.store is None or row is None:
            return True
        try:
            claimed, _ = await self._ask(self.store.refresh([row]))
        except StoreUnavailable:
            return True
        return row.proof not in claimed

    async def give_back(self, lease: SessionLease) -> None:
        """Release a session that could not be restored; its saved snapshot stays as it is. [trio]"""
        row = row_of(lease)
        if self.store is not None and row is not None:
            try:
                await self._ask(self.store.give_back(row))
            except StoreUnavailable as error:  # the next claim waits in vain for this node, and then succeeds
                log.warning("session_not_given_back", session=lease.id, error=str(error))

    async def forget(self, lease: SessionLease) -> None:
        """Delete a saved session. [trio]"""
        self.saves.withdraw_ended(lease)
        if self.store is not None:
            try:
                self._check_stuck()
                await self._ask(self.store.forget(lease.owner, lease.id, lease.proof))
            except StoreUnavailable as error:  # the row's life is limited
                log.warning("session_not_forgotten", session=lease.id, error=str(error))

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
            await self.restores.work(session.token, partial(_open, session, lease, snapshot))
            session.receive_events(refused, {})
        finally:
            turn.leave()

    def save_soon(self, session: Session) -> None:
        """Save a session soon."""
        if self.store is not None:
            self.saves.put(session)

    def _note(self, session: Session, snapshot: SessionSnapshot) -> None:
        if session.lease is not None and not session.lease.is_unopened:
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
            lease.nursery.start_soon(self._try_to_reopen, session, lease.snapshot)

    async def _try_to_reopen(self, session: Session, snapshot: SessionSnapshot) -> None:
        try:
            try:
                await self.reopen(session)
            except ServerBusy as full:
                await _drop_unopened(session, partial(session.tabs.contexts.snapshots.give_up, snapshot, full.message))
                raise
        except Exception as error:  # noqa: BLE001 - explain() logs foreign errors
            self.unopened += 1
            log.warning("session_not_reopened", error=str(dispatch.explain(error)))

    async def _refresh(self) -> None:
        """Detect a store that does not answer, and sessions that other nodes have claimed, until cancelled."""
        while self.store is not None and self.store.is_shared:
            with contextlib.suppress(StoreUnavailable):
                await self._refresh_once(self.store)
            await trio.sleep(_REFRESH_PAUSE_S)

    async def _refresh_once(self, store: SessionStore) -> None:
        held = list(self.held())
        rows = [row for session in held if session.lease is not None and (row := row_of(session.lease))]
        claimed, missing = await self._ask(store.refresh(rows))
        self._fence(held, claimed)
        wanted = set(missing) - store.refused.keys()  # those are saved with their next change
        for session in held:
            if session.lease is not None and session.lease.proof in wanted:
                self.save_soon(session)
        for proof in store.refused.keys() - {row.proof for row in rows}:
            del store.refused[proof]

    def _fence(self, sessions: Iterable[Session], claimed: Collection[bytes]) -> None:
        for session in list(sessions) if claimed else ():
            if session.lease is not None and session.lease.proof in claimed:
                self.fenced += 1
                log.warning("session_fenced", session=session.lease.id)
                self.on_fenced(session)

    async def _ask(self, call: Awaitable[T]) -> T:
        """Return the answer of the store, or report that there is none."""
        began_s = trio.current_time()
        try:
            answer = await call
        except StoreUnavailable as error:
            if "cause" in error.details:  # else it has answered with a snapshot that this node can't open
                self.is_store_stuck = trio.current_time() - began_s >= _STUCK_S
                self._report(error)
            raise
        self.is_store_stuck = False
        if not self.unsaved:  # else it may answer, and still refuse what is to be saved
            self._report(None)
        return answer

    def _check_stuck(self) -> None:
        if self.is_store_stuck:
            raise StoreUnavailable("The store of sessions does not answer.")

    def _report(self, error: StoreUnavailable | None) -> None:
        """Count a failure of the store; log the first, and the recovery."""
        if error is not None:
            self.failures += 1
            if self.is_store_up:
                log.error("store_failed", error=error.details.get("cause") or str(error))
        else:
            self.is_store_stuck = False
            if not self.is_store_up:
                log.info("store_recovered", unsaved=self.unsaved)
        self.is_store_up = error is None


async def _open(session: Session, lease: SessionLease, snapshot: SessionSnapshot) -> None:
    async def restore() -> None:
        lease.is_unopened = False  # from here on, the browser side takes no snapshot before all pages are open
        await _drop_unopened(session, partial(session.tabs.contexts.snapshots.reopen, snapshot))

    for left in reversed(range(_LAUNCH_TRIES)):
        try:
            if session.admission is None:
                await restore()
            else:
                await session.admission.admit(restore, session.owner, session.notify_queued)
            return
        except BrowserNotLaunched:
            if not left:
                raise
            await trio.sleep(_LAUNCH_PAUSE_S)


async def _drop_unopened(session: Session, work: Callable[[], Awaitable[list[str]]]) -> None:
    """Run work in the browser thread that returns the ids of pages which are not open: none of them stays active."""
    for page_id in await session.portal.run(work):
        session.drop(page_id)


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


async def _begin(tabs: Tabs, show: partial[None], lost: partial[None]) -> None:
    tabs.contexts.snapshots.begin(show, lost)
