"""How much each trait says for a value being what a single thing's property asks for, as it was fitted to pages."""

from collections.abc import Sequence

# fmt: off
# Made by ``python -m bench.fit_singles --write``; not edited by hand.
ALONE: Sequence[float] = (
    -1.499, 1.720, 0.094, 1.475, 0.000, 0.000, 0.353, 1.390, 0.917, 3.544, 1.137, -0.264, 0.000, -0.008,
    -0.253, -2.267, 1.787, -1.258, 1.024, 1.517, -0.212, -0.995, -0.668, -1.363, 0.114, -0.342, -0.016, -0.035,
    -0.098, -0.417, -1.146, -1.384, -0.281, -1.209, -0.025, 2.014, -0.770, -0.236, 0.715, -0.136, 0.000, -0.985,
    -0.407, 0.000, 0.413, 0.000, -0.620, 1.203, 0.915, -0.838, 0.086, 0.000, 0.000, -0.629, -0.463, -1.161,
    0.673, -0.793, 0.000, -0.282, 0.226, -0.430, -0.507, -0.391,
)
"""The weight of none of the traits, and then of each, before it is known where the other values are."""
CHOSEN: Sequence[float] = (
    -3.069, 1.125, 0.024, 1.171, 0.000, 0.307, 0.311, 1.231, 1.101, 2.924, 1.141, -0.237, 0.000, -0.106,
    -0.263, -2.139, 1.778, -1.272, 0.869, 1.369, -0.115, -0.660, -0.408, -0.959, -0.111, -0.747, -0.000, 0.125,
    -0.023, -0.413, -0.584, -1.148, -0.340, -1.340, -0.027, 1.001, -0.508, 0.000, 0.466, -0.152, 0.000, -0.503,
    -0.347, 0.000, 0.278, -0.142, -0.526, 0.742, 0.643, -0.547, 0.035, 0.000, 0.000, -0.471, -0.211, -0.806,
    0.644, -0.755, 0.000, -0.158, 0.424, -0.403, -0.068, -0.266, 0.691, 1.027, 1.204, -1.611, 0.612, 1.571,
    2.258, 0.000, 0.000, -0.514,
)
"""The weight of none of the traits, and then of each: below 0 a value is rather not given."""
SURE: Sequence[float] = (
    -1.690, 1.792, 0.761, 0.939, 0.634, 0.000,
)
# fmt: on
"""The weight of none of the features of an answer, and then of each, for the share of its values that is right."""
