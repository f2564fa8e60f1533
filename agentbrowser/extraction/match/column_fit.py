"""Fit of a column to a schema field: by its names, by the written form of its values, by its shape.

Likelihoods are set by hand, on a scale from -1 (`NEVER`) over 0 (no evidence) to 1. The fitted model weighs them.
"""

import re
import string
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from agentbrowser.extraction.caching import memoize
from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.number_choice import RATED
from agentbrowser.extraction.columns.value_reader import is_name_of, numbers_read
from agentbrowser.extraction.columns.value_shapes import SHAPES
from agentbrowser.extraction.model.weights import WEIGHTS
from agentbrowser.extraction.schema.concepts import (
    COUNTS,
    DATES,
    DAYS,
    DURATIONS,
    MEASURES,
    MONEY,
    PEOPLE,
    PROSE,
    TIMES,
    TITLES,
    WORDED,
)
from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.schema.value_types import value_type_of
from agentbrowser.extraction.text.kinds import VOCABULARIES, is_weekday, kinds_of
from agentbrowser.extraction.text.words import Words, coverage, likeness, union, words
from agentbrowser.long_work import give_way

NEVER: Final = -1.0
_ADDRESS_KINDS: Final = frozenset(("href", "src"))
_HINT_TRUST: Final = 0.72
"""Similarity to a field of a name all of whose words are in the field's description."""
_MAX_TEXTS: Final = 8
_MIN_SHARE: Final = 0.2
"""Share of values with a number, or with an amount of money, below which a column has hardly any."""
_MISSING_CENTS: Final = re.compile(r"\d[.,]$")
"""An amount without its cents, which are in another element."""

_MACHINE_KINDS: Final = frozenset(("json", "meta", "content", "value"))
_SPAN_OF_TIME: Final = re.compile(r"\d\s?(?:h|hrs?|min|m)\.?\s?\d+\s?(?:min|m|sec|s)\b", re.IGNORECASE)
"""A time in two units, which is no other number: "4m 12s"."""
_CODE_START: Final = re.compile(r"^[A-Z]{1,3}-?\d{2,}")
"""The beginning of a number plate or of another code, which is no date."""
_TIME_CONCEPTS: Final = TIMES | DATES | DURATIONS | {"hours", "delay", "layover", "time"}
_MAX_RATING: Final = 100
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
_NEARLY_ALL: Final = 0.9
_LONGEST_PLACE: Final = 50
"""Mean length above which texts are no places."""
_WORD_BREAKS: Final = re.compile(r"[\s–-]+")
_TIME_FORMS: Final = frozenset(("date", "ago", "time", "duration"))
_OF_CARS: Final = ("fuel", "gearbox", "bodytype")
"""Vocabularies without common words: a value of one is none of another."""
_JOURNEY_ENDS: Final = frozenset(("origin", "destination"))
_DECIDED_FORMS: Final = ("money", "percent", "date", "ago", "time", "duration", "rating", "email", "phone", "url")
"""Forms of values that are neither words nor places."""


def name_similarity(field: SchemaField, column: Column, names: Sequence[tuple[Words, float]]) -> float:
    """Return the similarity of some names of a column to a field, 0 to 1."""
    best = 0.0
    for phrase, trust in names:
        if (similar := trust * _phrase_similarity(field, phrase)) > best:
            best = similar
    if field.outer is not None and column.section:
        best += 0.15 * likeness(field.outer, words(column.section)) * (best > 0)
    return best if best < 1 else 1.0


def unmatched_share(field: SchemaField, column: Column) -> float:
    """Return the share of a field's name that no name of a column has: "loyalty" of loyaltyPoints under "Points"."""
    return 1 - coverage(field.name, column.every_name) if field.name.all and column.every_name.all else 1.0


def surplus_share(field: SchemaField, names: Sequence[Words]) -> float:
    """Return the least share of a name that a field's name and description lack: "Order" of "Order number"."""
    requested = union((field.name, field.hint))
    return (
        min([1 - coverage(phrase, requested) for phrase in names if phrase.all], default=0.0) if requested.all else 0.0
    )


@lru_cache(maxsize=20_000)
def _phrase_similarity(field: SchemaField, phrase: Words) -> float:
    """Return the similarity of a phrase to a field's name and description, 0 to 1."""
    similar = likeness(field.name, phrase)
    if field.outer is not None:
        similar = max(similar * 0.9, likeness(union((field.outer, field.name)), phrase))
    if similar < 0.95 and field.hint.all:
        similar = max(
            similar,
            _HINT_TRUST * coverage(phrase, field.hint),
            0.9 * likeness(union((field.name, field.hint)), phrase),
        )
    return similar


