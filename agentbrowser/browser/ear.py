"""The listeners on a page while actions are done to it."""

import asyncio
import functools
from collections.abc import Callable
from typing import Any, Final, Protocol

import attrs
from playwright.async_api import Page

from agentbrowser.browser.events import wrapped

# Requests that nobody asks for cost time too.
_LINGER_S: Final = 1.0
_NAVIGATIONS: Final = ("request", "requestfailed", "framenavigated", "framedetached")
_EVENTS: Final = (*_NAVIGATIONS, "popup", "dialog", "download", "close", "crash")


class Hearer(Protocol):
    """Who is told what is heard."""

    @property
    def navigated(self) -> bool:
        """Whether the page has gone on to another document meanwhile."""
        ...

    def hear(self, event: str, told: Any) -> None:
        """Take note of an event of the page."""
        ...


@attrs.define(eq=False)
class Ear:
    """The listeners on one page. They stay for a while, as each that comes or goes costs a message to the driver."""

    page: Page
    _hearers: set[Hearer] = attrs.field(factory=set, init=False)
    _listeners: list[tuple[str, Callable[[Any], None]]] = attrs.field(factory=list, init=False)
    _leaving: asyncio.TimerHandle | None = attrs.field(default=None, init=False)

    def lend(self, hearer: Hearer) -> None:
        """Tell the hearer what is heard from now on."""
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None
        self._hearers.add(hearer)
        if not self._listeners:
            self._listeners = [(event, wrapped(functools.partial(self._tell, event))) for event in _EVENTS]
            for event, listener in self._listeners:
                self.page.on(event, listener)  # type: ignore[call-overload]

    def leave(self, hearer: Hearer) -> None:
        """Tell the hearer no more; stop listening soon, at once when a new document loads."""
        self._hearers.discard(hearer)
        if self._hearers:
            return
        if hearer.navigated or self.page.is_closed():
            self._stop()
        else:
            self._leaving = asyncio.get_running_loop().call_later(_LINGER_S, self._stop)

    def _stop(self) -> None:
        self._leaving = None
        for event, listener in self._listeners:
            self.page.remove_listener(event, listener)
        self._listeners = []

    def _tell(self, event: str, told: Any) -> None:
        for hearer in tuple(self._hearers):
            hearer.hear(event, told)
