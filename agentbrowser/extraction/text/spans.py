"""Spans, where each of their ends is asked for: "£70,000 – £85,000", "3 - 1"; dates with times, where both are."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from agentbrowser.extraction.candidates import Series
from agentbrowser.extraction.match.profiles import WRITTEN
from agentbrowser.extraction.schema.schema_fields import Wish
from agentbrowser.extraction.text.kinds import kinds_of
from agentbrowser.extraction.text.words import words

_TRIED: Final = 12
_LONGEST: Final = 60
_NAMED: Final = 0.7
_SPAN: Final = re.compile(
    r"(\D{0,12}\d[^–—]*?)"
    r"(?:\s*[–—〜～]\s*|\s+(?:-|~|to|bis|à|a|do|tot|till|til|until|al|au)\s+|(?<=\d\d[:.]\d\d)-(?=\d\d[:.]\d\d))"
    r"(\D{0,6}\d[^–—]*)"
)
_MOMENT: Final = re.compile(
    r"(.*?\S)(?:\s*[,·|@]\s*|\s+[-–]\s+|\s+(?:at|um|à|às|as|a las|alle|ore|kl\.?|klo|o|v|om|saat|в)\s+|\s+)"
    r"([0-2]?\d[:.h][0-5]\d(?::[0-5]\d)?(?:\s?(?:[ap]\.?m\.?|uhr|uur|h))?|[01]?\d\s?[ap]\.?m\.?)",
    re.IGNORECASE,
)
_HALVES: Final = {"<3": "date", "<4": "time"}
"""What each part of a date with a time is, by how its key ends."""
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


def are_halves_asked(wishes: Sequence[Wish]) -> bool:
    """Tell whether a date and a time are asked for, each by itself."""
    return {"date", "time"} <= set(map(_half, wishes))


def _half(wish: Wish) -> str:
    """Return which part of a moment a wish asks for; "" for none, or all of it."""
    last = wish.called.rpartition(" ")[2]
    parts = words(last).last.concepts & {"date", "time"} if wish.type == "string" else ()
    return next(iter(parts)) if len(parts) == 1 else ""


def is_part(series: Series) -> bool:
    """Tell whether a series is an end or a half of another."""
    return series.key[-2:] in _ENDS or series.key[-2:] in _HALVES


def is_asked(wish: Wish, series: Series, *, is_span: bool, is_moment: bool = False) -> bool:
    """Tell whether a series is the end that a wish asks for, or of no use for ends."""
    mark = series.key[-2:]
    if (said := _ENDS.get(mark)) is not None:
        return bool(wish.name.concepts & said)
    if (half := _HALVES.get(mark)) is not None:
        return _half(wish) == half
    return not (is_span and any(wish.name.concepts & end for end in _ENDS.values())) and not (is_moment and _half(wish))


def halves(series: Series) -> Iterator[Series]:
    """Yield the dates and the times of a series that has both in one text, each as a series."""
    if series.is_many or series.kind not in WRITTEN:
        return
    found = [_MOMENT.fullmatch(text) if len(text) < _LONGEST else None for text in series.texts]
    sample = [match for match in found[:_TRIED] if match]
    dated = sum(not kinds_of(match[1]).isdisjoint(("date", "ago")) for match in sample)
    if dated * 2 > min(_TRIED, len(found)):
        yield from (_end(series, found, at, [called], at + 2) for at, called in enumerate(_HALVES.values(), 1))


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


def _end(
    series: Series, found: "Sequence[re.Match[str] | None]", at: int, called: Sequence[str], mark: int = 0
) -> Series:
    kept = [place for place, match in enumerate(found) if match]
    whole = [label[1:] for label in series.labels if label[0] == "k"] + series.heads
    return attrs.evolve(
        series,
        key=f"{series.key}<{mark or at}",
        kind="part",
        rows=[series.rows[place] for place in kept],
        texts=[match[at].strip() for match in found if match],
        spots=[series.spots[place] for place in kept],
        names=[*series.names, *((" ".join([*whole, name]), _NAMED) for name in called)],
        twins=[],
    )
