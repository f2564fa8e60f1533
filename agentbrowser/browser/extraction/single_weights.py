"""How much each trait says for a value being what a single thing's property asks for, as it was fitted to pages."""

from collections.abc import Sequence

# fmt: off
# Made by ``python -m bench.fit_singles --write``; not edited by hand.
ALONE: Sequence[float] = (
    -1.118, 1.699, 0.154, 1.386, 0.000, 0.039, 0.306, 1.364, 0.954, 3.344, 1.131, -0.244, -0.217, -0.012,
    -0.523, -2.484, 1.843, -1.330, 1.306, 1.497, -0.145, -1.029, -0.704, -1.370, 0.108, -0.313, -0.130, -0.030,
    -0.148, -0.304, -1.158, -1.391, -0.293, -1.240, -0.102, 2.030, -0.778, -0.157, 0.709, -0.196, 0.000, -0.947,
    -0.529, -0.145, 0.390, 0.000, -0.617, 1.060, 0.875, -0.888, 0.099, 0.000, 0.000, -0.782, -0.599, -1.184,
    0.702, -0.817, 0.000, -0.301, 0.178, -0.436, -0.531, -0.404,
)
"""The weight of none of the traits, and then of each, before it is known where the other values are."""
CHOSEN: Sequence[float] = (
    -2.824, 1.072, 0.037, 1.059, 0.000, 0.465, 0.115, 1.204, 1.129, 2.777, 1.110, -0.229, -0.246, -0.121,
    -0.573, -2.275, 1.864, -1.403, 1.132, 1.356, -0.026, -0.672, -0.412, -0.979, -0.103, -0.769, -0.048, 0.117,
    -0.152, -0.387, -0.605, -0.922, -0.348, -1.375, -0.106, 0.923, -0.457, 0.000, 0.494, -0.204, 0.000, -0.556,
    -0.391, 0.000, 0.316, -0.125, -0.533, 0.586, 0.485, -0.542, 0.037, 0.000, 0.000, -0.576, -0.288, -0.704,
    0.676, -0.789, 0.000, -0.200, 0.458, -0.399, -0.133, -0.186, 0.665, 0.477, 0.916, -1.410, 0.526, 1.597,
    1.693, 0.347, 1.709, -0.479,
)
"""The weight of none of the traits, and then of each: below 0 a value is rather not given."""
SURE: Sequence[float] = (
    -1.759, 1.619, 0.798, 0.808, 1.104, 0.000,
)
# fmt: on
"""The weight of none of the features of an answer, and then of each, for the share of its values that is right."""
