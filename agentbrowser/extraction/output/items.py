"""Typed items of a group match."""

import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, compress
from typing import Any, Final

import attrs

from agentbrowser.extraction.caching import cached
from agentbrowser.extraction.columns.column import Column, Group
from agentbrowser.extraction.columns.value_reader import Reader
from agentbrowser.extraction.match.match_matrix import GroupMatch
from agentbrowser.extraction.output.fact_values import Origin
from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.text.truth import is_plain, truth
from agentbrowser.extraction.text.words import Words, words

_STATE: Final = 40
"""Mean length of the longest texts that are states."""
_TOTALS: Final = frozenset(("total", "subtotal", "tax", "shipping"))


Cell = tuple[tuple[str | int, ...], int, str]
"""Path of a value in its item, number of its element, and text there."""


@attrs.define(slots=False)
class _TypedColumn:
    """Typed values of the rows for one field."""

    field: SchemaField
    column: Column
    rows: Sequence[int]
    values: Sequence[Any]
    """Value of each of these rows, or the list of its values."""

    @classmethod
    def of(cls, field: SchemaField, column: Column) -> "_TypedColumn":
        """Return the typed values of a column."""
        reader = Reader(field, column)
        found: dict[int, Any] = {}
        if field.is_many:
            for row, text in zip(column.rows, column.texts, strict=True):
                if parts := reader.all(text):
                    found.setdefault(row, []).extend(parts)
        else:
            values = list(map(reader.read, column.texts))
            # A search for None takes long; mostly all values are truthy.
            if all(values) or None not in values:
                return cls(field, column, column.rows, values)
            found = {row: value for row, value in zip(column.rows, values, strict=True) if value is not None}
        return cls(field, column, list(found), list(found.values()))

    @cached
    def _spots(self) -> dict[int, list[tuple[int, str]]]:
        read = Reader(self.field, self.column).all
        spots: dict[int, list[tuple[int, str]]] = {}
        for row, spot, text in zip(self.column.rows, self.column.spots, self.column.texts, strict=True):
            for _ in read(text):
                spots.setdefault(row, []).append((spot, text))
        return spots

    def cells(self, row: int) -> list[Cell]:
        """Return the path of each value of a row in its item, with its element and text."""
        path = self.field.path
        found = self._spots.get(row, [])
        return [((*path, at) if self.field.is_many else path, spot, text) for at, (spot, text) in enumerate(found)]

    def fill_absent(self, rows: Sequence[int]) -> None:
        """Set the opposite value in rows without a mark, if the rows with one all have the same."""
        is_mark = self.field.type == "boolean" and not self.field.is_many and self.column.kind != "checked"
        if is_mark and len(self.column.rows) != self.column.total and len(values := set(self.values)) == 1:
            found = dict.fromkeys(rows, not values.pop()) | dict(zip(self.rows, self.values, strict=True))
            self.rows, self.values = list(found), list(found.values())

    def override(self, group: Group) -> None:
        """Prefer states and disabled buttons to the names of buttons: "Sold out" beside "Add to cart"."""
        if self.field.type != "boolean" or self.column.kind != "text" or "button" not in self.column.tags:
            return
        states: dict[int, bool] = {}
        for column in group.columns:
            is_state = column.kind == "disabled" or (column.kind == "text" and "button" not in column.tags)
            if is_state and not (column.is_many or column.heads) and column.profile.length < _STATE:
                read = Reader(self.field, column).read
                cells = zip(column.rows, column.texts, strict=True)
                values = {row: read(text) for row, text in cells if truth(text) is not None and not is_plain(text)}
                states |= {row: value for row, value in values.items() if value is not None}
        if states:
            found = dict(zip(self.rows, self.values, strict=True))
            found |= {row: value for row, value in states.items() if row in found}
            self.rows, self.values = list(found), list(found.values())


