"""Choice among the numbers of one text: by the unit of the field, the ends of a span, a total, or the words around."""

import re
from collections.abc import Sequence
from typing import Final

from agentbrowser.extraction.schema.concepts import COUNTS, SOMETIMES_FREE
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
_PART_OF: Final = re.compile(r"^\D{0,24}\d+\s?(?:/|of|von|de|sur|di|van|z|af|av)\s?(\d[\d.,]*)", re.IGNORECASE)
"""The total of which a number is a part: "3 of 5 tasks"."""
_PAGES: Final = re.compile(
    r"\b(?:page|seite|página|pagina|strona|sida|side|sivu)\s+\d+\s*(?:/|of|von|de|sur|di|van|z|af|av)\s*(\d+)",
    re.IGNORECASE,
)
_YEAR: Final = re.compile(r"(?<!\d)(?:1\d|2[01])\d\d(?!\d)")
_WHOLES: Final = frozenset(("count", "total", "pages"))
_PARTED: Final = re.compile(r"[,;·•|](?=\s)")
"""The end of the words for one number: "Season 2, Episode 5"."""
_TO: Final = re.compile(r"[-−–—~〜～]|to|bis|à|a|do|tot|till|til|until|al|au", re.IGNORECASE)
_LAST: Final = frozenset(("maximum", "high", "end", "death"))
"""Concepts of the last end of a span: 1938 of "1861–1938" for deathYear."""
_FIRST: Final = frozenset(("minimum", "low"))
"""Concepts of the lower end of a span."""
RATED: Final = re.compile(
    r"[★⭐]\s*\d|\d\s*(?:/|out of|von|sur|de|su|van|(?:u[dt] )?a[fv]|z)\s*(?:5|10)|\d\s*[★⭐]", re.IGNORECASE
)
_APART: Final = re.compile(r"""["'″]?\s*\(""")
"""The text between a size and the same size in another unit: 5'11" (180 cm)."""
_PAIRS: Final = (
    (re.compile(r"\s*(\d{1,3})\s*[-–—−:]\s*(\d{1,3})\s*$"), ("home", "away")),  # 3–1
    (re.compile(r"\s*(-?\d+\.\d+)\s*°?\s*N?\s*[,;/ ]\s*(-?\d+\.\d+)\s*°?\s*E?\s*$"), ("latitude", "longitude")),
    (re.compile(r"\s*(\d{3,5})\s*(?:px\s*)?[x×]\s*(\d{3,5})\s*(?:px|pixels)?\s*$"), ("width", "height")),
    (re.compile(r"\s*S(\d{1,2})[\s.·]*E(\d{1,3})\b", re.IGNORECASE), ("season", "episode")),  # S02E05
)
"""Texts with two numbers, and the words of the fields that each is for."""
_SIZES: Final = (
    {"milligram": 0.001, "gram": 1.0, "kg": 1000.0, "ounce": 28.349523125, "pound": 453.59237},
    {"mm": 0.001, "cm": 0.01, "metre": 1.0, "km": 1000.0, "foot": 0.3048, "mile": 1609.344, "nautical": 1852.0},
    {"sqm": 1.0, "sqft": 0.09290304},
    {"kb": 0.001, "mb": 1.0, "gb": 1000.0, "tb": 1e6},
    {"ms": 0.001, "second": 1.0, "minute": 60.0, "hour": 3600.0, "day": 86_400.0, "week": 604_800.0},
    {"ml": 0.001, "cl": 0.01, "litre": 1.0},
    {"kj": 1.0, "kcal": 4.184},
    {"watt": 1.0, "kw": 1000.0},
)
"""Units of one kind, each with its size."""
_FORMER: Final = re.compile(
    r"\b(?:was|before|regular(?:ly)?|original(?:ly)?|list|rrp|msrp|uvp|statt|vorher|bisher|avant|antes|prima)"
    r"(?: price)?:?\s*\D?$",
    re.IGNORECASE,
)
"""The words before a price that is no longer asked."""
_FREE: Final = re.compile(rf"\s*{kinds.FREE}", re.IGNORECASE)
_DIRECT: Final = re.compile(r"\s*(?:non[- ]?stop|direct|direkt|directo|diretto)\w*\b", re.IGNORECASE)
_NONE: Final = re.compile(
    r"(?:no|keine?|aucune?|sin|nessun\w*|geen|inga|ingen|brak|žádn\w*|nenhum\w*)\s+([^\W\d]+)(?: yet| found)?\.?$",
    re.IGNORECASE,
)
"""A count of zero in words, with its noun: "No reviews yet"."""
_OWN_NOUN: Final = 0.5
"""Similarity above which this noun is that of a field's name."""
_CHARGES: Final = frozenset((
    "price", "amount", "total", "subtotal", "salary", "tax", "fee", "shipping", "rent", "unit", "deposit",
))  # fmt: skip
"""Concepts of amounts that stand beside other numbers: "Subtotal (3 items): $45.00"."""
_OUT_OF: Final = 12
"""Characters behind a rating in which its greatest one stands: " out of 10"."""
_MOST_POINTS: Final = 10
"""Greatest number that is probably a rating."""
_UNIT: Final = re.compile(r"\s?(sq\.?\s?(?:m|ft)\b|[^\W\d_]+[²2]?|%|°[cf]?)", re.IGNORECASE)
"""The unit behind the last digit of a number."""
_JOINED: Final = frozenset(("", "x", "by", "to", "bis"))
"""Words behind a number whose unit is behind the next one."""


