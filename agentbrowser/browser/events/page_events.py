"""What every tab hears of its page as a whole, and how to listen without harm."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import attrs
import structlog
from playwright.async_api import Frame

from agentbrowser.protocol.types.event import PageEvent

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab

log = structlog.get_logger("agentbrowser.browser")


def wrapped(listener: Callable[[Any], object]) -> Callable[[Any], None]:
    """Return the listener with its errors logged: Playwright would raise them in the next unrelated call."""

    def listen(heard: Any) -> None:
        try:
            listener(heard)
        except Exception:  # whatever it is, it must not reach another call
            log.exception("listener_failed", listener=getattr(listener, "__qualname__", repr(listener)))

    return listen


@attrs.frozen(eq=False)
class Reporter:
    """What one tab tells of its page as a whole."""

    tab: "Tab"

    def attach(self) -> None:
        """Start listening to the page."""
        page = self.tab.page
        page.on("framenavigated", wrapped(self._navigated))
        page.on("domcontentloaded", wrapped(lambda _: self._report("domcontentloaded")))
        page.on("crash", wrapped(lambda _: self.tab.crashed()))

    def loaded(self) -> None:
        """Report that the page has loaded."""
        self.tab.status = "ready"
        self._report("load")

    def crashed(self) -> None:
        """Report that the page has crashed."""
        self.tab.status = "error"
        self._report("crashed")

    def _report(self, type_: Any) -> None:
        self.tab.emit(PageEvent(type=type_, page_id=self.tab.id, url=self.tab.page.url))

    def _navigated(self, frame: Frame) -> None:
        if frame.parent_frame is None:
            self.tab.status = "loading"
            self._report("navigated")
