"""Prefixes that all values of a column have, as labels do: "Ref. 44", "Ref. 17"."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.column_keys import LABELLED_PART, WITHOUT_PREFIX
from agentbrowser.extraction.columns.page_names import HEADINGS, PageLabel, Relation
from agentbrowser.extraction.text.kinds import kinds_of
from agentbrowser.extraction.text.profiles import WRITTEN
from agentbrowser.extraction.text.words import plain

_SHORTENED: Final = WRITTEN | {"aria", "title", "alt"}
"""Kinds of values that people read."""
_FEW: Final = 3
"""Least number of different texts that show a prefix."""
_LONG: Final = 80
"""Length above which texts are sentences, which may begin alike."""
_TRIED: Final = 60
_MOST_WORDS: Final = 4
"""Greatest number of words of a prefix."""
_DASHES: Final = ("–", "—", "-", "·", "|", "/", ",")
_MOMENTS: Final = frozenset(("date", "time"))
_NEARLY_ALL: Final = 0.9
_QUALIFIERS: Final = frozenset((
    "about", "around", "circa", "ca", "c", "approx", "from", "since", "until", "before", "after", "over", "under", "up",
    "at", "only", "last", "ab", "bis", "seit", "etwa", "um", "noch", "nur", "vers", "env", "environ", "depuis", "des",
    "encore", "dal", "da", "desde", "hasta", "unos", "od", "do", "okolo", "nog", "vanaf", "sinds", "ongeveer",
    "ul", "al", "os", "rue", "rua", "calle", "c/", "via", "viale", "corso", "avenue", "av", "avda", "avenida", "place",
    "plaza", "piazza", "plac", "boulevard", "str", "dr", "prof", "mr", "mrs", "ms", "m", "mme", "mlle", "herr", "frau",
    "sr", "sra", "dott", "ing", "mgr",
))  # fmt: skip
"""First words that are a part of their value: about 1181, ul. Portowa 14, Dr. Weiss."""


def shortened(column: Column) -> Iterator[Column]:
    """Yield a column without the prefix of nearly all of its values, or without the colons at their ends."""
    if column.kind not in _SHORTENED or column.is_uniform:
        return
    if (found := without_prefix(column.texts)) is not None:
        prefix, rests = found
        if not (prefix.endswith(":") and column.tags & HEADINGS):
            label = PageLabel(Relation.BEFORE, prefix)
            yield _part(column, f"{column.key}{WITHOUT_PREFIX}", rests, {label: len(column.texts)})
    if (texts := without_colons(column.texts)) is not None:
        yield _part(column, f"{column.key}{LABELLED_PART}", texts, {})


def _part(column: Column, key: str, texts: list[str], labels: dict[PageLabel, int]) -> Column:
    values = column.rows, texts, column.spots
    names = list(column.hints), labels, column.heads
    return Column(
        key,
        "part",
        column.tag,
        column.total,
        *values,
        *names,
        column.order,
        column.is_many,
        column.is_crowded,
        column.is_nth,
    )


def without_prefix(texts: Sequence[str]) -> tuple[str, list[str]] | None:
    """Return the prefix of nearly all texts, and the texts without it; None if there is none.

    Args:
      texts: texts with single spaces between their words.
    """
    prefix = " ".join(_shared(texts[:_TRIED]))
    if prefix.endswith(_DASHES) or kinds_of(texts[0]) & _MOMENTS:  # "Leeds – Briggate", "Nov. 22": parts of the value
        return None
    if not prefix or len(set(texts)) < _FEW or max(map(len, texts)) > _LONG:
        return None
    start = f"{prefix} "
    return prefix, [text.removeprefix(start) for text in texts]


def _shared(texts: Sequence[str]) -> list[str]:
    """Return the words of the common prefix of most texts, without numbers."""
    found: list[str] = []
    start, count = "", len(texts)
    rest: Iterable[str] = texts
    while len(found) < _MOST_WORDS and (word := _first(rest, count)) is not None:
        if any(map(str.isdigit, word)) or plain(word).strip(".") in _QUALIFIERS:
            break
        start = f"{start}{word} "
        count = "\0".join(("", *texts)).count(f"\0{start}")
        if count < _NEARLY_ALL * len(texts):
            break
        found.append(word)
        if word.endswith((":", "：")):
            break
        rest = _without(texts, start)
    return found if any(map(str.isalpha, "".join(found))) else []


def _without(texts: Iterable[str], start: str) -> Iterator[str]:
    """Yield the rests of the texts with a prefix."""
    return (text.removeprefix(start) for text in texts if text.startswith(start))


def _first(texts: Iterable[str], count: int) -> str | None:
    """Return the word that may begin nearly all of a number of texts, by the first ones: hardly any column has one."""
    others = count - _NEARLY_ALL * count
    firsts = [text.partition(" ")[0] for text in itertools.islice(texts, 2 * int(others) + 2)]
    various = set(firsts)
    if len(various) > others + 1:
        return None
    return next((word for word in various if firsts.count(word) >= len(firsts) - others), None)


def without_colons(texts: Sequence[str]) -> list[str] | None:
    """Return labels without their colons, if most of them differ; None for other texts."""
    if len(texts) < 2 or not all(text.endswith((":", "：")) for text in texts):
        return None
    names = [text.rstrip(" :：") for text in texts]
    return names if len(set(names)) * 2 > len(names) and all(names) else None
