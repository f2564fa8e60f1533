"""Words that all values of a column begin with, as labels do: "Ref. 44", "Ref. 17"."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import attrs

from agentbrowser.browser.extraction.profiles import WRITTEN
from agentbrowser.browser.extraction.words import plain

if TYPE_CHECKING:
    from agentbrowser.browser.extraction.candidates import Series

_SHORTENED: Final = WRITTEN | {"aria", "title", "alt"}
"""The kinds of values that people read."""
_FEW: Final = 3
_LONG: Final = 80
_TRIED: Final = 60
_MOST_WORDS: Final = 4
_NEARLY_ALL: Final = 0.9
_QUALIFIERS: Final = frozenset((
    "about", "around", "circa", "ca", "c", "approx", "from", "since", "until", "before", "after", "over", "under", "up",
    "at", "only", "last", "ab", "bis", "seit", "etwa", "um", "noch", "nur", "vers", "env", "environ", "depuis", "des",
    "encore", "dal", "da", "desde", "hasta", "unos", "od", "do", "okolo", "nog", "vanaf", "sinds", "ongeveer",
    "ul", "al", "os", "rue", "rua", "calle", "c/", "via", "viale", "corso", "avenue", "av", "avda", "avenida", "place",
    "plaza", "piazza", "plac", "boulevard", "str", "dr", "prof", "mr", "mrs", "ms", "m", "mme", "mlle", "herr", "frau",
    "sr", "sra", "dott", "ing", "mgr",
))  # fmt: skip
"""What is a part of the value that it stands before: about 1181, ul. Portowa 14, Dr. Weiss."""


def shortened(one: "Series") -> Iterator["Series"]:
    """Yield a series without the words that nearly all of its values begin with, as labels do, or without colons."""
    if one.kind not in _SHORTENED:
        return
    if (found := without_prefix(one.texts)) is not None:
        yield _part(one, key=f"{one.key}^", texts=found[1], labels={f"b{found[0]}": len(one.texts)})
    if (texts := without_colons(one.texts)) is not None:
        yield _part(one, key=f"{one.key}:", texts=texts, labels={})


def _part(one: "Series", *, key: str, texts: list[str], labels: dict[str, int]) -> "Series":
    return attrs.evolve(one, kind="part", key=key, texts=texts, labels=labels, hints=list(one.hints), twins=[])


def without_prefix(texts: Sequence[str]) -> tuple[str, list[str]] | None:
    """Return the words that nearly all texts begin with, and the texts without them; None where there are none.

    Args:
      texts: their words a space apart, as pages are told.
    """
    prefix = " ".join(_shared(texts[:_TRIED]))
    if not prefix or len(set(texts)) < _FEW or max(map(len, texts)) > _LONG:
        return None
    start = f"{prefix} "
    return prefix, [text.removeprefix(start) for text in texts]


def _shared(texts: Sequence[str]) -> list[str]:
    """Return the words that most texts begin with, before others; no numbers."""
    found: list[str] = []
    least = _NEARLY_ALL * len(texts)
    while len(found) < _MOST_WORDS and (word := _first(texts)) is not None:
        start = f"{word} "
        texts = [text[len(start) :] for text in texts if text.startswith(start) and text != start]
        is_value = any(map(str.isdigit, word)) or plain(word).strip(".") in _QUALIFIERS
        if is_value or len(texts) < least:
            break
        found.append(word)
        if word.endswith((":", "：")):
            break
    return found if any(map(str.isalpha, "".join(found))) else []


def _first(texts: Sequence[str]) -> str | None:
    """Return the word that nearly all texts may begin with, by the first of them: hardly any columns have one."""
    others = len(texts) - _NEARLY_ALL * len(texts)
    firsts = [text.partition(" ")[0] for text in texts[: 2 * int(others) + 2]]
    various = set(firsts)
    if len(various) > others + 1:
        return None
    return next((word for word in various if firsts.count(word) >= len(firsts) - others), None)


def without_colons(texts: Sequence[str]) -> list[str] | None:
    """Return names that stand before their values without the colons, where most of them differ; None for others."""
    if len(texts) < 2 or not all(text.endswith((":", "：")) for text in texts):
        return None
    names = [text.rstrip(" :：") for text in texts]
    return names if len(set(names)) * 2 > len(names) and all(names) else None
