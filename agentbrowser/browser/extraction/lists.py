"""Lists: the items of a plan, typed."""

import statistics
from collections.abc import Sequence
from typing import Any, Final

import attrs

from agentbrowser.browser.extraction.plans import Plan
from agentbrowser.browser.extraction.typed import Reader
from agentbrowser.browser.extraction.wishes import Wish
from agentbrowser.browser.extraction.words import words

_TOTALS: Final = frozenset(("total", "subtotal", "tax", "shipping"))


Cell = tuple[tuple[str | int, ...], int, str]
"""Where in its item a value is, the number of its element, and what was read there."""
_Value = tuple[Any, int, str]
"""A value with the number of its element, and what was read there."""


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
    values: dict[int, dict[int, list[_Value]]] = {}
    for place, (wish, series, _) in enumerate(plan_.paired):
        read = Reader(wish, series).read
        for row, text, spot in zip(series.rows, series.texts, series.spots, strict=True):
            if (value := read(text)) is not None:
                values.setdefault(row, {}).setdefault(place, []).append((value, spot, text))
    _fill_absent(plan_, values)
    required = {wish.path for wish, _, _ in plan_.pairs if wish.is_required}
    made = [_item(row, values[row], wishes, required) for row in sorted(values)]
    return _without_strays(made, [len(values[row]) for row in sorted(values)], plan_)


def _fill_absent(plan_: Plan, values: dict[int, dict[int, list[_Value]]]) -> None:
    """Take a mark that some rows have, and others not, for yes and no."""
    for place, (wish, series, _) in enumerate(plan_.paired):
        if wish.type != "boolean" or series.kind == "checked" or len(series.rows) == series.total:
            continue
        said = {value for row in values.values() for value, _, _ in row.get(place, [])}
        if len(said) == 1:
            for row in values.values():
                row.setdefault(place, [(not next(iter(said)), -1, "")])


def _item(row: int, found: dict[int, list[_Value]], wishes: Sequence[Wish], required: set[tuple[str, ...]]) -> Item:
    data: Any = {}
    cells: list[Cell] = []
    for place in sorted(found):
        wish, given = wishes[place], found[place]
        if wish.is_many:
            put(data, wish.path, [value for value, _, _ in given])
            cells += [((*wish.path, at), spot, text) for at, (_, spot, text) in enumerate(given)]
            continue
        value, spot, text = given[0]
        if wish.path:
            put(data, wish.path, value)
        else:
            data, cells = value, []
        if spot >= 0:
            cells.append((wish.path, spot, text))
    return Item(row, data, cells, required <= {wishes[place].path for place in found} if required else True)


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
