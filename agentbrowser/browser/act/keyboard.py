"""Keyboard actions: fill, clear, type, press."""

import itertools
import math
from typing import Any, Final

import attrs

from agentbrowser.browser.act import fast_input
from agentbrowser.browser.act.attempt import ActionAttempt, ActionRunner
from agentbrowser.browser.act.fast_input import ReadBack
from agentbrowser.browser.page import secrets
from agentbrowser.browser.page.navigation_policy import check_judged
from agentbrowser.policy.secrets import names_in
from agentbrowser.protocol.errors import ActionFailed
from agentbrowser.protocol.types.action import ActionOptions, ActionResult, TypeOptions
from agentbrowser.protocol.types.selector import Selector

# Characters at which a field may consume the typed text: it submits a form, or makes a chip or a tag.
_COMMIT_CHARACTERS: Final = frozenset("\n\t,;")
_MAX_SHOWN: Final = 200
_MAX_PRESSES: Final = 400
_ROUNDS: Final = 4
"""Corrections: the first press measures the step, and pages may round or accelerate."""
_PROBES_PX: Final = (8, 40, -40, -8)
"""First moves of a drag: a slider may have few steps, and stand at its end."""
_MOVES: Final = 8
_STILL: Final = "the slider follows neither its arrow keys nor the pointer"
_HINT: Final = "Drag it, or press its keys: arrows, PageUp, PageDown, Home, End."


class Keyboard(ActionRunner):
    """Actions of the keyboard."""

    async def fill(self, selector: Selector, value: str, options: ActionOptions) -> ActionResult:
        """Replace the field's content. [asyncio]"""
        return await self._fill("fill", selector, value, options)

    async def clear(self, selector: Selector, options: ActionOptions) -> ActionResult:
        """Empty the field. [asyncio]"""
        return await self._fill("clear", selector, "", options)

    async def _fill(self, action: str, selector: Selector, value: str, options: ActionOptions) -> ActionResult:
        async with self.attempt(action, selector, options) as act:
            if names_in(value):
                await secrets.fill(act, value)
            else:
                await _replace(act, value, reads=True)
            return await act.result()

    async def type(self, selector: Selector, text: str, options: TypeOptions) -> ActionResult:
        """Type the text, character by character, after the element's content. [asyncio]"""
        async with self.attempt("type", selector, options) as act:
            if names_in(text):
                await secrets.type_(act, text, options)
                return await act.result()
            if options.clear:
                await _replace(act, "", reads=False)
            is_kept = not _COMMIT_CHARACTERS & set(text)
            content = None if options.trial else await fast_input.type_(act, text, options.delay_ms, compare=is_kept)
            if content is not None:
                _accept(act, content)
            else:
                await _type_slowly(act, text, options, written=text if is_kept else None)
            return await act.result()

    async def press(self, key: str, selector: Selector | None, options: ActionOptions) -> ActionResult:
        """Press the key in the element, or in the focused one. [asyncio]"""
        async with self.attempt("press", selector, options) as act:
            if selector is None or options.trial or not await fast_input.press(act, key):
                await _press_slowly(act, key)
            return await act.result()


async def _replace(act: ActionAttempt, value: str, *, reads: bool) -> None:
    """Replace the field's content with the value."""
    content = None if act.options.trial else await fast_input.fill(act, value)
    if content is not None:
        _accept(act, content)
        return
    await act.find()
    if value and (moved := await _move_slider(act, value)) is not None:
        act.value = moved
        return
    await act.wait_until_ready("text")
    if takes := await act.perform(act.subject.misfit(value)):
        raise act.failed(f"{takes.field} takes {takes.format}", format=takes.format)
    if not act.options.trial:
        how: dict[str, Any] = {"force": act.options.force, "timeout": act.deadline.left_ms}
        await act.perform_on_element(lambda field: field.fill(value, **how))
        await act.settle()
        if reads:
            await _read_back(act, value, whole=True)


async def _type_slowly(act: ActionAttempt, text: str, options: TypeOptions, *, written: str | None) -> None:
    await act.find()
    await act.wait_until_ready("text" if options.clear else None)
    if not options.trial:
        await _focus(act)
        await act.perform(act.tab.page.keyboard.type(text, delay=options.delay_ms))
        await act.settle()
        await _read_back(act, written, whole=False)


