"""Detection of the changes that a page makes to its cookies and storage, without an action or a navigation."""

import contextlib
from typing import TYPE_CHECKING, Final
from weakref import WeakSet

import attrs
from playwright.async_api import CDPSession, Error

from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.protocol.errors import AgentBrowserError

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab

_EVENTS: Final = tuple(f"DOMStorage.domStorageItem{change}" for change in ("Added", "Updated", "Removed", "sCleared"))


@attrs.define(eq=False)
class StorageChanges:
    """Detector of the first change of one page's localStorage, sessionStorage or cookies since it was armed.

    Each event of the browser carries the old and the new value. A page may store large values many times a second, so
    that the first event of a session switches its others off. A page that stores nothing costs nothing.
    """

    tab: "Tab"
    _armed: WeakSet[CDPSession] = attrs.field(factory=WeakSet, init=False)
    _heard: WeakSet[CDPSession] = attrs.field(factory=WeakSet, init=False)
    """Sessions with a listener."""

    async def arm(self) -> None:
        """Report the next change. [asyncio]

        Storage is covered in frames of the page's own process, and in those that the client has looked into; cookies,
        for scripts of the main document if it is secure.
        """
        if not self.tab.is_chromium:
            return
        with contextlib.suppress(Error, AgentBrowserError):  # the page is gone
            for session in (await self.tab.cdp(), *self.tab.frame_sessions.of_processes):
                await self._arm_session(session)
            self.tab.isolated_worlds.notices.on_cookies_changed = self.tab.tabs.contexts.snapshots.note_change
            await self.tab.isolated_worlds.of(self.tab.page.main_frame).call("noticeCookies")

    async def _arm_session(self, session: CDPSession) -> None:
        if session in self._armed:
            return
        if session not in self._heard:
            self._heard.add(session)
            for event in _EVENTS:
                session.on(event, safe_listener(lambda _: self._report(session)))
        self._armed.add(session)
        with contextlib.suppress(Error):  # its frame is gone
            await session.send("DOMStorage.enable")

    def _report(self, session: CDPSession) -> None:
        if session in self._armed:
            self._armed.discard(session)
            self.tab.tabs.run_in_background(_disable(session))
            self.tab.tabs.contexts.snapshots.note_change()


async def _disable(session: CDPSession) -> None:
    with contextlib.suppress(Error):  # the page is gone
        await session.send("DOMStorage.disable")
