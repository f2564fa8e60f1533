"""Matching of groups and columns with a schema, and the solvers for its weights."""

from typing import Any

import pytest

from agentbrowser.extraction.columns.column import Group
from agentbrowser.extraction.columns.page_data import groups_of
from agentbrowser.extraction.columns.page_names import PageLabel, Relation
from agentbrowser.extraction.match import match_matrix
from agentbrowser.extraction.match.group_matches import match_groups
from agentbrowser.extraction.match.match_matrix import MatchMatrix
from agentbrowser.extraction.match.pair_features import bounded
from agentbrowser.extraction.match.score_bounds import bounds_of
from agentbrowser.extraction.model.features import PAIR, WEIGHT_TABLES
from agentbrowser.extraction.model.weights import WEIGHTS, added, weighed
from agentbrowser.extraction.output.items import items_of
from agentbrowser.extraction.schema.schema_fields import SchemaField, extraction_query
from agentbrowser.extraction.schema.topics import QueryTopic
from agentbrowser.protocol.types.extract import ExtractionSchema
from bench.fitting.solver import Choice, best, chosen, likely

Column = tuple[str, list[str]]
Placed = tuple[str, list[str], list[int]]


def group(*columns: Column, kind: str = "repeat", context: tuple[str, ...] = (), spot: int = 0) -> Group:
    """Return a group of columns, each a key with one text per row; an empty text is no value."""
    placed = [
        (key, texts, [spot + 100 * row + place for row in range(len(texts))])
        for place, (key, texts) in enumerate(columns)
    ]
    return group_at(*placed, kind=kind, context=context)


def group_at(*columns: Placed, kind: str = "repeat", context: tuple[str, ...] = ()) -> Group:
    """Return a group of columns with the numbers of their elements."""
    rows = len(columns[0][1])
    said = [
        {**column(key, texts), "spots": [spots[row] for row in range(rows) if texts[row]]}
        for key, texts, spots in columns
    ]
    plain = {"kind": kind, "rows": rows, "columns": said, "context": list(context), "isAside": False}
    return groups_of([plain])[0]


def column(key: str, texts: list[str]) -> dict[str, Any]:
    """Return a column in the form of the in-page script, with one text per row; an empty text is no value."""
    rows = [row for row, text in enumerate(texts) if text]
    return {
        "key": key,
        "kind": "part" if ":" in key else "text",
        "tag": "span",
        "hints": [],
        "labels": [],
        "heads": [],
        "isMany": False,
        "rows": rows,
        "texts": [text for text in texts if text],
        "spots": rows,
    }


def read(schema: dict[str, str], *groups: Group, about: str = "") -> list[dict[str, object]]:
    """Return the items of the best match for properties of the given types."""
    properties = {name: ExtractionSchema(type=kind) for name, kind in schema.items()}  # type: ignore[arg-type]
    wanted = extraction_query(
        ExtractionSchema(type="array", items=ExtractionSchema(type="object", properties=properties)), None, None
    )
    ranked = match_groups(list(wanted.fields), list(groups), QueryTopic.of(about))
    return list(items_of(ranked[0]).data) if ranked else []


NAMES = ["Ash Spade", "Copper Trowel", "Birch Rake"]
PRICES = ["$39.00", "$24.50", "$18.00"]
PRODUCT = ExtractionSchema(
    type="object", properties={"name": ExtractionSchema(type="string"), "price": ExtractionSchema(type="number")}
)


def test_no_fields_match_no_group() -> None:
    """A query may consist of nested lists only, which are matched by themselves."""
    assert read({}, group(("a", PRICES), ("b", NAMES))) == []


def test_values_are_assigned_by_their_written_form() -> None:
    things = group(("a", PRICES), ("b", NAMES), ("c", ["3 May 2024", "4 May 2024", "9 June 2024"]))
    assert read({"name": "string", "price": "number", "date": "string"}, things)[0] == {
        "name": "Ash Spade",
        "price": 39,
        "date": "3 May 2024",
    }


