"""Copies of examples that request what their page lacks.

The tasks of a page ask mostly for what it holds, so that a fit to them alone learns to fill every field. A copy lacks
one value that the task requests, and requests fields of other tasks that the page has no value for. A stranger is a
page with the query of another.
"""

import random
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import attrs

from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.page_data import PageData
from agentbrowser.extraction.match.column_fit import name_similarity, value_similarity
from agentbrowser.extraction.match.form_evidence import form_evidence
from agentbrowser.extraction.schema.schema_fields import SchemaField, interned, subject_of
from agentbrowser.extraction.text.numerals import Mark, numbers_in, stars
from bench.examples import Example, at
from bench.fitting import SEEDS
from bench.fitting.tables import Asked

_COPY_WEIGHS: Final = 0.6
"""Weight of a copy; that of a page is 1."""
_STRANGER_WEIGHS: Final = 0.3
"""Weight of a page with the query of another."""
_STRANGE: Final = 0.34
"""Greatest share of the fields of such a query that the page may have."""
_ADDED: Final = 2
"""Number of fields of other tasks in a copy."""
_TRIED: Final = 12
_NAMED: Final = 0.4
"""Similarity of a name above which a page may have a field."""
_HELD: Final = 0.5
"""Least share of a column's texts that contain a value, for a column of these values."""
_SAMPLE: Final = 24
_SHORT: Final = 2
"""Length of the longest text that too much else contains."""
_MARKS: Final[tuple[Mark, ...]] = (".", ",")
_OF_ELEMENT: Final = ("datetime", "content", "title", "value", "alt", "data-")
"""Kinds of values in attributes, which repeat their element's text in another form."""


def with_copies(found: Sequence[Example]) -> list[Asked]:
    """Return examples with their copies and with strangers."""
    asked = [Asked(one, 1.0, is_own=True) for one in found]
    asked += [Asked(one, _COPY_WEIGHS) for one in copies(found)]
    return asked + [Asked(one, _STRANGER_WEIGHS) for one in strangers(found)]


def copies(found: Sequence[Example]) -> list[Example]:
    """Return a copy of each example that has properties, alike in each fit."""
    dice = random.Random(SEEDS["absent"])
    pool = [
        field
        for one in found
        for field in one.query.fields
        if field.path and not (field.is_many or field.outer or one.query.item.type != "object")
    ]
    return [copy for one in found if (copy := _copy(one, pool, dice)) is not None]


def strangers(found: Sequence[Example]) -> list[Example]:
    """Return pages of lists with the query of another page, whose items they lack: the right answer is none."""
    dice = random.Random(SEEDS["absent"])
    lists = [one for one in found if one.query.is_list and one.query.item.type == "object" and one.query.fields]
    pairs = [(one, dice.choice(lists)) for one in lists]
    return [
        attrs.evolve(one, query=other.query, data=[])
        for one, other in pairs
        if one.page != other.page and _is_strange(one, other)
    ]


def _is_strange(example: Example, other: Example) -> bool:
    """Return True if a page has hardly any of the fields of another page's query."""
    known = {concept for field in example.query.fields for concept in field.concepts | field.name.concepts}
    columns = [column for one in example.gathered for column in _columns(one, is_list=True)]
    fields = other.query.fields
    there = [
        field
        for field in fields
        if not known.isdisjoint(field.concepts | field.name.concepts) or any(_may_be(field, one) for one in columns)
    ]
    return len(there) <= _STRANGE * len(fields)


def _copy(example: Example, pool: Sequence[SchemaField], dice: random.Random) -> Example | None:
    fields = list(example.query.fields)
    if example.query.item.type != "object" or not fields:
        return None
    items = example.data if example.query.is_list else [example.data]
    removed = _removed(fields, items, dice)
    gathered, data = example.gathered, example.data
    if removed is not None:
        values = [value for item in items if (value := at(item, removed.path)) is not None]
        gathered = [_without_values(one, values) for one in gathered]
        without = [_without(item, removed.path) for item in items]
        data = without if example.query.is_list else without[0]
        fields[fields.index(removed)] = interned(attrs.evolve(removed, is_required=False))
    columns = [column for one in gathered for column in _columns(one, is_list=example.query.is_list)]
    for field in _foreign(fields, pool, columns, dice):
        fields.insert(dice.randrange(len(fields) + 1), field)
    if len(fields) == len(example.query.fields) and removed is None:
        return None
    return Example(example.page, attrs.evolve(example.query, fields=fields), gathered, data)


