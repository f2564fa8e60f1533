"""What Playwright's listeners hear on a page, turned into the events of the protocol."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Literal

import attrs
import structlog
from playwright.async_api import ConsoleMessage, Error, Frame

from agentbrowser.types.event import ConsoleEvent, PageEvent

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab

log = structlog.get_logger("agentbrowser.browser")

MAX_CONSOLE_TEXT: Final = 4096
_LEVELS: Final[dict[str, Literal["debug", "info", "warning", "error"]]] = {
    "debug": "debug",
    "warning": "warning",
    "error": "error",
    "assert": "error",
}


def wrapped(listener: Callable[[Any], object]) -> Callable[[Any], None]:
    """Return the listener with its errors logged: Playwright would raise them in the next unrelated call."""

    def listen(heard: Any) -> None:
        try:
            listener(heard)
        except Exception:  # whatever it is, it must not reach another call
            log.exception("listener_failed", listener=getattr(listener, "__qualname__", repr(listener)))

    return listen


@attrs.define(eq=False)
class Reporter:
    """The listeners on one tab. Those on the console are attached only while somebody wants to know."""

    tab: "Tab"
    _attached: dict[str, Callable[[Any], None]] = attrs.field(factory=dict, init=False)

    def attach(self) -> None:
        """Listen to what every tab must know about itself."""
        page = self.tab.page
        page.on("framenavigated", wrapped(self._navigated))
        page.on("domcontentloaded", wrapped(lambda _: self._report("domcontentloaded")))
        page.on("load", wrapped(lambda _: self._loaded()))
        page.on("crash", wrapped(lambda _: self._crashed()))

    def hear_console(self, wanted: bool) -> None:
        """Start or stop listening to the console, which costs the page time for every line it writes."""
        if wanted == bool(self._attached):
            return
        if wanted:
            self._attached = {"console": wrapped(self._console), "pageerror": wrapped(self._uncaught)}
        for name, listener in self._attached.items():
            (self.tab.page.on if wanted else self.tab.page.remove_listener)(name, listener)  # type: ignore[call-overload]
        if not wanted:
            self._attached = {}

    def _report(self, type_: Any) -> None:
        self.tab.emit(PageEvent(type=type_, page_id=self.tab.id, url=self.tab.page.url))

    def _navigated(self, frame: Frame) -> None:
        if frame.parent_frame is None:
            self.tab.status = "loading"
            self._report("navigated")

    def _loaded(self) -> None:
        self.tab.status = "ready"
        self._report("load")

    def _crashed(self) -> None:
        self.tab.status = "error"
        self._report("crashed")

    def _console(self, message: ConsoleMessage) -> None:
        place = message.location
        self._say(
            message.type,
            message.text,
            url=place.get("url") or None,
            line=place.get("lineNumber"),
            column=place.get("columnNumber"),
        )

    def _uncaught(self, error: Error) -> None:
        self._say("error", str(error))

    def _say(self, type_: str, text: str, **place: Any) -> None:
        level = _LEVELS.get(type_, "info")
        text = text[:MAX_CONSOLE_TEXT]
        self.tab.emit(ConsoleEvent(page_id=self.tab.id, type=type_, text=text, level=level, **place))
