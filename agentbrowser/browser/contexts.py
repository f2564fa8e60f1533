"""Browser contexts of one client: isolated cookie jars. Everything here runs in the browser thread."""

import asyncio
import itertools
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Final

import attrs
from playwright.async_api import BrowserContext
from playwright.async_api import Page as PlaywrightPage

from agentbrowser.browser import faults
from agentbrowser.browser.background_tasks import close_quietly
from agentbrowser.browser.engine.proxy_check import proxy_settings
from agentbrowser.browser.events.clipboard import SessionClipboard
from agentbrowser.browser.events.hidden_popups import HiddenPopups
from agentbrowser.browser.events.listeners import ContextListeners
from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.browser.events.taps import EventTaps
from agentbrowser.browser.page.dialogs import ContextDialogs
from agentbrowser.browser.page.emulation import Emulation, setting_errors_mapped
from agentbrowser.browser.page.tracing import Tracing
from agentbrowser.browser.snapshots import Snapshots
from agentbrowser.browser.storage.storage import Storage
from agentbrowser.protocol.errors import ContextNotFound, InvalidParams, ResourceLimitExceeded
from agentbrowser.protocol.types.context import ContextEntry, ContextOptions
from agentbrowser.protocol.types.event import now_ms

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab
    from agentbrowser.browser.tabs import Tabs

DEFAULT_CONTEXT: Final = "default"


@attrs.define(eq=False, slots=False)
class Context:
    """One browser context of the client."""

    tabs: "Tabs"
    id: str
    browser_context: BrowserContext
    options: ContextOptions
    warm_page: PlaywrightPage | None = None
    """A page that was made in advance."""
    created_ms: int = attrs.field(factory=now_ms, init=False)
    is_closing: bool = attrs.field(default=False, init=False)

    @cached_property
    def storage(self) -> Storage:
        """Cookies and storage of the sites in it."""
        return Storage(self)

    @cached_property
    def emulation(self) -> Emulation:
        """Emulated device and environment of its pages."""
        return Emulation(self)

    @cached_property
    def listeners(self) -> ContextListeners:
        """Listeners for the events of its pages."""
        return ContextListeners(self.tabs, self.browser_context)

    @cached_property
    def dialogs(self) -> ContextDialogs:
        """Dialogs of its pages."""
        return ContextDialogs(self.tabs, self.browser_context)

    @cached_property
    def hidden_popups(self) -> HiddenPopups:
        """Popups of its pages that Playwright does not report."""
        return HiddenPopups(self.tabs, self.browser_context)

    @cached_property
    def tracing(self) -> Tracing:
        """Its trace recording."""
        return Tracing(self)

    @property
    def open_tabs(self) -> list["Tab"]:
        """Its pages, in the order of opening."""
        return self.tabs.in_context(self)

    def take_warm_page(self) -> PlaywrightPage | None:
        """Return the page that was made in advance, once."""
        page, self.warm_page = self.warm_page, None
        if page is None or page.is_closed():
            return None
        if page.url != "about:blank" and not self.tabs.contexts.snapshots.is_restoring:
            self.tabs.run_in_background(close_quietly(page.close()))  # it was made for a restore that has failed
            return None
        return page

    def describe(self) -> ContextEntry:
        """Return the context's entry on the wire."""
        return ContextEntry(
            id=self.id,
            page_count=len(self.open_tabs),
            created=self.created_ms,
            options=None if self.options == ContextOptions() else self.options,
        )


