"""How much each trait says for a value being what a single thing's property asks for, as it was fitted to pages."""

from collections.abc import Sequence

# fmt: off
# Made by ``python -m bench.fitting.singles --write``; not edited by hand.
ALONE: Sequence[float] = (
    -1.184, 1.671, 0.105, 1.446, 0.000, 0.032, 0.339, 1.308, 0.895, 3.358, 1.160, -0.233, -0.148, 0.000,
    -0.494, -2.313, 1.862, -1.444, 1.262, 1.506, -0.121, -1.010, -0.698, -1.390, 0.113, -0.328, -0.113, -0.026,
    -0.146, -0.337, -1.093, -1.517, -0.131, -1.213, 0.000, 2.062, -0.795, -0.235, 0.805, -0.209, 0.000, -1.005,
    -0.548, -0.145, 0.358, 0.000, -0.595, 1.205, 0.708, -0.914, 0.086, 0.000, 0.000, -0.667, -0.648, -1.390,
    0.643, -0.873, 0.000, -0.328, 0.148, -0.454, -0.508, -0.374,
)
"""The weight of none of the traits, and then of each, before it is known where the other values are."""
CHOSEN: Sequence[float] = (
    -2.889, 1.038, 0.000, 1.115, 0.000, 0.507, 0.130, 1.129, 1.067, 2.765, 1.154, -0.151, -0.166, -0.037,
    -0.553, -2.165, 1.811, -1.478, 1.094, 1.387, 0.000, -0.655, -0.424, -0.966, -0.085, -0.788, -0.043, 0.083,
    -0.068, -0.378, -0.553, -1.011, -0.146, -1.343, 0.000, 0.995, -0.497, 0.000, 0.591, -0.203, 0.000, -0.614,
    -0.415, -0.013, 0.257, -0.101, -0.517, 0.670, 0.277, -0.627, 0.040, 0.000, 0.000, -0.527, -0.382, -0.927,
    0.620, -0.852, 0.000, -0.228, 0.459, -0.376, -0.214, -0.225, 0.652, 0.487, 0.885, -1.291, 0.560, 1.556,
    1.607, 0.374, 1.768, -0.658,
)
"""The weight of none of the traits, and then of each: below 0 a value is rather not given."""
SURE: Sequence[float] = (
    -1.471, 1.479, 0.776, 0.522, 1.062, 0.000,
)
# fmt: on
"""The weight of none of the features of an answer, and then of each, for the share of its values that is right."""
