"""The fast way of the keyboard and of choices: make ready in the page, send the input, read back in the page."""

from functools import partial
from typing import TYPE_CHECKING, Literal

from agentbrowser.browser.act import injected_actions, lookahead
from agentbrowser.browser.act.element_probe import ControlContent, SelectedOptions
from agentbrowser.protocol.errors import TargetClosed

if TYPE_CHECKING:
    from agentbrowser.browser.act.attempt import ActionAttempt
    from agentbrowser.browser.act.injected_actions import Plain, PreparedElement

ReadBack = ControlContent | Literal["nothing"]
"""What the field holds now; ``nothing`` when there is no saying."""


async def fill(act: "ActionAttempt", value: str) -> ReadBack | None:
    """Have the field hold the value, if that is plainly possible; else None, with nothing done. [asyncio]"""
    grip = await _start(act, lookahead.fill_arguments(value))
    if grip is None:
        return None
    keyboard, wanted = act.tab.page.keyboard, {"written": value, "whole": True}
    if grip.state == "ready" and value:
        asked = {"selector": grip.selector, "wanted": wanted, "reads": True, "waits": False}
        said = await injected_actions.send(
            act, grip.frame, partial(keyboard.insert_text, value), "finishWriting", asked
        )
        if said is not None and said["landing"] == "missed":
            return None
        return "nothing" if said is None else await _accepted(act, grip, said)
    if grip.state == "ready":
        await act.perform(keyboard.press("Delete"))
    return await _finish(act, grip, wanted)


async def type_(act: "ActionAttempt", text: str, delay_ms: int, *, compare: bool) -> ReadBack | None:
    """Type the text behind what the field holds, if that is plainly possible; else None. [asyncio]"""
    grip = await _start(act, {"action": "type"})
    if grip is None:
        return None
    await act.perform(act.tab.page.keyboard.type(text, delay=delay_ms))
    return await _finish(act, grip, {"written": text, "whole": False} if compare else None)


async def press(act: "ActionAttempt", key: str) -> bool:
    """Press the key in the element, if that is plainly ready for it; else False. [asyncio]"""
    grip = await _start(act, {"action": "press"})
    if grip is None:
        return False
    try:
        await act.perform(act.tab.page.keyboard.press(key))
        if act.tab.dialog is None:
            said = await _said(act, grip, {"wanted": None, "reads": False, "waits": True})
            act.no_effect = not said["changed"] and not act.seen.stirred
    except TargetClosed:
        if not await act.seen.is_closed():
            raise
    return True


async def choose(act: "ActionAttempt", values: list[str]) -> SelectedOptions | Literal["nothing"] | None:
    """Choose the options, if all are there; else None. [asyncio]"""
    grip = await injected_actions.grip(act, "choose", {"values": values}, "finishChoosing")
    if grip is None or grip.asking is None:
        return None
    if grip.state in ("unsure", "unready"):
        grip.asking.cancel()
        return None
    act.no_effect = grip.state == "already"
    if act.tab.dialog is not None:
        return "nothing"
    asked = {"selector": grip.selector, "values": values}
    said = await injected_actions.answered(act, grip.frame, grip.asking, "finishChoosing", asked)
    await injected_actions.settle(act, grip.frame, said)
    choice = said.get("choice")
    return SelectedOptions(**choice) if choice and not act.seen.left else "nothing"


async def _start(act: "ActionAttempt", wanted: "Plain") -> "PreparedElement | None":
    grip = await injected_actions.grip(act, "startWriting", wanted)
    return None if grip is None or grip.state in ("unsure", "unready") else grip


async def _finish(act: "ActionAttempt", grip: "PreparedElement", wanted: "Plain | None") -> ReadBack:
    if act.tab.dialog is not None:
        return "nothing"
    return _held(act, await _said(act, grip, {"wanted": wanted, "reads": True, "waits": False}))


async def _accepted(act: "ActionAttempt", grip: "PreparedElement", said: "Plain") -> ReadBack:
    await injected_actions.settle(act, grip.frame, said)
    return _held(act, said)


def _held(act: "ActionAttempt", said: "Plain") -> ReadBack:
    content = said.get("content")
    return ControlContent(**content) if content and not act.seen.left else "nothing"


async def _said(act: "ActionAttempt", grip: "PreparedElement", asked: "Plain") -> "Plain":
    said = await injected_actions.report(act, grip.frame, "finishWriting", {"selector": grip.selector, **asked})
    await injected_actions.settle(act, grip.frame, said)
    return said
