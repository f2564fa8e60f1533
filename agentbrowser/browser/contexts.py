"""One client's contexts: cookie jars that know nothing of each other. Everything here runs in the browser thread."""

import asyncio
import contextlib
import itertools
import re
from collections.abc import Awaitable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Final

import attrs
import structlog
from playwright.async_api import BrowserContext, Error
from playwright.async_api import Page as PlaywrightPage

from agentbrowser.browser import faults
from agentbrowser.browser.engine.proxy_check import through
from agentbrowser.browser.events.listeners import ContextListeners
from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.browser.page.emulation import Emulation
from agentbrowser.browser.page.storage import Storage
from agentbrowser.browser.page.tracing import Tracing
from agentbrowser.browser.snapshots import Snapshots
from agentbrowser.protocol.errors import ContextNotFound, InvalidParams, ResourceLimitExceeded
from agentbrowser.protocol.types.context import ContextEntry, ContextOptions
from agentbrowser.protocol.types.event import now_ms

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab
    from agentbrowser.browser.tabs import Tabs

log = structlog.get_logger("agentbrowser.browser")

DEFAULT_CONTEXT: Final = "default"
_CLOSE_TIMEOUT_S: Final = 2.0

# What the browser says of settings that it knows nothing of.
_REFUSALS: Final = {
    "Unknown permission": "permissions",
    "Invalid timezone ID": "timezoneId",
    "Invalid locale name": "locale",
    "Invalid characters found in userAgent": "userAgent",
}
_SAID: Final = re.compile("|".join(_REFUSALS))


@attrs.define(eq=False, slots=False)
class Context:
    """One cookie jar of the client."""

    tabs: "Tabs"
    id: str
    browser_context: BrowserContext
    options: ContextOptions
    spare_page: PlaywrightPage | None = None
    """A page that was made with it, before it was anybody's."""
    created_ms: int = attrs.field(factory=now_ms, init=False)

    @cached_property
    def storage(self) -> Storage:
        """What it keeps of the sites it has seen."""
        return Storage(self)

    @cached_property
    def emulation(self) -> Emulation:
        """What all its pages are made to believe."""
        return Emulation(self)

    @cached_property
    def listeners(self) -> ContextListeners:
        """What is heard of its pages."""
        return ContextListeners(self.tabs, self.browser_context)

    @cached_property
    def tracing(self) -> Tracing:
        """What is being recorded of it."""
        return Tracing(self)

    @property
    def open_tabs(self) -> list["Tab"]:
        """Its pages, in the order they were opened."""
        return self.tabs.in_context(self)

    def take_page(self) -> PlaywrightPage | None:
        """Return the page that was made with the context, once."""
        page, self.spare_page = self.spare_page, None
        return None if page is None or page.is_closed() else page

    def describe(self) -> ContextEntry:
        """Return the context as the wire shows it."""
        return ContextEntry(
            id=self.id,
            page_count=len(self.open_tabs),
            created=self.created_ms,
            options=None if self.options == ContextOptions() else self.options,
        )


