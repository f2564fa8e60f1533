"""Rules of the documentation, and the test functions that they name."""

import ast
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

import attrs

TESTS: Final = Path(__file__).parents[1]
DOCS: Final = TESTS.parent / "agentbrowser" / "docs"


@attrs.frozen
class Gap:
    """A rule that no test covers yet."""

    why: str
    closed_by: str
    """The test function that will close the gap, by module; once it exists, the gap is stale."""


@attrs.frozen
class Rule:
    """One rule: quoted from the protocol, and either tested or known as a gap."""

    section: int
    text: str
    """A quotation; ``…`` stands for omitted text."""
    tests: tuple[str, ...] = ()
    """Test functions by module: ``loop/gate/test_http.py::test_a_route_that_raises_hurts_nobody``."""
    gap: Gap | None = None
    names: tuple[str, ...] = attrs.field(default=(), kw_only=True)
    """The methods and events that the rule is about and does not name in full."""


def tests_of(module: str) -> Callable[[str], tuple[str, ...]]:
    """Return a function that returns the tests of a module by their names without ``test_``: ``http("one two")``."""
    return lambda names: tuple(f"{module}::test_{name}" for name in names.split())


@cache
def _functions(module: str) -> frozenset[str]:
    path = TESTS / module
    tree = ast.parse(path.read_text()) if path.exists() else ast.Module([], [])
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def exists(test: str) -> bool:
    """Return True if there is such a test function, named by its module."""
    module, _, function = test.partition("::")
    return function in _functions(module)


def missing(tests: tuple[str, ...]) -> list[str]:
    """Return the named test functions that do not exist."""
    return [test for test in tests if not exists(test)]
