"""Ends of spans and routes, "£70,000 – £85,000" and "LHR → JFK", and dates and times of moments.

Each is a value of its own only if the schema has a field for it and for its counterpart.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.column_keys import (
    DATE_OF_MOMENT,
    FIRST_END,
    LAST_END,
    SPAN_MARK_LENGTH,
    TIME_OF_MOMENT,
)
from agentbrowser.extraction.columns.page_names import Relation
from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.text.kinds import kinds_of
from agentbrowser.extraction.text.profiles import WRITTEN
from agentbrowser.extraction.text.words import words

_TRIED: Final = 12
_LONGEST: Final = 60
_NAMED: Final = 0.7
"""Trust in the names of the ends of a span: two prices may be the least and the greatest, or those of two teams."""
_NAMED_BY_ARROW: Final = 0.9
_SPAN: Final = re.compile(
    r"(\D{0,12}\d[^–—]*?)"
    r"(?:\s*[–—〜～]\s*|\s+(?:-|~|to|bis|à|a|do|tot|till|til|until|al|au)\s+|(?<=\d\d[:.]\d\d)-(?=\d\d[:.]\d\d))"
    r"(\D{0,6}\d[^–—]*)"
)
_ROUTE: Final = re.compile(r"([^→⟶➔➝➜⇄⇆↔>]*\w)\s*(?:[→⟶➔➝➜⇄⇆↔]|[-–=]>)\s*(\w[^→⟶➔➝➜⇄⇆↔>]*)")
_MOMENT: Final = re.compile(
    r"(.*?\S)(?:\s*[,·|@]\s*|\s+[-–]\s+|\s+(?:at|um|à|às|as|a las|alle|ore|kl\.?|klo|o|v|om|saat|в)\s+|\s+)"
    r"([0-2]?\d[:.h][0-5]\d(?::[0-5]\d)?(?:\s?(?:[ap]\.?m\.?|uhr|uur|h))?|[01]?\d\s?[ap]\.?m\.?)",
    re.IGNORECASE,
)
_HALVES: Final = {DATE_OF_MOMENT: "date", TIME_OF_MOMENT: "time"}
"""Concept of each part of a moment."""
_NAMES: Final = (
    (frozenset(("time",)), ("start", "open", "departure"), ("end", "closed", "due", "arrival")),  # of a journey
    (frozenset(("date", "period")), ("start", "open", "arrival"), ("end", "closed", "due", "departure")),  # of a stay
    (frozenset(("number", "integer", "money", "percent")), ("minimum", "low", "home"), ("maximum", "high", "away")),
)
"""Names of the two ends, by their shapes."""
_PLACES: Final = (("origin",), ("destination",))
"""Names of the two ends of a route."""
_ENDS: Final = {
    mark: frozenset((*_PLACES[at], *(name for names in _NAMES for name in names[at + 1])))
    for at, mark in enumerate((FIRST_END, LAST_END))
}
_WHOLE: Final = frozenset(("hours", "days", "day"))
"""Words of names for opening hours and days off, whose spans are one value."""


def have_both_ends(fields: Sequence[SchemaField]) -> bool:
    """Return True if the schema has fields for both ends of a span."""
    first, last = _fields_of_ends(fields)
    return any(one is not other for one in first for other in last)


def paired_ends(fields: Sequence[SchemaField]) -> frozenset[tuple[str, ...]]:
    """Return the paths of the fields for the two ends of one span: minSalary and maxSalary."""
    fields = [field for field in fields if _WHOLE.isdisjoint(field.plain_name.split())]
    first, last = _fields_of_ends(fields)
    pairs = ((one, other) for one in first for other in last if one is not other and _besides(one) == _besides(other))
    return frozenset(field.path for pair in pairs for field in pair)


def _fields_of_ends(fields: Sequence[SchemaField]) -> Iterator[list[SchemaField]]:
    """Yield the fields that may be for the first end of a span, and those for the last."""
    return ([field for field in fields if field.name.concepts & concepts] for concepts in _ENDS.values())


def _besides(field: SchemaField) -> tuple[object, ...]:
    """Return what a field is for besides an end, and the object that it belongs to."""
    ends_of_all = frozenset().union(*_ENDS.values())
    return field.path[:-1], *(word.stem for word in field.name.all if not word.concepts & ends_of_all)


def have_date_and_time(fields: Sequence[SchemaField]) -> bool:
    """Return True if the schema has separate fields for a date and a time."""
    return {"date", "time"} <= set(map(_half, fields))


def _half(field: SchemaField) -> str:
    """Return the part of a moment that a field is for, "date" or "time"; "" for none, or all of it."""
    last = field.plain_name.rpartition(" ")[2]
    parts = words(last).last.concepts & {"date", "time"} if field.type == "string" else ()
    return next(iter(parts)) if len(parts) == 1 else ""


def _mark_of(column: Column) -> str:
    return column.key[-SPAN_MARK_LENGTH:]


def is_part(column: Column) -> bool:
    """Return True if a column is an end or a half of another."""
    return _mark_of(column) in _ENDS or _mark_of(column) in _HALVES


def agree_on_part(field: SchemaField, column: Column, *, is_span: bool, is_moment: bool = False) -> bool:
    """Return True if a column is the end or the half that a field is for, or if neither is for a part."""
    mark = _mark_of(column)
    if (concepts := _ENDS.get(mark)) is not None:
        return bool(field.name.concepts & concepts)
    if (half := _HALVES.get(mark)) is not None:
        return _half(field) == half
    return not (is_span and any(field.name.concepts & end for end in _ENDS.values())) and not (
        is_moment and _half(field)
    )


def halves(column: Column) -> Iterator[Column]:
    """Yield the dates and the times of a column of moments, each as a column."""
    if column.is_many or column.kind not in WRITTEN:
        return
    found = [_MOMENT.fullmatch(text) if len(text) < _LONGEST else None for text in column.texts]
    sample = [match for match in found[:_TRIED] if match]
    dated = sum(not kinds_of(match[1]).isdisjoint(("date", "ago")) for match in sample)
    if dated * 2 > min(_TRIED, len(found)):
        yield from (
            _part(column, found, at, mark, [name], _NAMED) for at, (mark, name) in enumerate(_HALVES.items(), 1)
        )


def ends(column: Column) -> Iterator[Column]:
    """Yield the two ends of a column of spans or routes, each as a column."""
    if column.is_many or column.kind not in WRITTEN:
        return
    for pattern in (_SPAN, _ROUTE):
        found = [pattern.fullmatch(text) if len(text) < _LONGEST else None for text in column.texts]
        sample = [match for match in found[:_TRIED] if match]
        if len(sample) * 2 > min(_TRIED, len(found)):
            is_route = pattern is _ROUTE
            names = zip(_ENDS, _PLACES if is_route else _names_by_shape(sample), strict=False)
            trust = _NAMED_BY_ARROW if is_route else _NAMED
            yield from (_part(column, found, at, mark, end, trust) for at, (mark, end) in enumerate(names, 1))
            return


def _names_by_shape(sample: "Sequence[re.Match[str]]") -> Sequence[Sequence[str]]:
    """Return the names of the two ends of such spans; none for spans of another shape."""
    if all("date" in kinds_of(match[1].strip()) and "time" in kinds_of(match[2].strip()) for match in sample):
        return ()  # one moment: "15 July, until 11 o'clock"
    kinds = [kinds_of(match[2].strip()) for match in sample]
    for like, *names in _NAMES:
        if sum(not kind.isdisjoint(like) for kind in kinds) * 2 > len(kinds):
            return names
    return ()


def _part(
    column: Column, found: "Sequence[re.Match[str] | None]", at: int, mark: str, names: Sequence[str], trust: float
) -> Column:
    """Return the column of one group of the matches, with names of its own."""
    kept = [place for place, match in enumerate(found) if match]
    whole = [text for relation, text in column.labels if relation == Relation.NAME] + column.heads
    return attrs.evolve(
        column,
        key=f"{column.key}{mark}",
        kind="part",
        rows=[column.rows[place] for place in kept],
        texts=[match[at].strip() for match in found if match],
        spots=[column.spots[place] for place in kept],
        names=[*column.names, *((" ".join([*whole, name]), trust) for name in names)],
        twins=[],
    )
