"""Fit of the written form of texts to a schema field: likelihoods on the scale of `column_fit`, set by hand."""

import re
import string
from typing import Final

from agentbrowser.extraction.caching import memoize
from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.schema.concepts import (
    DATES,
    DAYS,
    DURATIONS,
    MEASURES,
    MONEY,
    PEOPLE,
    PROSE,
    SOMETIMES_FREE,
    TIMES,
    TITLES,
    WORDED,
)
from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.text.kinds import VOCABULARIES, is_weekday, kinds_of

NEVER: Final = -1.0
MIN_SHARE: Final = 0.2
"""Share of values with a number, or with an amount of money, below which a column has hardly any."""
MAX_TEXTS: Final = 8
_CODE_START: Final = re.compile(r"^[A-Z]{1,3}-?\d{2,}")
"""The beginning of a number plate or of another code, which is no date."""

_MIN_PHONE: Final = 5
"""Least number of digits of a telephone number."""
_MIN_BARE_PHONE: Final = 7
_MAX_BARE_PHONE: Final = 15
"""Number of digits of a telephone number that has no other signs."""
_UNLIKELY_CONTACT: Final = -0.6
"""Likelihood of a text that has the signs of an address or number, but not its form."""
_DIVISIONS: Final = frozenset(("category", "department", "region", "chapter", "round", "league", "season", "section"))
"""Concepts and words for what lists are divided by."""
_HEADING_LIKELIHOOD: Final = 0.5
_LONGEST_PLACE: Final = 50
"""Mean length above which texts are no places."""
_WORD_BREAKS: Final = re.compile(r"[\s–-]+")
_TIME_FORMS: Final = frozenset(("date", "ago", "time", "duration"))
_OF_CARS: Final = ("fuel", "gearbox", "bodytype")
"""Vocabularies without common words: a value of one is none of another."""
_JOURNEY_ENDS: Final = frozenset(("origin", "destination"))
_DECIDED_FORMS: Final = ("money", "percent", "date", "ago", "time", "duration", "rating", "email", "phone", "url")
"""Forms of values that are neither words nor places."""


def text_likelihood(field: SchemaField, column: Column) -> float:
    """Return the likelihood of the texts' written form for a field, -1 (never) to 1."""
    profile, concepts = column.profile, field.concepts
    if is_division(field, column):
        return _HEADING_LIKELIHOOD
    last = field.name.all[-1].concepts if field.name.all else concepts
    if "department" in last and profile.share("place") > 0.5:
        return -0.5  # "Lisbon, Portugal" says where a team is
    known = [look for concept in last or concepts if (look := _as_concept(field, column, concept)) is not None]
    if not known:
        others = [_as_concept(field, column, concept) for concept in concepts]
        known = [0.5 * look for look in others if look is not None and look > 0]
    if field.is_subject:
        known.append(column.title_look - 0.05)
    if known:
        return max(known)
    if profile.length > 160:
        return -0.3
    return 0.0 if profile.share("money", "date", "email", "phone", "url", "rating") < 0.5 else -0.25


def is_division(field: SchemaField, column: Column) -> bool:
    """Return True if values stand over some of the items each, and a field is for what lists are divided by."""
    is_for_divisions = not field.name.last.concepts.isdisjoint(_DIVISIONS) or field.plain_name in _DIVISIONS
    return column.is_over and field.type == "string" and len(field.name.all) == 1 and is_for_divisions


def _as_concept(field: SchemaField, column: Column, concept: str) -> float | None:
    """Return the fit of values to a concept; None for a concept without a typical form."""
    profile = column.profile
    if concept == "email":
        return _as_email(column)
    if concept in ("phone", "fax"):
        return _as_phone(column)
    if concept == "open" and "hours" in field.concepts and column.total == 1:
        return 0.5 if profile.numeric > 0.5 else 0.0
    if concept in ("location", "city") and profile.length > _LONGEST_PLACE:
        return NEVER
    if concept in ("location", "city") and column.total == 1:
        return 0.4 if profile.share("place") > 0.5 else -0.3 if profile.wordy < 0.5 else 0.0
    if concept in DATES:
        return _as_date(field, column)
    if concept in TIMES:
        return _as_time(column)
    if concept in ("address", "location", "city") and column.total > 1:
        return _as_place(concept, column)
    if concept in MEASURES:
        is_never = profile.numeric < MIN_SHARE and "size" not in field.name.last.concepts  # of clothes: S, M, L
        return 0.4 if profile.numeric > 0.5 else NEVER if is_never else -0.2
    if concept in _JOURNEY_ENDS:
        return 0.25 if profile.numeric < 0.3 else -0.2
    if concept == "unit" and field.is_unit:
        return 0.0 if profile.numeric > 0.5 else 0.2
    if concept in MONEY:
        if profile.share("money") + (column.free if concept in SOMETIMES_FREE else 0.0) > 0.5:
            return 0.9
        is_never = profile.numeric < MIN_SHARE and concept in field.name.concepts
        return 0.0 if profile.numeric > 0.5 else NEVER if is_never else -0.6
    if concept in DURATIONS:
        return -0.3 if profile.share("ago") > 0.5 else 0.8 if profile.share("duration") > 0.5 else 0.0
    if concept in TITLES:
        return min(1.0, title_share(field, concept)) * column.title_look
    if concept in PROSE:
        return 0.8 if profile.length > 60 else 0.4 if profile.length > 30 else 0.0 if profile.length > 12 else -0.3
    if concept in ("id", "sku", "gtin", "partnumber", "invoice", "order"):
        return 0.5 if profile.share("code") > 0.5 else 0.1 if profile.numeric > 0.5 else -0.2
    if concept == "version":
        return 0.8 if profile.share("version") > 0.5 else 0.0 if profile.numeric > 0.5 else -0.3
    if concept == "currency":
        return 0.7 if profile.share("money") > 0.5 or profile.length <= 4 else NEVER
    if concept in VOCABULARIES:
        others = [f"{other} word" for other in _OF_CARS if other != concept]
        if concept in (*_OF_CARS, "color") and profile.share(*others) > 0.5:
            return NEVER
        return 0.5 if profile.share(f"{concept} word") > 0.4 else -0.3 if profile.numeric > 0.7 else 0.0
    if concept in PEOPLE:
        return 0.4 if profile.share("person") > 0.4 else 0.2 if profile.numeric < 0.3 and profile.length < 40 else -0.3
    if concept == "company":
        return 0.4 if profile.share("company") > 0.3 else -0.2 if profile.numeric > 0.7 else 0.0
    if concept in WORDED:
        return -0.5 if profile.share(*_DECIDED_FORMS) > 0.5 else -0.3 if profile.numeric > 0.7 else 0.05
    if concept == "rating":
        return 0.7 if profile.share("rating") > 0.5 else 0.2 if profile.numeric > 0.5 else -0.2
    return None


