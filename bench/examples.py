"""Examples for fitting: the development half of the corpus as gathered in a browser, with the right data."""

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

import attrs

from agentbrowser.browser import extraction
from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.page_data import PageData
from agentbrowser.extraction.columns.value_reader import Reader
from agentbrowser.extraction.match.group_matches import without_excluded
from agentbrowser.extraction.match.match_matrix import GroupMatch, MatchMatrix
from agentbrowser.extraction.output.extraction import Extraction
from agentbrowser.extraction.output.items import items_of
from agentbrowser.extraction.schema.schema_fields import ExtractionQuery, SchemaField
from agentbrowser.extraction.schema.topics import QueryTopic
from bench.extract import measure
from bench.field_scores import agreement, leaves

_GOOD: Final = 0.5
_AS_GOOD: Final = 0.85
_MOST: Final = 3
_WRONG: Final = 0.05
_MOST_WRONG: Final = 4
_SERVED: Final = re.compile(r"127\.0\.0\.1:\d+")
_ADDRESS: Final = "127.0.0.1:40000"
"""Address of the corpus in every fit."""


@attrs.frozen(eq=False)
class Example:
    """One task: its query, the data gathered from its page and frames, and the right answer."""

    page: str
    query: ExtractionQuery
    gathered: Sequence[dict[str, Any]]
    data: Any


@attrs.frozen(eq=False)
class ListExample:
    """One requested list, and the groups that may hold it."""

    page: str
    fields: Sequence[SchemaField]
    topic: QueryTopic
    data: Sequence[Any]
    matrices: Sequence[MatchMatrix]
    good: Sequence[int]
    """Places of the matrices whose groups hold it."""
    wrong: Sequence[int]
    """Places of some whose groups hold nothing of it."""


async def examples(part: str = "dev") -> list[Example]:
    """Gather every page of a part of the corpus, and the frames in each."""
    found: list[Example] = []
    taken: list[tuple[ExtractionQuery, dict[str, Any]]] = []
    match = extraction._match

    def record(
        query: ExtractionQuery, gathered: dict[str, Any], max_items: int, offset: int, min_confidence: float
    ) -> Extraction:
        _fix_address(gathered)
        taken.append((query, gathered))
        return Extraction(why_not="Only gathered, so that every frame is looked at.")

    def keep(page: str, data: Any) -> None:
        if taken:
            found.append(Example(page, taken[0][0], [gathered for _, gathered in taken], data))
        taken.clear()

    extraction._match = record
    try:
        await measure(part, few=False, only=None, watch=keep)
    finally:
        extraction._match = match
    return found


def _fix_address(gathered: Any) -> None:
    """Replace the address of the corpus in all texts: its port is another one in each run."""
    seen: set[int] = set()  # lists are shared, and compared by identity
    waiting = [gathered]
    while waiting:
        container = waiting.pop()
        if id(container) in seen:
            continue
        seen.add(id(container))
        for key, value in container.items() if isinstance(container, dict) else enumerate(container):
            if isinstance(value, str):
                container[key] = _SERVED.sub(_ADDRESS, value)
            elif isinstance(value, dict | list):
                waiting.append(value)


def without_names(gathered: dict[str, Any], kept: float, dice: random.Random) -> dict[str, Any]:
    """Return a copy without a part of the names of values."""
    if kept >= 1:
        return gathered

    def some(items: list[Any]) -> list[Any]:
        return [item for item in items if dice.random() < kept]

    def column(plain: dict[str, Any]) -> dict[str, Any]:
        heads = plain["heads"] if dice.random() < kept else []
        return {**plain, "hints": some(plain["hints"]), "labels": some(plain["labels"]), "heads": heads}

    groups = [{**group, "columns": list(map(column, group["columns"]))} for group in gathered["groups"]]
    facts = [{**fact, "hints": some(fact["hints"]), "labels": some(fact["labels"])} for fact in gathered["facts"]]
    return {**gathered, "groups": groups, "facts": facts, "meta": some(gathered["meta"])}


def _requested_lists(example: Example) -> Iterator[tuple[Sequence[SchemaField], QueryTopic, Sequence[Any]]]:
    """Yield the lists of objects that an example requests, with their right items."""
    query, data = example.query, example.data
    if query.is_list:
        if query.item.type == "object":
            yield query.fields, query.topic, data
        return
    for inner in query.lists:
        held = at(data, inner.path)
        if held:
            yield inner.fields, inner.topic, held


def list_examples(example: Example, kept: float, dice: random.Random) -> Iterator[ListExample]:
    """Yield the lists of an example with the groups of its page, without a part of the names."""
    materials = [PageData.of(without_names(gathered, kept, dice)) for gathered in example.gathered]
    groups = [group for material in materials for group in material.groups if group.total > 0]
    for fields, topic, data in _requested_lists(example):
        matrices = [MatchMatrix.of(fields, group) for group in without_excluded(groups, topic)]
        fits = [_reach(matrix, data) if matrix.group.total > 1 else 0.0 for matrix in matrices]
        most = max(fits, default=0.0)
        good = [at for at, fit in enumerate(fits) if fit >= max(_GOOD, _AS_GOOD * most)]
        wrong = [at for at, fit in enumerate(fits) if fit < _WRONG and matrices[at].group.total > 1]
        good = sorted(good, key=lambda at: -fits[at])[:_MOST]
        yield ListExample(example.page, fields, topic, data, matrices, good, wrong[:_MOST_WRONG])


def f1_of(group_match: GroupMatch, data: Sequence[Any]) -> float:
    """Return the F1 of the values of a group match."""
    got = items_of(group_match).whole.data
    size = leaves(got) + leaves(data)
    return 2 * agreement(data, got) / size if size else 1.0


def requested_values(field: SchemaField, data: Sequence[Any]) -> "Counter[Any]":
    """Return the right values of a field, regardless of their items."""
    held = [value for item in data if (value := at(item, field.path)) is not None]
    return Counter(plain(one) for value in held for one in (value if isinstance(value, list) else [value]))


def values_of(field: SchemaField, column: Column) -> "Counter[Any]":
    """Return the values of a column for a field, regardless of their rows."""
    reader = Reader(field, column)
    return Counter(plain(value) for text in column.texts for value in reader.all(text))


def f1_of_values(right: "Counter[Any]", got: "Counter[Any]") -> float:
    """Return the F1 of values regardless of their places."""
    size = right.total() + got.total()
    return 2 * (right & got).total() / size if right and got else float(size == 0)


def _reach(matrix: MatchMatrix, data: Sequence[Any]) -> float:
    """Return the F1 of the best possible choice of a group's columns."""
    pairs: list[tuple[SchemaField, Column | None, float]] = []
    for field, options in zip(matrix.fields, matrix.rows, strict=True):
        right = requested_values(field, data)
        columns = [option.candidate.column for option in options]
        fits = [(f1_of_values(right, values_of(field, column)), column) for column in columns]
        fit, column = max(fits, key=lambda one: one[0], default=(0.0, None))
        pairs.append((field, column if fit and right else None, fit))
    group_match = GroupMatch(matrix.group, tuple(pairs), 0.0)
    return f1_of(group_match, data) if group_match.paired else 0.0


def at(data: Any, path: Sequence[str]) -> Any:
    """Return the value at a path of the data; None if there is none."""
    for step in path:
        data = data.get(step) if isinstance(data, dict) else None
    return data


def plain(value: Any) -> Any:
    """Return a canonical form of a value, equal for values that count as the same."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return round(float(value), 6) if isinstance(value, int | float) else " ".join(str(value).split())
