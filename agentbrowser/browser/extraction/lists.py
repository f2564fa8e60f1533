"""Lists: the items of a plan, typed."""

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, Final

import attrs

from agentbrowser.browser.extraction.candidates import Series
from agentbrowser.browser.extraction.lazy import lazy
from agentbrowser.browser.extraction.plans import Plan
from agentbrowser.browser.extraction.typed import Reader
from agentbrowser.browser.extraction.wishes import Wish
from agentbrowser.browser.extraction.words import Words, words

_TOTALS: Final = frozenset(("total", "subtotal", "tax", "shipping"))


Cell = tuple[tuple[str | int, ...], int, str]
"""Where in its item a value is, the number of its element, and what was read there."""


@attrs.frozen
class Origin:
    """Where a value is from: the element by its number, and what was read there."""

    path: tuple[str | int, ...]
    spot: int
    text: str


@attrs.define(slots=False)
class _Column:
    """What the rows have for one wish."""

    wish: Wish
    series: Series
    rows: Sequence[int]
    values: Sequence[Any]
    """The value of each of these rows, or the list of its values."""

    @classmethod
    def of(cls, wish: Wish, series: Series) -> "_Column":
        """Return the values of a series, typed."""
        reader = Reader(wish, series)
        found: dict[int, Any] = {}
        if wish.is_many:
            for row, text in zip(series.rows, series.texts, strict=True):
                if several := reader.all(text):
                    found.setdefault(row, []).extend(several)
        else:
            values = list(map(reader.read, series.texts))
            if not series.is_many and None not in values:
                return cls(wish, series, series.rows, values)
            cells = dict(zip(series.rows, values, strict=True))
            found = {row: value for row, value in cells.items() if value is not None}
        return cls(wish, series, list(found), list(found.values()))

    @lazy
    def _spots(self) -> dict[int, list[tuple[int, str]]]:
        read = Reader(self.wish, self.series).all
        spots: dict[int, list[tuple[int, str]]] = {}
        for row, spot, text in zip(self.series.rows, self.series.spots, self.series.texts, strict=True):
            for _ in read(text):
                spots.setdefault(row, []).append((spot, text))
        return spots

    def cells(self, row: int) -> list[Cell]:
        """Return where in its item each value of a row is, and where it is from."""
        path = self.wish.path
        found = self._spots.get(row, [])
        return [((*path, at) if self.wish.is_many else path, spot, text) for at, (spot, text) in enumerate(found)]

    def fill_absent(self, rows: Sequence[int]) -> None:
        """Take a mark that some rows have, and others not, for yes and no."""
        is_mark = self.wish.type == "boolean" and not self.wish.is_many and self.series.kind != "checked"
        if is_mark and len(self.series.rows) != self.series.total and len(said := set(self.values)) == 1:
            found = dict.fromkeys(rows, not said.pop()) | dict(zip(self.rows, self.values, strict=True))
            self.rows, self.values = list(found), list(found.values())


@attrs.define
class Item:
    """One thing of a list."""

    row: int
    data: Any
    count: int
    """How many of the values that are asked for it has."""
    is_whole: bool
    """Whether it has every required value."""
    columns: Sequence[_Column]
    inner: Sequence[Cell] = ()
    """Where the values of the lists in it are from."""

    @property
    def cells(self) -> list[Cell]:
        """Where its values are from."""
        return [*(cell for column in self.columns for cell in column.cells(self.row)), *self.inner]


def items(plan_: Plan) -> list[Item]:
    """Return the items of a plan, typed; rows that hold hardly anything are left out."""
    columns = [_Column.of(wish, series) for wish, series, _ in plan_.paired]
    rows = sorted(set().union(*[column.rows for column in columns]))
    for column in columns:
        column.fill_absent(rows)
    counts = _counts(rows, columns)
    whole = _whole(rows, columns, plan_)
    data = _data(rows, columns)
    return _without_strays([Item(row, one, counts[row], row in whole, columns) for row, one in data.items()], plan_)


def _counts(rows: Sequence[int], columns: Sequence[_Column]) -> Mapping[int, int]:
    """Return how many of the columns each row is in."""
    if all(len(column.rows) == len(rows) for column in columns):
        return dict.fromkeys(rows, len(columns))
    return Counter(chain.from_iterable(column.rows for column in columns))


def _whole(rows: Sequence[int], columns: Sequence[_Column], plan_: Plan) -> set[int]:
    """Return the rows that have every required value."""
    required = [column.rows for column in columns if column.wish.is_required]
    is_found = len(required) == sum([wish.is_required for wish, _, _ in plan_.pairs])
    return set(rows).intersection(*required) if is_found else set()


def _data(rows: Sequence[int], columns: Sequence[_Column]) -> dict[int, Any]:
    """Return what each row has, as it is asked for."""
    data: dict[int, Any] = {row: {} for row in rows}
    for column in columns:
        path = column.wish.path
        if not path:
            data.update(zip(column.rows, column.values, strict=True))
            continue
        places = data.values() if column.rows == rows else map(data.__getitem__, column.rows)
        *outer, name = path
        for one, value in zip(places, column.values, strict=True):
            if outer:
                put(one, path, value)
            else:
                one[name] = value
    return data


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


def _without_strays(made: list[Item], plan_: Plan) -> list[Item]:
    if len(made) < 3:
        return made
    counts = [item.count for item in made]
    usual = statistics.median(counts)
    if min(counts) == usual:
        return made
    least = usual * 0.4 if len(plan_.pairs) > 2 else 0
    return [item for item in made if item.count >= usual or (item.count >= least and not _is_total(item))]


def _is_total(item: Item) -> bool:
    """Tell whether a row that lacks something says what the others come to."""
    first = words(item.cells[0][2]) if item.cells else Words(())
    return bool(first.all) and len(first.all) <= 3 and all(word.concepts & _TOTALS for word in first.all)
