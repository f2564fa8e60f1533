"""How much each trait says for a value being what a single thing's property asks for, as it was fitted to pages."""

from collections.abc import Sequence

# fmt: off
# Made by ``python -m bench.fit_singles --write``; not edited by hand.
ALONE: Sequence[float] = (
    -0.539, 1.539, 0.608, 1.239, 0.000, 0.000, 0.317, 1.231, 1.495, 3.109, 1.823, -0.235, 0.000, -0.230,
    -0.315, -2.199, 2.019, -1.322, 0.687, 1.856, -0.283, -1.158, -0.899, -1.494, 0.139, -0.688, -0.024, -0.138,
    0.000, -0.651, -1.899, -0.923, -0.222, -0.609, -0.552, 2.279, -0.571, 0.000, 0.582, -0.106, 0.000, -0.579,
    -0.167, -0.238, 1.093, -0.034, -0.745, 0.702, 0.534, -0.499, 0.323, 0.000, 0.033, -1.070, -0.607, -0.935,
    0.371, -0.435, 0.000,
)
"""The weight of none of the traits, and then of each, before it is known where the other values are."""
CHOSEN: Sequence[float] = (
    -2.304, 1.171, 0.523, 0.891, 0.000, 0.059, 0.307, 1.514, 1.670, 2.536, 1.562, -0.200, 0.000, -0.082,
    -0.304, -2.066, 2.019, -1.225, 0.388, 1.651, -0.096, -0.981, -0.575, -1.071, -0.283, -0.141, -0.000, -0.044,
    -0.198, -0.268, -1.131, -0.537, -0.253, -0.797, -0.496, 1.974, -0.375, 0.000, 0.579, -0.107, 0.000, -0.262,
    -0.211, -0.160, 0.988, -0.047, -0.654, 0.409, 0.335, -0.321, 0.244, 0.000, 0.048, -0.825, -0.398, -0.628,
    0.452, -0.430, 0.000, 1.385, 1.620, -1.840, 0.282, 1.521, 2.341,
)
"""The weight of none of the traits, and then of each: below 0 a value is rather not given."""
SURE: Sequence[float] = (
    -1.282, 1.468, 1.065, 0.360, 0.974, 0.000,
)
# fmt: on
"""The weight of none of the features of an answer, and then of each, for the share of its values that is right."""
