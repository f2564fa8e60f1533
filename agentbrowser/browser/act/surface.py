"""Interface between a tab and the actions on it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from playwright.async_api import CDPSession, Frame, Page

from agentbrowser.browser.semantic.features import ElementFeatures
from agentbrowser.protocol.types.page import Dialog

if TYPE_CHECKING:
    from agentbrowser.browser.page.frame_sessions import FrameSessions
    from agentbrowser.browser.page.isolated_world import IsolatedWorlds
    from agentbrowser.browser.page.secrets import PageSecrets


class ActSurface(Protocol):
    """The part of a tab that actions use."""

    @property
    def page(self) -> Page:
        """Return the Playwright page."""
        ...

    @property
    def frame(self) -> Frame:
        """Return the frame in which selectors are resolved."""
        ...

    @property
    def dialog(self) -> Dialog | None:
        """Return the open dialog that the client must answer; it blocks the page until then."""
        ...

    @property
    def is_chromium(self) -> bool:
        """Return True if the engine supports CDP."""
        ...

    @property
    def frame_sessions(self) -> "FrameSessions":
        """Return the CDP sessions of its frames."""
        ...

    @property
    def isolated_worlds(self) -> "IsolatedWorlds":
        """Return the isolated worlds of its frames."""
        ...

    @property
    def secrets(self) -> "PageSecrets":
        """Return the secrets that the client may use and has used."""
        ...

    def frame_of(self, ref: str) -> Frame:
        """Return the frame of a ref."""
        ...

    async def resolve_ref(self, ref: str) -> str:
        """Return a CSS selector of the ref's element, in its frame. [asyncio]"""
        ...

    async def interactive(self) -> Sequence[ElementFeatures]:
        """Return the interactive elements. [asyncio]"""
        ...

    async def cdp(self) -> CDPSession:
        """Return the page's CDP session. [asyncio]"""
        ...

    async def page_id_of(self, page: Page) -> str | None:
        """Return the id of a page that has just opened; None if it was closed at once. [asyncio]"""
        ...
