"""Detection of the changes that a page makes to its storage by itself, without an action and without a navigation."""

import contextlib
from typing import TYPE_CHECKING, Any, Final

import attrs
from playwright.async_api import CDPSession, Error

from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.protocol.errors import AgentBrowserError

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab

_EVENTS: Final = tuple(f"DOMStorage.domStorageItem{change}" for change in ("Added", "Updated", "Removed", "sCleared"))


@attrs.define(eq=False)
class StorageChanges:
    """Detector of the first change of one page's localStorage or sessionStorage since it was armed.

    Each event of the browser carries the old and the new value. A page may store large values many times a second, so
    that the first event switches the others off. A page that stores nothing costs nothing.
    """

    tab: "Tab"
    _is_armed: bool = attrs.field(default=False, init=False)
    _session: CDPSession | None = attrs.field(default=None, init=False)

    async def arm(self) -> None:
        """Report the next change. Frames in processes of their own, those of other sites, are not covered. [asyncio]"""
        if self._is_armed or not self.tab.is_chromium:
            return
        with contextlib.suppress(Error, AgentBrowserError):  # the page is gone
            session = await self.tab.cdp()
            if self._session is None:
                self._session = session
                for event in _EVENTS:
                    session.on(event, safe_listener(self._report))
            self._is_armed = True
            await session.send("DOMStorage.enable")

    def _report(self, _: Any) -> None:
        if self._is_armed and self._session is not None:
            self._is_armed = False
            self.tab.tabs.run_in_background(_disable(self._session))
            self.tab.tabs.contexts.snapshots.note_change()


async def _disable(session: CDPSession) -> None:
    with contextlib.suppress(Error):  # the page is gone
        await session.send("DOMStorage.disable")
