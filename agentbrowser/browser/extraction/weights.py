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
        2.913, 2.056, 1.948, 0.693, -0.157, 0.096, -3.677, -0.629, 0.996, -0.081, 0.115, 2.497, -2.292, 0.332,
        2.248, 1.631, 0.000, -0.726, -0.847, -0.026, -0.182, -1.391, -0.021, 0.000, -0.448, 2.325, 3.768, -2.176,
        -1.995, -3.230, -0.427, -2.187, 1.850, -1.718, -0.574, -0.541, -0.105, -0.833, 0.181, -0.604, -0.832, -1.429,
        1.720, -1.758, 2.868, -1.970, 1.634, -0.858, -3.704,
    ),
    among=(
        1.811, 1.547, 1.636, 0.729, -0.897, -0.314, -3.460, -0.952, 1.247, 0.009, 0.191, 2.584, -2.351, 0.052,
        2.442, 1.578, 0.000, -0.418, -0.450, 0.735, 0.544, -1.060, -0.005, 0.000, -0.270, 1.953, 3.492, -2.092,
        -1.452, -2.869, -0.133, -1.479, 1.827, -1.815, -0.683, -0.480, 0.041, -0.816, 0.234, -0.584, -1.271, -1.512,
        2.126, -1.390, 2.556, -1.566, 1.639, -0.854, -1.765, 1.384, 2.224, 0.419, -0.663, -1.558, 1.164,
    ),
    sure=(
        -1.284, 0.171, 0.798, 0.197, -1.160, -0.811, 1.010, -0.826, -0.053, -0.182, 0.105, 0.463, -0.734, 0.950,
        0.742, -0.376, 0.000, -0.481, -0.793, 1.019, 0.605, -0.115, 0.000, 0.000, -0.315, -0.375, 0.594, -1.453,
        -0.349, -2.382, 0.095, -1.832, 0.858, -0.316, -0.165, -0.173, -0.059, -1.239, 0.573, 0.324, -0.340, 0.000,
        0.341, 0.000, -0.503, -0.239, -0.240, 0.000, 0.368, 3.848, 0.497, 0.836, -1.499, -0.737, 0.083,
    ),
    group=(
        0.000, 2.590, 2.758, 2.381, -0.899, 0.821, 0.825, -1.385, 0.470, -0.470, 1.296, 0.794, -0.065, -0.220,
        0.013, -0.360, -0.922, -0.825, -0.828, -1.302, -0.596,
    ),
    list=(
        -0.045, 0.974, 0.414, 0.860, 0.689, -0.204,
    ),
    single=(
        -0.757, 1.859, 2.656, 0.202, 2.428, -0.587,
    ),
)
# fmt: on


def weighed(weights: Sequence[float], traits: Sequence[float]) -> float:
    """Return the first weight and, for each trait, what it adds."""
    return weights[0] + sum(weight * trait for weight, trait in zip(weights[1:], traits, strict=True))
