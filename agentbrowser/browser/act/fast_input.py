"""Fast path of keyboard and choices: prepare in the page, send the input, read back in the page."""

import contextlib
import itertools
import re
import time
from typing import TYPE_CHECKING, Final, Literal

from playwright.async_api import Error, Frame, Keyboard

from agentbrowser.browser.act import injected_actions, lookahead, press_watch
from agentbrowser.browser.act.element_probe import ControlContent, SelectedOptions
from agentbrowser.browser.page import secrets
from agentbrowser.browser.page.approved_element import element_changed
from agentbrowser.browser.page.frame_tree import FRAME_UNAVAILABLE
from agentbrowser.protocol.errors import InvalidParams, TargetClosed

if TYPE_CHECKING:
    from agentbrowser.browser.act.attempt import ActionAttempt
    from agentbrowser.browser.act.injected_actions import Plain, PreparedElement

_COMBINED: Final = re.compile(r"(?s)(.[^+]*)(?:\+|$)")
"""A key of a combination; a plus at its beginning is the key itself."""

_ANSWER: Final = "Answer the dialog with dialog/handle, then repeat the action."

ReadBack = ControlContent | Literal["nothing"]
"""Content of the field after the input; ``nothing`` if it is unknown."""


async def fill(act: "ActionAttempt", value: str) -> ReadBack | None:
    """Fill the field if that is plainly possible; else return None, with nothing done. [asyncio]"""
    prepared = await _prepare_field(act, lookahead.fill_arguments(value))
    if prepared is None:
        return None
    if prepared.state == "editor":
        return await _replace_in_editor(act, prepared, value)
    keyboard, wanted = act.tab.page.keyboard, {"written": value, "whole": True}
    if prepared.state == "ready" and value:
        asked = {"selector": prepared.selector, "wanted": wanted, "reads": True, "waits": False}
        sending = injected_actions.start_task(keyboard.insert_text(value))
        report = await injected_actions.verify_behind(act, prepared.frame, sending, "finishWriting", asked)
        if report is not None and report["landing"] == "missed":
            return None
        return "nothing" if report is None else await _settle_and_read_back(act, prepared, report)
    if prepared.state == "ready":
        await act.perform(keyboard.press("Delete"))
    return await _finish_field(act, prepared, wanted)


async def _replace_in_editor(act: "ActionAttempt", prepared: "PreparedElement", value: str) -> ReadBack:
    """Replace the text of an editor that the page draws, whose focused field holds a part of it at most. [asyncio]

    Its own key selects all of it. A paste is not indented and completed, as typed lines are.
    """
    keyboard, world = act.tab.page.keyboard, act.tab.isolated_worlds.of(prepared.frame)
    await act.perform(keyboard.press("ControlOrMeta+a"))
    if not value:
        await act.perform(keyboard.press("Delete"))
    asked = {"value": value, "isWritten": not value}
    content = await act.call_page(world.call("writeInEditor", asked))
    if content and content.get("isLeft"):
        await act.perform(keyboard.insert_text(value))
        content = await act.call_page(world.call("writeInEditor", asked | {"isWritten": True}))
    await act.settle()
    if not content or act.tab.dialog is not None or act.effects.is_leaving:
        return "nothing"
    return ControlContent.of(content)


async def type_(act: "ActionAttempt", text: str, delay_ms: int, *, compare: bool) -> ReadBack | None:
    """Type the text at the end of the field if that is plainly possible; else return None. [asyncio]"""
    prepared = await _prepare_field(act, {"action": "type"})
    if prepared is None:
        return None
    await act.perform(act.tab.page.keyboard.type(text, delay=delay_ms))
    wanted = {"written": text, "whole": False} if compare else None
    if act.tab.dialog is not None:
        return "nothing"
    report = await _verify(act, prepared, {"wanted": wanted, "reads": True, "waits": False})
    content = _read_back(act, report)
    if content == "nothing" and not act.effects.is_leaving:  # such as a cell that takes no keys yet
        act.no_effect = not report["changed"] and not act.effects.has_activity
    return content


async def press(act: "ActionAttempt", key: str) -> bool:
    """Press the key in the element if that is plainly ready; else return False. [asyncio]"""
    prepared = await _prepare_field(act, {"action": "press", **lookahead.approved_arguments()})
    if prepared is None:
        return False
    try:
        await press_key(act, key, prepared.frame)
        if act.tab.dialog is None:
            report = await _verify(act, prepared, {"wanted": None, "reads": False, "waits": True})
            if report["landing"] == "missed":
                raise element_changed()
            act.no_effect = not report["changed"] and not act.effects.has_activity
    except TargetClosed:
        if not await act.effects.is_closed():
            raise
        await press_watch.require_landing(act, prepared.answer["notice"])
    return True


