"""Values in sentences: a number needs its unit or its noun, a name its role, beside words of the property."""

from typing import Any

import attrs
import pytest

from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.prose_values import counted_value, prose_of, prose_value
from agentbrowser.extraction.output.fact_values import read_fact
from tests.pure.extraction.test_evidence_rules import field

COUNCIL = (
    "The chair, Edith Farrant, opened the meeting at 7.30 pm. Nine councillors and 14 members of the public were "
    "present. The clerk, Simon Pryor, reported a balance of £18,342.75 in the current account."
)
FERRY = "The company carried 412,300 passengers and 38,900 freight units. Fuel costs fell by 6.4%."
GARAGE = "Seit 1974 verkaufen wir Autos. Auf jedes Auto geben wir 24 Monate Garantie."
CAMPER = "De watertank van 110 liter is in 2023 vernieuwd en de vier banden zijn een jaar oud."
MUSEUM = "The museum opened in 1954 in the former customs house, and moved to the ropeworks in 1988."


def fact(text: str, tag: str = "p", **more: Any) -> Column:
    """Return a text of a page."""
    return Column("fact0", "text", tag, 1, [0], [text], [7], **more)


def told(text: str, name: str, kind: str = "string") -> Any:
    """Return the value that a text has for a property; None without one."""
    asked = field(name, kind)
    found = prose_value(asked, prose_of([fact(text)]))
    return None if found is None else read_fact(asked, found)[0]


@pytest.mark.parametrize(
    ("text", "name", "kind", "value"),
    [
        (FERRY, "passengers", "integer", 412300),
        (GARAGE, "warrantyMonths", "integer", 24),
        (CAMPER, "waterTankLitres", "integer", 110),
        (COUNCIL, "accountBalance", "number", 18342.75),
        (COUNCIL, "chair", "string", "Edith Farrant"),
        (COUNCIL, "clerk", "string", "Simon Pryor"),
        (MUSEUM, "openedIn", "integer", 1954),
    ],
)
def test_values_are_found_in_sentences(text: str, name: str, kind: str, value: Any) -> None:
    assert told(text, name, kind) == value


@pytest.mark.parametrize(
    ("text", "name", "kind", "value"),
    [
        ("A discretionary 12.5% service charge is added to the bill.", "serviceChargePercent", "number", 12.5),
        ("Fine dust rose by 11 per cent over the previous week.", "fineDustIncreasePercent", "number", 11),
        ("The post is permanent, with 37.5 hours a week in two shifts.", "hoursPerWeek", "number", 37.5),
        ("It prints up to 150 labels a minute, with no ink.", "labelsPerMinute", "integer", 150),
        ("The 250-metre track will be built for £14.6 million.", "trackLengthM", "number", 250),
        ("A terraced house built in 1904, with a slate roof.", "yearBuilt", "integer", 1904),
        ("افتتح المركز عام 2009 في حي الشميساني، ويضم 14 عيادة.", "foundedYear", "integer", 2009),
    ],
)
def test_numbers_are_found_by_their_unit_their_rate_or_their_event(text: str, name: str, kind: str, value: Any) -> None:
    assert told(text, name, kind) == value


