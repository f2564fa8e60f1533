"""Interface between a tab and the modules that observe it."""

from typing import TYPE_CHECKING, Protocol

from agentbrowser.browser.act.surface import ActSurface
from agentbrowser.protocol.types.page import PageInfo

if TYPE_CHECKING:
    from agentbrowser.browser.observe.accessibility import Accessibility
    from agentbrowser.browser.observe.pictures.screenshots import Screenshots


class ObserveSurface(ActSurface, Protocol):
    """The part of a tab that observations use."""

    @property
    def screenshots(self) -> "Screenshots":
        """Return its screenshots."""
        ...

    @property
    def accessibility(self) -> "Accessibility":
        """Return its accessibility tree."""
        ...

    async def describe(self) -> PageInfo:
        """Return the page's state without a call to the page. [asyncio]"""
        ...
