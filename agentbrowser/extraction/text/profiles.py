"""What values look like as a whole: the share of them that look like money, like a date, like yes or no."""

import itertools
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import attrs

from agentbrowser.extraction.caching import memoize
from agentbrowser.extraction.text.kinds import kinds_of
from agentbrowser.extraction.text.numerals import spelt, stars
from agentbrowser.extraction.text.truth import truth, truth_of_class
from agentbrowser.extraction.text.words import plain

WRITTEN: Final = frozenset(("text", "own", "whole", "part"))
"""The kinds of values that a page shows as text."""
_SAMPLE: Final = 16
_TRIED: Final = 8
EMPTY: Final = frozenset(("", "-", "–", "—", "n/a", "k.a.", "k. a.", "/", "na", "none", "null", "...", "…", "?", "--"))
"""Marks for nothing."""


@attrs.define(eq=False)
class Profile:
    """What the values of a series are like; shares are 0 to 1."""

    shares: dict[str, float]
    numeric: float
    truthy: float
    length: float
    wordy: float

    def share(self, kind: str, *others: str) -> float:
        """Return the share of values that look like one of the kinds."""
        share = self.shares.get(kind, 0.0)
        return max([share, *[self.shares[other] for other in others if other in self.shares]]) if others else share


@attrs.frozen(eq=False)
class _Told:
    """What a text is like; of those that are alike in all of this there is one."""

    kinds: frozenset[str]
    is_numeric: bool
    is_truthy: bool
    is_wordy: bool

    @classmethod
    @lru_cache(maxsize=2000)
    def of(cls, kinds: frozenset[str], is_numeric: bool, is_truthy: bool, is_wordy: bool) -> "_Told":
        """Return the one with these."""
        return cls(kinds, is_numeric, is_truthy, is_wordy)


@memoize
def _told(text: str) -> _Told:
    return _Told.of(kinds_of(text), has_number(text), truth(text) is not None, any(map(str.isalpha, text)))


@memoize
def _told_of_class(text: str) -> _Told:
    is_truthy = truth_of_class(text) is not None
    return _Told.of(kinds_of(text), spelt(text) is not None, is_truthy, any(map(str.isalpha, text)))


@memoize
def has_number(text: str) -> bool:
    """Tell whether there is a digit, or stars that are drawn."""
    return any(map(str.isdigit, text)) or stars(text) is not None


def profile_of(texts: Sequence[str], *, is_class: bool) -> Profile:
    """Return what some of the texts are like; of classes, what they say."""
    step = max(1, len(texts) // _SAMPLE)
    sample = texts[::step][:_SAMPLE]
    count = len(sample) or 1
    told = list(map(_told_of_class if is_class else _told, sample))
    length = len("".join(sample)) / count
    if told and told.count(told[0]) == count:
        one = told[0]
        shares = dict.fromkeys(one.kinds, 1.0)
        return Profile(shares, float(one.is_numeric), float(one.is_truthy), length, float(one.is_wordy))
    shapes: dict[str, int] = {}
    numeric = truthy = wordy = 0
    for one in dict.fromkeys(told):
        seen = told.count(one)
        numeric += seen * one.is_numeric
        truthy += seen * one.is_truthy
        wordy += seen * one.is_wordy
        for kind in one.kinds:
            shapes[kind] = shapes.get(kind, 0) + seen
    shares = {kind: seen / count for kind, seen in shapes.items()}
    return Profile(shares, numeric / count, truthy / count, length, wordy / count)


def said_in(texts: Sequence[str]) -> Sequence[str]:
    """Return some of the texts that are more than a mark for nothing: a dash, "n/a"."""
    if EMPTY.isdisjoint(map(plain, texts[:_TRIED])):
        return texts[:_TRIED]
    return list(itertools.islice((text for text in texts if plain(text) not in EMPTY), _TRIED)) or texts[:_TRIED]
