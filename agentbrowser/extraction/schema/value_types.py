"""Types of values that fields ask for."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from agentbrowser.extraction.schema.concepts import (
    COUNTS,
    DATES,
    DURATIONS,
    MEASURES,
    MONEY,
    PEOPLE,
    PROSE,
    TIMES,
    TITLES,
)
from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.text.kinds import VOCABULARIES
from agentbrowser.extraction.text.words import words

_SAMPLE: Final = 12
_CONCEPTS: Final[dict[str, Iterable[str]]] = {
    "email": ("email",),
    "phone": ("phone", "fax"),
    "price": MONEY | {"old", "sale", "regular", "low", "high", "close", "previousclose", "funding"},
    "percent": ("percent", "humidity", "discount", "change", "turnout", "swing", "probability", "conversion"),
    "rating": ("rating", "score"),
    "person": PEOPLE
    | {
        "givenname", "surname", "middlename", "guests", "maker", "character", "illustrator", "photographer", "coach",
        "approver", "contributors", "committer", "judge", "opponent", "operator", "buyer", "plaintiff", "defendant",
    },
    "place": (
        "address", "location", "city", "region", "country", "origin", "destination", "stadium", "neighborhood",
        "airport", "venue", "hall", "building", "headquarters", "constituency", "museum", "gallery", "zone", "stops",
        "stop", "habitat", "clinic", "parking", "property",
    ),
    "date": DATES - {"open"} | {"delivered", "shipped", "last", "first", "checkin", "checkout", "harvest", "holiday"},
    "time": TIMES | {"hours", "sunrise", "sunset"},
    "duration": DURATIONS | {"delay", "layover"},
    "count": COUNTS - {"review", "comment"}
    | {
        "points", "quantity", "rooms", "bedrooms", "beds", "adult", "child", "click", "bathrooms", "doors",
        "seats", "floor", "serving", "pages",
        "credits", "episode", "podcast", "shares", "employees", "household", "dwelling", "assists", "round", "lap",
        "cards", "gap", "stars", "nights", "users", "requests", "errors", "warnings", "traffic", "post", "following",
        "unread", "sharing", "dislike", "karma", "bookmark", "cores", "remaining", "units", "goaldiff",
    },
    "year": ("year", "period", "vintage", "month", "semester", "season", "quarter", "weekday", "week"),
    "rank": ("rank", "playerposition"),
    "version": ("version", "release"),
    "code": (
        "id", "sku", "gtin", "partnumber", "order", "invoice", "isbn", "symbol", "account", "iban", "ip",
        "registration", "code", "doi",
        "bic", "postcode", "companyid", "gate", "line", "platform", "terminal", "wagon", "ticket", "booking",
        "vehicle", "listingid", "accession", "tracking", "bib", "branch", "commit", "checksum", "endpoint", "port",
        "serial", "batch", "transaction", "orcid", "case", "permit", "slug", "model",
    ),
    "prose": PROSE | {"remark", "requirement", "bio", "quote", "responsibility", "caption", "subtitle", "changelog"},
    "title": TITLES | {"course", "exhibition", "chapter", "series", "project", "incident", "award", "match", "menu"},
    "measure": MEASURES
    | {
        "size", "plot", "feelslike", "gusts", "snow", "uv", "magnitude", "dewpoint", "tide", "dosage", "baggage",
        "energy", "battery", "display", "pixels", "range", "bpm", "limit", "statistic",
    },
    "company": (
        "company", "brand", "seller", "publisher", "airline", "team", "home", "away", "department", "carrier",
        "source", "agency", "sponsor", "party", "institution", "payee", "winery", "roaster", "league",
    ),
    "kind": VOCABULARIES
    | {
        "category", "genre", "material", "condition", "language", "tag", "skill", "variety", "breed", "contracttype",
        "remote", "seniority", "industry", "gender", "nationality", "fuel", "gearbox", "cuisine", "bodytype",
        "drivetrain", "furnished", "heating", "payment", "currency", "education", "experience", "edition", "format",
        "packaging", "class", "medals", "gold", "silver", "bronze", "direction", "severity", "environment", "os",
        "browser", "method", "protocol",
        "milestone", "component", "specialty", "insurance", "legalform", "label", "visibility", "technique",
        "species", "latinname", "grape", "religion", "result", "warranty", "returns", "refund", "cancellation", "board",
        "delivery", "timezone", "aircraft", "flavour", "roast", "media",
    },
}  # fmt: skip
"""Concepts of each type of value; the first type that fits is a field's type."""
_TYPE_OF_CONCEPT: Final = {
    concept: value_type for value_type, concepts in reversed(_CONCEPTS.items()) for concept in concepts
}
_ORDER: Final = {value_type: place for place, value_type in enumerate(_CONCEPTS)}
_NUMBERS: Final = frozenset(("price", "percent", "rating", "count", "year", "rank", "measure", "duration"))
VALUE_TYPES: Final = (*_CONCEPTS, "counted", "number", "text", "texts", "boolean", "link", "image")
_OF: Final = re.compile(r"(?<=\w) (?:from|to|of|per|before|after|without|for|in|with)(?= \w)")
_IN_WORDS: Final = {"remark": "prose", "stock": "kind"}
"""Types of texts whose concepts otherwise mean numbers: notes, and states of stock."""


@lru_cache(maxsize=1000)
def value_type_of(field: SchemaField) -> int:
    """Return the place of a field's type in `VALUE_TYPES`."""
    return VALUE_TYPES.index(_value_type(field))


def _value_type(field: SchemaField) -> str:
    if field.type == "boolean":
        return "boolean"
    concepts = field.concepts
    head = _head(field) or concepts
    if field.type == "string":
        if "image" in concepts and "count" not in concepts:
            return "image"
        if field.wants_link:
            return "link"
    if field.is_many and field.type == "string":
        return "texts"
    known = _first(head) or _first(concepts)
    if field.type == "string":
        known = (
            "kind" if field.is_unit else next((value_type for it, value_type in _IN_WORDS.items() if it in head), known)
        )
        return known or ("title" if field.is_subject else "text")
    return known if known in _NUMBERS else "number"


def _head(field: SchemaField) -> frozenset[str]:
    """Return the concepts of the head word of a field's name: distance of ``distanceFromCentre``."""
    before = _OF.split(field.plain_name)[0]
    name = words(before) if before else field.name
    return name.last.concepts


def _first(concepts: frozenset[str]) -> str:
    return min(
        (_TYPE_OF_CONCEPT[concept] for concept in concepts if concept in _TYPE_OF_CONCEPT),
        key=_ORDER.__getitem__,
        default="",
    )
