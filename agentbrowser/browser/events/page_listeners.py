"""Listeners on a page while actions run on it."""

import asyncio
import functools
from collections.abc import Callable
from typing import Any, Final, Protocol

import attrs
from playwright.async_api import BrowserContext, CDPSession, Page

from agentbrowser.browser.events.page_events import safe_listener

# Events without a listener cost time too.
_IDLE_TIMEOUT_S: Final = 1.0
_NAVIGATION_EVENTS: Final = ("request", "requestfinished", "requestfailed", "framenavigated", "framedetached")
_EVENTS: Final = (*_NAVIGATION_EVENTS, "popup", "dialog", "download", "close", "crash")
# Events of CDP. Playwright reports a window later, and a file chooser too: after the end of the click that opens it. It
# does not report the frame of a download.
_SESSION_EVENTS: Final = (
    *("Page.windowOpen", "Page.frameRequestedNavigation", "Page.fileChooserOpened"),
    "Page.downloadWillBegin",
)


class EventReceiver(Protocol):
    """Receiver of page events."""

    @property
    def navigated(self) -> bool:
        """Return True if the page has navigated to another document in the meantime."""
        ...

    def receive(self, event: str, value: Any) -> None:
        """Receive an event of the page."""
        ...


@attrs.define(eq=False)
class PageListeners:
    """Listeners on one page. They stay attached for a while: each change costs a message to the driver.

    Args:
      session: the page's CDP session on Chromium.
    """

    page: Page
    session: CDPSession | None = None
    _receivers: set[EventReceiver] = attrs.field(factory=set, init=False)
    _listeners: list[tuple[Page | BrowserContext | CDPSession, str, Callable[[Any], None]]] = attrs.field(
        factory=list, init=False
    )
    _timer: asyncio.TimerHandle | None = attrs.field(default=None, init=False)
    _idle_since_s: float = attrs.field(default=0.0, init=False)
    """Time at which the last receiver was removed, on the loop's clock."""

    def add(self, receiver: EventReceiver) -> None:
        """Send events to a receiver from now on."""
        self._receivers.add(receiver)
        if not self._listeners:
            self._listen(self.page, *_EVENTS)
            self._listen(self.page.context, "page")  # a tab that a click with Control opens is no popup
            if self.session is not None:
                self._listen(self.session, *_SESSION_EVENTS)

    def remove(self, receiver: EventReceiver) -> None:
        """Send no more events to a receiver; detach soon, or at once if a new document loads."""
        self._receivers.discard(receiver)
        if self._receivers:
            return
        if receiver.navigated or self.page.is_closed():
            self._detach()
            return
        self._idle_since_s = asyncio.get_running_loop().time()
        if self._timer is None:
            self._check_later(_IDLE_TIMEOUT_S)

    def _check_later(self, delay_s: float) -> None:
        """Check again after that time: a timer for each action would cost more than this check."""
        self._timer = asyncio.get_running_loop().call_later(delay_s, self._detach_if_idle)

    def _detach_if_idle(self) -> None:
        self._timer = None
        remaining_s = self._idle_since_s + _IDLE_TIMEOUT_S - asyncio.get_running_loop().time()
        if self._receivers:
            return  # the removal of the last one starts the wait again
        if remaining_s > 0:
            self._check_later(remaining_s)
        else:
            self._detach()

    def _listen(self, source: Page | BrowserContext | CDPSession, *events: str) -> None:
        for event in events:
            listener = safe_listener(functools.partial(self.dispatch, event))
            source.on(event, listener)  # type: ignore[call-overload]
            self._listeners.append((source, event, listener))

    def _detach(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for source, event, listener in self._listeners:
            source.remove_listener(event, listener)
        self._listeners = []

    def dispatch(self, event: str, value: Any) -> None:
        """Send an event to the receivers."""
        for receiver in tuple(self._receivers):
            receiver.receive(event, value)
