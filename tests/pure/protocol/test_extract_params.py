"""Bounds of the schema of agent/extract."""

from typing import Any

import pytest

from agentbrowser.methods.agent_extract import ExtractParams
from agentbrowser.protocol.codec import structure_params
from agentbrowser.protocol.errors import InvalidParams

TEXT = {"type": "string"}


def schema(count: int, **inner: Any) -> dict[str, Any]:
    """Return a schema with that many properties, in objects of 50."""
    names = [f"p{number}" for number in range(count)]
    groups = [names[start : start + 50] for start in range(0, count, 50)]
    properties = {
        f"g{group[0]}": {"type": "object", "properties": dict.fromkeys(group[1:], TEXT | inner)} for group in groups
    }
    return {"type": "object", "properties": properties}


def check(schema: dict[str, Any]) -> None:
    ExtractParams.check_size({"schema": schema})
    structure_params(ExtractParams, {"schema": schema}).check()


@pytest.mark.parametrize(
    ("given", "path", "expected"),
    [
        (schema(202), "schema", "at most 200 properties in all"),
        (schema(200, description="a" * 100), "schema", "at most 20000 bytes as JSON"),
        (schema(2, description="a" * 501), "schema.properties.gp0.properties.p1.description", "at most 500 characters"),
        ({"type": "array", "items": schema(202)}, "schema", "at most 200 properties in all"),
        (
            {"type": "object", "properties": dict.fromkeys(map(str, range(61)), TEXT)},
            "schema",
            "at most 60",
        ),
    ],
)
def test_a_schema_beyond_its_bounds_is_refused(given: dict[str, Any], path: str, expected: str) -> None:
    with pytest.raises(InvalidParams) as refused:
        check(given)
    assert (refused.value.details["path"], refused.value.details["expected"]) == (path, expected)


def test_a_schema_at_its_bounds_is_accepted() -> None:
    check(schema(200, description="a" * 50))
    check(schema(2, description="a" * 500))
