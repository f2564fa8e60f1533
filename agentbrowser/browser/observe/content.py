"""Content of a page as HTML, text or Markdown, and the state of one element."""

from collections.abc import Sequence
from typing import Any, Final

import attrs
from playwright.async_api import ElementHandle as PinnedElement

from agentbrowser.browser import faults
from agentbrowser.browser.act.locate import ElementSearch, LocatedElement
from agentbrowser.browser.deadline import Deadline
from agentbrowser.browser.observe.surface import ObserveSurface
from agentbrowser.browser.page.element_handles import MAX_CONTENT_BYTES, checked_answer, handle_for, handle_of
from agentbrowser.protocol.errors import ElementNotFound
from agentbrowser.protocol.types.observe import (
    BoundingBox,
    ContentFormat,
    ContentResult,
    DomOptions,
    DomResult,
    ElementProperty,
    ElementResult,
    ElementState,
)
from agentbrowser.protocol.types.selector import Selector, describe

_LIMITS: Final = {"bytes": MAX_CONTENT_BYTES}


@attrs.frozen
class PageContent:
    """Content of one tab's document."""

    tab: ObserveSurface

    async def dom(self, options: DomOptions, timeout_ms: int | None = None) -> DomResult:
        """Return the document, or a root element, as HTML and as text. [asyncio]

        Raises:
          ResourceLimitExceeded: both together exceed 8 MB.
        """
        arguments = {
            "depth": options.depth,
            "attributes": options.attributes,
            "computedStyles": options.computed_styles,
        }
        return DomResult(**await self._call("readDom", options.root, Deadline.of_request(timeout_ms), arguments))

    async def read(
        self, format_: ContentFormat, selector: Selector | None, timeout_ms: int | None = None
    ) -> ContentResult:
        """Return the text content of the page or of an element. [asyncio]

        Raises:
          ResourceLimitExceeded: the content exceeds 8 MB.
        """
        answer = await self._call("readContent", selector, Deadline.of_request(timeout_ms), {"format": format_})
        return ContentResult(format=format_, **answer)

    async def element(self, selector: Selector, properties: Sequence[ElementProperty]) -> ElementResult:
        """Return the current state of an element, without waiting for it to exist. [asyncio]

        Raises:
          SelectorAmbiguous: several elements match.
        """
        no_wait = Deadline(0)
        try:
            with faults.mapped(selector=describe(selector)):
                found = await ElementSearch(self.tab, selector).locate(no_wait)
                # A handle, since a locator waits for its element: a busy page then needs as long as it needs, and an
                # element that has gone meanwhile is reported at once.
                for pinned in await found.locator.element_handles():
                    return ElementResult.of(await self._state(found, pinned, selector, properties))
        except ElementNotFound:
            pass
        return ElementResult.of(None)

    async def _state(
        self, found: LocatedElement, pinned: PinnedElement, selector: Selector, properties: Sequence[ElementProperty]
    ) -> ElementState:
        handle = await handle_of(self.tab, attrs.evolve(found, pinned=pinned), Deadline(None))
        answer = await handle.call("stateOf", properties=properties, bytes=MAX_CONTENT_BYTES)
        state = checked_answer(answer, selector, _LIMITS)["state"]
        if "boundingBox" in properties and (box := await pinned.bounding_box()):
            state["boundingBox"] = BoundingBox(**box)
        await pinned.dispose()
        return ElementState(
            bounding_box=state.pop("boundingBox", None), computed_style=state.pop("computedStyle", None), **state
        )

    async def _call(
        self, function: str, selector: Selector | None, deadline: Deadline, arguments: dict[str, Any]
    ) -> dict[str, Any]:
        handle = await handle_for(self.tab, selector, deadline)
        return checked_answer(await handle.call(function, **arguments, bytes=MAX_CONTENT_BYTES), selector, _LIMITS)
