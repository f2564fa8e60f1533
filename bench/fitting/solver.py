"""Solvers for weights: conditional logit, logistic regression, ranking."""

from collections.abc import Callable, Sequence
from typing import Final

import attrs
import numpy as np
from numpy.typing import NDArray

Row = Sequence[float]
_Array = NDArray[np.float64]

_RATE: Final = 0.1
_COOL: Final = 0.7
"""Share of the steps after which the rate is lower."""
_COOLED: Final = 0.2
_STEEPEST: Final = 30.0
_NEVER: Final = 1e-3
_DIGITS: Final = 3
"""Decimals of a weight, as in the file."""


@attrs.frozen
class Choice:
    """Options of which one is right, or none: the correctness of each option and of choosing none."""

    options: tuple[Row, ...]
    right: tuple[float, ...]
    none: float
    weight: float


def chosen(choices: Sequence[Choice], signs: Sequence[int], *, decay: float, steps: int) -> list[float]:
    """Return weights that make the right options probable; choosing none has the score 0.

    Args:
      signs: the sign of each weight, the bias included: 1 for not negative, -1 for not positive, 0 for either.

    Source: conditional logit (McFadden 1974) with several right answers, by Adam (Kingma and Ba 2015).
    """
    rows, place, right = _stacked(choices)
    none, weight = np.array([one.none for one in choices]), _shares([one.weight for one in choices])

    def slope(weights: _Array) -> _Array:
        shares = np.exp(bounded(rows @ weights))
        total = np.bincount(place, shares, len(choices)) + 1
        good = np.bincount(place, shares * right, len(choices)) + none
        by_row = (shares * right / good[place] - shares / total[place]) * weight[place]
        return np.asarray(rows.T @ by_row)

    return _climbed(slope, signs, decay, steps)


def likely(rows: Sequence[tuple[Row, float, float]], signs: Sequence[int], *, decay: float, steps: int) -> list[float]:
    """Return the weights of a logistic regression on rows, each with its share and its weight."""
    table = _with_ones([row for row, _, _ in rows])
    right, weight = np.array([right for _, right, _ in rows]), _shares([weight for *_, weight in rows])

    def slope(weights: _Array) -> _Array:
        return np.asarray(table.T @ ((right - 1 / (1 + np.exp(-bounded(table @ weights)))) * weight))

    return _climbed(slope, signs, decay, steps)


def best(sets: Sequence[Choice], signs: Sequence[int], *, decay: float, steps: int) -> list[float]:
    """Return weights that make the best options most probable: as `chosen`, but one option must be right.

    This objective is concave, and better on unseen pages than the expected correctness.
    """
    rows, place, right = _stacked(sets)
    weight = _shares([one.weight for one in sets])
    right = preferred(right)

    def slope(weights: _Array) -> _Array:
        shares = np.exp(bounded(rows @ weights))
        shares /= np.bincount(place, shares, len(sets))[place]
        good = np.bincount(place, shares * right, len(sets))
        return np.asarray(rows.T @ ((shares * right / good[place] - shares) * weight[place]))

    return _climbed(slope, signs, decay, steps)


def preferred(right: Sequence[float] | _Array) -> _Array:
    """Return the targets of options by their correctness; the best one counts far more."""
    return np.asarray(right) ** 2 + _NEVER


def _stacked(choices: Sequence[Choice]) -> tuple[_Array, NDArray[np.intp], _Array]:
    """Return the options of all choices, with the choice and the correctness of each."""
    rows = _with_ones([row for one in choices for row in one.options])
    place = np.repeat(np.arange(len(choices)), [len(one.options) for one in choices])
    return rows, place, np.array([right for one in choices for right in one.right])


def _with_ones(rows: Sequence[Row]) -> _Array:
    return np.hstack([np.ones((len(rows), 1)), np.array(rows, dtype=float)])


def _shares(weights: Sequence[float]) -> _Array:
    return np.array(weights) / sum(weights)


def bounded(values: _Array) -> _Array:
    return np.clip(values, -_STEEPEST, _STEEPEST)


def _climbed(slope: Callable[[_Array], _Array], signs: Sequence[int], decay: float, steps: int) -> list[float]:
    weights, mean, spread = np.zeros(len(signs)), np.zeros(len(signs)), np.zeros(len(signs))
    fades = np.full(len(signs), decay)
    fades[0] = 0
    for step in range(1, steps + 1):
        rate = _RATE * (1 if step < steps * _COOL else _COOLED)
        rise = slope(weights) - fades * weights
        mean = 0.9 * mean + 0.1 * rise
        spread = 0.999 * spread + 0.001 * rise * rise
        weights += rate * mean / (1 - 0.9**step) / (np.sqrt(spread / (1 - 0.999**step)) + 1e-8)
        weights[weights * np.array(signs) < 0] = 0.0
    return [round(float(weight), _DIGITS) for weight in weights]
