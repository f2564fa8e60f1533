"""What is heard of a client's pages, attached to their context and only while the client wants to know."""

from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import attrs
import structlog
from playwright.async_api import BrowserContext, ConsoleMessage, Page, Request, Response

from agentbrowser.browser.events import console, frame_events, network_events
from agentbrowser.browser.events.event_rate import Limits, Pace
from agentbrowser.browser.events.page_events import wrapped
from agentbrowser.protocol.types.event import Dropped

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab
    from agentbrowser.browser.tabs import Tabs

Tell = Callable[["Tab", Any], None]

log = structlog.get_logger("agentbrowser.browser")

# Every event costs the driver, which all clients share: 100,000 lines of a console held it up for 40 s.
_LIMITS: Final = {"console": Limits(100, 1000), "network": Limits(2000, 4000), "frame": Limits(500, 1000)}
_MAX_EARLY: Final = 200

_ALWAYS: Final[Mapping[str, Tell]] = {"pageload": lambda tab, _: tab.reporter.loaded()}
_WHILE_WANTED: Final[Mapping[str, Mapping[str, Tell]]] = {
    "console": {"console": console.wrote, "weberror": console.threw},
    "network": {
        "request": network_events.asked,
        "response": network_events.answered,
        "requestfailed": network_events.failed,
    },
    "frame": {
        "frameattached": frame_events.attached,
        "framenavigated": frame_events.navigated,
        "framedetached": frame_events.detached,
    },
}


@attrs.define(eq=False)
class Listeners:
    """The listeners on one context. What is heard of a page before it is taken in is kept until it is."""

    tabs: "Tabs"
    context: BrowserContext
    _attached: dict[str, dict[str, Callable[[Any], None]]] = attrs.field(factory=dict, init=False)
    _paces: dict[str, Pace] = attrs.field(factory=dict, init=False)
    _early: deque[Callable[[], None]] = attrs.field(factory=lambda: deque(maxlen=_MAX_EARLY), init=False)

    def attach(self) -> None:
        """Listen to what must be known whoever wants it."""
        for name, tell in _ALWAYS.items():
            self._on(name, wrapped(partial(self._heard, tell)))
        self._on("download", wrapped(self.tabs.downloads.take))
        for kind, limits in _LIMITS.items():
            self._paces[kind] = Pace(limits, partial(self._second_over, kind))
        self.hear(self.tabs.wanted)

    def hear(self, kinds: frozenset[str]) -> None:
        """Listen to just these kinds of events, of those that cost."""
        for kind in self._attached.keys() - kinds:
            self._leave(kind)
        for kind in (_WHILE_WANTED.keys() & kinds) - self._attached.keys():
            self._attached[kind] = {
                name: wrapped(partial(self._heard_of_many, kind, tell)) for name, tell in _WHILE_WANTED[kind].items()
            }
            for name, listener in self._attached[kind].items():
                self._on(name, listener)

    def release(self) -> None:
        """Tell what was heard early, as far as its pages are known by now."""
        early, self._early = self._early, deque(maxlen=_MAX_EARLY)
        for tell in early:
            tell()

    def closed(self) -> None:
        """Let go of what belongs to the context."""
        for pace in self._paces.values():
            pace.stop()

    def _on(self, name: str, listener: Callable[[Any], None]) -> None:
        self.context.on(name, listener)  # type: ignore[call-overload]

    def _leave(self, kind: str) -> None:
        for name, listener in self._attached.pop(kind).items():
            self.context.remove_listener(name, listener)

    def _heard(self, tell: Tell, heard: Any) -> None:
        tab = self.tabs.tab_of(_page_of(heard))
        if tab is None:
            self._early.append(partial(self._heard, tell, heard))
        else:
            tell(tab, heard)

    def _heard_of_many(self, kind: str, tell: Tell, heard: Any) -> None:
        self._heard(partial(self._tell_some, kind, tell), heard)

    def _tell_some(self, kind: str, tell: Tell, tab: "Tab", heard: Any) -> None:
        pace = self._paces[kind]
        if isinstance(heard, ConsoleMessage) and (count := self.tabs.gag.muted(heard)):
            pace.missed(count)
            return
        if pace.admits(tab.id):
            tell(tab, heard)
        if pace.flooded and kind in self._attached:
            log.info("flood", kind=kind, page=tab.id)
            self._leave(kind)

    def _second_over(self, kind: str, untold: int) -> None:
        if untold:
            self.tabs.emit(Dropped(event_kind=kind, count=untold))
        self.hear(self.tabs.wanted)


def _page_of(heard: Any) -> Page | None:
    match heard:
        case Page():
            return heard
        case Request():
            return network_events.page_of(heard)
        case Response():
            return network_events.page_of(heard.request)
        case _:
            page: Page | None = heard.page
            return page
