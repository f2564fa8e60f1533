"""Handing an element from Playwright's world to the in-page scripts, and reading their answers."""

import secrets
from typing import Any, Final, Protocol

from playwright.async_api import CDPSession, Locator

from agentbrowser.browser import faults, locate
from agentbrowser.browser.patience import Patience
from agentbrowser.browser.world import World
from agentbrowser.errors import ElementNotFound, ResourceLimitExceeded
from agentbrowser.types.selector import Selector, describe

MAX_CONTENT_BYTES: Final = 8 * 1024 * 1024
_SMALLER: Final = "Ask for less: a selector for the part that matters, or fewer levels."


class Surface(locate.Surface, Protocol):
    """What observing needs of a tab."""

    @property
    def world(self) -> World:
        """Our scripts in the page."""
        ...

    @property
    def is_chromium(self) -> bool:
        """Whether the engine speaks CDP."""
        ...

    async def cdp(self) -> CDPSession:
        """Return the page's session."""
        ...


async def hand_over(tab: Surface, selector: Selector | None, patience: Patience) -> str | None:
    """Find the element and have the scripts hold it; return the name they know it by, None for no selector. [asyncio]

    Raises:
      ElementNotFound, SelectorAmbiguous, InvalidParams: as `locate`.
    """
    if selector is None:
        return None
    with faults.mapped(selector=describe(selector)):
        found = await locate.locate(tab, selector, patience)
        return await hold(tab.world, found.locator, patience)


async def hold(world: World, locator: Locator, patience: Patience) -> str:
    """Have the scripts of its frame hold the element, and return the name they know it by. [asyncio]"""
    # An event with a name that the page can't guess crosses the worlds without leaving a mark on the element.
    name = f"agentbrowser-{secrets.token_hex(8)}"
    await world.call("hold", name)
    await locator.dispatch_event(name, timeout=patience.left_ms)
    return name


def checked(answer: dict[str, Any], selector: Selector | None, limits: dict[str, int]) -> dict[str, Any]:
    """Return a script's answer if it is one.

    Args:
      limits: the limit for each unit, ``bytes`` and perhaps ``nodes``.

    Raises:
      ResourceLimitExceeded: the script has given up.
      ElementNotFound: the element is not in the document that the scripts look at.
    """
    if "exceeded" in answer:
        limit, current = limits[answer["unit"]], answer["exceeded"]
        resource = "content" if answer["unit"] == "bytes" else "nodes"
        size = f"{limit // 1024**2} MB" if resource == "content" else f"{limit} nodes"
        message = f"This would be more than {size}."
        raise ResourceLimitExceeded(message, resource=resource, limit=limit, current=current, hint=_SMALLER)
    if answer.get("missing"):
        shown = describe(selector) if selector else None
        hint = "If it is in a frame, switch to that with frame/switch; else observe again."
        raise ElementNotFound("The element is no longer in this document.", selector=shown, hint=hint)
    return answer
