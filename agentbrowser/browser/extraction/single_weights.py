"""How much each trait says for a value being what a single thing's property asks for, as it was fitted to pages."""

from collections.abc import Sequence

# fmt: off
# Made by ``python -m bench.fit_singles --write``; not edited by hand.
ALONE: Sequence[float] = (
    -1.344, 1.638, 0.058, 1.359, 0.000, 0.000, 0.370, 1.413, 1.038, 3.555, 1.218, -0.406, 0.000, -0.320,
    -0.342, -2.406, 1.789, -1.205, 0.961, 1.321, -0.156, -1.047, -0.560, -1.348, -0.039, -0.308, -0.026, -0.160,
    0.000, -0.521, -1.144, -1.402, -0.412, -1.102, -0.289, 2.146, -0.651, -0.021, 0.760, -0.099, 0.000, -0.905,
    -0.164, 0.000, 0.702, -0.018, -0.715, 1.294, 0.425, -0.534, 0.187, 0.000, 0.000, -0.730, -0.325, -1.153,
    0.646, -0.941, 0.000, -0.125, 0.246, -0.326, -0.638, -0.419,
)
"""The weight of none of the traits, and then of each, before it is known where the other values are."""
CHOSEN: Sequence[float] = (
    -2.893, 1.106, 0.003, 1.165, 0.000, 0.227, 0.384, 1.267, 1.245, 2.864, 1.212, -0.367, -0.025, -0.295,
    -0.346, -2.344, 1.751, -1.180, 0.891, 1.164, -0.070, -0.715, -0.293, -0.962, -0.417, -0.769, -0.001, -0.023,
    0.000, -0.388, -0.519, -1.111, -0.378, -1.258, -0.379, 1.111, -0.315, 0.000, 0.504, -0.110, 0.000, -0.429,
    -0.109, 0.000, 0.507, -0.264, -0.590, 0.999, 0.327, -0.221, 0.133, 0.000, 0.000, -0.595, -0.184, -0.742,
    0.637, -0.928, 0.000, -0.103, 0.445, -0.272, -0.257, -0.316, 0.294, 1.061, 1.326, -1.726, 0.596, 1.795,
    2.238, -0.688,
)
"""The weight of none of the traits, and then of each: below 0 a value is rather not given."""
SURE: Sequence[float] = (
    -1.840, 1.814, 1.012, 0.761, 1.093, 0.000,
)
# fmt: on
"""The weight of none of the features of an answer, and then of each, for the share of its values that is right."""
