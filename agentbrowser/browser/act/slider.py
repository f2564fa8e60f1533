"""Sliders: those that the page draws are moved by their keys, else by the pointer; a native one by a last key."""

import itertools
import math
from typing import Any, Final

import attrs

from agentbrowser.browser.act import fast_input
from agentbrowser.browser.act.attempt import ActionAttempt
from agentbrowser.browser.page import approved_element
from agentbrowser.browser.page.navigation_policy import check_slide, judging_slide
from agentbrowser.protocol.errors import ApprovalDenied

_MAX_PRESSES: Final = 400
_ROUNDS: Final = 4
"""Corrections: the first press measures the step, and pages may round or accelerate."""
_PROBES_PX: Final = (8, 40, -40, -8)
"""First moves of a drag: a slider may have few steps, and stand at its end."""
_MOVES: Final = 8
_STILL: Final = "the slider follows neither its arrow keys nor the pointer"
_HINT: Final = "Drag it, or press its keys: arrows, PageUp, PageDown, Home, End."


@attrs.frozen(kw_only=True)
class _SliderState:
    """Value and limits of a slider, from its ARIA attributes."""

    now: float
    min: float | None = None
    max: float | None = None


async def move(act: ActionAttempt, value: str) -> str | None:
    """Move the slider to the value by its keys, and return its value; None if the element is no such slider. [asyncio]

    Raises:
      ActionFailed: the value is no number in its range, or the keys do not lead there.
      ApprovalDenied: a rule holds back what would move it.
    """
    state = await _read(act)
    if state is None:
        return None
    with judging_slide(act.element.frame):
        wanted = _number(act, value, state)
        await act.wait_until_ready()
        if act.options.trial:
            return _spelt(state.now)
        async with approved_element.input_barrier(act.tab, act.deadline):
            if not await act.perform(act.subject.focus()):
                return await _drag(act, wanted)
            return await _press_to(act, wanted, state.now)


async def step_to(act: ActionAttempt, value: str) -> bool:
    """Set a native range input beside the value, and go on to it by a key. [asyncio]

    Libraries such as React Aria take a value as chosen only at a key, or where the pointer is let go: the page showed
    the value that a script had set, and its form sent the one before.

    Returns: False if the key does not lead to the value, or if a rule holds back such keys.
    """
    frame = act.element.frame
    try:
        check_slide(frame)
    except ApprovalDenied:
        return False
    async with approved_element.input_barrier(act.tab, act.deadline):
        found = await act.perform(act.subject.approach(value))
        if found is None:
            return False
        await fast_input.press_key(act, found["key"], frame)
    await act.settle()
    reached = await act.read_back(lambda field: field.content())
    return reached is not None and reached.value == found["wanted"]


async def _press_to(act: ActionAttempt, wanted: float, now: float) -> str:
    """Move the focused slider to the value by its keys, else by the pointer, and return its value. [asyncio]"""
    begin = now
    forward, left, step = "ArrowRight", _MAX_PRESSES, 0.0
    for _ in range(_ROUNDS):
        if math.isclose(now, wanted, abs_tol=1e-9) or (step and abs(wanted - now) < step / 2):
            break
        if not step:  # a first press shows the size and the direction of a step
            now = await _press_often(act, _key(forward, is_up=wanted > begin), 1, now)
            step, left = abs(now - begin), left - 1
            if not step:
                return await _drag(act, wanted)
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
        raise act.failed(
            f"the slider stands at {_spelt(now)}, and its keys lead no nearer to {_spelt(wanted)}", hint=_HINT
        )
    return _spelt(now)


async def _drag(act: ActionAttempt, wanted: float) -> str:
    """Drag the slider to the value, measuring what each move does, and return the value reached. [asyncio]

    Cancel: the button is let go where the pointer is.

    Raises:
      ActionFailed: the slider does not follow the pointer, or not to the value.
    """
    before = await _value(act)
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
    state = await _read(act)
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
    now = await _value(act)  # the press may have moved it
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
    return await _value(act)


async def _value(act: ActionAttempt) -> float:
    """Return the value of the slider; raise if the page has put something else in its place. [asyncio]"""
    if (state := await _read(act)) is None:
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
        state = await _read(act)
        if state is not None and state.now != before:
            return state.now
    return before


async def _read(act: ActionAttempt) -> _SliderState | None:
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
    bounds = [f" {word} {_spelt(bound)}" for word, bound in (("from", least), ("to", most)) if bound is not None]
    takes = f"a number{''.join(bounds)}"
    raise act.failed(f"a slider takes {takes}", format=takes)


def _spelt(number: float) -> str:
    return f"{number:.10g}"