@attrs.define(eq=False)
class Contexts:
    """The contexts by their ids. The default one is like any other, but is made when it is needed and not there."""

    tabs: "Tabs"
    _made: dict[str, Context] = attrs.field(factory=dict, init=False)
    _numbers: Iterator[int] = attrs.field(factory=lambda: itertools.count(1), init=False)
    snapshots: Snapshots = attrs.field(
        default=attrs.Factory(lambda contexts: Snapshots(contexts.tabs), takes_self=True), init=False
    )
    """Pictures of them and their pages."""

    async def create(self, context_id: str | None, options: ContextOptions) -> Context:
        """Make a context under that id, or one of ours. [asyncio]

        Raises:
          InvalidParams: the id is taken, or the browser does not know a setting.
          ResourceLimitExceeded: the client has as many contexts as it may have.

        Cancel: no context is left behind.
        """
        async with self.tabs.opening:
            key = context_id or next(name for n in self._numbers if (name := f"context-{n}") not in self._made)
            if key in self._made:
                expected = "an id that no context has"
                raise InvalidParams(f"There is a context {key} already.", path="contextId", expected=expected, got=key)
            return await self._make(key, options, "options.")

    async def launch(self, options: ContextOptions, context_id: str = DEFAULT_CONTEXT) -> bool:
        """Make the default context, or another, with these options; False if there is one already. [asyncio]"""
        async with self.tabs.opening:
            if context_id in self._made:
                return False
            await self._make(context_id, options)
            return True

    async def get(self, context_id: str | None) -> Context:
        """Return the context of that id, or the default one; only for the holder of ``tabs.opening``. [asyncio]

        Raises:
          ContextNotFound: there is none, or no more.
        """
        key = context_id or DEFAULT_CONTEXT
        if key in self._made:
            return self._made[key]
        if key != DEFAULT_CONTEXT:
            raise ContextNotFound(f"There is no context {key}.", context_id=key)
        return await self._make(key, ContextOptions())

    async def destroy(self, context_id: str) -> int:
        """Close a context with its pages, and return how many these were. [asyncio]

        Raises:
          ContextNotFound: there is none, or no more.
        """
        async with self.tabs.opening:
            context = self._made.get(context_id)
            if context is None:
                raise ContextNotFound(f"There is no context {context_id}.", context_id=context_id)
            doomed = context.open_tabs
            await close_quietly(context.browser_context.close())
            self._forget(context)
            for tab in doomed:
                self.tabs.forget(tab)
            return len(doomed)

    def describe(self) -> list[ContextEntry]:
        """Return the contexts in the order they were made."""
        return [context.describe() for context in self._made.values()]

    def __iter__(self) -> Iterator[Context]:
        return iter(list(self._made.values()))

    def listen(self) -> None:
        """Listen to what the client wants to be told of."""
        for context in self._made.values():
            context.listeners.listen_to(self.tabs.event_kinds)

    def clear(self) -> None:
        """Forget them all."""
        for context in list(self._made.values()):
            self._forget(context)

    async def close(self) -> None:
        """Close them all. [asyncio]"""
        await asyncio.gather(*(close_quietly(context.browser_context.close()) for context in self._made.values()))
        self.clear()

    async def _make(self, key: str, options: ContextOptions, under: str = "") -> Context:
        self._check_room()
        self.tabs.watch_engine()
        with self.tabs.engine.capacity.room(context=True):
            return await self._make_in_room(key, options, under)

    async def _make_in_room(self, key: str, options: ContextOptions, under: str) -> Context:
        generation = self.tabs.generation
        context = self._adopt(key, options) or await self._open(key, options, under)
        made = context.browser_context
        try:
            await _furnish(context, options, under)
            await self.tabs.interception.attach(context)
            await self.tabs.check_generation(generation, context, made.close)
        except BaseException:
            await close_quietly(made.close())
            raise
        self._made[key] = context
        self.tabs.engine.capacity.count(contexts=+1)
        context.listeners.attach()
        made.on("page", safe_listener(lambda page: self.tabs.run_in_background(self.tabs.welcome(page, context))))
        made.on("close", safe_listener(lambda _: self._forget(context)))
        return context

    def _adopt(self, key: str, options: ContextOptions) -> Context | None:
        """Take a context that was made beforehand, if one fits; it is the client's first, for it brings the way out."""
        tabs = self.tabs
        if tabs.proxy_port or options != ContextOptions() or not tabs.accepts_downloads:
            return None
        spare = tabs.engine.warm_contexts.take()
        if spare is None:
            return None
        tabs.ensure_proxy(spare.listener)
        tabs.console_throttle = spare.console_throttle
        return Context(tabs, key, spare.context, options, spare.page)

    async def _open(self, key: str, options: ContextOptions, under: str) -> Context:
        tabs = self.tabs
        with faults.mapped(), _refusals(under):
            made = await tabs.engine.new_context(
                **options.settings(), accept_downloads=tabs.accepts_downloads, proxy=through(tabs.ensure_proxy())
            )
        try:
            await made.add_init_script(tabs.console_throttle.script)
        except BaseException:
            await close_quietly(made.close())
            raise
        return Context(tabs, key, made, attrs.evolve(options, storage_state=None))

    def _check_room(self) -> None:
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


async def _furnish(context: Context, options: ContextOptions, under: str) -> None:
    """Put in what the context begins with, and try out the settings that a browser refuses only when a page opens."""
    if options.timezone_id or options.locale or options.user_agent:
        with faults.mapped(), _refusals(under):
            page = await context.browser_context.new_page()
            await page.close()
    if options.storage_state is not None:
        await context.storage.replace(options.storage_state, f"{under}storageState")


@contextlib.contextmanager
def _refusals(under: str) -> Iterator[None]:
    """Raise what the browser says of a setting as InvalidParams; ``under`` goes before the setting's name."""
    try:
        yield
    except Error as error:
        refused = _SAID.search(str(error))
        if refused is None:
            raise
        path = under + _REFUSALS[refused[0]]
        raise InvalidParams(f"The browser takes no such {path}.", path=path, expected="one that it knows") from None


async def close_quietly(closing: Awaitable[None]) -> None:
    """Close something that may be gone already, or may hang. [asyncio]"""
    try:
        async with asyncio.timeout(_CLOSE_TIMEOUT_S):
            await closing
    except (TimeoutError, *faults.VENDOR_ERRORS) as error:
        log.info("close_failed", error=type(error).__name__)
