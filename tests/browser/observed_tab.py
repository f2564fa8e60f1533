"""A tab that can be observed, around a real page."""

from collections.abc import Callable, Coroutine
from functools import cached_property
from typing import Any, TypeVar

from playwright.async_api import CDPSession

from agentbrowser.browser.observe.accessibility import Accessibility
from agentbrowser.browser.observe.content import PageContent
from agentbrowser.browser.observe.screenshots import Screenshots
from agentbrowser.browser.page.frame_sessions import FrameSessions
from agentbrowser.browser.page.isolated_world import IsolatedWorld, IsolatedWorlds
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
    def frame_sessions(self) -> FrameSessions:
        return FrameSessions(self)

    @cached_property
    def isolated_worlds(self) -> IsolatedWorlds:
        return IsolatedWorlds(self)

    @property
    def isolated_world(self) -> IsolatedWorld:
        return self.isolated_worlds.of(self.frame)

    @cached_property
    def content(self) -> PageContent:
        return PageContent(self)

    @cached_property
    def screenshots(self) -> Screenshots:
        return Screenshots(self)

    @cached_property
    def accessibility(self) -> Accessibility:
        return Accessibility(self)


def view(stage: Stage, path: str, look: Callable[[View], Coroutine[Any, Any, T]]) -> T:
    """Open the page and look at it."""
    return stage.play(path, lambda tab: look(View(tab.page)))
