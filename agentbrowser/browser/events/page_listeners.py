"""Listeners on a page while actions run on it."""

import asyncio
import functools
from collections.abc import Callable
from typing import Any, Final, Protocol

import attrs
from playwright.async_api import CDPSession, Page

from agentbrowser.browser.events.page_events import safe_listener

# Events without a listener cost time too.
_LINGER_S: Final = 1.0
_NAVIGATIONS: Final = ("request", "requestfailed", "framenavigated", "framedetached")
_EVENTS: Final = (*_NAVIGATIONS, "popup", "dialog", "download", "close", "crash")
# An event of CDP, which announces a window earlier than Playwright does.
_WINDOW: Final = "Page.windowOpen"


class PageListener(Protocol):
    """Receiver of page events."""

    @property
    def navigated(self) -> bool:
        """Return True if the page has navigated to another document in the meantime."""
        ...

    def hear(self, event: str, told: Any) -> None:
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
    _added: set[PageListener] = attrs.field(factory=set, init=False)
    _listeners: list[tuple[Page | CDPSession, str, Callable[[Any], None]]] = attrs.field(factory=list, init=False)
    _leaving: asyncio.TimerHandle | None = attrs.field(default=None, init=False)
    _left_s: float = attrs.field(default=0.0, init=False)
    """Time at which the last receiver was removed, on the loop's clock."""

    def lend(self, listener: PageListener) -> None:
        """Send events to a receiver from now on."""
        self._added.add(listener)
        if not self._listeners:
            self._listen(self.page, *_EVENTS)
            if self.session is not None:
                self._listen(self.session, _WINDOW)

    def leave(self, listener: PageListener) -> None:
        """Send no more events to a receiver; detach soon, or at once if a new document loads."""
        self._added.discard(listener)
        if self._added:
            return
        if listener.navigated or self.page.is_closed():
            self._stop()
            return
        self._left_s = asyncio.get_running_loop().time()
        if self._leaving is None:
            self._linger(_LINGER_S)

    def _linger(self, seconds: float) -> None:
        """Check again after that time: a timer for each action would cost more than this check."""
        self._leaving = asyncio.get_running_loop().call_later(seconds, self._look)

    def _look(self) -> None:
        self._leaving = None
        left_s = self._left_s + _LINGER_S - asyncio.get_running_loop().time()
        if self._added:
            return  # the removal of the last one starts the wait again
        if left_s > 0:
            self._linger(left_s)
        else:
            self._stop()

    def _listen(self, source: Page | CDPSession, *events: str) -> None:
        for event in events:
            listener = safe_listener(functools.partial(self._report, event))
            source.on(event, listener)  # type: ignore[call-overload]
            self._listeners.append((source, event, listener))

    def _stop(self) -> None:
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None
        for source, event, listener in self._listeners:
            source.remove_listener(event, listener)
        self._listeners = []

    def _report(self, event: str, told: Any) -> None:
        for listener in tuple(self._added):
            listener.hear(event, told)
