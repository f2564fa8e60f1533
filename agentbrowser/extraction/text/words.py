"""Words of a text, name or class: their concepts, and the similarity of two of them."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

import attrs

from agentbrowser.extraction.caching import cached, memoize
from agentbrowser.extraction.text import lexical
from agentbrowser.extraction.text.lexicon import CONCEPTS, GENERIC, RELATED, STOP, TAILS, UNITS

_WORD: Final = re.compile(lexical.WORD)
_WIDE: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_NUMBER_SIGNS: Final = frozenset(("#", "№"))
_IN_UNITS: Final = re.compile(r"(?<=\S)\s*[(\[]([^()\[\]]{1,8})[)\]]\s*$")
_LETTERS: Final = str.maketrans({
    "ß": "ss", "ł": "l", "ø": "o", "ı": "i", "İ": "i", "đ": "d",
    "أ": "ا", "إ": "ا", "آ": "ا", "ى": "ي", "ة": "ه", "ـ": "",
})  # fmt: skip
"""Letters that are written in several ways, beyond accents; in Arabic, hamzas and dots are often left out."""
_SPELT_OUT: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae"})
_TWO: Final = re.compile("([aou])e|(?<=a)a")
"""Letters that replace one with a diacritic: "foeles" for "føles"."""
_MIN_PREFIX: Final = 5
_MIN_SPELT: Final = 4
_MIN_ABBREVIATION: Final = 3
_MIN_PART: Final = 4
_LONGEST_PHRASE: Final = 5
_LONGEST_WORD, _LONGEST_TEXT = 200, 4_000  # the search for compounds grows with the square of the word
_INFLECTED: Final = ("ami", "en", "es", "om", "em", "in", "un", "si", "su", "ne", "ow", "ie", *"aeiouysn")
"""Endings of other numbers, genders and cases."""
_VOWELS: Final = "aeio"
_ARTICLES: Final = ("ال", "ה")
"""Articles that are written as one with their noun, in Arabic and Hebrew."""
_GENERIC_WEIGHT: Final = 0.3
_STOP_WEIGHT: Final = 0.4
_MODIFIER_WEIGHT: Final = 0.5
_MODIFIERS: Final = frozenset(("count", "minimum", "maximum", "average", "current", "expected", "actual"))
"""Concepts that qualify others and mean little by themselves."""
_COUNTED: Final = "count"
_DATED: Final = "date"
_WHEN: Final = "@"
_LONE: Final = frozenset((_WHEN, *"0123456789"))
"""Words of one character that count beside others: not letters, which are elisions and units."""
_NO_DATES: Final = frozenset(("based", "available", "located", "look", "add", "hands", "sign", "log", "turn"))
"""Words after which "at" and "on" mean no date."""
_NO_COUNTS: Final = frozenset(
    ("sales", "costs", "taxes", "earnings", "savings", "assets", "fees", "hours", "days", "minutes")
)
"""Words after "total" that mean a sum and not a count."""
_TIMELY: Final = frozenset(("duration", "preptime", "cooktime", "delay", "latency", "layover"))


def plain(text: str) -> str:
    """Return the text in lower case and without accents."""
    return text.lower() if text.isascii() else _without_accents(text)


@memoize
def _without_accents(text: str) -> str:
    return unicodedata.normalize("NFKC", lexical.strip_marks(text.translate(_LETTERS).casefold()))


def _accented(text: str) -> str:
    """Return the text in lower case, with its accents in one way."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFC", text.replace("İ", "i")).casefold()


