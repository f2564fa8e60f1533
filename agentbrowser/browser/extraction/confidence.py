"""How likely an extraction is right, from how well its parts fit."""

import math
from collections.abc import Sequence
from typing import Final

LIST_WEIGHTS: Final = (-2.0, 5.0, 1.0, 1.0, 1.0, 0.5)
SINGLE_WEIGHTS: Final = (-2.0, 5.0, 1.0, 1.0, 1.0, 0.0)


def confidence(features: Sequence[float], *, is_list: bool) -> float:
    """Return a share of 0 to 1 for the features of an outcome."""
    bias, *weights = LIST_WEIGHTS if is_list else SINGLE_WEIGHTS
    total = bias + sum(weight * value for weight, value in zip(weights, features, strict=True))
    return round(1 / (1 + math.exp(-max(-30.0, min(30.0, total)))), 3)
