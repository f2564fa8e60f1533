"""Effects of an action on its page: navigations, new pages, dialogs, downloads."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Final, Self

import attrs
from playwright.async_api import Dialog as PlaywrightDialog
from playwright.async_api import Download as PlaywrightDownload
from playwright.async_api import Error, Frame, Page, Request

from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.browser.events.page_listeners import PageListeners
from agentbrowser.policy.urls import host_of
from agentbrowser.protocol.types.action import FileChooser

# Resolves after the timers and form submissions that the action has queued in the page.
_TURN: Final = "() => new Promise(done => setTimeout(done, 0))"
# For pages with a fake clock, or too busy to answer.
_TURN_TIMEOUT_S: Final = 1.0
# For announced windows that never open: the browser may block them.
_WINDOW_TIMEOUT_S: Final = 2.0
_ERROR_URL: Final = "chrome-error://chromewebdata/"
_NEW_TABS: Final = ("newTab", "newWindow")
_MAX_URL: Final = 4096
# For started navigations without any event: the page may have intercepted them.
_BEGIN_TIMEOUT_S: Final = 0.5
# Documents that load without a request. Any other navigation without a request stays in its document.
_WITHOUT_REQUEST: Final = ("about:", "blob:", "data:", "javascript:")
# For the response of a committed document, which the driver has.
_STATUS_TIMEOUT_S: Final = 0.5
# For the answer to the request of a download: the browser reports nothing before.
_DOWNLOAD_TIMEOUT_S: Final = 2.0


@attrs.define(eq=False)
class ActionEffects:
    """Recorder of the page's events between enter and exit. It only listens: the tab answers dialogs.

    Args:
      frame: the frame of the action; its navigations count like the page's own.
      on_change: called when a dialog opens or a navigation starts.
    """

    listeners: PageListeners
    frame: Frame
    on_change: Callable[[], None] = lambda: None
    navigated: bool = attrs.field(default=False, init=False)
    has_left: bool = attrs.field(default=False, init=False)
    """True if a new document has replaced the one of the action, or the page's."""
    popups: list[Page] = attrs.field(factory=list, init=False)
    dialog: PlaywrightDialog | None = attrs.field(default=None, init=False)
    download: PlaywrightDownload | None = attrs.field(default=None, init=False)
    _downloads: list[PlaywrightDownload] = attrs.field(factory=list, init=False)
    _download_frames: dict[str, set[str]] = attrs.field(factory=dict, init=False)
    """CDP ids of the frames that have begun downloads, by the URLs of these."""
    file_chooser: FileChooser | None = attrs.field(default=None, init=False)
    has_activity: bool = attrs.field(default=False, init=False)
    """True if the page has emitted any event, down to a single request."""
    _is_closed: bool = attrs.field(default=False, init=False)
    _has_failed: bool = attrs.field(default=False, init=False)
    _has_started: bool = attrs.field(default=False, init=False)
    _navigating: dict[Frame, Request] = attrs.field(factory=dict, init=False)
    _document: Request | None = attrs.field(default=None, init=False)
    """Request of the page's new document."""
    _refused: Request | None = attrs.field(default=None, init=False)
    """Request of a document that the browser shows its error page for, such as a download of status 404."""
    windows: list[str] = attrs.field(factory=list, init=False)
    """URLs of the announced windows that have not opened yet."""
    _alone: int = attrs.field(default=0, init=False)
    """Number of those without an opener: new tabs, by a click with Control or with the middle button."""
    _changed: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)

    def __enter__(self) -> Self:
        self.listeners.add(self)
        return self

    def __exit__(self, *_: object) -> None:
        self.listeners.remove(self)

    def receive(self, event: str, value: Any) -> None:
        """Record an event of the page."""
        match event:
            case "request":
                self._requested(value)
            case "requestfailed":
                self._failed(value)
            case "framenavigated":
                self._committed(value)
            case "framedetached":
                self._finished(value)
            case "Page.windowOpen":
                self._window_announced(value["url"])
            case "Page.frameRequestedNavigation":
                self._tab_requested(value)
            case "page":
                self._context_page_opened(value)
            case "Page.fileChooserOpened":
                self._chooser_opened(value)
            case "popup":
                self._opened_page(value)
            case "dialog":
                self._dialog_opened(value)
            case "download":
                self._downloading(value)
            case "Page.downloadWillBegin":
                self._download_frames.setdefault(value["url"], set()).add(value["frameId"])
            case "close":
                self._close()
            case "crash":
                self._stop_waiting()

    @property
    def is_loading(self) -> bool:
        """Return True while a navigation is in progress."""
        return bool(self._navigating)

    @property
    def is_leaving(self) -> bool:
        """Return True if the document of the action is gone, or about to be replaced.

        Navigation within a document (`pushState`, a fragment) leaves the document and its guard in place.
        """
        return self.has_left or self.is_loading

    @property
    def is_pending(self) -> bool:
        """Return True if anything known to have started is unfinished."""
        return self.is_loading or self._has_failed or bool(self.windows)

    @property
    def is_quiet(self) -> bool:
        """Return True if nothing has happened that could affect the next action on the document."""
        has_moved = self.navigated or self.is_loading
        return not (has_moved or self.popups or self.windows or self.dialog or self.download)

    async def settle(self) -> None:
        """Wait until all effects are known: navigations are committed, new pages are open. [asyncio]

        The browser answers a script only after it has reported an earlier navigation. A navigation that starts later
        than one turn of the page's event loop is missed.
        """
        await self._take_turn()
        await self.wait_for_started(is_started=False)

    async def wait_for_started(self, *, is_started: bool, is_download: bool = False) -> None:
        """Wait until everything that has started is finished. [asyncio]

        Args:
          is_started: a navigation has started, so that its first event must come soon.
          is_download: the click is to download something, which is reported once the server answers.
        """
        if is_started or is_download:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_DOWNLOAD_TIMEOUT_S if is_download else _BEGIN_TIMEOUT_S):
                    await self._until(lambda: self._has_started)
        await self._until(lambda: not self.is_loading)
        if self._has_failed and self.download is None:
            await self._take_turn()  # a download is reported before the page answers
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_WINDOW_TIMEOUT_S):
                await self._until(lambda: not self.windows)

    async def status(self) -> int | None:
        """Return the HTTP status of the page's new document; None without one. [asyncio]"""
        if self._document is not None:
            with contextlib.suppress(Error, TimeoutError):
                async with asyncio.timeout(_STATUS_TIMEOUT_S):
                    response = await self._document.response()
                    return None if response is None else response.status
        return None

    async def own_download(self) -> PlaywrightDownload | None:
        """Return the last download, but for those that a frame of another site has begun, as of an ad. [asyncio]

        The frame of the action and those without a site of their own, as many pages begin downloads by them, are the
        page's. So is a frame that is gone, or that has a process of its own: the page's session does not report it.
        """
        if self.download is None or not (foreign := await self._foreign_frames()):
            return self.download
        own = [one for one in self._downloads if self._download_frames.get(one.url, {""}) - foreign]
        return own[-1] if own else None

    async def _foreign_frames(self) -> set[str]:
        """Return the CDP ids of the frames of other sites than the page and the frame of the action. [asyncio]"""
        page, session = self.listeners.page, self.listeners.session
        if session is None or not self._download_frames:
            return set()
        own = {host_of(page.url), host_of(self.frame.url), ""}
        with contextlib.suppress(Error, TimeoutError):  # a dialog may have stopped the page
            async with asyncio.timeout(_STATUS_TIMEOUT_S):
                frames = [(await session.send("Page.getFrameTree"))["frameTree"]]
                for frame in frames:
                    frames += frame.get("childFrames", ())
                return {one["frame"]["id"] for one in frames if host_of(one["frame"]["url"]) not in own}
        return set()

    async def is_closed(self) -> bool:
        """Return True if the page closes within a moment. [asyncio]"""
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
        """Wait for one turn of the page's event loop, in its current document."""
        while not self.frame.is_detached():
            try:
                await self.frame.evaluate(_TURN)
                return
            except Error:  # the document was replaced under the script: repeat in the new one
                if self.listeners.page.is_closed():
                    return

    def _is_relevant(self, frame: Frame) -> bool:
        return frame in (self.listeners.page.main_frame, self.frame)

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
            self._refused = request
            self._finished(request.frame)

    def _committed(self, frame: Frame) -> None:
        if self._is_relevant(frame):
            self.navigated = True
            if frame is self.listeners.page.main_frame:
                refused = self._refused if frame.url == _ERROR_URL else None
                self._document = self._navigating.get(frame, refused) or self._document
            self.has_left |= frame in self._navigating or frame.url.startswith(_WITHOUT_REQUEST)
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
        self.windows.clear()
        self._changed.set()

    def _window_announced(self, url: str) -> None:
        self.windows.append(url[:_MAX_URL])
        self._note_activity()

    def _tab_requested(self, event: dict[str, Any]) -> None:
        if event["disposition"] in _NEW_TABS:
            self._alone += 1
            self._window_announced(event["url"])

    def _context_page_opened(self, page: Page) -> None:
        if not self._alone:
            return
        if page.url == "about:blank":  # not yet loaded, or the client's own
            page.once("framenavigated", safe_listener(lambda _: self._context_page_opened(page)))
        else:
            self._alone -= 1
            self._opened_page(page)

    def _chooser_opened(self, event: dict[str, Any]) -> None:
        self.file_chooser = FileChooser(multiple=event["mode"] == "selectMultiple")
        self._note_activity()

    def _opened_page(self, popup: Page) -> None:
        if popup in self.popups:
            return
        self.popups.append(popup)
        if self.windows:
            self.windows.remove(popup.url if popup.url in self.windows else self.windows[0])
        self._note_activity()

    def _dialog_opened(self, dialog: PlaywrightDialog) -> None:
        self.dialog = dialog
        self._note_activity(is_navigation=True)
        self.on_change()

    def _downloading(self, download: PlaywrightDownload) -> None:
        self.download = download
        self._downloads.append(download)
        self._note_activity(is_navigation=True)
