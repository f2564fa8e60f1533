"""How much each trait says for a value being what a single thing's property asks for, as it was fitted to pages."""

from collections.abc import Sequence

# fmt: off
# Made by ``python -m bench.fit_singles --write``; not edited by hand.
ALONE: Sequence[float] = (
    -0.893, 1.530, 0.594, 1.244, 0.000, 0.017, 0.244, 1.220, 1.548, 3.174, 1.816, -0.374, 0.000, -0.236,
    -0.356, -2.342, 1.999, -1.374, 0.705, 1.806, -0.343, -1.109, -0.857, -1.516, 0.125, -0.662, -0.022, -0.180,
    0.000, -0.470, -1.982, -1.461, -0.227, -0.591, -0.706, 2.133, -0.508, -0.230, 1.022, -0.105, 0.000, -0.496,
    -0.062, -0.410, 1.071, -0.006, -0.747, 0.807, 0.521, -0.441, 0.313, 0.000, 0.068, -1.039, -0.609, -0.952,
    0.228, -0.656, 0.000, 0.000, 0.410, -0.323, -0.386, -0.308,
)
"""The weight of none of the traits, and then of each, before it is known where the other values are."""
CHOSEN: Sequence[float] = (
    -2.660, 1.107, 0.465, 1.055, 0.000, 0.192, 0.193, 1.295, 1.796, 2.524, 1.696, -0.223, -0.036, -0.186,
    -0.321, -2.103, 1.932, -1.313, 0.420, 1.565, -0.160, -0.794, -0.512, -0.947, -0.030, -0.832, -0.000, -0.051,
    0.000, -0.193, -1.131, -1.089, -0.227, -0.878, -0.565, 1.269, -0.131, 0.000, 0.677, -0.112, 0.000, -0.189,
    -0.186, -0.295, 0.951, -0.051, -0.651, 0.632, 0.330, -0.173, 0.269, 0.000, 0.000, -0.805, -0.385, -0.600,
    0.322, -0.684, 0.000, -0.045, 0.753, -0.441, -0.180, -0.109, 0.061, 1.250, 1.349, -1.852, 0.442, 1.874,
    2.541, -0.708,
)
"""The weight of none of the traits, and then of each: below 0 a value is rather not given."""
SURE: Sequence[float] = (
    -1.235, 1.644, 1.015, 0.745, 0.670, 0.000,
)
# fmt: on
"""The weight of none of the features of an answer, and then of each, for the share of its values that is right."""
