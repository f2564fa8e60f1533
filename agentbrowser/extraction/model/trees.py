"""What traits say together: trees that correct what weights make of each trait by itself."""

import json
import operator
import struct
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, TypeAlias

import attrs

from agentbrowser.extraction.caching import cached

_CLEAR: Final = 1.0
"""What the best option must be worth for there to be no doubt about it"""
_LEAD: Final = 3.0
"""and how much more than the next."""
_FOREMOST: Final = 5
"""How many options the trees are asked about where there is a doubt."""
Tree: TypeAlias = float | list[Any]
"""A worth; or the place of a trait, a limit, and the trees for such up to that limit and above it."""
FILE: Final = Path(__file__).with_name("trees.json")
"""Made by ``python -m bench.fit --write`` and ``python -m bench.fitting.singles --write``."""


class Forest:
    """Trees that are asked all at once: what a trait is above takes the leaves below it from all of them.

    Each leaf has a bit, those of a tree from the lowest up; the lowest that is left of a tree is the one it comes to.

    Source: QuickScorer (Lucchese et al. 2015).
    """

    def __init__(self, trees: Sequence[Tree]) -> None:
        self.trees = trees

    @cached
    def _worths(self) -> list[dict[int, float]]:
        """For each tree what its leaves are worth, by their bits."""
        return [{1 << at: value for at, value in enumerate(_leaves(tree))} for tree in self.trees]

    @cached
    def _by_byte(self) -> list[list[float]]:
        """For each tree what it comes to, by the byte of the leaves that are left: for trees of few leaves."""
        return [[scores.get(byte & -byte, 0.0) for byte in range(256)] for scores in self._worths]

    @cached
    def _words(self) -> struct.Struct:
        """The bits of each tree, one tree after the other."""
        most = max(map(len, self._worths), default=1)
        letter = next(letter for letter in "BHIQ" if struct.calcsize(f"<{letter}") * 8 >= most)
        return struct.Struct(f"<{len(self.trees)}{letter}")

    @cached
    def _every(self) -> int:
        return (1 << self._words.size * 8) - 1

    @cached
    def _left(self) -> list[tuple[int, list[float], list[int]]]:
        """For each trait the limits, and what is left where the trait is above none of them, one, two and so on."""
        width = self._words.size * 8 // max(1, len(self.trees))
        lost: dict[int, dict[float, int]] = {}
        for at, tree in enumerate(self.trees):
            _lose(tree, at * width, lost)
        return [(place, sorted(masks), _kept(masks, self._every)) for place, masks in lost.items()]

    def score(self, features: Sequence[float]) -> float:
        """Return what the trees make of traits.

        Source: gradient boosting (Friedman 2001).
        """
        left = self._every
        for place, limits, kept in self._left:
            left &= kept[bisect_left(limits, features[place])]
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


def _lose(tree: Tree, first: int, lost: dict[int, dict[float, int]]) -> int:
    """Say for each limit of a tree which leaves are lost above it, and return the place behind its last leaf."""
    if not isinstance(tree, list):
        return first + 1
    place, limit, low, high = tree
    middle = _lose(low, first, lost)
    masks = lost.setdefault(place, {})
    masks[limit] = masks.get(limit, 0) | (1 << middle) - (1 << first)
    return _lose(high, middle, lost)


def _kept(masks: dict[float, int], every: int) -> list[int]:
    return list(accumulate((masks[limit] for limit in sorted(masks)), lambda left, lost: left & ~lost, initial=every))


_NO_TREES: Final = Forest(())


@attrs.define(kw_only=True)
class Trees:
    """For each kind of choice the trees whose worths are added to what the weights say."""

    among: Forest = _NO_TREES
    """For a wish and a series, given what the other wishes are likely to be."""
    group: Forest = _NO_TREES
    """For a plan being the one that is meant."""
    single: Forest = _NO_TREES
    """For a fact being what is asked for."""


@cache
def fitted() -> Trees:
    """Return the trees as they were fitted to pages, read once they are needed."""
    return Trees(**{kind: Forest(trees) for kind, trees in json.loads(FILE.read_bytes()).items()})


def reviewed(scores: list[float], forest: Forest, told: Callable[[int], Sequence[float]]) -> list[float]:
    """Return what options are worth, by their weights as given, and where these leave a doubt by the trees too.

    Those that are far behind are worth 0 then.

    Args:
      told: returns the traits of the option at a place.
    """
    ranked = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)
    if _is_clear(*([scores[at] for at in ranked[:2]] + [0.0, 0.0])[:2]):
        return scores
    revised = [0.0] * len(scores)
    for at in ranked[:_FOREMOST]:
        revised[at] = scores[at] + forest.score(told(at))
    return revised


def is_settled(known: Sequence[float], most: float) -> bool:
    """Tell whether a review comes out the same whatever other options are worth, if that is less than so much.

    Args:
      known: what the other options are worth, from the least up.
    """
    if len(known) >= _FOREMOST and known[-_FOREMOST] > most:
        return True
    return bool(known) and _is_clear(known[-1], max([most, *known[-2:-1]]))


def _is_clear(best: float, after: float) -> bool:
    return best > _CLEAR and best > after + _LEAD
