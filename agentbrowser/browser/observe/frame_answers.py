"""Answers of the frames of a page to one observation, and the elements and folds built from them."""

import asyncio
from collections.abc import Callable, Container
from typing import TYPE_CHECKING, Final

import attrs
from playwright.async_api import Frame

from agentbrowser.browser.observe.cursor import select_changes, select_elements
from agentbrowser.browser.observe.memory import state_of
from agentbrowser.browser.observe.plan import ObservationPlan
from agentbrowser.browser.page.element_handles import selectors
from agentbrowser.browser.page.frame_tree import FrameObservation, JsonObject
from agentbrowser.protocol.codec import structure, wire_fields
from agentbrowser.protocol.types.element import InteractiveElement, SeenState
from agentbrowser.protocol.types.fold import Fold
from agentbrowser.protocol.types.observe import BoundingBox
from agentbrowser.protocol.types.selector import Ref

if TYPE_CHECKING:
    from agentbrowser.methods.agent_observe import ObserveParams

_MINIMAL: Final = ("ref", "selector", "role", "name", "tag_name")
_ELEMENTS_PER_STEP: Final = 100
"""Elements that are built in one turn of the loop, in a good millisecond."""
_NAMES: Final = {name: attribute.name for name, attribute in wire_fields(InteractiveElement).items()}


@attrs.frozen(kw_only=True)
class FrameAnswers:
    """Answers of the selected frame, which is the first, and of the frames inside it."""

    plan: ObservationPlan
    root: Frame
    observations: list[FrameObservation]
    by_part: dict[str, FrameObservation]
    """The observations by the prefix of their refs."""
    missed: list[Frame]
    """Frames that did not answer in time."""

    @property
    def is_diff(self) -> bool:
        """Return True if the result holds changes only: the client has seen this document."""
        return self.plan.params.is_diff and bool(self.observations[0].answer["isIncremental"])

    @property
    def documents(self) -> dict[str, str]:
        """Return the ids of the documents by the prefix of their refs."""
        return {part: observation.answer.get("document", "") for part, observation in self.by_part.items()}

    @property
    def prefix_of(self) -> Callable[[Frame], str]:
        """Return the function that returns the prefix of a frame's refs."""
        return {observation.frame: part for part, observation in self.by_part.items()}.__getitem__

    @property
    def is_lost(self) -> bool:
        """Return True if the cursor leads nowhere any more."""
        position = self.plan.position
        return (
            any(observation.answer.get("isLost") for observation in self.observations)
            or (position.cursor is not None and position.cursor.part not in self.by_part)
            or (position.rest is not None and not position.rest.is_of(self.documents))
        )

    def folds(self) -> list[Fold]:
        """Return the folds of all frames."""
        return [_fold(plain, one) for one in self.observations for plain in one.answer["folds"]]


@attrs.frozen(kw_only=True)
class ChosenElements:
    """Elements of the answers that are in the result, if the token budget leaves room."""

    listed: list[tuple[FrameObservation, JsonObject]]
    rest: int
    """Number of elements, or of changes, that are left."""
    elements: dict[str, InteractiveElement]
    states: dict[str, SeenState]

    @property
    def focus(self) -> str | None:
        """Return the ref of the element that has the focus."""
        return next((plain["ref"] for _, plain in reversed(self.listed) if plain.get("focused")), None)


async def choose_elements(answers: FrameAnswers, known: Container[str]) -> ChosenElements:
    """Return the chosen elements; ``known`` are the refs that the client has received. [asyncio]"""
    params = answers.plan.params
    if answers.is_diff:
        has_words = answers.plan.is_document
        listed, rest = select_changes(answers.observations, known, params.max_elements, has_words=has_words)
    else:
        listed, rest = select_elements(answers.observations, params.max_elements)
    chosen = ChosenElements(listed=listed, rest=rest, elements={}, states={})
    for start in range(0, len(listed), _ELEMENTS_PER_STEP):
        for observation, plain in listed[start : start + _ELEMENTS_PER_STEP]:
            chosen.states[plain["ref"]] = state_of(plain)
            chosen.elements[plain["ref"]] = _element(plain, observation, params)
        await asyncio.sleep(0)
    return chosen


def _element(plain: JsonObject, observation: FrameObservation, params: "ObserveParams") -> InteractiveElement:
    """Build an element from the script's answer, without validation: that would cost more than the page."""
    is_derived = plain.pop("derived", False)
    by = plain.pop("by", None)
    selector, *others = [Ref(plain["ref"])] if by is None else selectors(by, plain)
    fields: JsonObject = {_NAMES[name]: value for name, value in plain.items()}
    if params.response_tier == "minimal":
        fields = {name: fields[name] for name in _MINIMAL if name in fields} | {"action_hints": []}
    fields["selector"] = selector
    fields["name_from"] = "derived" if is_derived else None
    fields["alternative_selectors"] = others or None
    if (bounds := fields.pop("bounds", None)) and params.include_bounds:
        fields["bounds"] = observation.geometry.to_viewport(BoundingBox(**bounds))
    fields["frame_id"] = observation.frame_id
    return InteractiveElement(**fields)


def _fold(plain: JsonObject, observation: FrameObservation) -> Fold:
    """Build a fold from the script's answer."""
    if not observation.is_root:
        del plain["selector"]
    return structure(Fold, plain)
