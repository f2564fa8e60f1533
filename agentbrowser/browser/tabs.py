"""Pages of one client. Everything here runs in the browser thread."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from functools import cached_property
from typing import Any, ClassVar, TypeVar

import attrs
import structlog
from playwright.async_api import Frame, Request
from playwright.async_api import Page as PlaywrightPage

from agentbrowser.browser import background_tasks, faults
from agentbrowser.browser.background_tasks import BackgroundTasks, close_quietly
from agentbrowser.browser.capacity import PageQuota, popup_refusal, too_many_pages
from agentbrowser.browser.contexts import DEFAULT_CONTEXT, Context, Contexts
from agentbrowser.browser.downloads.downloads import Downloads
from agentbrowser.browser.engine.crash_recovery import browser_lost, page_crashed, replace_crashed, reports_loss
from agentbrowser.browser.engine.engine import Engine, Loss
from agentbrowser.browser.events.console import ConsoleThrottle
from agentbrowser.browser.events.page_events import address_of, report_closed_popup, safe_listener
from agentbrowser.browser.ids import LOST, ClosedPages, Ids
from agentbrowser.browser.page.intercept import Interception
from agentbrowser.browser.page.navigation_policy import Refusal, close_if_refused
from agentbrowser.browser.page.secrets import PageSecrets
from agentbrowser.browser.recording.page_recorder import PageRecorder
from agentbrowser.browser.semantic.query_guard import guarded
from agentbrowser.browser.tab import Tab
from agentbrowser.config import Config
from agentbrowser.policy.secrets import SecretStore
from agentbrowser.policy.subscriptions import DEFAULT, Subscriptions
from agentbrowser.policy.urls import UrlRules
from agentbrowser.protocol.errors import ServerBusy, TargetClosed
from agentbrowser.protocol.registry import TabState
from agentbrowser.protocol.types.event import PageEvent, Report
from agentbrowser.protocol.types.page import ListedPage, PageInfo, PageOptions
from agentbrowser.protocol.types.storage import StorageState
from agentbrowser.recorder.session_recorder import SessionRecorder

ResultT = TypeVar("ResultT")
Handler = Callable[[Any, Any], Awaitable[ResultT]]

log = structlog.get_logger("agentbrowser.browser")


@attrs.define(eq=False, slots=False)
class Tabs:
    """Pages of one client by id.

    Args:
      engine: the browser, which clients share.
      new_proxy_listener: returns a new listener for the client's proxy; called in any thread.
      serve_proxy: serves that proxy; called in this thread.
      ids: new page ids, shared with the session, which names the pages that the client creates.
      rules: the operator's URL rules, narrowed by the client's token.
      emit: receives every event, in this thread.
      on_refused: receives page id, URL and error of a document that the rules refuse, in this thread.
    """

    engine: Engine
    config: Config
    new_proxy_listener: Callable[[], socket.socket]
    serve_proxy: Callable[[socket.socket], object]
    rules: UrlRules
    ids: Iterator[str]
    emit: Callable[[Report], None]
    on_refused: Callable[[str, str, Refusal], None]
    accepts_downloads: bool = True
    page_quota: PageQuota = attrs.field(factory=PageQuota)
    recorder: SessionRecorder | None = None
    subscriptions: Subscriptions = DEFAULT
    request_ids: Ids[Request] = attrs.field(factory=lambda: Ids("request"), init=False)
    console_throttle: ConsoleThrottle = attrs.field(factory=ConsoleThrottle, init=False)
    frame_ids: Ids[Frame] = attrs.field(factory=lambda: Ids("frame"), init=False)
    _tabs: dict[str, Tab] = attrs.field(factory=dict, init=False)
    closed_pages: ClosedPages = attrs.field(factory=ClosedPages, init=False)
    opening: asyncio.Lock = attrs.field(factory=asyncio.Lock, init=False)
    """Held while a page or a context is created."""
    generation: int = attrs.field(default=0, init=False)
    """Number of times that everything was closed; objects of an earlier generation are discarded."""
    blocked_navigations: int = attrs.field(default=0, init=False)
    """Number of navigations that the rules have blocked."""
    proxy_port: int = attrs.field(default=0, init=False)
    """Port of the client's proxy; 0 before its first context."""
    default_context: ClassVar = DEFAULT_CONTEXT
    page_recorder: PageRecorder = attrs.field(default=attrs.Factory(PageRecorder, takes_self=True), init=False)
    _unlisten: Callable[[], None] | None = attrs.field(default=None, init=False)
    _background: BackgroundTasks = attrs.field(factory=BackgroundTasks, init=False)

    @cached_property
    def downloads(self) -> Downloads:
        """Downloads of the pages."""
        return Downloads(self)

    @cached_property
    def interception(self) -> Interception:
        """Intercept rules for the pages' requests."""
        return Interception(self)

    @cached_property
    def contexts(self) -> Contexts:
        """Contexts of the pages."""
        return Contexts(self)

    @cached_property
    def secrets(self) -> PageSecrets:
        """Secrets that were typed into the pages."""
        vault = self.config.secrets or SecretStore()
        return PageSecrets(vault, lambda: any(context.tracing.is_recording for context in self.contexts))

    @property
    def run_in_background(self) -> Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]:
        """Function that runs a coroutine in the background until everything is closed."""
        return self._background.start

    @property
    def event_kinds(self) -> frozenset[str]:
        """Kinds of events that the client has subscribed to, that are recorded, or that a tap needs."""
        return self.subscriptions.kinds | self.page_recorder.kinds | self.contexts.taps.kinds

    @reports_loss
    async def serve(
        self, handler: Handler[ResultT], params: Any, new_page_id: str | None, state: TabState | None = None
    ) -> ResultT:
        """Run a method's handler. [asyncio]

        Args:
          state: the state of the tab that the handler receives; None: it receives these tabs.

        Cancel: if the page does not answer then, it is unblocked; its next request waits for that.
        """
        background_tasks.threads.set(self.engine.capacity.threads)
        if new_page_id is not None and not self.closed_pages.has_stayed(new_page_id):
            await self._background.complete(self._open(new_page_id, None))  # the next request refers to it too

        async def work() -> ResultT:
            if state is None:
                return await handler(self, params)
            return await guarded(await self.tab(params.page_id, state), handler, params)

        tab = self._tabs.get(getattr(params, "page_id", None) or "")
        if tab is None:
            return await work()
        with tab.crash_signal.cancels():
            try:
                await tab.unblocker.wait()
                return await work()
            except asyncio.CancelledError:
                await self._tabs.get(tab.id, tab).unblocker.start()  # another page may have this id by now
                raise
            except TargetClosed as closed:
                raise (browser_lost() if tab.is_browser_lost else closed) from None

    async def tab(self, page_id: str | None, state: TabState = TabState.UNBLOCKED) -> Tab:
        """Return the page with that id, in that state. [asyncio]

        Raises:
          PageNotFound: there is no such page.
          TargetClosed: the page has crashed.
          Timeout: its dialog is still open when the request has to end.
        """
        tab = self._known(page_id)
        if tab.crash_signal.is_set and state is TabState.REVIVED:
            await self._background.complete(replace_crashed(tab))
            tab = self._known(page_id)
        if tab.crash_signal.is_set:
            raise page_crashed()
        if state is not TabState.ALIVE:
            await tab.dialogs.wait_until_closed()
        return tab

    def _known(self, page_id: str | None) -> Tab:
        """Return the page with that id, in any state."""
        if page_id not in self._tabs:
            raise browser_lost() if self.closed_pages.is_lost(page_id) else self.closed_pages.not_found(page_id)
        return self._tabs[page_id]

    @reports_loss
    async def browse(self, work: Callable[["Tabs"], Awaitable[ResultT]]) -> ResultT:
        """Run work that is not only for one page. [asyncio]"""
        return await work(self)

    async def create(
        self,
        page_id: str,
        options: PageOptions,
        *,
        url: str | None = None,
        context_id: str | None = None,
        state: StorageState | None = None,
    ) -> PageInfo:
        """Open a page and load its URL; a state replaces the storage of the page's context. [asyncio]

        Cancel: no page is left behind.
        """
        tab = await self.open(page_id, context_id)
        try:
            await tab.apply_options(options)
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

        Cancel: the page is opened first, since half a creation can't be taken back, and then closed.
        """
        opening = self._open(page_id, context_id)
        return await self._background.complete(opening, lambda tab: close_quietly(tab.page.close()))

    async def _open(self, page_id: str, context_id: str | None) -> Tab:
        async with self.opening:
            if (known := self._tabs.get(page_id)) is not None:
                return known
            generation = self.generation
            if len(self._tabs) >= self.config.max_pages:
                raise too_many_pages("This client already has", self.config.max_pages, len(self._tabs))
            with self.engine.capacity.reserved(), self.page_quota.reserved():
                context = await self.contexts.get(context_id)
                if (page := context.take_warm_page()) is None:
                    with faults.mapped():
                        page = await context.browser_context.new_page()
                await self.check_generation(generation, context, page.close)
                tab = self.add(page_id, page, context)
            await tab.navigation_policy.enforce()
            await self.page_recorder.prepare(page)
            await context.emulation.apply_to(tab)
            if context.storage.session_items:
                await tab.session_storage.seed(context.storage.session_items)
        self._announce(tab)
        return tab

    def ensure_proxy(self, listener: socket.socket | None = None) -> int:
        """Return the port of the client's proxy, which is served from the first need on, by ``listener`` if given.

        Raises:
          ServerBusy: the system has no file descriptor left.
        """
        if self.proxy_port:
            return self.proxy_port
        try:
            listener = listener or self.new_proxy_listener()
        except OSError as error:
            raise ServerBusy(f"The server can't open a way to the network: {error.strerror}.") from None
        self.serve_proxy(listener)
        self.proxy_port = int(listener.getsockname()[1])
        return self.proxy_port

    async def check_generation(self, generation: int, context: Context, discard: Callable[[], Awaitable[None]]) -> None:
        """Discard an object whose creation began before everything was closed or lost. [asyncio]

        Raises:
          TargetClosed: everything was closed or lost meanwhile.
        """
        if self.engine.has_lost(context.browser_context.browser):
            raise browser_lost()
        if generation != self.generation:
            await close_quietly(discard())
            raise TargetClosed("The session was closed while this was being made.", target="context")

    def in_context(self, context: Context) -> list[Tab]:
        """Return the pages of a context, in the order of opening."""
        return [tab for tab in self._tabs.values() if tab.context is context]

    async def resolve_context(self, context_id: str | None, page_id: str | None) -> Context:
        """Return the context with that id, else that of the page, else the default one. [asyncio]

        Raises:
          ContextNotFound, PageNotFound: there is no such context or page.
        """
        if context_id is None and page_id is not None:
            return self._known(page_id).context
        async with self.opening:
            return await self.contexts.get(context_id)

    def add(self, page_id: str, page: PlaywrightPage, context: Context, opener: str | None = None) -> Tab:
        """Add a page under that id."""
        tab = Tab(tabs=self, id=page_id, page=page, context=context, opener=opener)
        self.closed_pages.note(page_id)
        self._tabs[page_id] = tab
        self.count_pages(+1)
        page.on("close", safe_listener(lambda _: None if tab.crash_signal.is_set else self.forget(tab)))
        tab.attach()
        return tab

    def forget(self, tab: Tab) -> None:
        """Remove a page from the list: a closed one, unless it had crashed, which the client closes itself."""
        if self.has(tab):
            del self._tabs[tab.id]
            if tab.is_browser_lost:
                self.closed_pages.note(tab.id, LOST)
            self.count_pages(-1)
            tab.on_close()
            self.emit(PageEvent(type="close", page_id=tab.id, url=address_of(tab.page)))

    async def add_popup(self, page: PlaywrightPage, context: Context) -> None:
        """Add a page that a page has opened, or close it if there are too many. [asyncio]"""
        async with self.opening:  # Playwright reports the pages that we open here too
            if self.tab_of(page) is not None:
                return
            opener = source.id if (source := self.tab_of(await page.opener())) else None
            if page.is_closed():
                report_closed_popup(self, page, opener)
                return
            is_full = self.engine.capacity.total.is_full or self.page_quota.is_used_up
            if (reason := popup_refusal(len(self._tabs), self.config.max_pages, is_full=is_full)) is not None:
                self.emit(PageEvent(type="error", page_id=opener or "", url=page.url, reason=reason))
                self.run_in_background(close_quietly(page.close()))
                return
            if await close_if_refused(self, page, opener):
                return
            tab = self.add(next(self.ids), page, context, opener)
            self.run_in_background(tab.navigation_policy.enforce())
            self.run_in_background(context.emulation.apply_to_popup(tab))
        self._announce(tab)

    def count_pages(self, change: int) -> None:
        """Count opened pages, for all clients and for those of the token."""
        self.engine.capacity.count(pages=change)
        self.page_quota.pages += change

    def _announce(self, tab: Tab) -> None:
        """Emit the creation of a page, and then its earlier events."""
        self.emit(PageEvent(type="created", page_id=tab.id, url=address_of(tab.page), opener=tab.opener))
        tab.context.listeners.replay_early()
        tab.context.dialogs.deliver_early()

    def watch_engine(self) -> None:
        """Listen for the loss of the browser, from the first context on."""
        if self._unlisten is None:
            self._unlisten = self.engine.on_lost(self._on_lost)

    def _on_lost(self, what: Loss) -> None:
        """Forget everything: the browser is gone, and a dead driver reports no closed page."""
        if what == "thread":  # the tasks that held the locks are gone
            self.opening = asyncio.Lock()
            self.interception.reset_lock()
        else:
            self._background.end_with_browser()
        for tab in list(self._tabs.values()):
            self.forget(tab)
        self.contexts.clear()

    def evict(self, tab: Tab, why: str) -> None:
        """Close a page that harms its client's other pages, and report the reason."""
        log.warning("page_evicted", why=why)
        self.closed_pages.note(tab.id, f"was closed by the server, for {why}")
        self.emit(PageEvent(type="error", page_id=tab.id, url=tab.page.url, reason=f"The page is closed, for {why}."))
        self.run_in_background(close_quietly(tab.page.close()))

    async def opened_tab(self, page: PlaywrightPage) -> Tab | None:
        """Return the tab of a page that has just opened, once it is added; None if it was refused. [asyncio]"""
        async with self.opening:
            return self.tab_of(page)

    async def close_page(self, page_id: str | None, *, run_before_unload: bool = False) -> None:
        """Close a page, unless a person has it. [asyncio]"""
        self._known(page_id).hold.check()
        await self._known(page_id).close(run_before_unload=run_before_unload)

    async def describe(self) -> list[ListedPage]:
        """Return the pages in the order of opening, without waiting for any of them. [asyncio]"""
        return [await tab.list_entry() for tab in list(self._tabs.values())]

    def has(self, tab: Tab) -> bool:
        """Return True if a tab is still the one under its id."""
        return self._tabs.get(tab.id) is tab

    def find(self, page_id: str | None) -> Tab | None:
        """Return the page with that id, or None if there is none."""
        return self._tabs.get(page_id or "")

    def tab_of(self, page: PlaywrightPage | None) -> Tab | None:
        """Return the tab of a page, or None if it has none."""
        return next((tab for tab in self._tabs.values() if tab.page is page), None)

    def listen(self, subscriptions: Subscriptions) -> None:
        """Set the events that the pages report."""
        self.subscriptions = subscriptions
        self.contexts.listen()

    async def close(self) -> None:
        """Close everything of the client; a creation under way is closed when it ends. [asyncio]"""
        self.generation += 1
        if self._unlisten is not None:
            self._unlisten()
            self._unlisten = None
        self._background.cancel()
        await self.contexts.close()
        self.downloads.close()
        await self.interception.close()
        self.count_pages(-len(self._tabs))
        self._tabs.clear()
