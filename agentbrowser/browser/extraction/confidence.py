"""How likely an extraction is right, from how well its parts fit."""

import math
from collections.abc import Sequence
from typing import Final

LIST_WEIGHTS: Final = (-0.49, 1.61, 1.41, 0.69, 1.98, 0.15)
SINGLE_WEIGHTS: Final = (-1.49, 0.23, 2.55, 0.81, 3.49, -0.26)


def confidence(features: Sequence[float], *, is_list: bool) -> float:
    """Return the share of the values that is likely right, 0 to 1, for the features of an outcome.

    Source: a logistic map fitted by ``python -m bench.extract --fit`` to the development half of bench/corpus and to
    copies of it with a part of the names taken away, the target being the F1 of the values.
    """
    bias, *weights = LIST_WEIGHTS if is_list else SINGLE_WEIGHTS
    total = bias + sum(weight * value for weight, value in zip(weights, features, strict=True))
    return round(1 / (1 + math.exp(-max(-30.0, min(30.0, total)))), 3)