async def _press_slowly(act: ActionAttempt, key: str) -> None:
    if act.selector is not None:
        await act.find()
        await act.wait_until_ready()
    if not act.options.trial:
        if act.selector is not None:
            await _focus(act)
        else:  # any frame may have the focus
            for frame in act.tab.page.frames:
                check_judged(frame)
            worlds = act.tab.isolated_worlds
            listening = (worlds.of(frame).call("originHere") for frame in act.tab.page.frames)
            await worlds.notices.clipboard.listen(listening, key)
        await fast_input.press_key(act, key, act.tab.frame if act.selector is None else act.element.frame)
        await act.settle()


async def _focus(act: ActionAttempt) -> None:
    """Focus the element; raise if it does not accept the focus."""
    if await act.perform(act.subject.focus()) is False:
        raise act.failed("the element does not take the keyboard focus", hint="Choose a field, or a focusable element.")
    check_judged(act.element.frame)


async def _read_back(act: ActionAttempt, written: str | None, *, whole: bool) -> None:
    """Read the field's content back."""
    content = await act.read_back(lambda field: field.content(written, whole=whole))
    _accept(act, content or "nothing")


def _accept(act: ActionAttempt, content: ReadBack) -> None:
    """Set the result to the field's content; raise if the text did not land."""
    if content == "nothing":
        return
    if not content.landed:
        holds = "" if content.secret else f"; the field holds {str(content.value)[:_MAX_SHOWN]!r}"
        reason, hint = f"the value did not land{holds}", "Check the format that the field takes, or use type."
        if content.takes is None:
            raise act.failed(reason, hint=hint)
        reason = f"{reason}; {content.takes.field} takes {content.takes.format}"
        raise act.failed(reason, hint=hint, format=content.takes.format)
    act.value, act.normalized = content.value, content.normalized


@attrs.frozen(kw_only=True)
class _SliderState:
    """Value and limits of a slider, from its ARIA attributes."""

    now: float
    min: float | None = None
    max: float | None = None


async def _move_slider(act: ActionAttempt, value: str) -> str | None:
    """Move the slider to the value by its keys, and return its value; None if the element is no such slider. [asyncio]

    Raises:
      ActionFailed: the value is no number in its range, or the keys do not lead there.
    """
    state = await _read_slider(act)
    if state is None:
        return None
    wanted = _number(act, value, state)
    await act.wait_until_ready()
    if act.options.trial:
        return _spelt(state.now)
    if not await act.perform(act.subject.focus()):
        return await _drag_slider(act, wanted)
    begin = now = state.now
    forward, left, step = "ArrowRight", _MAX_PRESSES, 0.0
    for _ in range(_ROUNDS):
        if math.isclose(now, wanted, abs_tol=1e-9) or (step and abs(wanted - now) < step / 2):
            break
        if not step:  # a first press shows the size and the direction of a step
            now = await _press_often(act, _key(forward, is_up=wanted > begin), 1, now)
            step, left = abs(now - begin), left - 1
            if not step:
                return await _drag_slider(act, wanted)
            if (now > begin) is not (wanted > begin):
                forward = "ArrowLeft"
        count = round(abs(wanted - now) / step)
        if count > left:
            raise act.failed(f"the slider would need {count} steps; it is at {_spelt(now)}", hint=_HINT)
        if count:
            left -= count
            now = await _press_often(act, _key(forward, is_up=wanted > now), count, now)
    act.no_effect = now == begin
    if abs(now - wanted) >= max(step, 1e-9) and now != wanted:
        raise act.failed(f"the slider stands at {_spelt(now)}, and its keys lead no nearer to {value}", hint=_HINT)
    return _spelt(now)