def test_unnamed_values_are_assigned_in_the_order_of_the_schema_or_not_at_all() -> None:
    things = group(("a", NAMES), ("b", ["oak", "tin", "ash"]), ("c", ["York", "Gotland", "Lund"]))
    found = read({"title": "string", "substance": "string", "provenience": "string"}, things)
    expected = {"title": "Copper Trowel", "substance": "tin", "provenience": "Gotland"}
    assert found[1]["title"] == "Copper Trowel"
    assert found[1].items() <= expected.items()


def test_both_ends_of_a_span_are_read() -> None:
    jobs = group(("a", NAMES), ("b", ["£70,000 – £85,000", "£48,000 – £56,000", "£26,000 – £29,000"]))
    found = read({"name": "string", "salaryMin": "number", "salaryMax": "number"}, jobs)
    assert found[0] == {"name": "Ash Spade", "salaryMin": 70000, "salaryMax": 85000}


def test_a_span_is_one_value_without_fields_for_its_ends() -> None:
    terms = group(
        ("a", NAMES), ("b", ["12.01.2026 – 27.03.2026", "20.04.2026 – 03.07.2026", "07.09.2026 – 18.12.2026"])
    )
    assert read({"name": "string", "dates": "string"}, terms)[0]["dates"] == "12.01.2026 – 27.03.2026"


def test_a_badge_with_the_name_of_a_field_means_yes_and_no_badge_means_no() -> None:
    posts = group(("a", NAMES), ("b", ["", "Members only", ""]))
    found = read({"name": "string", "membersOnly": "boolean"}, posts)
    assert [one["membersOnly"] for one in found] == [False, True, False]


def test_a_sale_badge_beside_sold_out_does_not_change_the_stock() -> None:
    goods = group(("a", [*NAMES, "Oak Dibber"]), ("b", [*PRICES, "$9.00"]), ("c", ["Sale", "Sold out", "", "Sale"]))
    found = read({"name": "string", "price": "number", "inStock": "boolean"}, goods)
    assert [one["inStock"] for one in found] == [True, False, True, True]


def test_a_plain_word_is_never_read_as_a_date() -> None:
    things = group(("a", NAMES), ("b", PRICES), ("c", ["oak", "tin", "elm"]))
    found = read({"name": "string", "price": "number", "date": "string"}, things)
    assert found[0] == {"name": "Ash Spade", "price": 39}


def test_a_separator_between_values_is_not_a_value() -> None:
    teams = group(("a", ["Harrow", "Ashby", "Lund"]), ("b", ["v", "v", "v"]), ("c", ["Quarry", "Fleet", "Moor"]))
    assert read({"first": "string", "second": "string"}, teams)[0] == {"first": "Harrow", "second": "Quarry"}


def test_the_group_whose_values_fit_wins() -> None:
    menu = group(("a", ["Shop", "Help", "About"]), ("b", ["new", "old", "odd"]))
    things = group(("a", NAMES), ("b", PRICES), spot=1000)
    assert [one["price"] for one in read({"name": "string", "price": "number"}, menu, things)] == [39, 24.5, 18]


def test_of_two_equal_groups_the_one_with_the_requested_name_wins() -> None:
    first = group(("a", NAMES), ("b", PRICES), context=("hNew arrivals",))
    second = group(("a", ["Elm Bowl", "Oak Cup"]), ("b", ["$5.00", "$6.00"]), context=("hRecently viewed",), spot=1000)
    found = read({"name": "string", "price": "number"}, first, second, about="recently viewed products")
    assert [one["name"] for one in found] == ["Elm Bowl", "Oak Cup"]


def test_the_group_with_more_rows_wins_over_a_part_of_it() -> None:
    part = group(("a", NAMES[:2]), ("b", PRICES[:2]))
    assert len(read({"name": "string", "price": "number"}, part, group(("a", NAMES), ("b", PRICES)))) == 3


