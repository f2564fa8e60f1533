"""An element of a page, with its actions."""

from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import attrs

from agentbrowser import methods
from agentbrowser.client.options import ActionKeywords, ClickKeywords, ScrollKeywords, TypeKeywords
from agentbrowser.client.selectors import at, read_upload
from agentbrowser.protocol.types.action import (
    ActionOptions,
    ActionResult,
    ClickOptions,
    FileUpload,
    Point,
    ScrollOptions,
    TypeOptions,
)
from agentbrowser.protocol.types.observe import ElementResult
from agentbrowser.protocol.types.selector import Selector

if TYPE_CHECKING:
    from os import PathLike

    from agentbrowser.client.page import Page


@attrs.frozen
class Element:
    """An element of a page, looked up by its selector at each action.

    Every action returns what really happened. Its keywords are the fields of the action's options in the protocol.

    Raises:
      ElementNotFound, SelectorAmbiguous: no element matches, or several do.
      ElementNotVisible, ElementNotEnabled: it exists, but is not actionable.
      ElementChanged: it is no longer the observed element.
    """

    page: "Page"
    selector: Selector

    async def click(self, **keywords: Unpack[ClickKeywords]) -> ActionResult:
        """Click the element."""
        options = ClickOptions(**keywords)
        return await self.page.call(methods.action.click, selector=self.selector, options=options, page_id=self.page.id)

    async def dblclick(self, **keywords: Unpack[ClickKeywords]) -> ActionResult:
        """Double-click the element."""
        options = ClickOptions(**keywords)
        return await self.page.call(
            methods.action.dblclick, selector=self.selector, options=options, page_id=self.page.id
        )

    async def hover(self, **keywords: Unpack[ActionKeywords]) -> ActionResult:
        """Move the pointer over the element."""
        options = ActionOptions(**keywords)
        return await self.page.call(methods.action.hover, selector=self.selector, options=options, page_id=self.page.id)

    async def check(self, **keywords: Unpack[ActionKeywords]) -> ActionResult:
        """Check a checkbox, radio button or switch."""
        options = ActionOptions(**keywords)
        return await self.page.call(methods.action.check, selector=self.selector, options=options, page_id=self.page.id)

    async def uncheck(self, **keywords: Unpack[ActionKeywords]) -> ActionResult:
        """Uncheck a checkbox or switch."""
        options = ActionOptions(**keywords)
        return await self.page.call(
            methods.action.uncheck, selector=self.selector, options=options, page_id=self.page.id
        )

    async def clear(self, **keywords: Unpack[ActionKeywords]) -> ActionResult:
        """Clear the field."""
        options = ActionOptions(**keywords)
        return await self.page.call(methods.action.clear, selector=self.selector, options=options, page_id=self.page.id)

    async def fill(self, value: str, **keywords: Unpack[ActionKeywords]) -> ActionResult:
        """Replace the value of the field; ``{{secret:name}}`` stands for a secret of the operator."""
        options = ActionOptions(**keywords)
        return await self.page.call(
            methods.action.fill, selector=self.selector, value=value, options=options, page_id=self.page.id
        )

    async def type(self, text: str, **keywords: Unpack[TypeKeywords]) -> ActionResult:
        """Type text character by character, after the present value of the field."""
        options = TypeOptions(**keywords)
        return await self.page.call(
            methods.action.type_, selector=self.selector, text=text, options=options, page_id=self.page.id
        )

    async def press(self, key: str, **keywords: Unpack[ActionKeywords]) -> ActionResult:
        """Press a key or a key combination in the element: ``Enter``, ``Control+a``."""
        options = ActionOptions(**keywords)
        return await self.page.call(
            methods.action.press, key=key, selector=self.selector, options=options, page_id=self.page.id
        )

    async def scroll(self, **keywords: Unpack[ScrollKeywords]) -> ActionResult:
        """Scroll the element, or its scrollable ancestor."""
        options = ScrollOptions(**keywords)
        return await self.page.call(
            methods.action.scroll, selector=self.selector, options=options, page_id=self.page.id
        )

    async def select(self, *values: str, **keywords: Unpack[ActionKeywords]) -> ActionResult:
        """Select options of a ``<select>``, each by its value, or else by its label."""
        options = ActionOptions(**keywords)
        return await self.page.call(
            methods.action.select, selector=self.selector, values=list(values), options=options, page_id=self.page.id
        )

    async def upload(
        self, *files: "PathLike[str] | str | FileUpload", **keywords: Unpack[ActionKeywords]
    ) -> ActionResult:
        """Set the files of a file input: paths on this machine, or contents.

        Raises:
          OSError: a file can't be read.
        """
        options = ActionOptions(**keywords)
        packed = [file if isinstance(file, FileUpload) else read_upload(Path(file)) for file in files]
        return await self.page.call(
            methods.action.upload, selector=self.selector, files=packed, options=options, page_id=self.page.id
        )

    async def drag_to(
        self, target: "Element | str | Selector | Point", **keywords: Unpack[ActionKeywords]
    ) -> ActionResult:
        """Drag the element onto another element, or to a point of the viewport."""
        options = ActionOptions(**keywords)
        goal = target.selector if isinstance(target, Element) else target
        return await self.page.call(
            methods.action.drag,
            source=self.selector,
            target=goal if isinstance(goal, Point) else at(goal),
            options=options,
            page_id=self.page.id,
        )

    async def state(self) -> ElementResult:
        """Return the state of the element without waiting; ``found=False`` if it is missing."""
        return await self.page.call(methods.observe.element, selector=self.selector, page_id=self.page.id)
