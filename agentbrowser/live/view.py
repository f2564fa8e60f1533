"""Live view of a server: its sessions and pages, the persons who watch, and what waits for them."""

import contextlib
import itertools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakValueDictionary

import attrs
import structlog
import trio

from agentbrowser.browser.portal import Portal, PortalClosed
from agentbrowser.live.access import Access, AccessBook
from agentbrowser.live.page_stream import PageStream
from agentbrowser.policy.redaction import redact_address
from agentbrowser.protocol.errors import AgentBrowserError, InvalidParams
from agentbrowser.protocol.registry import Scope
from agentbrowser.protocol.types.page import Dialog, ListedPage
from agentbrowser.server.corridor.approvals import Approvals
from agentbrowser.server.corridor.outbox import OwnerShare
from agentbrowser.server.gate.auth import Grant, Owner
from agentbrowser.server.gate.frame_meter import Intake
from agentbrowser.server.sessions.handoffs import Handoff, Handoffs
from agentbrowser.server.sessions.session import Session

if TYPE_CHECKING:
    from agentbrowser.live.watcher import Watcher

log = structlog.get_logger("agentbrowser.live")

_TICK_S: Final = 0.25
_SHUTDOWN: Final = (1001, "server shutdown")
"""Close code for a server that ends: the tab tries again, since another one may take its place."""
_LISTING_TICKS: Final = 4
"""Ticks between two listings of the pages."""
_LIST_TIMEOUT_S: Final = 1.0
_LINK_PATH: Final = "/live#link="
LINK_HOLDER: Final = "whoever has the link"
"""Name of those who came by a handoff's link: its client receives the link itself, so it proves no person."""


