"""One client's pages. Everything here runs in the browser thread."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from functools import cached_property
from typing import Any, TypeVar

import attrs
import structlog
from playwright.async_api import Frame, Request
from playwright.async_api import Page as PlaywrightPage

from agentbrowser.browser import faults
from agentbrowser.browser.background_tasks import BackgroundTasks
from agentbrowser.browser.closed_pages import ClosedPages
from agentbrowser.browser.contexts import DEFAULT_CONTEXT, Context, Contexts, close_quietly
from agentbrowser.browser.engine.crash_recovery import revive
from agentbrowser.browser.engine.crash_signal import crashed, lost
from agentbrowser.browser.engine.engine import Engine, Loss
from agentbrowser.browser.events.console import ConsoleThrottle
from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.browser.ids import Ids
from agentbrowser.browser.page.downloads import Downloads
from agentbrowser.browser.page.intercept import Interception
from agentbrowser.browser.page.navigation_policy import Refusal, close_if_refused
from agentbrowser.browser.page.secrets import PageSecrets
from agentbrowser.browser.tab import Tab
from agentbrowser.browser.uninterrupted import keep, whole
from agentbrowser.config import Config
from agentbrowser.policy.secrets import SecretStore
from agentbrowser.policy.subscriptions import DEFAULT, Subscriptions
from agentbrowser.policy.urls import UrlRules
from agentbrowser.protocol.errors import ResourceLimitExceeded, ServerBusy, TargetClosed
from agentbrowser.protocol.registry import TabState
from agentbrowser.protocol.types.event import PageEvent, Report
from agentbrowser.protocol.types.page import ListedPage, PageInfo, PageOptions
from agentbrowser.protocol.types.storage import StorageState

ResultT = TypeVar("ResultT")
Handler = Callable[[Any, Any], Awaitable[ResultT]]

log = structlog.get_logger("agentbrowser.browser")


@attrs.define(eq=False, slots=False)
class Tabs:
    """The pages of one client by their ids.

    Args:
      engine: the browser that is shared with the other clients.
      new_proxy_listener: makes a listener to be the client's way out, in any thread.
      serve_proxy: has that listener let the client's pages out, from this thread.
      ids: numbers for the ids of pages; shared with the session, which names the pages that the client asks for.
      rules: the operator's, narrowed by the client's token.
      emit: takes every event, from this thread.
      refuse: takes the pages' ids and URLs of documents that the rules refuse, with the error, from this thread.
    """

    engine: Engine
    config: Config
    new_proxy_listener: Callable[[], socket.socket]
    serve_proxy: Callable[[socket.socket], object]
    rules: UrlRules
    ids: Iterator[int]
    emit: Callable[[Report], None]
    refuse: Callable[[str, str, Refusal], None]
    accepts_downloads: bool = True
    subscriptions: Subscriptions = DEFAULT
    request_ids: Ids[Request] = attrs.field(factory=lambda: Ids("request"), init=False)
    console_throttle: ConsoleThrottle = attrs.field(factory=ConsoleThrottle, init=False)
    frame_ids: Ids[Frame] = attrs.field(factory=lambda: Ids("frame"), init=False)
    _tabs: dict[str, Tab] = attrs.field(factory=dict, init=False)
    _past: ClosedPages = attrs.field(factory=ClosedPages, init=False)
    opening: asyncio.Lock = attrs.field(factory=asyncio.Lock, init=False)
    """Held by whoever makes a page or a context."""
    generation: int = attrs.field(default=0, init=False)
    """How often all was closed; what was begun in an earlier generation is not wanted any more."""
    blocked_navigations: int = attrs.field(default=0, init=False)
    """How often a page was kept from going somewhere."""
    proxy_port: int = attrs.field(default=0, init=False)
    """The port of the client's way out, which is its contexts' proxy; 0 until it has a context."""
    _unlisten: Callable[[], None] | None = attrs.field(default=None, init=False)
    _chores: BackgroundTasks = attrs.field(factory=BackgroundTasks, init=False)

    @cached_property
    def downloads(self) -> Downloads:
        """The files that the pages have downloaded."""
        return Downloads(self)

    @cached_property
    def interception(self) -> Interception:
        """What is done with the requests of the pages."""
        return Interception(self)

    @cached_property
    def contexts(self) -> Contexts:
        """The contexts that the pages are in."""
        return Contexts(self)

    @cached_property
    def secrets(self) -> PageSecrets:
        """The secrets that the pages have been given."""
        vault = self.config.secrets or SecretStore()
        return PageSecrets(vault, lambda: any(context.tracing.is_recording for context in self.contexts))

    @property
    def run_in_background(self) -> Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]:
        """Runs work in the background until all is closed."""
        return self._chores.start

    @property
    def event_kinds(self) -> frozenset[str]:
        """The kinds of events that the client wants to be told of."""
        return self.subscriptions.kinds

    @property
    def default_context(self) -> str:
        """The id of the context that pages are opened in when no other is named."""
        return DEFAULT_CONTEXT

    async def serve(
        self, handler: Handler[ResultT], params: Any, fresh: str | None, state: TabState | None = None
    ) -> ResultT:
        """Run a method's handler. [asyncio]

        Args:
          handler: receives the page's tab, or these tabs if it needs none.
          fresh: the id of a page to make first, if it was not made before.
          state: the state of the tab that the handler needs; None: it needs no tab.

        Cancel: a page that then does not answer is made to, which the next request for it waits for.
        """
        if fresh is not None and not self._past.knows(fresh):
            # Whatever becomes of this request, the next one means this page too.
            await whole(self._open(fresh, None), keep)

        async def work() -> ResultT:
            return await handler(self if state is None else await self.tab(params.page_id, state), params)

        tab = self._tabs.get(getattr(params, "page_id", None) or "")
        if tab is None:
            return await work()
        with tab.crash_signal.held():
            try:
                await tab.unblocker.wait()
                return await work()
            except asyncio.CancelledError:
                await self._tabs.get(tab.id, tab).unblocker.start()  # it may be another one since
                raise
            except TargetClosed as closed:
                raise (lost() if tab.is_lost else closed) from None

    async def tab(self, page_id: str | None, state: TabState = TabState.UNBLOCKED) -> Tab:
        """Return the page with that id, in that state. [asyncio]

        Raises:
          PageNotFound: there is none, or no more.
          TargetClosed: it has crashed.
          Timeout: its dialog is still open when the request has to end.
        """
        tab = self._known(page_id)
        if tab.crash_signal.cut and state is TabState.REVIVED:
            await whole(revive(tab), keep)
            tab = self._known(page_id)
        if tab.crash_signal.cut:
            raise crashed()
        if state is not TabState.ALIVE:
            await tab.dialogs.wait_until_closed()
        return tab

    def _known(self, page_id: str | None) -> Tab:
        """Return the page with that id, whatever its state."""
        if page_id not in self._tabs:
            raise self._past.missing(page_id)
        return self._tabs[page_id]

    async def create(
        self,
        page_id: str,
        options: PageOptions,
        *,
        url: str | None = None,
        context_id: str | None = None,
        state: StorageState | None = None,
    ) -> PageInfo:
        """Open a page and load its URL. [asyncio]

        Args:
          state: what the page's context is to keep from now on, instead of what it kept before.

        Cancel: no page is left behind.
        """
        tab = await self.open(page_id, context_id)
        try:
            await tab.become(options)
            if state is not None:
                await tab.context.storage.replace(state, "storageState")
            if url is not None:
                await tab.navigation.navigate(url, "load")
            return await tab.describe()
        except BaseException:
            await close_quietly(tab.page.close())
            self.forget(tab)
            raise

    async def open(self, page_id: str, context_id: str | None = None) -> Tab:
        """Open an empty page under that id. [asyncio]

        Cancel: the page is made all the same, since half a creation can't be taken back, and is closed again.
        """
        return await whole(self._open(page_id, context_id), lambda tab: close_quietly(tab.page.close()))

    async def _open(self, page_id: str, context_id: str | None) -> Tab:
        async with self.opening:
            if (known := self._tabs.get(page_id)) is not None:
                return known
            generation = self.generation
            self._check_room()
            with self.engine.capacity.room():
                context = await self.contexts.get(context_id)
                page = context.take_page()
                if page is None:
                    with faults.mapped():
                        page = await context.browser_context.new_page()
                await self.check_generation(generation, context, page.close)
                tab = self.adopt(page_id, page, context)
            await tab.navigation_policy.enforce()
            await context.emulation.apply_to(tab)
            if context.storage.session_items:
                await tab.session_storage.seed(context.storage.session_items)
        self._announce(tab)
        return tab

    def ensure_proxy(self, listener: socket.socket | None = None) -> int:
        """Return the port of the client's way out, which is opened on first need.

        Args:
          listener: what to open it with, if it is not open yet.

        Raises:
          ServerBusy: the system has no file descriptor left.
        """
        if not self.proxy_port:
            try:
                listener = listener or self.new_proxy_listener()
            except OSError as error:
                raise ServerBusy(f"The server can't open a way to the network: {error.strerror}.") from None
            self.serve_proxy(listener)
            self.proxy_port = int(listener.getsockname()[1])
        return self.proxy_port

    def _check_room(self) -> None:
        limit = self.config.max_pages
        if len(self._tabs) >= limit:
            raise ResourceLimitExceeded(
                f"This client already has {limit} pages; close one first.",
                resource="pages",
                limit=limit,
                current=len(self._tabs),
            )

    async def check_generation(self, generation: int, context: Context, discard: Callable[[], Awaitable[None]]) -> None:
        """Refuse to go on with what was begun before all was closed, or lost, and discard it. [asyncio]

        Raises:
          TargetClosed: that is so.
        """
        if self.engine.has_lost(context.browser_context.browser):
            raise lost()
        if generation != self.generation:
            await close_quietly(discard())
            raise TargetClosed("The session was closed while this was being made.", target="context")

    def in_context(self, context: Context) -> list[Tab]:
        """Return the pages of a context, in the order they were opened."""
        return [tab for tab in self._tabs.values() if tab.context is context]

    async def resolve_context(self, context_id: str | None, page_id: str | None) -> Context:
        """Return the context of that id, else that of the page, else the default one. [asyncio]

        Raises:
          ContextNotFound, PageNotFound: there is none, or no more.
        """
        if context_id is None and page_id is not None:
            return self._known(page_id).context
        async with self.opening:
            return await self.contexts.get(context_id)

    def adopt(self, page_id: str, page: PlaywrightPage, context: Context, opener: str | None = None) -> Tab:
        """Take a page in under that id."""
        tab = Tab(tabs=self, id=page_id, page=page, context=context, opener=opener)
        self._past.note(page_id)
        self._tabs[page_id] = tab
        self.engine.capacity.count(pages=+1)
        page.on("close", safe_listener(lambda _: self._closed(tab)))
        tab.attach()
        return tab

    def _closed(self, tab: Tab) -> None:
        if not tab.crash_signal.cut:  # one that has crashed stays in the list until the client lets go of it
            self.forget(tab)

    def forget(self, tab: Tab) -> None:
        """Take a page out of the list once it is gone."""
        if self.has(tab):
            del self._tabs[tab.id]
            self.engine.capacity.count(pages=-1)
            tab.closed()
            self.emit(PageEvent(type="close", page_id=tab.id, url=tab.page.url))

    async def welcome(self, page: PlaywrightPage, context: Context) -> None:
        """Take in a page that a page has opened, or close it if there are too many. [asyncio]"""
        async with self.opening:  # a page that we are opening ourselves is heard of here too
            if any(tab.page is page for tab in self._tabs.values()) or page.is_closed():
                return
            source = await page.opener()
            opener = next((tab.id for tab in self._tabs.values() if tab.page is source), None)
            if (reason := self._crowd()) is not None:
                self.emit(PageEvent(type="error", page_id=opener or "", url=page.url, reason=reason))
                self.run_in_background(close_quietly(page.close()))
                return
            if await close_if_refused(self, page, opener):
                return
            tab = self.adopt(f"page-{next(self.ids)}", page, context, opener)
            self.run_in_background(tab.navigation_policy.enforce())
            self.run_in_background(context.emulation.apply_to(tab))
        self._announce(tab)

    def _crowd(self) -> str | None:
        """Say why a page that a page has opened can't stay; None if it can."""
        if len(self._tabs) >= self.config.max_pages:
            return f"A page that it opened is closed, for {self.config.max_pages} pages are open."
        return "A page that it opened is closed, for the server is full." if self.engine.capacity.is_full else None

    def _announce(self, tab: Tab) -> None:
        """Tell of a page that was taken in, and then of what has happened to it before."""
        self.emit(PageEvent(type="created", page_id=tab.id, url=tab.page.url))
        tab.context.listeners.replay_early()

    def watch_engine(self) -> None:
        """Hear of the browser's loss, from the first context on."""
        if self._unlisten is None:
            self._unlisten = self.engine.on_lost(self._lost)

    def _lost(self, what: Loss) -> None:
        """Forget everything: the browser is gone, and a dead driver closes no page."""
        if what == "thread":  # and whoever held the locks
            self.opening = asyncio.Lock()
            self.interception.reset_lock()
        for tab in list(self._tabs.values()):
            self.forget(tab)
        self.contexts.clear()

    def evict(self, tab: Tab, why: str) -> None:
        """Close a page that would spoil everything for its client, and say why."""
        log.warning("page_expelled", why=why)
        self._past.note(tab.id, f"was closed by the server, for {why}")
        self.emit(PageEvent(type="error", page_id=tab.id, url=tab.page.url, reason=f"The page is closed, for {why}."))
        self.run_in_background(close_quietly(tab.page.close()))

    async def page_id_of(self, page: PlaywrightPage) -> str | None:
        """Return the id of a page that has just opened, once it is taken in; None if it was not. [asyncio]"""
        async with self.opening:
            return next((tab.id for tab in self._tabs.values() if tab.page is page), None)

    async def close_page(self, page_id: str | None, *, run_before_unload: bool = False) -> None:
        """Close a page. [asyncio]"""
        await self._known(page_id).close(run_before_unload=run_before_unload)

    async def describe(self) -> list[ListedPage]:
        """Return the pages in the order they were opened, without waiting for any of them. [asyncio]"""
        return [await tab.list_entry() for tab in list(self._tabs.values())]

    def has(self, tab: Tab) -> bool:
        """Tell whether a tab is the one of its id."""
        return self._tabs.get(tab.id) is tab

    def tab_of(self, page: PlaywrightPage | None) -> Tab | None:
        """Return the tab that a page was taken in as, if it was and is not closed."""
        return next((tab for tab in self._tabs.values() if tab.page is page), None)

    def listen(self, subscriptions: Subscriptions) -> None:
        """Have the pages report what is subscribed to."""
        self.subscriptions = subscriptions
        self.contexts.listen()

    async def close(self) -> None:
        """Close all that the client owns; what is being made is closed as soon as it is made. [asyncio]"""
        self.generation += 1
        if self._unlisten is not None:
            self._unlisten()
            self._unlisten = None
        self._chores.cancel()
        await self.contexts.close()
        self.downloads.close()
        self.interception.close()
        self.engine.capacity.count(pages=-len(self._tabs))
        self._tabs.clear()
