"""A fake tab with everything that observations use, around a real page."""

from collections.abc import Callable, Coroutine
from functools import cached_property
from typing import Any, TypeVar

from agentbrowser.browser.observe.accessibility import Accessibility
from agentbrowser.browser.observe.content import PageContent
from agentbrowser.browser.observe.pictures.screenshots import Screenshots
from agentbrowser.browser.observe.refs import Refs
from agentbrowser.browser.page.isolated_world import IsolatedWorld
from agentbrowser.protocol.types.page import PageInfo, Viewport
from tests.browser.stage import FakeTab, Stage

T = TypeVar("T")


class ObservedTab(FakeTab):
    """A fake tab that can be observed."""

    @property
    def isolated_world(self) -> IsolatedWorld:
        return self.isolated_worlds.of(self.frame)

    @cached_property
    def refs(self) -> Refs:
        return Refs(self)

    @cached_property
    def content(self) -> PageContent:
        return PageContent(self)

    @cached_property
    def screenshots(self) -> Screenshots:
        return Screenshots(self)

    @cached_property
    def accessibility(self) -> Accessibility:
        return Accessibility(self)

    async def describe(self) -> PageInfo:
        viewport = Viewport(width=1, height=1)
        return PageInfo(id="page-1", url=self.page.url, title="", viewport=viewport, status="loading")


def with_observed_tab(stage: Stage, path: str, test: Callable[[ObservedTab], Coroutine[Any, Any, T]]) -> T:
    """Open a page and run a test on it; return the test's result."""
    return stage.play(path, lambda tab: test(ObservedTab(tab.page)))


def look_with_observed_tab(stage: Stage, path: str, test: Callable[[ObservedTab], Coroutine[Any, Any, T]]) -> T:
    """Run a test that only looks, on a page that such tests share; return the test's result."""
    return stage.look(path, ObservedTab, test)