async def _drag_slider(act: ActionAttempt, wanted: float) -> str:
    """Drag the slider to the value, measuring what each move does, and return the value reached. [asyncio]

    Cancel: the button is let go where the pointer is.

    Raises:
      ActionFailed: the slider does not follow the pointer, or not to the value.
    """
    before = await _slider_value(act)
    await act.perform_on_element(lambda thumb: thumb.hover(force=act.options.force, timeout=act.deadline.left_ms))
    box = await act.perform(act.element.target.bounding_box())
    mouse = act.tab.page.mouse
    if box is None:
        raise act.failed(_STILL, hint=_HINT)
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await act.perform(mouse.down())
    try:
        reached, step = await _follow(act, wanted, middle)
    finally:
        await mouse.up()
    await act.settle()
    state = await _read_slider(act)
    now = reached if state is None else state.now
    act.no_effect = now == before
    if now == before and now != wanted:
        raise act.failed(_STILL, hint=_HINT)
    if abs(now - wanted) > step:
        raise act.failed(f"the slider stands at {_spelt(now)}, and the pointer leads no nearer", hint=_HINT)
    return _spelt(now)


async def _follow(act: ActionAttempt, wanted: float, middle: tuple[float, float]) -> tuple[float, float]:
    """Move the pressed pointer until the slider is at the value; return its value, and the change by a pixel or step.

    The pointer moves along the first axis on which the slider follows. [asyncio]
    """
    now = await _slider_value(act)  # the press may have moved it
    for axis, probe in itertools.product((0, 1), _PROBES_PX):
        offset, begin = float(probe), now
        now = await _moved(act, middle, axis, offset)
        if now != begin:
            break
    else:
        return now, 0.0
    step = abs(now - begin)
    slope = (now - begin) / offset
    for _ in range(_MOVES):
        if math.isclose(now, wanted, abs_tol=1e-9) or not slope:
            break
        before, at = now, offset
        offset += (wanted - now) / slope
        if round(offset) == round(at):
            break
        offset = round(offset)
        now = await _moved(act, middle, axis, offset)
        if now != before:
            slope = (now - before) / (offset - at)
            step = min(step, abs(now - before))
    return now, max(step, abs(slope))


async def _moved(act: ActionAttempt, middle: tuple[float, float], axis: int, offset: float) -> float:
    """Move the pointer along an axis, and return the value that the slider has then. [asyncio]"""
    x, y = (middle[0] + offset, middle[1]) if axis == 0 else (middle[0], middle[1] + offset)
    await act.perform(act.tab.page.mouse.move(x, y, steps=2))
    await act.settle()
    return await _slider_value(act)


async def _slider_value(act: ActionAttempt) -> float:
    """Return the value of the slider; raise if the page has put something else in its place. [asyncio]"""
    if (state := await _read_slider(act)) is None:
        raise act.failed("the element is a slider no longer", hint=_HINT)
    return state.now


def _key(forward: str, *, is_up: bool) -> str:
    return forward if is_up else {"ArrowRight": "ArrowLeft", "ArrowLeft": "ArrowRight"}[forward]


async def _press_often(act: ActionAttempt, key: str, count: int, before: float) -> float:
    """Press the key so often, and return the value once it has changed."""
    for _ in range(count):
        await act.perform(act.tab.page.keyboard.press(key))
    await act.settle()
    for _ in range(3):
        state = await _read_slider(act)
        if state is not None and state.now != before:
            return state.now
    return before


async def _read_slider(act: ActionAttempt) -> _SliderState | None:
    found: dict[str, Any] | None = await act.perform(act.subject.slider())
    return _SliderState(**found) if found else None


def _number(act: ActionAttempt, value: str, state: _SliderState) -> float:
    try:
        wanted = float(value)
    except ValueError:
        wanted = math.nan
    least, most = state.min, state.max
    if math.isfinite(wanted) and (least is None or wanted >= least) and (most is None or wanted <= most):
        return wanted
    raise _out_of_range(act, state)


def _out_of_range(act: ActionAttempt, state: _SliderState) -> ActionFailed:
    least = "" if state.min is None else f" from {_spelt(state.min)}"
    most = "" if state.max is None else f" to {_spelt(state.max)}"
    takes = f"a number{least}{most}"
    return act.failed(f"a slider takes {takes}", format=takes)


def _spelt(number: float) -> str:
    return f"{number:.10g}"
