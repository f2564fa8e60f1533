"""How much each trait says for a value being what a single thing's property asks for, as it was fitted to pages."""

from collections.abc import Sequence

# fmt: off
# Made by ``python -m bench.fit_singles --write``; not edited by hand.
CHOSEN: Sequence[float] = (
    -0.977, 1.648, 0.192, 1.239, 0.000, 0.000, 0.092, 1.203, 1.090, 3.790, 1.497, -0.055, 0.000, -0.495,
    -0.385, -2.265, 2.306, -1.326, 1.189, 1.633, -0.346, -1.226, -0.818, -1.642, -0.009, -0.734, -0.002, -0.201,
    -0.055, -0.753, -1.396, -1.164, -0.083, -0.862, -0.957, 2.068, -0.585, -0.195, 0.550, -0.115, 0.000, -0.580,
    0.000, -0.349, 0.949, -0.098, -0.758, 0.664, 0.518, -0.510, 0.227, 0.000, 0.000, -0.980, -0.747, -0.938,
    0.334, -0.455, 0.000,
)
"""The weight of none of the traits, and then of each: below 0 a value is rather not given."""
SURE: Sequence[float] = (
    -1.135, 1.554, 1.292, 0.000, 1.084, 0.000,
)
# fmt: on
"""The weight of none of the features of an answer, and then of each, for the share of its values that is right."""