def form_likelihood(field: SchemaField, column: Column) -> float:
    """Return the likelihood of the values' written form for a field, -1 (never) to 1."""
    give_way()
    is_address = column.kind in _ADDRESS_KINDS or field.wants_image or field.wants_link
    if is_address and (address := _as_address(field, column)) is not None:
        return address
    if column.kind == "disabled" and field.type != "boolean":
        return NEVER
    if field.is_number:
        return _as_number(field, column)
    if field.type == "boolean":
        return _as_truth(field, column)
    if column.profile.wordy + column.profile.numeric == 0:
        return NEVER
    if column.kind in ("checked", "class", "value") and column.profile.numeric < 0.5:
        return NEVER
    return _as_text(field, column)


def _as_address(field: SchemaField, column: Column) -> float | None:
    """Return the fit of links and images; None where neither the field nor the column is one."""
    if column.kind == "href":
        if field.type == "string" and "media" in field.name.last.concepts:
            return 0.9
        scheme = column.texts[0].partition(":")[0] if column.texts else ""
        if scheme in ("mailto", "tel"):
            wanted = "email" if scheme == "mailto" else "phone"
            return 0.9 if wanted in field.concepts and field.type == "string" else NEVER
    if field.wants_image:
        if column.kind == "src" and column.texts[0].startswith("data:"):
            return -0.2
        return 1.0 if column.kind == "src" else 0.2 if column.kind == "href" else NEVER
    if field.wants_link:
        is_written = column.kind != "src" and column.profile.share("url") > 0.5
        return 1.0 if column.kind == "href" else 0.5 if is_written else NEVER
    if column.kind in _ADDRESS_KINDS:
        return NEVER
    return None


def _as_number(field: SchemaField, column: Column) -> float:
    is_money = not field.concepts.isdisjoint(MONEY)
    is_numeric = column.profile.numeric >= (0.3 if is_money else 0.4) or column.is_numbered
    is_phone = "phone" not in field.concepts and column.profile.share("phone") > 0.5
    if not is_numeric or column.kind == "prose" or is_phone:
        return NEVER
    sample = column.sample
    if is_money and sum(map(_is_without_cents, sample)) > len(sample) / 2:
        return NEVER
    if sum(map(_is_span_of_time, sample)) * 2 > len(sample) and field.concepts.isdisjoint(_TIME_CONCEPTS):
        return NEVER
    values = list(map(numbers_read(field, column), sample))
    if field.concepts & {"rating", "score"} == {"rating"} and any(
        value is not None and value > _MAX_RATING for value in values
    ):
        return NEVER
    is_sum = is_money and column.profile.share("money") >= _MIN_SHARE
    if values.count(None) > (1 - _MIN_SHARE if is_sum else 0.5) * len(values):
        return NEVER
    return _as_readable_number(field, column)


@memoize
def _is_span_of_time(text: str) -> bool:
    return _SPAN_OF_TIME.search(text) is not None


@memoize
def _is_code(text: str) -> bool:
    return _CODE_START.search(text) is not None


@memoize
def _is_without_cents(text: str) -> bool:
    return _MISSING_CENTS.search(text) is not None


def _as_readable_number(field: SchemaField, column: Column) -> float:
    profile, concepts = column.profile, field.concepts
    is_share = profile.share("percent") > 0.5
    if "percent" in field.full_text or "%" in field.full_text or (is_share and "percent" in concepts):
        return 0.9 if is_share else 0.2
    is_money = profile.share("money") > 0.5
    if not concepts.isdisjoint(MONEY):
        return 0.9 if is_money else _as_bare_sum(column)
    if "year" in concepts and not concepts & DATES:
        return 0.9 if profile.share("year") > 0.5 else 0.3 if profile.share("date") > 0.5 else -0.3
    if is_money:
        return -0.15 if concepts else 0.1
    if "rating" in concepts and column.kind == "class":
        return 0.7
    if "rating" in concepts and profile.share("rating") > 0.5:
        return 1.0 if column.total > 1 or RATED.search(column.texts[0]) else 0.6
    if "year" not in concepts and profile.share("date", "time", "phone", "email") > 0.5:
        return -0.5
    if profile.length > 60:
        return -0.3
    if concepts & COUNTS:
        return 0.5 if profile.share("integer") > 0.5 else 0.25
    if profile.share("number", "integer") > 0.5:
        return 0.45
    return 0.2 if profile.length < 25 else 0.0


