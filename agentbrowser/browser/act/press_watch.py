"""Watch of the press of a click: it may reach nothing but its target, in the target's frame and all around it.

Playwright checks a hit in the frame of the element only, and finds the element of a ref again by its path, which may
lead to another row after a re-render. The watches in the page stop such a press (scripts/act/press_watch.js).
"""

import asyncio
import contextlib
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Literal

import attrs
from playwright.async_api import Error, Frame

from agentbrowser.browser import faults
from agentbrowser.browser.page.approved_element import another_control
from agentbrowser.browser.page.navigation_policy import approved_identity
from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.types.action import Point
from agentbrowser.protocol.types.selector import Coordinates, Ref, describe

if TYPE_CHECKING:
    from agentbrowser.browser.act.attempt import ActionAttempt

PressOutcome = Literal["landed", "missed", "other", "half", "unseen", "gone"]
"""Outcome of a press; ``gone`` if its document is gone."""

# Outcomes after which an input must not be repeated: the page has received some of it, or may have.
NOT_AGAIN: Final = {
    "half": "something came between its clicks, so that only the first has landed",
    "elsewhere": "the page stalled, and the pointer's input came when it was no longer guarded and went elsewhere",
    "lost": "the page stalled, and the pointer's input was not seen to come",
    "unseen": "the pointer's input was not seen to land on the element",
}
CAME_BETWEEN: Final = "another element came between the pointer and the point, and has not received the input"
REPLACED: Final = "the page replaced its document before the input came, which may have gone to the new one"
LOOK: Final = "Observe the page to see what has happened before trying again."
_HELD: Final = (
    f"{LOOK} If nothing has, the page may have locked the pointer, or the browser may show a prompt of its own (for a "
    "screen, a passkey or a payment), which takes the input: page/reload ends both."
)
# Elements whose content gets the press: a document of its own, or the browser's controls.
_OPAQUE: Final = frozenset({"iframe", "frame", "object", "embed", "audio", "video"})
_END_TIMEOUT_S: Final = 1.0
# A watch that nobody ends stops nothing after this time beyond the action's.
_GRACE_S: Final = 1.0


def _until(act: "ActionAttempt") -> float:
    """Return the time in ms at which a page may forget its watch."""
    return (time.time() + act.deadline.left_s + _GRACE_S) * 1000


def ancestors(frame: Frame) -> Iterator[tuple[Frame, Frame]]:
    """Yield each ancestor of a frame, from the inside, with its child on the way."""
    while (parent := frame.parent_frame) is not None:
        yield parent, frame
        frame = parent


async def point_in_page(act: "ActionAttempt", frame: Frame, point: Point, *, is_pressed: bool) -> Point | None:
    """Return the page coordinates of a point in a frame; None if it cannot be hit there. [asyncio]

    Args:
      is_pressed: watch the documents around the frame, so that the press can reach nothing there.
    """
    function, more = ("pressThroughFrame", {"until": _until(act)}) if is_pressed else ("throughFrame", {})
    for parent, child in ancestors(frame):
        spot = {"x": point.x, "y": point.y, **more}
        answer = await act.tab.isolated_worlds.of(parent).call_with_owner(child, function, spot)
        if answer is None:
            return None
        point = Point(x=answer["x"], y=answer["y"])
    return point