_SAID: Final = {_accented(name).strip("-") for names in CONCEPTS.values() for name in names if "+" not in name}
_ACCENTED: Final = frozenset(name for name in _SAID if plain(name) != name and plain(name) in _SAID)
"""Words with another meaning without their accents."""
_STEMMED: Final = ("s", "ing", "ed")
"""Endings of the words that `stem` shortens."""
_SINGULAR: Final = frozenset(("series", "species", "news", "analysis", "basis", "bus", "gas", "lens", "campus", "this"))


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return an English-like word without the usual endings; others hardly change."""
    if len(word) <= 3 or not word.isascii() or word in _SINGULAR or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("s"):
        return lexical.singular(word)
    for ending in ("ings", "ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return _base(word.removesuffix(ending))
    return word


def _base(verb: str) -> str:
    """Return what a verb without its ending is called: clos is close, shipp is ship, verifi is verify."""
    if verb in _SAID:
        return verb
    if (root := lexical.undouble(verb)) != verb:
        return root
    if verb.endswith("i"):
        return verb[:-1] + "y"
    return (
        verb + "e"
        if verb + "e" in _SAID or verb.endswith(("at", "os", "ir", "iz", "v", "g", "c", "u", "id", "as"))
        else verb
    )


def _by_word() -> tuple[dict[str, frozenset[str]], dict[tuple[str, ...], str], dict[str, frozenset[str]]]:
    """Return the concepts of each word, the phrases with their joined forms, and first parts of compounds."""
    known: dict[str, frozenset[str]] = {}
    phrases: dict[tuple[str, ...], str] = {}
    heads: dict[str, frozenset[str]] = {}
    for concept, names in CONCEPTS.items():
        concepts = frozenset((concept,))  # shared by its words: twenty thousand sets cost half of the import
        for name in (concept, *names):
            entry = _accented(name)
            if entry.endswith("-"):
                _add(heads, plain(entry[:-1]), concepts)
                continue
            if "+" in entry:
                parts = tuple(plain(part) for part in entry.split("+"))
                accented = tuple(part if part in _ACCENTED else plain(part) for part in entry.split("+"))
                phrases[parts] = phrases[accented] = entry = "".join(parts)
            if entry.isascii():
                _add(known, entry, concepts)
                continue
            for form in _forms(entry):
                _add(known, form, concepts)
    for name, concepts in list(known.items()):
        if name.endswith(_STEMMED) and (root := stem(name)) not in known and root not in GENERIC:
            known[root] = concepts
    return known, phrases, heads


def _add(table: dict[str, frozenset[str]], name: str, concepts: frozenset[str]) -> None:
    table[name] = table[name] | concepts if name in table else concepts


def _forms(name: str) -> set[str]:
    """Return the spellings of a word that has letters beyond ASCII."""
    return {name} if name in _ACCENTED else {plain(name), name.translate(_SPELT_OUT)} - STOP


_KNOWN, _PHRASES, _HEADS = _by_word()
_BEGINNINGS: Final = {parts[:length] for parts in _PHRASES for length in range(1, len(parts) + 1)}
_ENDS: Final = frozenset(plain(tail) for tail in TAILS)
_WIDE_KNOWN: Final = frozenset(name for name in _KNOWN if not name.isascii() and _WIDE.search(name))
_LONGEST_WIDE: Final = max(map(len, _WIDE_KNOWN))
_NEAR: Final = {**RELATED, **{(b, a): score for (a, b), score in RELATED.items()}}
_NEAR_TO: Final[dict[str, set[str]]] = {}
for _concept, _related in _NEAR:
    _NEAR_TO.setdefault(_concept, set()).add(_related)


@attrs.frozen
class Word:
    """One word: its stem and its concepts."""

    stem: str
    concepts: frozenset[str]
    weight: float = 1.0


@attrs.frozen(eq=False, slots=False)
class Words:
    """Words of one text; equal texts have one object, so that comparing is quick."""

    all: tuple[Word, ...]

    @cached
    def concepts(self) -> frozenset[str]:
        """Return the concepts of the words."""
        return frozenset(concept for word in self.all for concept in word.concepts)

    @cached
    def last(self) -> "Words":
        """Return the last word."""
        return Words(self.all[-1:])

    @cached
    def beginnings(self) -> frozenset[str]:
        """Return the beginnings of the stems: words without a common one are never similar by their letters."""
        stems = [spelt for word in self.all for spelt in (word.stem, _TWO.sub(r"\1", word.stem))]
        return frozenset(stem[:_MIN_ABBREVIATION] for stem in stems)

    @cached
    def reach(self) -> frozenset[str]:
        """Return the concepts of the words, and all related concepts."""
        return frozenset(near for concept in self.concepts for near in (concept, *_NEAR_TO.get(concept, ())))


@memoize
def words(text: str) -> Words:
    """Return the words of a text or an identifier, without stop words."""
    found = [_word(part) for part in _parts(text[:_LONGEST_TEXT])]
    return Words(tuple(dict.fromkeys(word for word in found if word.stem and (word.stem not in STOP or word.concepts))))


def _parts(text: str) -> list[str]:
    if text.strip() in _NUMBER_SIGNS:
        return ["nr"]
    is_name = " " not in text.strip()
    spaced = _accented(lexical.split_camel_case(text, digits=True) if is_name else _without_units(text))
    parts: list[str] = []
    for word in (match[:_LONGEST_WORD] for match in _WORD.findall(spaced)):
        part = _without_article(word if word in _ACCENTED else plain(word))
        parts.extend(_wide_parts(part) if _WIDE.search(part) else _compound(part))
    if len(parts) < 2:
        return parts
    if is_name:
        parts = _of_name(parts)
    joined = _joined(parts)
    return [part for part in joined if len(part) > 1 or part in _LONE or _WIDE.search(part)] or joined


def _without_article(word: str) -> str:
    """Return a word without the article that Arabic and Hebrew write before it, if the rest is known."""
    for article in _ARTICLES:
        if word.startswith(article) and word not in _KNOWN and word[len(article) :] in _KNOWN:
            return word[len(article) :]
    return word


def _without_units(text: str) -> str:
    """Return a label without its unit: Weight (kg)."""
    unit = _IN_UNITS.search(text)
    return text[: unit.start()] if unit and (plain(unit[1]).strip(" .") in UNITS or not unit[1].isalpha()) else text


def _of_name(parts: list[str]) -> list[str]:
    """Return the words of a field's name without conventions of identifiers: units, n for a count."""
    first, *rest = parts
    if first in ("n", "num", "no", "nb", "nr") or (
        first == "total" and rest[-1].endswith("s") and rest[-1] not in _NO_COUNTS and rest[-1] not in UNITS
    ):
        parts = [_COUNTED, *(part for part in rest if part != _COUNTED)]
    *before, last = parts
    if last in ("at", "on") and before[-1] not in _NO_DATES:
        return [*before, _WHEN]
    if last == "by":
        return [*parts[:-1], "by", "author"] if tuple(parts[-2:]) not in _PHRASES else parts
    is_unit = last in UNITS and (last != "min" or any(_concepts(part) & _TIMELY for part in before))
    return before if is_unit else parts


