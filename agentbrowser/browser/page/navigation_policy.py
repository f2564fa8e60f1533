"""Navigation policy: documents that the URL rules refuse are not requested, and the page stays where it is. Also the
documents for which the approval rules were applied: an action in any other fails.

This is a convenience, not the wall: without it, the browser would show an error page. The wall stops what gets past it,
such as the first document of a new window.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Iterator, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, TypeVar

import attrs
from playwright.async_api import CDPSession, Error, Frame
from playwright.async_api import Page as PlaywrightPage

from agentbrowser.browser.background_tasks import close_quietly
from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.policy.approvals import ApprovalRule, RequestLocation, names_document
from agentbrowser.policy.urls import UrlRules, check_destination, host_of, is_browsers_own
from agentbrowser.protocol.errors import (
    AgentBrowserError,
    ApprovalDenied,
    DomainNotAllowed,
    InvalidParams,
    NavigationFailed,
)
from agentbrowser.protocol.types.approval import ElementInfo
from agentbrowser.protocol.types.event import PageEvent

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab
    from agentbrowser.browser.tabs import Tabs

T = TypeVar("T")
Refusal = DomainNotAllowed | InvalidParams

_DOCUMENTS: Final = {"patterns": [{"urlPattern": "*", "resourceType": "Document"}]}
_GRACE_S: Final = 0.5
"""Time for a navigation to end by itself after the policy blocked it."""
_REPORT_INTERVAL_S: Final = 1.0
"""Minimum interval between two reports about a page: it may try as often as it likes."""
_EMPTY_URLS: Final = ("", "about:blank")
_ERROR_URL: Final = "chrome-error://chromewebdata/"
_PAGE_GONE: Final = (Error, AgentBrowserError)
"""Errors of a page that is gone."""

_judged: ContextVar[frozenset[str] | None] = ContextVar("judged documents", default=None)
"""URLs of the documents for which the approval rules were applied to the present request; None: all."""
_approved: ContextVar[ElementInfo | None] = ContextVar("approved element", default=None)
_slide_rules: ContextVar[Sequence[ApprovalRule]] = ContextVar("rules about sliders", default=())


@contextlib.contextmanager
def judging(
    urls: frozenset[str] | None, approved: ElementInfo | None, slide_rules: Sequence[ApprovalRule]
) -> Iterator[None]:
    """Have `check_judged` accept these documents only, `approved_identity` return the identity of an element, and
    `check_slide` apply these rules."""
    tokens = _judged.set(urls), _approved.set(approved), _slide_rules.set(slide_rules)
    try:
        yield
    finally:
        _judged.reset(tokens[0])
        _approved.reset(tokens[1])
        _slide_rules.reset(tokens[2])


@contextlib.contextmanager
def judging_slide(frame: Frame) -> Iterator[None]:
    """Have `check_judged` accept the documents of a frame and of all around it only, if there are rules about sliders.

    Raises:
      ApprovalDenied: as `check_slide`.
    """
    check_slide(frame)
    around = [frame]
    while around[-1].parent_frame is not None:
        around.append(around[-1].parent_frame)
    urls = {one.url.partition("#")[0] for one in around}
    token = _judged.set(frozenset(urls) if _slide_rules.get() else _judged.get())
    try:
        yield
    finally:
        _judged.reset(token)


def approved_identity() -> dict[str, str] | None:
    """Return role and name in which an approver has agreed to the element of the present request; None: in any."""
    shown = _approved.get()
    return None if shown is None else {"role": shown.role, "name": shown.name}


def is_judged() -> bool:
    """Return True if the present request may act in certain documents only."""
    return _judged.get() is not None


def check_judged(frame: Frame) -> None:
    """Check that the approval rules were applied for the documents of a frame and of all frames around it.

    Raises:
      ApprovalDenied: one of them came later.
    """
    urls, around = _judged.get(), frame
    while urls is not None:
        if not names_document(urls, around.url):
            message = "The action would land in a document for which the approval rules were not applied."
            raise ApprovalDenied(message, reason="page changed", retryable=True)
        if around.parent_frame is None:
            return
        around = around.parent_frame


def check_slide(frame: Frame) -> None:
    """Check that no approval rule holds back the keys or the drag by which a slider in a frame is moved.

    Raises:
      ApprovalDenied: one does, in the frame or in one around it, or may: an empty window is of any page.
    """
    around: Frame | None = frame
    while around is not None:
        here = RequestLocation(host_of(around.url), around.url)
        is_anywhere = not here.host and around.parent_frame is None
        first = (one for one in _slide_rules.get() if (one.action != "allow" if is_anywhere else one.holds([here])))
        rule = next(first, None)
        if rule is not None and rule.action != "allow":
            message = f"Fill moves a slider by keys or a drag, which the operator's rule {rule.name} holds back."
            hint = "Use action/drag, for which an approver can be asked."
            raise ApprovalDenied(message, rule=rule.name, reason="slider", hint=hint)
        around = around.parent_frame


@attrs.define(eq=False)
class NavigationPolicy:
    """Navigation policy of one tab."""

    tab: "Tab"
    _blocked: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)
    _is_new: bool = attrs.field(default=True, init=False)
    """True until the page has loaded its first document."""
    _last_report_s: float = attrs.field(default=-_REPORT_INTERVAL_S, init=False)

    async def enforce(self) -> None:
        """Check the documents that the page requests from now on, if there is an allowlist. [asyncio]"""
        if not self.tab.tabs.rules.allowlists or not self.tab.is_chromium:
            return
        with contextlib.suppress(*_PAGE_GONE):
            session = await self.tab.cdp()
            session.on("Page.frameNavigated", safe_listener(lambda event: self._document_loaded(event["frame"])))
            tree = await session.send("Page.getFrameTree")
            main = tree["frameTree"]["frame"]
            decide = safe_listener(
                lambda paused: self.tab.tabs.run_in_background(self._decide(session, main["id"], paused))
            )
            session.on("Fetch.requestPaused", decide)
            await session.send("Fetch.enable", _DOCUMENTS)
            await session.send("Page.enable")
            self._document_loaded(main)  # documents that came before the check

    def _document_loaded(self, frame: dict[str, Any]) -> None:
        """Note a new document; it may be the error page for a blocked one."""
        if "parentId" in frame:
            return
        if url := frame.get("unreachableUrl"):
            self._check_window(url)
        elif frame["url"] not in _EMPTY_URLS:
            self._is_new = False

    def _check_window(self, url: str) -> None:
        if self._is_window and (refused := _refusal(url, self.tab.tabs.rules)) is not None:
            self._close_window(url, refused)

    def _close_window(self, url: str, refused: Refusal) -> None:
        self._is_new = False
        _close_window(self.tab.tabs, self.tab.page, self.tab.opener, url, refused)

    @property
    def _is_window(self) -> bool:
        """Return True if a page opened it, and it has not loaded a document yet."""
        return self._is_new and self.tab.opener is not None and self.tab.page.url in (*_EMPTY_URLS, _ERROR_URL)

    async def _decide(self, session: CDPSession, main: str, paused: dict[str, Any]) -> None:
        request = {"requestId": paused["requestId"]}
        refused = paused["frameId"] == main and self._is_refused(paused["request"]["url"])
        with contextlib.suppress(*_PAGE_GONE):
            if refused:  # as if cancelled: any other reason leads to an error page
                await session.send("Fetch.failRequest", {**request, "errorReason": "Aborted"})
            else:
                await session.send("Fetch.continueRequest", request)

    def _is_refused(self, url: str) -> bool:
        if (refused := _refusal(url, self.tab.tabs.rules)) is None:
            return False
        self._blocked.set()
        if self._is_window:
            self._close_window(url, refused)
        else:
            _record_refusal(self.tab.tabs, self.tab.id, url, refused)
            self._report(url, refused)
        return True

    def _report(self, url: str, refused: Refusal) -> None:
        now_s = asyncio.get_running_loop().time()
        if now_s - self._last_report_s >= _REPORT_INTERVAL_S:
            self._last_report_s = now_s
            reason = f"The page stays where it is. {refused.message}"
            self.tab.emit(PageEvent(type="error", page_id=self.tab.id, url=url, reason=reason))

    async def wait_for(self, navigation: Awaitable[T]) -> T:
        """Await a navigation of the page. [asyncio]

        A document that redirects while it loads never reports that it has loaded, if the redirect is refused.

        Raises:
          NavigationFailed: the policy blocked the navigation.
        """
        if not self.tab.tabs.rules.allowlists:
            return await navigation
        self._blocked.clear()
        navigating = asyncio.ensure_future(navigation)
        blocked = asyncio.ensure_future(self._blocked.wait())
        try:
            await asyncio.wait({navigating, blocked}, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait({navigating}, timeout=_GRACE_S)
            if not navigating.done():
                raise NavigationFailed("The page was kept from going on.", reason="ERR_ABORTED", retryable=False)
            return navigating.result()
        finally:
            for task in (navigating, blocked):
                task.cancel()
            await asyncio.gather(navigating, blocked, return_exceptions=True)


async def close_if_refused(tabs: "Tabs", page: PlaywrightPage, opener: str | None) -> bool:
    """Close a window that a page opened at a refused URL: it shows an error page. Return True if closed. [asyncio]"""
    if is_browsers_own(page.url):
        _close_window(tabs, page, opener, page.url, InvalidParams("It shows a page of the browser's own."))
        return True
    if page.url != _ERROR_URL:
        return False
    with contextlib.suppress(*_PAGE_GONE):
        session = await page.context.new_cdp_session(page)
        tree = await session.send("Page.getFrameTree")
        await session.detach()
        url = tree["frameTree"]["frame"].get("unreachableUrl", "")
        if (refused := _refusal(url, tabs.rules)) is not None:
            _close_window(tabs, page, opener, url, refused)
            return True
    return False


def _close_window(tabs: "Tabs", page: PlaywrightPage, opener: str | None, url: str, refused: Refusal) -> None:
    if opener is not None:
        _record_refusal(tabs, opener, url, refused)
    reason = f"A page that it opened is closed. {refused.message}"
    tabs.emit(PageEvent(type="error", page_id=opener or "", url=url, reason=reason))
    tabs.run_in_background(close_quietly(page.close()))


def _record_refusal(tabs: "Tabs", page_id: str, url: str, refused: Refusal) -> None:
    tabs.blocked_navigations += 1
    tabs.on_refused(page_id, url, refused)


def _refusal(url: str, rules: UrlRules) -> Refusal | None:
    try:
        check_destination(url, rules)
    except (DomainNotAllowed, InvalidParams) as refused:
        return refused
    return None
