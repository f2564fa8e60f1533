"""How likely an extraction is right, from how well its parts fit."""

import math
from collections.abc import Sequence
from typing import Final

from agentbrowser.browser.extraction.single_weights import SURE
from agentbrowser.browser.extraction.weights import FITTED, weighed

_UNSEEN: Final = 0.75
"""How much less sure a list of an unknown author is: by cross-validation lists were read right at a mean of 0.92, but
on 18 development pages that nobody had looked at while traits were made at 0.74 to 0.83."""


def confidence(features: Sequence[float], *, is_list: bool) -> float:
    """Return the share of the values that is likely right, 0 to 1, for the features of an outcome.

    Source: logistic maps fitted by ``python -m bench.fit`` and ``python -m bench.fit_singles`` to answers from pages
    that the other weights had not seen, the target being the F1 of the values.
    """
    total = weighed(FITTED.list, features) - _UNSEEN if is_list else weighed(SURE, features)
    return round(1 / (1 + math.exp(-max(-30.0, min(30.0, total)))), 3)
