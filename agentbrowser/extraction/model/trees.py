"""Gradient-boosted trees that correct the scores of the weights where features matter together."""

import operator
import struct
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Any, Final, TypeAlias

from agentbrowser.extraction.caching import cached
from agentbrowser.extraction.model.features import TREE_TABLES
from agentbrowser.extraction.model.model_file import fitted_model

_CLEAR: Final = 1.0
"""Least score of an option that is certain."""
_LEAD: Final = 3.0
"""Least lead of an option that is certain over the next one."""
_FOREMOST: Final = 5
"""Number of options that the trees score if none is certain."""
Tree: TypeAlias = float | list[Any]
"""A score; or the place of a feature, a threshold, and the trees up to that threshold and above it."""


class Forest:
    """Trees that are evaluated together: a feature above a threshold excludes the leaves of all its low branches.

    Each leaf is one bit, a tree's first leaf the lowest; the lowest bit left of a tree is its result.

    Source: QuickScorer (Lucchese et al. 2015).
    """

    def __init__(self, trees: Sequence[Tree]) -> None:
        self.trees = trees

    @cached
    def _worths(self) -> list[dict[int, float]]:
        """Return the scores of each tree's leaves by their bits."""
        return [{1 << at: value for at, value in enumerate(_leaves(tree))} for tree in self.trees]

    @cached
    def _by_byte(self) -> list[list[float]]:
        """Return each tree's score by the byte of its remaining leaves, for trees of at most 8 leaves."""
        return [[scores.get(byte & -byte, 0.0) for byte in range(256)] for scores in self._worths]

    @cached
    def _words(self) -> struct.Struct:
        """Return the layout of the trees' bits, one tree after the other."""
        most = max(map(len, self._worths), default=1)
        letter = next(letter for letter in "BHIQ" if struct.calcsize(f"<{letter}") * 8 >= most)
        return struct.Struct(f"<{len(self.trees)}{letter}")

    @cached
    def _every(self) -> int:
        return (1 << self._words.size * 8) - 1

    @cached
    def _left(self) -> list[tuple[int, float, list[float], list[int]]]:
        """Return the least threshold of each feature, and all, with the leaves left above none, one, two and so on."""
        width = self._words.size * 8 // max(1, len(self.trees))
        lost: dict[int, dict[float, int]] = {}
        for at, tree in enumerate(self.trees):
            _collect(tree, at * width, lost)
        return [(place, min(masks), sorted(masks), _kept(masks, self._every)) for place, masks in lost.items()]

    def score(self, features: Sequence[float]) -> float:
        """Return the sum of the trees' scores.

        Source: gradient boosting (Friedman 2001).
        """
        left = self._every
        for place, least, limits, kept in self._left:
            if (value := features[place]) > least:  # most features are 0, which excludes no leaf
                left &= kept[bisect_left(limits, value)]
        held = left.to_bytes(self._words.size, "little")
        if self._words.size == len(self.trees):
            return sum(map(operator.getitem, self._by_byte, held))
        words = self._words.unpack(held)
        return sum([scores[word & -word] for scores, word in zip(self._worths, words, strict=True)])


def _leaves(tree: Tree) -> Iterator[float]:
    if isinstance(tree, list):
        yield from _leaves(tree[2])
        yield from _leaves(tree[3])
    else:
        yield tree


def _collect(tree: Tree, first: int, lost: dict[int, dict[float, int]]) -> int:
    """Collect the leaves that each threshold of a tree excludes, and return the place after its last leaf."""
    if not isinstance(tree, list):
        return first + 1
    place, limit, low, high = tree
    middle = _collect(low, first, lost)
    masks = lost.setdefault(place, {})
    masks[limit] = masks.get(limit, 0) | (1 << middle) - (1 << first)
    return _collect(high, middle, lost)


def _kept(masks: dict[float, int], every: int) -> list[int]:
    return list(accumulate((masks[limit] for limit in sorted(masks)), lambda left, lost: left & ~lost, initial=every))


class Trees:
    """Trees whose scores are added to the scores of the weights. Read from the model file at the first use."""

    pair_in_context: Forest
    """A field with a column, given the probable columns of the other fields."""
    group: Forest
    """A group being the one that the query asks for."""
    fact_in_context: Forest
    """A field with a fact, given the probable facts of the other fields."""
    field_confidence: Forest
    """The value of a field being right."""

    def __getattr__(self, name: str) -> Forest:
        """Return a forest that is not in memory yet."""
        if name not in TREE_TABLES:
            raise AttributeError(name)
        self.__dict__.update({kind: Forest(trees) for kind, trees in fitted_model().trees.items()})
        forest: Forest = self.__dict__[name]
        return forest


TREES: Final = Trees()


def reviewed(scores: list[float], forest: Forest, features: Callable[[int], Sequence[float]]) -> list[float]:
    """Return the scores of options: those of the weights if one is certain, otherwise corrected by the trees.

    Options that the trees do not score then have 0.

    Args:
      scores: the scores by the weights.
      features: returns the features of the option at a place.
    """
    ranked = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)
    if _is_clear(*([scores[at] for at in ranked[:2]] + [0.0, 0.0])[:2]):
        return scores
    revised = [0.0] * len(scores)
    for at in ranked[:_FOREMOST]:
        revised[at] = scores[at] + forest.score(features(at))
    return revised


def is_settled(known: Sequence[float], most: float) -> bool:
    """Return True if options with at most some score cannot change the result of `reviewed`.

    Args:
      known: the scores of the other options, in ascending order.
      most: the upper bound of the remaining options.
    """
    if len(known) >= _FOREMOST and known[-_FOREMOST] > most:
        return True
    return bool(known) and _is_clear(known[-1], max([most, *known[-2:-1]]))


def _is_clear(best: float, after: float) -> bool:
    return best > _CLEAR and best > after + _LEAD
