"""Interface between a tab and the actions on it."""

from collections.abc import Sequence
from typing import Protocol

from playwright.async_api import Dialog as PlaywrightDialog
from playwright.async_api import Download as PlaywrightDownload
from playwright.async_api import Frame, Page

from agentbrowser.browser.page.frame_tree import JsonObject
from agentbrowser.browser.page.surface import PageSurface
from agentbrowser.browser.semantic.features import ElementFeatures
from agentbrowser.protocol.types.action import ActionDialog, Download, OpenedPage
from agentbrowser.protocol.types.page import Dialog
from agentbrowser.protocol.types.selector import Selector


class RestProbe(Protocol):
    """Answer to the question if a page still changes by itself."""

    async def is_at_rest(self) -> bool:
        """Return True if nothing is known to be under way on the page, and nothing has changed since the last call.

        [asyncio]
        """
        ...


class ActSurface(PageSurface, Protocol):
    """The part of a tab that actions use."""

    @property
    def settler(self) -> RestProbe:
        """Return what knows if the page is at rest."""
        ...

    @property
    def dialog(self) -> Dialog | None:
        """Return the open dialog that the client must answer; it blocks the page until then."""
        ...

    def frame_of(self, ref: str) -> Frame:
        """Return the frame of a ref."""
        ...

    def target_facts(self, selector: Selector) -> dict[str, bool]:
        """Return the facts that recordings and the live view want of the element of an action."""
        ...

    def note_target(self, selector: Selector, answer: JsonObject) -> None:
        """Record and outline the element that is acted on, if the answer of an in-page function describes it."""
        ...

    async def resolve_ref(self, ref: str) -> str:
        """Return a CSS selector of the ref's element, in its frame. [asyncio]"""
        ...

    async def interactive(self, *, is_whole: bool = False) -> Sequence[ElementFeatures]:
        """Return the interactive elements; ``is_whole`` includes those that a modal covers. [asyncio]"""
        ...

    async def opened_page(self, page: Page) -> OpenedPage | None:
        """Return the description of a page that has just opened; None if it was closed at once. [asyncio]"""
        ...

    def dialog_outcome(self, dialog: PlaywrightDialog) -> ActionDialog:
        """Return the description of a dialog, with its answer."""
        ...

    def download_outcome(self, download: PlaywrightDownload) -> Download | None:
        """Return the description of a download; None if it is not tracked."""
        ...
