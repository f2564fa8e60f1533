"""The fast way of the pointer: prepare in the page, act, verify in the page, else leave it to Playwright.

Source: Playwright's click spends two animation frames on proving that the element stands still. Here a guard in the
page stops what would land elsewhere instead (js/guard.js).
"""

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Final, Literal

import attrs
from playwright.async_api import Frame

from agentbrowser.browser import semantic
from agentbrowser.errors import AgentBrowserError, ExecutionContextDestroyed, FrameNotFound, TargetClosed
from agentbrowser.types.action import Button, Modifier, Point
from agentbrowser.types.selector import Coordinates, Ref, Selector, Semantic, describe

if TYPE_CHECKING:
    from agentbrowser.browser.attempt import Attempt

_FRAMES: Final = frozenset({"iframe", "frame", "object", "embed"})
# A guard stands down after 3 s; an input that comes later would be unguarded.
_FRESH_S: Final = 1.0
_PREPARE_TIMEOUT_S: Final = 2.0
_GONE: Final = (ExecutionContextDestroyed, FrameNotFound)

Action = Literal["click", "hover"]


@attrs.frozen
class Aim:
    """An element that is ready, and the point of the page's viewport to put the pointer at."""

    frame: Frame
    x: float
    y: float
    healed: bool
    made_s: float


@attrs.frozen(kw_only=True)
class Press:
    """How the button is pressed."""

    button: Button = "left"
    count: int = 1
    modifiers: tuple[Modifier, ...] = ()
    position: Point | None = None


async def click(act: "Attempt", press: Press) -> bool:
    """Click, if that is plainly safe; else False, with nothing done. [asyncio]

    Raises:
      ActionFailed: the click went into a frame that came between.
    """
    aim = await _aimed(act, "click", press.position)
    if aim is None or act.options.trial:
        return aim is not None
    return await _do(act, aim, _click_at(act, aim, press))


async def hover(act: "Attempt") -> bool:
    """Move the pointer over the element, if that is plainly safe; else False. [asyncio]"""
    aim = await _aimed(act, "hover", None)
    if aim is None or act.options.trial:
        return aim is not None
    return await _do(act, aim, act.tab.page.mouse.move(aim.x, aim.y))


async def _aimed(act: "Attempt", action: Action, position: Point | None) -> Aim | None:
    """Return where the element is, guarded, if nothing speaks against it."""
    if act.options.force or act.selector is None or not act.tab.is_chromium:
        return None
    try:
        async with asyncio.timeout(_PREPARE_TIMEOUT_S):
            return await act.perform(_prepare(act, act.selector, action, position))
    except TargetClosed:
        raise
    except (AgentBrowserError, TimeoutError):  # the slow way knows how to wait, and what to say
        return None


async def _prepare(act: "Attempt", selector: Selector, action: Action, position: Point | None) -> Aim | None:
    if isinstance(selector, Semantic):
        best = semantic.best(selector.description, await act.tab.interactive(), selector)
        return await _prepare(act, best, action, position) if best else None
    tab, frame = act.tab, frame_of(act.tab, selector)
    wanted = {
        "selector": describe(selector),
        "action": action,
        "position": {"x": position.x, "y": position.y} if position else None,
        "isSent": not act.options.trial,
    }
    made_s = asyncio.get_running_loop().time()
    answer = await tab.worlds.of(frame).call("prepare", wanted)
    act.healed = bool(answer.get("healed"))
    if answer["state"] != "ready":
        return None
    act.enter(frame)
    point = await _outwards(act, frame, Point(x=answer["x"], y=answer["y"]))
    if point is None:
        await tab.worlds.of(frame).call("disarm")
        return None
    return Aim(frame, point.x, point.y, act.healed, made_s)


def frame_of(tab: Any, selector: Selector) -> Frame:
    """Return the frame in which a selector is read."""
    if isinstance(selector, Coordinates):
        found: Frame = tab.page.main_frame
    elif isinstance(selector, Ref):
        found = tab.frame_of(selector.value)
    else:
        found = tab.frame
    return found


async def _outwards(act: "Attempt", frame: Frame, point: Point) -> Point | None:
    """Return where a point of a frame is in the page, if it can be hit there."""
    while (parent := frame.parent_frame) is not None:
        spot = {"x": point.x, "y": point.y}
        answer = await act.tab.worlds.of(parent).call_with_owner(frame, "throughFrame", spot)
        if answer is None:
            return None
        point, frame = Point(x=answer["x"], y=answer["y"]), parent
    return point


async def _click_at(act: "Attempt", aim: Aim, press: Press) -> None:
    page, held = act.tab.page, []
    try:
        for key in press.modifiers:
            await page.keyboard.down(key)
            held.append(key)
        await page.mouse.click(aim.x, aim.y, button=press.button, click_count=press.count)
    finally:
        for key in reversed(held):
            await page.keyboard.up(key)


async def _do(act: "Attempt", aim: Aim, work: Coroutine[Any, Any, None]) -> bool:
    """Send the input, and tell whether it has landed."""
    if asyncio.get_running_loop().time() - aim.made_s > _FRESH_S:
        work.close()
        await act.tab.worlds.of(aim.frame).call("disarm")
        return False
    try:
        await act.perform(work)
        if act.tab.dialog is not None:
            return True
        report = await act.ask(act.tab.worlds.of(aim.frame).call("verify")) or _LEFT
    except TargetClosed:
        if not await act.seen.is_closed():
            raise
        return True  # the page has closed itself
    except _GONE:
        report = _LEFT
    return await _judge(act, aim, report)


_LEFT: Final = {"landing": "gone", "changed": True, "under": None, "isDeaf": True, "navigations": []}


async def _judge(act: "Attempt", aim: Aim, report: dict[str, Any]) -> bool:
    if report["landing"] in ("missed", "torn"):
        return False
    if report["landing"] == "unseen" and report["under"] in _FRAMES:
        raise act.failed("a frame came between the pointer and the element", retryable=True)
    await _settle(act, aim, report)
    act.no_effect = not report["changed"] and not act.seen.stirred
    return True


async def _settle(act: "Attempt", aim: Aim, report: dict[str, Any]) -> None:
    """Wait for what the page has said that it began."""
    if report["landing"] != "gone" and (report["isDeaf"] or aim.frame.parent_frame is not None):
        await act.settle()  # nothing can be known of other frames, nor of documents without a history
        return
    begun = report["landing"] == "gone" or any(not one["isPrevented"] for one in report["navigations"])
    await act.arrive(begun=begun)
