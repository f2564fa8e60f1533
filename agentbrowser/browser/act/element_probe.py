"""Typed questions of actions about elements, answered by our scripts in the page (``scripts/act/controls.js``)."""

from typing import Any, Final, Literal

import attrs
from playwright.async_api import Frame, Locator

from agentbrowser.browser.page.isolated_world import IsolatedWorld
from agentbrowser.browser.scripts.bundle import PROGRAMS
from agentbrowser.protocol.errors import ElementNotFound
from agentbrowser.protocol.types.action import Point

_PROBE: Final = PROGRAMS["locator_probe"]
# For an element that goes away between two questions: Playwright waits for it to come back.
_ANSWER_TIMEOUT_MS: Final = 2000
# For an answer on a busy machine, when no time is left to wait for another one.
_LEAST_MS: Final = 500

ControlKind = Literal["text", "select", "check", "file", "other"]


@attrs.frozen(kw_only=True)
class ControlState:
    """How an element stands. ``label`` is the index of the label that is seen instead of it, -1 when there is none."""

    visible: bool
    enabled: bool
    editable: bool
    kind: ControlKind
    tag: str
    label: int


@attrs.frozen(kw_only=True)
class Obstacle:
    """What keeps the pointer from an element. ``covered_by`` has a CSS path, a text and perhaps a ref."""

    outside: bool = False
    moving: bool = False
    covered_by: dict[str, str] | None = None


@attrs.frozen(kw_only=True)
class ControlContent:
    """What a control holds; that of a field for secrets stays in the page, and only ``landed`` is told."""

    value: str | bool | None = None
    landed: bool = True
    secret: bool = False


@attrs.frozen(kw_only=True)
class SelectedOptions:
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
class HitElement:
    """The element under a point: a path to it, where the point is in it, and whether it is a frame."""

    css: str
    position: Point
    frame: bool


async def candidates(locator: Locator) -> list[dict[str, str]]:
    """Return a CSS path (``value``) and a short ``text`` for each of the first five elements. [asyncio]"""
    found: list[dict[str, str]] = await locator.evaluate_all(_PROBE, ["candidates", None])
    return found


async def at(frame: Frame, point: Point) -> HitElement | None:
    """Return what is under a point of the frame, through open shadow roots. [asyncio]"""
    found = await frame.evaluate(_PROBE, ["at", attrs.asdict(point)])
    return HitElement(css=found["css"], position=Point(**found["position"]), frame=found["frame"]) if found else None


async def index_at(locator: Locator, point: Point) -> int:
    """Return which of the elements is under the point, -1 for none. [asyncio]"""
    index: int = await locator.evaluate_all(_PROBE, ["indexAt", attrs.asdict(point)])
    return index


@attrs.frozen
class ElementProbe:
    """An element that Playwright has found, and our scripts where it is."""

    world: IsolatedWorld
    locator: Locator

    async def state(self, timeout_ms: float | None = None) -> ControlState:
        """Return how the element stands. [asyncio]"""
        return ControlState(**await self._ask("state", timeout_ms=max(timeout_ms or _ANSWER_TIMEOUT_MS, _LEAST_MS)))

    async def obstacle(self, position: Point | None) -> Obstacle:
        """Return what is in the pointer's way. [asyncio]"""
        found = await self._ask("obstacle", attrs.asdict(position) if position else None)
        return Obstacle(
            outside=found.get("outside", False), moving=found.get("moving", False), covered_by=found.get("covered")
        )

    async def content(self, written: str | None = None, *, whole: bool = True) -> ControlContent:
        """Return what the control holds, and whether that is or, not ``whole``, includes what was written. [asyncio]"""
        wanted = None if written is None else {"written": written, "whole": whole}
        return ControlContent(**await self._ask("content", wanted))

    async def entrust(self, wanted: dict[str, Any]) -> dict[str, Any]:
        """Write a text that holds secrets, and tell what came of it. [asyncio]"""
        said: dict[str, Any] = await self._ask("writeSecret", wanted)
        return said

    async def options(self, wanted: list[str]) -> SelectedOptions:
        """Return the state of a ``<select>``. [asyncio]"""
        return SelectedOptions(**await self._ask("options", wanted))

    async def focus(self) -> bool:
        """Give the element the keyboard, the caret behind its text; tell whether it takes it. [asyncio]"""
        return bool(await self._ask("focus"))

    async def scroll(self, *, axis: str, sign: int, amount: float | str) -> bool:
        """Scroll the element, or what it lies in; tell whether anything moved. [asyncio]"""
        return bool(await self._ask("scroll", {"axis": axis, "sign": sign, "amount": amount}))

    async def is_in_view(self) -> bool:
        """Tell whether the whole element is in the viewport. [asyncio]"""
        return bool(await self._ask("isInView"))

    async def _ask(self, question: str, argument: Any = None, *, timeout_ms: float | None = None) -> Any:
        name = await self.world.hold(self.locator, timeout_ms or _ANSWER_TIMEOUT_MS)
        return await ask(self.world, {"type": "held", "value": name}, question, argument)


async def ask(world: IsolatedWorld, selector: dict[str, Any] | None, question: str, argument: Any = None) -> Any:
    """Return the answer to a question about the element that our scripts find by the selector. [asyncio]

    Raises:
      ElementNotFound: there is none any more.
    """
    answer = await world.call("question", {"selector": selector, "question": question, "argument": argument})
    if answer.get("missing"):
        raise ElementNotFound("The element has left the page.")
    return answer["answer"]


async def scroll_page(world: IsolatedWorld, *, axis: str, sign: int, amount: float | str) -> bool:
    """Scroll the frame, or what is in its middle; tell whether anything moved. [asyncio]"""
    return bool(await ask(world, None, "scroll", {"axis": axis, "sign": sign, "amount": amount}))
