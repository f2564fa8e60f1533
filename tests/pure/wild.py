"""Values of any type of the protocol, and a judge of plain data by JSON Schema as far as ours goes."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, get_args, get_origin

import attrs
from hypothesis import strategies as st

from agentbrowser.protocol.codec import is_union, wire_fields
from agentbrowser.protocol.types import fields

Strategy = st.SearchStrategy[Any]

_LETTERS = st.characters(exclude_categories=["Cs"])
_WORDS = st.text(_LETTERS, max_size=5)
_COLORS = ("#0af", "#0af8", "#00aaff", "#00aaff88", "Tomato")
_TYPES = {"string": str, "boolean": bool, "array": list, "object": dict}


def values(kind: Any, said: Mapping[str, Any] | None = None) -> Strategy:
    """Return a strategy for the values of a type, within the bounds that its field has."""
    said = said or {}
    low, high = said.get(fields.MINIMUM), said.get(fields.MAXIMUM)
    if kind is Any:
        return st.one_of(st.booleans(), st.integers(-9, 9), _WORDS, st.lists(_WORDS, max_size=2))
    if kind is str and fields.FITS in said:
        return st.sampled_from(_COLORS).filter(said[fields.FITS][1])
    if kind is str:
        pattern = said.get(fields.PATTERN)
        if pattern:  # a pattern alone may allow more than the greatest length
            return st.from_regex(pattern, fullmatch=True).filter(lambda text: high is None or len(text) <= high)
        return st.text(_LETTERS, **_sizes(low, high, 9))
    if kind is int:
        return st.integers(*_span(low, high))
    if kind is float:
        return st.floats(*_span(low, high))
    if kind is bool:
        return st.booleans()
    if kind is type(None):
        return st.none()
    return st.deferred(lambda: instances(kind)) if attrs.has(kind) else _compound(kind, said, low, high)


def _compound(kind: Any, said: Mapping[str, Any], low: Any, high: Any) -> Strategy:
    arguments, origin = get_args(kind), get_origin(kind)
    if is_union(kind):
        return st.one_of([values(member, said) for member in arguments if member is not type(None)])
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin is dict:
        return st.dictionaries(_WORDS, values(arguments[1]), max_size=2)
    assert origin in (list, tuple), kind
    lists = st.lists(values(arguments[0]), **_sizes(low, high, 2))
    return lists.map(tuple) if origin is tuple else lists


def _span(low: Any, high: Any) -> tuple[Any, Any]:
    least = -999 if low is None else low
    return least, least + 9999 if high is None else high


def _sizes(low: Any, high: Any, more: int) -> dict[str, Any]:
    least = int(low or 0)
    return {"min_size": least, "max_size": min(least + more, int(high or 999))}


@cache
def instances(kind: Any) -> Strategy:
    """Return a strategy for the objects of a class, each with some of its optional fields."""
    required: dict[str, Strategy] = {}
    optional: dict[str, Strategy] = {}
    for one in wire_fields(kind).values():
        strategies = required if one.default is attrs.NOTHING else optional
        strategies[str(one.alias)] = values(one.type, one.metadata)
    return st.fixed_dictionaries(required, optional=optional).map(lambda said: kind(**said))


def fits(value: Any, schema: dict[str, Any], document: dict[str, Any]) -> bool:
    """Tell whether plain data is what a schema of the document says."""
    if "$ref" in schema:
        return fits(value, resolve(schema["$ref"], document), document)
    return (
        _has_type(value, schema.get("type"))
        and schema.get("const", value) == value
        and value in schema.get("enum", [value])
        and _is_within(value, schema)
        and all(name in value for name in schema.get("required", ()))
        and ("anyOf" not in schema or any(fits(value, one, document) for one in schema["anyOf"]))
        and ("oneOf" not in schema or sum(fits(value, one, document) for one in schema["oneOf"]) == 1)
        and _parts_fit(value, schema, document)
    )


def resolve(reference: str, document: dict[str, Any]) -> dict[str, Any]:
    """Return what a reference means."""
    schema = document
    for step in reference.removeprefix("#/").split("/"):
        schema = schema[step]
    return schema


def _has_type(value: Any, name: str | None) -> bool:
    if name in ("number", "integer"):
        return type(value) is int or (type(value) is float and (name == "number" or value.is_integer()))
    return name is None or type(value) is _TYPES[name]


def _is_within(value: Any, schema: dict[str, Any]) -> bool:
    number = len(value) if isinstance(value, str | list) else value if isinstance(value, int | float) else 0
    low = next((schema[name] for name in ("minimum", "minLength", "minItems") if name in schema), number)
    high = next((schema[name] for name in ("maximum", "maxLength", "maxItems") if name in schema), number)
    return bool(low <= number <= high) and ("pattern" not in schema or re.search(schema["pattern"], value) is not None)


def _parts_fit(value: Any, schema: dict[str, Any], document: dict[str, Any]) -> bool:
    if isinstance(value, list):
        return all(fits(item, schema.get("items", {}), document) for item in value)
    if not isinstance(value, dict):
        return True
    known, other = schema.get("properties", {}), schema.get("additionalProperties", {})
    return all(
        fits(item, known[name], document) if name in known else other is not False and fits(item, other, document)
        for name, item in value.items()
    )
