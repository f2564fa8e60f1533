"""Score of one element for a query on one page, from its matched and missing words."""

import math
import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

import attrs

from agentbrowser.browser.semantic.dates import named_date
from agentbrowser.browser.semantic.features import ElementFeatures, ElementWords, texts
from agentbrowser.browser.semantic.query import (
    CLEAR_VERBS,
    FIELDS,
    ROLE_WORDS,
    VERBS,
    SemanticQuery,
    is_negated,
    is_noise,
    is_ordinal,
)
from agentbrowser.browser.semantic.related_words import BOTH_WAYS, THINGS, VAGUE
from agentbrowser.browser.semantic.synonyms import DOING
from agentbrowser.browser.semantic.words import RELATED, SAME, are_opposite, is_known, related_to, similarity, stem
from agentbrowser.long_work import give_way

_MAX_LOST_SHARE: Final = 0.8
"""Tolerated share of missing words for an element that matches only the verb."""
_COVERAGE_POWER: Final = 0.8
"""Below 1, since a description often has more words than the page."""
_COVERAGE_PART: Final = 0.7
_NARROW_BONUS: Final = 0.1
_WHOLE_BONUS: Final = 0.15
"""For a fully matched name, if no other element has the rest of the description."""
_PHRASE_BONUS: Final = 0.05
_MIN_SAID: Final = 0.85
_ROLE_ONLY_SCORE: Final = 0.5
_OTHER_ACTION_FACTOR: Final = 0.4
_DOUBTFUL_FACTOR: Final = 0.7
_LACKING_FACTOR: Final = 0.75
"""For an element without a number, a name or an "all" that the query has and other elements have."""
_UNSAID_FACTOR: Final = 0.85
"""For an element with a verb that the query does not have."""

_CORE_FACTOR: Final = 1.3
_UNKNOWN_FACTOR: Final = 0.5
_VAGUE_WEIGHT: Final = 0.4
_COMPOUND_FACTOR: Final = 1.3
"""For a word that is written in several: it is more specific."""
_NOUN_FACTOR: Final = 0.6
"""For a noun that matches a verb."""

_PARTS_FACTOR: Final = 0.8

_TOGGLE_ROLES: Final = frozenset({"checkbox", "switch", "menuitemcheckbox"})
_DOING_VERBS: Final = frozenset(map(stem, DOING.split()))
_ADDED_WORDS: Final = frozenset({"new", "another"})
"""Words that describe many things."""
_BOTH_WAYS: Final = frozenset(map(stem, BOTH_WAYS.split()))

_VAGUE_WORDS: Final = frozenset(map(stem, VAGUE.split()))
_THINGS: Final = frozenset(map(stem, THINGS.split()))
_CELL_ROLES: Final = frozenset({"cell", "columnheader", "gridcell", "row", "rowheader"})


@attrs.frozen
class ElementScore:
    """Score of one element."""

    score: float
    does_other_action: bool = False
    """True if the element does something else, or the opposite."""
    is_doubtful: bool = False
    """True if the verb of the query is unknown, and the element has a verb of its own."""


@attrs.frozen
class MatchedWords:
    """Words of the query that an element has."""

    found: dict[str, float]
    missing: list[str]
    does_other_action: bool

    @property
    def words(self) -> frozenset[str]:
        """The words of the query that were found."""
        return frozenset(word for word, degree in self.found.items() if degree)

    def has_only(self, word: str | None) -> bool:
        """Return True if nothing but this word was found."""
        return all(other == word for other, degree in self.found.items() if degree)


