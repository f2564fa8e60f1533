"""Evidence against a value: its form or its label means another property."""

from typing import Any

import pytest

from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.match.column_fit import named
from agentbrowser.extraction.match.field_names import FieldNames, name_match
from agentbrowser.extraction.match.form_evidence import contradicts, form_evidence, is_for_contact
from agentbrowser.extraction.match.headers import names_another
from agentbrowser.extraction.schema.schema_fields import SchemaField, extraction_query
from agentbrowser.protocol.types.extract import ExtractionSchema


def field(name: str, kind: Any = "string") -> SchemaField:
    """Return the field of a schema with one property."""
    schema = ExtractionSchema(type="object", properties={name: ExtractionSchema(type=kind)})
    return extraction_query(schema, None, None).fields[0]


def values(*texts: str, label: str = "") -> Column:
    """Return a column with one value per row, each beside the label."""
    rows = list(range(len(texts)))
    labels = {f"k{label}": len(texts)} if label else {}
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
    ],
)
def test_a_label_of_another_property_excludes_its_values(name: str, label: str, texts: tuple[str, ...]) -> None:
    column = values(*texts, label=label)
    assert names_another(field(name), column, named(field(name), column, column.best_names))


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
    assert not names_another(field(name), column, named(field(name), column, column.best_names))


@pytest.mark.parametrize("name", ["email", "phone", "contactEmail", "phoneNumber", "telefon", "emailAddress"])
def test_a_field_for_an_address_or_a_number_is_for_contact(name: str) -> None:
    assert is_for_contact(field(name))


@pytest.mark.parametrize("name", ["contact", "address", "authorEmail", "salesPhone", "emailCount"])
def test_a_field_for_one_person_or_for_more_is_not_for_contact_alone(name: str) -> None:
    assert not is_for_contact(field(name))


@pytest.mark.parametrize(("label", "is_near"), [("Website", True), ("Links", False)])
def test_a_heading_of_a_sidebar_names_its_value_only_as_the_field_does(label: str, is_near: bool) -> None:
    column = Column("a", "text", "a", 1, [0], ["fenline.example"], [7], labels={f"h{label}": 1}, is_aside=True)
    assert bool(name_match(FieldNames(field("website")), column).near) is is_near
