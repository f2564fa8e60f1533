"""A tab that can be observed, around a real page."""

from collections.abc import Callable, Coroutine
from functools import cached_property
from typing import Any, TypeVar

from playwright.async_api import CDPSession

from agentbrowser.browser.observe.accessibility import Accessibility
from agentbrowser.browser.observe.content import Content
from agentbrowser.browser.observe.screenshots import Capture
from agentbrowser.browser.page.frame_sessions import Places
from agentbrowser.browser.page.isolated_world import World, Worlds
from tests.browser.stage import FakeTab, Stage

T = TypeVar("T")


class View(FakeTab):
    """What observations need of a tab."""

    session: CDPSession | None = None

    async def cdp(self) -> CDPSession:
        if self.session is None:
            self.session = await super().cdp()
        return self.session

    @cached_property
    def places(self) -> Places:
        return Places(self)

    @cached_property
    def worlds(self) -> Worlds:
        return Worlds(self)

    @property
    def world(self) -> World:
        return self.worlds.of(self.frame)

    @cached_property
    def content(self) -> Content:
        return Content(self)

    @cached_property
    def capture(self) -> Capture:
        return Capture(self)

    @cached_property
    def accessibility(self) -> Accessibility:
        return Accessibility(self)


def view(stage: Stage, path: str, look: Callable[[View], Coroutine[Any, Any, T]]) -> T:
    """Open the page and look at it."""
    return stage.play(path, lambda tab: look(View(tab.page)))
