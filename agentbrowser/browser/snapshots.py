"""Snapshots of a client's contexts and pages, taken as the pages change, and their restoration.

Everything here runs in the browser thread. URLs are known at once; storage takes calls to the browser, and is read a
little later.
"""

import asyncio
import contextlib
import math
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import attrs
import structlog

from agentbrowser.browser.capacity import CapacityExceeded
from agentbrowser.browser.page.frame_tree import FRAME_UNAVAILABLE
from agentbrowser.protocol.errors import AgentBrowserError, BrowserNotLaunched
from agentbrowser.protocol.types.event import NetworkEvent, PageEvent, Report
from agentbrowser.protocol.types.snapshot import ContextSnapshot, PageSnapshot, SessionSnapshot
from agentbrowser.protocol.types.storage import StorageState

if TYPE_CHECKING:
    from agentbrowser.browser.contexts import Context
    from agentbrowser.browser.tab import Tab
    from agentbrowser.browser.tabs import Tabs

log = structlog.get_logger("agentbrowser.browser")

_CHANGES: Final = ("created", "navigated", "close")
_READ_PAUSE_S: Final = 2.0
_ACTION_PAUSE_S: Final = 5.0
"""Pause between an action and the read of the storage that it may have changed; later actions share the read."""
_CHANGE_PAUSE_S: Final = 1.0
"""Pause between a change that a page makes by itself and its read: more changes may follow at once."""
_CHANGE_INTERVAL_S: Final = 5.0
"""Shortest time between two reads for such changes."""
_PAUSE_FACTOR: Final = 20
"""Smallest ratio of the pause to the duration of a storage read, which keeps the browser busy."""
_CLOSE_PAUSE_S: Final = 0.5
"""Pages also close when the browser dies, which is reported a little later."""
_SAVES_A_SECOND: Final = 10
"""Most saves; a page that navigates without end would keep both loops busy with them."""
_READ_TIMEOUT_S: Final = 3.0
_STORAGE_TIMEOUT_S: Final = 2.0
"""Time to read the storage of a context; its cookies still have to be saved when a session ends, within 3 s."""
_LOAD_TIMEOUT_S: Final = 10.0


