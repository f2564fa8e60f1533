"""The events of the log and the page on operations, compared in both directions."""

import ast
import re
from collections.abc import Iterator

from tests.spec.rule import DOCS, TESTS

LEVELS = {"warning": "warning", "error": "error", "exception": "error"}
"""The levels whose events the page explains, with the level of their lines; others only report the server's work."""


def _logged() -> Iterator[tuple[str, str]]:
    """Yield each event that the package logs at one of these levels, with the level of its line."""
    for path in (TESTS.parent / "agentbrowser").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="log"), attr=level), args=[ast.Constant(value=str(event)), *_]
                ) if level in LEVELS:
                    yield event, LEVELS[level]


def test_each_warning_and_error_of_the_log_is_explained() -> None:
    _, _, logs = (DOCS / "operations.md").read_text(encoding="utf-8").partition("\n## Logs\n")
    rows = re.findall(r"^\| `(\w+)` \| (warning|error) \| \S", logs.partition("\n## ")[0], re.MULTILINE)
    explained, logged = set(rows), set(_logged())
    assert sorted(logged - explained) == [], "add rows to docs/operations.md, section Logs"
    assert sorted(explained - logged) == [], "remove these rows from docs/operations.md, section Logs"