def chosen_number(field: SchemaField, text: str, found: Sequence[Number], mark: Mark) -> float:
    """Return the number of a text that a field is for; by default the first.

    Args:
      found: the numbers of the text, at least one.
    """
    if (part := _part_of_pair(field, text)) is not None:
        return part
    if field.concepts & _WHOLES and (whole := _of_all(text, field, mark)) is not None:
        return whole
    if "rating" in field.concepts and (drawn := _drawn_before(text, found)) is not None:
        return drawn
    found = _not_in_dates(field, text, found)
    if len(found) == 1 or len(text) > _LONGEST:
        return _converted(field, text, found[0])
    found = _in_its_unit(field, text, found) or found
    return _converted(field, text, _end_of_span(field, text, found) or _best_named(field, text, found))


def year_in(field: SchemaField, text: str) -> int | None:
    """Return the year of a date, if the field is for one: 1910 of "30.08.1910"."""
    year = _YEAR.search(text) if _is_year(field) and "date" in kinds.kinds_of(text) else None
    return int(year[0]) if year else None


def zero_of(field: SchemaField, text: str) -> float | None:
    """Return 0 for a text without digits that means it: "Free delivery" of shippingCost, "Nonstop" of stops."""
    if not field.concepts.isdisjoint(SOMETIMES_FREE) and _FREE.match(text):
        return 0.0
    if "stops" in field.concepts and _DIRECT.match(text):
        return 0.0
    none = _NONE.match(text) if field.concepts & COUNTS else None
    return 0.0 if none and likeness(field.name, words(none[1])) > _OWN_NOUN else None


def _part_of_pair(field: SchemaField, text: str) -> float | None:
    """Return the number of a pair that a field is for: 1 of "3–1" for the away team."""
    for pattern, (first, second) in _PAIRS:
        asked = field.name.concepts & {first, second}
        if len(asked) == 1 and (pair := pattern.match(text)):
            return float(pair[1 if first in asked else 2])
    return None


def _converted(field: SchemaField, text: str, number: Number) -> float:
    """Return a number in the unit of the field's name, if it has another one of the same kind: 1.25 kg of 1,250 g."""
    asked, written = unit_of(field.plain_name, ""), UNIT_OF.get(_unit_behind(text, number), "")
    sizes = next((sizes for sizes in _SIZES if {asked, written} <= sizes.keys()), None)
    return round(number.value * sizes[written] / sizes[asked], 10) if sizes else number.value


def _not_in_dates(field: SchemaField, text: str, found: Sequence[Number]) -> Sequence[Number]:
    """Return the numbers of a text that are no part of a date, if there are any: 27 of "Jan 1, 1998 (27)"."""
    if len(found) == 1:
        return found
    dates = [date.span() for date in kinds.DATE.finditer(text)]
    return [one for one in found if not any(start <= one.start < end for start, end in dates)] or found


def _is_year(field: SchemaField) -> bool:
    """Return True for a year, but not for a number of years."""
    return "year" in field.concepts and "years" not in field.plain_name.split()


def _in_its_unit(field: SchemaField, text: str, found: Sequence[Number]) -> Sequence[Number]:
    """Return the numbers with the unit of a field's name: 142 of "1,528 sq ft (142 m²)" for floorAreaSqm."""
    if not (unit := unit_of(field.plain_name, "")):
        return ()
    fitting, is_fitting = list[Number](), False
    for number in reversed(found):
        behind = _unit_behind(text, number)
        is_joined = behind in _JOINED and not _APART.match(text, number.end)
        is_fitting = is_fitting if is_joined else UNIT_OF.get(behind) == unit  # 120 × 60 cm: both are in cm
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
    if len(found) != 2 or found[0].value == found[1].value:
        return None
    first, last = found
    unit = text[last.end :].strip()
    between = text[first.end : last.start].strip().removeprefix(unit).strip() or text[last.start]  # $1K/yr - $2K/yr
    is_last = not field.name.concepts.isdisjoint(_LAST)
    if between == "/" and (is_last or not field.name.concepts.isdisjoint(_FIRST)):
        chosen = max if is_last else min
        return chosen(found, key=lambda one: one.value)  # 72°/55°
    return found[is_last] if first.value < last.value and _TO.fullmatch(between) else None


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
    if place + 1 < len(found):
        after = _PARTED.split(after)[0]
    fit = max(likeness(name, words(before)), likeness(name, words(after)))
    if "percent" in field.full_text or "%" in field.full_text or "percent" in field.name.concepts:
        fit += "%" in text[number.start : number.end + 2]
    is_count = "count" in field.concepts
    if is_count:
        fit += 0.3 * number.value.is_integer()
    if "rating" in field.concepts and not is_count:
        fit += bool(RATED.search(text[max(0, number.start - 3) : number.end + _OUT_OF]))
        fit += 0.6 * (number.value <= _MOST_POINTS)
    if field.concepts & _CHARGES:
        around = text[max(begin, number.start - 3) : min(until, number.end + 5)]
        fit += 1.5 * ("money" in kinds.kinds_of(around.strip()))
        fit -= _FORMER.search(before) is not None and "old" not in field.concepts
    if _is_year(field):
        fit += 0.5 * (_YEAR.fullmatch(text[number.start : number.end].strip()) is not None)
    return round(fit, 2)


def _of_all(text: str, field: SchemaField, mark: Mark) -> float | None:
    found = (_PAGES if "pages" in field.concepts else _RANGE).search(text)
    if not found and "total" in field.plain_name.split():
        found = _PART_OF.search(text)
    numbers = numbers_in(found[1], mark) if found else []
    return numbers[0].value if numbers else None


def _drawn_before(text: str, found: Sequence[Number]) -> float | None:
    """Return the number of stars before numbers of something else: "★★★★☆ 167 reviews"."""
    drawn = text[: found[0].start]
    is_drawn = sum(mark in "★⭐🌟☆" for mark in drawn) > 2 and all(number.value > _MOST_STARS for number in found)
    return stars(drawn) if is_drawn else None
