"""Waiting for a state of an element, for the conditions of agent/act."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Literal

from playwright.async_api import Locator

from agentbrowser.browser import faults
from agentbrowser.browser.locate import Surface, meant
from agentbrowser.errors import ActionFailed, AgentBrowserError, ElementNotEnabled, ElementNotFound, ElementNotVisible
from agentbrowser.types.selector import Selector, describe

State = Literal["visible", "enabled", "exists", "hidden", "disabled"]

_POLL_S: Final = 0.03

_HOLDS: Final[dict[State, Callable[[Locator], Awaitable[bool]]]] = {
    "visible": Locator.is_visible,
    "enabled": Locator.is_enabled,
    "disabled": Locator.is_disabled,
}


async def until(tab: Surface, selector: Selector, state: State, timeout_s: float) -> None:
    """Wait until the element is in the state; ``hidden`` includes gone, the others need it to exist. [asyncio]

    Raises:
      ElementNotFound: it never existed.
      ElementNotVisible, ElementNotEnabled, ActionFailed: it existed, but never in that state.
    """
    exists = False
    try:
        async with asyncio.timeout(timeout_s):
            while True:
                with faults.mapped(selector=describe(selector)):
                    first = await _first(tab, selector)
                    exists = first is not None
                    if await _is(first, state):
                        return
                # Pages give no event for these states; a look costs a millisecond or two.
                await asyncio.sleep(_POLL_S)
    except TimeoutError:
        raise _never(selector, state, exists=exists, waited_ms=round(timeout_s * 1000)) from None


async def _first(tab: Surface, selector: Selector) -> Locator | None:
    try:
        found = await meant(tab, selector)
    except ElementNotFound:  # a ref whose element is gone
        return None
    return found.locator.first if found and await found.locator.count() else None


async def _is(first: Locator | None, state: State) -> bool:
    if first is None:
        return state == "hidden"
    if state == "hidden":
        return not await first.is_visible()
    return state == "exists" or await _HOLDS[state](first)


def _never(selector: Selector, state: State, *, exists: bool, waited_ms: int) -> AgentBrowserError:
    shown = describe(selector)
    if not exists:
        return ElementNotFound(f"No element matched within {waited_ms} ms.", selector=shown, waited_ms=waited_ms)
    message = f"The element was not {state} within {waited_ms} ms."
    if state == "visible":
        return ElementNotVisible(message, selector=shown)
    if state == "enabled":
        return ElementNotEnabled(message, selector=shown)
    return ActionFailed(message, retryable=True, selector=shown, reason=f"not {state}")
