"""Words for ranking: split, stemmed, and compared by meaning."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final

from agentbrowser.browser.semantic import related_words, synonyms
from agentbrowser.extraction.caching import memoize_within
from agentbrowser.extraction.text import lexical

_COMPOUNDS: Final = frozenset(
    word for group in (*synonyms.SYNONYMS, *related_words.RELATED, related_words.WHOLE) for word in group.split()
)
_BEGINNINGS: Final = frozenset(word[:end] for word in _COMPOUNDS for end in range(2, len(word) + 1))
_MIN_COMPOUND: Final = 5
"""Minimum length of a word of the tables that may be written as two: "log in"."""
_MIN_SPLIT: Final = 4
"""Minimum length of a word of a description that the page may write as two: "x-ray"."""
_MAX_PARTS: Final = 4
"""Maximum number of parts of a word that is written as several."""

SAME: Final = 0.9
RELATED: Final = 0.6
_DISTANT: Final = 0.45
"""For a word that is related to a synonym."""
_BEGINS: Final = 0.75
_MISSPELT: Final = 0.8
_MIN_RECOGNISED: Final = 5
"""Minimum length of a word that is recognised by its beginning, or by all but one letter."""

_NOT_ENDED: Final = frozenset({"savings", "settings", "listings", "earnings", "holdings", "news"})
"""Nouns whose ending is part of them."""

_MOST_CHARACTERS: Final = 800_000
"""Characters of the texts whose words are kept, which take about 26 bytes for each."""
_WORD: Final = re.compile(lexical.WORD + "|[×✕✖+]")
_DO_NOT: Final = re.compile(r"\bdo not\b", re.IGNORECASE)
_DIGITS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SIGNS: Final = {"×": "close", "✕": "close", "✖": "close", "+": "plus"} | {
    word: str(digit) for digit, word in enumerate(_DIGITS)
}
"""Other spellings of words: signs that stand among them, and digits in words."""
_CROSS: Final = "x"
_ABOUT_CROSS: Final = frozenset({_CROSS, "the", "button", "icon"})
"""Words of a description of the button that closes something. Among others, the letter is no cross: "Model X"."""

_SYMBOLS: Final = {
    symbol: word
    for symbols, word in {
        "⋯ ⋮ ︙ ... •••": "more",
        "🗑": "delete",
        "✎ ✏ 🖉 🖊 📝": "edit",
        "⚙": "settings",
        "☰ ≡": "menu",
        "★ ☆ ⭐": "star",
        "♥ ♡ ❤ 🤍": "like",
        "🔍 🔎": "search",
        "✗ ✘ ❌": "close",
        "➕": "plus",
        "− ➖": "minus",
        "⟳ ↻ 🔄": "refresh",
        "🔔": "notifications",
        "🏠": "home",
        "🛒": "cart",
        "📎": "attach",
        "🖨": "print",
    }.items()
    for symbol in symbols.split()
}
"""Words for symbols that are the whole name of a button. Symbols with several meanings, such as arrows, have none."""
_SYMBOL: Final = re.compile("|".join(map(re.escape, _SYMBOLS)) + r"|[^\x00-\xbf\w\s]")
_SYMBOL_CATEGORIES: Final = frozenset({"So", "Sm"})
_ALONE: Final = re.compile(rf"{_WORD.pattern}|(?<![\w.])(?:{_SYMBOL.pattern})(?![\w.])")


@memoize_within(_MOST_CHARACTERS)
def split(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case, split at camel case, without accents and possessives.

    A text of symbols only, such as the name of an icon button, has the words for them, else the symbols themselves. The
    letter X alone is a cross, and means to close.
    """
    plain = _plain(text)
    words: list[str] = _WORD.findall(plain)
    if words == [_CROSS]:
        return ("close",)
    if words:
        return tuple(_SIGNS.get(word, word) for word in words)
    return tuple(dict.fromkeys(filter(None, map(_symbol_word, _SYMBOL.findall(plain)))))


def split_described(text: str, is_name: Callable[[str], bool]) -> list[str]:
    """Return the words of a description, with those for the symbols that stand alone in it.

    Args:
      is_name: returns True if a word is the whole name of an element on the page; other symbols are left out.
    """
    words, parts = [], _ALONE.findall(_plain(text))
    is_cross = _ABOUT_CROSS.issuperset(parts)
    for found in parts:
        if found == _CROSS and is_cross:
            words.append("close")
        elif _WORD.fullmatch(found):
            words.append(_SIGNS.get(found, found))
        elif (word := _symbol_word(found)) and is_name(word):
            words.append(word)
    return words


