# Generated from agentbrowser/client/element.py: python -m agentbrowser.protocol.generate --write
"""An element of a page, and what can be done to it."""

from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import attrs

from agentbrowser.client.options import Acting, Clicking, Scrolling, Typing
from agentbrowser.client.selectors import at, packed_file
from agentbrowser.methods import action, observe
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

    from agentbrowser.client.blocking.page import Page


@attrs.frozen
class Element:
    """What a selector finds on a page at the moment when something is done to it.

    Every action returns what really happened. Keywords are those of the action's options in the protocol.

    Raises:
      ElementNotFound, SelectorAmbiguous: nothing or too much matches.
      ElementNotVisible, ElementNotEnabled: it exists, and can't be acted on.
      ElementChanged: it is not what was observed.
    """

    page: "Page"
    selector: Selector

    def click(self, **how: Unpack[Clicking]) -> ActionResult:
        """Click it."""
        options = ClickOptions(**how)
        return self.page.call(action.click, selector=self.selector, options=options, page_id=self.page.id)

    def dblclick(self, **how: Unpack[Clicking]) -> ActionResult:
        """Click it twice."""
        options = ClickOptions(**how)
        return self.page.call(action.dblclick, selector=self.selector, options=options, page_id=self.page.id)

    def hover(self, **how: Unpack[Acting]) -> ActionResult:
        """Move the pointer over it."""
        options = ActionOptions(**how)
        return self.page.call(action.hover, selector=self.selector, options=options, page_id=self.page.id)

    def check(self, **how: Unpack[Acting]) -> ActionResult:
        """Have the checkbox, radio button or switch be checked."""
        options = ActionOptions(**how)
        return self.page.call(action.check, selector=self.selector, options=options, page_id=self.page.id)

    def uncheck(self, **how: Unpack[Acting]) -> ActionResult:
        """Have the checkbox or switch be unchecked."""
        options = ActionOptions(**how)
        return self.page.call(action.uncheck, selector=self.selector, options=options, page_id=self.page.id)

    def clear(self, **how: Unpack[Acting]) -> ActionResult:
        """Empty the field."""
        options = ActionOptions(**how)
        return self.page.call(action.clear, selector=self.selector, options=options, page_id=self.page.id)

    def fill(self, value: str, **how: Unpack[Acting]) -> ActionResult:
        """Replace what the field holds; ``{{secret:name}}`` stands for a secret of the operator's."""
        options = ActionOptions(**how)
        return self.page.call(
            action.fill, selector=self.selector, value=value, options=options, page_id=self.page.id
        )

    def type(self, text: str, **how: Unpack[Typing]) -> ActionResult:
        """Type text character by character, after what the field holds."""
        options = TypeOptions(**how)
        return self.page.call(
            action.type_, selector=self.selector, text=text, options=options, page_id=self.page.id
        )

    def press(self, key: str, **how: Unpack[Acting]) -> ActionResult:
        """Press a key or a combination of keys in it: ``Enter``, ``Control+a``."""
        options = ActionOptions(**how)
        return self.page.call(
            action.press, key=key, selector=self.selector, options=options, page_id=self.page.id
        )

    def scroll(self, **how: Unpack[Scrolling]) -> ActionResult:
        """Scroll it, or what it lies in."""
        options = ScrollOptions(**how)
        return self.page.call(action.scroll, selector=self.selector, options=options, page_id=self.page.id)

    def select(self, *values: str, **how: Unpack[Acting]) -> ActionResult:
        """Choose options of a ``<select>``, each by its value, or else by its label."""
        options = ActionOptions(**how)
        return self.page.call(
            action.select, selector=self.selector, values=list(values), options=options, page_id=self.page.id
        )

    def upload(self, *files: "PathLike[str] | str | FileUpload", **how: Unpack[Acting]) -> ActionResult:
        """Put files into a file input: from this machine, or with what they hold.

        Raises:
          OSError: a file can't be read.
        """
        options = ActionOptions(**how)
        packed = [file if isinstance(file, FileUpload) else packed_file(Path(file)) for file in files]
        return self.page.call(
            action.upload, selector=self.selector, files=packed, options=options, page_id=self.page.id
        )

    def drag_to(self, target: "Element | str | Selector | Point", **how: Unpack[Acting]) -> ActionResult:
        """Drag it, and drop it on another element or at a point of the viewport."""
        options = ActionOptions(**how)
        goal = target.selector if isinstance(target, Element) else target
        return self.page.call(
            action.drag,
            source=self.selector,
            target=goal if isinstance(goal, Point) else at(goal),
            options=options,
            page_id=self.page.id,
        )

    def state(self) -> ElementResult:
        """Tell its state at once; one that is not there is ``found=False``."""
        return self.page.call(observe.element, selector=self.selector, page_id=self.page.id)
