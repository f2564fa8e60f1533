"""What actions ask about elements: typed questions, answered by ``js/probe.js`` in the page with one call each."""

from pathlib import Path
from typing import Any, Final, Literal

import attrs
from playwright.async_api import Frame, Locator

from agentbrowser.types.action import Point

_SCRIPT: Final = (Path(__file__).parent / "js" / "probe.js").read_text(encoding="utf-8")
# For an element that goes away between two questions: Playwright waits for it to come back.
_ANSWER_TIMEOUT_MS: Final = 2000

Kind = Literal["text", "select", "check", "file", "other"]


@attrs.frozen(kw_only=True)
class State:
    """How an element stands. ``label`` is the index of the label that is seen instead of it, -1 when there is none."""

    visible: bool
    enabled: bool
    editable: bool
    kind: Kind
    tag: str
    label: int


@attrs.frozen(kw_only=True)
class Obstacle:
    """What keeps the pointer from an element. ``covered_by`` has the value of a CSS selector, and a text."""

    outside: bool = False
    moving: bool = False
    covered_by: dict[str, str] | None = None


@attrs.frozen(kw_only=True)
class Content:
    """What a control holds; that of a field for secrets stays in the page, and only ``landed`` is told."""

    value: str | bool | None = None
    landed: bool = True
    secret: bool = False


@attrs.frozen(kw_only=True)
class Choice:
    """The options of a ``<select>`` against those that are wanted, by index; ``known`` are its first ten labels."""

    indexes: list[int]
    missing: list[str]
    disabled: list[str]
    known: list[str]
    count: int
    multiple: bool
    chosen: list[int]
    values: list[str]


@attrs.frozen(kw_only=True)
class Hit:
    """The element under a point: a path to it, where the point is in it, and whether it is a frame."""

    css: str
    position: Point
    frame: bool


async def candidates(locator: Locator) -> list[dict[str, str]]:
    """Return a CSS path (``value``) and a short ``text`` for each of the first five elements. [asyncio]"""
    found: list[dict[str, str]] = await locator.evaluate_all(_SCRIPT, ["candidates", None])
    return found


async def at(frame: Frame, point: Point) -> Hit | None:
    """Return what is under a point of the frame, through open shadow roots. [asyncio]"""
    found = await frame.evaluate(_SCRIPT, ["at", attrs.asdict(point)])
    return Hit(css=found["css"], position=Point(**found["position"]), frame=found["frame"]) if found else None


async def index_at(locator: Locator, point: Point) -> int:
    """Return which of the elements is under the point, -1 for none. [asyncio]"""
    index: int = await locator.evaluate_all(_SCRIPT, ["indexAt", attrs.asdict(point)])
    return index


async def state(locator: Locator, timeout_ms: float | None = None) -> State:
    """Return how the element stands. [asyncio]"""
    return State(**await locator.evaluate(_SCRIPT, ["state", None], timeout=timeout_ms))


async def obstacle(locator: Locator, position: Point | None) -> Obstacle:
    """Return what is in the pointer's way. [asyncio]"""
    found = await _ask(locator, "obstacle", attrs.asdict(position) if position else None)
    return Obstacle(
        outside=found.get("outside", False), moving=found.get("moving", False), covered_by=found.get("coveredBy")
    )


async def content(locator: Locator, written: str | None = None, *, whole: bool = True) -> Content:
    """Return what the control holds, and whether that is (or, not ``whole``, includes) what was written. [asyncio]"""
    return Content(**await _ask(locator, "content", None if written is None else {"written": written, "whole": whole}))


async def options(locator: Locator, wanted: list[str]) -> Choice:
    """Return the state of a ``<select>``. [asyncio]"""
    return Choice(**await _ask(locator, "options", wanted))


async def focus(locator: Locator) -> bool:
    """Give the element the keyboard, the caret behind its text; tell whether it takes it. [asyncio]"""
    return bool(await _ask(locator, "focus"))


async def scroll(on: Locator | Frame, *, axis: str, sign: int, amount: float | str) -> bool:
    """Scroll the element, or what it lies in; tell whether anything moved. [asyncio]"""
    how = {"axis": axis, "sign": sign, "amount": amount}
    return bool(await (on.evaluate(_SCRIPT, ["scroll", how]) if isinstance(on, Frame) else _ask(on, "scroll", how)))


async def is_in_view(locator: Locator) -> bool:
    """Tell whether the whole element is in the viewport. [asyncio]"""
    return bool(await _ask(locator, "isInView"))


async def _ask(locator: Locator, question: str, argument: Any = None) -> Any:
    return await locator.evaluate(_SCRIPT, [question, argument], timeout=_ANSWER_TIMEOUT_MS)