INTERVIEWS = "Apply online by 23 March 2025. Interviews will be held on 3 April 2025. For a talk, write to Dr Rask."
GATES = "The gates open at 8.35 am and registers close at 8.50 am."
FAIR = "The fair opens on 3 May 2026 and ends on 5 May 2026 in the evening."


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        (INTERVIEWS, "interviewDate", "3 April 2025"),
        (GATES, "gatesOpenTime", "8.35 am"),
        (FAIR, "endDate", "5 May 2026"),
        ("This text was last revised on March 8, 2001.", "revisedDate", "March 8, 2001"),
        ("The doors should open in September 2028, in time for the final.", "opening", "September 2028"),
        ("La nostra carta è scelta da Nives Tomasi, sommelier della casa.", "sommelier", "Nives Tomasi"),
        (INTERVIEWS, "auditDate", None),
        (INTERVIEWS, "date", None),
        (INTERVIEWS, "interviewTime", None),
        (GATES, "gatesDate", None),
        (FAIR, "registrationDate", None),
    ],
)
def test_dates_times_and_names_are_found_beside_words_of_the_property(text: str, name: str, value: str | None) -> None:
    assert told(text, name) == value


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        (COUNCIL, "treasurer", "string"),
        (COUNCIL, "clerkSalary", "number"),
        (COUNCIL, "visitors", "integer"),
        (FERRY, "crewSize", "integer"),
        (FERRY, "dividendPerShare", "number"),
        (GARAGE, "deliveryMonths", "integer"),
        (CAMPER, "fuelTankKg", "number"),
        (MUSEUM, "closedIn", "integer"),
    ],
)
def test_a_number_or_a_name_without_words_of_the_property_is_no_value(text: str, name: str, kind: str) -> None:
    assert told(text, name, kind) is None


def test_a_date_in_words_is_none_where_the_iso_form_is_requested() -> None:
    asked = attrs.evolve(field("interviewDate"), format="date")
    assert prose_value(asked, prose_of([fact(INTERVIEWS)])) is None


def test_lines_of_cards_and_headings_are_no_prose() -> None:
    asked = field("mileageKm", "integer")
    text = "A camper with a mileage of 62.100 km only"
    assert prose_value(asked, prose_of([fact(text)])) is not None
    assert prose_value(asked, prose_of([fact("Heidetrek 590 mileage € 31.750 62.100 km", tag="div")])) is None
    assert not prose_of([fact(text, tag="h2"), fact(text, is_aside=True), fact(text, is_repeated=True)])


def test_two_sentences_with_equal_evidence_give_none() -> None:
    text = "The red boat carried 20 passengers on Monday. The blue boat carried 31 passengers on Friday."
    assert told(text, "passengers", "integer") is None


def counted(name: str, *facts: Column) -> Any:
    """Return the number that texts of a page count something by; None without one."""
    asked = field(name, "integer")
    found = counted_value(asked, facts)
    return None if found is None else read_fact(asked, found)[0]


@pytest.mark.parametrize(
    ("text", "name", "number"),
    [
        ("4.6 out of 5 · 1,287 reviews", "reviewCount", 1287),
        ("312 Bewertungen", "reviewCount", 312),
        ("Folgt: 48 · 2 104 abonnés", "subscriberCount", 2104),
        ("18 comments", "commentCount", 18),
    ],
)
def test_a_number_beside_its_noun_is_a_count(text: str, name: str, number: int) -> None:
    assert counted(name, fact(text, tag="span")) == number


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("18 comments", "reviewCount"),
        ("18 comments", "comments"),
        ("2-5 reviews", "reviewCount"),
        ("4.5 reviews", "reviewCount"),
        ("Reviews", "reviewCount"),
        ("12 reviewers", "reviewCount"),
        (f"{'A long sentence about everything else. ' * 3}It has 12 reviews", "reviewCount"),
    ],
)
def test_a_number_of_something_else_is_no_count(text: str, name: str) -> None:
    assert counted(name, fact(text, tag="span")) is None


def test_two_counts_of_one_thing_give_none() -> None:
    assert counted("reviewCount", fact("12 reviews"), fact("12 reviews")) == 12
    assert counted("reviewCount", fact("12 reviews"), fact("31 reviews")) is None
    assert counted("reviewCount", fact("12 reviews"), fact("31 reviews", is_repeated=True)) == 12
    assert counted("reviewCount", fact("12 reviews", is_aside=True)) is None


def test_a_text_that_ends_with_a_colon_names_a_person_or_a_date_and_is_none() -> None:
    assert read_fact(field("author"), fact("Author:"))[0] is None
    assert read_fact(field("author"), fact("著者："))[0] is None
    assert read_fact(field("publishedDate"), fact("Published:"))[0] is None
    assert read_fact(field("author"), fact("by Ann Ott"))[0] == "Ann Ott"
