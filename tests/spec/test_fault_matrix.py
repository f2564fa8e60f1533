"""The fault matrix and the tests, compared in both directions: each row has tests, and each named test exists."""

import re

import pytest

from bench.__main__ import SCRIPTS
from tests.spec.faults import FAULTS, Fault
from tests.spec.rule import DOCS, TESTS, missing

MODEL = (DOCS / "security.md").read_text(encoding="utf-8")
ROWS = 32


def _matrix() -> dict[int, str]:
    """Return the faults of the matrix by their numbers."""
    _, _, rest = MODEL.partition("### 3.4 Fault matrix")
    section = re.split(r"^## ", rest, flags=re.MULTILINE)[0]
    return {int(number): what.strip() for number, what in re.findall(r"^\| (\d+) \| ([^|]+) \|", section, re.MULTILINE)}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda one: f"{one.number}: {one.what}")
def test_a_fault_has_tests_that_exist(fault: Fault) -> None:
    assert fault.tests
    assert missing(fault.tests) == []


@pytest.mark.parametrize("script", [one.script for one in FAULTS if one.script])
def test_a_script_is_there_and_its_short_form_runs_with_the_tests(script: str) -> None:
    assert (TESTS.parent / "bench" / f"{script}.py").exists()
    assert script in SCRIPTS
    assert "-m bench --smoke" in (TESTS.parent / ".ci" / "run").read_text()


def test_every_row_of_the_matrix_is_here_once() -> None:
    assert [fault.number for fault in FAULTS] == list(range(1, ROWS + 1)) == list(_matrix())


@pytest.mark.parametrize(("number", "what"), _matrix().items())
def test_a_row_says_what_the_matrix_says(number: int, what: str) -> None:
    assert what.startswith(FAULTS[number - 1].what)
