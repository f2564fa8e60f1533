"""Composite columns: texts that consist of the texts of other columns."""

import operator
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.column_keys import (
    BESIDE_BRACKETS,
    CHILD,
    OWN_TEXT,
    TEXT,
    part_of_line,
    path_of,
    text_between,
)
from agentbrowser.extraction.columns.page_names import Markup
from agentbrowser.extraction.text.kinds import date_in
from agentbrowser.extraction.text.profiles import WRITTEN

_TRIED: Final = 8
_COMPOSITE: Final = 600
_MEASURED: Final = re.compile(r"\D{0,3}\d[\d.,\s'’]*\D{1,5}")
"""A number with its unit: one value, even if each is in an element of its own."""
_LISTED: Final = re.compile("[|·•∙⋅]")
_TITLES: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "a", "td"))
_INLINE: Final = frozenset(("span", "em", "i", "b", "strong", "mark", "u", "font"))
_EMPHASIS: Final = frozenset(("em", "i", "mark", "u"))
_SIDES: Final = 2
_FEWEST_ROWS: Final = 2
"""Least number of rows in which the same words before a dash are a rule."""
_DASHES: Final = (" – ", " — ", " - ")


def mark_composites(columns: Sequence[Column]) -> None:
    """Mark the columns of text that consist of other columns."""
    written = [column for column in columns if column.kind in WRITTEN and not column.is_many and column.texts]
    parts = [column for column in written if not _is_beside(column, written)]
    suspects = [column for column in written if _has_several(column, parts)]
    by_row: dict[int, list[str]] = {}
    for column in parts if suspects else ():
        for row, text in _sample(column):
            by_row.setdefault(row, []).append(text)
    for column in suspects:
        samples = [(by_row[row], text) for row, text in _sample(column) if row in by_row]
        # A text with an equal one beside it may be composed of parts that its row lacks.
        alone = sum([others.count(text) < 2 for others, text in samples])
        column.is_composite = _are_made(samples, max(len(samples) * 0.3, alone * 0.7))


def without_fragments(columns: Sequence[Column]) -> list[Column]:
    """Return the columns without the fragments of titles: "Quiet" of "The Quiet House", where "Quiet" is emphasized.

    A title is a fragment on either side of an inline element with words of its own, and beside mere emphasis. What
    follows the same words and a dash in every row is a fragment as well: "Briggate" of "Leeds – Briggate".
    """
    fragments: set[int] = set()
    titles = [column for column in columns if column.kind == "text" and column.tag in _TITLES and not column.is_many]
    for own in [column for column in columns if column.kind == "own" and column.tag in _TITLES and not column.is_many]:
        pieces = _pieces_around_emphasis(own, columns)
        path = own.key.removesuffix(OWN_TEXT)
        for title in titles if pieces else ():
            if path.startswith(path_of(title.key)) and title.rows == own.rows:
                title.is_composite = False
                fragments.update(map(id, (own, *pieces)))
    for title in titles:
        if ends := _ends_of_title(title, columns):
            title.is_composite = False
            fragments.update(map(id, ends))
    fragments.update(id(column) for line in columns for column in _sides_of_dash(line, columns))
    return [column for column in columns if id(column) not in fragments] if fragments else list(columns)


def _pieces_around_emphasis(own: Column, columns: Sequence[Column]) -> list[Column]:
    """Return the texts between inline elements of a title, and the texts of these; none if any may be a value."""
    path = own.key.removesuffix(OWN_TEXT)
    side_keys = [text_between(path + TEXT, place) for place in range(_SIDES)]
    sides = [column for column in columns if column.kind == "part" and column.key in side_keys]
    inline = _inline_texts(path, columns)
    least_sides = 1 if all(map(_is_bare_emphasis, inline)) else _SIDES
    pieces = [*sides, *inline]
    return pieces if inline and len(sides) >= least_sides and all(map(_is_wordy, pieces)) else []


def _inline_texts(path: str, columns: Sequence[Column]) -> list[Column]:
    """Return the columns of the inline elements inside a path."""
    start = path + CHILD
    return [
        column for column in columns if column.kind == "text" and column.key.startswith(start) and _is_emphasis(column)
    ]


