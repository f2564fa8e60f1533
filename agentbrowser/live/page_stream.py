"""Stream of one page to all its watchers, and the lease of the one who has taken it over."""

import contextlib
from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import attrs
import structlog
import trio

from agentbrowser.browser.live.hold import Holder
from agentbrowser.browser.live.page_view import Outlined, PageView
from agentbrowser.browser.live.person_input import FilesWanted
from agentbrowser.browser.live.screencast import Picture
from agentbrowser.browser.portal import PortalClosed
from agentbrowser.live.outlet import encoded
from agentbrowser.policy.redaction import redact_event
from agentbrowser.protocol.types.event import ConsoleEvent, Dropped, NetworkEvent, Report
from agentbrowser.protocol.types.selector import Selector
from agentbrowser.server.sessions.request_log import LoggedRequest
from agentbrowser.server.sessions.session import Session

if TYPE_CHECKING:
    from agentbrowser.live.watcher import Watcher

log = structlog.get_logger("agentbrowser.live")

STILL_S: Final = 1.0
"""Time without a change after which the last picture is sent again, so that a watcher knows that it is live."""
_MAX_TEXT: Final = 500


@attrs.define(eq=False)
class PageStream:
    """Pictures and events of one page: one screencast, however many watch it."""

    session: Session
    page_id: str
    idle_s: float
    """Time without input after which a lease ends."""
    watchers: dict["Watcher", None] = attrs.field(factory=dict, init=False)
    holder: "Watcher | None" = attrs.field(default=None, init=False)
    held: Holder | None = attrs.field(default=None, init=False)
    has_touch: bool = attrs.field(default=False, init=False)
    """True if the page took touch as the holder took it over."""
    opening: trio.Lock = attrs.field(factory=trio.Lock, init=False)
    is_open: bool = attrs.field(default=False, init=False)
    counts: Counter[str] = attrs.field(factory=Counter, init=False)
    """Numbers of console messages by level, and of requests and failures."""
    _reported: Counter[str] = attrs.field(factory=Counter, init=False)
    _last: Picture | None = attrs.field(default=None, init=False)
    _last_input_s: float = attrs.field(default=0.0, init=False)
    view: PageView = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        in_trio = self.session.portal.call_in_trio
        self.view = PageView(
            tabs=self.session.tabs,
            page_id=self.page_id,
            on_picture=partial(in_trio, self._on_picture),
            on_event=partial(in_trio, self._on_event),
            on_files_wanted=partial(in_trio, self._on_files_wanted),
            on_outline=partial(in_trio, self._on_outline),
            is_wanted=lambda: any(watcher.outlet.wants_picture for watcher in tuple(self.watchers)),
        )

    def shows(self, session: Session, page_id: str) -> bool:
        """Return True for its page: ids of pages are those of a session."""
        return session is self.session and page_id == self.page_id

    async def join(self, watcher: "Watcher") -> None:
        """Add a watcher; the first one starts the screencast. [trio]

        Raises:
          AgentBrowserError: there is no such page, or it has no screencast.
        """
        async with self.opening:
            self.watchers[watcher] = None
            if not self.is_open:
                try:
                    await self.session.portal.run(self.view.open)
                except BaseException:
                    del self.watchers[watcher]
                    raise
                self.is_open = True
                self.session.request_log.listeners.append(self._on_request)
            for entry in self.session.request_log.entries:
                watcher.outlet.put_line(encoded(_request_line(entry)))
        if self._last is not None:
            watcher.show(self._last)
        watcher.outlet.put_state("counts", dict(self.counts))

    async def leave(self, watcher: "Watcher") -> None:
        """Remove a watcher; the last one stops the screencast. [trio]"""
        if self.holder is watcher:
            await self.release()
        async with self.opening:
            self.watchers.pop(watcher, None)
            if not self.watchers and self.is_open:
                self.is_open = False
                self.session.request_log.listeners.remove(self._on_request)
                await self.session.portal.run(self.view.close)

    async def take(self, watcher: "Watcher", reason: str) -> None:
        """Give the page to a watcher. [trio]

        Raises:
          AgentBrowserError: another person has it, or it can't be taken over now.
        """
        held = Holder(watcher.access.name, reason)
        self.has_touch = await self.session.portal.run(self.view.take, held)
        self.holder, self.held, self._last_input_s = watcher, held, trio.current_time()
        log.info("page_taken_over", page=self.page_id, by=held.name)

    async def release(self) -> None:
        """Give the page back to the agent. [trio]"""
        if self.holder is not None:
            self.holder = self.held = None
            log.info("page_handed_back", page=self.page_id)
            with contextlib.suppress(PortalClosed):  # the page is gone with its browser
                await self.session.portal.run(_released, self.view)

    def note_input(self) -> None:
        """Note that the holder has done something."""
        self._last_input_s = trio.current_time()

    @property
    def is_idle(self) -> bool:
        """Return True if the holder has done nothing for long."""
        return self.holder is not None and trio.current_time() - self._last_input_s > self.idle_s

    def tick(self, now_s: float) -> None:
        """Send the counts, and the last picture again to those who have had none for a while."""
        self.report_counts()
        for watcher in self.watchers:
            if self._last is not None and now_s - watcher.shown_s >= STILL_S and watcher.outlet.wants_picture:
                watcher.show(self._last)

    def report_counts(self) -> None:
        """Send the counts of events to all watchers, if they have changed."""
        if self._reported != self.counts:
            self._reported = self.counts.copy()
            for watcher in self.watchers:
                watcher.outlet.put_state("counts", dict(self.counts), may_wait=True)

    def _on_picture(self, picture: Picture) -> None:
        self._last = picture
        for watcher in self.watchers:
            watcher.show(picture)

    def _on_files_wanted(self, wanted: FilesWanted | None) -> None:
        if self.holder is not None:
            site = wanted and self.session.masks.plain(wanted.origin)
            asked = wanted and {"number": wanted.number, "site": site, "isMultiple": wanted.is_multiple}
            self.holder.outlet.put_state("files", asked)

    def _on_event(self, event: Report) -> None:
        line = self._line(redact_event(event))
        if line is not None:
            self._put_line(self.session.masks.plain(line))

    def _on_request(self, entry: LoggedRequest, selector: Selector | None) -> None:
        self._put_line(_request_line(entry))
        if selector is not None and entry.page_id == self.page_id and entry.outcome is None:
            wanted = Outlined(entry.number, entry.method, selector)
            self.session.portal.call_in_asyncio(self.view.outline, wanted)

    def _put_line(self, line: Mapping[str, Any]) -> None:
        text = encoded(line)
        for watcher in self.watchers:
            watcher.outlet.put_line(text)

    def _on_outline(self, box: dict[str, Any]) -> None:
        plain = self.session.masks.plain(box)
        for watcher in self.watchers:
            watcher.outlet.put_state("outline", plain, may_wait=True)

    def _line(self, event: Report) -> dict[str, Any] | None:
        """Return an event as a line; None if it is only counted."""
        if isinstance(event, Dropped):
            self.counts[f"{event.event_kind} left out"] += event.count
            return None
        if isinstance(event, ConsoleEvent):
            self.counts[event.level] += 1
            return {"kind": "console", "level": event.level, "text": event.text[:_MAX_TEXT], "time": event.timestamp}
        if not isinstance(event, NetworkEvent):
            return None
        if event.type == "request":
            self.counts["requests"] += 1
            return None
        has_failed = event.type == "failed" or (event.status or 0) >= 400
        self.counts["failed requests"] += has_failed
        return {
            "kind": "network",
            "method": event.method,
            "url": event.url[:_MAX_TEXT],
            "status": event.status,
            "error": event.error,
            "hasFailed": has_failed,
            "time": event.timestamp,
        }


def _request_line(entry: LoggedRequest) -> dict[str, Any]:
    return {
        "kind": "request",
        "number": entry.number,
        "method": entry.method,
        "page": entry.page_id,
        "target": entry.target,
        "isStep": entry.is_step,
        "time": entry.started_ms,
        "outcome": entry.outcome,
        "error": entry.error,
        "durationMs": entry.duration_ms,
    }


async def _released(view: PageView) -> None:
    view.release()
