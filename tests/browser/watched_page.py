"""Scenarios on an observed page: what an observation lists, and where its refs lead."""

import contextlib
from collections.abc import Callable, Coroutine, Iterator
from functools import cached_property
from typing import Any, Final

import attrs
from playwright.async_api import ElementHandle, Frame

from agentbrowser.browser.observe.accessibility import Accessibility
from agentbrowser.browser.observe.pictures.screenshots import Screenshots
from agentbrowser.methods.agent_observe import ObserveParams
from agentbrowser.protocol.types.element import InteractiveElement
from agentbrowser.protocol.types.observe import (
    AccessibilityNode,
    AccessibilityOptions,
    AccessibilityResult,
    ScreenshotOptions,
    ScreenshotResult,
)
from agentbrowser.protocol.types.selector import Selector
from tests.browser.observed_tab import ObservedTab
from tests.browser.stage import Stage, opened

ALL: Final = ObserveParams(max_elements=2000)


class FakeScreenshots(Screenshots):
    """Screenshots without an image."""

    async def screenshot(
        self,
        options: ScreenshotOptions,
        selector: Selector | None,
        timeout_ms: int | None = None,
        *,
        hides_caret: bool = True,
    ) -> ScreenshotResult:
        return ScreenshotResult(data="", format=options.format, width=1, height=2)


class FakeAccessibility(Accessibility):
    """An accessibility tree of one node."""

    async def tree(self, options: AccessibilityOptions, timeout_ms: int | None = None) -> AccessibilityResult:
        return AccessibilityResult(tree=[AccessibilityNode(role="RootWebArea")])


class WatchedTab(ObservedTab):
    """An observed tab with short forms for observations and their refs."""

    @cached_property
    def screenshots(self) -> Screenshots:
        return FakeScreenshots(self)

    @cached_property
    def accessibility(self) -> Accessibility:
        return FakeAccessibility(self)

    def frame_of(self, ref: str) -> Frame:
        return self.frame_tree.frame_of(ref)

    async def see(self, params: ObserveParams = ALL) -> dict[str, InteractiveElement]:
        """Observe, and return the elements by their refs."""
        elements = (await self.refs.observe(params)).interactive_elements or []
        by_ref = {element.ref: element for element in elements}
        assert len(by_ref) == len(elements)
        return by_ref

    async def handle(self, ref: str) -> ElementHandle:
        """Return the one element of a ref."""
        locator = self.frame_of(ref).locator(f"css={await self.refs.resolve(ref)}")
        assert await locator.count() == 1
        return await locator.element_handle()

    async def id_of(self, ref: str) -> str:
        return str(await (await self.handle(ref)).evaluate("element => element.getAttribute('id') ?? ''"))

    async def by_id(self, params: ObserveParams = ALL) -> dict[str, InteractiveElement]:
        """Observe, and return the elements by their id attributes."""
        return {await self.id_of(ref): element for ref, element in (await self.see(params)).items()}

    async def run(self, script: str) -> None:
        await self.page.evaluate(f"() => {{ {script} }}")


class ForeignTab(WatchedTab):
    """A tab of an engine without CDP."""

    @property
    def is_chromium(self) -> bool:
        return False


Scenario = Callable[[WatchedTab], Coroutine[Any, Any, None]]


@attrs.frozen
class Scenarios:
    """Runs scenarios, each on a page in a context of its own; those that only look share a page."""

    stage: Stage

    def page(self, path: str, scenario: Scenario) -> None:
        """Run a scenario on one of the pages in the folder."""
        self.stage.play(path, lambda tab: scenario(WatchedTab(tab.page)))

    def look(self, markup: str, scenario: Scenario) -> None:
        """Run a scenario that only looks on a page of markup."""
        self.stage.look("/nowhere", WatchedTab, scenario, markup=markup)

    def look_at(self, path: str, scenario: Scenario) -> None:
        """Run a scenario that only looks on one of the pages in the folder."""
        self.stage.look(path, WatchedTab, scenario)

    def markup(self, markup: str, scenario: Scenario) -> None:
        """Run a scenario on a page of markup."""
        self.stage.play("/nowhere", lambda tab: scenario(WatchedTab(tab.page)), markup=markup)


@contextlib.contextmanager
def scenario_runner(*arguments: str) -> Iterator[Scenarios]:
    """Yield a runner on a browser of its own, started with these arguments."""
    with opened(*arguments) as stage:
        yield Scenarios(stage)