def _ends_of_title(title: Column, columns: Sequence[Column]) -> list[Column]:
    """Return the beginning of a title and its end in an element without a class; none if the end is no title's."""
    path = title.key.removesuffix(TEXT)
    starts = [text_between(path + TEXT, 0), text_between(f"{path}{CHILD}a{TEXT}", 0)]
    found = [column for column in columns if column.kind == "part" and column.key in starts]
    found += _inline_texts(path, columns)
    if len(found) != _SIDES or any(column.rows != title.rows or not _is_wordy(column) for column in found):
        return []
    first, last = sorted(found, key=lambda column: column.kind)
    is_own = len(set(last.texts)) == len(last.texts) > 1 and not _has_class(last)
    parts = zip(title.texts, first.texts, last.texts, strict=True)
    return found if is_own and all(text == f"{start} {end}" for text, start, end in parts) else []


def _sides_of_dash(line: Column, columns: Sequence[Column]) -> list[Column]:
    """Return the parts on both sides of a dash, if the first is the same in every row."""
    if line.kind != "text" or line.is_many or not any(mark in line.texts[0] for mark in _DASHES):
        return []
    keys = [part_of_line(line.key, place) for place in range(_SIDES)]
    sides = [column for column in columns if column.kind == "part" and column.key in keys]
    if len(sides) != _SIDES or len(line.texts) < _FEWEST_ROWS:
        return []
    start = sides[0].texts[0]
    is_same = all(text.startswith(tuple(f"{start}{mark}" for mark in _DASHES)) for text in line.texts)
    return sides if is_same and _is_wordy(sides[0]) and not start.endswith(":") else []


def _has_class(column: Column) -> bool:
    return any(markup == Markup.CLASS for markup, _ in column.hints)


def _is_emphasis(column: Column) -> bool:
    return column.tag in _INLINE and not column.is_many


def _is_bare_emphasis(column: Column) -> bool:
    return column.tag in _EMPHASIS and not _has_class(column)


def _is_wordy(column: Column) -> bool:
    return (
        column.profile.wordy == 1
        and column.profile.numeric == 0
        and not any(map(_LISTED.search, column.texts[:_TRIED]))
    )


def _sample(column: Column) -> Iterator[tuple[int, str]]:
    return zip(column.rows[:_TRIED], column.texts, strict=False)


def _has_several(column: Column, parts: Iterable[Column]) -> bool:
    """Return True if some of its texts contain several others: a precondition, quick to check."""
    found = 0
    for part in parts:
        if part is not column and any(_are_in(part, column)):
            found += 1
            if found > 1:
                return True
    return False


def _are_in(part: Column, column: Column) -> Iterable[bool]:
    if part.rows is column.rows:
        return map(operator.contains, column.texts[:_TRIED], part.texts)
    texts = dict(_sample(column))
    return (text in texts[row] for row, text in _sample(part) if row in texts)


def _are_made(samples: Sequence[tuple[Collection[str], str]], least: float) -> bool:
    """Return True if more than a number of texts consist of others; stops as soon as the result is certain."""
    left = len(samples)
    for others, text in samples:
        if not is_made_of(text, others):
            left -= 1
        if left <= least:
            break
    return left > least


def _is_beside(column: Column, others: Sequence[Column]) -> bool:
    """Return True if it is the part before or in brackets, or beside a dash: no text consists of such parts alone."""
    if column.key.endswith(BESIDE_BRACKETS):
        return True
    whole, _, place = column.key.rpartition("/")
    if column.kind != "part" or not place.isdecimal():
        return False
    texts = next((other.texts for other in others if other.key == whole), [])
    return not any(map(_LISTED.search, texts[:_TRIED]))


def is_made_of(text: str, others: Collection[str]) -> bool:
    """Return True if a text consists mostly of several others."""
    if len(text) > _COMPOSITE:
        return False
    parts = {other for other in others if len(other) < len(text) and other in text}
    is_made = len(parts) > 1 and sum(map(len, parts)) > len(text) / 2
    return is_made and not _MEASURED.fullmatch(text) and date_in(text) != text
