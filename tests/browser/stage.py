"""A real browser for tests of the browser side: an asyncio loop, a Chromium, a server, and a page for each test."""

import asyncio
import contextlib
import http.server
import os
import threading
import urllib.parse
from collections.abc import Callable, Coroutine, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeVar

import attrs
from playwright.async_api import Browser, CDPSession, Error, Frame, Page, Playwright, ViewportSize, async_playwright
from playwright.async_api import Dialog as PlaywrightDialog
from playwright.async_api import Download as PlaywrightDownload

from agentbrowser.browser.act.actions import Actions
from agentbrowser.browser.engine import chromium_flags
from agentbrowser.browser.engine.find_browser import find_browser
from agentbrowser.browser.ids import Ids
from agentbrowser.browser.page.frame_sessions import FrameSessions
from agentbrowser.browser.page.frame_tree import FrameTree
from agentbrowser.browser.page.isolated_world import IsolatedWorlds
from agentbrowser.browser.page.secrets import PageSecrets
from agentbrowser.browser.semantic.features import ElementFeatures
from agentbrowser.browser.settle.settler import PageSettler
from agentbrowser.policy.secrets import SecretStore
from agentbrowser.protocol.types.action import ActionDialog, Download, OpenedPage
from agentbrowser.protocol.types.page import Dialog
from agentbrowser.protocol.types.selector import Selector

T = TypeVar("T")
TabT = TypeVar("TabT", bound="FakeTab")

PAGES: Final = Path(__file__).parent / "pages"
_LIMIT_S: Final = 60.0
_NEXT: Final = "<title>Next</title>"
_VIEWPORT: Final[ViewportSize] = {"width": 1000, "height": 700}
_LOOKS: Final = 20


@attrs.define(eq=False, slots=False)
class FakeTab:
    """A fake tab with everything that actions use, around a real page."""

    page: Page
    dialog: Dialog | None = None
    keeps_dialogs: bool = False
    kept: list[PlaywrightDialog] = attrs.field(factory=list)
    css_by_ref: dict[str, str] = attrs.field(factory=dict)
    things: list[ElementFeatures] = attrs.field(factory=list)
    inner: Frame | None = None
    answering: asyncio.Future[None] | None = None
    session: CDPSession | None = None
    secrets: PageSecrets = attrs.field(factory=lambda: PageSecrets(SecretStore(), lambda: False))
    _frame_ids: Ids[Frame] = attrs.field(factory=lambda: Ids("frame"))

    def __attrs_post_init__(self) -> None:
        self.page.on("dialog", self._asked)

    @property
    def frame(self) -> Frame:
        return self.inner or self.page.main_frame

    @cached_property
    def actions(self) -> Actions:
        return Actions(self)

    @cached_property
    def settler(self) -> PageSettler:
        return PageSettler(self)

    def _asked(self, dialog: PlaywrightDialog) -> None:
        if self.keeps_dialogs:
            self.kept.append(dialog)
            self.dialog = Dialog(type=dialog.type, message=dialog.message)
        else:
            self.answering = asyncio.ensure_future(dialog.dismiss())

    async def leave(self) -> None:
        """Take the listener and the sessions of this tab off the page: another tab may be made of it."""
        self.page.remove_listener("dialog", self._asked)
        for session in (self.session, *self.frame_sessions.of_processes):
            if session is not None:
                with contextlib.suppress(Error):  # the process of the frame is gone
                    await session.detach()

    async def answer(self) -> None:
        self.dialog = None
        await self.kept.pop().dismiss()

    @property
    def is_chromium(self) -> bool:
        return True

    @cached_property
    def frame_sessions(self) -> FrameSessions:
        return FrameSessions(self)

    @cached_property
    def frame_tree(self) -> FrameTree:
        return FrameTree(self)

    @cached_property
    def isolated_worlds(self) -> IsolatedWorlds:
        return IsolatedWorlds(self)

    async def cdp(self) -> CDPSession:
        if self.session is None:
            self.session = await self.page.context.new_cdp_session(self.page)
        return self.session

    def frame_id(self, frame: Frame) -> str:
        return self._frame_ids.of(frame)

    def frame_of(self, ref: str) -> Frame:
        return self.frame

    def target_facts(self, selector: Selector) -> dict[str, bool]:
        return {"isRecorded": False, "isWatched": False}

    def note_target(self, selector: Selector, answer: dict[str, Any]) -> None:
        assert "located" not in answer

    async def resolve_ref(self, ref: str) -> str:
        return self.css_by_ref[ref]

    async def interactive(self, *, is_whole: bool = False) -> list[ElementFeatures]:
        return self.things

    async def opened_page(self, page: Page) -> OpenedPage:
        id_ = f"page-{self.page.context.pages.index(page)}"
        return OpenedPage(page_id=id_, url=page.url, title=await page.title())

    def dialog_outcome(self, dialog: PlaywrightDialog) -> ActionDialog:
        return ActionDialog(type=dialog.type, message=dialog.message, answered="open" if self.dialog else "dismissed")

    def download_outcome(self, download: PlaywrightDownload) -> Download:
        return Download(download_id="1", suggested_name=download.suggested_filename, state="started", url=download.url)

    async def log(self) -> list[str]:
        events: list[str] = await self.page.evaluate("log")
        return events

    async def value(self, id_: str) -> Any:
        return await self.page.evaluate("id => document.getElementById(id).value", id_)


