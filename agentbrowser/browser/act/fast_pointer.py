"""Fast path of the pointer: prepare in the page, act, verify in the page; else leave it to Playwright.

Source: Playwright's click spends two animation frames on proving that the element stands still. Here a guard in the
page stops what would land elsewhere instead (scripts/act/guard.js).
"""

import asyncio
import time
from typing import TYPE_CHECKING, Final, Literal

import attrs
from playwright.async_api import Frame

from agentbrowser.browser.act import injected_actions, lookahead, press_watch
from agentbrowser.protocol.errors import ElementNotFound, TargetClosed
from agentbrowser.protocol.types.action import Button, ClickOptions, Modifier, Point
from agentbrowser.protocol.types.selector import Coordinates

if TYPE_CHECKING:
    from agentbrowser.browser.act.attempt import ActionAttempt
    from agentbrowser.browser.act.surface import ActSurface

_FRAMES: Final = frozenset({"iframe", "frame", "object", "embed"})
# A guard stands down after 3 s; a later input would be unguarded.
_FRESH_S: Final = 1.0


@attrs.frozen(kw_only=True)
class MouseClick:
    """Button, count and modifiers of a click."""

    button: Button = "left"
    count: int = 1
    modifiers: tuple[Modifier, ...] = ()
    position: Point | None = None

    @classmethod
    def of(cls, options: ClickOptions, count: int = 1) -> "MouseClick":
        """Return the click of a client's options; ``count`` applies where they give none."""
        count, modifiers = options.click_count or count, tuple(options.modifiers)
        return cls(button=options.button, count=count, modifiers=modifiers, position=options.position)

    @property
    def is_plain(self) -> bool:
        """Return True if it ends with its only ``click`` event."""
        return self.button == "left" and self.count == 1 and not self.modifiers


@attrs.frozen(kw_only=True)
class PointerTarget:
    """Element that is ready and guarded, with its point in the page's viewport."""

    frame: Frame
    point: Point
    notice: str | None
    """The notice that the input has landed; None for an input that is not sent."""


async def click(act: "ActionAttempt", press: MouseClick) -> bool:
    """Click if that is plainly safe; else return False, with nothing done. [asyncio]

    Raises:
      ActionFailed: the click went into a frame that came between, or elsewhere or nowhere as the page had stalled.
    """
    target = await _prepare_target(act, press.position)
    if not isinstance(target, PointerTarget) or act.options.trial:
        return target is not None
    return await _act_and_verify(act, target, press) is not None


async def hover(act: "ActionAttempt", position: Point | None) -> bool:
    """Move the pointer over the element if that is plainly safe; else return False. [asyncio]"""
    target = await _prepare_target(act, position)
    if not isinstance(target, PointerTarget) or act.options.trial:
        return target is not None
    return await _act_and_verify(act, target) is not None


async def check(act: "ActionAttempt", *, checked: bool) -> bool:
    """Check or uncheck the control if that is plainly safe; else return False. [asyncio]

    Raises:
      ActionFailed: it was clicked, and is as before; or as `click`.
    """
    target = await _prepare_target(act)
    if not isinstance(target, PointerTarget) or act.options.trial:
        act.no_effect = target == "already"
        act.value = checked if target == "already" and not act.options.trial else None
        return target is not None
    report = await _act_and_verify(act, target, MouseClick())
    if report is None:
        return False
    if "held" in report and not act.effects.is_leaving:
        if (held := report["held"]) is None:
            raise act.failed("its press has left no control that can be checked", may_have_acted=True)
        if held is not checked:
            raise act.failed(f"the control is still {'unchecked' if checked else 'checked'}")
        act.value = held
    return True


async def _prepare_target(
    act: "ActionAttempt", position: Point | None = None
) -> PointerTarget | Literal["already"] | None:
    """Return the guarded target; None if anything is in its way."""
    prepared = await injected_actions.prepare_element(
        act, "prepare", lookahead.pointer_arguments(act.action, position, is_sent=not act.options.trial)
    )
    if prepared is None or prepared.state in ("unsure", "unready"):
        return None
    if prepared.state == "already":
        return "already"
    inner = Point(x=prepared.answer["x"], y=prepared.answer["y"])
    is_pressed = act.action != "hover" and not act.options.trial
    point = await press_watch.point_in_page(act, prepared.frame, inner, is_pressed=is_pressed)
    if point is None or time.monotonic() - prepared.made_s > _FRESH_S:
        await injected_actions.disarm(act.tab, prepared.frame, prepared.answer.get("notice"))
        return None
    return PointerTarget(frame=prepared.frame, point=point, notice=prepared.answer.get("notice"))


