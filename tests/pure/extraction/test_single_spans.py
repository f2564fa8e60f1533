"""Ends of spans in single objects: a range on the page is two values if the schema has a pair of fields for it."""

from collections.abc import Sequence

import pytest

from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.page_names import PageLabel, Relation
from agentbrowser.extraction.columns.spans import ends, is_part, paired_ends
from agentbrowser.extraction.match.singles import options
from tests.pure.extraction.test_evidence_rules import field


def ends_for(name: str, names: Sequence[str], text: str, label: str) -> list[str]:
    """Return the ends of a labelled span that a property may have, beside other properties."""
    fact = Column("fact0", "text", "dd", 1, [0], [text], [7], labels={PageLabel(Relation.NAME, label): 1})
    rows = options([field(one) for one in names], [fact])
    return [one.fact.texts[0] for one in rows[names.index(name)] if is_part(one.fact)]


PERIOD = ("01.11.2026 – 20.11.2026", "Period")


def test_each_end_goes_to_its_property() -> None:
    names = ["periodStart", "periodEnd"]
    assert ends_for("periodStart", names, *PERIOD) == ["01.11.2026"]
    assert ends_for("periodEnd", names, *PERIOD) == ["20.11.2026"]
    names = ["salaryMin", "salaryMax", "salary"]
    assert ends_for("salaryMax", names, "£46,148 – £52,809", "Salary") == ["£52,809"]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("08:25 – 11:20", "departure", "arrival"),
        ("12.07.2024 – 15.07.2024", "arrival", "departure"),
        ("Leeds → York", "origin", "destination"),
    ],
)
def test_the_ends_of_journeys_and_stays_have_names(text: str, first: str, last: str) -> None:
    named = [[name for name, _ in end.names] for end in ends(Column("cell0", "text", "td", 1, [0], [text], [7]))]
    assert [first in named[0], last in named[0], first in named[1], last in named[1]] == [True, False, False, True]


def test_a_day_and_an_hour_are_one_moment() -> None:
    assert ends_for("departure", ["arrival", "departure"], "15.07.2024, bis 11 Uhr", "Abreise") == []


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("period", ["periodStart", "periodEnd", "period"]),
        ("periodStart", ["periodStart"]),
        ("periodStart", ["periodStart", "saleEnd"]),
        ("openingHours", ["openingHours", "closedDays"]),
    ],
)
def test_a_span_stays_whole_without_a_pair(name: str, names: list[str]) -> None:
    assert ends_for(name, names, *PERIOD) == []


def test_pairs_have_the_same_words_besides_their_ends() -> None:
    fields = [field(name) for name in ("minimumAward", "maximumAward", "startTime", "endTime", "saleEnd")]
    assert {path[-1] for path in paired_ends(fields)} == {"minimumAward", "maximumAward", "startTime", "endTime"}
