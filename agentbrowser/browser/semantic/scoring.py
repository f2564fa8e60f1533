"""How well one element fits a description, on one page: what of it was found, what is missing, and what that tells."""

import math
from collections import Counter
from collections.abc import Iterable
from typing import Final

import attrs

from agentbrowser.browser.semantic.features import ElementFeatures, ElementWords
from agentbrowser.browser.semantic.query import CLEAR_VERBS, FIELDS, VERBS, SemanticQuery, is_noise
from agentbrowser.browser.semantic.related_words import BOTH_WAYS
from agentbrowser.browser.semantic.synonyms import DOING
from agentbrowser.browser.semantic.words import RELATED, SAME, are_opposite, is_known, related_to, similarity, stem

_LOST: Final = 0.8
"""What an element that has only the verb may lack of that which others have, against what it has."""
_POWER: Final = 0.8
"""Below 1, since a description may well say more than the page."""
_COVERED: Final = 0.7
_NARROW: Final = 0.1
_WHOLE: Final = 0.15
"""For a name that is said entirely, by a description that says nothing that only others have."""
_PHRASE: Final = 0.05
_SAID: Final = 0.85
_ROLE_ONLY: Final = 0.5
_ANOTHER: Final = 0.4
_DOUBTFUL: Final = 0.7
_LACKING: Final = 0.75
"""For an element without a number, a name or an "all" that is said and that others have."""
_UNSAID: Final = 0.85
"""For an element that does something of which nothing is said."""

_CORE: Final = 1.3
_UNKNOWN: Final = 0.5
_VAGUE_WEIGHT: Final = 0.4
_COMPOUND: Final = 1.3
"""For what is said in several words: it says more."""
_NOUN: Final = 0.6
"""For a thing that is found as something to be done."""

_PART: Final = 0.8

_TOGGLES: Final = frozenset({"checkbox", "switch", "menuitemcheckbox"})
_DOING: Final = frozenset(map(stem, DOING.split()))
_ADDED: Final = frozenset({"new", "another"})
"""Words that many a thing is said to be."""
_BOTH_WAYS: Final = frozenset(map(stem, BOTH_WAYS.split()))

_VAGUE_WORDS: Final = """
red green blue yellow orange purple pink black white grey gray dark light bright colored
big large small little tiny main primary secondary top bottom left right upper lower side corner middle
page website site form section area header footer sidebar navigation bar panel widget control element
dialog window popup modal item product entry article message folder row column label text one now just only all state
click press tap open show go get use set change make enter type fill view option want would please give put other
"""
_VAGUE: Final = frozenset(map(stem, _VAGUE_WORDS.split()))
"""Words that may say how or where an element is, which nothing here can tell; they count if they are on the page."""


@attrs.frozen
class ElementScore:
    """How well an element fits."""

    score: float
    does_other_action: bool = False
    """It does something else than what is asked for, or the contrary."""
    is_doubtful: bool = False
    """What is to be done is said in words that are not known, and it does something of its own."""


@attrs.frozen
class MatchedWords:
    """What of the description an element has."""

    found: dict[str, float]
    missing: list[str]
    does_other_action: bool

    def has_only(self, word: str | None) -> bool:
        """Tell whether nothing but this word was found."""
        return all(other == word for other, degree in self.found.items() if degree)


