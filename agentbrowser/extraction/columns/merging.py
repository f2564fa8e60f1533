"""Merging of columns: equal ones, and ones that differ only by the form of their label."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

import attrs

from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.column_keys import LABELLED_PART, TEXT, UNION, WHOLE_CELL, WITHOUT_PREFIX
from agentbrowser.extraction.columns.page_names import PageLabel, Relation
from agentbrowser.extraction.text.words import Words, likeness, words

_SAME: Final = 0.9
"""Likeness above which two labels differ by their form only."""
_USUAL: Final = 0.8
"""Share of the links of a column whose text is its name."""
_SHORT: Final = 40
"""Length below which the text of a link can be its name."""
_TEXTS: Final = (TEXT, WHOLE_CELL)


def united(columns: Sequence[Column]) -> Iterator[Column]:
    """Yield the union of columns that differ only by the form of their label: "Author: Ann", "Authors: Bob, Cid"."""
    beside: dict[str, list[tuple[Words, Column]]] = {}
    for column in columns:
        place, _, label = column.key.rpartition(LABELLED_PART)
        is_labelled = place.endswith(_TEXTS) and label and label[-1] != WITHOUT_PREFIX
        if is_labelled and column.kind == "part" and not column.is_many:
            beside.setdefault(place, []).append((words(label), column))
    for labelled in beside.values():
        while labelled:
            first, union = labelled.pop(0)
            alike = [other for label, other in labelled if first.all and label.all and likeness(first, label) > _SAME]
            for other in alike:
                if not set(union.rows) & set(other.rows):
                    labelled = [(label, column) for label, column in labelled if column is not other]
                    union = _union(union, other)
            if union.key[-1] == UNION:
                yield union


def _union(column: Column, other: Column) -> Column:
    cells = sorted(
        (
            *zip(column.rows, column.texts, column.spots, strict=True),
            *zip(other.rows, other.texts, other.spots, strict=True),
        )
    )
    rows, texts, spots = (list(part) for part in zip(*cells, strict=True))
    labels = Counter(column.labels) + Counter(other.labels)
    return attrs.evolve(
        column,
        key=column.key.removesuffix(UNION) + UNION,
        rows=rows,
        texts=texts,
        spots=spots,
        labels=dict(labels),
        twins=[],
    )


def name_links(columns: Sequence[Column]) -> None:
    """Label links by their own text, if nearly all have the same: "Apply", "PDF"."""
    texts = [
        column
        for column in columns
        if column.kind in ("text", "part") and not column.is_many and len(column.texts[0]) < _SHORT
    ]
    by_spot = {column.spots[0]: column for column in texts if column.spots and column.kind == "text"}
    for link in columns:
        text = by_spot.get(link.spots[0]) if link.kind == "href" and link.spots and not link.is_many else None
        if text is None or len(text.rows) < _USUAL * len(link.rows):
            continue
        least = _USUAL * len(text.rows)
        if len(link.rows) < 2 or len(text.texts) + 1 - len(set(text.texts)) < least:
            continue
        usual, count = Counter(text.texts).most_common(1)[0]
        if count >= least:
            link.labels = {**link.labels, PageLabel(Relation.AFTER, usual): count}


class Distinct:
    """Columns of a group, each different from the others."""

    def __init__(self) -> None:
        self.columns: list[Column] = []
        self._alike: dict[tuple[Any, ...], list[Column]] = {}

    def add(self, column: Column) -> None:
        """Add a column, or its names to an equal one."""
        coarse_key = (column.is_many, column.kind in ("href", "src"), len(column.rows), "".join(column.texts[:2]))
        alike = self._alike.setdefault(coarse_key, [])
        for first in alike:
            if first.texts == column.texts and first.rows == column.rows:
                _merge(first, column)
                return
        alike.append(column)
        self.columns.append(column)


def _merge(first: Column, column: Column) -> None:
    """Add the names of a column to an equal one."""
    first.hints = [*first.hints, *column.hints]
    first.heads = first.heads or column.heads
    for label, count in column.labels.items():
        first.labels[label] = max(count, first.labels.get(label, 0))
    first.twins = [*first.twins, column.spots]
    first.is_crowded = first.is_crowded and column.is_crowded
    first.is_nth = first.is_nth and column.is_nth
    if first.kind in ("whole", "own", "alt", "title", "aria") and column.kind in ("text", "part"):
        first.spots, first.kind, first.tag, first.key = column.spots, column.kind, column.tag, column.key
