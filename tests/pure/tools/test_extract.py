"""browser_extract: its result names the fields for which the page has no value."""

from collections.abc import Mapping
from typing import Any

import attrs
import pytest
import trio

from agentbrowser import tools
from agentbrowser.tools import looks


@attrs.define(eq=False)
class Extractor:
    """Client of a server with one result of agent/extract."""

    result: Mapping[str, Any]

    @property
    def connection(self) -> "Extractor":
        return self

    async def subscribe(self, names: object) -> None:
        """Subscribe to nothing."""

    async def request(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        return {"success": True, "confidence": 0.5, **self.result} if method == "agent/extract" else {}


def notes(arguments: Mapping[str, Any], result: Mapping[str, Any]) -> str:
    async def run() -> tools.ToolResult:
        return await tools.run(Extractor(result), "browser_extract", arguments)

    return trio.run(run).text.split("\n")[-1]


@pytest.mark.parametrize(
    ("data", "fields", "expected"),
    [
        ({"subject": "Report"}, {}, '(confidence 0.50, not found: "total", "cc")'),
        ({"subject": "Report", "total": 0, "cc": None}, {}, "(confidence 0.50)"),
        (
            {"subject": "Report", "total": 1},
            {"cc": {"confidence": 0.2, "withheld": True}},
            '(confidence 0.50, left out as doubtful: "cc")',
        ),
    ],
)
def test_fields_of_a_record_that_are_not_found_are_named(
    data: dict[str, Any], fields: dict[str, Any], expected: str
) -> None:
    assert notes({"fields": ["subject", "total: number", "cc"]}, {"data": data, "fields": fields}) == expected


def test_a_field_that_is_given_twice_is_refused() -> None:
    assert notes({"fields": ["price: number", "price"]}, {"data": {}}) == 'InvalidParams: "price" is given twice.'


def test_fields_that_some_or_all_items_of_a_list_lack_are_named() -> None:
    items = [{"name": "Ada", "login": "2026-01-05"}, {"name": "Eve"}, {"name": "Cy"}]
    asked = {"fields": ["name", "login", "phone"], "list": "users"}
    expected = '(3 items, confidence 0.50, not found: "phone", missing: "login" in 2)'
    assert notes(asked, {"data": items}) == expected
    assert notes(asked, {"data": []}) == "(0 items, confidence 0.50)"


def test_a_field_may_hold_a_list() -> None:
    assert looks._field("labels: list") == ("labels", {"type": "array", "items": {"type": "string"}})
