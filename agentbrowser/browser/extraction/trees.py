"""What traits say together: trees that correct what weights make of each trait by itself."""

import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import attrs

_CLEAR: Final = 1.0
"""What the best option must be worth for there to be no doubt about it"""
_LEAD: Final = 3.0
"""and how much more than the next."""
_FOREMOST: Final = 5
"""How many options the trees are asked about where there is a doubt."""
Tree: TypeAlias = float | list[Any]
"""A worth; or the place of a trait, a limit, and the trees for such up to that limit and above it."""
FILE: Final = Path(__file__).with_name("trees.json")
"""Made by ``python -m bench.fit --write`` and ``python -m bench.fit_singles --write``."""


@attrs.define(kw_only=True)
class Trees:
    """For each kind of choice the trees whose worths are added to what the weights say."""

    among: Sequence[Tree] = ()
    """For a wish and a series, given what the other wishes are likely to be."""
    group: Sequence[Tree] = ()
    """For a plan being the one that is meant."""
    single: Sequence[Tree] = ()
    """For a fact being what is asked for."""


@cache
def fitted() -> Trees:
    """Return the trees as they were fitted to pages, read once they are needed."""
    return Trees(**json.loads(FILE.read_bytes()))


def worth(trees: Sequence[Tree], traits: Sequence[float]) -> float:
    """Return what the trees make of traits.

    Source: gradient boosting (Friedman 2001).
    """
    total = 0.0
    for tree in trees:
        step: Any = tree
        while type(step) is list:
            place, limit, low, high = step
            step = low if traits[place] <= limit else high
        total += step
    return total


def reviewed(worths: list[float], trees: Sequence[Tree], told: Callable[[int], Sequence[float]]) -> list[float]:
    """Return what options are worth, by their weights as given, and where these leave a doubt by the trees too.

    Those that are far behind are worth 0 then.

    Args:
      told: returns the traits of the option at a place.
    """
    ranked = sorted(range(len(worths)), key=worths.__getitem__, reverse=True)
    best, after = ([worths[at] for at in ranked[:2]] + [0.0, 0.0])[:2]
    if best > _CLEAR and best > after + _LEAD:
        return worths
    revised = [0.0] * len(worths)
    for at in ranked[:_FOREMOST]:
        revised[at] = worths[at] + worth(trees, told(at))
    return revised
