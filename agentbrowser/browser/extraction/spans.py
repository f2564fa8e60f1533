"""Spans, where each of their ends is asked for: "£70,000 – £85,000", "09:00–17:30", "3 - 1"."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from agentbrowser.browser.extraction.candidates import WRITTEN, Series
from agentbrowser.browser.extraction.kinds import kinds_of
from agentbrowser.browser.extraction.wishes import Wish

_TRIED: Final = 12
_LONGEST: Final = 60
_NAMED: Final = 0.7
_SPAN: Final = re.compile(
    r"(\D{0,12}\d[^–—]*?)"
    r"(?:\s*[–—〜～]\s*|\s+(?:-|~|to|bis|à|a|do|tot|till|til|until|al|au)\s+|(?<=\d\d[:.]\d\d)-(?=\d\d[:.]\d\d))"
    r"(\D{0,6}\d[^–—]*)"
)
_NAMES: Final = (
    (frozenset(("date", "time", "period")), ("start", "open"), ("end", "closed", "due")),
    (frozenset(("number", "integer", "money", "percent")), ("minimum", "low", "home"), ("maximum", "high", "away")),
)
"""What the ends are called, by what they look like."""
_ENDS: Final = {
    mark: frozenset(name for names in _NAMES for name in names[at]) for at, mark in enumerate(("<1", "<2"), 1)
}


def are_ends_asked(wishes: Sequence[Wish]) -> bool:
    """Tell whether both ends of something are asked for."""
    return all(any(wish.name.concepts & said for wish in wishes) for said in _ENDS.values())


def is_asked(wish: Wish, series: Series, *, is_span: bool) -> bool:
    """Tell whether a series is the end that a wish asks for, or of no use for ends."""
    if (said := _ENDS.get(series.key[-2:])) is not None:
        return bool(wish.name.concepts & said)
    return not (is_span and any(wish.name.concepts & end for end in _ENDS.values()))


def ends(series: Series) -> Iterator[Series]:
    """Yield the two ends of a series that is of spans, each as a series."""
    if series.is_many or series.kind not in WRITTEN:
        return
    found = [_SPAN.fullmatch(text) if len(text) < _LONGEST else None for text in series.texts]
    sample = [match for match in found[:_TRIED] if match]
    if len(sample) * 2 <= min(_TRIED, len(found)):
        return
    kinds = [kinds_of(match[2].strip()) for match in sample]
    for like, *names in _NAMES:
        if sum(not kind.isdisjoint(like) for kind in kinds) * 2 > len(kinds):
            yield from (_end(series, found, at, called) for at, called in enumerate(names, 1))
            return


def _end(series: Series, found: "Sequence[re.Match[str] | None]", at: int, called: Sequence[str]) -> Series:
    kept = [place for place, match in enumerate(found) if match]
    whole = [label[1:] for label in series.labels if label[0] == "k"] + series.heads
    return attrs.evolve(
        series,
        key=f"{series.key}<{at}",
        kind="part",
        rows=[series.rows[place] for place in kept],
        texts=[match[at].strip() for match in found if match],
        spots=[series.spots[place] for place in kept],
        names=[*series.names, *((" ".join([*whole, name]), _NAMED) for name in called)],
        twins=[],
    )
