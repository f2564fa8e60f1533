"""The fast way of the pointer: prepare in the page, act, verify in the page, else leave it to Playwright.

Source: Playwright's click spends two animation frames on proving that the element stands still. Here a guard in the
page stops what would land elsewhere instead (scripts/act/guard.js).
"""

import asyncio
import functools
import time
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final, Literal

import attrs
from playwright.async_api import Frame

from agentbrowser.browser.act import injected_actions, lookahead
from agentbrowser.protocol.errors import TargetClosed
from agentbrowser.protocol.types.action import Button, ClickOptions, Modifier, Point

if TYPE_CHECKING:
    from agentbrowser.browser.act.attempt import ActionAttempt
    from agentbrowser.browser.act.surface import ActSurface

_FRAMES: Final = frozenset({"iframe", "frame", "object", "embed"})
# A guard stands down after 3 s; an input that comes later would be unguarded.
_FRESH_S: Final = 1.0
# What came of an input that must not be sent again: the page has seen some of it, or on a machine that has stalled for
# longer, may have, for it can keep events from us.
_NOT_AGAIN: Final = {
    "half": "something came between its clicks, so that only the first has landed",
    "elsewhere": "the page stalled, and the pointer's input came when it was no longer guarded and went elsewhere",
    "lost": "the page stalled, and the pointer's input was not seen to come",
}
_LOOK: Final = "Observe the page to see what has happened before trying again."


@attrs.frozen(kw_only=True)
class MouseClick:
    """How the button is pressed."""

    button: Button = "left"
    count: int = 1
    modifiers: tuple[Modifier, ...] = ()
    position: Point | None = None

    @classmethod
    def of(cls, options: ClickOptions, count: int = 1) -> "MouseClick":
        """Return how it is pressed where the client may say so, as often as that if it does not."""
        count, modifiers = options.click_count or count, tuple(options.modifiers)
        return cls(button=options.button, count=count, modifiers=modifiers, position=options.position)

    @property
    def is_plain(self) -> bool:
        """Whether it ends with the one ``click`` of it."""
        return self.button == "left" and self.count == 1 and not self.modifiers


@attrs.frozen(kw_only=True)
class PointerTarget:
    """An element that is ready and guarded, and where in the page's viewport to put the pointer."""

    frame: Frame
    point: Point
    made_s: float


async def click(act: "ActionAttempt", press: MouseClick) -> bool:
    """Click, if that is plainly safe; else False, with nothing done. [asyncio]

    Raises:
      ActionFailed: the click went into a frame that came between, or elsewhere or nowhere as the page had stalled.
    """
    aim = await _aim(act, press.position)
    if not isinstance(aim, PointerTarget) or act.options.trial:
        return aim is not None
    work = functools.partial(_click_at, act.tab, aim.point, press)
    return await _do(act, aim, work, asks_behind=press.is_plain) is not None


async def hover(act: "ActionAttempt") -> bool:
    """Move the pointer over the element, if that is plainly safe; else False. [asyncio]"""
    aim = await _aim(act)
    if not isinstance(aim, PointerTarget) or act.options.trial:
        return aim is not None
    return await _do(act, aim, functools.partial(_move_to, act.tab, aim), asks_behind=True) is not None


async def check(act: "ActionAttempt", *, checked: bool) -> bool:
    """Have the control be checked or not, if that is plainly safe; else False. [asyncio]

    Raises:
      ActionFailed: it was clicked, and is as before; or as `click`.
    """
    aim = await _aim(act)
    if not isinstance(aim, PointerTarget) or act.options.trial:
        act.no_effect = aim == "already"
        act.value = checked if aim == "already" and not act.options.trial else None
        return aim is not None
    said = await _do(act, aim, functools.partial(_click_at, act.tab, aim.point, MouseClick()), asks_behind=True)
    if said is None:
        return False
    if (held := said.get("held")) is not None and not act.seen.left:
        if held is not checked:
            raise act.failed(f"the control is still {'unchecked' if checked else 'checked'}")
        act.value = held
    return True


async def _aim(act: "ActionAttempt", position: Point | None = None) -> PointerTarget | Literal["already"] | None:
    """Return where the element is, guarded, if nothing speaks against it."""
    grip = await injected_actions.grip(
        act, "prepare", lookahead.pointer_arguments(act.action, position, is_sent=not act.options.trial)
    )
    if grip is None or grip.state in ("unsure", "unready"):
        return None
    if grip.state == "already":
        return "already"
    point = await _outwards(act, grip.frame, Point(x=grip.answer["x"], y=grip.answer["y"]))
    if point is None or time.monotonic() - grip.made_s > _FRESH_S:
        await injected_actions.release(act.tab, grip.frame)
        return None
    return PointerTarget(frame=grip.frame, point=point, made_s=grip.made_s)


async def _outwards(act: "ActionAttempt", frame: Frame, point: Point) -> Point | None:
    """Return where a point of a frame is in the page, if it can be hit there."""
    while (parent := frame.parent_frame) is not None:
        spot = {"x": point.x, "y": point.y}
        answer = await act.tab.isolated_worlds.of(parent).call_with_owner(frame, "throughFrame", spot)
        if answer is None:
            return None
        point, frame = Point(x=answer["x"], y=answer["y"]), parent
    return point


async def _move_to(tab: "ActSurface", aim: PointerTarget) -> None:
    await tab.isolated_worlds.of(aim.frame).unbuffer()
    await tab.page.mouse.move(aim.point.x, aim.point.y)


async def _click_at(tab: "ActSurface", point: Point, press: MouseClick) -> None:
    page, held = tab.page, []
    try:
        for key in press.modifiers:
            await page.keyboard.down(key)
            held.append(key)
        await page.mouse.click(point.x, point.y, button=press.button, click_count=press.count)
    finally:
        for key in reversed(held):
            await page.keyboard.up(key)


async def _do(
    act: "ActionAttempt",
    aim: PointerTarget,
    work: Callable[[], Coroutine[Any, Any, None]],
    *,
    asks_behind: bool = False,
) -> injected_actions.Plain | None:
    """Send the input and return what came of it; None if it has not landed, and nothing was done.

    Args:
      asks_behind: ask for that right behind the input, which saves a turn of the browser's.
    """
    try:
        if asks_behind:
            said = await injected_actions.send(act, aim.frame, work, "verify")
        else:
            await act.perform(work())
            said = await injected_actions.report(act, aim.frame, "verify") if act.tab.dialog is None else None
        if said is None:
            return injected_actions.LEFT
    except TargetClosed:
        if not await act.seen.is_closed():
            raise
        return injected_actions.LEFT  # the page has closed itself
    except asyncio.CancelledError:
        injected_actions.start(
            injected_actions.release(act.tab, aim.frame)
        )  # in its own time, for a page that is busy does not answer
        raise
    if said["landing"] in ("missed", "detached"):
        return None
    if said["landing"] == "unseen" and said["under"] in _FRAMES:
        raise act.failed("a frame came between the pointer and the element", retryable=True)
    if (reason := _NOT_AGAIN.get(said["landing"])) is not None:
        raise act.failed(reason, hint=_LOOK)
    await injected_actions.settle(act, aim.frame, said)
    act.no_effect = not said["changed"] and not act.seen.stirred
    return said
