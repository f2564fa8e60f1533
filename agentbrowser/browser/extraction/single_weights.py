"""How much each trait says for a value being what a single thing's property asks for, as it was fitted to pages."""

from typing import Final

# fmt: off
# Made by ``python -m bench.fit_singles --write``; not edited by hand.
CHOSEN: Final = (
    -1.116, 2.155, 0.157, 1.337, 0.000, 0.128, 0.027, 1.058, 1.273, 3.664, 1.614, -0.309, 0.000, -0.770,
    -0.622, -2.055, 2.385, -1.250, 1.191, 1.575, -0.201, -1.083, -0.780, -1.631, -0.061, -0.769, -0.002, -0.233,
    0.000, -0.766, -1.328, -1.283, 0.000, -0.816, -0.845, 2.100, -0.751, -0.292, 0.562, -0.110, 0.000, -0.703,
    -0.056, -0.315, 1.047, -0.086, -0.750, 0.640, 0.673, -0.569, 0.596, 0.000, 0.055, -0.347, -0.811, -1.067,
    0.220, -0.627, 0.000,
)
# fmt: on
"""The weight of none of the traits, and then of each: below 0 a value is rather not given."""
