"""The threat model and the tests, compared in both directions: each row has tests, and each named test exists."""

import re

import pytest

from tests.spec.defences import DEFENCES, Defence
from tests.spec.rule import DOCS, missing

MODEL = (DOCS / "security.md").read_text(encoding="utf-8")
SECTIONS = ("1A", "1B", "1C", "1D")
OTHERS = {("1C", "Prompt injection through page text")}
"""Rows that no test of ours can hold."""


def _rows(section: str) -> list[str]:
    """Return the threats of a section of the model."""
    _, _, rest = MODEL.partition(f"### {section}. ")
    lines = re.split(r"^##", rest, flags=re.MULTILINE)[0].splitlines()
    table = [line.split("|")[1].strip() for line in lines if line.startswith("| ")]
    return [threat for threat in table if threat != "Threat"]


@pytest.mark.parametrize("defence", DEFENCES, ids=lambda one: f"{one.section}: {one.threat}")
def test_a_defence_has_tests_that_exist(defence: Defence) -> None:
    assert defence.tests
    assert missing(defence.tests) == []


@pytest.mark.parametrize("section", SECTIONS)
def test_every_row_of_the_model_has_a_defence(section: str) -> None:
    known = [one.threat for one in DEFENCES if one.section == section]
    rows = _rows(section)
    assert [row for row in rows if not any(map(row.startswith, known)) and (section, row) not in OTHERS] == []
    assert [one for one in known if not any(row.startswith(one) for row in rows)] == []
    assert len(set(known)) == len(known)
