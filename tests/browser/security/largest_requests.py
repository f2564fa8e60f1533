"""The largest requests that each method accepts, made from the schemas of its params."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from agentbrowser.methods import EVENTS, METHODS
from agentbrowser.protocol.codec import structure_params
from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.jsonschema import Schema
from agentbrowser.protocol.openrpc import document

SAMPLES = json.loads((Path(__file__).parents[2] / "pure" / "messages.json").read_text(encoding="utf-8"))
LENGTH = 5_000_000
ITEMS = 60_000
SHARED = ("pageId", "contextId")
"""Params that all methods of a kind handle in the same way: one method of each kind is tried."""

Place = tuple[str, ...]
Make = Callable[[Any], Any]
LARGEST: tuple[tuple[Any, ...], ...] = (
    ("x" * LENGTH, "http://a.test/" + "x" * LENGTH, "A" * LENGTH),  # the last one is base64
    (["x"] * ITEMS,),
    ({f"x{number}": "x" for number in range(ITEMS)},),
)
"""Values of each type for a place, of which the first one that it accepts is tried."""


class ParamSchemas:
    """Schemas of the params of all methods, and valid values for them."""

    def __init__(self) -> None:
        described = document(METHODS, EVENTS, "")
        self._definitions: dict[str, Schema] = described["components"]["schemas"]
        self._params: dict[str, Schema] = {one["name"]: one["x-params"] for one in described["methods"]}

    def base(self, name: str) -> dict[str, Any] | None:
        """Return small params that a method accepts, with a short timeout; None if no sample is known."""
        of = f"params of {name}"
        samples = [one["value"] for one in SAMPLES if one["of"] == of and one["good"]]
        return next((one for one in (self._least(self._params[name]), *samples) if accepts(name, one)), None)

    def places(self, name: str) -> Iterator[tuple[Place, Make]]:
        """Yield the places in a method's params that may hold a text, a list or an object of any size."""
        base = self.base(name) or {}
        for place, make in self._places(self._params[name], ()):
            if place:
                yield place, lambda value, make=make: {**base, **make(value)}  # type: ignore[misc]

    def _resolved(self, schema: Schema) -> Schema:
        while "$ref" in schema:
            schema = self._definitions[schema["$ref"].rpartition("/")[2]]
        return schema

    def _least(self, schema: Schema) -> Any:
        schema = self._resolved(schema)
        for several in ("anyOf", "oneOf"):
            if several in schema and "properties" not in schema:
                return self._least(schema[several][0])
        if "const" in schema or "enum" in schema:
            return schema["const"] if "const" in schema else schema["enum"][0]
        match schema.get("type"):
            case "object":
                return {name: self._least(schema["properties"][name]) for name in self._needed(schema)}
            case "array":
                return [self._least(schema["items"])] * schema.get("minItems", 0)
            case "integer" | "number":
                return max(schema.get("minimum", 1), 1)
            case "boolean":
                return True
        return "http://a.test/" if schema.get("format") == "uri" else "x" * schema.get("minLength", 1)

    def _needed(self, schema: Schema) -> list[str]:
        """Return the required properties, and those with a timeout: without one, a request takes long."""
        properties = schema.get("properties", {})
        limited = [
            name for name in ("options",) if "timeout" in self._resolved(properties.get(name, {})).get("properties", {})
        ]
        either = schema.get("anyOf", [{"required": []}])[0]["required"]
        return [*schema.get("required", ()), *either, *limited, *(["timeout"] if "timeout" in properties else [])]

    def _places(self, schema: Schema, above: tuple[str, ...]) -> Iterator[tuple[Place, Make]]:
        if (name := schema.get("$ref", "")) in above:  # a class that contains itself
            return
        schema, above = self._resolved(schema), (*above, name)
        if schema.get("type") in ("integer", "number", "boolean", "null") or "enum" in schema or "const" in schema:
            return
        yield (), lambda value: value
        for part in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
            if "required" not in part or "properties" in part:
                yield from self._places(part, above)
        if "items" in schema:
            for place, make in self._places(schema["items"], above):
                yield ("[]", *place), lambda value, make=make: [make(value)]  # type: ignore[misc]
        if isinstance(more := schema.get("additionalProperties"), dict):
            for place, make in self._places(more, above):
                yield ("{}", *place), lambda value, make=make: {"x": make(value)}  # type: ignore[misc]
        least = self._least(schema) if "properties" in schema else {}
        for key, part in schema.get("properties", {}).items():
            for place, make in self._places(part, above):
                yield (key, *place), lambda value, make=make, key=key: {**least, key: make(value)}  # type: ignore[misc]


def accepts(name: str, params: Any) -> bool:
    """Return True if a method accepts params, as far as they are checked before its handler."""
    try:
        checked = structure_params(METHODS[name].params, params)
        if hasattr(checked, "check"):
            checked.check()
    except AgentBrowserError:
        return False
    return True


def largest_requests() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield requests with the largest value at each place in the params of any method that accepts it."""
    schemas, seen = ParamSchemas(), set[tuple[str, Place, int]]()
    for name in sorted(METHODS):
        for place, make in schemas.places(name):
            subject = type(METHODS[name]).__name__ if place[0] in SHARED else name
            for number, values in enumerate(LARGEST):
                if (subject, place, number) in seen:
                    continue
                accepted = (params for value in values if accepts(name, params := make(value)))
                if (params := next(accepted, None)) is not None:
                    seen.add((subject, place, number))
                    yield name, params
