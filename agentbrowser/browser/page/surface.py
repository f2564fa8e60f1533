"""Interface between a tab and the modules for its page."""

from typing import TYPE_CHECKING, Protocol

from playwright.async_api import CDPSession, Frame, Page

if TYPE_CHECKING:
    from agentbrowser.browser.page.frame_sessions import FrameSessions
    from agentbrowser.browser.page.frame_tree import FrameTree
    from agentbrowser.browser.page.isolated_world import IsolatedWorlds
    from agentbrowser.browser.page.secrets import PageSecrets


class PageSurface(Protocol):
    """The part of a tab that frames, isolated worlds and secrets use."""

    @property
    def page(self) -> Page:
        """Return the Playwright page."""
        ...

    @property
    def frame(self) -> Frame:
        """Return the selected frame, which actions and observations use."""
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
    def frame_tree(self) -> "FrameTree":
        """Return its frame tree."""
        ...

    @property
    def secrets(self) -> "PageSecrets":
        """Return the secrets that the client may use and has used."""
        ...

    def frame_id(self, frame: Frame) -> str:
        """Return the id of one of its frames."""
        ...

    async def cdp(self) -> CDPSession:
        """Return the page's CDP session. [asyncio]"""
        ...
