"""Choice among the numbers of one text: by the unit of the field, the ends of a span, a total, or the words around."""

import re
from collections.abc import Sequence
from typing import Final

from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.text import kinds
from agentbrowser.extraction.text.numerals import Mark, Number, numbers_in, stars
from agentbrowser.extraction.text.units import UNIT_OF, UNITS, unit_of
from agentbrowser.extraction.text.words import Words, likeness, words

_NEAR: Final = 24
_LONGEST: Final = 200
_MOST_STARS: Final = 5
_RANGE: Final = re.compile(
    r"\d\s?[-–—]\s?\d[\d.,]*\s*(?:of|von|de|sur|di|van|z|af|av)\s+(?:\D{0,12}\s)?(\d.*)", re.IGNORECASE
)
"""The total after a range: "1-9 of 47"."""
_PAGES: Final = re.compile(
    r"\b(?:page|seite|página|pagina|strona|sida|side|sivu)\s+\d+\s*(?:/|of|von|de|sur|di|van|z|af|av)\s*(\d+)",
    re.IGNORECASE,
)
_WHOLES: Final = frozenset(("count", "total", "pages"))
_TO: Final = re.compile(r"[-−–—~〜～]|to|bis|à|a|do|tot|till|til|until|al|au", re.IGNORECASE)
_LAST: Final = frozenset(("maximum", "high", "end", "death"))
"""Concepts of the last end of a span: 1938 of "1861–1938" for deathYear."""
RATED: Final = re.compile(
    r"[★⭐]\s*\d|\d\s*(?:/|out of|von|sur|de|su|van|(?:u[dt] )?a[fv]|z)\s*(?:5|10)|\d\s*[★⭐]", re.IGNORECASE
)
_UNIT: Final = re.compile(r"\s?(sq\.?\s?(?:m|ft)\b|[^\W\d_]+[²2]?|%|°[cf]?)", re.IGNORECASE)
"""The unit behind the last digit of a number."""
_JOINED: Final = frozenset(("", "x", "by", "to", "bis"))
"""Words behind a number whose unit is behind the next one."""


def chosen_number(field: SchemaField, text: str, found: Sequence[Number], mark: Mark) -> float:
    """Return the number of a text that a field is for; by default the first.

    Args:
      found: the numbers of the text, at least one.
    """
    if field.concepts & _WHOLES and (whole := _of_all(text, field, mark)) is not None:
        return whole
    if "rating" in field.concepts and (drawn := _drawn_before(text, found)) is not None:
        return drawn
    if len(found) == 1 or len(text) > _LONGEST:
        return found[0].value
    found = _in_its_unit(field, text, found) or found
    return (_end_of_span(field, text, found) or _best_named(field, text, found)).value


def _in_its_unit(field: SchemaField, text: str, found: Sequence[Number]) -> Sequence[Number]:
    """Return the numbers with the unit of a field's name: 142 of "1,528 sq ft (142 m²)" for floorAreaSqm."""
    if not (unit := unit_of(field.plain_name, "")):
        return ()
    fitting, is_fitting = list[Number](), False
    for number in reversed(found):
        behind = _unit_behind(text, number)
        is_fitting = is_fitting if behind in _JOINED else UNIT_OF.get(behind) == unit  # 120 × 60 cm: both are in cm
        fitting[:0] = [number] if is_fitting else []
    return fitting


def _unit_behind(text: str, number: Number) -> str:
    end = next((at for at in range(number.end, number.start, -1) if text[at - 1].isdigit()), number.end)
    behind = _UNIT.match(text, end)
    return re.sub(r"[\s.]", "", behind[1]).lower() if behind else ""


def _end_of_span(field: SchemaField, text: str, found: Sequence[Number]) -> Number | None:
    """Return the end of a span of two numbers that a field is for: the first, unless its name is for the last.

    None for a text that is no span.
    """
    if len(found) != 2 or found[0].value >= found[1].value:
        return None
    first, last = found
    between = text[first.end : last.start].strip() or text[last.start]
    return found[not field.name.concepts.isdisjoint(_LAST)] if _TO.fullmatch(between) else None


def _best_named(field: SchemaField, text: str, found: Sequence[Number]) -> Number:
    """Return the number whose surrounding words are most similar to the field; by default the first."""
    left = tuple(word for word in field.name.all if word.stem not in UNITS)
    name = Words(left) if 0 < len(left) < len(field.name.all) else field.name  # height of ``height_cm``
    return max(found, key=lambda number: (_fit(field, name, text, number, found), -number.start))


def _fit(field: SchemaField, name: Words, text: str, number: Number, found: Sequence[Number]) -> float:
    place = found.index(number)
    begin = found[place - 1].end if place else 0
    until = found[place + 1].start if place + 1 < len(found) else len(text)
    before = text[max(begin, number.start - _NEAR) : number.start]
    after = text[number.end : min(until, number.end + _NEAR)]
    fit = max(likeness(name, words(before)), likeness(name, words(after)))
    if "percent" in field.full_text or "%" in field.full_text or "percent" in field.name.concepts:
        fit += "%" in text[number.start : number.end + 2]
    if "rating" in field.concepts:
        fit += bool(RATED.search(text[max(0, number.start - 3) : number.end + 8]))
    if field.concepts & {"price", "amount", "total", "salary"}:
        around = text[max(begin, number.start - 3) : min(until, number.end + 5)]
        fit += 0.5 * ("money" in kinds.kinds_of(around.strip()))
    if "year" in field.concepts:
        fit += 0.5 * (1000 <= number.value < 2200 and number.end - number.start == 4)
    return round(fit, 2)


def _of_all(text: str, field: SchemaField, mark: Mark) -> float | None:
    found = (_PAGES if "pages" in field.concepts else _RANGE).search(text)
    numbers = numbers_in(found[1], mark) if found else []
    return numbers[0].value if numbers else None


def _drawn_before(text: str, found: Sequence[Number]) -> float | None:
    """Return the number of stars before numbers of something else: "★★★★☆ 167 reviews"."""
    drawn = text[: found[0].start]
    is_drawn = sum(mark in "★⭐🌟☆" for mark in drawn) > 2 and all(number.value > _MOST_STARS for number in found)
    return stars(drawn) if is_drawn else None
