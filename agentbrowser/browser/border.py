"""Where a page stays when it may not go on: documents that the allowlist refuses are not even asked for.

A courtesy, not the wall: without it the page would stand at an error page of the browser's. What goes past it, such as
the first document of a window, meets the wall.
"""

import asyncio
import contextlib
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, Final, TypeVar

import attrs
from playwright.async_api import CDPSession, Error

from agentbrowser.browser.events import wrapped
from agentbrowser.errors import AgentBrowserError, DomainNotAllowed, InvalidParams, NavigationFailed
from agentbrowser.policy import check_destination

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab

T = TypeVar("T")

_DOCUMENTS: Final = {"patterns": [{"urlPattern": "*", "resourceType": "Document"}]}
_GRACE_S: Final = 0.5
"""How long a move may take to end by itself after the page was turned back."""
_VENDOR: Final = (Error, AgentBrowserError)
"""What a page that is gone answers."""


@attrs.define(eq=False)
class Border:
    """The border of one tab."""

    tab: "Tab"
    _turned_back: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)

    async def guard(self) -> None:
        """Look at the documents that the page asks for from now on, if there is an allowlist. [asyncio]"""
        if not self.tab.tabs.rules.allowlists or not self.tab.is_chromium:
            return
        with contextlib.suppress(*_VENDOR):
            session = await self.tab.cdp()
            tree = await session.send("Page.getFrameTree")
            main = tree["frameTree"]["frame"]["id"]
            decide = wrapped(lambda paused: self.tab.tabs.chore(self._decide(session, main, paused)))
            session.on("Fetch.requestPaused", decide)
            await session.send("Fetch.enable", _DOCUMENTS)

    async def _decide(self, session: CDPSession, main: str, paused: dict[str, Any]) -> None:
        request = {"requestId": paused["requestId"]}
        refused = paused["frameId"] == main and self._is_refused(paused["request"]["url"])
        with contextlib.suppress(*_VENDOR):
            if refused:  # as if it were cancelled: any other reason leads to an error page
                await session.send("Fetch.failRequest", {**request, "errorReason": "Aborted"})
            else:
                await session.send("Fetch.continueRequest", request)

    def _is_refused(self, url: str) -> bool:
        try:
            check_destination(url, self.tab.tabs.rules)
        except (DomainNotAllowed, InvalidParams) as refused:
            self.tab.tabs.refuse(self.tab.id, url, refused)
            self._turned_back.set()
            return True
        return False

    async def outlast(self, move: Awaitable[T]) -> T:
        """Await a move of the page. [asyncio]

        A document that wants to go on to another one while it loads, and must not, is never said to have loaded.

        Raises:
          NavigationFailed: that is so.
        """
        if not self.tab.tabs.rules.allowlists:
            return await move
        self._turned_back.clear()
        moving = asyncio.ensure_future(move)
        turned_back = asyncio.ensure_future(self._turned_back.wait())
        try:
            await asyncio.wait({moving, turned_back}, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait({moving}, timeout=_GRACE_S)
            if not moving.done():
                raise NavigationFailed("The page was kept from going on.", reason="ERR_ABORTED", retryable=False)
            return moving.result()
        finally:
            for task in (moving, turned_back):
                task.cancel()
            await asyncio.gather(moving, turned_back, return_exceptions=True)
