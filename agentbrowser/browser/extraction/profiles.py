"""What values look like as a whole: the share of them that look like money, like a date, like yes or no."""

from collections.abc import Sequence
from typing import Final

import attrs

from agentbrowser.browser.extraction.kinds import kinds_of
from agentbrowser.browser.extraction.numerals import spelt, stars
from agentbrowser.browser.extraction.remembered import remembered
from agentbrowser.browser.extraction.truth import truth, truth_of_class

_SAMPLE: Final = 16


@attrs.frozen
class Profile:
    """What the values of a series are like; shares are 0 to 1."""

    shares: dict[str, float]
    numeric: float
    truthy: float
    length: float
    wordy: float

    def share(self, *kinds: str) -> float:
        """Return the share of values that look like one of the kinds."""
        return max([self.shares.get(kind, 0.0) for kind in kinds])


@attrs.frozen
class _Told:
    """What one text is like."""

    kinds: frozenset[str]
    is_numeric: bool
    is_truthy: bool
    is_wordy: bool


@remembered
def _told(text: str) -> _Told:
    return _Told(kinds_of(text), has_number(text), truth(text) is not None, any(map(str.isalpha, text)))


@remembered
def _told_of_class(text: str) -> _Told:
    is_truthy = truth_of_class(text) is not None
    return _Told(kinds_of(text), spelt(text) is not None, is_truthy, any(map(str.isalpha, text)))


def has_number(text: str) -> bool:
    """Tell whether there is a digit, or stars that are drawn."""
    return any(map(str.isdigit, text)) or stars(text) is not None


def profile_of(texts: Sequence[str], *, is_class: bool) -> Profile:
    """Return what some of the texts are like; of classes, what they say."""
    step = max(1, len(texts) // _SAMPLE)
    sample = texts[::step][:_SAMPLE]
    count = len(sample) or 1
    told = list(map(_told_of_class if is_class else _told, sample))
    shapes: dict[str, int] = {}
    for one in told:
        for kind in one.kinds:
            shapes[kind] = shapes.get(kind, 0) + 1
    return Profile(
        shares={kind: seen / count for kind, seen in shapes.items()},
        numeric=sum([one.is_numeric for one in told]) / count,
        truthy=sum([one.is_truthy for one in told]) / count,
        length=sum(map(len, sample)) / count,
        wordy=sum([one.is_wordy for one in told]) / count,
    )
