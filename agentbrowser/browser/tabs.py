"""One client's contexts and pages. Everything here runs in the browser thread."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Any, Final, TypeVar

import attrs
import structlog
from playwright.async_api import BrowserContext
from playwright.async_api import Page as PlaywrightPage

from agentbrowser.browser import faults
from agentbrowser.browser.events import wrapped
from agentbrowser.browser.launch import Engine
from agentbrowser.browser.tab import Tab
from agentbrowser.config import Config
from agentbrowser.errors import AgentBrowserError, ContextNotFound, PageNotFound, ResourceLimitExceeded
from agentbrowser.types.event import DEFAULT_KINDS, PageEvent, PublicEvent, now_ms
from agentbrowser.types.page import ListedPage, Page, PageOptions

ResultT = TypeVar("ResultT")

log = structlog.get_logger("agentbrowser.browser")

DEFAULT_CONTEXT: Final = "default"
_CLOSE_TIMEOUT_S: Final = 2.0


@attrs.frozen(eq=False)
class Context:
    """One cookie jar of the client."""

    id: str
    made: BrowserContext
    created_ms: int


@attrs.define(eq=False)
class Tabs:
    """The pages of one client by their ids.

    Args:
      engine: the browser that is shared with the other clients.
      ids: numbers for the ids of pages; shared with the session, which names the pages that the client asks for.
      emit: takes every event, from this thread.
    """

    engine: Engine
    config: Config
    ids: Iterator[int]
    emit: Callable[[PublicEvent], None]
    wanted: frozenset[str] = DEFAULT_KINDS
    _tabs: dict[str, Tab] = attrs.field(factory=dict, init=False)
    _contexts: dict[str, Context] = attrs.field(factory=dict, init=False)
    _used: dict[str, str] = attrs.field(factory=dict, init=False)
    """What became of each page that ever was, for the errors of those who still ask for it."""
    _opening: asyncio.Lock = attrs.field(factory=asyncio.Lock, init=False)
    _unlisten: Callable[[], None] | None = attrs.field(default=None, init=False)
    _chores: set[asyncio.Task[None]] = attrs.field(factory=set, init=False)

    @property
    def default_context(self) -> str:
        """The id of the context that pages are opened in when no other is named."""
        return DEFAULT_CONTEXT

    async def serve(
        self, handler: Callable[["Tabs", Any], Awaitable[ResultT]], params: Any, fresh: str | None
    ) -> ResultT:
        """Run a method's handler; ``fresh`` is the id of a page to make first, if it was not made before. [asyncio]"""
        if fresh is not None and fresh not in self._used:
            await self.open(fresh)
        return await handler(self, params)

    async def tab(self, page_id: str | None, *, behind_dialog: bool = False) -> Tab:
        """Return the page with that id, once no dialog holds it up. [asyncio]

        Args:
          behind_dialog: return it at once, for what a dialog does not hinder.

        Raises:
          PageNotFound: there is none, or no more.
          Timeout: its dialog is still open when the request has to end.
        """
        tab = self._tabs.get(page_id or "")
        if tab is None:
            gone = self._used.get(page_id or "", "is not known")
            raise PageNotFound(f"The page {page_id} {gone}.", page_id=page_id)
        if not behind_dialog:
            await tab.dialogs.over()
        return tab

    async def create(
        self, page_id: str, options: PageOptions, *, url: str | None = None, context_id: str | None = None
    ) -> Page:
        """Open a page and load its URL. [asyncio]

        Cancel: no page is left behind.
        """
        tab = await self.open(page_id, context_id)
        try:
            await tab.become(options)
            if url is not None:
                await tab.journey.navigate(url, "load")
            return await tab.describe()
        except BaseException:
            await self._quietly(tab.page.close())
            raise

    async def open(self, page_id: str, context_id: str | None = None) -> Tab:
        """Open an empty page under that id. [asyncio]

        Cancel: the page is made all the same, since half a creation can't be taken back, and is closed again.
        """
        return await _whole(self._open(page_id, context_id), lambda tab: self._quietly(tab.page.close()))

    async def _open(self, page_id: str, context_id: str | None) -> Tab:
        async with self._opening:
            self._check_room()
            context = await self._context(context_id)
            with faults.mapped():
                page = await context.made.new_page()
            tab = self._adopt(page_id, page, context)
        self.emit(PageEvent(type="created", page_id=page_id, url=page.url))
        return tab

    def _check_room(self) -> None:
        limit = self.config.max_pages
        if len(self._tabs) >= limit:
            raise ResourceLimitExceeded(
                f"This client already has {limit} pages; close one first.",
                resource="pages",
                limit=limit,
                current=len(self._tabs),
            )

    async def _context(self, context_id: str | None) -> Context:
        key = context_id or DEFAULT_CONTEXT
        context = self._contexts.get(key)
        if context is not None:
            return context
        if key != DEFAULT_CONTEXT:
            raise ContextNotFound(f"There is no context {key}.", context_id=key)
        return await self._make_context(key, {})

    async def _make_context(self, key: str, options: dict[str, Any]) -> Context:
        if self._unlisten is None:
            self._unlisten = self.engine.on_lost(lambda _: self._lost())
        with faults.mapped():
            made = await self.engine.new_context(**options)
        context = self._contexts[key] = Context(id=key, made=made, created_ms=now_ms())
        made.on("page", wrapped(lambda page: self.chore(self._welcome(page, context))))
        made.on("close", wrapped(lambda _: self._contexts.pop(key, None)))
        return context

    async def launch(self, options: dict[str, Any]) -> Context | None:
        """Make the default context with these options; None if there is one already. [asyncio]"""
        async with self._opening:
            if DEFAULT_CONTEXT in self._contexts:
                return None
            return await self._make_context(DEFAULT_CONTEXT, options)

    def _adopt(self, page_id: str, page: PlaywrightPage, context: Context, opener: str | None = None) -> Tab:
        tab = Tab(tabs=self, id=page_id, page=page, context_id=context.id, opener=opener)
        self._used[page_id] = "was closed"
        self._tabs[page_id] = tab
        page.on("close", wrapped(lambda _: self._forget(tab)))
        tab.attach(self.wanted)
        return tab

    def _forget(self, tab: Tab) -> None:
        if self._tabs.pop(tab.id, None) is not None:
            tab.closed()
            self.emit(PageEvent(type="close", page_id=tab.id, url=tab.page.url))

    async def _welcome(self, page: PlaywrightPage, context: Context) -> None:
        """Take in a page that a page has opened, or close it if there are too many."""
        async with self._opening:  # a page that we are opening ourselves is heard of here too
            if any(tab.page is page for tab in self._tabs.values()) or page.is_closed():
                return
            source = await page.opener()
            opener = next((tab.id for tab in self._tabs.values() if tab.page is source), None)
            if len(self._tabs) >= self.config.max_pages:
                reason = f"A page that it opened is closed, for {self.config.max_pages} pages are open."
                self.emit(PageEvent(type="error", page_id=opener or "", url=page.url, reason=reason))
                self.chore(self._quietly(page.close()))
                return
            tab = self._adopt(f"page-{next(self.ids)}", page, context, opener)
        self.emit(PageEvent(type="created", page_id=tab.id, url=page.url))

    def _lost(self) -> None:
        """Forget everything: the browser is gone, and a dead driver closes no page."""
        for tab in list(self._tabs.values()):
            self._forget(tab)
        self._contexts.clear()

    def expel(self, tab: Tab, why: str) -> None:
        """Close a page that would spoil everything for its client, and say why."""
        log.warning("page_expelled", why=why)
        self._used[tab.id] = f"was closed by the server, for {why}"
        self.emit(PageEvent(type="error", page_id=tab.id, url=tab.page.url, reason=f"The page is closed, for {why}."))
        self.chore(self._quietly(tab.page.close()))

    async def page_id_of(self, page: PlaywrightPage) -> str | None:
        """Return the id of a page that has just opened, once it is taken in; None if it was not. [asyncio]"""
        async with self._opening:
            return next((tab.id for tab in self._tabs.values() if tab.page is page), None)

    async def close_page(self, page_id: str | None, *, run_before_unload: bool = False) -> None:
        """Close a page. [asyncio]"""
        tab = await self.tab(page_id, behind_dialog=True)
        with faults.mapped():
            await tab.page.close(run_before_unload=run_before_unload)

    async def describe(self) -> list[ListedPage]:
        """Return the pages in the order they were opened, without waiting for any of them. [asyncio]"""
        return [await tab.list_entry() for tab in list(self._tabs.values())]

    def listen(self, kinds: frozenset[str]) -> None:
        """Have the pages report just these kinds of events."""
        self.wanted = kinds
        for tab in self._tabs.values():
            tab.reporter.hear_console("console" in kinds)

    async def close(self) -> None:
        """Close all that the client owns. [asyncio]"""
        if self._unlisten is not None:
            self._unlisten()
            self._unlisten = None
        for task in list(self._chores):
            task.cancel()
        for context in list(self._contexts.values()):
            await self._quietly(context.made.close())
        self._contexts.clear()
        self._tabs.clear()

    def chore(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._chores.add(task)
        task.add_done_callback(self._chore_done)

    def _chore_done(self, task: asyncio.Task[None]) -> None:
        self._chores.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("chore_failed", error=type(error).__name__)

    async def _quietly(self, closing: Awaitable[None]) -> None:
        """Close something that may be gone already, or may hang."""
        try:
            async with asyncio.timeout(_CLOSE_TIMEOUT_S):
                await closing
        except (TimeoutError, *faults.VENDOR) as error:
            log.info("close_failed", error=type(error).__name__)


async def _whole(work: Coroutine[Any, Any, ResultT], undo: Callable[[ResultT], Awaitable[None]]) -> ResultT:
    """Await work that must not be cut in half; if its caller is cancelled, undo what it made. [asyncio]"""
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        with contextlib.suppress(AgentBrowserError):  # then there is nothing to undo
            await undo(await task)
        raise
