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
    origins: tuple[Origin, ...]
    is_whole: bool
    """Whether it has every required value."""


def items(plan_: Plan) -> list[Item]:
    """Return the items of a plan, typed; rows that hold hardly anything are left out."""
    readers = [(wish, series, Reader(wish, series)) for wish, series, _ in plan_.paired]
    values: dict[int, dict[int, list[tuple[Any, Origin]]]] = {}
    for place, (wish, series, reader) in enumerate(readers):
        for row, text, spot in zip(series.rows, series.texts, series.spots, strict=True):
            if (value := reader.read(text)) is not None:
                values.setdefault(row, {}).setdefault(place, []).append((value, Origin(wish.path, spot, text)))
    _fill_absent(plan_, readers, values)
    wishes = [wish for wish, _, _ in plan_.pairs]
    made = [_item(row, values[row], [wish for wish, _, _ in readers], wishes) for row in sorted(values)]
    return _without_strays(made, [len(values[item.row]) for item in made], plan_)


def _fill_absent(plan_: Plan, readers: Sequence[Any], values: dict[int, dict[int, list[tuple[Any, Origin]]]]) -> None:
    """Take a mark that some rows have, and others not, for yes and no."""
    for place, (wish, series, _) in enumerate(readers):
        if wish.type != "boolean" or series.kind == "checked" or len(series.rows) == series.total:
            continue
        said = {value for row in values.values() for value, _ in row.get(place, [])}
        if len(said) == 1:
            for row in values.values():
                row.setdefault(place, [(not next(iter(said)), Origin(wish.path, -1, ""))])


def _item(row: int, found: dict[int, list[tuple[Any, Origin]]], paired: Sequence[Wish], wishes: Sequence[Wish]) -> Item:
    data: Any = {}
    origins: list[Origin] = []
    for place, wish in enumerate(paired):
        if place not in found:
            continue
        given = found[place]
        if wish.is_many:
            put(data, wish.path, [value for value, _ in given])
            origins += [attrs.evolve(origin, path=(*wish.path, at)) for at, (_, origin) in enumerate(given)]
        elif not wish.path:
            data, origins = given[0][0], [given[0][1]]
        else:
            put(data, wish.path, given[0][0])
            origins.append(given[0][1])
    have = {wish.path for place, wish in enumerate(paired) if place in found}
    is_whole = all(wish.path in have for wish in wishes if wish.is_required)
    return Item(row, data, tuple(origin for origin in origins if origin.spot >= 0), is_whole)


def origins(shown: Sequence[Item], path: tuple[str | int, ...]) -> tuple[Origin, ...]:
    """Return where the values of items are from that stand in a list at a path."""
    return tuple(
        attrs.evolve(origin, path=(*path, at, *origin.path)) for at, item in enumerate(shown) for origin in item.origins
    )


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
    if count >= usual or not item.origins:
        return False
    first = words(item.origins[0].text)
    return bool(first.all) and len(first.all) <= 3 and all(word.concepts & _TOTALS for word in first.all)
