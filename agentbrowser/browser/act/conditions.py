"""Waiting for a state of an element, for the conditions and expectations of agent/act."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, Final, Literal, TypeVar

from playwright.async_api import Frame

from agentbrowser.browser import faults
from agentbrowser.browser.act.element_probe import ElementProbe
from agentbrowser.browser.act.locate import ElementSearch, LocatedElement
from agentbrowser.browser.act.surface import ActSurface
from agentbrowser.browser.page import secrets
from agentbrowser.browser.page.frame_tree import FRAME_UNAVAILABLE, depth_first
from agentbrowser.browser.semantic.query_guard import guard_search
from agentbrowser.protocol.errors import (
    ActionFailed,
    AgentBrowserError,
    ElementNotEnabled,
    ElementNotFound,
    ElementNotVisible,
    ExecutionContextDestroyed,
)
from agentbrowser.protocol.types.page import Dialog
from agentbrowser.protocol.types.selector import Selector, describe

T = TypeVar("T")

ConditionState = Literal["visible", "enabled", "exists", "hidden", "disabled"]
ActualState = Literal["absent", "hidden", "visible", "disabled", "enabled", "unknown"]
"""Actual state of an element that is not as required; unknown while its page does not answer."""

_POLL_S: Final = 0.03
_LOOK_S: Final = 1.0
"""Minimum time of one check, so that a short timeout does not end before the page can answer."""
_FRAME_S: Final = 0.5
"""Time for the answer of a frame that the client has not selected: a hung advertisement delays no check for long."""
_MAX_FRAMES: Final = 16


async def until(tab: ActSurface, selector: Selector, state: ConditionState, timeout_s: float) -> None:
    """Wait until the element is in the state; ``hidden`` includes absent, the others need it to exist. [asyncio]

    Raises:
      ElementNotFound: it never existed.
      ElementNotVisible, ElementNotEnabled, ActionFailed: it existed, but never in that state.
    """

    async def look() -> ActualState | None:
        return await mismatch(tab, selector, state) if tab.dialog is None else "unknown"

    unknown: ActualState = "unknown"
    actual: ActualState | None = await poll(look, timeout_s, unknown=unknown)
    if actual is not None:
        raise _not_met(tab, selector, state, actual, waited_ms=round(timeout_s * 1000))


async def poll(look: Callable[[], Awaitable[T | None]], timeout_s: float, *, unknown: T) -> T | None:
    """Repeat a check until nothing is missing; return the last result, None if nothing is missing. [asyncio]

    Args:
      unknown: the result if no check has finished, because the page does not answer.
    """
    # Pages emit no event for these states; a check takes a millisecond or two.
    clock = asyncio.get_running_loop()
    end = clock.time() + timeout_s
    missing: T | None = unknown
    while missing is not None:
        try:
            async with asyncio.timeout(max(end - clock.time(), _LOOK_S)):
                missing = await look()
        except (TimeoutError, ExecutionContextDestroyed):
            pass  # the page is busy or navigates: check the next document
        if missing is None or clock.time() >= end:
            break
        await asyncio.sleep(min(_POLL_S, end - clock.time()))
    return missing


async def mismatch(tab: ActSurface, selector: Selector, state: ConditionState) -> ActualState | None:
    """Return the element's actual state if it differs from the required one, else None. [asyncio]

    Several elements count as one: visible if any is, enabled or disabled like the first.

    Raises:
      ElementNotFound: the ref was never observed: a mistyped one would count as gone.
    """
    with faults.mapped(selector=describe(selector)):
        try:
            found = await ElementSearch(tab, selector).find_all()
        except ElementNotFound as missing:
            if missing.is_unknown_ref:
                raise
            found = None  # the ref's element is gone
        actual = await _actual(tab, found, state) if found else "absent"
        if actual != "absent":  # perhaps in a later document
            await guard_search(tab, selector)
    holds = actual == state or (state, actual) == ("hidden", "absent") or (state == "exists" and actual != "absent")
    return None if holds else actual


async def _actual(tab: ActSurface, found: LocatedElement, state: ConditionState) -> ActualState:
    """Return the part of the element's state that the condition is about, with one call if it holds. [asyncio]"""
    locator = found.locator
    if state in ("visible", "hidden"):
        if await locator.filter(visible=True).count():
            return "visible"
        return "hidden" if state == "hidden" or await locator.count() else "absent"
    if not await locator.count():
        return "absent"
    if state == "exists":
        return "enabled"
    # Not Playwright's state, which ignores the button around the element: a click waits for that one.
    probe = ElementProbe(tab.isolated_worlds.of(found.frame), locator.first)
    return "enabled" if (await probe.state()).enabled else "disabled"


