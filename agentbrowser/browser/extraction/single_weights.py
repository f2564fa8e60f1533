"""How much each trait says for a value being what a single thing's property asks for, as it was fitted to pages."""

from collections.abc import Sequence

# fmt: off
# Made by ``python -m bench.fit_singles --write``; not edited by hand.
ALONE: Sequence[float] = (
    -1.125, 1.685, 0.164, 1.389, 0.000, 0.054, 0.315, 1.372, 0.920, 3.353, 1.129, -0.241, -0.216, -0.004,
    -0.499, -2.461, 1.871, -1.323, 1.291, 1.511, -0.152, -1.030, -0.700, -1.403, 0.107, -0.313, -0.022, -0.033,
    -0.086, -0.346, -1.157, -1.390, -0.291, -1.256, -0.036, 2.020, -0.791, -0.221, 0.707, -0.197, 0.000, -0.953,
    -0.540, -0.141, 0.389, 0.000, -0.613, 1.059, 0.871, -0.887, 0.099, 0.000, 0.000, -0.785, -0.599, -1.192,
    0.665, -0.787, 0.000, -0.304, 0.170, -0.438, -0.524, -0.419,
)
"""The weight of none of the traits, and then of each, before it is known where the other values are."""
CHOSEN: Sequence[float] = (
    -2.837, 1.070, 0.040, 1.074, 0.000, 0.469, 0.162, 1.213, 1.083, 2.783, 1.104, -0.223, -0.244, -0.110,
    -0.571, -2.272, 1.869, -1.394, 1.119, 1.365, -0.028, -0.670, -0.409, -0.997, -0.096, -0.757, -0.001, 0.125,
    -0.097, -0.408, -0.607, -0.903, -0.342, -1.372, -0.074, 0.923, -0.472, 0.000, 0.431, -0.203, 0.000, -0.565,
    -0.395, 0.000, 0.316, -0.126, -0.532, 0.583, 0.483, -0.537, 0.038, 0.000, 0.000, -0.579, -0.285, -0.708,
    0.647, -0.752, 0.000, -0.205, 0.451, -0.400, -0.114, -0.201, 0.658, 0.512, 0.943, -1.402, 0.474, 1.582,
    1.675, 0.326, 1.730, -0.484,
)
"""The weight of none of the traits, and then of each: below 0 a value is rather not given."""
SURE: Sequence[float] = (
    -1.552, 1.492, 0.885, 0.826, 0.902, 0.000,
)
# fmt: on
"""The weight of none of the features of an answer, and then of each, for the share of its values that is right."""
