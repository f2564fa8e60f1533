"""A page under observation, for tests of what the browser side sees of it."""

import contextlib
from collections.abc import Callable, Coroutine, Iterator
from functools import cached_property
from typing import Any, Final

import attrs
from playwright.async_api import CDPSession, ElementHandle, Frame, Page

from agentbrowser.browser.ids import Ids
from agentbrowser.browser.observe.refs import Refs
from agentbrowser.browser.page.frame_sessions import FrameSessions
from agentbrowser.browser.page.frame_tree import FrameTree
from agentbrowser.browser.page.isolated_world import IsolatedWorld, IsolatedWorlds
from agentbrowser.methods.agent_observe import ObserveParams
from agentbrowser.protocol.types.element import InteractiveElement
from agentbrowser.protocol.types.observe import (
    AccessibilityNode,
    AccessibilityOptions,
    AccessibilityResult,
    ScreenshotOptions,
    ScreenshotResult,
)
from agentbrowser.protocol.types.page import Dialog, PageInfo, Viewport
from agentbrowser.protocol.types.selector import Selector
from tests.browser.stage import FakeTab, Stage, opened

ALL: Final = ObserveParams(max_elements=2000)


@attrs.define(eq=False, slots=False)
class Watched:
    """What observing needs of a tab, around a real page."""

    page: Page
    dialog: Dialog | None = None
    is_chromium: bool = True
    inner: Frame | None = None
    _session: CDPSession | None = None
    _frame_ids: Ids[Frame] = attrs.field(factory=lambda: Ids("frame"))

    @property
    def frame(self) -> Frame:
        return self.inner or self.page.main_frame

    def frame_id(self, frame: Frame) -> str:
        return self._frame_ids.of(frame)

    @cached_property
    def frame_sessions(self) -> FrameSessions:
        return FrameSessions(self)

    @cached_property
    def isolated_worlds(self) -> IsolatedWorlds:
        return IsolatedWorlds(self)

    @property
    def isolated_world(self) -> IsolatedWorld:
        return self.isolated_worlds.of(self.frame)

    @cached_property
    def frame_tree(self) -> FrameTree:
        return FrameTree(self)

    @cached_property
    def refs(self) -> Refs:
        return Refs(self)

    @property
    def screenshots(self) -> "Watched":
        return self

    @property
    def accessibility(self) -> "Watched":
        return self

    async def cdp(self) -> CDPSession:
        self._session = self._session or await self.page.context.new_cdp_session(self.page)
        return self._session

    async def screenshot(self, options: ScreenshotOptions, selector: Selector | None) -> ScreenshotResult:
        return ScreenshotResult(data="", format=options.format, width=1, height=2)

    async def tree(self, options: AccessibilityOptions) -> AccessibilityResult:
        return AccessibilityResult(tree=[AccessibilityNode(role="RootWebArea")])

    async def describe(self) -> PageInfo:
        return PageInfo(
            id="page-1", url=self.page.url, title="", viewport=Viewport(width=1, height=1), status="loading"
        )

    async def see(self, params: ObserveParams = ALL) -> dict[str, InteractiveElement]:
        """Observe, and return the elements by their refs."""
        elements = (await self.refs.observe(params)).interactive_elements or []
        by_ref = {element.ref: element for element in elements}
        assert len(by_ref) == len(elements)
        return by_ref

    async def handle(self, ref: str) -> ElementHandle:
        """Return the one element that a ref leads to."""
        locator = self.frame_tree.frame_of(ref).locator(f"css={await self.refs.resolve(ref)}")
        assert await locator.count() == 1
        return await locator.element_handle()

    async def id_of(self, ref: str) -> str:
        return str(await (await self.handle(ref)).evaluate("element => element.getAttribute('id') ?? ''"))

    async def by_id(self, params: ObserveParams = ALL) -> dict[str, InteractiveElement]:
        """Observe, and return the elements that have an id by it."""
        return {await self.id_of(ref): element for ref, element in (await self.see(params)).items()}

    async def run(self, script: str) -> None:
        await self.page.evaluate(f"() => {{ {script} }}")


Scene = Callable[[Watched], Coroutine[Any, Any, None]]


@attrs.frozen
class Watch:
    """Plays scenes, each on a page in a context of its own."""

    stage: Stage

    def page(self, path: str, scene: Scene) -> None:
        """Play on one of the pages in the folder."""

        async def act(tab: FakeTab) -> None:
            await scene(Watched(tab.page))

        self.stage.play(path, act)

    def markup(self, markup: str, scene: Scene) -> None:
        """Play on markup of its own."""

        async def act(tab: Watched) -> None:
            await tab.page.set_content(markup)
            await scene(tab)

        self.page("/nowhere", act)


@contextlib.contextmanager
def watching(*arguments: str) -> Iterator[Watch]:
    """Have a browser for the scenes of one module, started with arguments of the command line."""
    with opened(*arguments) as stage:
        yield Watch(stage)