async def words_in(tab: ActSurface, frame: Frame, text: str, *, is_gone: bool = False, timeout_s: float = 0) -> bool:
    """Wait until a frame's document shows words, or does not; return True if that is so. [asyncio]"""
    known = await secrets.known_in(tab, frame)
    arguments = {"text": text, "isGone": is_gone, "timeout": round(timeout_s * 1000), "secrets": known}
    return bool(await tab.isolated_worlds.of(frame).call("waitForWords", arguments))


def frames_of(tab: ActSurface) -> list[Frame]:
    """Return the frames of the page that waits ask, the main frame first; bounded, as each costs a call."""
    return list(depth_first(tab.page.main_frame))[:_MAX_FRAMES]


async def words_shown_in(
    tab: ActSurface, frame: Frame, text: str, *, is_gone: bool = False, timeout_s: float = 0
) -> bool:
    """Wait as `words_in` does; a frame that is hidden in its parent shows nothing. [asyncio]"""
    is_so = await words_in(tab, frame, text, is_gone=is_gone, timeout_s=timeout_s)
    if frame.parent_frame is None or is_so is is_gone:
        return is_so
    return await _is_visible(frame) is not is_gone


async def _is_visible(frame: Frame) -> bool:
    with contextlib.suppress(*faults.VENDOR_ERRORS):
        return await (await frame.frame_element()).is_visible()
    return False


async def words_elsewhere(tab: ActSurface, text: str) -> bool:
    """Return True if a visible frame other than the selected one shows words. [asyncio]"""

    async def shows(frame: Frame) -> bool:
        try:
            async with asyncio.timeout(_FRAME_S):
                return await words_shown_in(tab, frame, text)
        except FRAME_UNAVAILABLE:
            return False

    return any(await asyncio.gather(*(shows(frame) for frame in frames_of(tab) if frame is not tab.frame)))


def _not_met(
    tab: ActSurface, selector: Selector, state: ConditionState, actual: ActualState, waited_ms: int
) -> AgentBrowserError:
    shown = describe(selector)
    if tab.dialog is not None:
        return _dialog_open(tab.dialog, shown)
    if actual == "unknown":
        return no_answer(waited_ms, selector=shown)
    if actual == "absent":
        return ElementNotFound(f"No element matched within {waited_ms} ms.", selector=shown, waited_ms=waited_ms)
    message = f"The element was not {state} within {waited_ms} ms."
    if state == "visible":
        return ElementNotVisible(message, selector=shown)
    if state == "enabled":
        return ElementNotEnabled(message, selector=shown)
    return ActionFailed(message, retryable=True, selector=shown, reason=f"not {state}")


def _dialog_open(dialog: Dialog, shown: dict[str, object]) -> ActionFailed:
    return ActionFailed(
        f"The page stands still while its {dialog.type} dialog is open.",
        hint="Answer the dialog with dialog/handle, then retry.",
        retryable=True,
        selector=shown,
        reason="a dialog is open",
        dialog={"type": dialog.type, "message": dialog.message},
    )


def no_answer(waited_ms: int, **details: Any) -> ActionFailed:
    """Return the error for a page that did not answer."""
    message, reason = f"The page did not answer for {waited_ms} ms.", "the page does not answer"
    return ActionFailed(message, retryable=True, waited_ms=waited_ms, reason=reason, **details)