@attrs.define(eq=False, slots=False)
class Contexts:
    """Contexts by id. The default context is created on first need."""

    tabs: "Tabs"
    _made: dict[str, Context] = attrs.field(factory=dict, init=False)
    _numbers: Iterator[int] = attrs.field(factory=lambda: itertools.count(1), init=False)
    snapshots: Snapshots = attrs.field(
        default=attrs.Factory(lambda contexts: Snapshots(contexts.tabs), takes_self=True), init=False
    )
    """Snapshots of the contexts and their pages."""
    taps: EventTaps = attrs.field(
        default=attrs.Factory(lambda contexts: EventTaps(contexts.listen), takes_self=True), init=False
    )
    """Listeners of the server to the events of the pages."""

    @cached_property
    def clipboard(self) -> SessionClipboard:
        """Clipboard of their pages."""
        engine, config = self.tabs.engine, self.tabs.config
        is_shared, is_joined = config.isolation != "session" and config.headless, config.browser_url is not None
        return SessionClipboard.of(engine, is_shared=is_shared, is_joined=is_joined)

    async def create(self, context_id: str | None, options: ContextOptions) -> Context:
        """Create a context under that id, or under a new id. [asyncio]

        Raises:
          InvalidParams: the id is taken, or the browser does not know a setting.
          ResourceLimitExceeded: the client already has the largest number of contexts.

        Cancel: no context is left behind.
        """
        async with self.tabs.opening:
            key = context_id or next(name for n in self._numbers if (name := f"context-{n}") not in self._made)
            if key in self._made:
                expected = "an id that no context has"
                raise InvalidParams(f"There is a context {key} already.", path="contextId", expected=expected, got=key)
            return await self._reserve_and_create(key, options, "options.")

    async def launch(
        self, options: ContextOptions, context_id: str = DEFAULT_CONTEXT, *, landing: str | None = None
    ) -> ContextOptions:
        """Create the default context, or another, unless it exists; return the options in effect. [asyncio]

        Args:
          landing: URL that the context's first page will load; it may wait at an empty document of that origin.
        """
        async with self.tabs.opening:
            context = self._made.get(context_id) or await self._reserve_and_create(context_id, options, "", landing)
            return context.options

    async def get(self, context_id: str | None) -> Context:
        """Return the context with that id, or the default one. The caller holds ``tabs.opening``. [asyncio]

        Raises:
          ContextNotFound: there is no such context.
        """
        key = context_id or DEFAULT_CONTEXT
        if key in self._made:
            return self._made[key]
        if key != DEFAULT_CONTEXT:
            raise ContextNotFound(f"There is no context {key}.", context_id=key)
        return await self._reserve_and_create(key, ContextOptions())

    async def destroy(self, context_id: str) -> int:
        """Close a context with its pages, and return the number of these. [asyncio]

        Raises:
          ContextNotFound: there is no such context.
        """
        async with self.tabs.opening:
            context = self._made.get(context_id)
            if context is None:
                raise ContextNotFound(f"There is no context {context_id}.", context_id=context_id)
            closed = context.open_tabs
            for tab in closed:
                tab.hold.check()
            context.is_closing = True
            await close_quietly(context.browser_context.close())
            self._forget(context)
            for tab in closed:
                self.tabs.forget(tab)
            return len(closed)

    def describe(self) -> list[ContextEntry]:
        """Return the contexts in the order of creation."""
        return [context.describe() for context in self._made.values()]

    def __iter__(self) -> Iterator[Context]:
        return iter(list(self._made.values()))

    def listen(self) -> None:
        """Listen for the events that the client has subscribed to."""
        for context in self._made.values():
            context.listeners.listen_to(self.tabs.event_kinds)

    def clear(self) -> None:
        """Forget all contexts."""
        for context in self:
            self._forget(context)

    async def close(self) -> None:
        """Close all contexts. [asyncio]"""
        for context in self:
            context.is_closing = True
        await asyncio.gather(*(close_quietly(context.browser_context.close()) for context in self))
        self.clear()

    async def _reserve_and_create(
        self, key: str, options: ContextOptions, under: str = "", landing: str | None = None
    ) -> Context:
        self._check_limit()
        self.tabs.watch_engine()
        with self.tabs.engine.capacity.reserved(context=True):
            return await self._create(key, options, under, landing)

    async def _create(self, key: str, options: ContextOptions, under: str, landing: str | None) -> Context:
        generation = self.tabs.generation
        context = self._take_warm(key, options) or await self._open(key, options, under)
        made = context.browser_context
        try:
            await _initialize(context, options, under, landing)
            await self.tabs.interception.attach(context)
            await self.tabs.page_recorder.attach(made)
            await self.tabs.check_generation(generation, context, made.close)
        except BaseException:
            await close_quietly(made.close())
            raise
        self._made[key] = context
        self.tabs.engine.capacity.count(contexts=+1)
        context.listeners.attach()
        context.dialogs.attach()
        context.hidden_popups.attach()
        made.on("page", safe_listener(lambda page: self.tabs.run_in_background(self.tabs.add_popup(page, context))))
        made.on("close", safe_listener(lambda _: self._forget(context)))
        return context

    def _take_warm(self, key: str, options: ContextOptions) -> Context | None:
        """Take a warm context, if one fits. Only the client's first context can be one, since it includes the proxy."""
        tabs = self.tabs
        if tabs.proxy_port or options != ContextOptions() or not tabs.accepts_downloads:
            return None
        warm = tabs.engine.warm_contexts.take()
        if warm is None:
            return None
        tabs.ensure_proxy(warm.listener)
        tabs.console_throttle = warm.console_throttle
        return Context(tabs, key, warm.context, options, warm.page)

    async def _open(self, key: str, options: ContextOptions, under: str) -> Context:
        tabs = self.tabs
        with faults.mapped(), setting_errors_mapped(under):
            made = await tabs.engine.new_context(
                **options.settings(), accept_downloads=tabs.accepts_downloads, proxy=proxy_settings(tabs.ensure_proxy())
            )
        try:
            with faults.mapped():
                await made.add_init_script(tabs.console_throttle.script)
        except BaseException:
            await close_quietly(made.close())
            raise
        return Context(tabs, key, made, attrs.evolve(options, storage_state=None))

    def _check_limit(self) -> None:
        limit = self.tabs.config.max_contexts
        if (current := len(self._made)) >= limit:
            message = f"This client already has {limit} contexts; destroy one first."
            raise ResourceLimitExceeded(message, resource="contexts", limit=limit, current=current)

    def _forget(self, context: Context) -> None:
        if self._made.get(context.id) is context:
            del self._made[context.id]
            self.tabs.engine.capacity.count(contexts=-1)
            context.listeners.stop_timers()
            self.tabs.interception.forget(context)
            self.snapshots.forget(context)


async def _initialize(context: Context, options: ContextOptions, under: str, landing: str | None) -> None:
    """Restore the storage of a new context, and try the settings that a browser rejects only when a page opens."""
    if options.timezone_id or options.locale or options.user_agent:
        with faults.mapped(), setting_errors_mapped(under):
            page = await context.browser_context.new_page()
            await page.close()
    if options.storage_state is not None:
        context.warm_page = await context.storage.fill(options.storage_state, f"{under}storageState", landing)
