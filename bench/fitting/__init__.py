"""Fitting of the extraction model: solvers, tree boosting, lists and single objects."""

from typing import Final

SEEDS: Final = {"trees": 1, "lists": 3, "singles": 1}
"""Seeds of all random choices of a fit, recorded in the header of the model file."""
