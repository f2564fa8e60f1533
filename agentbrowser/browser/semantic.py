"""Choosing an element by a description in words: "the search box", "submit button". No model has a say in it."""

from collections.abc import Sequence
from typing import Any, Final

from agentbrowser.browser.ranking import Described, Ranking
from agentbrowser.browser.wanted import Wanted
from agentbrowser.errors import SelectorAmbiguous
from agentbrowser.types.selector import Selector, Semantic, describe

_LEAST: Final = 0.4
"""Below this score an element has next to nothing of the description."""
_CLEAR: Final = 0.1
"""How far the best must be ahead of the second."""
_EQUAL: Final = 0.05
"""How far behind the best those are that an ordinal counts with it."""
_SURE: Final = 0.85
"""From this score on, "first" and "last" are taken for part of a name."""
_SHOWN: Final = 5


def best(description: str, elements: Sequence[Described], asked: Semantic) -> Selector | None:
    """Return the selector of the element that is clearly meant; None when nothing fits.

    Raises:
      SelectorAmbiguous: several fit about as well.
    """
    ranking = Ranking(description, elements)
    ranked = _ranked(ranking)
    counted = ranking.wanted(ordinals=True)
    if counted.nth and (not ranked or ranked[0][0] < _SURE):
        return _nth(ranking, counted)
    near = [pair for pair in ranked if pair[0] >= max(_LEAST, ranked[0][0] - _CLEAR)]
    if len(near) > 1:
        raise _ambiguous(near, asked)
    return near[0][1].selector if near else None


def rank(description: str, elements: Sequence[Described]) -> list[tuple[float, Described]]:
    """Return each element with its score between 0 and 1, the best first; equals stay in the order of the page."""
    return _ranked(Ranking(description, elements))


def _ranked(ranking: Ranking) -> list[tuple[float, Described]]:
    scores = ranking.scores(ranking.wanted(ordinals=False))
    return sorted(zip(scores, ranking.elements, strict=True), key=lambda pair: -pair[0])


def _nth(ranking: Ranking, wanted: Wanted) -> Selector | None:
    """Return the selector of the element that an ordinal picks from those that fit as well as the best."""
    scores = ranking.scores(wanted)
    least = max(_LEAST, max(scores, default=0.0) - _EQUAL)
    equals = [element for element, score in zip(ranking.elements, scores, strict=True) if score >= least]
    nth = wanted.nth or 1
    index = nth - 1 if nth > 0 else nth
    return equals[index].selector if -len(equals) <= index < len(equals) else None


def _ambiguous(near: list[tuple[float, Described]], asked: Semantic) -> SelectorAmbiguous:
    return SelectorAmbiguous(
        f"{len(near)} elements fit the description about as well.",
        selector=describe(asked),
        count=len(near),
        candidates=[_candidate(score, element) for score, element in near[:_SHOWN]],
    )


def _candidate(score: float, element: Described) -> dict[str, Any]:
    text = element.name or element.role
    return {**describe(element.selector), "text": text, "role": element.role, "name": element.name, "score": score}
