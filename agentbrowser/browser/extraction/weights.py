"""How much each trait says for a choice, as it was fitted to pages."""

from collections.abc import Sequence
from typing import Final

import attrs


@attrs.define(kw_only=True)
class Weights:
    """For each kind of choice the weight of none of the traits, and then of each."""

    alone: Sequence[float]
    """For a wish and a series by themselves."""
    among: Sequence[float]
    """For the same, given what the other wishes are likely to be."""
    sure: Sequence[float]
    """For what was chosen being right."""
    group: Sequence[float]
    """For a plan being the one that is meant."""
    list: Sequence[float]
    """For the share of a list's values that is right."""
    single: Sequence[float]
    """For the share of a single thing's values that is right."""


# fmt: off
# Made by ``python -m bench.fit --write``; not edited by hand.
FITTED: Final = Weights(
    alone=(
        3.166, 2.231, 1.698, 0.675, 0.000, 0.000, -2.869, -0.486, 0.000, -0.328, -0.097, 2.771, -1.326, 0.000,
        1.918, 0.576, 0.000, -0.671, -0.609, 0.034, -0.037, -0.973, -0.023, 0.000, -0.186, 1.844, 0.000, -2.089,
        -1.413, -3.061, -0.262, -1.960, 1.633, -1.523, -0.549, -0.934, -0.235, -1.453, 0.117, -0.422, -0.447, -1.202,
        1.216, -1.186, 2.030, -1.439, 1.182, -0.643, -3.512,
    ),
    among=(
        1.955, 1.823, 1.545, 0.663, -0.532, -0.284, -2.669, -0.851, 0.000, -0.384, -0.084, 2.754, -1.374, 0.000,
        1.962, 0.547, 0.000, -0.589, -0.388, 0.768, 0.000, -0.676, -0.008, 0.000, -0.060, 1.329, 0.000, -1.927,
        -1.091, -2.637, 0.115, -1.312, 1.516, -1.505, -0.761, -0.955, -0.201, -1.372, 0.127, -0.183, -0.838, -1.317,
        1.667, -0.895, 1.898, -1.030, 1.188, -0.637, -1.822, 1.200, 1.901, 0.497, -0.984, -0.901, 1.419,
    ),
    sure=(
        -0.987, 0.073, 0.429, 0.199, -0.994, -0.729, 0.000, -0.729, -0.195, -0.417, -0.138, 0.125, 0.000, 0.000,
        0.729, 0.000, 0.000, -0.779, -0.412, 0.982, 0.000, -0.277, 0.000, 0.000, -0.201, 0.003, 0.000, -1.160,
        -0.095, -1.893, 0.155, -1.736, 0.537, -0.008, 0.000, -0.537, -0.252, -0.471, 0.457, 0.000, -0.326, -0.363,
        0.253, 0.000, 0.000, -0.277, 0.076, 0.000, -0.170, 3.708, 0.204, 0.467, -1.862, -0.998, 0.334,
    ),
    group=(
        -0.000, 2.259, 2.658, 2.207, -0.853, 0.821, 0.893, -1.219, 0.414, -0.414, 1.205, 0.505, -0.073, -0.252,
        -0.243, -0.417, -0.842, -0.888, -0.658, -1.472, -0.265,
    ),
    list=(
        0.306, 0.960, 0.796, 1.163, 0.481, -0.746,
    ),
    single=(
        -0.797, 1.933, 2.495, 0.289, 2.264, -0.499,
    ),
)
# fmt: on


def weighed(weights: Sequence[float], traits: Sequence[float]) -> float:
    """Return the first weight and, for each trait, what it adds."""
    return weights[0] + sum(weight * trait for weight, trait in zip(weights[1:], traits, strict=True))
