"""Fitting weights to examples: choices among several, shares, and the best of a few."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import attrs

Sparse = tuple[tuple[int, float], ...]
"""The traits that are not 0, by their place; place 0 is always 1."""

_RATE: Final = 0.1
_COOL: Final = 0.7
"""The share of the steps after which they are smaller."""
_COOLED: Final = 0.2
_STEEPEST: Final = 30.0


@attrs.frozen
class Choice:
    """Options of which one is to be chosen, or none: how right each is, and how right it is to choose none."""

    options: tuple[Sparse, ...]
    right: tuple[float, ...]
    none: float
    weight: float


def sparse(traits: Iterable[float]) -> Sparse:
    """Return the traits with a 1 before them."""
    return ((0, 1.0), *((place, trait) for place, trait in enumerate(traits, 1) if trait))


def dot(weights: Sequence[float], row: Sparse) -> float:
    """Return the sum of the weights of a row."""
    return sum(weights[place] * trait for place, trait in row)


def chosen(choices: Sequence[Choice], signs: Sequence[int], *, decay: float, steps: int) -> list[float]:
    """Return weights that make the right options likely, of which choosing none is one that weighs 0.

    Args:
      signs: for each weight, the first included, whether it must not be below 0 (1), not above (-1), or may be either.

    Source: conditional logit (McFadden 1974) with several right answers, by Adam (Kingma and Ba 2015).
    """
    whole = sum(choice.weight for choice in choices)

    def slope(weights: Sequence[float]) -> list[float]:
        slopes = [0.0] * len(signs)
        for choice in choices:
            shares = [math.exp(_bounded(dot(weights, row))) for row in choice.options]
            total = sum(shares) + 1
            just = [share * right for share, right in zip(shares, choice.right, strict=True)]
            good = sum(just) + choice.none
            for row, share, is_just in zip(choice.options, shares, just, strict=True):
                _add(slopes, row, (is_just / good - share / total) * choice.weight / whole)
        return slopes

    return _climbed(slope, signs, decay, steps)


def likely(
    rows: Sequence[tuple[Sparse, float, float]], signs: Sequence[int], *, decay: float, steps: int
) -> list[float]:
    """Return weights that make the shares of the rows most likely (a logistic map); each row, its share, its weight."""
    whole = sum(weight for _, _, weight in rows)

    def slope(weights: Sequence[float]) -> list[float]:
        slopes = [0.0] * len(signs)
        for row, right, weight in rows:
            _add(slopes, row, (right - share(dot(weights, row))) * weight / whole)
        return slopes

    return _climbed(slope, signs, decay, steps)


def best(sets: Sequence[Choice], signs: Sequence[int], *, decay: float, steps: int) -> list[float]:
    """Return weights that make what is chosen as right as can be: the expectation over a softmax of the options."""
    whole = sum(one.weight for one in sets)

    def slope(weights: Sequence[float]) -> list[float]:
        slopes = [0.0] * len(signs)
        for one in sets:
            said = [dot(weights, row) for row in one.options]
            shares = [math.exp(value - max(said)) for value in said]
            total = sum(shares)
            mean = sum(share * right for share, right in zip(shares, one.right, strict=True)) / total
            for row, share, right in zip(one.options, shares, one.right, strict=True):
                _add(slopes, row, share / total * (right - mean) * one.weight / whole)
        return slopes

    return _climbed(slope, signs, decay, steps)


def share(value: float) -> float:
    """Return the logistic function of a value."""
    return 1 / (1 + math.exp(-_bounded(value)))


def _bounded(value: float) -> float:
    return max(-_STEEPEST, min(_STEEPEST, value))


def _add(slopes: list[float], row: Sparse, by: float) -> None:
    for place, trait in row:
        slopes[place] += by * trait


def _climbed(
    slope: Callable[[Sequence[float]], list[float]], signs: Sequence[int], decay: float, steps: int
) -> list[float]:
    weights, mean, spread = [0.0] * len(signs), [0.0] * len(signs), [0.0] * len(signs)
    for step in range(1, steps + 1):
        rate = _RATE * (1 if step < steps * _COOL else _COOLED)
        for place, up in enumerate(slope(weights)):
            rise = up - decay * weights[place] * (place > 0)
            mean[place] = 0.9 * mean[place] + 0.1 * rise
            spread[place] = 0.999 * spread[place] + 0.001 * rise * rise
            size = math.sqrt(spread[place] / (1 - 0.999**step)) + 1e-8
            weights[place] += rate * mean[place] / (1 - 0.9**step) / size
            if weights[place] * signs[place] < 0:
                weights[place] = 0.0
    return weights