def _removed(fields: Sequence[SchemaField], items: Sequence[Any], dice: random.Random) -> SchemaField | None:
    """Return a field whose values a copy lacks: not the items' name, and not the only field."""
    present = [field for field in fields if any(at(item, field.path) is not None for item in items)]
    subject = fields[subject_of(fields)]
    # Stars are in classes and in labels for screen readers, too, which would stay.
    options = [
        one
        for one in present
        if not (one is subject or one.is_many or one.type == "boolean" or "rating" in one.concepts)
    ]
    return dice.choice(options) if options and len(present) > 1 else None


def _without(item: Any, path: Sequence[str]) -> Any:
    """Return an item without the value at a path."""
    if not isinstance(item, dict) or path[0] not in item:
        return item
    rest = {key: value for key, value in item.items() if key != path[0]}
    inner = _without(item[path[0]], path[1:]) if len(path) > 1 else None
    return rest if not inner else {**rest, path[0]: inner}


def _without_values(gathered: dict[str, Any], values: Sequence[Any]) -> dict[str, Any]:
    """Return a copy of gathered data without the columns and the facts of some values."""
    held = _Values(values)

    def kept(columns: Sequence[dict[str, Any]], name: str = "texts", place: str = "spots") -> list[dict[str, Any]]:
        lists = [
            (column[name], column[place]) if name == "texts" else ([column[name]], [column[place]])
            for column in columns
        ]
        holding = [held.are_in(texts) for texts, _ in lists]
        gone = {
            spot for (_, spots), is_held in zip(lists, holding, strict=True) if is_held for spot in spots if spot >= 0
        }
        return [
            column
            for column, (_, spots), is_held in zip(columns, lists, holding, strict=True)
            if not (is_held or (column["kind"].startswith(_OF_ELEMENT) and not gone.isdisjoint(spots)))
        ]

    return {
        **gathered,
        "groups": [{**group, "columns": kept(group["columns"])} for group in gathered["groups"]],
        "sets": [{**one, "columns": kept(one["columns"])} for one in gathered["sets"]],
        "facts": kept(gathered["facts"], "text", "spot"),
        "meta": [fact for fact in gathered["meta"] if not held.are_in([fact["text"]])],
        "embedded": [one for one in gathered["embedded"] if not any(str(value) in one["text"] for value in values)],
    }


class _Values:
    """Values that are looked for in texts."""

    def __init__(self, values: Sequence[Any]) -> None:
        self.numbers = {float(value) for value in values if isinstance(value, int | float)}
        self.texts = {_squashed(value) for value in values if isinstance(value, str)}
        longer = sorted(text for text in self.texts if len(text) > _SHORT)
        self.pattern = re.compile("|".join(map(re.escape, longer))) if longer else None
        self.known: dict[str, bool] = {}

    def are_in(self, texts: Sequence[str]) -> bool:
        """Return True if half of the texts contain one of the values."""
        sample = texts[:_SAMPLE]
        return sum(map(self._is_in, sample)) >= max(1, _HELD * len(sample))

    def _is_in(self, text: str) -> bool:
        if (known := self.known.get(text)) is None:
            known = self.known[text] = self._holds(text)
        return known

    def _holds(self, text: str) -> bool:
        if self.numbers:
            found = {number.value for mark in _MARKS for number in numbers_in(text, mark)}
            return not self.numbers.isdisjoint(found) or stars(text) in self.numbers
        there = _squashed(text)
        return there in self.texts or (self.pattern is not None and self.pattern.search(there) is not None)


def _squashed(text: str) -> str:
    return " ".join(text.split()).casefold()


def _columns(gathered: dict[str, Any], *, is_list: bool) -> Iterator[Column]:
    page = PageData.of(gathered)
    yield from (column for group in page.groups for column in group.columns) if is_list else page.facts


def _foreign(
    fields: Sequence[SchemaField], pool: Sequence[SchemaField], columns: Sequence[Column], dice: random.Random
) -> Iterator[SchemaField]:
    """Yield fields of other tasks that a page has no value for."""
    known = {concept for field in fields for concept in field.concepts | field.name.concepts}
    names = {field.plain_name for field in fields}
    left = _ADDED
    for field in (dice.choice(pool) for _ in range(_TRIED)):
        is_known = field.plain_name in names or not known.isdisjoint(field.concepts | field.name.concepts)
        if left and not (is_known or any(_may_be(field, column) for column in columns)):
            left -= 1
            names.add(field.plain_name)
            known |= field.concepts
            yield interned(attrs.evolve(field, is_required=False, is_subject=False))


def _may_be(field: SchemaField, column: Column) -> bool:
    """Return True if a column may be a field's: by its names, or by its form, unless it has the name of another."""
    name = name_similarity(field, column, column.best_names)
    if field.type == "boolean":
        name = max(name, value_similarity(field, column))
    is_otherwise = any(phrase.concepts for phrase in column.plain_names)
    return name > _NAMED or (not is_otherwise and form_evidence(field, column) >= 1)