def test_the_union_wins_over_parts_unless_one_part_is_named() -> None:
    names, prices = ["Ash Spade", "Copper Trowel", "Birch Rake", "Elm Hoe"], ["$39.00", "$24.50", "$18.00", "$21.00"]
    spots = [[100 * row + place for row in range(4)] for place in range(2)]
    parts = [
        group_at(("a", names[rows], spots[0][rows]), ("b", prices[rows], spots[1][rows]), context=(f"h{title}",))
        for title, rows in (("Best tools", slice(2)), ("Other tools", slice(2, 4)))
    ]
    whole = group_at(("a", names, spots[0]), ("b", prices, spots[1]))
    schema = {"name": "string", "price": "number"}
    assert len(read(schema, *parts, whole, about="all tools, best and other")) == 4
    assert len(read(schema, *parts, whole, about="the other tools")) == 2


@pytest.mark.parametrize(("head", "has_price"), [("Weight", False), ("No", True)])
def test_a_column_with_the_name_of_something_else_is_no_value(head: str, has_price: bool) -> None:
    fields = extraction_query(ExtractionSchema(type="array", items=PRODUCT), None, None).fields
    things = group(("a", NAMES), ("b", PRICES))
    things.columns[1].heads = [head]
    (_, _, _), (price, column, _) = match_groups(list(fields), [things], QueryTopic.of())[0].pairs
    assert (price.path, column is not None) == (("price",), has_price)


@pytest.mark.parametrize(("name", "said"), [("soldOut", [True, False]), ("available", [False, True])])
def test_a_negative_field_negates_the_value(name: str, said: list[bool]) -> None:
    things = group(("a", NAMES[:2]), ("b", ["Sold out", "In stock"]))
    assert [one[name] for one in read({"name": "string", name: "boolean"}, things)] == said


def test_a_date_and_a_time_in_one_text_are_split_for_two_fields() -> None:
    things = group(("a", NAMES), ("b", ["2 May 2024 at 19:30", "9 May 2024 at 20:00", "16 May 2024 at 9:15"]))
    (first, *_) = read({"name": "string", "startDate": "string", "startTime": "string"}, things)
    assert first == {"name": "Ash Spade", "startDate": "2 May 2024", "startTime": "19:30"}
    (first, *_) = read({"name": "string", "date": "string"}, things)
    assert first["date"] == "2 May 2024 at 19:30"


def test_columns_that_differ_by_the_form_of_their_label_are_merged() -> None:
    said = [
        ("b text:Author", ["Ann Lee", "", ""]),
        ("b text:Authors", ["", "Bob Ash", ""]),
        ("b text:author", ["", "", "Cid Dew"]),
    ]
    things = groups_of(
        [{"kind": "repeat", "rows": 3, "columns": [column(*one) for one in said], "context": [], "isAside": False}]
    )[0]
    assert [one.texts for one in things.columns if one.key.endswith("+")] == [["Ann Lee", "Bob Ash", "Cid Dew"]]


def test_links_are_labelled_by_their_own_text() -> None:
    said = [column("a text", ["Apply"] * 3), {**column("a href", ["/1", "/2", "/3"]), "kind": "href", "tag": "a"}]
    things = groups_of([{"kind": "repeat", "rows": 3, "columns": said, "context": [], "isAside": False}])[0]
    assert PageLabel(Relation.AFTER, "Apply") in next(one.labels for one in things.columns if one.kind == "href")


def test_an_amount_that_is_a_dash_in_most_rows_is_read() -> None:
    things = group(("a", NAMES), ("price", PRICES), ("refunded", ["—", "$24.50", "—"]))
    said = read({"name": "string", "price": "number", "refunded": "number"}, things)
    assert [one.get("refunded") for one in said] == [None, 24.5, None]


def test_several_values_in_one_text_are_split() -> None:
    properties = {
        "name": ExtractionSchema(type="string"),
        "tags": ExtractionSchema(type="array", items=ExtractionSchema(type="string")),
    }
    schema = ExtractionSchema(type="array", items=ExtractionSchema(type="object", properties=properties))
    things = group(("a", NAMES), ("b", ["garden, ash", "copper", "rake, birch"]))
    things.columns[1].names = [("tags", 1.0)]
    ranked = match_groups(list(extraction_query(schema, None, None).fields), [things], QueryTopic.of(""))
    assert [one["tags"] for one in items_of(ranked[0]).data] == [["garden", "ash"], ["copper"], ["rake", "birch"]]