def _joined(parts: list[str]) -> list[str]:
    """Return words with known phrases joined into one: last name."""
    joined: list[str] = []
    at = 0
    while at < len(parts):
        best, end = parts[at], at + 1
        until = at + 1
        while until <= len(parts) and until - at <= _LONGEST_PHRASE and (run := tuple(parts[at:until])) in _BEGINNINGS:
            if run in _PHRASES:
                best, end = _PHRASES[run], until
            until += 1
        joined.append(best)
        at = end
    return joined


def _wide_parts(run: str, longest: int = _LONGEST_WIDE) -> list[str]:
    """Return the parts of a text without spaces, split at known words, the longest first: none is over a length."""
    for length in range(min(longest, len(run)), 0, -1):
        for start in range(len(run) - length + 1):
            if (name := run[start : start + length]) in _WIDE_KNOWN:
                return [*_wide_parts(run[:start], length - 1), name, *_wide_parts(run[start + length :], length)]
    return [run] if run else []


@lru_cache(maxsize=20_000)
def _compound(part: str) -> tuple[str, ...]:
    """Return the parts of a compound of two known words: startdate, Startdatum; other words as they are."""
    if len(part) < 2 * _MIN_PART - 1 or _is_known(part):
        return (part,)
    for start in range(_MIN_ABBREVIATION, len(part) - 1):
        head, tail = part[:start], part[start:]
        is_tail = tail in _ENDS or (min(len(head), len(tail)) >= _MIN_PART and tail in _KNOWN and part.isascii())
        if is_tail and (whole := _first_part(head)):
            return (whole, tail)
    return (part,)


def _first_part(head: str) -> str:
    """Return the first word of a compound, without its linking letters; "" if it is unknown."""
    for join in ("", "s", "n", "en", "es", "e"):
        bare = head.removesuffix(join)
        is_word = bare in _KNOWN and bare not in STOP and len(bare) >= _MIN_ABBREVIATION
        if head.endswith(join) and (is_word or bare in _HEADS):
            return bare
    return ""


def _is_known(part: str) -> bool:
    return part in _KNOWN or part in STOP or part in GENERIC or stem(part) in _KNOWN or bool(_by_form(part))


