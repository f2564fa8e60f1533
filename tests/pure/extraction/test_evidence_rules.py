"""Evidence against a value: its form or its label means another property."""

from collections.abc import Sequence
from typing import Any

import attrs
import pytest

from agentbrowser.extraction.columns.column import Column, Group
from agentbrowser.extraction.columns.page_names import Hint, Markup, PageLabel, Relation
from agentbrowser.extraction.match.candidate_columns import candidates_of
from agentbrowser.extraction.match.column_fit import form_likelihood, name_similarity
from agentbrowser.extraction.match.evidence import CLEAR_LEAD
from agentbrowser.extraction.match.field_names import FieldNames, name_match
from agentbrowser.extraction.match.form_evidence import contradicts, form_evidence, is_for_contact
from agentbrowser.extraction.match.headers import names_another
from agentbrowser.extraction.match.match_matrix import GroupMatch
from agentbrowser.extraction.match.pair_features import column_options
from agentbrowser.extraction.match.text_fit import NEVER
from agentbrowser.extraction.output.doubts import lead_of
from agentbrowser.extraction.schema.schema_fields import SchemaField, extraction_query
from agentbrowser.protocol.types.extract import ExtractionSchema


def field(name: str, kind: Any = "string") -> SchemaField:
    """Return the field of a schema with one property."""
    schema = ExtractionSchema(type="object", properties={name: ExtractionSchema(type=kind)})
    return extraction_query(schema, None, None).fields[0]


def values(*texts: str, label: str = "") -> Column:
    """Return a column with one value per row, each beside the label."""
    rows = list(range(len(texts)))
    labels = {PageLabel(Relation.NAME, label): len(texts)} if label else {}
    return Column("a", "text", "span", len(texts), rows, list(texts), rows, labels=labels)


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("gtin", ("HGK-0900-MB", "HGK-0901-MB")),
        ("vin", ("03/2021", "11/2022")),
        ("isbn", ("2nd ed.", "3rd ed.")),
        ("applicationDeadline", ("2 days ago", "5 days ago")),
    ],
)
def test_values_in_an_impossible_form_are_none_of_the_field(name: str, texts: tuple[str, ...]) -> None:
    assert contradicts(field(name), values(*texts, label=name))


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("gtin", ("4006381333931", "0 12345 67890 5")),
        ("vin", ("WVWZZZ1JZXW000001",)),
        ("isbn", ("978-3-16-148410-0", "0-907555-41-X")),
        ("applicationDeadline", ("2 May 2025", "in 3 days")),
        ("sku", ("HGK-0900-MB",)),
    ],
)
def test_values_in_a_possible_form_are_not_excluded(name: str, texts: tuple[str, ...]) -> None:
    assert not contradicts(field(name), values(*texts))


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("dueDate", ("Milestone v4.3", "Milestone v4.4")),
        ("roomNumber", ("12 m²", "19 m²")),
        ("articleNumber", ("Sofort lieferbar", "Ausverkauft")),
        ("material", ("Delayed", "Cancelled")),
    ],
)
def test_the_form_of_another_property_is_evidence_against_a_value(name: str, texts: tuple[str, ...]) -> None:
    assert form_evidence(field(name), values(*texts)) == -1


@pytest.mark.parametrize(("name", "texts"), [("status", ("Delayed", "Cancelled")), ("dueDate", ("3 May 2025",))])
def test_the_form_of_the_property_is_no_evidence_against_it(name: str, texts: tuple[str, ...]) -> None:
    assert form_evidence(field(name), values(*texts)) >= 0


@pytest.mark.parametrize(
    ("name", "label", "texts"),
    [
        ("closingDate", "Posted", ("2 May 2025", "28 April 2025")),
        ("assignee", "Author", ("mpetrov", "anwen")),
        ("material", "Status", ("Boarding", "Gate open")),
        ("author", "City", ("Fulda", "Gera")),
        ("phone", "Fax", ("0391 555-2200", "0391 555-2201")),
    ],
)
def test_a_label_of_another_property_excludes_its_values(name: str, label: str, texts: tuple[str, ...]) -> None:
    column = values(*texts, label=label)
    assert names_another(field(name), column, name_similarity(field(name), column, column.best_names))


def test_a_class_that_fits_does_not_outweigh_the_label_of_another_person() -> None:
    column = attrs.evolve(values("dana.p", "mwekesa", label="Assignee"), hints=[Hint(Markup.CLASS, "user")])
    assert name_similarity(field("reporter"), column, column.best_names) >= 0.5
    assert names_another(field("reporter"), column, 0.64)


def test_a_number_behind_the_word_for_fax_is_no_phone() -> None:
    labels = {PageLabel(Relation.BEFORE, "Depotstraße 17 · Fax"): 1}
    column = Column("a", "part", "p", 1, [0], ["0555 20 48-19"], [7], labels=labels)
    assert names_another(field("phone"), column, 0.1)
    assert not names_another(field("fax"), column, 0.7)
    both = attrs.evolve(column, labels={PageLabel(Relation.BEFORE, "Telefon / Fax"): 1})
    assert not names_another(field("phone"), both, 0.7)


