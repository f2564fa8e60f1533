"""Ranking of a page's elements for a description.

The score grows with the share of the query's words that an element has, and with the share of its name in the query.
Words that are rare on the page count most. A word that is nowhere on the page counts little, since it distinguishes
nothing. A different role costs half of the score, a different action more.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

import attrs

from agentbrowser.browser.semantic.features import ElementFeatures as ElementFeatures
from agentbrowser.browser.semantic.features import ElementWords, read_element, texts
from agentbrowser.browser.semantic.query import SemanticQuery, parse
from agentbrowser.browser.semantic.scoring import ElementScore, Scorer
from agentbrowser.browser.semantic.words import compounds, split, stem


@attrs.frozen(slots=False)
class Ranking:
    """Elements of a page, ranked for a description."""

    description: str
    elements: Sequence[ElementFeatures]

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(word for element in self.elements for text in texts(element) for word in split(text))

    @cached_property
    def _words(self) -> list[ElementWords]:
        described = compounds(split(self.description))
        return [read_element(element, described) for element in self.elements]

    @cached_property
    def _spread(self) -> Counter[str]:
        """Number of elements with each stem."""
        return Counter(word for words in self._words for word in words.weights)

    def query(self, *, ordinals: bool) -> SemanticQuery:
        """Parse the description, with "first" and "last" as ordinals or as words."""
        names = {words.name for words in self._words}
        return parse(self.description, self._known, lambda word: (stem(word),) in names, ordinals=ordinals)

    def fits(self, query: SemanticQuery) -> list[ElementScore]:
        """Return the score of each element."""
        scorer = Scorer(query, self._spread, len(self.elements))
        pairs = list(zip(self.elements, self._words, strict=True))
        matches = [scorer.read(*pair) for pair in pairs]
        open_: dict[str, float] = {}
        exact: set[str] = set()
        for element, matched in zip(self.elements, matches, strict=True):
            if matched and not matched.does_other_action and query.role_score(element.role) == 1:
                open_ |= {word: degree for word, degree in matched.found.items() if degree > open_.get(word, 0.0)}
                exact |= matched.words if element.role == query.role else frozenset()
        return [scorer.fit(*pair, matched, open_, exact) for pair, matched in zip(pairs, matches, strict=True)]

    def has_all_names(self, query: SemanticQuery) -> bool:
        """Return True if the page contains all numbers and proper names of the query: else the element is not there.

        If the query has a role, a name may be a value: "Germany in the country dropdown".
        """
        scorer = Scorer(query, self._spread, len(self.elements))
        names = query.roles is None
        return all(scorer.similar(word) for word in query.words if scorer.is_name(word, names=names))
