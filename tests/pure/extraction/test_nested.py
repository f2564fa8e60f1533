"""Nested lists: assignment of the rows of one group to the rows of another."""

from typing import Any

import attrs

from agentbrowser.extraction.columns.column import Group
from agentbrowser.extraction.columns.page_data import PageData
from agentbrowser.extraction.extract import extract
from agentbrowser.extraction.match.group_matches import match_groups
from agentbrowser.extraction.output.nested import nested
from agentbrowser.extraction.schema.schema_fields import extraction_query
from agentbrowser.protocol.types.extract import ExtractionSchema
from tests.pure.extraction.test_choices import Placed, group_at

TEXT = ExtractionSchema(type="string")
DISH = ExtractionSchema(
    type="object",
    properties={"name": ExtractionSchema(type="string"), "price": ExtractionSchema(type="number")},
    required=["price"],
)
COURSE = ExtractionSchema(
    type="object",
    properties={"course": ExtractionSchema(type="string"), "dishes": ExtractionSchema(type="array", items=DISH)},
    required=["course"],
)


def courses_at(*columns: Placed) -> Group:
    """Return a group whose first column has the header "Course"."""
    group = group_at(*columns)
    group.columns[0].heads = ["Course"]
    return group


COURSES = courses_at(("course", ["Starters", "Mains"], [10, 100]), ("wine", ["Riesling", "Merlot"], [50, 150]))
DISHES = [
    ("name", ["Carrot Soup", "Beet Salad", "Lamb Stew"], [20, 30, 110]),
    ("price", ["$4.50", "$6.00", "$12.00"], [21, 31, 111]),
]


def read(*groups: Group, course: ExtractionSchema = COURSE) -> Any:
    schema = ExtractionSchema(type="array", items=course)
    return extract(extraction_query(schema, None, None), PageData(groups=list(groups), facts=[], sets=[]), max_items=10)


def test_each_item_has_the_list_inside_it() -> None:
    found = read(COURSES, group_at(*DISHES))
    assert found.data == [
        {
            "course": "Starters",
            "dishes": [{"name": "Carrot Soup", "price": 4.5}, {"name": "Beet Salad", "price": 6}],
        },
        {"course": "Mains", "dishes": [{"name": "Lamb Stew", "price": 12}]},
    ]
    paths = {origin.path: origin.spot for origin in found.origins}
    assert paths[1, "dishes", 0, "price"] == 111
    assert paths[0, "course"] == 10


def test_each_item_has_the_list_after_it() -> None:
    heads = group_at(("course", ["Starters", "Mains"], [10, 100]), ("time", ["18:00", "19:30"], [11, 101]))
    assert [len(one["dishes"]) for one in read(heads, group_at(*DISHES)).data] == [2, 1]


def test_a_list_elsewhere_is_in_no_item() -> None:
    others = [(key, texts, [spot + 500 for spot in spots]) for key, texts, spots in DISHES]
    assert not any("dishes" in one for one in read(COURSES, group_at(*others)).data)


def test_items_that_hold_the_requested_list_go_before_a_better_flat_list() -> None:
    query = extraction_query(ExtractionSchema(type="array", items=COURSE), None, None)
    flat = group_at(("course", ["Starters", "Carrot Soup", "Beet Salad", "Mains", "Lamb Stew"], [10, 20, 30, 100, 110]))
    groups = [COURSES, flat, group_at(*DISHES)]
    (better,) = match_groups(query.fields, [flat], query.topic)
    (outer,) = match_groups(query.fields, [COURSES], query.topic)
    better.score = outer.score + 100
    best, nests = nested(query.lists, [better, outer], groups)
    assert best == [outer, better]
    assert [len(set(nest.owners.values())) for nest in nests] == [2]


def test_items_are_not_inside_themselves() -> None:
    query = extraction_query(ExtractionSchema(type="array", items=COURSE), None, None)
    outer = match_groups(query.fields, [COURSES], query.topic)
    assert nested(query.lists, outer, [COURSES]) == (outer, [])


def test_an_item_without_a_required_list_is_dropped() -> None:
    courses = courses_at(
        ("course", ["Starters", "Mains", "Sweets"], [10, 100, 200]),
        ("wine", ["Riesling", "Merlot", "Port"], [50, 150, 250]),
    )
    found = read(courses, group_at(*DISHES), course=attrs.evolve(COURSE, required=["course", "dishes"]))
    assert [one["course"] for one in found.data] == ["Starters", "Mains"]
    assert found.dropped == 1


def test_a_required_list_in_an_optional_object_is_optional() -> None:
    dishes = ExtractionSchema(type="array", items=ExtractionSchema(type="object", properties={"dish": TEXT}))
    menu = ExtractionSchema(type="object", properties={"dishes": dishes}, required=["dishes"])
    optional = ExtractionSchema(type="object", properties={"title": TEXT, "menu": menu})
    assert [one.is_required for one in extraction_query(optional, None, None).lists] == [False]
    assert [
        one.is_required for one in extraction_query(attrs.evolve(optional, required=["menu"]), None, None).lists
    ] == [True]
