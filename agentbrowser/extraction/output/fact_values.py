"""Typed values of facts, and their origins."""

from collections.abc import Sequence
from typing import Any

import attrs

from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.value_reader import Reader, parted
from agentbrowser.extraction.schema.schema_fields import SchemaField


@attrs.frozen
class Origin:
    """Origin of a value: the number of its element, and the text there."""

    path: tuple[str | int, ...]
    spot: int
    text: str


def read_fact(field: SchemaField, fact: Column) -> tuple[Any, list[Origin]]:
    """Return the value of a fact for a field, with its origins; None if the text has none."""
    reader = Reader(field, fact)
    values = [
        (value, spot, text)
        for text, spot in zip(fact.texts, fact.spots, strict=True)
        if (value := reader.read(text)) is not None
    ]
    if not values:
        return None, []
    if field.is_many:
        is_alone = len(values) < 2
        found = [
            (part, spot, text) for value, spot, text in values for part in (parted(value) if is_alone else [value])
        ]
        return [part for part, _, _ in found], [
            Origin((*field.path, at), spot, text) for at, (_, spot, text) in enumerate(found)
        ]
    value, spot, text = values[0]
    return value, [Origin(field.path, spot, text)]


def read_facts(field: SchemaField, facts: Sequence[Column]) -> tuple[list[Any], list[Origin]]:
    """Return the values of several facts as one list, with their origins."""
    found = [(value, fact) for fact in facts if (value := Reader(field, fact).read(fact.texts[0])) is not None]
    origins = [Origin((*field.path, at), fact.spots[0], fact.texts[0]) for at, (_, fact) in enumerate(found)]
    return [value for value, _ in found], origins
