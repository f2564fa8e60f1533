"""Copies of examples that lack a requested value: a fit learns from them to give none."""

from typing import Any

from agentbrowser.extraction.schema.schema_fields import extraction_query
from agentbrowser.protocol.types.extract import ExtractionSchema
from bench.examples import Example, at
from bench.fitting import absent
from tests.pure.extraction.test_choices import column

_ITEMS: list[dict[str, Any]] = [
    {"name": "Ash Spade", "price": 39.0, "brand": "Holt"},
    {"name": "Copper Trowel", "price": 24.5, "brand": "Ohm"},
]


def _example(schema: dict[str, str], columns: list[dict[str, Any]], data: list[dict[str, Any]]) -> Example:
    properties = {name: ExtractionSchema(type=kind) for name, kind in schema.items()}  # type: ignore[arg-type]
    items = ExtractionSchema(type="object", properties=properties)
    query = extraction_query(ExtractionSchema(type="array", items=items), None, None)
    group = {"kind": "repeat", "rows": len(data), "columns": columns, "context": [], "isAside": False}
    gathered = {"groups": [group], "facts": [], "meta": [], "sets": [], "embedded": [], "language": "en"}
    return Example("page", query, [gathered], data)


_SHOP = _example(
    {"name": "string", "price": "number", "brand": "string"},
    [
        {**column("name", [one["name"] for one in _ITEMS]), "spots": [1, 11]},
        {**column("price", ["$39.00", "$24.50"]), "spots": [2, 12], "labels": [["kPrice", 2]]},
        {**column("brand", [one["brand"] for one in _ITEMS]), "spots": [3, 13], "labels": [["kBrand", 2]]},
        {**column("title", ["by Holt", "by Ohm"]), "kind": "title", "spots": [3, 13]},
    ],
    _ITEMS,
)
_CLUB = _example({"member": "string", "joined": "string", "email": "string"}, [column("a", ["Ann", "Bob"])], [{}, {}])


def _copy() -> Example:
    return next(one for one in absent.copies([_SHOP, _CLUB]) if one.data and at(one.data[0], ("name",)))


def test_a_copy_lacks_the_columns_and_the_data_of_one_field() -> None:
    copy = _copy()
    (removed,) = {"price", "brand"} - copy.data[0].keys()
    texts = [text for one in copy.gathered[0]["groups"][0]["columns"] for text in one["texts"]]
    value = str(_ITEMS[0][removed]).removesuffix(".0")
    assert not any(value in text for text in texts)
    assert "Ash Spade" in texts
    assert removed in {field.path[0] for field in copy.query.fields}
    assert len(_SHOP.gathered[0]["groups"][0]["columns"]) == 4, "the page itself is unchanged"


def test_a_copy_requests_fields_of_other_tasks_that_the_page_lacks() -> None:
    names = {field.path[0] for field in _copy().query.fields}
    assert names > {"name", "price", "brand"}
    assert not any(one.is_required for one in _copy().query.fields)


def test_no_field_is_added_that_the_page_has_under_another_name() -> None:
    cost = _example({"cost": "number", "maker": "string"}, [column("a", ["x"])], [{}])
    assert {field.path[0] for field in absent.copies([_SHOP, cost])[0].query.fields} == {"name", "price", "brand"}


def test_copies_are_the_same_in_each_fit() -> None:
    one, other = absent.copies([_SHOP, _CLUB]), absent.copies([_SHOP, _CLUB])
    assert [copy.data for copy in one] == [copy.data for copy in other]
    assert [[field.path for field in copy.query.fields] for copy in one] == [
        [field.path for field in copy.query.fields] for copy in other
    ]
