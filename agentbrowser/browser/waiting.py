"""Waiting for a state of an element, for the conditions of agent/act."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Literal

from playwright.async_api import Locator

from agentbrowser.browser import faults
from agentbrowser.errors import ActionFailed, AgentBrowserError, ElementNotEnabled, ElementNotFound, ElementNotVisible
from agentbrowser.types.selector import Selector, describe

State = Literal["visible", "enabled", "exists", "hidden", "disabled"]

_POLL_S: Final = 0.03

_HOLDS: Final[dict[State, Callable[[Locator], Awaitable[bool]]]] = {
    "visible": Locator.is_visible,
    "enabled": Locator.is_enabled,
    "disabled": Locator.is_disabled,
}


async def until(locator: Locator, selector: Selector, state: State, timeout_s: float) -> None:
    """Wait until the element is in the state; ``hidden`` includes gone, the others need it to exist. [asyncio]

    Raises:
      ElementNotFound: it never existed.
      ElementNotVisible, ElementNotEnabled, ActionFailed: it existed, but never in that state.
    """
    deadline = asyncio.get_running_loop().time() + timeout_s
    while True:
        with faults.mapped(selector=describe(selector)):
            count = await locator.count()
            if await _is(locator, count, state):
                return
        if asyncio.get_running_loop().time() >= deadline:
            raise _never(selector, state, count, timeout_s)
        # Pages give no event for these states; each look costs a millisecond.
        await asyncio.sleep(_POLL_S)


async def _is(locator: Locator, count: int, state: State) -> bool:
    if state == "exists":
        return count > 0
    if state == "hidden":
        return count == 0 or not await locator.first.is_visible()
    # The timeout is for an element that goes away between the two looks.
    return count > 0 and await _HOLDS[state](locator.first)


def _never(selector: Selector, state: State, count: int, timeout_s: float) -> AgentBrowserError:
    shown, waited_ms = describe(selector), round(timeout_s * 1000)
    if count == 0:
        return ElementNotFound(f"Nothing matched in {waited_ms} ms.", selector=shown, waited_ms=waited_ms)
    message = f"The element was not {state} in {waited_ms} ms."
    if state == "visible":
        return ElementNotVisible(message, selector=shown)
    if state == "enabled":
        return ElementNotEnabled(message, selector=shown)
    return ActionFailed(message, retryable=True, selector=shown, reason=f"not {state}")
