"""How much each trait says for a value being what a single thing's property asks for, as it was fitted to pages."""

from collections.abc import Sequence

# fmt: off
# Made by ``python -m bench.fit_singles --write``; not edited by hand.
CHOSEN: Sequence[float] = (
    -0.792, 1.715, 0.302, 1.330, 0.000, 0.000, 0.214, 1.279, 1.369, 3.358, 1.549, -0.121, 0.000, -0.302,
    -0.437, -2.359, 2.114, -1.306, 1.307, 1.670, -0.232, -1.257, -0.989, -1.634, 0.004, -0.641, -0.003, -0.117,
    -0.026, -0.834, -1.449, -0.952, -0.154, -0.850, -0.732, 2.257, -0.414, 0.000, 0.577, -0.087, 0.000, -0.612,
    -0.122, -0.343, 0.990, -0.069, -0.848, 0.574, 0.433, -0.514, 0.191, 0.000, 0.004, -1.106, -0.841, -0.959,
    0.484, -0.481, 0.000,
)
"""The weight of none of the traits, and then of each: below 0 a value is rather not given."""
SURE: Sequence[float] = (
    -1.398, 1.560, 1.053, 0.453, 0.876, 0.000,
)
# fmt: on
"""The weight of none of the features of an answer, and then of each, for the share of its values that is right."""
