"""Fitting of the extraction model: solvers, tree boosting, lists and single objects."""

import os
from typing import Final

# Set before any module here imports numpy. The number of threads and the width of vectors change the order of
# additions, so a fit on another machine would differ; on tables as small as these, threads cost more than they save.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["OPENBLAS_CORETYPE"] = "Haswell"
os.environ["NPY_DISABLE_CPU_FEATURES"] = "X86_V4 AVX512_ICL AVX512_SPR"

SEEDS: Final = {"trees": 1, "lists": 3, "singles": 1, "absent": 5}
"""Seeds of all random choices of a fit, recorded in the header of the model file."""
