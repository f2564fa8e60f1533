"""What the other values tell of one: those of a single thing stand together, alike, and in order."""

import math
from collections.abc import Sequence
from typing import Final

import attrs

from agentbrowser.extraction.caching import cached
from agentbrowser.extraction.columns.column import Column

CONTEXT: Final = (
    "+near its own", "+near the others", "+about the others", "-far from all", "+under one heading", "+of one make",
    "+in order", "+next to its neighbours", "+with its neighbours",
)  # fmt: skip
"""What is told of a value by where the others seem to be."""
_BESIDE: Final = 5
_NEAR: Final = 10
_STEP: Final = 3
_STRIDE: Final = 12
_ABOUT: Final = 40
_FAR: Final = 60
_UNSEEN: Final = frozenset(("json", "meta"))
"""What has no place among what is shown."""
_AS_MANY: Final = 0.5
OF_ONE: Final = (0.0, 0.3, 0.6, 0.2, 0.5, 0.2, 0.2, 0.2, 0.3)
"""What is told where nothing else is known, so that it says neither for nor against: what is usual of right ones."""


@attrs.frozen(slots=False)
class ValuePosition:
    """Where a value seems to be: the place of its property in the schema, its own on the page, and how sure that is."""

    asked: int
    place: int
    fact: Column
    sure: float
    outer: tuple[str, ...] = ()
    """What the object that its property belongs to is called."""

    @cached
    def make(self) -> tuple[str | None, ...]:
        """What its element is like."""
        return _make(self.fact)


def context_features(
    asked: int, outer: tuple[str, ...], place: int, fact: Column, positions: Sequence[ValuePosition]
) -> tuple[float, ...]:
    """Return the `COMPANY` of a value for the property at a place of the schema."""
    shown = [position for position in positions if position.asked != asked and position.fact.tag not in _UNSEEN]
    others = [position for position in shown if position.place != place]
    whole = sum(position.sure for position in shown)
    if not others or fact.tag in _UNSEEN:
        return OF_ONE
    make = _make(fact)
    near = about = headed = alike = ordered = 0.0
    for position in others:
        off = abs(place - position.place)
        near += position.sure * math.exp(-off / _NEAR)
        about += position.sure * math.exp(-off / _ABOUT)
        headed += position.sure * (fact.section != "" and fact.section == position.fact.section)
        alike += position.sure * (make == position.make)
        ordered += position.sure * ((position.place < place) == (position.asked < asked))
    own = [math.exp(-abs(place - position.place) / _BESIDE) for position in others if outer and position.outer == outer]
    closest = min(abs(place - position.place) for position in others)
    return (
        sum(own) / len(own) if own else 0.0,
        near / whole,
        about / whole,
        min(1.0, closest / _FAR),
        headed / whole,
        alike / whole,
        ordered / whole - _AS_MANY,
        *_beside(asked, place, others),
    )


def _beside(asked: int, place: int, others: Sequence[ValuePosition]) -> tuple[float, float]:
    """Return how near a value stands behind that of the property before its own, and before that of the next."""
    before = [position for position in others if position.asked < asked][-1:]
    after = [position for position in others if position.asked > asked][:1]
    steps = [(place - position.place, position.sure) for position in before] + [
        (position.place - place, position.sure) for position in after
    ]
    close = [sure * math.exp(-step / _STEP) if step > 0 else 0.0 for step, sure in steps]
    around = [sure * math.exp(-step / _STRIDE) if step > 0 else 0.0 for step, sure in steps]
    return sum(close) / len(steps), sum(around) / len(steps)


def _make(fact: Column) -> tuple[str | None, ...]:
    """Return what the elements of values of one kind have in common on a page."""
    named = next((hint for hint in fact.hints if hint[0] == "c"), None)
    return fact.tag, fact.kind, named