@attrs.frozen(eq=False)
class Scorer:
    """What each word weighs for one description on one page."""

    query: SemanticQuery
    spread: Counter[str]
    size: int
    _weights: dict[str, float] = attrs.field(factory=dict, init=False)
    _similar: dict[str, dict[str, float]] = attrs.field(factory=dict, init=False)
    _contrary: dict[str, frozenset[str]] = attrs.field(factory=dict, init=False)
    _said: dict[str, float] = attrs.field(factory=dict, init=False)

    def read(self, element: ElementFeatures, words: ElementWords) -> MatchedWords | None:
        """Return what of the description an element has."""
        asked = self._asked(element, words)
        found = {word: self._found(word, words.weights) for word in asked}
        if not any(found.values()):
            return None
        missing = [word for word in asked if not found[word]]
        return MatchedWords(found, missing, self._does_other_action(element, missing, words))

    def fit(
        self, element: ElementFeatures, words: ElementWords, matched: MatchedWords | None, open_: dict[str, float]
    ) -> ElementScore:
        """Return how well an element fits.

        Args:
          open_: what of the description those elements have, and how well, that do nothing else.
        """
        role_score = self.query.role_score(element.role)
        if matched is None:
            is_role = not self.query.words and self.query.roles and role_score == 1
            return ElementScore(_ROLE_ONLY if is_role else 0.0)
        missing, another = matched.missing, matched.does_other_action
        doubtful = not another and (
            self._is_doubtful(element, matched, words) or self._is_elsewhere(matched, words, open_)
        )
        factor = (_ANOTHER if another else 1) * (_DOUBTFUL if doubtful else 1)
        factor *= (_LACKING if self._is_lacking(missing) else 1) * (
            _UNSAID if self._has_own_verb(element, words) else 1
        )
        covered = self._share(matched.found.items())
        score = factor * role_score * covered**_POWER * self._closeness(words, matched.found, missing)
        return ElementScore(round(score, 3), another, doubtful or not self._is_solid(matched, words))

    def _asked(self, element: ElementFeatures, words: ElementWords) -> list[str]:
        query = self.query
        # A word that names a role may be part of the name too: the "Select" button, the "Menu" link.
        asked = [*query.words, *(word for word in query.role_words if word in words.weights)]
        if element.role not in _TOGGLES:
            return asked
        least = [word for word in asked if word not in _BOTH_WAYS or self._found(word, words.weights)]
        return least or asked

    def _closeness(self, words: ElementWords, found: dict[str, float], missing: list[str]) -> float:
        """Return how near the whole name is to the description."""
        # Numbers in names are mostly counts: "Inbox 12".
        names = [word for word in words.name if not word.isdigit() or word in found]
        narrow = self._share((word, self._is_said(word)) for word in names)
        is_whole = narrow >= _SAID and not any(self.similar(word) for word in missing if not self._is_slight(word))
        phrase = _holds(words.name, self.query.words)
        return _COVERED + _NARROW * narrow + _WHOLE * is_whole + _PHRASE * phrase

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
        query = self.query
        if self._is_slight(word):
            return _VAGUE_WEIGHT
        similar = [other for other, degree in self.similar(word).items() if degree > RELATED]
        count = max((self.spread[other] for other in similar), default=0)
        weight = 1 + math.log((self.size + 1) / (count + 1))
        weight *= _COMPOUND if word in query.parts else 1
        if word in query.proper:
            return weight * _CORE
        if word in query.words and not self.similar(word):
            return weight * _UNKNOWN
        return weight * _CORE if word in query.core else weight

    def _is_slight(self, word: str) -> bool:
        return is_noise(word) or (not self.spread[word] and (word in _VAGUE or word == "1"))

    def similar(self, word: str) -> dict[str, float]:
        """Return what on the page stands for a word, and how well."""
        if word not in self._similar:
            related, initial = related_to(word), word[:1]
            near = [other for other in self.spread if other[:1] == initial or other in related]
            self._similar[word] = {other: degree for other in near if (degree := self._likeness(word, other))}
        return self._similar[word]

    def _likeness(self, word: str, other: str) -> float:
        degree = similarity(word, other)
        return degree * _NOUN if degree == SAME and word in CLEAR_VERBS and word in self.query.nouns else degree

    def _found(self, word: str, there: dict[str, float]) -> float:
        """Return how well an element has a word, or what it was made of."""
        whole = self._one_found(word, there)
        parts = self.query.parts.get(word)
        if whole or not parts:
            return whole
        return _PART * sum(self._one_found(part, there) for part in parts) / len(parts)

    def _one_found(self, word: str, there: dict[str, float]) -> float:
        """Return how well the best of an element's words stands for this one."""
        similar = self.similar(word)
        if len(similar) > len(there):
            return max((similar[other] * weight for other, weight in there.items() if other in similar), default=0.0)
        return max((degree * there[other] for other, degree in similar.items() if other in there), default=0.0)

    def _is_said(self, word: str) -> float:
        if word not in self._said:
            self._said[word] = max((self.similar(other).get(word, 0.0) for other in self.query.said), default=0.0)
        return self._said[word]

    def _does_other_action(self, element: ElementFeatures, missing: list[str], words: ElementWords) -> bool:
        """Tell whether the element does the contrary of what is asked for, or something else that is known."""
        if any(self.query.excluded & {word} for word in words.name):
            return True
        is_toggle = element.role in _TOGGLES
        contraries = [self._contraries(word) for word in missing if not (is_toggle and word in _BOTH_WAYS)]
        if any(not contrary.isdisjoint(words.name) for contrary in contraries):
            return True
        verb = self.query.words[0] if self.query.words else ""
        return verb in missing and verb in VERBS - _VAGUE and self._has_own_verb(element, words)

    def _is_solid(self, matched: MatchedWords, words: ElementWords) -> bool:
        """Tell whether a word was found itself, or one that stands for it; akin is enough for all of a name."""
        parts = (part for word in matched.found for part in self.query.parts.get(word, ()))
        telling = [word for word in matched.found if not self._is_slight(word) and word not in _ADDED]
        found = max((matched.found[word] for word in telling), default=1.0)
        is_name = len(words.name) == 1 and found >= RELATED
        return found > RELATED or is_name or any(part in words.weights and not self._is_slight(part) for part in parts)

    def _is_other_kind(self) -> bool:
        """Tell whether nothing on the page has what tells which of its kind a thing is: "mortgage calculator"."""
        words, last = self.query.words, self.query.last
        if last not in words[1:]:
            return False
        word = words[words.index(last) - 1]
        is_verb = word == self.query.verb or word in _BOTH_WAYS
        return not is_verb and not self._is_slight(word) and not self.similar(word)

    def _is_elsewhere(self, matched: MatchedWords, words: ElementWords, open_: dict[str, float]) -> bool:
        """Tell whether more is missing here that other elements have than is found."""
        if self.query.verb is not None and words.name[:1] == (self.query.verb,):
            return False
        missing = [word for word in matched.missing if not self._is_slight(word)]
        lost = sum(self._weight(word) * open_.get(word, 0.0) for word in missing)
        tolerance = _LOST if matched.has_only(self.query.verb) else 1
        return lost > tolerance * sum(self._weight(word) * degree for word, degree in matched.found.items())

    def _is_lacking(self, missing: list[str]) -> bool:
        return any(self.similar(word) for word in missing if self.is_name(word) or word == "all")

    def is_name(self, word: str, *, names: bool = True) -> bool:
        """Tell whether the word is a number or, if asked, a proper name: nothing else stands for it."""
        if word in self.query.values:
            return False
        if any(letter.isdigit() for letter in word):
            return word != "1"
        return names and word in self.query.proper and not is_known(word) and word not in _VAGUE

    def _contraries(self, word: str) -> frozenset[str]:
        """Return what on the page says the contrary of a word."""
        if word not in self._contrary:
            self._contrary[word] = frozenset(other for other in self.spread if are_opposite(word, other))
        return self._contrary[word]

    def _is_doubtful(self, element: ElementFeatures, matched: MatchedWords, words: ElementWords) -> bool:
        """Tell whether what is to be done is not known to be what the element does."""
        verb = self.query.verb
        if matched.has_only(self.query.last) and self._is_other_kind():
            return True
        if verb is None or self._is_slight(verb):
            return False
        if verb not in matched.missing:
            # What is found may be a thing: "Save changes".
            return matched.has_only(verb) and self._has_own_verb(element, words)
        if verb in _DOING and len(words.name) == 1 and words.name[0] in VERBS:
            return False  # "post the comment": the button that is named "Comment"
        return verb in CLEAR_VERBS or self._has_own_verb(element, words)

    def _has_own_verb(self, element: ElementFeatures, words: ElementWords) -> bool:
        """Tell whether the element's name begins with what it does, and that is not said."""
        own = next((word for word in words.name if not is_noise(word)), "")
        if element.kind == "submit" and element.kind in self.query.words:
            return False
        return own in VERBS and element.role not in FIELDS.split() and not self._is_said(own)


def _holds(name: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Tell whether the words stand in the name one after the other."""
    length = len(words)
    return length > 0 and any(name[start : start + length] == words for start in range(len(name) - length + 1))
