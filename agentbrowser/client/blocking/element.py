# Generated from agentbrowser/client/element.py: python -m agentbrowser.protocol.generate --write
"""An element of a page, with its actions."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Unpack

import attrs

from agentbrowser import methods
from agentbrowser.client.options import ActionKeywords, ClickKeywords, HoverKeywords, ScrollKeywords, TypeKeywords
from agentbrowser.client.blocking.results import ActionOutcome
from agentbrowser.client.selectors import Upload, at, upload_of
from agentbrowser.protocol.registry import Method
from agentbrowser.protocol.types.action import (
    ActionOptions,
    ActionResult,
    ClickOptions,
    HoverOptions,
    Offset,
    Point,
    ScrollOptions,
    TypeOptions,
)
from agentbrowser.protocol.types.observe import STATE_PROPERTIES, ElementProperty, ElementResult
from agentbrowser.protocol.types.selector import Selector

if TYPE_CHECKING:
    from agentbrowser.client.blocking.page import Page


@attrs.frozen
class Element:
    """An element of a page, looked up by its selector at each action.

    Every action returns what really happened. Its keywords are the fields of the action's options in the protocol,
    ``observe="changes"`` for an observation of what the action changed, and ``idempotency_key``.

    Raises:
      ElementNotFound, SelectorAmbiguous: no element matches, or several do.
      ElementNotVisible, ElementNotEnabled: it exists, but is not actionable.
      ElementChanged: it is no longer the observed element.
    """

    page: "Page"
    selector: Selector

    def click(self, **keywords: Unpack[ClickKeywords]) -> ActionOutcome:
        """Click the element."""
        return self._act(methods.action.click, ClickOptions, keywords)

    def dblclick(self, **keywords: Unpack[ClickKeywords]) -> ActionOutcome:
        """Double-click the element."""
        return self._act(methods.action.dblclick, ClickOptions, keywords)

    def hover(self, **keywords: Unpack[HoverKeywords]) -> ActionOutcome:
        """Move the pointer over the element."""
        return self._act(methods.action.hover, HoverOptions, keywords)

    def check(self, **keywords: Unpack[ActionKeywords]) -> ActionOutcome:
        """Check a checkbox, radio button or switch."""
        return self._act(methods.action.check, ActionOptions, keywords)

    def uncheck(self, **keywords: Unpack[ActionKeywords]) -> ActionOutcome:
        """Uncheck a checkbox or switch."""
        return self._act(methods.action.uncheck, ActionOptions, keywords)

    def clear(self, **keywords: Unpack[ActionKeywords]) -> ActionOutcome:
        """Clear the field."""
        return self._act(methods.action.clear, ActionOptions, keywords)

    def fill(self, value: str, **keywords: Unpack[ActionKeywords]) -> ActionOutcome:
        """Replace the value of the field; ``{{secret:name}}`` stands for a secret of the operator."""
        return self._act(methods.action.fill, ActionOptions, keywords, value=value)

    def type(self, text: str, **keywords: Unpack[TypeKeywords]) -> ActionOutcome:
        """Type text character by character, after the present value of the field."""
        return self._act(methods.action.type_, TypeOptions, keywords, text=text)

    def press(self, key: str, **keywords: Unpack[ActionKeywords]) -> ActionOutcome:
        """Press a key or a key combination in the element: ``Enter``, ``Control+a``."""
        return self._act(methods.action.press, ActionOptions, keywords, key=key)

    def scroll(self, **keywords: Unpack[ScrollKeywords]) -> ActionOutcome:
        """Scroll to the element; with ``direction`` or ``amount``, scroll it or its scrollable ancestor."""
        return self._act(methods.action.scroll, ScrollOptions, keywords)

    def select(self, *values: str, **keywords: Unpack[ActionKeywords]) -> ActionOutcome:
        """Select options of a ``<select>``, each by its value, or else by its label."""
        return self._act(methods.action.select, ActionOptions, keywords, values=list(values))

    def upload(self, *files: Upload, **keywords: Unpack[ActionKeywords]) -> ActionOutcome:
        """Set the files of a file input, or by what opens its file chooser.

        Each is a path on this machine, or a name and bytes.

        Raises:
          OSError: a file can't be read.
        """
        packed = [upload_of(file) for file in files]
        return self._act(methods.action.upload, ActionOptions, keywords, files=packed)

    def drag_to(
        self, target: "Element | str | Selector | Point | Offset", **keywords: Unpack[ActionKeywords]
    ) -> ActionOutcome:
        """Drag the element onto another element, to a point of the viewport, or by a distance."""
        goal = target.selector if isinstance(target, Element) else target
        there = goal if isinstance(goal, Point | Offset) else at(goal)
        return self.page.perform(methods.action.drag, ActionOptions, keywords, source=self.selector, target=there)

    def state(self, *properties: ElementProperty, timeout_ms: int | None = None) -> ElementResult:
        """Return the state of the element without waiting, or these parts of it; ``found=False`` if it is missing."""
        wanted: list[ElementProperty] = list(properties or STATE_PROPERTIES)
        return self.page.call(
            methods.observe.element, selector=self.selector, properties=wanted, timeout_ms=timeout_ms
        )

    def _act(
        self,
        method: Method[..., ActionResult],
        options: Callable[..., ActionOptions],
        keywords: Mapping[str, Any],
        **params: Any,
    ) -> ActionOutcome:
        return self.page.perform(method, options, keywords, selector=self.selector, **params)