class Pages(http.server.ThreadingHTTPServer):
    """Server of the test pages; /slow is answered once `held` is set. /nowhere is `markup`, /given its own query."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.held = threading.Event()
        self.held.set()
        self.markup = _NEXT

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_port}{path}"


class _Answer(http.server.BaseHTTPRequestHandler):
    server: Pages

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == "/slow":
            self.server.held.wait(_LIMIT_S)
        if path == "/nothing":
            return self._send(204, b"")
        if path in ("/file", "/lost-file"):
            return self._send(
                200 if path == "/file" else 404,
                b"bytes",
                **{"Content-Disposition": 'attachment; filename="report.txt"'},
            )
        if path in ("/nowhere", "/given"):
            page = self.server.markup if path == "/nowhere" else urllib.parse.unquote(self.path.partition("?")[2])
            return self._send(200, page.encode(), **{"Content-Type": "text/html; charset=utf-8"})
        file = PAGES / path.strip("/")
        return self._send(200, file.read_bytes() if file.is_file() else _NEXT.encode())

    def _send(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "text/html", "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        return


@attrs.define(eq=False)
class Stage:
    """A browser, its loop and a server of pages, for many tests."""

    runner: asyncio.Runner
    browser: Browser
    pages: Pages
    _looked_at: Page | None = attrs.field(default=None, init=False)
    """Page that tests which only look share, and how many more may do so."""
    _looks_left: int = attrs.field(default=0, init=False)

    def share(self, path: str, act: Callable[[FakeTab], Coroutine[Any, Any, T]], *, markup: str = _NEXT) -> T:
        """Run a test that fills fields or finds elements in the page that the tests which only look share."""
        return self.look(path, FakeTab, act, markup=markup)

    def play(self, path: str, act: Callable[[FakeTab], Coroutine[Any, Any, T]], *, markup: str = _NEXT) -> T:
        """Open a page in a context of its own and run a test on it.

        Args:
          markup: the page at /nowhere.
        """

        async def scene() -> T:
            async with asyncio.timeout(_LIMIT_S), contextlib.AsyncExitStack() as stack:
                context = await self.browser.new_context(viewport=_VIEWPORT)
                stack.push_async_callback(context.close)
                page = await context.new_page()
                await page.goto(self.pages.url(path))
                return await act(FakeTab(page))

        self.pages.held.set()
        self.pages.markup = markup
        return self.runner.run(scene())

    def look(
        self,
        path: str,
        kind: Callable[[Page], TabT],
        act: Callable[[TabT], Coroutine[Any, Any, T]],
        *,
        markup: str = _NEXT,
    ) -> T:
        """Run a test that only looks, in a page that such tests share: a page of its own takes half of its time.

        The test leaves nothing but its document, which the next one replaces: it neither moves the pointer nor stores
        anything, and opens no page.
        """

        async def scene() -> T:
            async with asyncio.timeout(_LIMIT_S):
                page, self._looked_at = self._looked_at, None
                if page is None:
                    self._looks_left = _LOOKS
                    context = await self.browser.new_context(viewport=_VIEWPORT)
                    page = await context.new_page()
                is_clean = False
                try:
                    await page.goto(self.pages.url(path))
                    tab = kind(page)
                    answer = await act(tab)
                    await tab.leave()
                    self._looks_left -= 1
                    is_clean = self._looks_left > 0 and page.context.pages == [page]
                finally:
                    if not is_clean:
                        await page.context.close()
                if is_clean:
                    self._looked_at = page
                return answer

        self.pages.held.set()
        self.pages.markup = markup
        return self.runner.run(scene())


@contextlib.contextmanager
def opened(*arguments: str) -> Iterator[Stage]:
    """Start server, loop and browser; the latter with these command-line arguments."""
    with Pages() as pages, asyncio.Runner() as runner:
        thread = threading.Thread(target=pages.serve_forever)
        thread.start()
        playwright = runner.run(async_playwright().start())
        browser = runner.run(_launch(playwright, arguments))
        try:
            yield Stage(runner, browser, pages)
        finally:
            runner.run(browser.close())
            runner.run(playwright.stop())
            pages.held.set()
            pages.shutdown()
            thread.join()


async def _launch(playwright: Playwright, arguments: Sequence[str]) -> Browser:
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    path = find_browser("chromium").path
    return await playwright.chromium.launch(executable_path=path, args=[*sandbox, *chromium_flags.FEATURES, *arguments])