def _symbol_word(symbol: str) -> str:
    """Return the word for a symbol; the symbol itself where there is none, and "" for punctuation."""
    if symbol in _SYMBOLS:
        return _SYMBOLS[symbol]
    return symbol if unicodedata.category(symbol) in _SYMBOL_CATEGORIES else ""


def _plain(text: str) -> str:
    """Return a text in lower case, spaced at camel case, without accents and possessives."""
    spaced = lexical.split_camel_case(re.sub(r"['’]s\b|(?<=n)['’](?=t\b)", "", _DO_NOT.sub("dont", text)))
    plain = spaced.lower() if spaced.isascii() else _without_accents(spaced)
    return plain.replace("e-mail", "email")


def _without_accents(text: str) -> str:
    return lexical.strip_marks(unicodedata.normalize("NFKD", text).casefold(), unicodedata.combining)


def join(words: Sequence[str], known: frozenset[str]) -> list[str]:
    """Return the words, with neighbours joined that form a known word: ``log in`` is ``login``."""
    return [whole for whole, _ in joined(words, known)]


def joined(words: Sequence[str], known: frozenset[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Return the words, joined where they form a known one, each with its parts."""
    pairs: list[tuple[str, tuple[str, ...]]] = []
    start = 0
    while start < len(words):
        count = _count_parts(words, start, known)
        parts = tuple(words[start : start + count])
        pairs.append(("".join(parts), parts))
        start += count
    return pairs


def _count_parts(words: Sequence[str], start: int, known: frozenset[str]) -> int:
    """Return the number of words from this one on that form one."""
    if "".join(words[start : start + 2]) not in _BEGINNINGS and not known:
        return 1
    for count in range(min(_MAX_PARTS, len(words) - start), 1, -1):
        whole = "".join(words[start : start + count])
        if (len(whole) >= _MIN_COMPOUND and whole in _COMPOUNDS) or whole in known:
            return count
    return 1


Stems = tuple[tuple[str, ...], frozenset[str]]
"""Stems of a text: in order and joined; and all, with the parts of joined words."""


def read_stems(text: str, described: Iterable[str]) -> Stems:
    """Return the stems of a text, joined as in the tables or in the description."""
    words, letters, stems = _read(text)
    is_plain = not any(word in letters and word not in words for word in described)
    return stems if is_plain else _stems(words, join(words, frozenset(described)))


@memoize_within(_MOST_CHARACTERS)
def _read(text: str) -> tuple[tuple[str, ...], str, Stems]:
    words = split(text)
    return words, "".join(words), _stems(words, join(words, frozenset()))


def _stems(words: Sequence[str], joined_: Sequence[str]) -> Stems:
    return tuple(map(stem, joined_)), frozenset(map(stem, (*words, *joined_)))


def compounds(words: Iterable[str]) -> frozenset[str]:
    """Return the words that may be written as two elsewhere."""
    return frozenset(word for word in words if len(word) >= _MIN_SPLIT)


def is_compound(word: str) -> bool:
    """Return True for a word that may be written as several."""
    return len(word) >= _MIN_COMPOUND and word in _COMPOUNDS


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return a word without the endings of English plurals, participles and gerunds."""
    if word in _NOT_ENDED:
        return word
    word = lexical.singular(word)
    for ending in ("ing", "ed"):
        root = word.removesuffix(ending)
        if root != word and len(root) >= 3 and re.search("[aeiouy]", root):
            word = lexical.undouble(root) if len(root) > 3 else root
            break
    return word.removesuffix("e") if len(word) > 3 else word


def _groups(lists: Iterable[str]) -> dict[str, frozenset[int]]:
    groups: dict[str, frozenset[int]] = {}
    for number, words in enumerate(lists):
        for word in map(stem, words.split()):
            groups[word] = groups.get(word, frozenset()) | {number}
    return groups


def _members(groups: dict[str, frozenset[int]]) -> dict[int, set[str]]:
    members: dict[int, set[str]] = {}
    for word, numbers in groups.items():
        for number in numbers:
            members.setdefault(number, set()).add(word)
    return members


_SAME_GROUPS: Final = _groups(synonyms.SYNONYMS)
_SAME_MEMBERS: Final = _members(_SAME_GROUPS)


def _same(word: str) -> frozenset[str]:
    """Return a stem with its synonyms."""
    return frozenset({word}.union(*(_SAME_MEMBERS[number] for number in _SAME_GROUPS.get(word, ()))))


def _with_synonyms(groups: dict[str, frozenset[int]]) -> dict[str, frozenset[int]]:
    """Return the groups, extended by the synonyms of their words."""
    wide = dict(groups)
    for word, numbers in groups.items():
        for other in _same(word):
            wide[other] = wide.get(other, frozenset()) | numbers
    return wide


_RELATED_GROUPS: Final = _groups(related_words.RELATED)
_DISTANT_GROUPS: Final = _with_synonyms(_RELATED_GROUPS)
_DISTANT_MEMBERS: Final = _members(_DISTANT_GROUPS)


_ORDINAL_ENDINGS: Final = ("st", "nd", "rd", "th")


@lru_cache(maxsize=32768)
def similarity(first: str, second: str) -> float:
    """Return the similarity of two stems in meaning, from 0 to 1."""
    if first == second:
        return 1.0
    if _share_group(_SAME_GROUPS, first, second):
        return SAME
    if first[:1] == second[:1] and (degree := _spelling_similarity(first, second)):
        return degree
    if _share_group(_RELATED_GROUPS, first, second):
        return RELATED
    return _DISTANT if _share_group(_DISTANT_GROUPS, first, second) else 0.0


def _spelling_similarity(first: str, second: str) -> float:
    """Return the similarity in spelling of two stems that begin with the same letter."""
    if _is_misspelt(first, second):
        return _MISSPELT
    short, long = sorted((first, second), key=len)
    if not long.startswith(short):
        return 0.0
    if short.isdigit() and long[len(short) :] in _ORDINAL_ENDINGS:
        return SAME  # "December 10" and "Thursday, December 10th"
    is_seat = short.isdigit() and len(long) == len(short) + 1 and long[-1].isalpha()  # "14C" is in row 14
    return _BEGINS if len(short) >= _MIN_RECOGNISED or is_seat else 0.0


@lru_cache(maxsize=4096)
def related_to(word: str) -> frozenset[str]:
    """Return the stems that the tables relate to this one."""
    akin = (_DISTANT_MEMBERS[number] for number in _DISTANT_GROUPS.get(word, ()))
    return _same(word).union(*akin)


def is_known(stem_: str) -> bool:
    """Return True if the stem is in the tables."""
    return stem_ in _SAME_GROUPS or stem_ in _DISTANT_GROUPS


def _share_group(groups: dict[str, frozenset[int]], first: str, second: str) -> bool:
    return not groups.get(first, frozenset()).isdisjoint(groups.get(second, frozenset()))


def _sides() -> dict[str, frozenset[int]]:
    """Return the pairs of opposites of each stem: the number of the pair, negative for its second half."""
    sides: dict[str, frozenset[int]] = {}
    for number, (first, second) in enumerate(related_words.OPPOSITE, 1):
        for side, word in ((number, first), (-number, second)):
            for similar in _same(stem(word)):
                sides[similar] = sides.get(similar, frozenset()) | {side}
    return sides


_SIDES: Final = _sides()


def are_opposite(first: str, second: str) -> bool:
    """Return True if two stems are opposites."""
    sides = _SIDES.get(first)
    return sides is not None and not sides.isdisjoint(-side for side in _SIDES.get(second, ()))


def _is_misspelt(first: str, second: str) -> bool:
    """Return True if the words differ in one letter, or in two swapped ones."""
    shorter = min(len(first), len(second))
    if shorter < _MIN_RECOGNISED or abs(len(first) - len(second)) > 1 or first[0] != second[0]:
        return False
    if any(word.isdigit() for word in (first, second)):
        return False
    start = next((place for place in range(shorter) if first[place] != second[place]), shorter)
    head, tail = first[start:], second[start:]
    is_swapped = head[:2] == tail[1::-1] and head[2:] == tail[2:]
    return is_swapped or head[1:] == tail[1:] or head[1:] == tail or head == tail[1:]