@attrs.frozen(eq=False)
class Scorer:
    """Weights of the words for one query on one page."""

    query: SemanticQuery
    spread: Counter[str]
    size: int
    _weights: dict[str, float] = attrs.field(factory=dict, init=False)
    _similar: dict[str, dict[str, float]] = attrs.field(factory=dict, init=False)
    _contrary: dict[str, frozenset[str]] = attrs.field(factory=dict, init=False)
    _described: dict[str, float] = attrs.field(factory=dict, init=False)

    def read(self, element: ElementFeatures, words: ElementWords) -> MatchedWords | None:
        """Return the words of the query that an element has; None if there are none."""
        give_way()
        asked = self._asked(element, words)
        is_field = self.query.roles is not None or self.query.implied == "field"
        there = words.weights if is_field else words.unvalued
        found = {word: self._found(word, there) for word in asked}
        if not any(found.values()):
            return None
        missing = [word for word in asked if not found[word]]
        return MatchedWords(found, missing, self._does_other_action(element, missing, words))

    def fit(
        self,
        element: ElementFeatures,
        words: ElementWords,
        matched: MatchedWords | None,
        open_: dict[str, float],
        exact: set[str],
    ) -> ElementScore:
        """Return the score of an element.

        Args:
          open_: what of the description those elements have, and how well, that do nothing else.
          exact: what of the description those elements have that are of its very role.
        """
        give_way()
        role_score = self.query.role_score(element.role)
        if matched is None:
            is_role = not self.query.words and self.query.roles and role_score == 1
            return ElementScore(_ROLE_ONLY_SCORE if is_role else 0.0)
        missing, another = matched.missing, matched.does_other_action
        is_of_role = element.role == self.query.role or not matched.words <= exact
        another |= (not is_of_role and self._has_only_place()) or self._has_another_number(element)
        doubtful = not another and (
            self._is_doubtful(element, matched, words)
            or self._is_elsewhere(matched, words, open_)
            or self._is_another_thing(matched, words)
            or self._is_only_near(element, matched, words)
            or self._is_beside(element, words, matched, open_)
            or self._is_only_number(element, words, matched)
            or self._is_only_vague(element, words, matched)
            or self._is_only_submit(element, words, matched)
            or "all" in missing  # "archive all messages" is not done by "Archive"
        )
        factor = (_OTHER_ACTION_FACTOR if another else 1) * (_DOUBTFUL_FACTOR if doubtful else 1)
        factor *= (_LACKING_FACTOR if self._is_lacking(missing) else 1) * (
            _UNSAID_FACTOR if self._has_own_verb(element, words) else 1
        )
        covered = self._share(matched.found.items())
        score = factor * role_score * covered**_COVERAGE_POWER * self._closeness(words, matched.found, missing)
        return ElementScore(round(score, 3), another, doubtful or not self._is_solid(matched, words))

    def _asked(self, element: ElementFeatures, words: ElementWords) -> list[str]:
        query = self.query
        # A role word may be part of the name too: the "Select" button, the "Menu" link.
        asked = [*query.words, *(word for word in query.role_words if word in words.weights)]
        if element.role not in _TOGGLE_ROLES:
            return asked
        least = [word for word in asked if word not in _BOTH_WAYS or self._found(word, words.weights)]
        return least or asked

    def _closeness(self, words: ElementWords, found: dict[str, float], missing: list[str]) -> float:
        """Return the similarity of the whole name and the description."""
        # Numbers in names are mostly counts: "Inbox 12".
        names = [word for word in words.name if not word.isdigit() or word in found]
        narrow = self._share((word, self._is_described(word)) for word in names)
        is_whole = narrow >= _MIN_SAID and not any(self.similar(word) for word in missing if not self._is_slight(word))
        phrase = _holds(words.name, self.query.words)
        return _COVERAGE_PART + _NARROW_BONUS * narrow + _WHOLE_BONUS * is_whole + _PHRASE_BONUS * phrase

    def _share(self, found: Iterable[tuple[str, float]]) -> float:
        """Return the weighted share of words that were found."""
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
        """Return the weight of a word: higher the rarer it is, lower for a generic one."""
        query = self.query
        if self._is_slight(word):
            return _VAGUE_WEIGHT
        similar = [other for other, degree in self.similar(word).items() if degree > RELATED]
        count = max((self.spread[other] for other in similar), default=0)
        weight = 1 + math.log((self.size + 1) / (count + 1))
        weight *= _COMPOUND_FACTOR if word in query.parts else 1
        if word in query.proper:
            return weight * _CORE_FACTOR
        if word in query.words and not self.similar(word):
            return weight * _UNKNOWN_FACTOR
        return weight * _CORE_FACTOR if word in query.core else weight

    def _is_slight(self, word: str) -> bool:
        return is_noise(word) or (not self.spread[word] and (word in _VAGUE_WORDS or word == "1"))

    def similar(self, word: str) -> dict[str, float]:
        """Return the similar words on the page, with their similarity."""
        if word not in self._similar:
            related, initial = related_to(word), word[:1]
            near = [other for other in self.spread if other[:1] == initial or other in related]
            self._similar[word] = {other: degree for other in near if (degree := self._likeness(word, other))}
        return self._similar[word]

    def _likeness(self, word: str, other: str) -> float:
        degree = similarity(word, other)
        return degree * _NOUN_FACTOR if degree == SAME and word in CLEAR_VERBS and word in self.query.nouns else degree

    def _found(self, word: str, there: dict[str, float]) -> float:
        """Return the similarity of an element's words to a word, or to its parts."""
        whole = self._one_found(word, there)
        parts = self.query.parts.get(word)
        if whole or not parts:
            return whole
        return _PARTS_FACTOR * sum(self._one_found(part, there) for part in parts) / len(parts)

    def _one_found(self, word: str, there: dict[str, float]) -> float:
        """Return the similarity of the element's best word."""
        similar = self.similar(word)
        if len(similar) > len(there):
            return max((similar[other] * weight for other, weight in there.items() if other in similar), default=0.0)
        return max((degree * there[other] for other, degree in similar.items() if other in there), default=0.0)

    def _is_described(self, word: str) -> float:
        if word not in self._described:
            self._described[word] = max(
                (self.similar(other).get(word, 0.0) for other in self.query.described), default=0.0
            )
        return self._described[word]

    def _does_other_action(self, element: ElementFeatures, missing: list[str], words: ElementWords) -> bool:
        """Return True if the element does the opposite, or another known action."""
        if not self.query.is_negated and element.role not in FIELDS.split() and is_negated(element.name or ""):
            return True  # "Don't save" does not save
        if any(
            f"un{word}" in words.name or f"un{name}" == word for word in self.query.described for name in words.name
        ):
            return True  # "Mark as unread" does not mark as read
        if any(self.query.excluded & {word} for word in words.name):
            return True
        is_toggle = element.role in _TOGGLE_ROLES
        contraries = [self._contraries(word) for word in missing if not (is_toggle and word in _BOTH_WAYS)]
        if any(not contrary.isdisjoint(words.name) for contrary in contraries):
            return True
        verb = self.query.words[0] if self.query.words else ""
        return verb in missing and verb in VERBS - _VAGUE_WORDS and self._has_own_verb(element, words)

    def _is_solid(self, matched: MatchedWords, words: ElementWords) -> bool:
        """Return True if a word or a synonym was found; a related word suffices for a whole name."""
        parts = (part for word in matched.found for part in self.query.parts.get(word, ()))
        telling = [word for word in matched.found if not self._is_slight(word) and word not in _ADDED_WORDS]
        found = max((matched.found[word] for word in telling), default=1.0)
        is_name = len(words.name) == 1 and found >= RELATED
        return found > RELATED or is_name or any(part in words.weights and not self._is_slight(part) for part in parts)

    def _is_other_kind(self) -> bool:
        """Return True if nothing on the page has the word before the generic noun: "mortgage calculator"."""
        words, last = self.query.words, self.query.last
        if last not in words[1:]:
            return False
        word = words[words.index(last) - 1]
        is_verb = word == self.query.verb or word in _BOTH_WAYS
        return not is_verb and not self._is_slight(word) and not self.similar(word)

    def _is_elsewhere(self, matched: MatchedWords, words: ElementWords, open_: dict[str, float]) -> bool:
        """Return True if more is missing here that other elements have than is found."""
        if self.query.verb is not None and words.name[:1] == (self.query.verb,):
            return False
        missing = [word for word in matched.missing if not self._is_slight(word)]
        lost = sum(self._weight(word) * open_.get(word, 0.0) for word in missing)
        tolerance = _MAX_LOST_SHARE if matched.has_only(self.query.verb) else 1
        return lost > tolerance * sum(self._weight(word) * degree for word, degree in matched.found.items())

    def _is_another_thing(self, matched: MatchedWords, words: ElementWords) -> bool:
        """Return True if the element does to another thing what the query says: "Delete all" deletes no project."""
        verb = self.query.words[0] if self.query.words else ""
        if verb not in VERBS or not matched.found.get(verb):
            return False
        lacking = [*matched.missing, *(word for word in self.query.role_words if word not in words.weights)]
        if not any(word in _THINGS or not (word in ROLE_WORDS or self._is_slight(word)) for word in lacking):
            return False
        if not all(self._is_described(word) for word in words.name if not (word.isdigit() or is_noise(word))):
            return True
        is_counted = self.query.nth is not None or any(map(is_ordinal, self.query.described))
        return bool(words.around) and not is_counted and not any(map(self._is_described, words.around))  # another row

    def _is_only_near(self, element: ElementFeatures, matched: MatchedWords, words: ElementWords) -> bool:
        """Return True if the words are only around a button, such as the status beside it."""
        if self.query.roles is not None or element.role != "button":
            return False
        return not any(self._found(word, words.own) for word, degree in matched.found.items() if degree)

    def _has_only_place(self) -> bool:
        """Return True if a role and a place are all that is known of the wanted element: "the menu of Bob"."""
        query = self.query
        if query.roles is None or query.before_place is None:
            return False
        return not any(self.similar(word) for word in query.before_place if word not in VERBS and word != query.verb)

    def _is_beside(
        self, element: ElementFeatures, words: ElementWords, matched: MatchedWords, open_: dict[str, float]
    ) -> bool:
        """Return True if an element that has the place may be another one than that of the wanted role there."""
        if not self._has_only_place() or element.role == self.query.role:
            return False
        if element.role not in (self.query.roles or ()):
            return matched.words <= open_.keys()
        is_alike = element.role in _TOGGLE_ROLES or element.role in FIELDS.split()
        return not is_alike and not any(self._found(word, words.own) for word in matched.words)

    def _has_another_number(self, element: ElementFeatures) -> bool:
        """Return True if the name of a numbered thing has only other numbers here: "Chair 247" for "Chair 2".

        So is another day: "November 24" for "December 24".
        """
        if (date := self.query.date) is not None and element.name and date.differs(named_date(element.name)):
            return True
        for name, number in self.query.numbered:
            there = re.findall(rf"\b{name}\s+(\d+)\b", "\n".join(texts(element)), re.IGNORECASE)
            if there and number not in there:
                return True
        return False

    def _is_only_number(self, element: ElementFeatures, words: ElementWords, matched: MatchedWords) -> bool:
        """Return True if only numbers were found, of something else: "Person 4" or the page "4" for "4 stars"."""
        is_other = not set(matched.missing) <= _VAGUE_WORDS or not all(self._is_described(word) for word in words.name)
        is_other |= element.role in _CELL_ROLES or element.kind == "cell"  # "page 2" is neither a row nor a day
        return is_other and bool(matched.missing) and all(word.isdigit() for word in matched.words)

    def _is_only_vague(self, element: ElementFeatures, words: ElementWords, matched: MatchedWords) -> bool:
        """Return True for a verb of its own and a part of vague words: "Remove item" for "item one"."""
        is_part = bool(matched.missing) and matched.words <= _VAGUE_WORDS
        return is_part and self._has_own_verb(element, words)

    def _is_lacking(self, missing: list[str]) -> bool:
        return any(self.similar(word) for word in missing if self.is_name(word) or word == "all")

    def is_name(self, word: str, *, names: bool = True) -> bool:
        """Return True for a number or, if requested, a proper name: no synonym replaces it."""
        if word in self.query.values:
            return False
        if any(letter.isdigit() for letter in word):
            return word != "1"
        return names and word in self.query.proper and not is_known(word) and word not in _VAGUE_WORDS

    def _contraries(self, word: str) -> frozenset[str]:
        """Return the words on the page that mean the opposite."""
        if word not in self._contrary:
            self._contrary[word] = frozenset(other for other in self.spread if are_opposite(word, other))
        return self._contrary[word]

    def _is_doubtful(self, element: ElementFeatures, matched: MatchedWords, words: ElementWords) -> bool:
        """Return True if the verb of the query may differ from the element's action."""
        verb = self.query.verb
        if matched.has_only(self.query.last) and self._is_other_kind():
            return True
        if verb is None or self._is_slight(verb):
            return False
        if verb not in matched.missing:
            # The matched words may be nouns: "Save changes".
            return matched.has_only(verb) and self._has_own_verb(element, words)
        if verb in _DOING_VERBS and len(words.name) == 1 and words.name[0] in VERBS:
            return False  # "post the comment": the button that is named "Comment"
        return verb in CLEAR_VERBS or self._has_own_verb(element, words)

    def _is_only_submit(self, element: ElementFeatures, words: ElementWords, matched: MatchedWords) -> bool:
        """Return True for a submit button of another verb, of which only the type was found: "Redeem" for "send"."""
        if element.kind != "submit" or not self._has_own_verb(element, words):
            return False
        names = dict.fromkeys(words.name, 1.0)
        return not any(self._found(word, names) for word in matched.words)

    def _has_own_verb(self, element: ElementFeatures, words: ElementWords) -> bool:
        """Return True if the element's name begins with a verb that the query does not have."""
        own = next((word for word in words.name if not is_noise(word)), "")
        if element.kind == "submit" and element.kind in self.query.words:
            return False
        return own in VERBS and element.role not in FIELDS.split() and not self._is_described(own)


def _holds(name: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Return True if the words are consecutive in the name."""
    length = len(words)
    return length > 0 and any(name[start : start + length] == words for start in range(len(name) - length + 1))
