"""Series that tell of one another: told apart by the form of a label alone, links with what their texts say."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import attrs

from agentbrowser.browser.extraction.words import Words, likeness, words

if TYPE_CHECKING:
    from agentbrowser.browser.extraction.candidates import Series

_SAME: Final = 0.9
_USUAL: Final = 0.8
_SHORT: Final = 40


def united(series: Sequence["Series"]) -> Iterator["Series"]:
    """Yield as one what is told apart only by the form of its label: "Author: Ann", "Authors: Bob, Cid"."""
    beside: dict[str, list[tuple[Words, Series]]] = {}
    for one in series:
        place, mark, label = one.key.rpartition(":")
        if mark and label and label[-1] != "^" and one.kind == "part" and not one.is_many:
            beside.setdefault(place, []).append((words(label), one))
    for found in beside.values():
        for at, (said, one) in enumerate(found):
            for other_said, other in found[at + 1 :]:
                is_same = bool(said.all and other_said.all) and likeness(said, other_said) > _SAME
                if is_same and not set(one.rows) & set(other.rows):
                    yield _union(one, other)


def _union(one: "Series", other: "Series") -> "Series":
    cells = sorted(
        (*zip(one.rows, one.texts, one.spots, strict=True), *zip(other.rows, other.texts, other.spots, strict=True))
    )
    rows, texts, spots = (list(part) for part in zip(*cells, strict=True))
    labels = Counter(one.labels) + Counter(other.labels)
    return attrs.evolve(one, key=f"{one.key}+", rows=rows, texts=texts, spots=spots, labels=dict(labels), twins=[])


def name_links(series: Sequence["Series"]) -> None:
    """Call links what their own text says, where nearly all say the same: "Apply", "PDF"."""
    texts = [one for one in series if one.kind in ("text", "part") and not one.is_many and len(one.texts[0]) < _SHORT]
    said = {one.spots[0]: one for one in texts if one.spots and one.kind == "text"}
    for link in series:
        text = said.get(link.spots[0]) if link.kind == "href" and link.spots and not link.is_many else None
        if text is None or len(text.rows) < _USUAL * len(link.rows):
            continue
        usual, count = Counter(text.texts).most_common(1)[0]
        if len(link.rows) > 1 and count >= _USUAL * len(text.rows):
            link.labels = {**link.labels, f"a{usual}": count}
