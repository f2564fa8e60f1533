"""Navigation of a page: load, reload and history, each with a clean end after failure or cancellation."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

import attrs
from playwright.async_api import Error, Frame, Request, Response

from agentbrowser.browser import faults
from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.policy.redaction import redact_address, redact_headers
from agentbrowser.protocol.errors import AgentBrowserError, ExecutionContextDestroyed, NavigationFailed
from agentbrowser.protocol.types.action import ActionDialog
from agentbrowser.protocol.types.navigation import MoveResult, NavigateResult
from agentbrowser.protocol.types.page import WaitUntil

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab

T = TypeVar("T")

_ERROR_PAGE: Final = "chrome-error:"
_BLANK: Final = "about:blank"
_NET_ERROR: Final = re.compile("net::(ERR_(?!ABORTED).*)")
_STOP_TIMEOUT_S: Final = 1.0
_HISTORY_ATTEMPTS: Final = 5
_HISTORY_PAUSE_S: Final = 0.05
_FRAME_POLL_S: Final = 0.5
_LOADED: Final = ("load", "networkidle")
_LEAVING: Final = "beforeunload"


@attrs.frozen
class Navigation:
    """Navigation of one tab."""

    tab: "Tab"

    async def navigate(self, url: str, wait_until: WaitUntil, referer: str | None = None) -> NavigateResult:
        """Load a URL and wait for the lifecycle event. [asyncio]

        Cancel: the load is stopped, so that the page is usable at once.
        """
        async with self._mapped_and_stopped(url):
            response, dialog = await self._goto(url, wait_until, referer)
        self.tab.url_before_crash = None
        return NavigateResult(
            url=self.tab.page.url,
            title=await self._title(dialog, loaded=wait_until in _LOADED),
            status=response.status if response else None,
            headers=redact_headers(response.headers) if response else None,
            dialog=dialog,
        )

    async def navigate_first(self, url: str, wait_until: WaitUntil) -> None:
        """Load the first URL of a page, which may be at the empty document that wrote its storage. [asyncio]

        The page's history begins with that URL. If the load fails, the page is blank, as a new one is.
        """
        empty = self.tab.page.url
        if empty == _BLANK:
            await self.navigate(url, wait_until)
            return
        is_loaded = False
        try:
            await self.navigate(url, wait_until)
            is_loaded = True
        finally:
            if not is_loaded and self.tab.page.url == empty:
                await self._leave_empty_document()
            await self._forget_history()

    async def _leave_empty_document(self) -> None:
        with contextlib.suppress(Error, TimeoutError):
            async with asyncio.timeout(_STOP_TIMEOUT_S):
                await self.tab.page.goto(_BLANK, wait_until="commit")

    async def _forget_history(self) -> None:
        """Remove all entries of the history but the present one."""
        for _ in range(_HISTORY_ATTEMPTS):
            with contextlib.suppress(ExecutionContextDestroyed), faults.mapped():
                await (await self.tab.cdp()).send("Page.resetNavigationHistory")
                return
            await asyncio.sleep(_HISTORY_PAUSE_S)  # the page is between two processes, for a moment

    async def _goto(
        self, url: str, wait_until: WaitUntil, referer: str | None
    ) -> tuple[Response | None, ActionDialog | None]:
        await self.tab.page_programs_installed()
        page, failed = self.tab.page, asyncio.Event()

        def on_navigated(frame: Frame) -> None:
            if frame is page.main_frame and frame.url.startswith(_ERROR_PAGE):
                failed.set()

        listener = safe_listener(on_navigated)
        page.on("framenavigated", listener)
        try:
            # No timeout of Playwright's (0): the request's deadline cancels this task.
            return await self._until_loaded(page.goto(url, wait_until=wait_until, referer=referer, timeout=0))
        except Error as error:
            # The error page commits a moment later, and would interrupt the next navigation.
            if self.tab.is_chromium and _NET_ERROR.search(error.message):
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_STOP_TIMEOUT_S):
                        await failed.wait()
            raise
        finally:
            page.remove_listener("framenavigated", listener)

    async def _until_loaded(self, load: Awaitable[T]) -> tuple[T | None, ActionDialog | None]:
        """Await a load, or the dialog behind which it waits for the client's answer. It goes on behind the dialog."""
        loading = asyncio.ensure_future(self.tab.navigation_policy.wait_for(load))
        left_open = asyncio.ensure_future(self.tab.dialogs.wait_until_left_open())
        cut_off = asyncio.ensure_future(self._cut_off())
        try:
            done, _ = await asyncio.wait({loading, left_open, cut_off}, return_when=asyncio.FIRST_COMPLETED)
            if done == {cut_off}:  # a load of which nothing has come fails by itself
                await asyncio.wait({loading}, timeout=_STOP_TIMEOUT_S)
            if loading.done():
                return loading.result(), None
            if cut_off.done():
                raise cut_off.result()
            return None, left_open.result()
        finally:
            for task in (loading, left_open, cut_off):
                task.cancel()
            await asyncio.gather(loading, left_open, cut_off, return_exceptions=True)

    async def _cut_off(self) -> NavigationFailed:
        """Wait until a document of the page is cut off: its load event never comes."""
        page = self.tab.page
        failure = asyncio.get_running_loop().create_future()

        def on_failed(request: Request) -> None:
            reason = _NET_ERROR.match(request.failure or "")
            if reason and request.is_navigation_request() and request.frame is page.main_frame and not failure.done():
                failure.set_result((request.url, reason[1]))

        listener = safe_listener(on_failed)
        page.on("requestfailed", listener)
        try:
            url, reason = await failure
        finally:
            page.remove_listener("requestfailed", listener)
        message = f"The document was cut off: {reason}. The page has what came before."
        return NavigationFailed(message, url=redact_address(url), reason=reason)

    async def reload(self, wait_until: WaitUntil) -> MoveResult:
        """Reload the page, or load the URL that it had before it crashed. [asyncio]"""
        if (url_before_crash := self.tab.url_before_crash) is not None:
            loaded = await self.navigate(url_before_crash, wait_until)
            return await self._move_result(loaded.dialog, navigated=True)
        async with self._mapped_and_stopped(self.tab.page.url):
            _, dialog = await self._until_loaded(self.tab.page.reload(wait_until=wait_until, timeout=0))
        has_left = dialog is None or dialog.type != _LEAVING
        return await self._move_result(dialog, navigated=has_left, loaded=wait_until in _LOADED)

    async def go_back(self, wait_until: WaitUntil) -> MoveResult:
        """Go back one page in the history. [asyncio]"""
        return await self._through_history(-1, wait_until)

    async def go_forward(self, wait_until: WaitUntil) -> MoveResult:
        """Go forward one page in the history. [asyncio]"""
        return await self._through_history(+1, wait_until)

    async def _through_history(self, step: int, wait_until: WaitUntil) -> MoveResult:
        before = await self._history_index()
        page = self.tab.page
        go = page.go_back if step < 0 else page.go_forward
        async with self._mapped_and_stopped(page.url):
            move = partial(go, wait_until=wait_until, timeout=0)
            _, dialog = await self._until_loaded(self._moved(move, before, wait_until))
        return await self._move_result(dialog, navigated=await self._history_index() != before)

    async def _moved(
        self, move: Callable[[], Awaitable[Response | None]], before: object, wait_until: WaitUntil
    ) -> Response | None:
        """Await a move through the history: Playwright's own waits for ever if only a frame in the page moves."""
        document = await self._document() if self.tab.is_chromium else None
        if document is None:
            return await move()
        moving = asyncio.ensure_future(move())
        in_frame = asyncio.ensure_future(self._moved_in_frame(before, document, wait_until))
        try:
            await asyncio.wait({moving, in_frame}, return_when=asyncio.FIRST_COMPLETED)
            return moving.result() if moving.done() else in_frame.result()
        finally:
            for task in (moving, in_frame):
                task.cancel()
            await asyncio.gather(moving, in_frame, return_exceptions=True)

    async def _moved_in_frame(self, before: object, document: str, wait_until: WaitUntil) -> None:
        """Wait until the history has moved while the page kept its document; sleep for ever if it gets another one."""
        page, navigated = self.tab.page, asyncio.Event()
        frames: list[Frame] = []

        def on_navigated(frame: Frame) -> None:
            if frame is not page.main_frame:
                frames.append(frame)
                navigated.set()

        listener = safe_listener(on_navigated)
        page.on("framenavigated", listener)
        try:
            while await self._is_at(before):
                with contextlib.suppress(TimeoutError):  # a frame that has been removed navigates no more
                    async with asyncio.timeout(_FRAME_POLL_S):
                        await navigated.wait()
                navigated.clear()
            if not frames:  # the history moves a little before the frame says so
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_FRAME_POLL_S):
                        await navigated.wait()
            # Asked after the index: whatever has moved it has committed by now.
            if await self._document() != document:
                await asyncio.Event().wait()  # the page's own load, which Playwright waits for
            if wait_until != "commit":
                for frame in frames[-1:]:
                    with contextlib.suppress(Error):  # it has been removed, or goes on
                        await frame.wait_for_load_state(wait_until, timeout=0)
        finally:
            page.remove_listener("framenavigated", listener)

    async def _is_at(self, index: object) -> bool:
        with contextlib.suppress(ExecutionContextDestroyed):
            return await self._history_index() == index
        return True  # between two processes, for long

    async def _document(self) -> str | None:
        """Return the id of the page's document; None from a page that is busy or between two processes."""
        with contextlib.suppress(TimeoutError, ExecutionContextDestroyed):
            async with asyncio.timeout(_STOP_TIMEOUT_S):
                with faults.mapped():
                    tree = await (await self.tab.cdp()).send("Page.getFrameTree")
                    return str(tree["frameTree"]["frame"]["loaderId"])
        return None

    async def _history_index(self) -> object:
        """Return the position in the history: Playwright's result does not show steps within a document."""
        if not self.tab.is_chromium:
            return self.tab.page.url
        for _ in range(_HISTORY_ATTEMPTS):
            with contextlib.suppress(ExecutionContextDestroyed), faults.mapped():
                return (await (await self.tab.cdp()).send("Page.getNavigationHistory"))["currentIndex"]
            await asyncio.sleep(_HISTORY_PAUSE_S)  # the page is between two processes, for a moment
        raise ExecutionContextDestroyed("The page keeps going on to other documents.")

    async def _move_result(self, dialog: ActionDialog | None, *, navigated: bool, loaded: bool = False) -> MoveResult:
        title = await self._title(dialog, loaded=loaded)
        return MoveResult(url=self.tab.page.url, title=title, navigated=navigated, dialog=dialog)

    async def _title(self, dialog: ActionDialog | None, *, loaded: bool) -> str:
        return await (self.tab.title(loaded=loaded) if dialog is None else self.tab.title_at_once())

    @contextlib.asynccontextmanager
    async def _mapped_and_stopped(self, url: str) -> AsyncIterator[None]:
        try:
            with faults.mapped(url=url):
                yield
        except asyncio.CancelledError:
            await self.stop()
            raise

    async def stop(self) -> None:
        """Stop loading: a page that keeps loading blocks every later call. [asyncio]"""
        if not self.tab.is_chromium or self.tab.crash_signal.is_set:
            return
        with contextlib.suppress(Error, AgentBrowserError, TimeoutError):  # a page that is gone loads nothing
            async with asyncio.timeout(_STOP_TIMEOUT_S):
                await (await self.tab.cdp()).send("Page.stopLoading")
