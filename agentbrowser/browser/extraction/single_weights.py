"""How much each trait says for a value being what a single thing's property asks for, as it was fitted to pages."""

from collections.abc import Sequence

# fmt: off
# Made by ``python -m bench.fit_singles --write``; not edited by hand.
ALONE: Sequence[float] = (
    -0.520, 1.519, 0.612, 1.244, 0.000, 0.000, 0.235, 1.228, 1.553, 3.100, 1.834, -0.287, 0.000, -0.229,
    -0.334, -2.224, 2.053, -1.301, 0.706, 1.823, -0.319, -1.139, -0.905, -1.510, 0.109, -0.660, -0.022, -0.164,
    0.000, -0.489, -1.994, -1.408, -0.238, -0.566, -0.712, 2.147, -0.508, -0.228, 1.054, -0.112, 0.000, -0.518,
    -0.131, -0.415, 1.078, -0.044, -0.747, 0.747, 0.496, -0.453, 0.316, 0.000, 0.066, -1.071, -0.577, -0.957,
    0.265, -0.611, 0.000, 0.000, 0.447, -0.320, -0.395, -0.310,
)
"""The weight of none of the traits, and then of each, before it is known where the other values are."""
CHOSEN: Sequence[float] = (
    -2.331, 1.154, 0.519, 0.937, 0.000, 0.033, 0.141, 1.457, 1.702, 2.464, 1.538, -0.141, 0.000, -0.083,
    -0.349, -2.018, 1.971, -1.165, 0.330, 1.616, -0.067, -0.928, -0.545, -1.017, -0.329, -0.137, -0.000, -0.058,
    -0.046, -0.234, -1.188, -0.882, -0.232, -0.797, -0.604, 1.278, -0.128, -0.023, 0.700, -0.116, 0.000, -0.114,
    -0.335, -0.399, 0.990, -0.051, -0.643, 0.517, 0.275, -0.198, 0.251, 0.000, 0.001, -0.783, -0.380, -0.597,
    0.348, -0.680, 0.000, 0.000, 0.733, -0.381, -0.217, -0.186, 0.049, 1.331, 1.510, -1.743, 0.544, 1.784,
    2.383, -0.650,
)
"""The weight of none of the traits, and then of each: below 0 a value is rather not given."""
SURE: Sequence[float] = (
    -1.491, 1.583, 1.122, 0.333, 1.034, 0.000,
)
# fmt: on
"""The weight of none of the features of an answer, and then of each, for the share of its values that is right."""
