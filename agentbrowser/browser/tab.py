"""One page of one client, and its parts: navigation, actions, observation and extraction."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import attrs
import structlog
from playwright.async_api import CDPSession, Error, Frame
from playwright.async_api import Dialog as PlaywrightDialog
from playwright.async_api import Download as PlaywrightDownload
from playwright.async_api import Page as PlaywrightPage

from agentbrowser.browser import faults
from agentbrowser.browser.act.actions import Actions
from agentbrowser.browser.act.conditions import ConditionState, until
from agentbrowser.browser.act.expectations import ExpectationCheck
from agentbrowser.browser.background_tasks import close_quietly
from agentbrowser.browser.engine import vendor
from agentbrowser.browser.engine.crash_recovery import CrashSignal
from agentbrowser.browser.events.flood_guard import watch_windows
from agentbrowser.browser.events.page_events import LifecycleEvents, address_of
from agentbrowser.browser.events.storage_changes import StorageChanges
from agentbrowser.browser.extraction import Extractor
from agentbrowser.browser.frames import Frames
from agentbrowser.browser.live.hold import PageHold
from agentbrowser.browser.observe.accessibility import Accessibility
from agentbrowser.browser.observe.approval_context import ApprovalContextProvider
from agentbrowser.browser.observe.content import PageContent
from agentbrowser.browser.observe.pictures.screenshots import Screenshots
from agentbrowser.browser.observe.refs import Refs
from agentbrowser.browser.page import emulation
from agentbrowser.browser.page.dialogs import Dialogs
from agentbrowser.browser.page.frame_sessions import FrameSessions
from agentbrowser.browser.page.frame_tree import FrameTree
from agentbrowser.browser.page.isolated_world import IsolatedWorld, IsolatedWorlds
from agentbrowser.browser.page.navigation import Navigation
from agentbrowser.browser.page.navigation_policy import NavigationPolicy
from agentbrowser.browser.page.scripts import Scripts, Unblocker
from agentbrowser.browser.page.secrets import PageSecrets
from agentbrowser.browser.page.webmcp import WebMcpDiscovery
from agentbrowser.browser.semantic.candidates import interactive
from agentbrowser.browser.semantic.features import ElementFeatures
from agentbrowser.browser.settle.settler import PageSettler, with_pending
from agentbrowser.browser.settle.wait_for import ConditionWait
from agentbrowser.browser.storage.session_storage import SessionStorage
from agentbrowser.browser.titles import MAX_TITLE_LENGTH, certain_title, own_title, target_info
from agentbrowser.protocol.errors import AgentBrowserError, ExecutionContextDestroyed, Timeout
from agentbrowser.protocol.types.action import ActionDialog, Download, OpenedPage
from agentbrowser.protocol.types.element import AgentObserveResult
from agentbrowser.protocol.types.emulate import Screen
from agentbrowser.protocol.types.event import PublicEvent
from agentbrowser.protocol.types.extract import AgentExtractResult
from agentbrowser.protocol.types.observe import settle_timeout_ms
from agentbrowser.protocol.types.page import Dialog, ListedPage, PageInfo, PageOptions, PageStatus, Viewport
from agentbrowser.protocol.types.selector import Ref, Selector
from agentbrowser.protocol.types.sequence import Expectation

if TYPE_CHECKING:
    from agentbrowser.browser.contexts import Context
    from agentbrowser.browser.tabs import Tabs
    from agentbrowser.methods.agent_extract import ExtractParams
    from agentbrowser.methods.agent_observe import ObserveParams
    from agentbrowser.methods.page import WaitForParams

_TITLE_TIMEOUT_S: Final = 0.5
_CLOSE_TIMEOUT_S: Final = 1.0
_OPENED_TIMEOUT_MS: Final = 500
_INSTALL_TIMEOUT_S: Final = 1.0

log = structlog.get_logger("agentbrowser.browser")


def _part(kind: Callable[["Tab"], Any]) -> Any:
    """Declare a part of a tab that is made with the tab."""
    return attrs.field(default=attrs.Factory(kind, takes_self=True), init=False, repr=False)


@attrs.define(eq=False)
class Tab:
    """One page of a client, with its id, its state and its parts."""

    tabs: "Tabs"
    id: str
    page: PlaywrightPage
    context: "Context"
    opener: str | None = None
    status: PageStatus = "ready"
    url_before_crash: str | None = None
    """Its URL before a crash, until the next navigation."""
    options: PageOptions | None = attrs.field(default=None, init=False)
    """The options that it was created with."""
    crash_signal: CrashSignal = attrs.field(factory=CrashSignal, init=False)
    """Its crash state, and the requests that a crash cancels."""
    hold: PageHold = attrs.field(factory=PageHold, init=False)
    """The person who has taken the page over, if any."""
    _session: "asyncio.Task[CDPSession] | None" = None
    _installing: "asyncio.Task[None] | None" = attrs.field(default=None, init=False)
    lifecycle_events: LifecycleEvents = _part(lambda tab: LifecycleEvents(tab, vendor.has_loaded))
    """Events of the page's lifecycle."""
    dialogs: Dialogs = _part(Dialogs)
    """Dialogs, which the client answers."""
    session_storage: SessionStorage = _part(lambda tab: SessionStorage(tab, tab.context.storage.origins))
    """Session storage of its documents."""
    storage_changes: StorageChanges = _part(StorageChanges)
    """Detector of the changes that it makes to its storage."""
    navigation_policy: NavigationPolicy = _part(NavigationPolicy)
    """Rules for its navigations."""
    navigation: Navigation = _part(Navigation)
    """Navigation commands."""
    actions: Actions = _part(Actions)
    """Actions on its elements."""
    settler: PageSettler = _part(PageSettler)
    """Wait for the effects of actions."""
    frame_sessions: FrameSessions = _part(FrameSessions)
    """CDP sessions of its frames."""
    isolated_worlds: IsolatedWorlds = _part(IsolatedWorlds)
    """Isolated worlds with our scripts in its frames."""
    frame_tree: FrameTree = _part(FrameTree)
    """Tree of its frames."""
    scripts: Scripts = _part(Scripts)
    """Scripts of the client."""
    unblocker: Unblocker = _part(Unblocker)
    """Recovery from a script that never ends."""
    webmcp: WebMcpDiscovery = _part(WebMcpDiscovery)
    """WebMCP tools of the page."""
    refs: Refs = _part(Refs)
    """Refs of its elements, and observation."""
    extraction: Extractor = _part(Extractor)
    """Extraction of its data."""
    content: PageContent = _part(PageContent)
    """Content of its document."""
    screenshots: Screenshots = _part(lambda tab: Screenshots(tab, tab.context.options.screen))
    """Screenshots of the page."""
    approval_context: ApprovalContextProvider = _part(ApprovalContextProvider)
    """Context that an approver sees."""
    accessibility: Accessibility = _part(Accessibility)
    """Its accessibility tree."""
    frames: Frames = _part(Frames)
    """Its frames."""

    @property
    def frame(self) -> Frame:
        """The frame that actions and observations use."""
        return self.frames.current

    @property
    def isolated_world(self) -> IsolatedWorld:
        """The isolated world of the current frame."""
        return self.isolated_worlds.of(self.frame)

    @property
    def secrets(self) -> PageSecrets:
        """Secrets that the client has used."""
        return self.tabs.secrets

    @property
    def dialog(self) -> Dialog | None:
        """The dialog that blocks the page until the client answers it."""
        return self.dialogs.blocking_dialog

    @property
    def is_chromium(self) -> bool:
        """True if the browser supports CDP."""
        return self.tabs.engine.name == "chromium"

    @property
    def is_browser_lost(self) -> bool:
        """True if the browser of the page is gone."""
        return self.tabs.engine.has_lost(self.context.browser_context.browser)

    def attach(self) -> None:
        """Start listening to the page."""
        self.lifecycle_events.attach()
        self.isolated_worlds.notices.clipboard = self.tabs.contexts.clipboard
        self.tabs.engine.pipe.watch(vendor.guid_of(self.page), lambda reason: self.tabs.evict(self, reason))
        if self.is_chromium:
            self.tabs.run_in_background(watch_windows(self))
            installing = self.isolated_worlds.install_page_programs(has_window=not self.tabs.config.headless)
            self._installing = self.tabs.run_in_background(installing)

    async def page_programs_installed(self) -> None:
        """Wait until our programs run before the scripts of the next document. [asyncio]"""
        if self._installing is not None and not self._installing.done():
            await asyncio.wait({self._installing}, timeout=_INSTALL_TIMEOUT_S)

    def emit(self, event: PublicEvent) -> None:
        """Send an event to the client."""
        self.tabs.emit(event)

    def on_close(self) -> None:
        """Release the resources of a closed page."""
        self.tabs.engine.pipe.forget(vendor.guid_of(self.page))
        self.dialogs.discard()
        self.settler.discard()

    def on_crash(self) -> None:
        """Cancel the requests under way, which the browser never answers, and emit the crash."""
        if not self.crash_signal.is_set:
            self.crash_signal.trigger()
            self.dialogs.discard()
            self.settler.discard()
            self.lifecycle_events.crashed()

    def inherit(self, crashed: "Tab") -> None:
        """Take over the URL, the refs and the holder of a crashed page, which this one replaces."""
        self.hold = crashed.hold
        self.url_before_crash = crashed.url_before_crash or crashed.page.url
        self.refs.copy_from(crashed.refs)

    def frame_id(self, frame: Frame) -> str:
        """Return the id of one of its frames."""
        return self.tabs.frame_ids.of(frame)

    async def cdp(self) -> CDPSession:
        """Return the page's CDP session, which is created once. [asyncio]"""
        if self._session is None:
            self._session = asyncio.ensure_future(self.page.context.new_cdp_session(self.page))
            self._session.add_done_callback(self._count_events)
        with faults.mapped():
            return self._session.result() if self._session.done() else await asyncio.shield(self._session)

    def _count_events(self, made: "asyncio.Task[CDPSession]") -> None:
        # Retrieves the exception, which asyncio would log if no caller waits: the page was closed, then.
        if not made.cancelled() and made.exception() is None:
            self.tabs.engine.pipe.relate(vendor.guid_of(made.result()), vendor.guid_of(self.page))

    async def apply_options(self, options: PageOptions | None, source: "Tab | None" = None) -> None:
        """Apply the options that a page was created with, and the screen of another one. [asyncio]"""
        self.options = options
        with faults.mapped(), emulation.setting_errors_mapped():
            await emulation.apply(self, options, source)

    async def set_screen(self, screen: Screen) -> None:
        """Set the screen that the page is shown on. [asyncio]"""
        with faults.mapped():
            await self.screenshots.screenshotter.set_screen(screen)

    async def opened_page(self, page: PlaywrightPage) -> OpenedPage | None:
        """Return the description of a page that this one has just opened; None if it was refused. [asyncio]"""
        tab = await self.tabs.opened_tab(page)
        if tab is None:
            return None
        if page.url != "about:blank" and tab.dialog is None:  # its title comes with its document
            with contextlib.suppress(*faults.VENDOR_ERRORS):
                await page.wait_for_load_state("domcontentloaded", timeout=_OPENED_TIMEOUT_MS)
        return OpenedPage(page_id=tab.id, url=address_of(page), title=await tab.title_at_once())

    def dialog_outcome(self, dialog: PlaywrightDialog) -> ActionDialog:
        """Return the description of a dialog, with its answer."""
        return self.dialogs.outcome(dialog)

    def download_outcome(self, download: PlaywrightDownload) -> Download | None:
        """Return the description of a download; None if it is not tracked."""
        return self.tabs.downloads.outcome(download)

    async def observe(self, params: "ObserveParams") -> AgentObserveResult:
        """Observe the page for an agent, once it has settled. [asyncio]"""
        unsettled = await self.settler.settle(settle_timeout_ms(params.settle))
        self.tabs.page_recorder.note_look(self)
        result = await self.refs.observe(params)
        if unsettled is not None:
            result = with_pending(result, unsettled)
        if not params.include_webmcp_tools or self.dialog is not None:
            return result
        tools, _ = await self.webmcp.discover()
        return attrs.evolve(result, webmcp_tools=tools)

    async def extract(self, params: "ExtractParams") -> AgentExtractResult:
        """Extract data from the page, once it has settled. [asyncio]"""
        unsettled = await self.settler.settle(settle_timeout_ms(params.settle))
        result = await self.extraction.extract(params)
        return attrs.evolve(result, pending=unsettled.pending, awaited=unsettled.awaited) if unsettled else result

    async def interactive(self, *, is_whole: bool = False) -> list[ElementFeatures]:
        """Return the interactive elements; ``is_whole`` includes those that a modal covers. [asyncio]"""
        return await interactive(self, is_whole=is_whole)

    async def resolve_ref(self, ref: str) -> str:
        """Return a CSS selector that matches only the element of a ref in its frame. [asyncio]"""
        return await self.refs.resolve(ref)

    def target_facts(self, selector: Selector) -> dict[str, bool]:
        """Return the facts that recordings and the live view want of the element of an action."""
        is_recorded = self.tabs.page_recorder.is_recording and isinstance(selector, Ref)
        return {"isRecorded": is_recorded, "isWatched": self.hold.on_target is not None}

    def note_target(self, selector: Selector, answer: dict[str, Any]) -> None:
        """Record and outline the element that is acted on, if the answer of an in-page function describes it."""
        if self.hold.on_target is not None and (shown := answer.get("shown")):
            self.hold.on_target(selector, shown)
        if isinstance(selector, Ref) and (located := answer.get("located")):
            self.tabs.page_recorder.note_locator(self, selector.value, located)

    def frame_of(self, ref: str) -> Frame:
        """Return the frame of a ref."""
        return self.frame_tree.frame_of(ref)

    async def wait_for(self, selector: Selector, state: ConditionState, timeout_s: float) -> None:
        """Wait for a state of an element. [asyncio]"""
        await until(self, selector, state, timeout_s)

    async def wait_for_condition(self, params: "WaitForParams") -> int:
        """Wait until the page meets a condition; return the elapsed time in ms. [asyncio]"""
        return await ConditionWait(self, self.settler).wait(params)

    async def expect(self, expect: Expectation, element: Selector | None, action: str) -> None:
        """Wait for the expected outcome of an action on the element. [asyncio]"""
        await ExpectationCheck(self, expect, element, action).wait()

    async def close(self, *, run_before_unload: bool = False) -> None:
        """Close the page. [asyncio]"""
        try:
            async with asyncio.timeout(_CLOSE_TIMEOUT_S):
                with faults.mapped():
                    await self.page.close(run_before_unload=run_before_unload)
            if not self.crash_signal.is_set:
                return  # the close event removes it from the list
        except TimeoutError:
            # Playwright can lose the end of a page that is closed while it navigates, so the browser is asked itself.
            await close_quietly(self.close_by_cdp())
        self.tabs.forget(self)

    async def close_by_cdp(self) -> None:
        """Close the page with a CDP command. [asyncio]"""
        if self.is_chromium:
            await (await self.cdp()).send("Page.close")

    async def close_unresponsive(self) -> None:
        """Close a page that answers nothing; the client sees a crash. [asyncio]"""
        log.warning("page_unresponsive", page=self.id)
        self.on_crash()
        await close_quietly(self.page.close())

    async def bring_to_front(self) -> None:
        """Bring the page to the front. [asyncio]"""
        with faults.mapped():
            await self.page.bring_to_front()

    async def title(self, *, loaded: bool = False) -> str:
        """Return the document's title. [asyncio]

        Args:
          loaded: True if the page has just loaded: then the browser process knows the title, and the page is busy.

        Source: bench/overhead.py; on Chromium the protocol's own command costs a fifth less than Playwright's call.
        """
        try:
            with faults.mapped():
                return await self._document_title(loaded=loaded)
        except (ExecutionContextDestroyed, Timeout):  # the page goes on to another document, or is busy
            return await self.title_at_once()

    async def _document_title(self, *, loaded: bool) -> str:
        if not self.is_chromium:
            return await self.page.title()
        async with asyncio.timeout(_TITLE_TIMEOUT_S):
            session = await self.cdp()
            if loaded and (title := await self._known_title(session)) is not None:
                return title
            answer = await session.send(
                "Runtime.evaluate", {"expression": f"document.title.slice(0, {MAX_TITLE_LENGTH})"}
            )
        return str(answer["result"].get("value", ""))

    async def _known_title(self, session: CDPSession) -> str | None:
        target = await target_info(session)
        return certain_title(target["title"], target["url"])

    async def describe(self) -> PageInfo:
        """Return the page's description on the wire. [asyncio]"""
        return PageInfo(**await self._facts())

    async def list_entry(self) -> ListedPage:
        """Return the page's row of page/list. [asyncio]"""
        return ListedPage(**await self._facts(), context_id=self.context.id, opener=self.opener)

    async def _facts(self) -> dict[str, Any]:
        size = self.page.viewport_size or {"width": 0, "height": 0}
        return {
            "id": self.id,
            "url": address_of(self.page),
            "title": await self.title_at_once(),
            "viewport": Viewport(**size),
            "status": self.status,
            "dialog": self.dialogs.open_dialog,
        }

    async def title_at_once(self) -> str:
        """Return the title that the browser process knows: the page itself may be busy for ever."""
        if self.crash_signal.is_set:
            return ""
        with contextlib.suppress(Error, AgentBrowserError, TimeoutError):
            async with asyncio.timeout(_TITLE_TIMEOUT_S):
                if not self.is_chromium:
                    return await self.page.title()
                target = await target_info(await self.cdp())
                return own_title(target["title"], target["url"])
        return ""