@pytest.mark.parametrize(
    ("name", "label", "texts"),
    [
        ("date", "Start", ("2 May 2025", "28 April 2025")),
        ("played", "P", ("14", "14")),
        ("assignee", "Assigned to", ("mpetrov", "anwen")),
        ("url", "Topic", ("https://forum.example/1", "https://forum.example/2")),
    ],
)
def test_a_label_that_may_mean_the_property_excludes_nothing(name: str, label: str, texts: tuple[str, ...]) -> None:
    column = values(*texts, label=label)
    assert not names_another(field(name), column, name_similarity(field(name), column, column.best_names))


@pytest.mark.parametrize("name", ["email", "phone", "contactEmail", "phoneNumber", "telefon", "emailAddress"])
def test_a_field_for_an_address_or_a_number_is_for_contact(name: str) -> None:
    assert is_for_contact(field(name))


@pytest.mark.parametrize("name", ["contact", "address", "authorEmail", "salesPhone", "emailCount"])
def test_a_field_for_one_person_or_for_more_is_not_for_contact_alone(name: str) -> None:
    assert not is_for_contact(field(name))


@pytest.mark.parametrize(("label", "is_near"), [("Website", True), ("Links", False)])
def test_a_heading_of_a_sidebar_names_its_value_only_as_the_field_does(label: str, is_near: bool) -> None:
    labels = {PageLabel(Relation.HEADING, label): 1}
    column = Column("a", "text", "a", 1, [0], ["fenline.example"], [7], labels=labels, is_aside=True)
    assert bool(name_match(FieldNames(field("website")), column).near) is is_near


def under(head: str, *texts: str, kind: str = "text", key: str = "col0 whole") -> Column:
    """Return a column of a table, under a header."""
    rows = list(range(len(texts)))
    return Column(key, kind, "td", len(texts), rows, list(texts), rows, heads=[head], order=int(key[3]))


def options(names: list[str], *columns: Column) -> list[set[int]]:
    """Return the places of the columns that each text field may have."""
    fields = [field(name) for name in names]
    candidates = candidates_of(Group(kind="table", total=len(columns[0].texts), columns=list(columns)), 60, fields)
    return [{option.place for option in row} for row in column_options(fields, candidates)]


@pytest.mark.parametrize(
    ("name", "texts"),
    [("site", ("Kreekrak", "Slaak")), ("cover", ("Buildings", "Contents")), ("tag", ("latest", "next"))],
)
def test_a_header_that_is_exactly_the_name_of_a_text_goes_before_the_form_of_its_other_meanings(
    name: str, texts: tuple[str, ...]
) -> None:
    assert options([name], under(name.title(), *texts)) == [{0}]
    assert options([name], under("Remark", *texts)) == [set()]


def test_links_under_the_header_of_another_field_may_be_the_addresses_of_the_items() -> None:
    texts = under("Version", "5.2.1", "5.2.0")
    links = under("Version", "https://a.example/5.2.1", "https://a.example/5.2.0", kind="href", key="col0>a href")
    assert options(["version", "url"], texts, links) == [{0}, {1}]


def test_an_address_whose_name_tells_of_an_edit_is_no_date() -> None:
    links = under("Code", "https://a.example/51/change/", "https://a.example/52/change/", kind="href")
    assert options(["editUrl"], links) == [{0}]


def test_the_first_column_may_name_the_items_under_any_header_and_another_column_may_not() -> None:
    first, second = (
        under("Surcharge", "Remote area", "Oversize"),
        under("Status", "Charged once", "Waived", key="col1 whole"),
    )
    assert options(["name"], first, second) == [{0}]


def test_a_part_of_a_cell_does_not_have_the_header_of_the_cell_as_its_name() -> None:
    cells = under("Result", "11.4 g/dL", "35.2 %")
    units = under("Result", "g/dL", "%", key="col0>i text")
    assert options(["unit"], cells, units) == [{1}]
    assert options(["unit"], under("Result", "g/dL", "%")) == [set()]


REVIEWS = (
    "Bought it for a kitchen with rough tiles. It does its work well.",
    "Worked well until the clip broke, then no more.",
)


def test_sentences_are_no_places() -> None:
    location = attrs.evolve(field("reviewerLocation"), is_subject=False)
    assert form_likelihood(location, values(*REVIEWS)) == NEVER
    assert form_likelihood(location, values("Leeds", "Hull")) > NEVER


def test_a_place_is_no_department() -> None:
    team = attrs.evolve(field("team"), is_subject=False)
    places = form_likelihood(team, values("Lisbon, Portugal", "Porto, Portugal"))
    assert places < form_likelihood(team, values("Engineering", "Design"))


def test_the_parts_of_a_list_are_no_rivals_of_it() -> None:
    def match(score: float, total: int, spots: Sequence[int]) -> GroupMatch:
        column = Column("a", "text", "p", total, list(range(len(spots))), ["x"] * len(spots), list(spots))
        return GroupMatch(Group(kind="repeat", total=total, columns=[column]), ((field("title"), column, 0.8),), score)

    best, first_of_each, others = match(9.0, 6, range(6)), match(8.5, 2, (0, 3)), match(7.0, 3, (10, 11, 12))
    assert lead_of([best, first_of_each]) == CLEAR_LEAD
    assert lead_of([best, first_of_each, others]) == 2.0
    assert lead_of([best, match(8.0, 12, range(6))]) == 1.0, "one with more items is no part"
