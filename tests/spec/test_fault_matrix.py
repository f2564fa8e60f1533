"""The fault matrix and the tests, tied both ways: no row without a test, no test that is not there."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from bench.__main__ import SCRIPTS
from tests.spec.faults import FAULTS, Fault

TESTS = Path(__file__).parents[1]
MODEL = TESTS.parents[1] / "shared" / "security.md"
"""Stands beside the repository where the project is made; a copy of the repository alone has none."""
ROWS = 32


@cache
def _functions(module: str) -> frozenset[str]:
    path = TESTS / module
    tree = ast.parse(path.read_text()) if path.exists() else ast.Module([], [])
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def _matrix() -> dict[int, str]:
    """Return the faults of the matrix by their numbers; none where there is no model."""
    if not MODEL.exists():
        return {}
    _, _, rest = MODEL.read_text().partition("### 3.5 Fault matrix")
    section = re.split(r"^## ", rest, flags=re.MULTILINE)[0]
    return {int(number): what.strip() for number, what in re.findall(r"^\| (\d+) \| ([^|]+) \|", section, re.MULTILINE)}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda one: f"{one.number}: {one.what}")
def test_a_fault_has_tests_that_exist(fault: Fault) -> None:
    assert fault.tests
    for test in fault.tests:
        module, _, function = test.partition("::")
        assert function in _functions(module), f"there is no {test}"


@pytest.mark.parametrize("script", [one.script for one in FAULTS if one.script])
def test_a_script_is_there_and_its_short_form_runs_with_the_tests(script: str) -> None:
    assert (TESTS.parent / "bench" / f"{script}.py").exists()
    assert script in SCRIPTS
    assert "-m bench --smoke" in (TESTS.parent / ".ci" / "run").read_text()


def test_every_row_of_the_matrix_is_here_once() -> None:
    assert [fault.number for fault in FAULTS] == list(range(1, ROWS + 1))


@pytest.mark.parametrize(("number", "what"), _matrix().items())
def test_a_row_says_what_the_matrix_says(number: int, what: str) -> None:
    assert what.startswith(FAULTS[number - 1].what)
