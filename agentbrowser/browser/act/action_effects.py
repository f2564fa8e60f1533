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
    on_change: Callable[[], None] = lambda: None
    navigated: bool = attrs.field(default=False, init=False)
    popups: list[Page] = attrs.field(factory=list, init=False)
    dialog: Dialog | None = attrs.field(default=None, init=False)
    download: Download | None = attrs.field(default=None, init=False)
    has_activity: bool = attrs.field(default=False, init=False)
    """Whether anything was heard of the page, down to a single request."""
    _is_closed: bool = attrs.field(default=False, init=False)
    _has_failed: bool = attrs.field(default=False, init=False)
    _has_started: bool = attrs.field(default=False, init=False)
    _navigating: dict[Frame, Request] = attrs.field(factory=dict, init=False)
    _opened: int = attrs.field(default=0, init=False)
    _changed: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)

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
                self._finished(told)
            case "Page.windowOpen":
                self._window_announced()
            case "popup":
                self._opened_page(told)
            case "dialog":
                self._dialog_opened(told)
            case "download":
                self._downloading(told)
            case "close":
                self._close()
            case "crash":
                self._stop_waiting()

    @property
    def is_loading(self) -> bool:
        """Whether a navigation is on its way."""
        return bool(self._navigating)

    @property
    def is_leaving(self) -> bool:
        """Whether the document that was acted on is gone, or about to go."""
        return self.navigated or self.is_loading

    @property
    def is_pending(self) -> bool:
        """Whether something that is known to have begun is not over."""
        return self.is_loading or self._has_failed or len(self.popups) < self._opened

    @property
    def is_quiet(self) -> bool:
        """Whether nothing has happened that a next action on the document might find in its way."""
        return not (self.is_leaving or self.popups or self._opened or self.dialog or self.download)

    async def settle(self) -> None:
        """Return when all that was set off is known: navigations have committed, new pages are there. [asyncio]

        The browser answers a script only after it has told of the navigation that came first; a navigation that begins
        later than a turn of the page's event loop is not seen.
        """
        await self._take_turn()
        await self.wait_for_started(is_started=False)

    async def wait_for_started(self, *, is_started: bool) -> None:
        """Return when all that has begun is there. [asyncio]

        Args:
          begun: whether a navigation has, so that it will be heard of soon if nothing was yet.
        """
        if is_started:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_BEGIN_TIMEOUT_S):
                    await self._until(lambda: self._has_started)
        await self._until(lambda: not self.is_loading)
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
            self._changed.clear()
            await self._changed.wait()

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

    def _is_relevant(self, frame: Frame) -> bool:
        return frame in (self.ear.page.main_frame, self.frame)

    def _note_activity(self, *, is_navigation: bool = False) -> None:
        self.has_activity = True
        self._has_started = self._has_started or is_navigation
        self._changed.set()

    def _requested(self, request: Request) -> None:
        self._note_activity(is_navigation=request.is_navigation_request() and self._is_relevant(request.frame))
        if request.is_navigation_request() and self._is_relevant(request.frame):
            self._navigating[request.frame] = request
            self.on_change()

    def _failed(self, request: Request) -> None:
        if request.is_navigation_request() and self._navigating.get(request.frame) is request:
            self._has_failed = True
            self._finished(request.frame)

    def _committed(self, frame: Frame) -> None:
        if self._is_relevant(frame):
            self.navigated = True
            self._note_activity(is_navigation=True)
            self._finished(frame)
            self.on_change()

    def _finished(self, frame: Frame) -> None:
        self._navigating.pop(frame, None)
        self._changed.set()

    def _close(self) -> None:
        self._is_closed = True
        self._stop_waiting()

    def _stop_waiting(self) -> None:
        self._navigating.clear()
        self._opened = 0
        self._changed.set()

    def _window_announced(self) -> None:
        self._opened += 1
        self._note_activity()

    def _opened_page(self, popup: Page) -> None:
        self.popups.append(popup)
        self._note_activity()

    def _dialog_opened(self, dialog: PlaywrightDialog) -> None:
        self.dialog = Dialog(type=dialog.type, message=dialog.message, default_value=dialog.default_value or None)
        self._note_activity(is_navigation=True)
        self.on_change()

    def _downloading(self, download: PlaywrightDownload) -> None:
        self.download = Download(
            url=download.url[:_URL_LENGTH], suggested_filename=safe_name(download.suggested_filename)
        )
        self._note_activity(is_navigation=True)
