"""Measures of the prose in docstrings: plain verbs, and functions described by an imperative."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

from tests.house.test_house import MODULES, PACKAGE

MAX_TELLING_SHARE = 0.01
"""Largest share of docstrings with a form of "tell"; report, return or emit is more precise."""
_TELLING = re.compile(r"\b(?:tell|tells|told)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"(?:What|How|Whether|Where|Who|Which)\b")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def _docstrings(path: Path) -> tuple[tuple[bool, int, str], ...]:
    """Return the docstrings of a module, its classes, functions and attributes, each with its line.

    The first value is True for those of functions.
    """
    return tuple(_all_docstrings(path))


def _all_docstrings(path: Path) -> Iterator[tuple[bool, int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, _DOCUMENTED):
            text = ast.get_docstring(node)
            if text is not None:
                yield isinstance(node, _FUNCTIONS), getattr(node, "lineno", 1), text
        if isinstance(node, ast.Module | ast.ClassDef):
            for field, below in pairwise(node.body):
                match field, below:
                    case ast.Assign() | ast.AnnAssign(), ast.Expr(value=ast.Constant(value=str(text))):
                        yield False, below.lineno, text


def test_few_docstrings_tell() -> None:
    found = [(path, line, text) for path in MODULES for _, line, text in _docstrings(path)]
    telling = [f"{path.relative_to(PACKAGE)}:{line}" for path, line, text in found if _TELLING.search(text)]
    assert len(telling) < MAX_TELLING_SHARE * len(found), f"{len(telling)} of {len(found)}: {telling}"


def test_no_function_is_described_by_a_clause() -> None:
    clauses = [
        f"{path.relative_to(PACKAGE)}:{line}: {text.partition(chr(10))[0]}"
        for path in MODULES
        for is_function, line, text in _docstrings(path)
        if is_function and _CLAUSE.match(text)
    ]
    assert not clauses, "\n".join(clauses)
