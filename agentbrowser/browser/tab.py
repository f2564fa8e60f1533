"""One page of one client: what it knows about itself, and the ways to move it, act on it and see it."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import attrs
import structlog
from playwright.async_api import CDPSession, Error, Frame
from playwright.async_api import Page as PlaywrightPage

from agentbrowser.browser import faults
from agentbrowser.browser.act.actions import Actions
from agentbrowser.browser.act.conditions import ConditionState, until
from agentbrowser.browser.act.expectations import ExpectationCheck
from agentbrowser.browser.contexts import close_quietly
from agentbrowser.browser.engine.crash_signal import CrashSignal
from agentbrowser.browser.events.flood_guard import watch_windows
from agentbrowser.browser.events.page_events import LifecycleEvents
from agentbrowser.browser.extraction import Extractor
from agentbrowser.browser.frames import Frames
from agentbrowser.browser.observe.accessibility import Accessibility
from agentbrowser.browser.observe.approval_context import ApprovalContextProvider
from agentbrowser.browser.observe.content import PageContent
from agentbrowser.browser.observe.refs import Refs
from agentbrowser.browser.observe.screenshots import Screenshots
from agentbrowser.browser.page import emulation
from agentbrowser.browser.page.dialogs import Dialogs
from agentbrowser.browser.page.frame_sessions import FrameSessions
from agentbrowser.browser.page.frame_tree import FrameTree
from agentbrowser.browser.page.isolated_world import IsolatedWorld, IsolatedWorlds
from agentbrowser.browser.page.navigation import Navigation
from agentbrowser.browser.page.navigation_policy import NavigationPolicy
from agentbrowser.browser.page.scripts import Scripts, Unblocker
from agentbrowser.browser.page.secrets import PageSecrets
from agentbrowser.browser.page.storage import SessionStorage
from agentbrowser.browser.page.webmcp import WebMcpDiscovery
from agentbrowser.browser.semantic.candidates import interactive
from agentbrowser.browser.semantic.features import ElementFeatures
from agentbrowser.browser.titles import own_title, sure_title, target_of
from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.types.element import AgentObserveResult
from agentbrowser.protocol.types.emulate import Screen
from agentbrowser.protocol.types.event import PublicEvent
from agentbrowser.protocol.types.page import Dialog, ListedPage, PageInfo, PageOptions, PageStatus, Viewport
from agentbrowser.protocol.types.selector import Selector
from agentbrowser.protocol.types.sequence import Expectation

if TYPE_CHECKING:
    from agentbrowser.browser.contexts import Context
    from agentbrowser.browser.tabs import Tabs
    from agentbrowser.methods.agent_observe import ObserveParams

_TITLE_TIMEOUT_S: Final = 0.5
_CLOSE_TIMEOUT_S: Final = 1.0

log = structlog.get_logger("agentbrowser.browser")


def _part(kind: Callable[["Tab"], Any]) -> Any:
    """Declare a part of a tab, made with the tab itself."""
    return attrs.field(default=attrs.Factory(kind, takes_self=True), init=False, repr=False)


@attrs.define(eq=False)
class Tab:
    """A page with its id and its state."""

    tabs: "Tabs"
    id: str
    page: PlaywrightPage
    context: "Context"
    opener: str | None = None
    status: PageStatus = "ready"
    url_before_crash: str | None = None
    """Where it was before it crashed, until it goes somewhere again."""
    options: PageOptions | None = attrs.field(default=None, init=False)
    """Those it was created with."""
    crash_signal: CrashSignal = attrs.field(factory=CrashSignal, init=False)
    """Whether it lives, and what is being done to it."""
    _session: "asyncio.Task[CDPSession] | None" = None
    lifecycle_events: LifecycleEvents = _part(LifecycleEvents)
    """The listeners on this page."""
    dialogs: Dialogs = _part(Dialogs)
    """What it asks the user, who is the client."""
    session_storage: SessionStorage = _part(SessionStorage)
    """What its documents keep for as long as it is open."""
    navigation_policy: NavigationPolicy = _part(NavigationPolicy)
    """Where it may not go."""
    navigation: Navigation = _part(Navigation)
    """The ways to take this page somewhere."""
    actions: Actions = _part(Actions)
    """What can be done to its elements."""
    frame_sessions: FrameSessions = _part(FrameSessions)
    """Where its frames are to be found."""
    isolated_worlds: IsolatedWorlds = _part(IsolatedWorlds)
    """Our own scripts in its frames, apart from the page's."""
    frame_tree: FrameTree = _part(FrameTree)
    """Its frames as one picture."""
    scripts: Scripts = _part(Scripts)
    """The client's own scripts in it."""
    unblocker: Unblocker = _part(Unblocker)
    """What makes it answer again."""
    webmcp: WebMcpDiscovery = _part(WebMcpDiscovery)
    """The tools that it offers."""
    refs: Refs = _part(Refs)
    """What the client was told of its elements."""
    extraction: Extractor = _part(Extractor)
    """Its data."""
    content: PageContent = _part(PageContent)
    """What its document holds."""
    screenshots: Screenshots = _part(Screenshots)
    """Its pictures."""
    approval_context: ApprovalContextProvider = _part(ApprovalContextProvider)
    """What an approver is shown of it."""
    accessibility: Accessibility = _part(Accessibility)
    """Its accessibility tree."""
    frames: Frames = _part(Frames)
    """Its frames."""

    @property
    def frame(self) -> Frame:
        """The frame that actions and observations go to."""
        return self.frames.chosen

    @property
    def isolated_world(self) -> IsolatedWorld:
        """Our own scripts in the frame that is looked at."""
        return self.isolated_worlds.of(self.frame)

    @property
    def secrets(self) -> PageSecrets:
        """The secrets that the client has used."""
        return self.tabs.secrets

    @property
    def dialog(self) -> Dialog | None:
        """The dialog that is kept open for the client."""
        return self.dialogs.open_dialog

    @property
    def is_chromium(self) -> bool:
        """Whether the engine speaks CDP."""
        return self.tabs.engine.name == "chromium"

    @property
    def is_lost(self) -> bool:
        """Whether its browser is gone."""
        return self.tabs.engine.has_lost(self.context.browser_context.browser)

    def attach(self) -> None:
        """Start listening to the page."""
        self.lifecycle_events.attach()
        self.dialogs.attach()
        if self.is_chromium:
            self.tabs.run_in_background(watch_windows(self))

    def emit(self, event: PublicEvent) -> None:
        """Send an event to the client."""
        self.tabs.emit(event)

    def closed(self) -> None:
        """Let go of what belongs to the page."""
        self.dialogs.discard()

    def crashed(self) -> None:
        """End what is being done to the page, which answers nothing any more, and say so."""
        if not self.crash_signal.cut:
            self.crash_signal.break_off()
            self.dialogs.discard()
            self.lifecycle_events.crashed()

    def take_after(self, wreck: "Tab") -> None:
        """Take over what the client knows of a page that has crashed, in whose place this one is."""
        self.url_before_crash = wreck.url_before_crash or wreck.page.url
        self.refs.copy_from(wreck.refs)

    def frame_id(self, frame: Frame) -> str:
        """Return the id of one of its frames."""
        return self.tabs.frame_ids.of(frame)

    async def cdp(self) -> CDPSession:
        """Return the page's CDP session, made once. [asyncio]"""
        if self._session is None:
            self._session = asyncio.ensure_future(self.page.context.new_cdp_session(self.page))
            # Should nobody wait any more when it fails, because the page is closed, that is no news.
            self._session.add_done_callback(lambda made: made.cancelled() or made.exception())
        with faults.mapped():
            return self._session.result() if self._session.done() else await asyncio.shield(self._session)

    async def become(self, options: PageOptions) -> None:
        """Apply the options that a page was created with. [asyncio]"""
        self.options = options
        with faults.mapped():
            await emulation.apply(self, options)

    async def set_screen(self, screen: Screen) -> None:
        """Show it on another screen. [asyncio]"""
        with faults.mapped():
            await self.screenshots.screenshotter.set_screen(screen)

    async def page_id_of(self, page: PlaywrightPage) -> str | None:
        """Return the id of a page that this one has just opened. [asyncio]"""
        return await self.tabs.page_id_of(page)

    async def observe(self, params: "ObserveParams") -> AgentObserveResult:
        """Look at the page as an agent does. [asyncio]"""
        result = await self.refs.observe(params)
        if not params.include_webmcp_tools or self.dialog is not None:
            return result
        tools, _ = await self.webmcp.discover()
        return attrs.evolve(result, webmcp_tools=tools)

    async def interactive(self) -> list[ElementFeatures]:
        """Return the elements that something can be done with. [asyncio]"""
        return await interactive(self)

    async def resolve_ref(self, ref: str) -> str:
        """Return a CSS selector for just the element of a ref in its frame. [asyncio]"""
        return await self.refs.resolve(ref)

    def frame_of(self, ref: str) -> Frame:
        """Return the frame that a ref is of."""
        return self.frame_tree.frame_of(ref)

    async def wait_for(self, selector: Selector, state: ConditionState, timeout_s: float) -> None:
        """Wait for a state of an element. [asyncio]"""
        await until(self, selector, state, timeout_s)

    async def expect(self, expect: Expectation, element: Selector | None, action: str) -> None:
        """Wait for what an action on the element is expected to lead to. [asyncio]"""
        await ExpectationCheck(self, expect, element, action).wait()

    async def close(self, *, run_before_unload: bool = False) -> None:
        """Close the page. [asyncio]"""
        try:
            async with asyncio.timeout(_CLOSE_TIMEOUT_S):
                with faults.mapped():
                    await self.page.close(run_before_unload=run_before_unload)
            if not self.crash_signal.cut:
                return  # that it is closed is heard of
        except TimeoutError:
            # Playwright can lose the end of a page that is closed while it navigates: then the browser itself is told.
            await close_quietly(self.shut())
        self.tabs.forget(self)

    async def shut(self) -> None:
        """Close the page by the browser's own command. [asyncio]"""
        if self.is_chromium:
            await (await self.cdp()).send("Page.close")

    async def give_up(self) -> None:
        """End a page that answers nothing any more, which for the client is a crash. [asyncio]"""
        log.warning("page_given_up", page=self.id)
        self.crashed()
        await close_quietly(self.page.close())

    async def bring_to_front(self) -> None:
        """Make it the page that is shown. [asyncio]"""
        with faults.mapped():
            await self.page.bring_to_front()

    async def title(self, *, loaded: bool = False) -> str:
        """Return the document's title. [asyncio]

        Args:
          loaded: whether it has just loaded: then the browser knows the title, and the page is busy with its looks.

        Source: bench/overhead.py; on Chromium the protocol's own command costs a fifth less than Playwright's call.
        """
        with faults.mapped():
            if not self.is_chromium:
                return await self.page.title()
            try:
                async with asyncio.timeout(_TITLE_TIMEOUT_S):
                    session = await self.cdp()
                    if loaded and (title := await self._known_title(session)) is not None:
                        return title
                    answer = await session.send("Runtime.evaluate", {"expression": "document.title"})
            except TimeoutError:  # the page is busy
                return await self._title_at_once()
            return str(answer["result"].get("value", ""))

    async def _known_title(self, session: CDPSession) -> str | None:
        target = await target_of(session)
        return sure_title(target["title"], target["url"])

    async def describe(self) -> PageInfo:
        """Return the page as the wire shows it. [asyncio]"""
        return PageInfo(**await self._facts())

    async def list_entry(self) -> ListedPage:
        """Return the page's row of page/list. [asyncio]"""
        return ListedPage(**await self._facts(), context_id=self.context.id, opener=self.opener, dialog=self.dialog)

    async def _facts(self) -> dict[str, Any]:
        size = self.page.viewport_size or {"width": 0, "height": 0}
        return {
            "id": self.id,
            "url": self.page.url,
            "title": await self._title_at_once(),
            "viewport": Viewport(**size),
            "status": self.status,
        }

    async def _title_at_once(self) -> str:
        """Return the title as the browser process knows it: the page itself may be busy for ever."""
        if self.crash_signal.cut:
            return ""
        with contextlib.suppress(Error, AgentBrowserError, TimeoutError):
            async with asyncio.timeout(_TITLE_TIMEOUT_S):
                if not self.is_chromium:
                    return await self.page.title()
                target = await target_of(await self.cdp())
                return own_title(target["title"], target["url"])
        return ""