@memoize
def _is_code(text: str) -> bool:
    return _CODE_START.search(text) is not None


def _as_email(column: Column) -> float:
    if column.profile.share("email") > 0.5 >= column.profile.share("date"):
        return 1.0
    return _UNLIKELY_CONTACT if sum("@" in text for text in column.texts) > len(column.texts) / 2 else NEVER


def _as_phone(column: Column) -> float:
    profile = column.profile
    if profile.share("phone") <= 0.5 < profile.share("number"):
        is_long = _MIN_BARE_PHONE <= sum(map(str.isdigit, column.texts[0])) <= _MAX_BARE_PHONE
        return 0.3 if is_long else _UNLIKELY_CONTACT
    digits = [sum(map(str.isdigit, text)) for text in column.sample]
    if sum(count < _MIN_PHONE for count in digits) * 2 > len(digits):
        return NEVER
    if profile.share("phone") > 0.5 >= profile.share("date"):
        return 1.0
    numbered = sum(any(digit in text for digit in string.digits) for text in column.texts)
    return _UNLIKELY_CONTACT if numbered > len(column.texts) / 2 else NEVER


def title_share(field: SchemaField, concept: str) -> float:
    """Return the share of a field's name that its concept makes up: half of ``firstName`` is a name."""
    total = sum(word.weight for word in field.name.all)
    titled = sum(word.weight for word in field.name.all if word.concepts & TITLES)
    return titled / total if total and concept in field.name.concepts else 0.5


def _as_date(field: SchemaField, column: Column) -> float:
    profile = column.profile
    if column.kind in ("datetime", "content", "json", "meta"):
        return (1.3 if field.wants_iso else 0.6) if profile.share("date", "time") > 0.5 else -0.4
    if (
        field.wants_iso
        and profile.numeric > 0.5
        and all(text[:4].isdigit() and text[4:5] == "-" for text in column.texts[:5])
    ):
        return 1.2
    if profile.share("date", "ago") > 0.5:
        return 0.95
    if is_timeless(column) or sum(map(_is_code, column.sample)) * 2 > len(column.sample):
        return NEVER
    if field.concepts & DAYS and all(map(is_weekday, column.texts[:MAX_TEXTS])):
        return 0.6
    return 0.5 if profile.share("time") > 0.5 else 0.3 if profile.share("period") > 0.5 else -0.5


def _as_place(concept: str, column: Column) -> float:
    profile = column.profile
    if concept == "address" and profile.share("address") > 0.5:
        return 0.5
    if profile.share(*_DECIDED_FORMS) > 0.5:
        return -0.5
    if concept == "address":
        return 0.1 if profile.share("place") > 0.5 else -0.1
    return 0.4 if profile.share("place") > 0.5 else -0.2 if profile.share("company", "address") > 0.3 else 0.05


def _as_time(column: Column) -> float:
    if column.profile.share("time", "date", "ago", "duration") > 0.5:
        return 0.8
    return NEVER if is_timeless(column) else -0.3 if column.profile.numeric < 0.5 else 0.0


def is_timeless(column: Column) -> bool:
    """Return True if hardly any value has a number, a day of the week or a month."""
    sample = column.texts[:MAX_TEXTS]
    timely = sum(
        bool(kinds_of(text) & _TIME_FORMS) or any(map(is_weekday, _WORD_BREAKS.split(text)[:4])) for text in sample
    )
    return column.profile.numeric < MIN_SHARE and timely * 2 < len(sample)