@lru_cache(maxsize=20_000)
def _word(part: str) -> Word:
    if part == _WHEN:
        return Word(_DATED, frozenset((_DATED,)), _MODIFIER_WEIGHT)
    if part in STOP and part not in _KNOWN:
        return Word("", frozenset())
    root = stem(part)
    concepts = _concepts(part)
    weight = _GENERIC_WEIGHT if part in GENERIC or (root in GENERIC and part not in _KNOWN) else 1.0
    if concepts and concepts <= _MODIFIERS:
        weight = min(weight, _MODIFIER_WEIGHT)
    if part in STOP:
        weight = _STOP_WEIGHT
    return Word(root, concepts, weight)


def _concepts(part: str) -> frozenset[str]:
    root = stem(part)
    return (
        _KNOWN.get(part)
        or _KNOWN.get(part.removesuffix("s"))
        or _KNOWN.get(root)
        or _HEADS.get(part)
        or _by_form(part)
        or _by_tail(part)
    )


def _by_form(part: str) -> frozenset[str]:
    """Return the concepts of a word in another number, gender or case: lingue is lingua, telefonu is telefon."""
    for ending in _INFLECTED:
        bare = part.removesuffix(ending)
        if bare == part or len(bare) < _MIN_PREFIX:
            continue
        for instead in ("", *_VOWELS) if ending in _VOWELS else ("",):
            if known := _KNOWN.get(bare + instead):
                return known
    return frozenset()


def _by_tail(part: str) -> frozenset[str]:
    """Return the concepts of the last part of a compound: Nennleistung is power."""
    for start in range(2, len(part) - _MIN_PREFIX + 1):
        if part[start:] in _ENDS:
            return _KNOWN.get(part[start:], frozenset())
    return frozenset()


def _same(one: Word, two: Word) -> float:
    if one.stem == two.stem:
        return 1.0
    if one.concepts & two.concepts:
        return 0.93
    best = max((_NEAR.get((a, b), 0.0) for a in one.concepts for b in two.concepts), default=0.0)
    if best or (one.concepts and two.concepts):
        return best
    if _TWO.sub(r"\1", one.stem) == _TWO.sub(r"\1", two.stem):
        return 0.97
    short, long = sorted((one.stem, two.stem), key=len)
    if len(short) >= _MIN_ABBREVIATION and long.startswith(short):
        return 0.75 if len(short) >= _MIN_PREFIX else 0.6
    return _as_cognates(short, long)


def _as_cognates(short: str, long: str) -> float:
    """Return the similarity of two words as cognates: dimmable and dimmbar."""
    same = next((at for at, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if same >= _MIN_PREFIX and same >= 0.55 * len(long):
        return 0.65
    if same >= _MIN_SPELT and same >= 0.66 * len(long):
        return 0.6
    return 0.45 if same >= _MIN_SPELT and same >= 0.5 * len(long) else 0.0


@lru_cache(maxsize=5000)
def union(texts: tuple[Words, ...]) -> Words:
    """Return the words of all texts, each once; the same object for the same texts, so that it is compared once."""
    return Words(tuple(dict.fromkeys(word for text in texts for word in text.all)))


@lru_cache(maxsize=50_000)
def likeness(one: Words, other: Words) -> float:
    """Return the similarity of two phrases, 0 to 1: the harmonic mean of the coverage of each by the other."""
    recall = _covered(one, other) if _may_overlap(other, one) else 0.0
    if recall == 0.0:
        return 0.0
    precision = _covered(other, one)
    return 2 * recall * precision / (recall + precision)


def _may_overlap(one: Words, other: Words) -> bool:
    """Return True if any two of the words can be similar: a quick test, which fails for most phrases."""
    return not (other.beginnings.isdisjoint(one.beginnings) and other.reach.isdisjoint(one.concepts))


def _covered(these: Words, those: Words) -> float:
    whole = sum(word.weight for word in these.all)
    return sum(word.weight * max(_same(word, other) for other in those.all) for word in these.all) / whole


@lru_cache(maxsize=50_000)
def coverage(one: Words, other: Words) -> float:
    """Return the share of one phrase that occurs in another, 0 to 1."""
    return _covered(one, other) if _may_overlap(one, other) else 0.0
