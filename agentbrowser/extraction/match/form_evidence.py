"""Evidence in the written form of values, for and against a field: shapes, units, lengths."""

import re
from functools import lru_cache
from typing import Final

from agentbrowser.extraction.caching import memoize
from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.schema.concepts import DATES, DAYS, MONEY, PEOPLE, PROSE, TIMES
from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.text.kinds import VOCABULARIES, is_weekday

_SHAPES: Final[tuple[tuple[frozenset[str], frozenset[str]], ...]] = (
    (MONEY | {"cost", "discount", "old", "sale", "regular"}, frozenset(("money",))),
    (DATES | {"start", "end", "year"}, frozenset(("date", "ago", "period", "year"))),
    (TIMES | {"open", "closed", "hours"}, frozenset(("time", "date", "duration"))),
    (frozenset(("duration", "time", "delay")), frozenset(("duration", "time"))),
    (frozenset(("rating", "score", "stars")), frozenset(("rating",))),
    (frozenset(("percent", "discount", "humidity", "alcohol")), frozenset(("percent",))),
    (frozenset(("email",)), frozenset(("email",))),
    (frozenset(("phone", "fax")), frozenset(("phone",))),
    (frozenset(("id", "sku", "invoice", "order", "tracking", "code")), frozenset(("code",))),
    (frozenset(("version",)), frozenset(("version",))),
    (frozenset(("address",)), frozenset(("address",))),
    (frozenset(("location", "city")), frozenset(("place",))),
    (PEOPLE, frozenset(("person",))),
    (frozenset(("company", "maker", "publisher", "seller")), frozenset(("company",))),
    *((frozenset((name,)), frozenset((f"{name} word",))) for name in VOCABULARIES),
)
"""Concepts with the shapes of their values."""
_DECIDED: Final = ("money", "percent", "date", "ago", "time", "duration", "rating", "email", "phone", "url")
"""Shapes that a value of another concept hardly ever has."""
_LOOSE: Final = frozenset(("person", "code", "time"))
"""Shapes that much else has too."""
_UNIT: Final = re.compile(
    r"^\D{0,12}\d[\d.,\s'’]*\s?(kg|g|lbs?|oz|t|km|mi|m|cm|mm|ft|[kmgt]i?b|k?w|hp|ps|kwh|m?l|cl|m²|m2|sqm|ha|ft²|°[cf]?)\b"
    r"(?!\s?\d)",
    re.IGNORECASE,
)
_LENGTHS: Final = frozenset((
    "distance", "length", "height", "width", "depth", "diameter", "elevation", "mileage", "size", "dimensions",
))  # fmt: skip
_BY_UNIT: Final[dict[str, frozenset[str]]] = {
    **dict.fromkeys(("kg", "g", "lb", "lbs", "oz", "t"), frozenset((
        "weight", "capacity", "protein", "fat", "carbs", "sugar", "salt", "fiber", "quantity", "amount", "size",
    ))),
    **dict.fromkeys(("km", "mi", "m", "cm", "mm", "ft"), _LENGTHS),
    **dict.fromkeys(("kb", "mb", "gb", "tb", "kib", "mib", "gib", "tib"), frozenset((
        "memory", "storage", "size", "capacity", "volume",
    ))),
    **dict.fromkeys(("w", "kw", "hp", "ps", "kwh"), frozenset(("power", "capacity", "energy"))),
    **dict.fromkeys(("l", "ml", "cl"), frozenset(("volume", "capacity", "size", "quantity", "amount"))),
    **dict.fromkeys(("m²", "m2", "sqm", "ha", "ft²"), frozenset(("area", "size"))),
    **dict.fromkeys(("°", "°c", "°f"), frozenset(("temperature", "high", "low"))),
}  # fmt: skip
"""Concepts by the unit of a number."""
_USUAL: Final = 0.5
_SOME: Final = 0.4
_PROSE: Final = 60
_TRIED: Final = 8


def form_evidence(field: SchemaField, column: Column) -> float:
    """Return the evidence of the written form: 1 for a form of the field's own, -1 for one of another property."""
    concepts, wanted = _asked(field)
    share = column.profile.share
    if concepts & DAYS and all(map(is_weekday, column.texts[:_TRIED])):
        return 1.0
    own = [shape for shape in wanted if share(shape) > _SOME]
    if own:
        return 1.0 if not _LOOSE.issuperset(own) else _USUAL
    if column.profile.numeric > _SOME and _is_in_another_unit(concepts, column):
        return -1.0
    decided = [shape for shape in _DECIDED if share(shape) > _USUAL and not (shape == "url" and field.is_address)]
    if decided:
        return -1.0 if concepts else -_USUAL
    if field.is_text and concepts & PROSE and column.profile.length > _PROSE:
        return 1.0
    if wanted - _LOOSE and not field.is_number:
        return -_USUAL
    return 0.0


@lru_cache(maxsize=1000)
def _asked(field: SchemaField) -> tuple[frozenset[str], frozenset[str]]:
    """Return the concepts of a field, and the shapes of its values."""
    concepts = field.concepts | field.hint.concepts
    return concepts, frozenset(shape for names, shapes in _SHAPES if names & concepts for shape in shapes)


def _is_in_another_unit(concepts: frozenset[str], column: Column) -> bool:
    """Return True if most values have the unit of another property: 14.2 kg as a size of a frame."""
    sample = column.texts[:_TRIED]
    found = [unit for unit in map(_unit_of, sample) if unit]
    if len(found) * 2 <= len(sample):
        return False
    fitting = _BY_UNIT.get(found[0], frozenset())
    return bool(fitting) and fitting.isdisjoint(concepts)


@memoize
def _unit_of(text: str) -> str:
    """Return the unit of a number; "" for another text."""
    found = _UNIT.match(text)
    return found[1].lower() if found else ""
