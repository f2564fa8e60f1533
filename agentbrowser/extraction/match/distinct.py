"""Series that say the same, which are kept as one."""

from typing import Any

from agentbrowser.extraction.candidates import Series


class Distinct:
    """The series of a group, without those that say the same as others."""

    def __init__(self) -> None:
        self.series: list[Series] = []
        self._alike: dict[tuple[Any, ...], list[Series]] = {}

    def add(self, one: Series) -> None:
        """Keep a series, or what is said of it with the one that says the same."""
        likeness = (one.is_many, one.kind in ("href", "src"), len(one.rows), "".join(one.texts[:2]))
        alike = self._alike.setdefault(likeness, [])
        for first in alike:
            if first.texts == one.texts and first.rows == one.rows:
                _merge(first, one)
                return
        alike.append(one)
        self.series.append(one)


def _merge(first: Series, one: Series) -> None:
    """Keep all that is said of a series that says the same as another."""
    first.hints = [*first.hints, *one.hints]
    first.heads = first.heads or one.heads
    for label, count in one.labels.items():
        first.labels[label] = max(count, first.labels.get(label, 0))
    first.twins = [*first.twins, one.spots]
    first.is_crowded = first.is_crowded and one.is_crowded
    first.is_nth = first.is_nth and one.is_nth
    if first.kind in ("whole", "own", "alt", "title", "aria") and one.kind in ("text", "part"):
        first.spots, first.kind, first.tag, first.key = one.spots, one.kind, one.tag, one.key
