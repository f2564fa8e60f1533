"""How much each trait says for a value being what a single thing's property asks for, as it was fitted to pages."""

from collections.abc import Sequence

# fmt: off
# Made by ``python -m bench.fit_singles --write``; not edited by hand.
CHOSEN: Sequence[float] = (
    -0.910, 2.253, 0.464, 1.426, 0.000, 0.094, 0.101, 1.142, 1.214, 3.242, 1.707, -0.430, 0.000, -0.652,
    -0.651, -2.102, 2.429, -1.310, 1.219, 1.655, -0.125, -1.103, -0.867, -1.626, -0.020, -0.767, -0.001, -0.171,
    0.000, -0.784, -1.382, -1.272, 0.000, -0.776, -0.841, 1.999, -0.737, -0.297, 0.561, -0.080, 0.000, -0.742,
    -0.197, -0.279, 1.059, -0.077, -0.871, 0.590, 0.687, -0.531, 0.528, 0.000, 0.000, -0.425, -0.790, -1.016,
    0.385, -0.645, 0.000,
)
"""The weight of none of the traits, and then of each: below 0 a value is rather not given."""
SURE: Sequence[float] = (
    -1.135, 1.554, 1.292, 0.000, 1.084, 0.000,
)
# fmt: on
"""The weight of none of the features of an answer, and then of each, for the share of its values that is right."""
