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
        2.911, 2.081, 2.090, 0.748, 0.061, 0.013, -3.463, -0.427, 0.630, -0.151, 0.047, 2.476, -2.522, 0.239,
        2.215, 1.662, 0.000, -0.732, -0.922, -0.015, -0.168, -1.480, -0.027, 0.000, -0.434, 2.210, 3.992, -2.195,
        -1.963, -3.242, -0.432, -2.550, 1.861, -1.730, -0.237, -0.518, -0.245, -0.758, 0.189, -0.587, -0.909, -1.628,
        1.723, -1.750, 2.819, -1.940, 1.630, -0.868, -3.686,
    ),
    among=(
        1.818, 1.556, 1.778, 0.759, -0.652, -0.391, -3.149, -0.719, 0.682, -0.145, 0.044, 2.589, -2.583, 0.027,
        2.453, 1.645, 0.000, -0.434, -0.483, 0.715, 0.558, -1.088, -0.008, 0.000, -0.273, 1.828, 3.741, -2.101,
        -1.542, -2.885, -0.144, -1.766, 1.840, -1.826, -0.312, -0.446, -0.168, -0.751, 0.228, -0.554, -1.353, -1.768,
        2.104, -1.388, 2.507, -1.544, 1.633, -0.867, -1.828, 1.389, 2.178, 0.438, -0.606, -1.705, 1.110,
    ),
    sure=(
        -1.334, 0.075, 0.665, 0.277, -1.110, -0.782, 0.669, -0.864, -0.150, -0.323, -0.134, 0.566, -0.556, 1.100,
        0.670, -0.460, 0.000, -0.531, -0.890, 0.840, 0.613, -0.111, 0.000, 0.000, -0.407, -0.297, 0.272, -1.796,
        0.046, -2.365, 0.181, -1.872, 0.835, -0.320, -0.247, -0.323, -0.157, -1.060, 0.551, 0.330, -0.227, 0.000,
        0.374, 0.000, -0.395, -0.266, -0.213, 0.000, 0.585, 3.864, 0.443, 0.807, -1.208, -0.315, 0.120,
    ),
    group=(
        -0.000, 2.649, 2.856, 2.348, -0.843, 0.782, 0.774, -1.430, 0.459, -0.459, 1.225, 0.783, -0.076, -0.210,
        0.063, -0.267, -0.853, -0.773, -0.601, -1.332, -0.587,
    ),
    list=(
        -0.130, 0.995, 1.196, 1.232, 0.561, -1.007,
    ),
    single=(
        -0.773, 1.901, 2.613, 0.345, 2.382, -0.600,
    ),
)
# fmt: on


def weighed(weights: Sequence[float], traits: Sequence[float]) -> float:
    """Return the first weight and, for each trait, what it adds."""
    return weights[0] + sum(weight * trait for weight, trait in zip(weights[1:], traits, strict=True))
