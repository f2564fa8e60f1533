"""Lists: the items of a plan, typed."""

import bisect
import operator
import statistics
from collections.abc import Collection, Sequence
from typing import Any, Final

import attrs

from agentbrowser.browser.extraction.plans import Plan
from agentbrowser.browser.extraction.typed import Reader
from agentbrowser.browser.extraction.wishes import Wish
from agentbrowser.browser.extraction.words import words

_TOTALS: Final = frozenset(("total", "subtotal", "tax", "shipping"))


Cell = tuple[tuple[str | int, ...], int, str]
"""Where in its item a value is, the number of its element, and what was read there."""
_Found = tuple[int, Any, int, str]
"""The place of a wish, a value for it, the number of its element, and what was read there."""


@attrs.frozen
class Origin:
    """Where a value is from: the element by its number, and what was read there."""

    path: tuple[str | int, ...]
    spot: int
    text: str


@attrs.frozen
class Item:
    """One thing of a list."""

    row: int
    data: Any
    cells: Sequence[Cell]
    is_whole: bool
    """Whether it has every required value."""


def items(plan_: Plan) -> list[Item]:
    """Return the items of a plan, typed; rows that hold hardly anything are left out."""
    wishes = [wish for wish, _, _ in plan_.paired]
    rows: dict[int, list[_Found]] = {}
    for place, (wish, series, _) in enumerate(plan_.paired):
        read = Reader(wish, series).all
        for row, text, spot in zip(series.rows, series.texts, series.spots, strict=True):
            for value in read(text):
                rows.setdefault(row, []).append((place, value, spot, text))
    _fill_absent(plan_, rows.values())
    required = {wish.path for wish, _, _ in plan_.pairs if wish.is_required}
    made = [_item(row, rows[row], wishes, required) for row in sorted(rows)]
    return _without_strays(made, [len({one[0] for one in rows[row]}) for row in sorted(rows)], plan_)


def _fill_absent(plan_: Plan, rows: Collection[list[_Found]]) -> None:
    """Take a mark that some rows have, and others not, for yes and no."""
    for place, (wish, series, _) in enumerate(plan_.paired):
        if wish.type != "boolean" or series.kind == "checked" or len(series.rows) == series.total:
            continue
        said = {value for row in rows for at, value, _, _ in row if at == place}
        if len(said) == 1:
            for row in rows:
                if all(at != place for at, _, _, _ in row):
                    bisect.insort(row, (place, not next(iter(said)), -1, ""), key=operator.itemgetter(0))


def _item(row: int, found: list[_Found], wishes: Sequence[Wish], required: set[tuple[str, ...]]) -> Item:
    data: Any = {}
    cells: list[Cell] = []
    several: list[Any] = []
    last = -1
    for place, value, spot, text in found:
        wish = wishes[place]
        path = wish.path
        if wish.is_many:
            if place != last:
                several = []
                put(data, path, several)
            cells.append(((*path, len(several)), spot, text))
            several.append(value)
        elif place != last:
            if path:
                put(data, path, value)
            else:
                data, cells = value, []
            if spot >= 0:
                cells.append((path, spot, text))
        last = place
    return Item(row, data, cells, required <= {wishes[place].path for place, _, _, _ in found} if required else True)


def origins(shown: Sequence[Item], path: tuple[str | int, ...]) -> list[Origin]:
    """Return where the values of items are from that stand in a list at a path."""
    return [
        Origin((*path, at, *inner), spot, text) for at, item in enumerate(shown) for inner, spot, text in item.cells
    ]


def put(data: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    """Put a value where its path leads, making the objects on the way."""
    for step in path[:-1]:
        data = data.setdefault(step, {})
    data[path[-1]] = value


def _without_strays(made: list[Item], counts: list[int], plan_: Plan) -> list[Item]:
    if len(made) < 3:
        return made
    usual = statistics.median(counts)
    least = usual * 0.4 if len(plan_.pairs) > 2 else 0
    return [
        item for item, count in zip(made, counts, strict=True) if count >= least and not _is_total(item, count, usual)
    ]


def _is_total(item: Item, count: int, usual: float) -> bool:
    if count >= usual or not item.cells:
        return False
    first = words(item.cells[0][2])
    return bool(first.all) and len(first.all) <= 3 and all(word.concepts & _TOTALS for word in first.all)
