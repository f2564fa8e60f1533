"""Listeners for the events of a client's pages, attached to their context while the client subscribes to them."""

from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import attrs
import structlog
from playwright.async_api import BrowserContext, ConsoleMessage, Page, Request, Response

from agentbrowser.browser.events import console, network_events, page_events
from agentbrowser.browser.events.event_rate import EventLimits, EventRate
from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.protocol.types.event import Dropped

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab
    from agentbrowser.browser.tabs import Tabs

Report = Callable[["Tab", Any], None]

log = structlog.get_logger("agentbrowser.browser")

# Every event costs time of the driver, which all clients share: 100,000 console messages blocked it for 40 s.
_LIMITS: Final = {
    "console": EventLimits(100, 1000),
    "network": EventLimits(2000, 4000),
    "frame": EventLimits(500, 1000),
}
_MAX_EARLY: Final = 200

_ALWAYS: Final[Mapping[str, Report]] = {"pageload": lambda tab, _: tab.lifecycle_events.loaded()}
_BY_SUBSCRIPTION: Final[Mapping[str, Mapping[str, Report]]] = {
    "console": {"console": console.report_message, "weberror": console.report_error},
    "network": {
        "request": network_events.report_request,
        "response": network_events.report_response,
        "requestfailed": network_events.report_failure,
    },
    "frame": {
        "frameattached": page_events.report_frame_attached,
        "framenavigated": page_events.report_frame_navigated,
        "framedetached": page_events.report_frame_detached,
    },
}


@attrs.define(eq=False)
class ContextListeners:
    """Event listeners of one context. Events of a page that has no tab yet are kept until it has one."""

    tabs: "Tabs"
    context: BrowserContext
    _attached: dict[str, dict[str, Callable[[Any], None]]] = attrs.field(factory=dict, init=False)
    _rates: dict[str, EventRate] = attrs.field(factory=dict, init=False)
    _early: deque[Callable[[], None]] = attrs.field(factory=lambda: deque(maxlen=_MAX_EARLY), init=False)

    def attach(self) -> None:
        """Attach the listeners that do not depend on subscriptions, and those of the current subscriptions."""
        for name, report in _ALWAYS.items():
            self._on(name, safe_listener(partial(self._on_event, report)))
        self.tabs.downloads.expect()
        self._on("download", safe_listener(self.tabs.downloads.track))
        for kind, limits in _LIMITS.items():
            self._rates[kind] = EventRate(limits, partial(self._on_second_end, kind))
        self.listen_to(self.tabs.event_kinds)

    def listen_to(self, kinds: frozenset[str]) -> None:
        """Listen to exactly these kinds of events, of those with a cost."""
        for kind in self._attached.keys() - kinds:
            self._detach(kind)
        for kind in (_BY_SUBSCRIPTION.keys() & kinds) - self._attached.keys():
            self._attached[kind] = {
                name: safe_listener(partial(self._on_limited_event, kind, report))
                for name, report in _BY_SUBSCRIPTION[kind].items()
            }
            for name, listener in self._attached[kind].items():
                self._on(name, listener)

    def replay_early(self) -> None:
        """Report the early events of pages that have a tab by now."""
        early, self._early = self._early, deque(maxlen=_MAX_EARLY)
        for report in early:
            report()

    def stop_timers(self) -> None:
        """Stop the timers of a context that is gone."""
        for rate in self._rates.values():
            rate.stop()

    def _on(self, name: str, listener: Callable[[Any], None]) -> None:
        self.context.on(name, listener)  # type: ignore[call-overload]

    def _detach(self, kind: str) -> None:
        for name, listener in self._attached.pop(kind).items():
            self.context.remove_listener(name, listener)

    def _on_event(self, report: Report, event: Any) -> None:
        page = _page_of(event)
        tab = self.tabs.tab_of(page)
        if tab is not None:
            report(tab, event)
        elif page is None or not page.is_closed():
            self._early.append(partial(self._on_event, report, event))

    def _on_limited_event(self, kind: str, report: Report, event: Any) -> None:
        self._on_event(partial(self._report_within_limits, kind, report), event)

    def _report_within_limits(self, kind: str, report: Report, tab: "Tab", event: Any) -> None:
        rate = self._rates[kind]
        if isinstance(event, ConsoleMessage) and (count := self.tabs.console_throttle.count_dropped(event)):
            rate.add_dropped(count)
            return
        if rate.admits(tab.id):
            report(tab, event)
        if rate.is_flooded and kind in self._attached:
            log.info("flood", kind=kind, page=tab.id)
            self._detach(kind)

    def _on_second_end(self, kind: str, unsent: int) -> None:
        if unsent:
            self.tabs.emit(Dropped(event_kind=kind, count=unsent))
        self.listen_to(self.tabs.event_kinds)


def _page_of(event: Any) -> Page | None:
    match event:
        case Page():
            return event
        case Request():
            return network_events.page_of(event)
        case Response():
            return network_events.page_of(event.request)
        case _:
            page: Page | None = event.page
            return page
