"""What the other values tell of one: those of a single thing stand together, alike, and in order."""

import math
from collections.abc import Sequence
from typing import Final

import attrs

from agentbrowser.extraction.cached import lazy
from agentbrowser.extraction.candidates import Series

COMPANY: Final = (
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
class Seat:
    """Where a value seems to be: the place of its property in the schema, its own on the page, and how sure that is."""

    asked: int
    place: int
    fact: Series
    sure: float
    outer: tuple[str, ...] = ()
    """What the object that its property belongs to is called."""

    @lazy
    def make(self) -> tuple[str | None, ...]:
        """What its element is like."""
        return _make(self.fact)


def company(asked: int, outer: tuple[str, ...], place: int, fact: Series, seats: Sequence[Seat]) -> tuple[float, ...]:
    """Return the `COMPANY` of a value for the property at a place of the schema."""
    shown = [seat for seat in seats if seat.asked != asked and seat.fact.tag not in _UNSEEN]
    others = [seat for seat in shown if seat.place != place]
    whole = sum(seat.sure for seat in shown)
    if not others or fact.tag in _UNSEEN:
        return OF_ONE
    make = _make(fact)
    near = about = headed = alike = ordered = 0.0
    for seat in others:
        off = abs(place - seat.place)
        near += seat.sure * math.exp(-off / _NEAR)
        about += seat.sure * math.exp(-off / _ABOUT)
        headed += seat.sure * (fact.section != "" and fact.section == seat.fact.section)
        alike += seat.sure * (make == seat.make)
        ordered += seat.sure * ((seat.place < place) == (seat.asked < asked))
    own = [math.exp(-abs(place - seat.place) / _BESIDE) for seat in others if outer and seat.outer == outer]
    closest = min(abs(place - seat.place) for seat in others)
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


def _beside(asked: int, place: int, others: Sequence[Seat]) -> tuple[float, float]:
    """Return how near a value stands behind that of the property before its own, and before that of the next."""
    before = [seat for seat in others if seat.asked < asked][-1:]
    after = [seat for seat in others if seat.asked > asked][:1]
    steps = [(place - seat.place, seat.sure) for seat in before] + [(seat.place - place, seat.sure) for seat in after]
    close = [sure * math.exp(-step / _STEP) if step > 0 else 0.0 for step, sure in steps]
    around = [sure * math.exp(-step / _STRIDE) if step > 0 else 0.0 for step, sure in steps]
    return sum(close) / len(steps), sum(around) / len(steps)


def _make(fact: Series) -> tuple[str | None, ...]:
    """Return what the elements of values of one kind have in common on a page."""
    named = next((hint for hint in fact.hints if hint[0] == "c"), None)
    return fact.tag, fact.kind, named
