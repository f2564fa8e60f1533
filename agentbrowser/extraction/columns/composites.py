"""Texts that several others make up: a line of which each part stands for itself."""

import operator
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.text.kinds import date_in
from agentbrowser.extraction.text.profiles import WRITTEN

_TRIED: Final = 8
_COMPOSITE: Final = 600
_MEASURED: Final = re.compile(r"\D{0,3}\d[\d.,\s'’]*\D{1,5}")
"""A number with its unit: one value, also where the two stand in elements of their own."""
_BESIDE: Final = ("(0", "(1")
_LISTED: Final = re.compile("[|·•∙⋅]")


def mark_composites(columns: Sequence[Column]) -> None:
    """Mark the texts that others are parts of."""
    texts = [one for one in columns if one.kind in WRITTEN and not one.is_many and one.texts]
    parts = [one for one in texts if not _is_beside(one, texts)]
    made = [one for one in texts if _has_several(one, parts)]
    by_row: dict[int, list[str]] = {}
    for one in parts if made else ():
        for row, text in _sample(one):
            by_row.setdefault(row, []).append(text)
    for one in made:
        tried = [(by_row[row], text) for row, text in _sample(one) if row in by_row]
        # Where another says the same, this may well be of parts that the row does not all have.
        alone = sum([said.count(text) < 2 for said, text in tried])
        one.is_composite = _are_made(tried, max(len(tried) * 0.3, alone * 0.7))


def _sample(one: Column) -> Iterator[tuple[int, str]]:
    return zip(one.rows[:_TRIED], one.texts, strict=False)


def _has_several(one: Column, parts: Iterable[Column]) -> bool:
    """Tell whether several others are in some of its texts, without which it can't be made of them."""
    found = 0
    for part in parts:
        if part is not one and any(_are_in(part, one)):
            found += 1
            if found > 1:
                return True
    return False


def _are_in(part: Column, one: Column) -> Iterable[bool]:
    if part.rows is one.rows:
        return map(operator.contains, one.texts[:_TRIED], part.texts)
    texts = dict(_sample(one))
    return (text in texts[row] for row, text in _sample(part) if row in texts)


def _are_made(tried: Sequence[tuple[Collection[str], str]], least: float) -> bool:
    """Tell whether more texts than so many are made of others, without a look at those that can't change it."""
    left = len(tried)
    for said, text in tried:
        if not is_made_of(text, said):
            left -= 1
        if left <= least:
            break
    return left > least


def _is_beside(one: Column, others: Sequence[Column]) -> bool:
    """Tell whether it is what stands before brackets or in them, or on one side of a dash: no text is only that."""
    if one.key.endswith(_BESIDE):
        return True
    whole, _, place = one.key.rpartition("/")
    if one.kind != "part" or not place.isdecimal():
        return False
    texts = next((other.texts for other in others if other.key == whole), [])
    return not any(map(_LISTED.search, texts[:_TRIED]))


def is_made_of(text: str, others: Collection[str]) -> bool:
    """Tell whether a text is little more than several of the others."""
    if len(text) > _COMPOSITE:
        return False
    parts = {other for other in others if len(other) < len(text) and other in text}
    is_made = len(parts) > 1 and sum(map(len, parts)) > len(text) / 2
    return is_made and not _MEASURED.fullmatch(text) and date_in(text) != text
