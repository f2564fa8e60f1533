"""Lifecycle events of pages and frames, and the guard around every Playwright listener."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import attrs
import structlog
from playwright.async_api import Frame, Page

from agentbrowser.policy.urls import is_browsers_own
from agentbrowser.protocol.types.event import FrameEvent, PageEvent
from agentbrowser.protocol.types.frame import MAX_NAME_LENGTH

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab
    from agentbrowser.browser.tabs import Tabs

log = structlog.get_logger("agentbrowser.browser")


def safe_listener(listener: Callable[[Any], object]) -> Callable[[Any], None]:
    """Return a listener that logs its errors: Playwright would raise them in the next unrelated call."""

    def listen(event: Any) -> None:
        try:
            listener(event)
        except Exception:  # of any kind: none may reach another call
            log.exception("listener_failed", listener=getattr(listener, "__qualname__", repr(listener)))

    return listen


def address_of(page: Page) -> str:
    """Return the URL of a page; a window in which no document has loaded, such as that of a download, has no URL."""
    return page.url or "about:blank"


def report_closed_popup(tabs: "Tabs", page: Page, opener: str | None) -> None:
    """Report a popup that was closed before it had a tab. A page without an opener is one of ours, and known."""
    if opener is None:
        return
    page_id, url = next(tabs.ids), address_of(page)
    tabs.closed_pages.note(page_id)
    tabs.emit(PageEvent(type="created", page_id=page_id, url=url, opener=opener))
    tabs.emit(PageEvent(type="close", page_id=page_id, url=url))


@attrs.frozen(eq=False)
class LifecycleEvents:
    """Lifecycle events of one page: navigation, load and crash."""

    tab: "Tab"
    has_loaded: Callable[[Frame], bool]
    """Returns True if the document of a frame has loaded."""

    def attach(self) -> None:
        """Start listening to the page."""
        page = self.tab.page
        page.on("framenavigated", safe_listener(self._navigated))
        page.on("domcontentloaded", safe_listener(lambda _: self._report("domcontentloaded")))
        page.on("crash", safe_listener(lambda _: self.tab.on_crash()))

    def loaded(self) -> None:
        """Report that the page has loaded."""
        self.tab.status = "ready"
        self._report("load")

    def crashed(self) -> None:
        """Report that the page has crashed."""
        self.tab.status = "error"
        self._report("crashed")

    def _report(self, type_: Any) -> None:
        self.tab.emit(PageEvent(type=type_, page_id=self.tab.id, url=address_of(self.tab.page)))

    def _navigated(self, frame: Frame) -> None:
        if frame.parent_frame is None and frame.url:  # the empty document of a new window is no navigation
            if not self.has_loaded(frame):  # in the same document, as by pushState, nothing will load
                self.tab.status = "loading"
            self._report("navigated")
            if is_browsers_own(frame.url):
                self.tab.tabs.evict(self.tab, "a page of the browser's own")


def report_frame_attached(tab: "Tab", frame: Frame) -> None:
    """Emit the event of a new frame."""
    _report_frame(tab, frame, "attached")


def report_frame_navigated(tab: "Tab", frame: Frame) -> None:
    """Emit the event of a frame with another document, or at another fragment of it."""
    _report_frame(tab, frame, "navigated")


def report_frame_detached(tab: "Tab", frame: Frame) -> None:
    """Emit the event of a frame that is gone."""
    _report_frame(tab, frame, "detached")


def _report_frame(tab: "Tab", frame: Frame, type_: Literal["attached", "navigated", "detached"]) -> None:
    frame_id = tab.tabs.frame_ids.of(frame)
    name = frame.name[:MAX_NAME_LENGTH] or None
    tab.emit(FrameEvent(type=type_, page_id=tab.id, frame_id=frame_id, url=frame.url, name=name))
