"""The protocol and the tests, tied both ways: no rule without a test, no method without a rule, no stale gap."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from agentbrowser.codec import wire_fields
from agentbrowser.methods import EVENTS, METHODS
from tests.spec.rule import Rule
from tests.spec.rules import RULES

TESTS = Path(__file__).parents[1]
PROTOCOL = TESTS.parents[1] / "shared" / "protocol.md"
"""Stands beside the repository where the project is made; a copy of the repository alone has none."""

SECTIONS = range(1, 17)


def _folded(text: str) -> str:
    return " ".join(text.split())


def _sections() -> dict[int, str]:
    """Return the protocol's sections, whitespace folded; none where there is no protocol."""
    if not PROTOCOL.exists():
        return {}
    parts = re.split(r"^## (\d+)\. ", PROTOCOL.read_text(), flags=re.MULTILINE)
    return {int(number): _folded(text) for number, text in zip(parts[1::2], parts[2::2], strict=True)}


@cache
def _functions(module: str) -> frozenset[str]:
    path = TESTS / module
    tree = ast.parse(path.read_text()) if path.exists() else ast.Module([], [])
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def _is_there(name: str) -> bool:
    """Tell whether a method, an event, or a wire field of a method's params or result exists."""
    if name in METHODS or name in EVENTS:
        return True
    method, _, field = name.rpartition(".")
    kinds: tuple[Any, ...] = (METHODS[method].params, METHODS[method].result) if method in METHODS else ()
    return any(field in wire_fields(kind) for kind in kinds)


def _is_about(rule: Rule, name: str) -> bool:
    return name in rule.names or re.search(rf"(?<![\w/.]){re.escape(name)}(?![\w/])", rule.text) is not None


SECTION_TEXTS = _sections()
QUOTATIONS = [rule for rule in RULES if SECTION_TEXTS and not rule.ours]

each_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.section}: {rule.text[:50]}")


@each_rule
def test_a_rule_has_tests_or_a_gap(rule: Rule) -> None:
    assert bool(rule.tests) != bool(rule.gap)
    assert not rule.gap or re.fullmatch(r"issue [3-9]: .+", rule.gap)


@each_rule
def test_the_tests_exist(rule: Rule) -> None:
    for test in rule.tests:
        module, _, function = test.partition("::")
        assert function in _functions(module), f"there is no {test}"


@each_rule
def test_a_gap_is_not_stale(rule: Rule) -> None:
    assert rule.gap or not rule.until
    assert not [name for name in rule.until if _is_there(name)]


@each_rule
def test_what_a_rule_names_exists(rule: Rule) -> None:
    assert not [name for name in rule.names if not _is_there(name)]


@pytest.mark.parametrize("name", sorted({*METHODS, *EVENTS}))
def test_a_method_or_event_has_a_rule(name: str) -> None:
    assert [rule for rule in RULES if _is_about(rule, name)]


def test_every_section_has_rules_and_no_rule_stands_twice() -> None:
    assert {rule.section for rule in RULES} == set(SECTIONS)
    assert not [key for key, count in Counter((rule.section, rule.text) for rule in RULES).items() if count > 1]


@pytest.mark.parametrize("rule", QUOTATIONS, ids=lambda rule: f"{rule.section}: {rule.text[:50]}")
def test_a_rule_says_what_the_protocol_says(rule: Rule) -> None:
    """A protocol that has changed is noticed here."""
    rest = SECTION_TEXTS[rule.section]
    for piece in rule.text.split("…"):
        _, found, rest = rest.partition(_folded(piece))
        assert found, f"section {rule.section} does not say {piece.strip()!r}"
