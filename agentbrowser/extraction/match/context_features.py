"""Context features of a fact: its position relative to the facts that the other fields seem to have.

The values of one object stand together, in similar markup, and in the order of the schema.
"""

import math
from collections.abc import Sequence
from typing import Final

import attrs

from agentbrowser.extraction.caching import cached
from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.page_names import Markup
from agentbrowser.extraction.model.features import ContextFeatures, vector_function
from agentbrowser.long_work import give_way

_BESIDE_SCALE: Final = 5
_NEAR_SCALE: Final = 10
_STEP_SCALE: Final = 3
_STRIDE_SCALE: Final = 12
_ABOUT_SCALE: Final = 40
_FAR_DISTANCE: Final = 60
_INVISIBLE_TAGS: Final = frozenset(("json", "meta"))
"""Tags of facts that have no position on the visible page."""
_AS_MANY: Final = 0.5
_context_features = vector_function(ContextFeatures)
NEUTRAL: Final = ContextFeatures(
    near_its_own=0.0,
    near_the_others=0.3,
    about_the_others=0.6,
    far_from_all=0.2,
    under_one_heading=0.5,
    of_similar_markup=0.2,
    in_order=0.2,
    next_to_its_neighbours=0.2,
    with_its_neighbours=0.3,
)
"""Features where nothing else is known, neither for nor against a fact: the usual values of right ones."""


@attrs.frozen(slots=False)
class ValuePosition:
    """Probable position of a field's value."""

    field: int
    """Place of the field in the schema."""
    place: int
    """Place of the fact on the page."""
    fact: Column
    sure: float
    """Probability that the fact is right."""
    outer: tuple[str, ...] = ()
    """Path of the object that the field belongs to."""

    @cached
    def markup(self) -> tuple[str | None, ...]:
        """Return the common properties of its element."""
        return _markup_of(self.fact)


def context_features(
    field: int, outer: tuple[str, ...], place: int, fact: Column, positions: Sequence[ValuePosition]
) -> tuple[float, ...]:
    """Return the context features of a fact for a field.

    Args:
      field: the place of the field in the schema.
      outer: the path of the object that the field belongs to.
      place: the place of the fact on the page.
      positions: the probable positions of all fields' values.
    """
    give_way()
    shown = [position for position in positions if position.field != field and position.fact.tag not in _INVISIBLE_TAGS]
    others = [position for position in shown if position.place != place]
    whole = sum(position.sure for position in shown)
    if not others or fact.tag in _INVISIBLE_TAGS:
        return NEUTRAL
    markup = _markup_of(fact)
    near = about = headed = alike = ordered = 0.0
    for position in others:
        distance = abs(place - position.place)
        near += position.sure * math.exp(-distance / _NEAR_SCALE)
        about += position.sure * math.exp(-distance / _ABOUT_SCALE)
        headed += position.sure * (fact.section != "" and fact.section == position.fact.section)
        alike += position.sure * (markup == position.markup)
        ordered += position.sure * ((position.place < place) == (position.field < field))
    own = [
        math.exp(-abs(place - position.place) / _BESIDE_SCALE)
        for position in others
        if outer and position.outer == outer
    ]
    closest = min(abs(place - position.place) for position in others)
    close, around = _beside(field, place, others)
    return _context_features(
        near_its_own=sum(own) / len(own) if own else 0.0,
        near_the_others=near / whole,
        about_the_others=about / whole,
        far_from_all=min(1.0, closest / _FAR_DISTANCE),
        under_one_heading=headed / whole,
        of_similar_markup=alike / whole,
        in_order=ordered / whole - _AS_MANY,
        next_to_its_neighbours=close,
        with_its_neighbours=around,
    )


def _beside(field: int, place: int, others: Sequence[ValuePosition]) -> tuple[float, float]:
    """Return how near a fact follows the previous field's value and precedes the next field's, by two measures."""
    before = [position for position in others if position.field < field][-1:]
    after = [position for position in others if position.field > field][:1]
    steps = [(place - position.place, position.sure) for position in before]
    steps += [(position.place - place, position.sure) for position in after]
    close = [sure * math.exp(-step / _STEP_SCALE) if step > 0 else 0.0 for step, sure in steps]
    around = [sure * math.exp(-step / _STRIDE_SCALE) if step > 0 else 0.0 for step, sure in steps]
    return sum(close) / len(steps), sum(around) / len(steps)


def _markup_of(fact: Column) -> tuple[str | None, ...]:
    """Return the properties that elements with one kind of value have in common on a page."""
    class_name = next((text for markup, text in fact.hints if markup == Markup.CLASS), None)
    return fact.tag, fact.kind, class_name