async def press_key(act: "ActionAttempt", key: str, frame: Frame) -> None:
    """Press a key, with the session's own clipboard. [asyncio]"""
    worlds = act.tab.isolated_worlds
    frames = act.tab.page.frames if act.selector is None else [frame]
    await secrets.check_pasted(act, worlds.notices.clipboard.pasted_by(key), frames)
    begin_ms = time.time() * 1000
    async with worlds.notices.clipboard.prepared(worlds.of(frame).copy, key):
        try:
            await act.perform(act.tab.page.keyboard.press(key))
        except InvalidParams as unknown:
            await _release(act.tab.page.keyboard, key, str(unknown.details.get("got")))
            raise
    if "+" in key[1:-1] and act.tab.dialog is None:
        with contextlib.suppress(*FRAME_UNAVAILABLE):
            await act.perform(worlds.of(frame).call("selectionHeard", begin_ms))


async def _release(keyboard: Keyboard, key: str, unknown: str) -> None:
    """Release the keys before the unknown one of a combination, which the driver has pressed. [asyncio]"""
    pressed = list(itertools.takewhile(lambda one: one != unknown, _COMBINED.findall(key)))
    for one in reversed(pressed):
        with contextlib.suppress(Error):
            await keyboard.up(one)


async def choose(act: "ActionAttempt", values: list[str]) -> SelectedOptions | Literal["nothing"] | None:
    """Select the options if all of them exist; else return None. [asyncio]"""
    prepared = await injected_actions.prepare_element(act, "choose", {"values": values}, "finishChoosing")
    if prepared is None or prepared.verification is None:
        return None
    if prepared.state in ("unsure", "unready"):
        prepared.verification.cancel()
        return None
    act.no_effect = prepared.state == "already"
    if act.tab.dialog is not None:
        return "nothing"
    asked = {"selector": prepared.selector, "values": values}
    report = await injected_actions.await_or_repeat(act, prepared.frame, prepared.verification, "finishChoosing", asked)
    await injected_actions.wait_for_navigations(act, prepared.frame, report)
    choice = report.get("choice")
    return SelectedOptions(**choice) if choice and not act.effects.is_leaving else "nothing"


async def _prepare_field(act: "ActionAttempt", wanted: "Plain") -> "PreparedElement | None":
    prepared = await injected_actions.prepare_element(act, "startWriting", wanted)
    check_uninterrupted(act)
    return None if prepared is None or prepared.state in ("unsure", "unready") else prepared


def check_uninterrupted(act: "ActionAttempt") -> None:
    """Require that no dialog has opened when the element got the focus.

    Raises:
      ActionFailed: one has, and the input would wait for its answer.
    """
    if (dialog := act.tab.dialog) is not None:
        shown = {"type": dialog.type, "message": dialog.message}
        raise act.failed("a dialog opened as the element got the focus, before the input", hint=_ANSWER, dialog=shown)


async def _finish_field(act: "ActionAttempt", prepared: "PreparedElement", wanted: "Plain | None") -> ReadBack:
    if act.tab.dialog is not None:
        return "nothing"
    return _read_back(act, await _verify(act, prepared, {"wanted": wanted, "reads": True, "waits": False}))


async def _settle_and_read_back(act: "ActionAttempt", prepared: "PreparedElement", report: "Plain") -> ReadBack:
    await _require_landing(act, prepared, report)
    await injected_actions.wait_for_navigations(act, prepared.frame, report)
    return _read_back(act, report)


def _read_back(act: "ActionAttempt", report: "Plain") -> ReadBack:
    content = report.get("content")
    return ControlContent.of(content) if content and not act.effects.is_leaving else "nothing"


async def _require_landing(act: "ActionAttempt", prepared: "PreparedElement", report: "Plain") -> None:
    if report["landing"] == "gone" and prepared.state == "ready":
        await press_watch.require_landing(act, prepared.answer["notice"])


async def _verify(act: "ActionAttempt", prepared: "PreparedElement", asked: "Plain") -> "Plain":
    report = await injected_actions.verify(
        act, prepared.frame, "finishWriting", {"selector": prepared.selector, **asked}
    )
    await _require_landing(act, prepared, report)
    await injected_actions.wait_for_navigations(act, prepared.frame, report)
    return report