def full_matrix() -> MatchMatrix:
    """Return a matrix with columns of the right name, of other names, and without names."""
    things = group(
        ("a", NAMES),
        ("price", PRICES),
        ("b", ["4.5 out of 5", "3.9 out of 5", ""]),
        ("c", ["12 May 2024", "3 June 2024", "9 July 2024"]),
        ("d", ["Buy", "Buy", "Buy"]),
        ("e", ["1", "2", "3"]),
        ("f:g", ["ash", "copper", "birch"]),
    )
    things.columns[1].names = [("price", 1.0)]
    things.columns[3].names = [("published", 0.9)]
    kinds = {"name": "string", "price": "number", "rating": "number", "rank": "integer", "date": "string"}
    properties = {name: ExtractionSchema(type=kind) for name, kind in kinds.items()}  # type: ignore[arg-type]
    properties["isNew"] = ExtractionSchema(type="boolean", description="whether it is new or used, as the page says")
    fields: list[SchemaField] = list(
        extraction_query(ExtractionSchema(type="object", properties=properties), None, None).fields
    )
    return MatchMatrix.of(fields, things)


def test_no_score_exceeds_its_bound() -> None:
    matrix = full_matrix()
    bounds = bounds_of(PAIR, WEIGHTS.pair, WEIGHTS.pair_in_context)
    candidate_scores = [bounds.candidate(candidate) for candidate in matrix.candidates]
    for row in matrix.rows:
        for bound, at in bounded(row, bounds, candidate_scores):
            features = row[at].sparse_features
            assert all(
                weights[0] + added(weights, features) <= bound for weights in (WEIGHTS.pair, WEIGHTS.pair_in_context)
            )


def test_skipped_options_would_not_change_the_assignment(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = full_matrix()
    first = quick.first()
    second = quick.second(first)
    monkeypatch.setattr(match_matrix, "bounded", lambda row, *_: [(float("inf"), at) for at in range(len(row))])
    whole = full_matrix()
    assert (first, second) == (whole.first(), whole.second(first))


def test_every_table_has_a_weight_for_every_feature() -> None:
    for name, names in WEIGHT_TABLES.items():
        assert len(getattr(WEIGHTS, name)) == len(names) + (name != "type_shape")


def test_features_have_their_weights_in_order() -> None:
    assert weighed((0.5, 2.0, -1.0), (3.0, 4.0)) == 2.5
    with pytest.raises(ValueError, match="weights for"):
        weighed((0.5, 2.0), (3.0, 4.0))


def test_a_choice_is_learnt_from_right_options() -> None:
    rows = ((1.0, 0.0), (0.0, 1.0))
    weights = chosen([Choice(rows, (1.0, 1e-4), 1e-4, 1.0)], (0, 0, 0), decay=1e-3, steps=200)
    assert weighed(weights, rows[0]) > weighed(weights, rows[1]) + 3
    assert chosen([Choice(rows, (1e-4, 1e-4), 1.0, 1.0)], (0, 0, 0), decay=1e-3, steps=200)[0] < 0


def test_shares_are_learnt() -> None:
    rows = [((0.0,), 0.25, 1.0), ((1.0,), 0.75, 1.0)]
    weights = likely(rows, (0, 0), decay=0.0, steps=400)
    assert weights == pytest.approx([-1.0986, 2.1972], abs=0.02)


def test_a_weight_keeps_its_sign() -> None:
    rows = [((0.0,), 0.25, 1.0), ((1.0,), 0.75, 1.0)]
    assert likely(rows, (0, -1), decay=0.0, steps=100)[1] == 0


def test_a_ranking_is_learnt() -> None:
    rows = ((1.0, 0.0), (0.0, 1.0))
    weights = best([Choice(rows, (0.2, 0.9), 0.0, 1.0)], (0, 0, 0), decay=1e-3, steps=100)
    assert weighed(weights, rows[1]) > weighed(weights, rows[0])
