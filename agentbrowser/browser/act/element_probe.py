"""Typed questions about elements, answered by the in-page scripts (``scripts/act/controls.js``)."""

from collections.abc import Mapping
from typing import Any, Final, Literal

import attrs
from playwright.async_api import ElementHandle, Frame, Locator

from agentbrowser.browser.page.isolated_world import IsolatedWorld
from agentbrowser.browser.scripts.bundle import PROGRAMS
from agentbrowser.protocol.errors import ElementNotFound
from agentbrowser.protocol.types.action import Point

_PROBE: Final = PROGRAMS["locator_probe"]
# For an element that disappears between two questions: Playwright waits for it to come back.
_ANSWER_TIMEOUT_MS: Final = 2000
# For an answer on a busy machine when no waiting time is left.
_LEAST_MS: Final = 500
# Of the tags that HTML and SVG know, fecomponenttransfer is among the longest.
_LONGEST_TAG: Final = 20

ControlKind = Literal["text", "select", "check", "file", "other"]

_OTHER_ACTIONS: Final[dict[ControlKind, str]] = {
    "text": "Use action/fill or action/type for a text field.",
    "select": "Use action/select for a <select>.",
    "check": "Use action/check, action/uncheck or action/click for it.",
    "file": "Use action/upload for a file input.",
    "other": "Choose the control itself, or use action/click, in an editor then action/type; for files action/upload.",
}
_DRAWN_CONTROLS: Final = {
    ("select", "other"): "A list that is no <select> is opened by action/click, and its option is clicked in the list.",
    ("select", "text"): "A click on it may open a list, in which its option is clicked; else use action/fill.",
}
"""Hints for actions on controls that the page draws itself."""


@attrs.frozen(kw_only=True)
class ControlState:
    """State of a control. ``label`` is the index of the visible label that stands for it, -1 if there is none."""

    visible: bool
    enabled: bool
    editable: bool
    kind: ControlKind
    tag: str
    label: int
    combobox: bool = False
    """True if it opens a list of options: a `<select>`, or one that the page draws."""
    listbox: bool = False
    """True if it is a list of options that is open."""
    suggests: bool = False
    """True for a field with the suggestions of a `<datalist>`."""
    locked: bool = False
    """True if the page has locked the pointer to another element."""
    framed: bool = False
    """True if a frame in the element would get a press on its middle."""

    @property
    def drawn_list(self) -> Literal["listbox", "combobox"] | None:
        """Return what is drawn in place of a `<select>`: a list of options that is open, or one that opens."""
        return "listbox" if self.listbox else "combobox" if self.combobox else None

    @property
    def shown_tag(self) -> str:
        """Return the tag as a message names it: a page makes up the names of custom elements, sentences included."""
        tag, _, kind = self.tag.removesuffix("]").partition("[type=")
        is_plain = tag.isascii() and tag.isalnum() and len(tag) <= _LONGEST_TAG
        if kind and tag == "input":
            return f"<input type={kind}>"
        return f"<{tag}>" if is_plain and not kind else "a custom element"


@attrs.frozen(kw_only=True)
class Obstacle:
    """Obstacle between the pointer and an element. ``covered_by`` has a CSS path, a text and perhaps a ref.

    ``point`` is the point that the pointer hits, in the document's viewport; None if there is an obstacle.
    """

    outside: bool = False
    moving: bool = False
    covered_by: dict[str, str] | None = None
    point: Point | None = None


@attrs.frozen(kw_only=True)
class FieldFormat:
    """Format that a field takes: ``a date input`` takes ``YYYY-MM-DD``."""

    field: str
    format: str


@attrs.frozen(kw_only=True)
class ControlContent:
    """Content of a control; a password's content stays in the page, and only ``landed`` is reported."""

    value: str | bool | None = None
    landed: bool = True
    secret: bool = False
    normalized: bool | None = None
    """True if the field holds the written text in another spelling."""
    takes: FieldFormat | None = None
    """The field's format, if the text has not landed."""

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> "ControlContent":
        """Return the content in an answer of the in-page scripts."""
        takes = answer.get("takes")
        return cls(**{**answer, "takes": takes and FieldFormat(**takes)})


@attrs.frozen(kw_only=True)
class SelectedOptions:
    """Options of a ``<select>`` compared with the requested ones, by index; ``known`` are its first ten labels.

    ``found`` are the values of the requested ones.
    """

    indexes: list[int]
    missing: list[str]
    disabled: list[str]
    known: list[str]
    count: int
    multiple: bool
    chosen: list[int]
    values: list[str]
    found: list[str]


@attrs.frozen(kw_only=True)
class HitElement:
    """Element under a point: a path to it, the point relative to it, and whether it is a frame."""

    css: str
    position: Point
    frame: bool


async def candidates(locator: Locator) -> list[dict[str, str]]:
    """Return a CSS path (``value``) and a short ``text`` for each of the first five elements. [asyncio]"""
    found: list[dict[str, str]] = await locator.evaluate_all(_PROBE, ["candidates", None])
    return found


async def at(frame: Frame, point: Point) -> HitElement | None:
    """Return the element under a point of the frame, through open shadow roots. [asyncio]"""
    found = await frame.evaluate(_PROBE, ["at", attrs.asdict(point)])
    return HitElement(css=found["css"], position=Point(**found["position"]), frame=found["frame"]) if found else None


async def index_at(locator: Locator, point: Point) -> int:
    """Return the index of the element under the point, -1 for none. [asyncio]"""
    index: int = await locator.evaluate_all(_PROBE, ["indexAt", attrs.asdict(point)])
    return index


