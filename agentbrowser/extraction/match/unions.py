"""Series that tell of one another: told apart by the form of a label alone, links with what their texts say."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from agentbrowser.extraction.candidates import Series
from agentbrowser.extraction.text.words import Words, likeness, words

_SAME: Final = 0.9
_USUAL: Final = 0.8
_SHORT: Final = 40
_TEXTS: Final = (" text", " whole")
_UNITED: Final = "+"
"""What the keys of such end in."""


def united(series: Sequence[Series]) -> Iterator[Series]:
    """Yield as one what is told apart only by the form of its label: "Author: Ann", "Authors: Bob, Cid"."""
    beside: dict[str, list[tuple[Words, Series]]] = {}
    for one in series:
        place, _, label = one.key.rpartition(":")
        if place.endswith(_TEXTS) and label and label[-1] != "^" and one.kind == "part" and not one.is_many:
            beside.setdefault(place, []).append((words(label), one))
    for found in beside.values():
        while found:
            said, whole = found.pop(0)
            alike = [other for label, other in found if said.all and label.all and likeness(said, label) > _SAME]
            for other in alike:
                if not set(whole.rows) & set(other.rows):
                    found = [(label, one) for label, one in found if one is not other]
                    whole = _union(whole, other)
            if whole.key[-1] == _UNITED:
                yield whole


def _union(one: Series, other: Series) -> Series:
    cells = sorted(
        (*zip(one.rows, one.texts, one.spots, strict=True), *zip(other.rows, other.texts, other.spots, strict=True))
    )
    rows, texts, spots = (list(part) for part in zip(*cells, strict=True))
    labels = Counter(one.labels) + Counter(other.labels)
    return attrs.evolve(
        one,
        key=one.key.removesuffix(_UNITED) + _UNITED,
        rows=rows,
        texts=texts,
        spots=spots,
        labels=dict(labels),
        twins=[],
    )


def name_links(series: Sequence[Series]) -> None:
    """Call links what their own text says, where nearly all say the same: "Apply", "PDF"."""
    texts = [one for one in series if one.kind in ("text", "part") and not one.is_many and len(one.texts[0]) < _SHORT]
    said = {one.spots[0]: one for one in texts if one.spots and one.kind == "text"}
    for link in series:
        text = said.get(link.spots[0]) if link.kind == "href" and link.spots and not link.is_many else None
        if text is None or len(text.rows) < _USUAL * len(link.rows):
            continue
        least = _USUAL * len(text.rows)
        if len(link.rows) < 2 or len(text.texts) + 1 - len(set(text.texts)) < least:
            continue
        usual, count = Counter(text.texts).most_common(1)[0]
        if count >= least:
            link.labels = {**link.labels, f"a{usual}": count}
