"""What sort of value is asked for, and what shape values have: how well the two go together is fitted to pages."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from agentbrowser.extraction.candidates import Series
from agentbrowser.extraction.match.fit import COUNTS, DATES, MEASURES, MONEY, PROSE, TIMES, TITLES
from agentbrowser.extraction.memoize import remembered
from agentbrowser.extraction.model.weights import FITTED
from agentbrowser.extraction.output.typed import PEOPLE
from agentbrowser.extraction.schema.schema_fields import Wish
from agentbrowser.extraction.text.kinds import VOCABULARIES, kinds_of
from agentbrowser.extraction.text.words import words

_SAMPLE: Final = 12
_CONCEPTS: Final[dict[str, Iterable[str]]] = {
    "email": ("email",),
    "phone": ("phone", "fax"),
    "price": MONEY | {"old", "sale", "regular", "low", "high", "close", "funding"},
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
    "duration": ("duration", "delay", "layover"),
    "count": COUNTS - {"review", "comment"}
    | {
        "points", "quantity", "rooms", "bedrooms", "bathrooms", "doors", "seats", "floor", "serving", "pages",
        "credits", "episode", "podcast", "shares", "employees", "household", "dwelling", "assists", "round", "lap",
        "cards", "gap", "stars", "nights", "users", "requests", "errors", "warnings", "traffic", "post", "following",
        "unread", "sharing", "dislike", "karma", "bookmark", "cores", "remaining", "units", "goaldiff",
    },
    "year": ("year", "period", "vintage", "month", "semester", "season", "quarter", "weekday", "week"),
    "rank": ("rank", "playerposition"),
    "version": ("version", "release"),
    "code": (
        "id", "sku", "order", "invoice", "isbn", "symbol", "account", "iban", "ip", "registration", "code", "doi",
        "bic", "postcode", "companyid", "gate", "line", "platform", "terminal", "wagon", "ticket", "booking",
        "vehicle", "listingid", "accession", "tracking", "bib", "branch", "commit", "checksum", "endpoint", "port",
        "serial", "batch", "transaction", "orcid", "case", "permit", "slug", "model",
    ),
    "prose": PROSE | {"remark", "requirement", "bio", "quote", "responsibility", "caption", "subtitle", "changelog"},
    "title": TITLES | {"course", "exhibition", "chapter", "series", "project", "incident", "award", "match", "menu"},
    "measure": MEASURES
    | {
        "size", "plot", "feelslike", "gusts", "snow", "uv", "magnitude", "dewpoint", "tide", "dosage", "baggage",
        "energy", "battery", "display", "range", "bpm", "limit", "statistic",
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
        "packaging", "class", "medals", "direction", "severity", "environment", "os", "browser", "method", "protocol",
        "milestone", "component", "specialty", "insurance", "legalform", "label", "visibility", "technique",
        "species", "latinname", "grape", "religion", "result", "warranty", "returns", "cancellation", "board",
        "delivery", "timezone", "aircraft", "flavour", "roast", "media",
    },
}  # fmt: skip
"""Sorts of values by the concepts that they are asked for with; the first that fits."""
_SORT_OF: Final = {concept: sort for sort, said in reversed(_CONCEPTS.items()) for concept in said}
_ORDER: Final = {sort: place for place, sort in enumerate(_CONCEPTS)}
_NUMBERS: Final = frozenset(("price", "percent", "rating", "count", "year", "rank", "measure", "duration"))
SORTS: Final = (*_CONCEPTS, "counted", "number", "text", "texts", "boolean", "link", "image")
SHAPES: Final = (
    "email", "phone", "url", "money", "percent", "rating", "date", "ago", "time", "duration", "period", "version",
    "integer", "number", "code", "counted", "measured", "person", "place", "word", "tiny", "few words", "line", "prose",
    "class", "machine date", "href", "src", "mark", "checked", "capitals", "range", "listed", "lower word",
    "lower words", "known word",
)  # fmt: skip
_PLACES: Final = {shape: place for place, shape in enumerate(SHAPES)}
_KNOWN: Final = ("email", "phone", "url", "money", "percent", "rating", "date", "ago", "time", "duration")
_OF: Final = re.compile(r"(?<=\w) (?:from|to|of|per|before|after|without|for|in|with)(?= \w)")
_IN_WORDS: Final = {"remark": "prose", "stock": "kind"}
"""What texts are that are called as numbers are too: notes, and whether something is there."""
_COUNTED: Final = re.compile(
    r"^\D{0,3}\d[\d.,  ]*[km]?\s+[^\W\d]{3,}+\W*+(?:[^\W\d]++\W*+){0,2}$|^[^\W\d]{3,}+\W++\d[\d.,]*+\W?$", re.IGNORECASE
)
_RANGE: Final = re.compile(r"^\D{0,4}\d[\d.,\s]*\D{0,8}[-–—~][^\d-]{0,4}\d[\d.,]*\D{0,8}$")
_WRITTEN_ON: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff]{2}")
"""Where no spaces stand between words, a pair of signs counts as one."""
_TINY: Final = 2
_LINE: Final = 5
_PROSE: Final = 14


@lru_cache(maxsize=1000)
def sort_of(wish: Wish) -> int:
    """Return the number of what is asked for, of `SORTS`."""
    return SORTS.index(_sort(wish))


def _sort(wish: Wish) -> str:
    if wish.type == "boolean":
        return "boolean"
    concepts = wish.concepts
    head = _head(wish) or concepts
    if wish.type == "string":
        if "image" in concepts and "count" not in concepts:
            return "image"
        if wish.wants_link:
            return "link"
    if wish.is_many and wish.type == "string":
        return "texts"
    known = _first(head) or _first(concepts)
    if wish.type == "string":
        known = "kind" if wish.is_unit else next((sort for it, sort in _IN_WORDS.items() if it in head), known)
        return known or ("title" if wish.is_subject else "text")
    return known if known in _NUMBERS else "number"


def _head(wish: Wish) -> frozenset[str]:
    """Return what the word of a name stands for that says what it is: distance of ``distanceFromCentre``."""
    before = _OF.split(wish.called)[0]
    name = words(before) if before else wish.name
    return name.last.concepts


def _first(concepts: frozenset[str]) -> str:
    return min((_SORT_OF[concept] for concept in concepts if concept in _SORT_OF), key=_ORDER.__getitem__, default="")


def together(wish: Wish, shape: int) -> float:
    """Return how much more often what is asked for so has a shape than other values do, as the logarithm of that."""
    return FITTED.together[sort_of(wish) * len(SHAPES) + shape]


def shape_of(series: Series) -> int:
    """Return the number of the shape that most of the values have, of `SHAPES`."""
    if series.kind in ("href", "src", "class", "checked"):
        return _PLACES[series.kind]
    step = max(1, len(series.texts) // _SAMPLE)
    shape = _shape_for_machines if series.kind in ("datetime", "content") else _shape
    shapes = list(map(shape, series.texts[::step][:_SAMPLE]))
    is_one = shapes.count(shapes[0]) == len(shapes)
    return _PLACES[shapes[0] if is_one else max(dict.fromkeys(shapes), key=shapes.count)]


def _shape_for_machines(text: str) -> str:
    return "machine date" if "date" in kinds_of(text) and any(map(str.isalnum, text)) else _shape(text)


@remembered
def _shape(text: str) -> str:
    kinds = kinds_of(text)
    if not any(map(str.isalnum, text)):
        return "rating" if "rating" in kinds else "mark"
    for name in _KNOWN:
        if name in kinds:
            return name
    if "integer" in kinds:
        return "period" if "year" in kinds else "integer"
    if "number" in kinds:
        return "number"
    if "version" in kinds:
        return "version"
    words = _WRITTEN_ON.sub(r"\g<0> ", text).split()
    if any(kind.endswith(" word") for kind in kinds):
        return "known word"
    if len(words) == 1 and 1 < len(text) < _LINE and text.isupper():
        return "capitals"
    if _RANGE.match(text):
        return "range"
    if "code" in kinds and len(words) == 1:
        return "code"
    if _COUNTED.match(text):
        return "counted"
    if any(map(str.isdigit, text)) and len(words) < _LINE:
        return "measured"
    if len(text) <= _TINY:
        return "tiny"
    if len(words) > _PROSE or len(text) > 100:
        return "prose"
    if text.count(",") * 3 >= len(words) > 2:
        return "listed"
    if len(words) >= _LINE:
        return "line"
    if "person" in kinds and "place" not in kinds:
        return "person"
    if "place" in kinds:
        return "place"
    shape = "word" if len(words) == 1 else "few words"
    return shape if not text[0].islower() else "lower word" if len(words) == 1 else "lower words"