@attrs.define(eq=False, kw_only=True)
class LiveView:
    """Live view of a server."""

    portal: Portal
    approvals: Approvals
    handoffs: Handoffs
    book: AccessBook
    sessions: Callable[[], list[Session]]
    """Returns the connected and the parked sessions."""
    grant_of: Callable[[Session], Grant | None]
    """Returns the grant of a session's connection: access by its links ends with it."""
    base_url: str | None
    """URL of the server for browsers; None if it listens on no port."""
    idle_s: float
    watchers: dict["Watcher", None] = attrs.field(factory=dict, init=False)
    _streams: dict[tuple[Session, str], PageStream] = attrs.field(factory=dict, init=False)
    _shares: WeakValueDictionary[tuple[Owner | None, bool], OwnerShare] = attrs.field(
        factory=WeakValueDictionary, init=False
    )
    """Shares of those who watch, by the owner whose access it is, and by whether they are operators."""
    _intakes: WeakValueDictionary[tuple[Owner | None, bool], Intake] = attrs.field(
        factory=WeakValueDictionary, init=False
    )
    """Memory for their messages, by the same."""
    _joined: trio.Event = attrs.field(factory=trio.Event, init=False)
    _asked: dict[str, tuple[Session, dict[str, Any]]] = attrs.field(factory=dict, init=False)
    """Requests that wait for an approver, by id."""
    _dialogs: WeakValueDictionary[int, Dialog] = attrs.field(factory=WeakValueDictionary, init=False)
    """Open dialogs that were listed, by a number: two of them may have the same text."""
    _numbers: Iterator[int] = attrs.field(factory=itertools.count, init=False)

    def __attrs_post_init__(self) -> None:
        self.approvals.desk = self
        self.handoffs.link_to = self._handoff_link
        self.handoffs.create_link = self.create_link
        self.handoffs.on_change = lambda handoff: self.report_handoffs()

    def join(self, watcher: "Watcher") -> None:
        """Keep a watcher up to date from now on."""
        self.watchers[watcher] = None
        self._joined.set()

    def share_of(self, access: Access) -> OwnerShare:
        """Return the share of the loop's turns for the commands of a watcher, and of those who are limited with it."""
        return self._shares.setdefault((access.made_by, access.may_approve), OwnerShare())

    def intake_of(self, access: Access) -> Intake:
        """Return the memory for the messages of a watcher, and of those who are limited with it."""
        return self._intakes.setdefault((access.made_by, access.may_approve), Intake())

    def end(self) -> None:
        """End the handoffs and have all watchers leave, since the server ends."""
        self.handoffs.stop()
        for watcher in list(self.watchers):
            watcher.leave(_SHUTDOWN)

    # Links

    def create_link(self, session: Session, only: str | None) -> str | None:
        """Return a link for the operator, with the rights of a client.

        Args:
          only: id or number of the session that it is for.

        Raises:
          InvalidParams: there is no such session.
        """
        if self.base_url is None:
            return None
        is_operator = session.scope >= Scope.PRIVILEGED
        owner = None if is_operator else session.owner
        access = Access(
            name="the operator",
            may_approve=is_operator,
            owner=owner,
            grant=self.grant_of(session),
            made_by=session.owner,
        )
        if only is not None:
            found = next((one for one in self.sessions() if only in (one.name, str(one.number))), None)
            if found is None or not access.sees(found):
                message = f"There is no session {only[:100]}."
                expected = ", ".join(one.name for one in self.sessions() if access.sees(one)) or "none is open"
                raise InvalidParams(message, path="session", expected=expected, got=only[:100])
            access = attrs.evolve(access, session=found)
        return self.base_url + _LINK_PATH + self.book.create_link(access)

    def _handoff_link(self, handoff: Handoff) -> str | None:
        if self.base_url is None:
            return None
        access = Access(
            name=LINK_HOLDER,
            session=handoff.session,
            handoff=handoff,
            grant=self.grant_of(handoff.session),
            made_by=handoff.session.owner,
        )
        return self.base_url + _LINK_PATH + self.book.create_link(access, handoff.expires_s - trio.current_time())

    # Approvals

    def is_open(self, requester: Session) -> bool:
        """Return True if a watcher may decide about requests of a session."""
        return any(one.access.may_approve and one.access.sees(requester) for one in self.watchers)

    def offer(self, requester: Session, asking: dict[str, Any]) -> None:
        """Show a request that waits for a decision."""
        self._asked[asking["requestId"]] = requester, asking
        self.report_approvals()

    def close(self, request_id: str) -> None:
        """Show a request no longer."""
        if self._asked.pop(request_id, None) is not None:
            self.report_approvals()

    def decide(self, access: Access, request_id: Any, decision: Any) -> None:
        """Decide on a request for a watcher."""
        asked = self._asked.get(str(request_id))
        if asked is not None and access.may_approve and access.sees(asked[0]) and decision in ("approve", "deny"):
            self.approvals.decide(str(request_id), decision, "decided on the live view")

    def report_approvals(self) -> None:
        """Send the requests that wait for a decision to those who may decide."""
        for watcher in self.watchers:
            if watcher.access.may_approve:
                asked = [one for session, one in self._asked.values() if watcher.access.sees(session)]
                watcher.outlet.put_state("approvals", asked)

    # Handoffs

    def handoffs_for(self, access: Access) -> list[Handoff]:
        """Return the open handoffs that a person may answer."""
        return [one for session in self.sessions() if access.sees(session) for one in self.handoffs.of(session)]

    def report_handoffs(self) -> None:
        """Send the open handoffs to all watchers."""
        for watcher in self.watchers:
            watcher.outlet.put_state("handoffs", [_handoff(one) for one in self.handoffs_for(watcher.access)])

    def end_handoffs(self, access: Access, session: Session, page_id: str) -> None:
        """End the open handoffs of a page as done."""
        for handoff in self.handoffs_for(access):
            if handoff.session is session and handoff.page_id == page_id:
                self.handoffs.end(handoff, "done", access.name)

    # Streams

    def find(self, access: Access, number: Any) -> Session | None:
        """Return the session of that number, if the person may watch it."""
        return next((one for one in self.sessions() if one.number == number and access.sees(one)), None)

    def stream(self, session: Session, page_id: str) -> PageStream:
        """Return the stream of a page."""
        key = session, page_id
        if key not in self._streams:
            self._streams[key] = PageStream(session, page_id, self.idle_s)
        return self._streams[key]

    async def leave(self, stream: PageStream, watcher: "Watcher") -> None:
        """Have a watcher leave a stream; the last one ends it. [trio]"""
        with trio.CancelScope(shield=True), contextlib.suppress(PortalClosed):
            await stream.leave(watcher)
        # Who waits for the stream's lock has chosen the page while the last one was leaving.
        is_left = not (stream.watchers or stream.opening.locked())
        if is_left and self._streams.get((stream.session, stream.page_id)) is stream:
            del self._streams[stream.session, stream.page_id]

    async def run(self) -> None:
        """Keep the watchers up to date. [trio]"""
        ticks, is_failing = 0, False
        while True:
            if not self.watchers:  # an idle server has nothing to wake up for
                self._joined = trio.Event()
                await self._joined.wait()
            await trio.sleep(_TICK_S)
            ticks += 1
            try:
                await self._tick(is_listing_due=ticks % _LISTING_TICKS == 0)
            except Exception:  # it would end the server
                if not is_failing:
                    log.exception("live_view_failed")
                is_failing = True
            else:
                is_failing = False

    async def _tick(self, *, is_listing_due: bool) -> None:
        for stream in list(self._streams.values()):
            stream.tick(trio.current_time())
            if stream.is_idle and stream.holder is not None:
                await stream.holder.hand_back("nobody has used it for long")
        for watcher in list(self.watchers):
            watcher.check()
        if is_listing_due:
            await self.report_sessions()
            for stream in list(self._streams.values()):
                await self._refreshed(stream)

    async def _refreshed(self, stream: PageStream) -> None:
        """Have a stream show the page that has taken the place of a crashed one. [trio]"""
        with trio.move_on_after(_LIST_TIMEOUT_S), contextlib.suppress(PortalClosed, AgentBrowserError):
            await self.portal.run(stream.view.refresh)

    async def report_sessions(self) -> None:
        """Send the sessions and their pages to all watchers. [trio]"""
        listed = {}
        for session in self.sessions():
            if any(watcher.access.sees(session) for watcher in self.watchers):
                listed[session] = await self._described(session)
        for watcher in self.watchers:
            seen = [entry for session, entry in listed.items() if watcher.access.sees(session)]
            watcher.outlet.put_state("sessions", seen)
            watcher.report_page(listed)

    async def _described(self, session: Session) -> dict[str, Any]:
        pages: list[dict[str, Any]] = []
        with trio.move_on_after(_LIST_TIMEOUT_S), contextlib.suppress(PortalClosed, AgentBrowserError):
            pages = [self._page(one) for one in await self.portal.run(session.tabs.describe)]
        entry = {"number": session.number, "name": session.name, "token": session.token, "pages": pages}
        plain: dict[str, Any] = session.masks.plain(entry)
        return plain

    def _page(self, listed: ListedPage) -> dict[str, Any]:
        dialog = listed.dialog
        shown = dialog and {
            "number": self._number_of(dialog),
            "type": dialog.type,
            "message": dialog.message,
            "defaultValue": dialog.default_value or "",
        }
        return {"id": listed.id, "url": redact_address(listed.url), "title": listed.title, "dialog": shown}

    def _number_of(self, dialog: Dialog) -> int:
        number = next((number for number, one in self._dialogs.items() if one is dialog), None)
        if number is None:
            number = next(self._numbers)
            self._dialogs[number] = dialog
        return number

    def dialog(self, number: Any) -> Dialog | None:
        """Return the open dialog of a number; None if it is closed."""
        return self._dialogs.get(number) if type(number) is int else None  # True would be 1


def _handoff(handoff: Handoff) -> Any:
    shown = {
        "id": handoff.id,
        "session": handoff.session.number,
        "page": handoff.page_id,
        "reason": handoff.reason,
        "instructions": handoff.instructions,
        "choices": handoff.choices,
        "expiresAt": handoff.expires_at_ms,
    }
    return handoff.session.masks.plain(shown)