@attrs.define
class Items:
    """Items of a list, in columns of equal length."""

    rows: Sequence[int]
    data: Sequence[Any]
    counts: Sequence[int]
    """Number of requested values of each."""
    are_whole: Sequence[bool]
    """True for each with every required value."""
    columns: Sequence[_TypedColumn]
    inner: Mapping[int, Sequence[Cell]] = {}
    """Origins of the values of nested lists, by row."""

    @property
    def whole(self) -> "Items":
        """Return the items with every required value."""
        return self.kept(self.are_whole)

    def kept(self, keeps: Sequence[bool]) -> "Items":
        """Return some of the items."""
        return self if all(keeps) else self._of(lambda values: list(compress(values, keeps)))

    def page(self, offset: int, most: int) -> "Items":
        """Return one page of the items."""
        return self if not offset and len(self) <= most else self._of(lambda values: values[offset : offset + most])

    def _of(self, part: Callable[[Sequence[Any]], Sequence[Any]]) -> "Items":
        counts, are_whole = part(self.counts), part(self.are_whole)
        return Items(part(self.rows), part(self.data), counts, are_whole, self.columns, self.inner)

    def __len__(self) -> int:
        return len(self.rows)

    def cells(self, row: int) -> list[Cell]:
        """Return the origins of the values of the item in a row."""
        return [*(cell for column in self.columns for cell in column.cells(row)), *self.inner.get(row, ())]

    def origins(self, path: tuple[str | int, ...]) -> list[Origin]:
        """Return the origins of the values, for a list at a path."""
        return [
            Origin((*path, at, *inner), spot, text)
            for at, row in enumerate(self.rows)
            for inner, spot, text in self.cells(row)
        ]


def items_of(group_match: GroupMatch) -> Items:
    """Return the typed items of a group match, without rows that are nearly empty."""
    columns = [_TypedColumn.of(field, column) for field, column, _ in group_match.paired]
    rows = _rows(columns)
    for column in columns:
        column.fill_absent(rows)
        column.override(group_match.group)
    found = Items(rows, _data(rows, columns), _counts(rows, columns), _are_whole(rows, columns, group_match), columns)
    return _without_strays(found, len(group_match.pairs))


def _rows(columns: Sequence[_TypedColumn]) -> Sequence[int]:
    """Return the rows that any column has; mostly all columns share one list."""
    return sorted(set().union(*{id(column.rows): column.rows for column in columns}.values()))


def _counts(rows: Sequence[int], columns: Sequence[_TypedColumn]) -> Sequence[int]:
    """Return the number of columns with a value in each row."""
    if all(len(column.rows) == len(rows) for column in columns):
        return [len(columns)] * len(rows)
    counts = Counter(chain.from_iterable(column.rows for column in columns))
    return [counts[row] for row in rows]


def _are_whole(rows: Sequence[int], columns: Sequence[_TypedColumn], group_match: GroupMatch) -> Sequence[bool]:
    """Return True for each row with every required value."""
    required = [column.rows for column in columns if column.field.is_required]
    if len(required) < sum([field.is_required for field, _, _ in group_match.pairs]):
        return [False] * len(rows)
    if all(len(found) == len(rows) for found in required):
        return [True] * len(rows)
    whole = set(rows).intersection(*required)
    return [row in whole for row in rows]


def _data(rows: Sequence[int], columns: Sequence[_TypedColumn]) -> Sequence[Any]:
    """Return the data of each row in the form of the schema."""
    data: dict[int, Any] = {row: {} for row in rows}
    for column in columns:
        path = column.field.path
        if not path:
            data.update(zip(column.rows, column.values, strict=True))
            continue
        places = data.values() if column.rows == rows else map(data.__getitem__, column.rows)
        if len(path) == 1:
            (name,) = path
            for item, value in zip(places, column.values, strict=True):
                item[name] = value
        else:
            for item, value in zip(places, column.values, strict=True):
                put_at(item, path, value)
    return list(data.values())


def put_at(data: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    """Put a value at a path, creating the objects on the way."""
    for step in path[:-1]:
        data = data.setdefault(step, {})
    data[path[-1]] = value


def _without_strays(found: Items, requested: int) -> Items:
    """Return the items without rows that are nearly empty, and without totals."""
    if len(found) < 3 or found.counts.count(found.counts[0]) == len(found):
        return found
    usual = statistics.median(found.counts)
    least = usual * 0.4 if requested > 2 else 0
    return found.kept(
        [
            count >= usual or (count >= least and not _is_total(found.cells(row)))
            for row, count in zip(found.rows, found.counts, strict=True)
        ]
    )


def _is_total(cells: Sequence[Cell]) -> bool:
    """Return True if an incomplete row is a total of the others."""
    first = words(cells[0][2]) if cells else Words(())
    return bool(first.all) and len(first.all) <= 3 and all(word.concepts & _TOTALS for word in first.all)
