"""How well each element of a page fits a description.

An element is as good as what it has of the words of the description, and as what the description has of its name.
Words that are rare on the page count most, and what nothing on the page has counts little: it tells nothing apart. A
role that is asked for and is not that of the element costs half; an element that does something else is another one.
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
    """The elements of a page in the light of a description."""

    description: str
    elements: Sequence[ElementFeatures]

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(word for element in self.elements for text in texts(element) for word in split(text))

    @cached_property
    def _words(self) -> list[ElementWords]:
        said = compounds(split(self.description))
        return [read_element(element, said) for element in self.elements]

    @cached_property
    def _spread(self) -> Counter[str]:
        """How many elements have each stem."""
        return Counter(word for words in self._words for word in words.weights)

    def query(self, *, ordinals: bool) -> SemanticQuery:
        """Take the description apart, with "first" and "last" as what they count or as words."""
        names = {words.name for words in self._words}
        return parse(self.description, self._known, lambda word: (stem(word),) in names, ordinals=ordinals)

    def fits(self, query: SemanticQuery) -> list[ElementScore]:
        """Return how well each element fits."""
        scorer = Scorer(query, self._spread, len(self.elements))
        pairs = list(zip(self.elements, self._words, strict=True))
        matches = [scorer.read(*pair) for pair in pairs]
        open_: dict[str, float] = {}
        for element, matched in zip(self.elements, matches, strict=True):
            if matched and not matched.does_other_action and query.role_score(element.role) == 1:
                open_ |= {word: degree for word, degree in matched.found.items() if degree > open_.get(word, 0.0)}
        return [scorer.fit(*pair, matched, open_) for pair, matched in zip(pairs, matches, strict=True)]

    def has_all_names(self, query: SemanticQuery) -> bool:
        """Tell whether the page has all the numbers and proper names that are said: else what is meant is not there.

        Where a role is said, a name may be what is to be put in: "Germany in the country dropdown".
        """
        scorer = Scorer(query, self._spread, len(self.elements))
        names = query.roles is None
        return all(scorer.similar(word) for word in query.words if scorer.is_name(word, names=names))
