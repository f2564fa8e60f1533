"""What a page does while an action runs: navigations, new pages, dialogs, downloads."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Final, Self

import attrs
from playwright.async_api import Dialog as PlaywrightDialog
from playwright.async_api import Download as PlaywrightDownload
from playwright.async_api import Error, Frame, Page, Request

from agentbrowser.browser.events.page_listeners import PageListeners
from agentbrowser.policy.filenames import safe_name
from agentbrowser.protocol.types.action import Download
from agentbrowser.protocol.types.page import Dialog

# Ends after the timers and form submissions that the action has left in the page's queue.
_TURN: Final = "() => new Promise(done => setTimeout(done, 0))"
# For pages with a clock of their own, or too busy to answer.
_TURN_TIMEOUT_S: Final = 1.0
# For windows that are announced and never come: the browser may refuse them.
_WINDOW_TIMEOUT_S: Final = 2.0
# For navigations that a page has begun and that nothing is heard of: it may have taken them over.
_BEGIN_TIMEOUT_S: Final = 0.5
# Long enough for any address that says something; the URLs of generated downloads hold the whole file.
_URL_LENGTH: Final = 2048


@attrs.define(eq=False)
class ActionEffects:
    """A record of what happens on a page between enter and exit. It only listens: dialogs are the tab's to answer.

    Args:
      frame: the frame that is acted in; its navigations count as the page's own do.
      on_news: called when a dialog has opened, or a navigation begins.
    """

    ear: PageListeners
    frame: Frame
    on_news: Callable[[], None] = lambda: None
    navigated: bool = attrs.field(default=False, init=False)
    popups: list[Page] = attrs.field(factory=list, init=False)
    dialog: Dialog | None = attrs.field(default=None, init=False)
    download: Download | None = attrs.field(default=None, init=False)
    stirred: bool = attrs.field(default=False, init=False)
    """Whether anything was heard of the page, down to a single request."""
    _is_closed: bool = attrs.field(default=False, init=False)
    _has_failed: bool = attrs.field(default=False, init=False)
    _has_moved: bool = attrs.field(default=False, init=False)
    _loading: dict[Frame, Request] = attrs.field(factory=dict, init=False)
    _opened: int = attrs.field(default=0, init=False)
    _news: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)

    def begin(self) -> Self:
        """Listen from now on."""
        self.ear.add(self)
        return self

    def end(self) -> None:
        """Listen no more."""
        self.ear.remove(self)

    def __enter__(self) -> Self:
        return self.begin()

    def __exit__(self, *_: object) -> None:
        self.end()

    def receive(self, event: str, told: Any) -> None:
        """Take note of an event of the page."""
        match event:
            case "request":
                self._requested(told)
            case "requestfailed":
                self._failed(told)
            case "framenavigated":
                self._committed(told)
            case "framedetached":
                self._over(told)
            case "Page.windowOpen":
                self._open()
            case "popup":
                self._came(told)
            case "dialog":
                self._asked(told)
            case "download":
                self._downloading(told)
            case "close":
                self._close()
            case "crash":
                self._all_over()

    @property
    def loading(self) -> bool:
        """Whether a navigation is on its way."""
        return bool(self._loading)

    @property
    def left(self) -> bool:
        """Whether the document that was acted on is gone, or about to go."""
        return self.navigated or self.loading

    @property
    def is_pending(self) -> bool:
        """Whether something that is known to have begun is not over."""
        return self.loading or self._has_failed or len(self.popups) < self._opened

    @property
    def is_calm(self) -> bool:
        """Whether nothing has happened that a next action on the document might find in its way."""
        return not (self.left or self.popups or self._opened or self.dialog or self.download)

    async def settle(self) -> None:
        """Return when all that was set off is known: navigations have committed, new pages are there. [asyncio]

        The browser answers a script only after it has told of the navigation that came first; a navigation that begins
        later than a turn of the page's event loop is not seen.
        """
        await self._take_turn()
        await self.arrive(begun=False)

    async def arrive(self, *, begun: bool) -> None:
        """Return when all that has begun is there. [asyncio]

        Args:
          begun: whether a navigation has, so that it will be heard of soon if nothing was yet.
        """
        if begun:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_BEGIN_TIMEOUT_S):
                    await self._until(lambda: self._has_moved)
        await self._until(lambda: not self.loading)
        if self._has_failed and self.download is None:
            await self._take_turn()  # if it was a download, that is told before the page answers
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_WINDOW_TIMEOUT_S):
                await self._until(lambda: len(self.popups) >= self._opened)

    async def is_closed(self) -> bool:
        """Tell whether the page has closed, once the browser has had the time to say so. [asyncio]"""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_BEGIN_TIMEOUT_S):
                await self._until(lambda: self._is_closed)
        return self._is_closed

    async def _until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            self._news.clear()
            await self._news.wait()

    async def _take_turn(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_TURN_TIMEOUT_S):
                await self._turn()

    async def _turn(self) -> None:
        """Let the page's event loop turn once, in the document that is there then."""
        while not self.frame.is_detached():
            try:
                await self.frame.evaluate(_TURN)
                return
            except Error:  # the document went away under the script: look again in the one that follows
                if self.ear.page.is_closed():
                    return

    def _counts(self, frame: Frame) -> bool:
        return frame in (self.ear.page.main_frame, self.frame)

    def _stir(self, *, moves: bool = False) -> None:
        self.stirred = True
        self._has_moved = self._has_moved or moves
        self._news.set()

    def _requested(self, request: Request) -> None:
        self._stir(moves=request.is_navigation_request() and self._counts(request.frame))
        if request.is_navigation_request() and self._counts(request.frame):
            self._loading[request.frame] = request
            self.on_news()

    def _failed(self, request: Request) -> None:
        if request.is_navigation_request() and self._loading.get(request.frame) is request:
            self._has_failed = True
            self._over(request.frame)

    def _committed(self, frame: Frame) -> None:
        if self._counts(frame):
            self.navigated = True
            self._stir(moves=True)
            self._over(frame)
            self.on_news()

    def _over(self, frame: Frame) -> None:
        self._loading.pop(frame, None)
        self._news.set()

    def _close(self) -> None:
        self._is_closed = True
        self._all_over()

    def _all_over(self) -> None:
        self._loading.clear()
        self._opened = 0
        self._news.set()

    def _open(self) -> None:
        self._opened += 1
        self._stir()

    def _came(self, popup: Page) -> None:
        self.popups.append(popup)
        self._stir()

    def _asked(self, dialog: PlaywrightDialog) -> None:
        self.dialog = Dialog(type=dialog.type, message=dialog.message, default_value=dialog.default_value or None)
        self._stir(moves=True)
        self.on_news()

    def _downloading(self, download: PlaywrightDownload) -> None:
        self.download = Download(
            url=download.url[:_URL_LENGTH], suggested_filename=safe_name(download.suggested_filename)
        )
        self._stir(moves=True)
