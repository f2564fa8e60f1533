"""How much each trait says for a value being what a single thing's property asks for, as it was fitted to pages."""

from typing import Final

# fmt: off
# Made by ``python -m bench.fit_singles --write``; not edited by hand.
CHOSEN: Final = (
    -1.030, 2.202, 0.188, 1.393, 0.000, 0.166, 0.206, 0.994, 1.158, 3.590, 1.692, -0.202, 0.000, -0.594,
    -0.684, -2.288, 2.195, -1.211, 1.100, 1.607, -0.214, -1.025, -0.829, -1.497, 0.062, -0.797, -0.001, -0.185,
    0.000, -0.586, -1.450, -1.188, -0.174, -0.916, 0.000, 1.744, -0.821, 0.000, 0.578, -0.118, 0.000, -0.692,
    -0.141, -0.477, 0.914, -0.836, -0.657, 0.409, 0.825, -0.637, 0.456, 0.000, 0.000, -0.319, -0.797, -0.727,
    0.399, -0.748, 0.000,
)
# fmt: on
"""The weight of none of the traits, and then of each: below 0 a value is rather not given."""
