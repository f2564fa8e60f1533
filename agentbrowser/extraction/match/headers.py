"""Headers of a table that are exactly a field's name: these decide, whatever the values look like."""

from collections.abc import Sequence
from typing import Final

import attrs

from agentbrowser.extraction.caching import memoize
from agentbrowser.extraction.columns.column import Column, Group
from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.text.words import likeness, words

_HEADLESS: Final = frozenset(("table", "rows", "repeat"))
_MIN_HEADERS: Final = 2
_SAME: Final = 0.93
"""Least similarity of a name without a value that is the field's own, as synonyms have."""
_NAMED: Final = 0.5
"""Least share of the fields that a row of headers names."""


def is_headed(field: SchemaField, column: Column) -> bool:
    """Return True if the header of a column is exactly the field's name."""
    return bool(column.heads) and _name(field) in (_folded(" ".join(column.heads)), _folded(column.heads[-1]))


def is_unfilled(field: SchemaField, names: Sequence[str], *, is_named: bool) -> bool:
    """Return True if the page has the field's name, with nothing under or behind it: the value is none.

    Args:
      names: the names without values.
      is_named: True if a value of the page has exactly the field's name.
    """
    return not is_named and any(likeness(field.name, words(name)) >= _SAME for name in names)


def with_headers(group: Group, fields: Sequence[SchemaField]) -> Group:
    """Return a group whose first row, if it is exactly the fields' names, has become its headers."""
    if group.kind not in _HEADLESS or group.total < _MIN_HEADERS or any(column.heads for column in group.columns):
        return group
    first = [
        column.texts[0] if column.rows and column.rows[0] == 0 and not column.is_many else ""
        for column in group.columns
    ]
    names = {_name(field) for field in fields}
    found = {text for text in map(_folded, filter(None, first)) if text in names}
    if len(found) < _MIN_HEADERS or len(found) < _NAMED * len(names):
        return group
    places = {row: row - 1 for row in range(1, group.total)}
    columns = [
        attrs.evolve(without_rows(column, places), heads=[text] if text else [])
        for column, text in zip(group.columns, first, strict=True)
    ]
    return attrs.evolve(group, total=group.total - 1, columns=[column for column in columns if column.rows])


def without_rows(column: Column, places: dict[int, int]) -> Column:
    """Return a column with only some rows, at new places."""
    kept = [at for at, row in enumerate(column.rows) if row in places]
    return attrs.evolve(
        column,
        total=len(places),
        rows=[places[column.rows[at]] for at in kept],
        texts=[column.texts[at] for at in kept],
        spots=[column.spots[at] for at in kept],
        twins=[[spots[at] for at in kept] for spots in column.twins],
    )


def _name(field: SchemaField) -> str:
    """Return the folded name of a field, with the name of its object."""
    outer = "".join(word.stem for word in field.outer.all) if field.outer else ""
    return outer + _folded(field.plain_name)


@memoize
def _folded(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))
