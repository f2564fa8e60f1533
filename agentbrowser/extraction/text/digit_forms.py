"""Forms of texts without the digits that decide nothing: all prices of a column are one form, analysed once."""

import re
from typing import Final

from agentbrowser.extraction.caching import memoize

_RUN: Final = re.compile("[0-9]{2,}")
_LONGEST: Final = 120


@memoize
def digit_form(text: str) -> str:
    """Return the text with typical digits: texts of one form differ in digits that no kind of text depends on.

    The patterns of kinds, truth values, units and shapes look at digits only where they tell hours, minutes, months,
    years, ratings and leading zeros apart. Texts that are long or beyond ASCII are their own form.
    """
    return _RUN.sub(_typical, text) if len(text) <= _LONGEST and text.isascii() else text


def _typical(found: "re.Match[str]") -> str:
    run = found[0]
    size, first = len(run), run[0]
    if first == "0" or (size == 2 and first == "1"):  # an hour, a month, the 10 that ratings are out of
        return run
    if size == 2:
        return "22" if first == "2" else "33" if first < "6" else "66"  # hours and minutes, minutes, neither
    if size == 4 and run < "2100":  # years, and those of earlier centuries
        return "1000" if run < "1900" else f"{run[:2]}00"
    return "7" * size
