"""How well a series of values fits a wish: by what it is called, by how its values are written, by where it stands."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from agentbrowser.extraction.candidates import Series
from agentbrowser.extraction.memoize import remembered
from agentbrowser.extraction.output.typed import PEOPLE, RATED, names, numbers_read
from agentbrowser.extraction.schema.schema_fields import Wish
from agentbrowser.extraction.text.kinds import VOCABULARIES, is_weekday, kinds_of
from agentbrowser.extraction.text.words import Words, coverage, joined, likeness, words

NEVER: Final = -1.0
_ADDRESSES: Final = frozenset(("href", "src"))
_HINT_WORTH: Final = 0.72
_TRIED: Final = 8
_SOME: Final = 0.2
_BROKEN_OFF: Final = re.compile(r"\d[.,]$")
"""A sum without its cents, that stand in another element."""

MONEY: Final = frozenset((
    "price", "salary", "amount", "total", "subtotal", "tax", "revenue", "shipping", "unit", "balance", "fee", "rent",
    "deposit", "profit", "expense", "budget", "income", "debit", "credit",
))  # fmt: skip
DATES: Final = frozenset((
    "date", "published", "updated", "due", "birth", "join", "open", "opened", "closed", "merged", "founded", "death",
    "movein",
))  # fmt: skip
TIMES: Final = frozenset(("time", "departure", "arrival", "start", "end", "scheduled", "expected"))
_BREAKS: Final = re.compile(r"[\s–-]+")
_TIMELY: Final = frozenset(("date", "ago", "time", "duration"))
_ENDS: Final = frozenset(("origin", "destination"))
TITLES: Final = frozenset((
    "name", "title", "thing", "job", "question", "term", "dish", "recipe", "movie", "song", "book", "artwork", "event",
    "session", "task", "bug", "topic", "package", "repository", "app", "service", "restaurant", "hotel", "dataset",
    "metric", "album",
))  # fmt: skip
PROSE: Final = frozenset(("description", "summary", "text", "answer", "definition", "review", "comment", "step"))
MEASURES: Final = frozenset((
    "area", "weight", "height", "width", "length", "depth", "distance", "capacity", "volume", "temperature", "wind",
    "humidity", "power", "population", "age", "mileage", "attendance", "percent", "pressure", "precipitation",
    "memory", "storage", "cpu", "latency", "uptime", "calories", "protein", "fat", "sugar", "alcohol", "marketcap",
    "diameter", "speed", "density", "voltage", "emissions", "carbs", "salt", "fiber",
))  # fmt: skip
"""What is written with a number, also where it is asked for as a text."""
_WORDS: Final = frozenset((
    "category", "genre", "material", "color", "brand", "maker", "seller", "team", "home", "away", "airline",
    "species", "language", "country", "region", "department", "weather", "breed", "variety", "technique",
    "specialty", "stadium", "winery", "roaster", "source", "publisher", "industry", "fuel", "gearbox",
    "neighborhood", "company", "city",
))  # fmt: skip
"""What is written in words alone."""
_FOREIGN: Final = ("money", "percent", "date", "ago", "time", "duration", "rating", "email", "phone", "url")
COUNTS: Final = frozenset((
    "count", "reply", "view", "review", "comment", "like", "stock", "follower", "visitor", "population", "votes",
    "download", "plays", "forks", "watchers", "members", "applicants", "restarts", "played", "win", "draws", "losses",
    "goals", "copies", "sold",
))  # fmt: skip


def named(wish: Wish, series: Series, said: Sequence[tuple[Words, float]]) -> float:
    """Return how well what is said of a series is what is asked for, 0 to 1."""
    best = 0.0
    for phrase, trust in said:
        if (alike := trust * _alike(wish, phrase)) > best:
            best = alike
    if wish.outer is not None and series.section:
        best += 0.15 * likeness(wish.outer, words(series.section)) * (best > 0)
    return best if best < 1 else 1.0


@lru_cache(maxsize=20_000)
def _alike(wish: Wish, said: Words) -> float:
    """Return how much what is said is what is asked for, 0 to 1."""
    alike = likeness(wish.name, said)
    if wish.outer is not None:
        alike = max(alike * 0.9, likeness(joined(wish.outer, wish.name), said))
    if alike < 0.95 and wish.hint.all:
        alike = max(alike, _HINT_WORTH * coverage(said, wish.hint), 0.9 * likeness(joined(wish.name, wish.hint), said))
    return alike


def looks(wish: Wish, series: Series) -> float:
    """Return how well the values are written as such values are, -1 (never) to 1."""
    is_address = series.kind in _ADDRESSES or wish.wants_image or wish.wants_link
    if is_address and (address := _as_address(wish, series)) is not None:
        return address
    if wish.is_number:
        return _as_number(wish, series)
    if wish.type == "boolean":
        return _as_truth(wish, series)
    if series.profile.wordy + series.profile.numeric == 0:
        return NEVER
    if series.kind in ("checked", "class", "value") and series.profile.numeric < 0.5:
        return NEVER
    return _as_text(wish, series)


def _as_address(wish: Wish, series: Series) -> float | None:
    """Return the fit of links and images; None where neither the wish nor the series is one."""
    if series.kind == "href":
        if wish.type == "string" and "media" in wish.name.last.concepts:
            return 0.9
        scheme = series.texts[0].partition(":")[0] if series.texts else ""
        if scheme in ("mailto", "tel"):
            wanted = "email" if scheme == "mailto" else "phone"
            return 0.9 if wanted in wish.concepts and wish.type == "string" else NEVER
    if wish.wants_image:
        if series.kind == "src" and series.texts[0].startswith("data:"):
            return -0.2
        return 1.0 if series.kind == "src" else 0.2 if series.kind == "href" else NEVER
    if wish.wants_link:
        is_written = series.kind != "src" and series.profile.share("url") > 0.5
        return 1.0 if series.kind == "href" else 0.5 if is_written else NEVER
    if series.kind in _ADDRESSES:
        return NEVER
    return None


def _as_number(wish: Wish, series: Series) -> float:
    is_money = not wish.concepts.isdisjoint(MONEY)
    is_numeric = series.profile.numeric >= (0.3 if is_money else 0.4) or series.is_numbered
    is_phone = "phone" not in wish.concepts and series.profile.share("phone") > 0.5
    if not is_numeric or series.kind == "prose" or is_phone:
        return NEVER
    sample = series.sample
    if is_money and sum(map(_is_broken_off, sample)) > len(sample) / 2:
        return NEVER
    values = list(map(numbers_read(wish, series), sample))
    is_sum = is_money and series.profile.share("money") >= _SOME
    if values.count(None) > (1 - _SOME if is_sum else 0.5) * len(values):
        return NEVER
    return _number_look(wish, series)


@remembered
def _is_broken_off(text: str) -> bool:
    return _BROKEN_OFF.search(text) is not None


def _number_look(wish: Wish, series: Series) -> float:
    profile, concepts = series.profile, wish.concepts
    is_share = profile.share("percent") > 0.5
    if "percent" in wish.said or "%" in wish.said or (is_share and "percent" in concepts):
        return 0.9 if is_share else 0.2
    is_money = profile.share("money") > 0.5
    if not concepts.isdisjoint(MONEY):
        return 0.9 if is_money else _as_bare_sum(series)
    if "year" in concepts and not concepts & DATES:
        return 0.9 if profile.share("year") > 0.5 else 0.3 if profile.share("date") > 0.5 else -0.3
    if is_money:
        return -0.15 if concepts else 0.1
    if "rating" in concepts and series.kind == "class":
        return 0.7
    if "rating" in concepts and profile.share("rating") > 0.5:
        return 1.0 if series.total > 1 or RATED.search(series.texts[0]) else 0.6
    if "year" not in concepts and profile.share("date", "time", "phone", "email") > 0.5:
        return -0.5
    if profile.length > 60:
        return -0.3
    if concepts & COUNTS:
        return 0.5 if profile.share("integer") > 0.5 else 0.25
    if profile.share("number", "integer") > 0.5:
        return 0.45
    return 0.2 if profile.length < 25 else 0.0


def _as_bare_sum(series: Series) -> float:
    """Return how well numbers without a currency look like money: not where other words stand with them."""
    profile = series.profile
    if profile.share("date", "time", "rating", "percent") > 0.5:
        return -0.2
    if series.kind in _MACHINE:
        return 0.6
    if profile.length > 60:
        return -0.3
    return 0.35 if profile.share("number") > 0.5 or profile.wordy < 0.5 else -0.1


_MACHINE: Final = frozenset(("json", "meta", "content", "value"))


def _as_truth(wish: Wish, series: Series) -> float:
    if series.kind == "checked":
        return 0.9
    if series.kind in ("alt", "title") and series.profile.truthy < 0.9:
        return NEVER
    if len(set(series.texts)) == 2 and 0 < series.profile.truthy < 1:
        return 0.5
    if series.profile.truthy > 0.5:
        return 0.7 * series.profile.truthy
    is_badge = series.profile.truthy > 0 and "stock" in wish.concepts
    return 0.4 if is_badge or any(names(text, wish) for text in dict.fromkeys(series.texts[:_TRIED])) else NEVER


def _as_text(wish: Wish, series: Series) -> float:
    profile, concepts = series.profile, wish.concepts
    head = wish.name.all[-1].concepts if wish.name.all else concepts
    known = [look for concept in head or concepts if (look := _expected(wish, series, concept)) is not None]
    if not known:
        others = [_expected(wish, series, concept) for concept in concepts]
        known = [0.5 * look for look in others if look is not None and look > 0]
    if wish.is_subject:
        known.append(series.titled - 0.05)
    if known:
        return max(known)
    if profile.length > 160:
        return -0.3
    return 0.0 if profile.share("money", "date", "email", "phone", "url", "rating") < 0.5 else -0.25


def _expected(wish: Wish, series: Series, concept: str) -> float | None:
    """Return how well values look like those of a concept; None for one that has no look of its own."""
    profile = series.profile
    if concept == "phone" and profile.share("phone") <= 0.5 < profile.share("number"):
        return 0.3 if 6 < sum(map(str.isdigit, series.texts[0])) < 16 else -0.6
    if concept in ("email", "phone"):
        if profile.share(concept) > 0.5 >= profile.share("date"):
            return 1.0
        marks = "@" if concept == "email" else "0123456789"
        return (
            -0.6 if sum(any(mark in text for mark in marks) for text in series.texts) > len(series.texts) / 2 else NEVER
        )
    if concept == "open" and "hours" in wish.concepts and series.total == 1:
        return 0.5 if profile.numeric > 0.5 else 0.0
    if concept in ("location", "city") and series.total == 1:
        return 0.4 if profile.share("place") > 0.5 else -0.3 if profile.wordy < 0.5 else 0.0
    if concept in DATES:
        return _as_date(wish, series)
    if concept in TIMES:
        return _as_time(series)
    if concept in ("address", "location", "city") and series.total > 1:
        return _as_place(concept, series)
    if concept in MEASURES:
        return 0.4 if profile.numeric > 0.5 else NEVER if profile.numeric < _SOME else -0.2
    if concept in _ENDS:
        return 0.25 if profile.numeric < 0.3 else -0.2
    if concept == "unit" and wish.is_unit:
        return 0.0 if profile.numeric > 0.5 else 0.2
    if concept in MONEY:
        if profile.share("money") > 0.5:
            return 0.9
        is_never = profile.numeric < _SOME and concept in wish.name.concepts
        return 0.0 if profile.numeric > 0.5 else NEVER if is_never else -0.6
    if concept == "duration":
        return -0.3 if profile.share("ago") > 0.5 else 0.8 if profile.share("duration") > 0.5 else 0.0
    if concept in TITLES:
        return min(1.0, title_share(wish, concept)) * series.titled
    if concept in PROSE:
        return 0.8 if profile.length > 60 else 0.4 if profile.length > 30 else 0.0 if profile.length > 12 else -0.3
    if concept in ("id", "sku", "invoice", "order"):
        return 0.5 if profile.share("code") > 0.5 else 0.1 if profile.numeric > 0.5 else -0.2
    if concept == "version":
        return 0.8 if profile.share("version") > 0.5 else 0.0 if profile.numeric > 0.5 else -0.3
    if concept == "currency":
        return 0.7 if profile.share("money") > 0.5 or profile.length <= 4 else NEVER
    if concept in VOCABULARIES:
        return 0.5 if profile.share(f"{concept} word") > 0.4 else -0.3 if profile.numeric > 0.7 else 0.0
    if concept in PEOPLE:
        return 0.4 if profile.share("person") > 0.4 else 0.2 if profile.numeric < 0.3 and profile.length < 40 else -0.3
    if concept == "company":
        return 0.4 if profile.share("company") > 0.3 else -0.2 if profile.numeric > 0.7 else 0.0
    if concept in _WORDS:
        return -0.5 if profile.share(*_FOREIGN) > 0.5 else -0.3 if profile.numeric > 0.7 else 0.05
    if concept == "rating":
        return 0.7 if profile.share("rating") > 0.5 else 0.2 if profile.numeric > 0.5 else -0.2
    return None


def title_share(wish: Wish, concept: str) -> float:
    """Return how much of a name its concept makes up: half of ``firstName`` is a name."""
    whole = sum(word.weight for word in wish.name.all)
    said = sum(word.weight for word in wish.name.all if word.concepts & TITLES)
    return said / whole if whole and concept in wish.name.concepts else 0.5


def _as_date(wish: Wish, series: Series) -> float:
    profile = series.profile
    if series.kind == "datetime" or series.kind in ("content", "json", "meta"):
        return (1.3 if wish.wants_iso else 0.6) if profile.share("date", "time") > 0.5 else -0.4
    if (
        wish.wants_iso
        and profile.numeric > 0.5
        and all(text[:4].isdigit() and text[4:5] == "-" for text in series.texts[:5])
    ):
        return 1.2
    if profile.share("date", "ago") > 0.5:
        return 0.95
    if is_timeless(series):
        return NEVER
    return 0.5 if profile.share("time") > 0.5 else 0.3 if profile.share("period") > 0.5 else -0.5


def _as_place(concept: str, series: Series) -> float:
    profile = series.profile
    if concept == "address" and profile.share("address") > 0.5:
        return 0.5
    if profile.share(*_FOREIGN) > 0.5:
        return -0.5
    if concept == "address":
        return 0.1 if profile.share("place") > 0.5 else -0.1
    return 0.4 if profile.share("place") > 0.5 else -0.2 if profile.share("company", "address") > 0.3 else 0.05


def _as_time(series: Series) -> float:
    if series.profile.share("time", "date", "ago", "duration") > 0.5:
        return 0.8
    return NEVER if is_timeless(series) else -0.3 if series.profile.numeric < 0.5 else 0.0


def is_timeless(series: Series) -> bool:
    """Tell whether no value has a number, a day of the week or a month."""
    sample = series.texts[:_TRIED]
    timely = sum(bool(kinds_of(text) & _TIMELY) or any(map(is_weekday, _BREAKS.split(text)[:4])) for text in sample)
    return series.profile.numeric < _SOME and timely * 2 < len(sample)


def said_by_values(wish: Wish, series: Series) -> float:
    """Return how much the values themselves name what is asked: "in stock" is about the stock."""
    return 0.6 * max(
        (likeness(wish.name, words(text)) for text in set(series.texts[:_TRIED]) if len(text) < 40), default=0.0
    )
