"""How much each trait says for a value being what a single thing's property asks for, as it was fitted to pages."""

from collections.abc import Sequence

# fmt: off
# Made by ``python -m bench.fit_singles --write``; not edited by hand.
ALONE: Sequence[float] = (
    -1.135, 1.540, 0.583, 1.251, 0.000, 0.031, 0.255, 1.209, 1.538, 3.237, 1.804, -0.424, -0.002, -0.241,
    -0.374, -2.407, 1.958, -1.420, 0.697, 1.794, -0.361, -1.088, -0.824, -1.521, 0.139, -0.655, -0.022, -0.196,
    0.000, -0.459, -1.977, -1.491, -0.221, -0.602, -0.702, 2.134, -0.499, -0.240, 0.995, -0.100, 0.000, -0.487,
    -0.020, -0.407, 1.059, 0.000, -0.743, 0.846, 0.539, -0.441, 0.312, 0.000, 0.069, -1.015, -0.630, -0.943,
    0.193, -0.691, 0.000, 0.000, 0.375, -0.322, -0.375, -0.309,
)
"""The weight of none of the traits, and then of each, before it is known where the other values are."""
CHOSEN: Sequence[float] = (
    -2.779, 1.141, 0.517, 0.973, 0.000, 0.139, 0.155, 1.446, 1.714, 2.597, 1.519, -0.223, -0.099, -0.195,
    -0.390, -2.178, 1.891, -1.355, 0.401, 1.567, -0.111, -0.871, -0.490, -0.943, -0.247, -0.143, -0.000, -0.102,
    0.000, -0.167, -1.270, -1.137, -0.228, -0.857, -0.543, 1.249, -0.127, 0.000, 0.671, -0.118, 0.000, -0.166,
    -0.250, -0.300, 1.021, -0.012, -0.682, 0.680, 0.333, -0.177, 0.267, 0.000, 0.022, -0.818, -0.395, -0.570,
    0.279, -0.726, 0.000, -0.007, 0.702, -0.400, -0.170, -0.131, 0.073, 1.234, 1.383, -1.763, 0.412, 1.761,
    2.428, -0.706,
)
"""The weight of none of the traits, and then of each: below 0 a value is rather not given."""
SURE: Sequence[float] = (
    -1.406, 1.833, 0.906, 1.116, 0.471, 0.000,
)
# fmt: on
"""The weight of none of the features of an answer, and then of each, for the share of its values that is right."""
