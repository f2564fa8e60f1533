"""Fit of a column to a schema field: by its names, by the written form of its values, by its shape.

Likelihoods are set by hand, on a scale from -1 (`NEVER`) over 0 (no evidence) to 1. The fitted model weighs them.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from agentbrowser.extraction.caching import memoize
from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.number_choice import RATED
from agentbrowser.extraction.columns.value_reader import NEARLY_ALL, is_name_of, numbers_read
from agentbrowser.extraction.columns.value_shapes import SHAPES
from agentbrowser.extraction.match.text_fit import MAX_TEXTS, MIN_SHARE, NEVER, text_likelihood
from agentbrowser.extraction.model.weights import WEIGHTS
from agentbrowser.extraction.schema.concepts import COUNTS, DATES, DURATIONS, MONEY, TIMES
from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.schema.value_types import value_type_of
from agentbrowser.extraction.text.states import states_of, truth_of_state
from agentbrowser.extraction.text.words import Words, coverage, likeness, union, words
from agentbrowser.long_work import give_way

_OF_STATES: Final = 0.7
"""Fit of states that are the field's or exclude it: "Remote", "Hybrid", "On-site" of remote."""
_ADDRESS_KINDS: Final = frozenset(("href", "src"))
_HINT_TRUST: Final = 0.72
"""Similarity to a field of a name all of whose words are in the field's description."""
_MISSING_CENTS: Final = re.compile(r"\d[.,]$")
"""An amount without its cents, which are in another element."""

_MACHINE_KINDS: Final = frozenset(("json", "meta", "content", "value"))
_SPAN_OF_TIME: Final = re.compile(r"\d\s?(?:h|hrs?|min|m)\.?\s?\d+\s?(?:min|m|sec|s)\b", re.IGNORECASE)
"""A time in two units, which is no other number: "4m 12s"."""
_TIME_CONCEPTS: Final = TIMES | DATES | DURATIONS | {"hours", "delay", "layover", "time"}
_MAX_RATING: Final = 100


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
    return text_likelihood(field, column)


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
    is_sum = is_money and column.profile.share("money") >= MIN_SHARE
    if values.count(None) > (1 - MIN_SHARE if is_sum else 0.5) * len(values):
        return NEVER
    return _as_readable_number(field, column)


@memoize
def _is_span_of_time(text: str) -> bool:
    return _SPAN_OF_TIME.search(text) is not None


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
    if column.kind == "checked" or _has_name_or_opposite(field, column):
        return 0.9
    if column.kind in ("alt", "title") and column.profile.truthy < 0.9:
        return NEVER
    if len(set(column.texts)) == 2 and 0 < column.profile.truthy < 1:
        return 0.5
    sample = column.texts[:MAX_TEXTS] if states_of(field.plain_name) else ()
    if sum(truth_of_state(field.plain_name, text) is not None for text in sample) > len(sample) / 2:
        return _OF_STATES
    if column.profile.truthy > 0.5:
        return 0.7 * column.profile.truthy
    is_badge = column.profile.truthy > 0 and "stock" in field.concepts
    is_badge = is_badge or any(is_name_of(text, field) for text in dict.fromkeys(column.texts[:MAX_TEXTS]))
    return 0.4 if is_badge else NEVER


def _has_name_or_opposite(field: SchemaField, column: Column) -> bool:
    """Return True if nearly every row has one of two texts, and one is the field's name: "Required" and "Optional"."""
    texts = set(column.texts) if column.kind in ("text", "title") and column.filled >= NEARLY_ALL else ()
    return len(texts) == 2 and sum(is_name_of(text, field) for text in texts) == 1


def value_similarity(field: SchemaField, column: Column) -> float:
    """Return the similarity of the values themselves to the field's name: "in stock" names the stock."""
    return 0.6 * max(
        (likeness(field.name, words(text)) for text in set(column.texts[:MAX_TEXTS]) if len(text) < 40),
        default=0.0,
    )


def shape_log_odds(field: SchemaField, shape: int) -> float:
    """Return the log odds of a shape for the field's type of value."""
    return WEIGHTS.type_shape[value_type_of(field) * len(SHAPES) + shape]
