"""Pictures of a client's browser, taken as its pages change, and a browser made anew from one of them.

Everything here runs in the browser thread. Where the pages are is seen at once; what their contexts keep of the sites
takes calls to the browser, and is looked at a little later.
"""

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import attrs
import structlog

from agentbrowser.browser import faults
from agentbrowser.browser.capacity import CapacityExceeded
from agentbrowser.protocol.errors import AgentBrowserError, BrowserNotLaunched
from agentbrowser.protocol.types.event import PageEvent, Report
from agentbrowser.protocol.types.snapshot import ContextSnapshot, PageSnapshot, SessionSnapshot
from agentbrowser.protocol.types.storage import StorageState

if TYPE_CHECKING:
    from agentbrowser.browser.contexts import Context
    from agentbrowser.browser.tabs import Tabs

log = structlog.get_logger("agentbrowser.browser")

_CHANGES: Final = ("created", "navigated", "close")
_LOOK_PAUSE_S: Final = 2.0
_MOST_SELDOM: Final = 20
"""How many times as long as a look takes must pass before the next, for it keeps the browser busy."""
_CLOSE_PAUSE_S: Final = 0.5
"""Pages also close because the browser is dying, which is heard a little later."""
_LOOK_TIMEOUT_S: Final = 3.0
_LOAD_TIMEOUT_S: Final = 10.0

_FAILURES: Final = (TimeoutError, AgentBrowserError, *faults.VENDOR_ERRORS)


@attrs.define(eq=False)
class Snapshots:
    """The pictures of one client, who has none taken unless it has begun."""

    tabs: "Tabs"
    _show: Callable[[SessionSnapshot], object] | None = attrs.field(default=None, init=False)
    _unlisten: Callable[[], None] | None = attrs.field(default=None, init=False)
    _storages: dict[str, StorageState] = attrs.field(factory=dict, init=False)
    """What the contexts kept when it was last looked at."""
    _is_held: bool = attrs.field(default=False, init=False)
    """Whether there is nothing worth a picture now: the browser is lost, or is being made anew."""
    _is_reopening: bool = attrs.field(default=False, init=False)
    _took_s: float = attrs.field(default=0.0, init=False)
    _looking: asyncio.Task[None] | None = attrs.field(default=None, init=False)
    _showing: asyncio.TimerHandle | None = attrs.field(default=None, init=False)

    def begin(self, show: Callable[[SessionSnapshot], object], lost: Callable[[], object]) -> None:
        """Show a picture after each change from now on, and tell when the browser is lost."""
        if self._show is None:
            self._show = show
            self._unlisten = self.tabs.engine.on_lost(lambda _: self._lose(lost))
            if list(self.tabs.contexts):  # else there may be a picture of more than nothing, to be made again
                self.renew()

    def renew(self) -> None:
        """Show how it looks now."""
        self._show_later(0)

    def end(self) -> None:
        """Take no more pictures."""
        self._show = None
        self._stop()
        if self._unlisten is not None:
            self._unlisten()
            self._unlisten = None

    def notice(self, event: Report) -> None:
        """Take in what happens to the pages."""
        if self._show is None or not isinstance(event, PageEvent) or event.type not in _CHANGES:
            return
        if event.type == "created":
            self._is_held = self._is_held and self._is_reopening
        self._show_later(_CLOSE_PAUSE_S if event.type == "close" else 0)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look_later())

    async def take(self) -> SessionSnapshot | None:
        """Return a picture with all that can be had in a few seconds; of the rest, what was there before. [asyncio]

        Returns: None if there is nothing worth a picture: the one before shows what is to be made anew.
        """
        for context in self.tabs.contexts:
            try:
                async with asyncio.timeout(_LOOK_TIMEOUT_S):
                    self._storages[context.id] = await context.storage.state()
            except _FAILURES as error:
                log.info("storage_not_seen", context=context.id, error=type(error).__name__)
        return None if self._is_held else self._picture()

    async def reopen(self, picture: SessionSnapshot) -> None:
        """Make the contexts and pages of a picture under their ids; what can't be had is told of. [asyncio]

        Raises:
          BrowserNotLaunched: there is no browser now.
          CapacityExceeded: there is no room for all; to be asked again for the rest.
        """
        self._is_held = self._is_reopening = True
        try:
            for context in picture.contexts:
                await self._reopen_context(context)
            made = [page for page in picture.pages if await self._reopen_page(page)]
            await asyncio.gather(*map(self._load, made))
        finally:
            self._is_reopening = False
        self._is_held = False
        self.renew()

    async def _reopen_context(self, context: ContextSnapshot) -> None:
        self._storages[context.context_id] = context.storage
        whole = attrs.evolve(context.options, storage_state=context.storage)
        for options in (whole, context.options):  # the storage may hold what this browser does not take
            try:
                await self.tabs.contexts.launch(options, context.context_id)
                return
            except (BrowserNotLaunched, CapacityExceeded):
                raise
            except AgentBrowserError as error:
                log.warning("context_not_restored", context=context.context_id, error=str(error))

    async def _reopen_page(self, page: PageSnapshot) -> bool:
        if page.page_id in (tab.id for context in self.tabs.contexts for tab in context.open_tabs):
            return True  # it was made before there was no room for the next
        try:
            await self.tabs.open(page.page_id, page.context_id)
            return True
        except (BrowserNotLaunched, CapacityExceeded):
            raise
        except AgentBrowserError as error:
            self._tell(page, error)
            return False

    async def _load(self, page: PageSnapshot) -> None:
        if not page.url.startswith("http"):
            return
        try:
            async with asyncio.timeout(_LOAD_TIMEOUT_S):
                await (await self.tabs.tab(page.page_id)).navigation.navigate(page.url, "commit")
        except _FAILURES as error:
            self._tell(page, error)

    def _tell(self, page: PageSnapshot, error: Exception) -> None:
        reason = f"It could not be opened again: {getattr(error, 'message', 'it took too long')}"
        self.tabs.emit(PageEvent(type="error", page_id=page.page_id, url=page.url, reason=reason))

    def _lose(self, lost: Callable[[], object]) -> None:
        self._is_held = True
        self._stop()
        lost()

    def _stop(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
        if self._showing is not None:
            self._showing.cancel()

    def _show_later(self, pause_s: float) -> None:
        if self._showing is not None:
            self._showing.cancel()
        self._showing = asyncio.get_running_loop().call_later(pause_s, self._show_now)

    def _show_now(self) -> None:
        if self._show is not None and not self._is_held:
            self._show(self._picture())

    async def _look_later(self) -> None:
        await asyncio.sleep(max(_LOOK_PAUSE_S, self._took_s * _MOST_SELDOM))
        if not self._is_held:
            began_s = time.monotonic()
            await self.take()
            self._took_s = time.monotonic() - began_s
            self._show_now()

    def _picture(self) -> SessionSnapshot:
        contexts = list(self.tabs.contexts)
        return SessionSnapshot(
            contexts=[self._context(context) for context in contexts],
            pages=[
                PageSnapshot(page_id=tab.id, url=tab.page.url, context_id=context.id)
                for context in contexts
                for tab in context.open_tabs
            ],
        )

    def _context(self, context: "Context") -> ContextSnapshot:
        storage = self._storages.get(context.id) or StorageState()
        return ContextSnapshot(context_id=context.id, options=context.options, storage=storage)