@attrs.frozen
class ElementProbe:
    """Probe of an element that Playwright has found, by the scripts of its frame."""

    world: IsolatedWorld
    locator: Locator | ElementHandle

    async def has_ref(self, ref: str) -> bool:
        """Return True if it is the element of a ref. [asyncio]"""
        return bool(await self._ask("hasRef", ref))

    async def state(self, timeout_ms: float | None = None) -> ControlState:
        """Return the state of the element. [asyncio]"""
        return ControlState(**await self._ask("state", timeout_ms=max(timeout_ms or _ANSWER_TIMEOUT_MS, _LEAST_MS)))

    async def obstacle(self, position: Point | None) -> Obstacle:
        """Return the obstacle in the pointer's way. [asyncio]"""
        found = await self._ask("obstacle", attrs.asdict(position) if position else None)
        return Obstacle(
            outside=found.get("outside", False),
            moving=found.get("moving", False),
            covered_by=found.get("covered"),
            point=Point(**found["point"]) if "point" in found else None,
        )

    async def content(self, written: str | None = None, *, whole: bool = True) -> ControlContent:
        """Return the control's content; ``landed`` if it equals (``whole``) or contains the text. [asyncio]"""
        wanted = None if written is None else {"written": written, "whole": whole}
        return ControlContent.of(await self._ask("content", wanted))

    async def misfit(self, value: str) -> FieldFormat | None:
        """Return the format of a field that can't hold the value; None if it can. [asyncio]"""
        takes = await self._ask("misfit", value)
        return FieldFormat(**takes) if takes else None

    async def approach(self, value: str) -> dict[str, str] | None:
        """Set a range input one step beside the value; return the ``key`` to it, and how it is spelt. [asyncio]"""
        found: dict[str, str] | None = await self._ask("approach", value)
        return found

    async def entrust(self, wanted: dict[str, Any]) -> dict[str, Any]:
        """Write a text that contains secrets, and return the outcome. [asyncio]"""
        outcome: dict[str, Any] = await self._ask("writeSecret", wanted)
        return outcome

    async def slider(self) -> dict[str, Any] | None:
        """Return the value and the limits of a slider that the page draws; None for another element. [asyncio]"""
        found: dict[str, Any] | None = await self._ask("slider")
        return found

    async def options(self, wanted: list[str]) -> SelectedOptions:
        """Return the state of a ``<select>``. [asyncio]"""
        return SelectedOptions(**await self._ask("options", wanted))

    async def focus(self) -> bool | Literal["editor"]:
        """Focus the element, with the caret at the end of its text; return True if it accepts the focus. [asyncio]

        ``editor`` is the field of an editor that the page draws, whose caret only a key moves.
        """
        accepted: bool | Literal["editor"] = await self._ask("focus") or False
        return accepted

    async def scroll(self, *, axis: str, sign: int, amount: float | str) -> bool:
        """Scroll the element or its scroll container; return True if anything moved. [asyncio]"""
        return bool(await self._ask("scroll", {"axis": axis, "sign": sign, "amount": amount}))

    async def is_in_view(self) -> bool:
        """Return True if the whole element is in the viewport. [asyncio]"""
        return bool(await self._ask("isInView"))

    async def is_partly_in_view(self) -> bool:
        """Return True if a part of the element is in the viewport of its frame. [asyncio]"""
        return bool(await self._ask("isPartlyInView"))

    async def leave_edges(self) -> None:
        """Scroll the element away from the edges of the viewport at which pages scroll during a drag. [asyncio]"""
        await self._ask("leaveEdges")

    async def grip(self) -> dict[str, float] | None:
        """Return the place to drag the element by, if a control lies in its middle. [asyncio]"""
        found: dict[str, float] | None = await self._ask("grip")
        return found

    async def is_at(self, offset: Point) -> bool:
        """Return True if the element is at a point, given from its middle. [asyncio]"""
        return bool(await self._ask("isAt", {"x": offset.x, "y": offset.y}))

    async def is_item(self) -> bool:
        """Return True if it is one of several elements alike in the flow, as the items of a list are. [asyncio]"""
        return bool(await self._ask("isItem"))

    async def is_pressed(self) -> bool:
        """Return True if it looks like an element to press, or is in one. [asyncio]"""
        return bool(await self._ask("isPressed"))

    async def _ask(self, question: str, argument: Any = None, *, timeout_ms: float | None = None) -> Any:
        name = await self.world.hold(self.locator, timeout_ms or _ANSWER_TIMEOUT_MS)
        return await ask(self.world, {"type": "held", "value": name}, question, argument)


async def ask(world: IsolatedWorld, selector: dict[str, Any] | None, question: str, argument: Any = None) -> Any:
    """Return the answer to a question about the element of an in-page selector. [asyncio]

    Raises:
      ElementNotFound: there is none any more.
    """
    answer = await world.call("question", {"selector": selector, "question": question, "argument": argument})
    if answer.get("missing"):
        raise ElementNotFound("The element has left the page.")
    return answer["answer"]


async def scroll_page(world: IsolatedWorld, *, axis: str, sign: int, amount: float | str) -> bool:
    """Scroll the frame, or the container in its middle; return True if anything moved. [asyncio]"""
    return bool(await ask(world, None, "scroll", {"axis": axis, "sign": sign, "amount": amount}))


def hint_for(action: str, kind: ControlKind) -> str:
    """Return the hint for an action that is not for controls of this kind."""
    return _DRAWN_CONTROLS.get((action, kind)) or _OTHER_ACTIONS[kind]