async def _move_to(tab: "ActSurface", target: PointerTarget) -> None:
    await tab.isolated_worlds.of(target.frame).unbuffer()
    await tab.page.mouse.move(target.point.x, target.point.y)


async def _click_at(act: "ActionAttempt", point: Point, press: MouseClick) -> None:
    page, held = act.tab.page, []
    try:
        for key in press.modifiers:
            await page.keyboard.down(key)
            held.append(key)
        if not act.is_given_up:
            await page.mouse.click(point.x, point.y, button=press.button, click_count=press.count)
    finally:
        for key in reversed(held):
            await page.keyboard.up(key)


async def _act_and_verify(
    act: "ActionAttempt", target: PointerTarget, press: MouseClick | None = None
) -> injected_actions.Plain | None:
    """Click, or only move the pointer, and return the report; None if nothing was done."""
    act.press = None if press is None else (target.frame, press.button, press.count)
    sending = injected_actions.start_task(_click_at(act, target.point, press) if press else _move_to(act.tab, target))
    asked = {"mayBeHeld": True} if press else None
    try:
        if press is None or press.is_plain:  # the verification right behind the input saves a turn of the browser
            report = await injected_actions.verify_behind(act, target.frame, sending, "verify", asked)
        else:
            await act.perform(injected_actions.sent(sending))
            is_open = act.tab.dialog is not None
            report = None if is_open else await injected_actions.verify(act, target.frame, "verify", asked)
        if press is not None and report is not None and report["landing"] == "held":
            report = await _release_again(act, target, press)
        if report is None:
            return injected_actions.DOCUMENT_GONE
    except TargetClosed:
        if not await act.effects.is_closed():
            raise
        await press_watch.require_landing(act, target.notice)
        return injected_actions.DOCUMENT_GONE  # the page has closed itself
    except asyncio.CancelledError:
        act.is_given_up = True
        # In the background, since a busy page does not answer.
        injected_actions.start_task(injected_actions.give_up(act, target.frame, target.notice, sending))
        raise
    if not await _has_landed(act, target, report):
        return None
    await injected_actions.wait_for_navigations(act, target.frame, report)
    act.no_effect = not report["changed"] and not act.effects.has_activity
    return report


async def _release_again(
    act: "ActionAttempt", target: PointerTarget, press: MouseClick
) -> injected_actions.Plain | None:
    """Repeat a release that the page has not got, and return the report; None for a dialog. [asyncio]

    Source: Chromium drops input that arrives while a dialog is open, such as one that the press has opened.
    """
    if act.effects.dialog is not None:
        await act.perform(act.tab.page.mouse.up(button=press.button, click_count=press.count))
    return await injected_actions.verify(act, target.frame, "verify") if act.tab.dialog is None else None


async def _find_again(act: "ActionAttempt") -> None:
    """Find an element once more that has left the page on its press.

    Raises:
      ActionFailed: there is none: the page has had the press, though no click.
    """
    try:
        await act.find()
    except ElementNotFound:
        reason = "the element has left the page on its press, before the click"
        raise act.failed(reason, hint=press_watch.LOOK, may_have_acted=True) from None


async def _has_landed(act: "ActionAttempt", target: PointerTarget, report: injected_actions.Plain) -> bool:
    """Return False if nothing was done, so that the action can be repeated.

    Raises:
      ActionFailed: it must not be repeated.
    """
    landing, is_framed = report["landing"], target.frame.parent_frame is not None
    if landing == "gone":
        await press_watch.require_landing(act, target.notice)
    if is_framed and landing == "unseen":
        around = await act.call_page(press_watch.end_all(act, target.frame, is_around=True))
        if around and "missed" in around:
            return False
    elif is_framed:  # nobody waits for it
        injected_actions.start_task(press_watch.end_all(act, target.frame, is_around=True))
    if landing in ("missed", "detached"):
        if act.action != "hover" and isinstance(act.selector, Coordinates):
            raise act.failed(press_watch.CAME_BETWEEN, hint=press_watch.LOOK)
        if landing == "detached":
            await _find_again(act)
        return False
    if landing == "unseen" and report["under"] in _FRAMES:
        raise act.failed("a frame came between, and has got the press", hint=press_watch.LOOK, may_have_acted=True)
    if (reason := press_watch.NOT_AGAIN.get(landing)) is not None:
        raise act.failed(reason, hint=press_watch.hint_for(landing), may_have_acted=True)
    return True
