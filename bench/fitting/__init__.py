"""Fitting of the extraction model: solvers, tree boosting, lists and single objects."""

import os
from typing import Final

# Set before any module here imports numpy. The number of threads changes the order of additions, so a fit on another
# number of cores would differ; on tables as small as these, threads cost more than they save.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

SEEDS: Final = {"trees": 1, "lists": 3, "singles": 1}
"""Seeds of all random choices of a fit, recorded in the header of the model file."""