@attrs.define(eq=False)
class Snapshots:
    """Snapshots of one client, from `begin` to `end`."""

    tabs: "Tabs"
    _save: Callable[[SessionSnapshot], object] | None = attrs.field(default=None, init=False)
    _unlisten: Callable[[], None] | None = attrs.field(default=None, init=False)
    _storages: dict[str, StorageState] = attrs.field(factory=dict, init=False)
    """Storage of the contexts, as read last."""
    _missed: dict[str, PageSnapshot] = attrs.field(factory=dict, init=False)
    """Restored pages that could not be opened or loaded. Their saved URLs stay, so that a later restore tries again."""
    _is_paused: bool = attrs.field(default=False, init=False)
    """True while there is nothing worth a snapshot: the browser is lost, or pages are being restored."""
    is_restoring: bool = attrs.field(default=False, init=False)
    """True while pages are being restored."""
    _read_s: float = attrs.field(default=0.0, init=False)
    _read_at_s: float = attrs.field(default=-math.inf, init=False)
    """Time of the last read."""
    _storage_due_s: float = attrs.field(default=-math.inf, init=False)
    """Time before which only cookies are read, since storage could not be read the last time."""
    _acted_s: float = attrs.field(default=-math.inf, init=False)
    """Time of the last action."""
    _is_changed: bool = attrs.field(default=False, init=False)
    """True if storage may have changed since the last read began."""
    _has_response: bool = attrs.field(default=False, init=False)
    """True if a response may have set cookies since the last read began."""
    _read_timer: asyncio.TimerHandle | None = attrs.field(default=None, init=False)
    _reading: asyncio.Task[None] | None = attrs.field(default=None, init=False)
    _save_timer: asyncio.TimerHandle | None = attrs.field(default=None, init=False)
    _saved_at_s: deque[float] = attrs.field(factory=lambda: deque(maxlen=_SAVES_A_SECOND), init=False)
    """Times of the last saves, by the loop's clock."""

    @property
    def is_reading(self) -> bool:
        """Return True while storage is being read."""
        return self._reading is not None and not self._reading.done()

    def begin(self, save: Callable[[SessionSnapshot], object], on_lost: Callable[[], object]) -> None:
        """Save a snapshot after each change from now on, and report the loss of the browser."""
        if self._save is None:
            self._save = save
            self._unlisten = self.tabs.engine.on_lost(lambda _: self._lose(on_lost))
            if list(self.tabs.contexts):  # without contexts, an earlier snapshot may still have to be restored
                self.renew()
                self._read_after(_READ_PAUSE_S)

    def renew(self) -> None:
        """Save a snapshot now."""
        self._save_later(0)

    def end(self) -> None:
        """Stop taking snapshots."""
        self._save = None
        self._stop()
        if self._unlisten is not None:
            self._unlisten()
            self._unlisten = None

    def notice(self, event: Report) -> None:
        """Save a snapshot later if the event changes the pages, or if a response may have set cookies."""
        if self._save is not None and isinstance(event, NetworkEvent) and event.type == "response":
            self._has_response = True
            self._schedule_read(_CHANGE_INTERVAL_S)
        if self._save is None or not isinstance(event, PageEvent) or event.type not in _CHANGES:
            return
        if event.type == "close" or (event.type == "navigated" and _is_site(event.url)):
            self._missed.pop(event.page_id, None)
        if event.type == "created":
            self._is_paused = self._is_paused and self.is_restoring
        self._save_later(_CLOSE_PAUSE_S if event.type == "close" else 0)
        if not self.is_restoring:
            self._read_after(_READ_PAUSE_S)

    def note_action(self) -> None:
        """Save a snapshot some seconds later: an action may have changed cookies or storage without a navigation."""
        if self._save is not None:
            self._acted_s = time.monotonic()
            self._read_after(_ACTION_PAUSE_S)

    def note_change(self) -> None:
        """Save a snapshot soon: a page has changed its storage without an action or a navigation."""
        if self._save is not None:
            since_s = time.monotonic() - self._read_at_s
            self._read_after(max(_CHANGE_PAUSE_S, _CHANGE_INTERVAL_S - since_s))

    def forget(self, context: "Context") -> None:
        """Forget the storage of a context that is closed: a later one may have its id."""
        self._storages.pop(context.id, None)

    async def take(self) -> SessionSnapshot | None:
        """Return a snapshot with all storage that can be read in a few seconds, and the last known rest. [asyncio]

        Returns: None if there is nothing worth a snapshot: then the one before has to be restored.
        """
        await self._read_cookies()  # a page can prevent that storage is read, for as long as its origin has any
        for context in self.tabs.contexts:
            try:
                async with asyncio.timeout(_STORAGE_TIMEOUT_S):
                    self._storages[context.id] = await context.storage.state()
            except FRAME_UNAVAILABLE as error:
                if context.is_closing or context not in list(self.tabs.contexts):
                    continue  # it was closed meanwhile, such as by a client, or since another node has its session
                self._storage_due_s = time.monotonic() + _STORAGE_TIMEOUT_S * _PAUSE_FACTOR
                log.warning("storage_not_read", context=context.id, error=type(error).__name__)
        return None if self._is_paused else self._snapshot()

    async def reopen(self, snapshot: SessionSnapshot) -> list[str]:
        """Restore the contexts and pages of a snapshot under their ids, and emit an event for each failure. [asyncio]

        Returns: the ids of the pages that could not be opened.

        Raises:
          BrowserNotLaunched: there is no browser now.
          CapacityExceeded: there is no room for all; another call restores the rest.
        """
        self._is_paused = self.is_restoring = True
        try:
            for context in snapshot.contexts:
                first = next((page for page in snapshot.pages if page.context_id == context.context_id), None)
                await self._reopen_context(context, first.url if first is not None else None)
            await self._reopen_pages(snapshot)
        finally:
            self.is_restoring = False
        self._is_paused = False
        self.renew()
        self._read_after(_ACTION_PAUSE_S)  # the storage is as it was saved, but for what the pages change
        return [page.page_id for page in self._unopened(snapshot)]

    async def give_up(self, snapshot: SessionSnapshot, reason: str) -> list[str]:
        """Go on without the pages of a snapshot for which there is no room, and return their ids. [asyncio]"""
        unopened = self._unopened(snapshot)
        for page in unopened:
            self._report_unopened(page, reason)
        # Without all of its contexts, a snapshot would lose the logins of the others.
        if {context.id for context in self.tabs.contexts}.issuperset(one.context_id for one in snapshot.contexts):
            self._is_paused = False
            self.renew()
        return [page.page_id for page in unopened]

    def _unopened(self, snapshot: SessionSnapshot) -> list[PageSnapshot]:
        opened = {tab.id for context in self.tabs.contexts for tab in context.open_tabs}
        return [page for page in snapshot.pages if page.page_id not in opened]

    async def _reopen_context(self, context: ContextSnapshot, landing: str | None) -> None:
        self._storages[context.context_id] = context.storage
        restored = attrs.evolve(context.options, storage_state=context.storage)
        for options in (restored, context.options):  # this browser may reject the storage
            try:
                await self.tabs.contexts.launch(options, context.context_id, landing=landing)
                return
            except (BrowserNotLaunched, CapacityExceeded):
                raise
            except AgentBrowserError as error:
                log.warning("context_not_restored", context=context.context_id, error=str(error))

    def _read_after(self, pause_s: float) -> None:
        self._is_changed = True
        self._schedule_read(pause_s)

    def _schedule_read(self, pause_s: float) -> None:
        """Read storage after the pause, or earlier if a read is due; one that is under way looks again by itself."""
        if self.is_reading:
            return
        loop = asyncio.get_running_loop()
        due_s = loop.time() + max(pause_s, self._read_s * _PAUSE_FACTOR)
        if self._read_timer is not None:
            if self._read_timer.when() <= due_s:
                return
            self._read_timer.cancel()
        self._read_timer = loop.call_at(due_s, self._begin_read)

    def _begin_read(self) -> None:
        self._read_timer = None
        if not self._is_paused:
            self._reading = asyncio.create_task(self._read())

    async def _reopen_pages(self, snapshot: SessionSnapshot) -> None:
        """Open and load the pages that no earlier call has opened; also those that fit if not all do."""
        made: list[PageSnapshot] = []
        try:
            for page in self._unopened(snapshot):
                await self._reopen_page(page, made)
        except CapacityExceeded:
            await asyncio.gather(*map(self._load, made))
            raise
        await asyncio.gather(*map(self._load, made))

    async def _reopen_page(self, page: PageSnapshot, made: list[PageSnapshot]) -> None:
        try:
            await self.tabs.open(page.page_id, page.context_id)
            made.append(page)
        except (BrowserNotLaunched, CapacityExceeded):
            raise
        except AgentBrowserError as error:
            self._report_unopened(page, error.message)

    async def _load(self, page: PageSnapshot) -> None:
        if not _is_site(page.url):
            return
        try:
            async with asyncio.timeout(_LOAD_TIMEOUT_S):
                tab = await self.tabs.tab(page.page_id)
                await tab.navigation.navigate_first(page.url, "commit")
        except FRAME_UNAVAILABLE as error:
            self._report(page, getattr(error, "message", "it took too long"))

    def _report_unopened(self, page: PageSnapshot, reason: str) -> None:
        self.tabs.closed_pages.note(page.page_id, f"could not be opened again: {reason.removesuffix('.')}")
        self._report(page, reason)

    def _report(self, page: PageSnapshot, reason: str) -> None:
        self._missed[page.page_id] = page
        reason = f"It could not be opened again: {reason}"
        self.tabs.emit(PageEvent(type="error", page_id=page.page_id, url=page.url, reason=reason))

    def _lose(self, on_lost: Callable[[], object]) -> None:
        self._is_paused = True
        self._stop()
        on_lost()

    def _stop(self) -> None:
        for under_way in (self._reading, self._read_timer, self._save_timer):
            if under_way is not None:
                under_way.cancel()
        self._reading = self._read_timer = None

    def _save_later(self, pause_s: float) -> None:
        loop = asyncio.get_running_loop()
        if self._save_timer is not None:
            self._save_timer.cancel()
        at_s = loop.time() + pause_s
        if len(self._saved_at_s) == _SAVES_A_SECOND:
            at_s = max(at_s, self._saved_at_s[0] + 1)
        self._save_timer = loop.call_at(at_s, self._save_now)

    def _save_now(self) -> None:
        self._saved_at_s.append(asyncio.get_running_loop().time())
        if self._save is not None and not self._is_paused:
            self._save(self._snapshot())

    async def _read(self) -> None:
        began_s = time.monotonic()
        is_changed, self._is_changed, self._has_response = self._is_changed, False, False
        if is_changed and began_s >= self._storage_due_s:
            await self._arm()
            began_s = time.monotonic()
            await self.take()
            self._read_s = 0.0 if self._storage_due_s > began_s else time.monotonic() - began_s
            self._save_now()
        else:
            self._is_changed = self._is_changed or is_changed
            if await self._read_cookies():
                self._save_now()
        self._read_at_s, self._reading = time.monotonic(), None
        if self._is_changed:
            self._read_after(_CHANGE_INTERVAL_S)
        elif began_s - self._acted_s < _ACTION_PAUSE_S / 2:  # what that action leads to may come only now
            self._read_after(_ACTION_PAUSE_S)
        elif self._has_response:
            self._schedule_read(_CHANGE_INTERVAL_S)

    async def _arm(self) -> None:
        """Have all pages report their next change of storage."""
        tabs = [tab for context in self.tabs.contexts for tab in context.open_tabs]
        with contextlib.suppress(TimeoutError):  # a dialog blocks a page
            async with asyncio.timeout(_READ_TIMEOUT_S):
                await asyncio.gather(*(tab.storage_changes.arm() for tab in tabs))

    async def _read_cookies(self) -> bool:
        """Read the cookies alone, and return True if some have changed."""
        changed = False
        for context in self.tabs.contexts:
            known = self._storages.get(context.id) or StorageState()
            with contextlib.suppress(*FRAME_UNAVAILABLE):  # the next read tries again
                async with asyncio.timeout(_READ_TIMEOUT_S):
                    cookies = await context.storage.cookies(None)
                if cookies != known.cookies:
                    self._storages[context.id] = attrs.evolve(known, cookies=cookies)
                    changed = True
        return changed

    def _snapshot(self) -> SessionSnapshot:
        contexts = list(self.tabs.contexts)
        pages = {
            tab.id: PageSnapshot(page_id=tab.id, url=self._url(tab), context_id=context.id)
            for context in contexts
            for tab in context.open_tabs
        }
        return SessionSnapshot(
            contexts=[self._context(context) for context in contexts], pages=list((self._missed | pages).values())
        )

    def _url(self, tab: "Tab") -> str:
        """Return the URL that the page has, or that it should have got when it was restored."""
        missed = self._missed.get(tab.id)
        return tab.page.url if missed is None or _is_site(tab.page.url) else missed.url

    def _context(self, context: "Context") -> ContextSnapshot:
        storage = self._storages.get(context.id) or StorageState()
        return ContextSnapshot(context_id=context.id, options=context.options, storage=storage)


def _is_site(url: str | None) -> bool:
    return url is not None and url.startswith("http")
