"""Values without the words before them that only say what they are: "Updated 3 May", "Directed by Ann Lee"."""

import re
from typing import Final

from agentbrowser.extraction.text import kinds
from agentbrowser.extraction.text.words import Words, likeness, words

_BY: Final = re.compile(
    r"^(?:(?i:(?:written|posted|reviewed|started|published|asked|answered) by|by|autor(?:in)?:?|author:?)|"
    r"[vV]on|[pP]ar|[pP]or|[dD]oor|[pP]rzez|di|av|af|de)\s+(?=\S)"
)
_WITH: Final = re.compile(r"^(?:by|with|mit|avec|con|com|met|med|z|s)\s+(?=[^\W\d_a-zà-ž])")
_DONE_BY: Final = re.compile(r"^((?:[^\W\d]+ ){0,3})[bB]y\s+(?=[^\W\d_a-zà-ž])")
"""Words before the name of somebody or of a company: "Entire home hosted by Ann"."""
_LABELS_END: Final = (":", "：")
_LABEL: Final = 0.6
"""Least similarity of a label to a field's name."""
_LONGEST_LABEL: Final = 24
_MAX_DATE: Final = 34
"""Length of the longest date: of a longer text, only the date in it counts."""
_LAST_PERIOD: Final = re.compile(r"last (?:week|weekend|month|year|night|spring|summer|autumn|winter)", re.IGNORECASE)
"""A relative date whose first word is a label elsewhere: "Last order 3 May"."""
_DATE_LABELS: Final = frozenset((
    "published", "updated", "due", "join", "date", "start", "end", "last", "order", "available", "delivery", "opened",
    "closed", "founded", "birth", "shipped", "delivered", "movein", "arrival",
))  # fmt: skip
_AT: Final = frozenset((
    "le", "am", "on", "el", "il", "op", "den", "em", "en", "at", "since", "du", "del", "dal", "um",
))  # fmt: skip
_LIMITS: Final = frozenset((
    "from", "until", "till", "by", "before", "after", "ab", "bis", "von", "vor", "nach", "desde", "hasta", "dal",
    "dalle", "entro", "fino", "dès", "avant", "jusqu'à", "jusqu’à", "vanaf", "tot", "fra", "från", "til", "od", "do",
))  # fmt: skip
"""Words before a time that belong to it: "until 11:00"."""


def bare_agent(text: str, name: Words) -> str:
    """Return a name without the words before it that say what somebody does, as the field's does: "Sold by Acme"."""
    done = _DONE_BY.match(text)
    return text[done.end() :] if done and (not done[1] or likeness(name, words(done[1])) > _LABEL) else text


def bare_person(text: str, *, is_author: bool) -> str:
    """Return the name of a person without the word before it: "with Ann Lee"."""
    return (_BY if is_author else _WITH).sub("", text)


def bare_date(text: str, name: Words) -> str:
    """Return a date without the label before it.

    Args:
      name: the words of the field's name.
    """
    dated = kinds.date_in(text)
    if dated and len(text) > _MAX_DATE:
        return dated
    before = _before_weekday(text[: text.find(dated)]) if dated else ""
    if before and (before.rstrip().endswith(_LABELS_END) or "money" in kinds.kinds_of(before)):
        return text[len(before) :]
    if before and not any(map(str.isdigit, before)):
        return text[len(before) :] if words(before).concepts & _DATE_LABELS or _is_label(before, name) else text
    first, _, rest = text.partition(" ")
    if first.lower() in _LIMITS:
        return text
    if _LAST_PERIOD.fullmatch(text) or not rest or not words(first).concepts & _DATE_LABELS or kinds.is_weekday(first):
        return text
    before, _, after = rest.partition(" ")
    return after if after and before.lower().rstrip(":") in _AT else rest


def _before_weekday(text: str) -> str:
    """Return the words before a day of the week: "Arrives " of "Arrives Tuesday, "."""
    pieces = text.split(" ")
    end = next((at for at, piece in enumerate(pieces) if kinds.is_weekday(piece)), None)
    return text if end is None else "".join(f"{piece} " for piece in pieces[:end])


def _is_label(before: str, name: Words) -> bool:
    return likeness(name, words(before)) > _LABEL or before.lower().split()[-1] in _AT  # "gemeld op 2 juni"


def bare_time(text: str, name: Words) -> str:
    """Return the only time of day in a text without the label before it: "Opens at 9 AM"."""
    times = list(kinds.TIME.finditer(text))
    before = text[: times[0].start()] if len(times) == 1 else ""
    is_before = before.strip() and len(before) < _LONGEST_LABEL and not any(map(str.isdigit, before))
    if is_before and not _LIMITS.isdisjoint(before.lower().split()):
        return text
    return text[len(before) :] if is_before and likeness(name, words(before)) > _LABEL else text


def bare_duration(text: str, name: Words) -> str:
    """Return a duration without the label before it: "Duration 8h 45m"."""
    start = next((at for at, letter in enumerate(text) if letter.isdigit()), 0)
    return text[start:] if likeness(name, words(text[:start])) > _LABEL else text
