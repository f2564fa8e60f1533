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
        3.169, 2.233, 1.721, 0.674, 0.000, 0.000, -2.884, -0.507, 0.000, -0.347, -0.129, 2.736, -1.345, 0.000,
        1.915, 0.575, 0.000, -0.633, -0.627, 0.039, -0.052, -1.096, -0.024, 0.000, -0.572, 1.877, 0.000, -1.870,
        -1.403, -3.063, -0.315, -2.394, 1.631, -1.520, -0.571, -0.928, -0.240, -1.486, 0.118, -0.426, -0.431, -1.263,
        1.223, -1.187, 1.968, -1.422, 1.382, -0.551, -3.538,
    ),
    among=(
        1.950, 1.841, 1.559, 0.636, -0.515, -0.302, -2.663, -0.862, 0.000, -0.377, -0.116, 2.718, -1.388, 0.000,
        1.945, 0.513, 0.000, -0.570, -0.425, 0.757, 0.000, -0.760, -0.008, 0.000, -0.312, 1.365, 0.000, -1.816,
        -1.143, -2.665, 0.085, -1.656, 1.578, -1.568, -0.751, -0.960, -0.207, -1.423, 0.121, -0.205, -0.816, -1.392,
        1.659, -0.900, 1.838, -1.038, 1.382, -0.548, -1.819, 1.195, 2.010, 0.516, -1.031, -0.947, 1.336,
    ),
    sure=(
        -0.983, 0.100, 0.449, 0.184, -0.984, -0.713, 0.000, -0.753, -0.212, -0.465, -0.188, 0.088, -0.071, 0.000,
        0.753, 0.017, 0.000, -0.786, -0.409, 0.986, 0.000, -0.272, 0.000, 0.000, -0.345, 0.000, 0.000, -0.661,
        -0.139, -1.820, 0.157, -1.883, 0.509, -0.204, 0.000, -0.411, -0.267, -0.446, 0.448, 0.000, -0.171, 0.000,
        0.260, 0.000, 0.000, -0.229, 0.095, 0.000, -0.259, 3.686, 0.256, 0.473, -1.823, -1.031, 0.316,
    ),
    group=(
        0.000, 2.500, 2.676, 2.453, -1.374, 0.789, 0.872, -1.221, 0.422, -0.422, 1.202, 0.639, -0.065, -0.252,
        -0.222, -0.404, -0.862, -0.869, -0.702, -1.455, -0.387,
    ),
    list=(
        0.041, 1.177, 0.932, 1.243, 0.290, -0.693,
    ),
    single=(
        -0.797, 1.933, 2.495, 0.289, 2.264, -0.499,
    ),
)
# fmt: on


def weighed(weights: Sequence[float], traits: Sequence[float]) -> float:
    """Return the first weight and, for each trait, what it adds."""
    return weights[0] + sum(weight * trait for weight, trait in zip(weights[1:], traits, strict=True))