@attrs.frozen
class PressWatch:
    """Watch of the press that Playwright sends for an action."""

    act: "ActionAttempt"
    frame: Frame
    notice: str

    @classmethod
    async def start(cls, act: "ActionAttempt") -> "PressWatch":
        """Watch the frame of the element that was found, and all around it. [asyncio]"""
        found = act.element
        world, pinned = act.tab.isolated_worlds.of(found.frame), None
        approved = approved_identity()
        if isinstance(act.selector, Ref):
            pinned = describe(act.selector)
        elif isinstance(act.selector, Coordinates):
            pinned = {"type": "held", "value": await world.hold(found.locator, act.deadline.left_ms)}
        elif approved is not None:
            pinned = {"type": "held", "value": await world.hold(found.target, act.deadline.left_ms)}
        wanted = {"selector": pinned, "isForced": act.options.force, "until": _until(act), "approved": approved}
        around = [
            act.tab.isolated_worlds.of(parent).call_with_owner(child, "watchFramePress", {"until": _until(act)})
            for parent, child in ancestors(found.frame)
        ]
        watched, *_ = await asyncio.gather(world.call("watchPress", wanted), *around)
        return cls(act, found.frame, watched["notice"])

    async def has_landed(self) -> bool:
        """Stop watching; return False if the press was stopped, so that it can be repeated. [asyncio]

        Raises:
          ActionFailed: it must not be repeated.
        """
        outcomes = await self.act.call_page(end_all(self.act, self.frame)) or ["gone"]
        is_stopped = outcomes[0] == "unseen" and "missed" in outcomes
        outcome = "missed" if is_stopped else outcomes[0]
        if outcome == "gone":
            await require_landing(self.act, self.notice)
        if outcome == "unseen" and (await self.act.state()).tag in _OPAQUE:
            return True
        if outcome == "other":
            raise another_control()
        if outcome == "missed" and isinstance(self.act.selector, Coordinates):
            raise self.act.failed(CAME_BETWEEN, hint=LOOK)
        if outcome in NOT_AGAIN:
            raise self.act.failed(NOT_AGAIN[outcome], hint=hint_for(outcome), may_have_acted=True)
        return outcome != "missed"


async def release_again(act: "ActionAttempt") -> None:
    """Repeat the release of a press if the page has not got it. [asyncio]

    Source: Chromium drops input that arrives while a dialog is open, such as one that the press has opened.
    """
    if act.press is not None:
        frame, button, count = act.press
        answer = await act.call_page(act.tab.isolated_worlds.of(frame).call("isPressHeld"))
        if answer and answer["isHeld"]:
            await act.perform(act.tab.page.mouse.up(button=button, click_count=count))


async def complete(act: "ActionAttempt") -> None:
    """Complete the press of an action that has ended with an open dialog, which was just closed. [asyncio]"""
    with contextlib.suppress(Error, AgentBrowserError, TimeoutError), act.effects:  # the page may be gone
        async with asyncio.timeout(_END_TIMEOUT_S):
            await release_again(act)


def hint_for(outcome: str) -> str:
    """Return the hint for an outcome after which the input must not be repeated."""
    return _HELD if outcome in ("unseen", "lost") else LOOK


async def require_landing(act: "ActionAttempt", notice: str | None) -> None:
    """Require that an input has landed in the document that it was for, which is gone. [asyncio]

    Raises:
      ActionFailed: no notice of it came: the page replaced the document before.
      TargetClosed: nor is there a page any more; or the browser is lost.
    """
    if not act.tab.is_chromium or (notice and await act.tab.isolated_worlds.notices.has_landed(notice)):
        return
    with faults.mapped(action=act.action):
        await (await act.tab.cdp()).send("Target.getTargetInfo")  # the browser answers for any page that is open
    raise act.failed(REPLACED, hint=LOOK, may_have_acted=True)


async def end_all(act: "ActionAttempt", frame: Frame, *, is_around: bool = False) -> list[PressOutcome]:
    """Stop watching a frame and all around it, and return what each has seen, from the inside. [asyncio]

    Args:
      is_around: the frame itself is not watched.
    """
    watched = [parent for parent, _ in ancestors(frame)] if is_around else [frame, *(p for p, _ in ancestors(frame))]
    return await asyncio.gather(*[_end(act, one) for one in watched])


async def _end(act: "ActionAttempt", frame: Frame) -> PressOutcome:
    try:
        async with asyncio.timeout(_END_TIMEOUT_S):
            outcome: PressOutcome = (await act.tab.isolated_worlds.of(frame).call("endPressWatch"))["outcome"]
            return outcome
    except (AgentBrowserError, TimeoutError):
        return "gone"
