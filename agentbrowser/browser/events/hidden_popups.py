"""Popups that Playwright does not report: those in which no document ever loads, such as ``javascript:`` URLs.

They would be missing from the list of pages, and from the limit on their number.
"""

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any, Final

import attrs
from playwright.async_api import BrowserContext, CDPSession, Error
from playwright.async_api import Page as PlaywrightPage

from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.protocol.errors import AgentBrowserError

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab
    from agentbrowser.browser.tabs import Tabs

_WITH_DOCUMENT: Final = ("http:", "https:", "about:", "blob:")
_EMPTY_URLS: Final = ("", "about:blank")
_MAX_ANNOUNCED: Final = 200
_ATTEMPTS: Final = 40
_PAUSE_S: Final = 0.25
"""Interval between attempts. A popup that is still loading a document must not be disturbed."""
_ANSWER_TIMEOUT_S: Final = 1.0
_EMPTY: Final = "<head></head><body></body>"
_LOAD: Final = (
    "(() => { const html = document.documentElement.innerHTML;"
    " location.replace('about:blank'); return html.length > 1e6 ? '' : html })()"
)
"""Loads an empty document of the opener's origin, and returns what a script has written into the popup before."""


@attrs.define(eq=False)
class HiddenPopups:
    """Popups of one context in which no document loads. They get an empty one, with which Playwright reports them."""

    tabs: "Tabs"
    context: BrowserContext
    _announced: list[str] = attrs.field(factory=list, init=False)
    """URLs of the windows that pages have opened and that are not reported yet."""
    _reported: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)
    _work: asyncio.Task[None] | None = attrs.field(default=None, init=False)

    def attach(self) -> None:
        """Start listening to the context."""
        self.context.on("page", safe_listener(self._page_reported))

    def note_window(self, opener: "Tab", url: str) -> None:
        """Note that a page opens a window, and have it reported if it never loads a document."""
        self._announced.append(url)
        del self._announced[:-_MAX_ANNOUNCED]
        if not _has_document(url) and (self._work is None or self._work.done()):
            self._work = self.tabs.run_in_background(self._report_all(opener))

    def _page_reported(self, page: PlaywrightPage) -> None:
        self._reported.set()
        if page.url in self._announced:
            self._announced.remove(page.url)
            return
        # Redirected, or one of ours: an empty page of the client's own announces nothing.
        is_loaded = page.url not in _EMPTY_URLS
        if (found := next((url for url in self._announced if _has_document(url) == is_loaded), None)) is not None:
            self._announced.remove(found)

    async def _report_all(self, opener: "Tab") -> None:
        """Give a document to all popups without one, as soon as no other popup is loading. [asyncio]"""
        with contextlib.suppress(Error, AgentBrowserError):  # the browser is gone
            answer = await (await opener.cdp()).send("Target.getTargetInfo")
            context_id = answer["targetInfo"]["browserContextId"]
            for attempt in range(_ATTEMPTS):
                await asyncio.sleep(_PAUSE_S)
                if all(map(_has_document, self._announced)):
                    return
                if not any(map(_has_document, self._announced)) or attempt == _ATTEMPTS - 1:
                    await self._load_documents(context_id)

    async def _load_documents(self, context_id: str) -> None:
        browser = self.context.browser
        if browser is None:
            return
        session = await browser.new_browser_cdp_session()
        try:
            targets = (await session.send("Target.getTargets"))["targetInfos"]
            for target in targets:
                is_here = target["type"] == "page" and target.get("browserContextId") == context_id
                if is_here and not target["url"]:
                    await self._load_document(session, target["targetId"])
        finally:
            with contextlib.suppress(Error):
                await session.detach()

    async def _load_document(self, session: CDPSession, target_id: str) -> None:
        """Load an empty document in a popup, and put back what a script has written into it. [asyncio]"""
        attached = await session.send("Target.attachToTarget", {"targetId": target_id, "flatten": False})
        popup = _Popup(session, attached["sessionId"])
        self._reported.clear()
        html = await popup.evaluate(_LOAD)
        if html and html != _EMPTY:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_ANSWER_TIMEOUT_S):
                    await self._reported.wait()
            await popup.evaluate(f"document.documentElement.innerHTML = {json.dumps(html)}; ''")


@attrs.define(eq=False)
class _Popup:
    """Session on a popup through that of the browser: Playwright offers no session without a page."""

    session: CDPSession
    id: str

    async def evaluate(self, expression: str) -> str | None:
        """Return the text that an expression gives; None without an answer in time. [asyncio]"""
        answer: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()

        def receive(event: dict[str, Any]) -> None:
            if event["sessionId"] == self.id and not answer.done():
                result = json.loads(event["message"]).get("result", {})
                answer.set_result(result.get("result", {}).get("value"))

        listener = safe_listener(receive)
        self.session.on("Target.receivedMessageFromTarget", listener)
        command = {"id": 1, "method": "Runtime.evaluate", "params": {"expression": expression}}
        try:
            async with asyncio.timeout(_ANSWER_TIMEOUT_S):
                message = {"sessionId": self.id, "message": json.dumps(command)}
                await self.session.send("Target.sendMessageToTarget", message)
                return await answer
        except TimeoutError:  # a dialog is open in it
            return None
        finally:
            self.session.remove_listener("Target.receivedMessageFromTarget", listener)


def _has_document(url: str) -> bool:
    return url == "" or url.startswith(_WITH_DOCUMENT)