def _as_bare_sum(column: Column) -> float:
    """Return the fit of numbers without a currency to money: poor if they have other words beside them."""
    profile = column.profile
    if profile.share("date", "time", "rating", "percent") > 0.5:
        return -0.2
    if column.kind in _MACHINE_KINDS:
        return 0.6
    if profile.length > 60:
        return -0.3
    return 0.35 if profile.share("number") > 0.5 or profile.wordy < 0.5 else -0.1


def _as_truth(field: SchemaField, column: Column) -> float:
    if column.kind == "checked":
        return 0.9
    if says_or_denies(field, column):
        return 0.9
    if column.kind in ("alt", "title") and column.profile.truthy < 0.9:
        return NEVER
    if len(set(column.texts)) == 2 and 0 < column.profile.truthy < 1:
        return 0.5
    if column.profile.truthy > 0.5:
        return 0.7 * column.profile.truthy
    is_badge = column.profile.truthy > 0 and "stock" in field.concepts
    is_badge = is_badge or any(is_name_of(text, field) for text in dict.fromkeys(column.texts[:_MAX_TEXTS]))
    return 0.4 if is_badge else NEVER


def says_or_denies(field: SchemaField, column: Column) -> bool:
    """Return True if every row has one of two texts, and one is the field's name: "Required" and "Optional"."""
    texts = set(column.texts) if column.kind in ("text", "title") and column.filled >= _NEARLY_ALL else ()
    return len(texts) == 2 and sum(is_name_of(text, field) for text in texts) == 1


def _as_text(field: SchemaField, column: Column) -> float:
    profile, concepts = column.profile, field.concepts
    if is_over_group(field, column):
        return _HEADING_LIKELIHOOD
    last = field.name.all[-1].concepts if field.name.all else concepts
    if "department" in last and profile.share("place") > 0.5:
        return -0.5
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


def is_over_group(field: SchemaField, column: Column) -> bool:
    """Return True for the headings over some of the items each, and a field for what lists are divided by."""
    is_division = not field.name.last.concepts.isdisjoint(_DIVISIONS) or field.plain_name in _DIVISIONS
    return column.is_over and field.type == "string" and len(field.name.all) == 1 and is_division


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
        is_never = profile.numeric < _MIN_SHARE and "size" not in field.name.last.concepts  # of clothes: S, M, L
        return 0.4 if profile.numeric > 0.5 else NEVER if is_never else -0.2
    if concept in _JOURNEY_ENDS:
        return 0.25 if profile.numeric < 0.3 else -0.2
    if concept == "unit" and field.is_unit:
        return 0.0 if profile.numeric > 0.5 else 0.2
    if concept in MONEY:
        if profile.share("money") > 0.5:
            return 0.9
        is_never = profile.numeric < _MIN_SHARE and concept in field.name.concepts
        return 0.0 if profile.numeric > 0.5 else NEVER if is_never else -0.6
    if concept in DURATIONS:
        return -0.3 if profile.share("ago") > 0.5 else 0.8 if profile.share("duration") > 0.5 else 0.0
    if concept in TITLES:
        return min(1.0, title_share(field, concept)) * column.title_look
    if concept in PROSE:
        return 0.8 if profile.length > 60 else 0.4 if profile.length > 30 else 0.0 if profile.length > 12 else -0.3
    if concept in ("id", "sku", "invoice", "order"):
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
    if field.concepts & DAYS and all(map(is_weekday, column.texts[:_MAX_TEXTS])):
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
    sample = column.texts[:_MAX_TEXTS]
    timely = sum(
        bool(kinds_of(text) & _TIME_FORMS) or any(map(is_weekday, _WORD_BREAKS.split(text)[:4])) for text in sample
    )
    return column.profile.numeric < _MIN_SHARE and timely * 2 < len(sample)


def value_similarity(field: SchemaField, column: Column) -> float:
    """Return the similarity of the values themselves to the field's name: "in stock" names the stock."""
    return 0.6 * max(
        (likeness(field.name, words(text)) for text in set(column.texts[:_MAX_TEXTS]) if len(text) < 40),
        default=0.0,
    )


def shape_log_odds(field: SchemaField, shape: int) -> float:
    """Return the log odds of a shape for the field's type of value."""
    return WEIGHTS.type_shape[value_type_of(field) * len(SHAPES) + shape]
