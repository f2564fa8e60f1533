"""Handles for the in-page scripts on elements that Playwright has located, and checks of the scripts' answers."""

from typing import Any, Final

import attrs
from playwright.async_api import Frame

from agentbrowser.browser import faults
from agentbrowser.browser.act.locate import ElementSearch, LocatedElement
from agentbrowser.browser.act.surface import ActSurface
from agentbrowser.browser.deadline import Deadline
from agentbrowser.browser.page.isolated_world import IsolatedWorld
from agentbrowser.protocol.errors import ElementNotFound, ResourceLimitExceeded
from agentbrowser.protocol.types.selector import Css, Role, Selector, TestId, Text, describe

MAX_CONTENT_BYTES: Final = 8 * 1024 * 1024
_SMALLER_HINT: Final = "Ask for less: a selector for the part that matters, or fewer levels."


@attrs.frozen
class ElementHandle:
    """Handle on an element, by the name under which the scripts of its frame hold it; or on the whole frame."""

    frame: Frame
    world: IsolatedWorld
    name: str | None = None

    async def call(self, function: str, **arguments: Any) -> dict[str, Any]:
        """Call an in-page function on the element or the frame. [asyncio]"""
        answer: dict[str, Any] = await self.world.call(function, {**arguments, "hold": self.name})
        return answer


async def handle_for(tab: ActSurface, selector: Selector | None, deadline: Deadline) -> ElementHandle:
    """Locate the element and return a handle on it; without a selector, on the selected frame. [asyncio]

    Raises:
      ElementNotFound, SelectorAmbiguous, InvalidParams: as for `ElementSearch.locate`.
    """
    if selector is None:
        frame = tab.frame
        return ElementHandle(frame, tab.isolated_worlds.of(frame))
    with faults.mapped(selector=describe(selector)):
        return await handle_of(tab, await ElementSearch(tab, selector).locate(deadline), deadline)


async def handle_of(tab: ActSurface, found: LocatedElement, deadline: Deadline) -> ElementHandle:
    """Return a handle on a located element. [asyncio]"""
    world = tab.isolated_worlds.of(found.frame)
    return ElementHandle(found.frame, world, await world.hold(found.target, deadline.left_ms))


def checked_answer(answer: dict[str, Any], selector: Selector | None, limits: dict[str, int]) -> dict[str, Any]:
    """Return a script's answer unless it reports an error.

    Args:
      limits: limit for each unit, ``bytes`` and possibly ``nodes``.

    Raises:
      ResourceLimitExceeded: the script has reached a limit.
      ElementNotFound: the element is not in the document of the scripts.
    """
    if "exceeded" in answer:
        limit, current = limits[answer["unit"]], answer["exceeded"]
        resource = "content" if answer["unit"] == "bytes" else "nodes"
        size = f"{limit // 1024**2} MB" if resource == "content" else f"{limit} nodes"
        message = f"This would be more than {size}."
        raise ResourceLimitExceeded(message, resource=resource, limit=limit, current=current, hint=_SMALLER_HINT)
    if answer.get("missing"):
        selector_text = describe(selector) if selector else None
        hint = "If it is in a frame, switch to that with frame/switch; else observe again."
        raise ElementNotFound("The element is no longer in this document.", selector=selector_text, hint=hint)
    return answer


def selectors(handles: list[Any], plain: dict[str, Any]) -> list[Selector]:
    """Return the selectors of ``handlesFor`` in scripts/observe/selectors.js, the best first.

    Args:
      plain: other properties from the script: ``role``, and ``name`` if the element has one.
    """
    test_id, is_named, css, text, path = (*handles, 0, 0, 0, 0)[:5]
    name = plain.get("name", "")
    made: list[Selector] = []
    if test_id:
        made.append(TestId(test_id))
    if is_named:
        made.append(Role(plain["role"], name, exact=True))
    if css:
        made.append(Css(css))
    if text:
        made.append(Text(name if text is True else text, exact=True))
    if path:
        made.append(Css(path))
    return made
