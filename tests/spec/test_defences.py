"""The threat model and the tests, tied both ways: no row without a test, no test that is not there."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.spec.defences import DEFENCES, Defence

TESTS = Path(__file__).parents[1]
MODEL = TESTS.parents[1] / "shared" / "security.md"
"""Stands beside the repository where the project is made; a copy of the repository alone has none."""
SECTIONS = ("1A", "1B", "1C", "1D")
OTHERS = {("1C", "Prompt injection through page text")}
"""Rows that no test of ours can hold."""


@cache
def _functions(module: str) -> frozenset[str]:
    path = TESTS / module
    tree = ast.parse(path.read_text()) if path.exists() else ast.Module([], [])
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def _rows(section: str) -> list[str]:
    """Return the threats of a section of the model; none where there is no model."""
    if not MODEL.exists():
        return []
    _, _, rest = MODEL.read_text().partition(f"### {section}. ")
    lines = re.split(r"^##", rest, flags=re.MULTILINE)[0].splitlines()
    table = [line.split("|")[1].strip() for line in lines if line.startswith("| ")]
    return [threat for threat in table if threat != "Threat"]


@pytest.mark.parametrize("defence", DEFENCES, ids=lambda one: f"{one.section}: {one.threat}")
def test_a_defence_has_tests_that_exist(defence: Defence) -> None:
    assert defence.tests
    for test in defence.tests:
        module, _, function = test.partition("::")
        assert function in _functions(module), f"there is no {test}"


@pytest.mark.parametrize("section", SECTIONS)
def test_every_row_of_the_model_has_a_defence(section: str) -> None:
    known = [one.threat for one in DEFENCES if one.section == section]
    missing = [row for row in _rows(section) if not any(map(row.startswith, known)) and (section, row) not in OTHERS]
    assert missing == []
    assert len(set(known)) == len(known)
