"""How well each element of a page fits a description.

An element is as good as what it has of the words of the description, and as what the description has of its name.
Words that are rare on the page count most. A role that is asked for and is not that of the element costs half, a
contrary word more.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

import attrs

from agentbrowser.browser.wanted import Wanted, is_noise, parse
from agentbrowser.browser.words import join, likeness, opposed, split, stem
from agentbrowser.types.selector import Selector

_POWER: Final = 0.8
"""Below 1, since a description may well say more than the page."""
_COVERED: Final = 0.7
_NARROW: Final = 0.25
_PHRASE: Final = 0.05
_ROLE_ONLY: Final = 0.5
_CONTRARY: Final = 0.4

_CORE: Final = 1.3
_UNKNOWN: Final = 0.5
_VAGUE_WEIGHT: Final = 0.4

_PART: Final = 0.8
_KIND: Final = 0.95
_PLACEHOLDER: Final = 0.9
_NEAR: Final = 0.75
_VALUE: Final = 0.6

_KINDS: Final = {
    "email": "email",
    "tel": "phone",
    "password": "password",
    "search": "search",
    "searchbox": "search",
    "date": "date",
    "file": "file upload",
    "submit": "submit",
    "textarea": "textarea",
    "spinbutton": "number",
    "url": "url web address",
    "color": "color",
    "slider": "range",
}
"""What the type of a control, or else its role, says of it."""

_VAGUE_WORDS: Final = """
red green blue yellow orange purple pink black white grey gray dark light bright colored
big large small little tiny main primary secondary top bottom left right upper lower side corner middle
page website site form section area header footer sidebar navigation bar panel widget control element
dialog window popup modal item product entry article message folder row column label text one now just only all state
click press tap open show go get use set change make enter type fill view option
"""
_VAGUE: Final = frozenset(map(stem, _VAGUE_WORDS.split()))
"""Words that may say how or where an element is, which nothing here can tell; they count if they are on the page."""

_VERB_WORDS: Final = """
accept add archive block buy cancel close compose confirm copy create delete deny discard dismiss download edit erase
export follow hide import increase decrease invite leave like lock log login logout modify move mute open pause pay pin
play print publish refuse reject remove rename reply report reset save send share signup stop submit subscribe undo
unfollow unlock unmute unsubscribe upload
"""
_VERBS: Final = frozenset(map(stem, _VERB_WORDS.split()))
"""Words that, said first, are what is to be done, so that an element without them is another one."""


@attrs.frozen(kw_only=True)
class Described:
    """What ranking knows of an element."""

    role: str
    name: str | None = None
    """Its accessible name, or its text."""
    selector: Selector
    """What hits it alone."""
    kind: str | None = None
    """The type of an input or a button; ``textarea`` for that."""
    placeholder: str | None = None
    value: str | None = None
    near: str | None = None
    """Text that belongs to it and is not its own: of its row, its card, its fieldset."""


@attrs.frozen
class _Words:
    """The stems of an element."""

    name: tuple[str, ...]
    weights: dict[str, float]
    """Each stem that it has, with what it counts: 1 in the name, less elsewhere."""


@attrs.frozen(slots=False)
class Ranking:
    """The elements of a page in the light of a description."""

    description: str
    elements: Sequence[Described]

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(word for element in self.elements for text in _texts(element) for word in split(text))

    @cached_property
    def _words(self) -> list[_Words]:
        said = frozenset(split(self.description))
        return [_read(element, said) for element in self.elements]

    @cached_property
    def _spread(self) -> Counter[str]:
        """How many elements have each stem."""
        return Counter(word for words in self._words for word in words.weights)

    def wanted(self, *, ordinals: bool) -> Wanted:
        """Take the description apart, with "first" and "last" as what they count or as words."""
        names = {words.name for words in self._words}
        return parse(self.description, self._known, lambda word: (stem(word),) in names, ordinals=ordinals)

    def scores(self, wanted: Wanted) -> list[float]:
        """Return the score of each element, between 0 and 1."""
        scale = _Scale(wanted, self._spread, len(self.elements))
        return [round(scale.score(*pair), 3) for pair in zip(self.elements, self._words, strict=True)]


@attrs.frozen(eq=False)
class _Scale:
    """What each word weighs for one description on one page."""

    wanted: Wanted
    spread: Counter[str]
    size: int
    _weights: dict[str, float] = attrs.field(factory=dict, init=False)
    _like: dict[str, dict[str, float]] = attrs.field(factory=dict, init=False)
    _said: dict[str, float] = attrs.field(factory=dict, init=False)

    def score(self, element: Described, words: _Words) -> float:
        wanted = self.wanted
        # A word that names a role may be part of the name too: the "Select" button, the "Menu" link.
        asked = [*wanted.words, *(word for word in wanted.role_words if word in words.weights)]
        fit = wanted.suits(element.role)
        if not asked:
            return _ROLE_ONLY if wanted.roles and fit == 1 else 0.0
        found = {word: self._found(word, words.weights) for word in asked}
        covered = self._share((word, found[word]) for word in asked)
        if covered == 0:
            return 0.0
        # Numbers in names are mostly counts: "Inbox 12".
        narrow = self._share((word, self._is_said(word)) for word in words.name if not word.isdigit() or word in found)
        phrase = _holds(words.name, wanted.words)
        if self._is_contrary([word for word in wanted.words if not found[word]], words.name):
            fit *= _CONTRARY
        return fit * float(covered**_POWER) * (_COVERED + _NARROW * narrow + _PHRASE * phrase)

    def _share(self, found: Iterable[tuple[str, float]]) -> float:
        """Return how much of some words was found, by their weight."""
        whole = part = 0.0
        for word, likeness_ in found:
            weight = self._weight(word)
            whole += weight
            part += weight * likeness_
        return part / whole if whole else 0.0

    def _weight(self, word: str) -> float:
        if word not in self._weights:
            self._weights[word] = self._weigh(word)
        return self._weights[word]

    def _weigh(self, word: str) -> float:
        """Return how much a word says: more the rarer it is, less if it only says of what kind a thing is."""
        wanted, count = self.wanted, self.spread[word]
        if is_noise(word) or (not count and word in _VAGUE):
            return _VAGUE_WEIGHT
        weight = 1 + math.log((self.size + 1) / (count + 1))
        if word == wanted.last and word not in wanted.proper and not self._alike(word):
            return weight * _UNKNOWN
        return weight * _CORE if word in wanted.core or word in wanted.proper else weight

    def _alike(self, word: str) -> dict[str, float]:
        """Return what on the page stands for a word, and how well."""
        if word not in self._like:
            self._like[word] = {other: degree for other in self.spread if (degree := likeness(word, other))}
        return self._like[word]

    def _found(self, word: str, there: dict[str, float]) -> float:
        """Return how well the best of an element's words stands for this one."""
        alike = self._alike(word)
        if len(alike) > len(there):
            return max((alike[other] * weight for other, weight in there.items() if other in alike), default=0.0)
        return max((degree * there[other] for other, degree in alike.items() if other in there), default=0.0)

    def _is_said(self, word: str) -> float:
        if word not in self._said:
            self._said[word] = max((likeness(word, other) for other in self.wanted.said), default=0.0)
        return self._said[word]

    def _is_contrary(self, missing: list[str], name: tuple[str, ...]) -> bool:
        """Tell whether the element does the contrary of what is asked for, or not what is to be done."""
        if not missing:
            return False
        first = self.wanted.words[0]
        if self.wanted.roles is None and first in missing and first in _VERBS:
            return True
        return any(opposed(word, other) for word in missing for other in name)


def _holds(name: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Tell whether the words stand in the name one after the other."""
    length = len(words)
    return length > 0 and any(name[start : start + length] == words for start in range(len(name) - length + 1))


def _texts(element: Described) -> Iterable[str]:
    return filter(None, (element.name, element.placeholder, element.near, element.value))


def _read(element: Described, said: frozenset[str]) -> _Words:
    """Take the texts of an element apart; what the description writes in one word is one word here too."""
    name = tuple(map(stem, join(split(element.name or ""), said)))
    kind = _KINDS.get(element.kind or "", "") or _KINDS.get(element.role, "")
    weights = dict.fromkeys(name, 1.0)
    for text, weight in (
        (element.name, _PART),  # the parts of what was joined
        (kind, _KIND),
        (element.placeholder, _PLACEHOLDER),
        (element.near, _NEAR),
        (element.value, _VALUE),
    ):
        words = split(text) if text else ()
        for word in map(stem, {*words, *join(words, said)}):
            weights[word] = max(weight, weights.get(word, 0.0))
    return _Words(name, weights)
