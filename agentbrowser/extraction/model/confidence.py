"""How likely an extraction is right, from how well its parts fit."""

import math
from collections.abc import Sequence

from agentbrowser.extraction.model.single_weights import SURE
from agentbrowser.extraction.model.weights import FITTED, weighed


def confidence(features: Sequence[float], *, is_list: bool) -> float:
    """Return the share of the values that is likely right, 0 to 1, for the features of an outcome.

    Source: logistic maps fitted by ``python -m bench.fit`` and ``python -m bench.fitting.singles`` to answers from
    pages of authors that the other weights had not seen, the target being the F1 of the values.
    """
    total = weighed(FITTED.list if is_list else SURE, features)
    return round(1 / (1 + math.exp(-max(-30.0, min(30.0, total)))), 3)
