"""Words: from any text, name or class to what it is about, and how much two of them are about the same."""

import re
import unicodedata
from functools import cached_property, lru_cache
from typing import Final

import attrs

from agentbrowser.browser.extraction.lexicon import CONCEPTS, GENERIC, PHRASES, RELATED, STOP

_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z]{3})(?=\d)")
_WORD: Final = re.compile(r"[^\W_]+")
_WIDE: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_MIN_TAIL: Final = 4
_VOWELS: Final = "aeio"
_ENDINGS: Final = frozenset(("city", "cidade", "cidad", "cite", "rate", "date", "nota", "ante", "ment"))
"""Words that many others end with which are no compounds."""
_GENERIC_WEIGHT: Final = 0.3
_MIN_PREFIX: Final = 5
_MIN_ABBREVIATION: Final = 3


@lru_cache(maxsize=20_000)
def plain(text: str) -> str:
    """Return the text in lower case and without accents."""
    if text.isascii():
        return text.lower()
    split = unicodedata.normalize("NFKD", text.replace("ß", "ss").replace("ł", "l").replace("ø", "o").casefold())
    return unicodedata.normalize("NFKC", "".join(mark for mark in split if not _is_accent(mark)))


def _is_accent(mark: str) -> bool:
    return "\u0300" <= mark <= "\u036f"


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return an English-like word without the usual endings; others hardly change."""
    if len(word) <= 3 or not word.isascii():
        return word
    for ending, instead in (
        ("ies", "y"),
        ("sses", "ss"),
        ("ings", ""),
        ("ing", ""),
        ("ed", ""),
        ("es", "e"),
        ("s", ""),
    ):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            return word[: -len(ending)] + instead
    return word


def _by_word() -> dict[str, frozenset[str]]:
    known: dict[str, set[str]] = {}
    for concept, names in CONCEPTS.items():
        for name in {concept, *names.split()}:
            known.setdefault(plain(name), set()).add(concept)
    for name, concepts in list(known.items()):
        known.setdefault(stem(name), set()).update(concepts if stem(name) not in known else set())
    return {name: frozenset(concepts) for name, concepts in known.items()}


_KNOWN: Final = _by_word()
_WIDE_KNOWN: Final = sorted((name for name in _KNOWN if _WIDE.search(name)), key=len, reverse=True)
_NEAR: Final = {**RELATED, **{(b, a): worth for (a, b), worth in RELATED.items()}}


@attrs.frozen
class Word:
    """One word: its stem and what it may stand for."""

    stem: str
    concepts: frozenset[str]
    weight: float = 1.0


@attrs.frozen(eq=False, slots=False)
class Words:
    """The words of one text; the same text has the same one, so that comparing is quick."""

    all: tuple[Word, ...]

    @cached_property
    def concepts(self) -> frozenset[str]:
        """All that the words may stand for."""
        return frozenset(concept for word in self.all for concept in word.concepts)


@lru_cache(maxsize=20_000)
def words(text: str) -> Words:
    """Return the words of a text or an identifier, without those that say nothing."""
    found = [_word(part) for part in _parts(text)]
    return Words(tuple(dict.fromkeys(word for word in found if word.stem and (word.stem not in STOP or word.concepts))))


def _parts(text: str) -> list[str]:
    spaced = _CAMEL.sub(" ", text) if " " not in text.strip() else text
    parts: list[str] = []
    for part in _WORD.findall(plain(spaced)):
        parts.extend(_wide_parts(part) if _WIDE.search(part) else [part])
    return _joined(parts) if len(parts) > 1 else parts


def _joined(parts: list[str]) -> list[str]:
    """Write two words that are one notion as one: last name."""
    joined: list[str] = []
    for part in parts:
        whole = PHRASES.get((joined[-1], part)) if joined else None
        joined[-1:] = [whole] if whole else [*joined[-1:], part]
    return joined


def _wide_parts(run: str) -> list[str]:
    """Split writing without spaces at the words that are known."""
    for name in _WIDE_KNOWN:
        if name in run:
            before, _, after = run.partition(name)
            return [*_wide_parts(before), name, *_wide_parts(after)] if before or after else [name]
    return [run] if run else []


@lru_cache(maxsize=20_000)
def _word(part: str) -> Word:
    if part in STOP and part not in _KNOWN:
        return Word("", frozenset())
    root = stem(part)
    concepts = (
        _KNOWN.get(part) or _KNOWN.get(part.removesuffix("s")) or _KNOWN.get(root) or _by_form(part) or _by_tail(part)
    )
    weight = _GENERIC_WEIGHT if part in GENERIC or root in GENERIC else 1.0
    if part in STOP:
        weight = 0.6
    return Word(root, concepts, weight)


def _by_form(part: str) -> frozenset[str]:
    """Return what another number or gender of the word stands for: lingue is lingua."""
    if len(part) < _MIN_PREFIX or part[-1] not in _VOWELS:
        return frozenset()
    return next((known for vowel in _VOWELS if (known := _KNOWN.get(part[:-1] + vowel))), frozenset())


def _by_tail(part: str) -> frozenset[str]:
    """Return what the end of a compound stands for: Gesamtpreis is a price."""
    for start in range(2, len(part) - _MIN_TAIL + 1):
        tail = part[start:]
        if tail in _KNOWN and tail not in _ENDINGS:
            return _KNOWN[tail]
    return frozenset()


def _same(one: Word, two: Word) -> float:
    if one.stem == two.stem:
        return 1.0
    if one.concepts & two.concepts:
        return 0.93
    best = max((_NEAR.get((a, b), 0.0) for a in one.concepts for b in two.concepts), default=0.0)
    if best:
        return best
    short, long = sorted((one.stem, two.stem), key=len)
    if len(short) >= _MIN_ABBREVIATION and long.startswith(short):
        return 0.75 if len(short) >= _MIN_PREFIX else 0.6
    return _as_cognates(short, long)


def _as_cognates(short: str, long: str) -> float:
    """Return how much two words of different languages may be one: dimmable and dimmbar."""
    same = next((at for at, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if same >= _MIN_PREFIX and same >= 0.55 * len(long):
        return 0.65
    if same >= _MIN_TAIL and same >= 0.66 * len(long):
        return 0.6
    return 0.45 if same >= _MIN_TAIL and same >= 0.5 * len(long) else 0.0


@lru_cache(maxsize=50_000)
def likeness(asked: Words, said: Words) -> float:
    """Return how much what is asked for and what is said are the same, 0 to 1."""
    if not asked.all or not said.all:
        return 0.0
    recall = _covered(asked, said)
    if recall == 0.0:
        return 0.0
    precision = _covered(said, asked)
    return 2 * recall * precision / (recall + precision)


def _covered(these: Words, those: Words) -> float:
    whole = sum(word.weight for word in these.all)
    return sum(word.weight * max(_same(word, other) for other in those.all) for word in these.all) / whole


@lru_cache(maxsize=50_000)
def coverage(said: Words, asked: Words) -> float:
    """Return how much of what is said occurs in what is asked for, 0 to 1."""
    return _covered(said, asked) if said.all and asked.all else 0.0
