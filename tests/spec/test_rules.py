"""The protocol and the tests, compared in both directions: tests or a gap for each rule, a rule for each method."""

import re
from collections import Counter
from typing import Any

from agentbrowser.methods import EVENTS, METHODS
from agentbrowser.protocol.codec import wire_fields
from tests.each import each_of
from tests.spec.rule import DOCS, Gap, Rule, exists, missing
from tests.spec.rules import RULES

SECTIONS = range(1, 18)


def _folded(text: str) -> str:
    return " ".join(text.split())


def _sections() -> dict[int, str]:
    """Return the protocol's sections, whitespace folded."""
    text = (DOCS / "protocol.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (\d+)\. ", text, flags=re.MULTILINE)
    return {int(number): _folded(text) for number, text in zip(parts[1::2], parts[2::2], strict=True)}


def is_stale(gap: Gap) -> bool:
    """Return True if the test that closes the gap exists."""
    return exists(gap.closed_by)


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

each_rule = each_of(RULES, lambda rule: f"{rule.section}: {rule.text[:50]}")


@each_rule
def test_a_rule_has_tests_or_a_gap(rule: Rule) -> None:
    assert bool(rule.tests) != bool(rule.gap)


@each_rule
def test_the_tests_exist(rule: Rule) -> None:
    assert missing(rule.tests) == []


@each_rule
def test_a_gap_is_not_stale(rule: Rule) -> None:
    assert rule.gap is None or (rule.gap.why and not is_stale(rule.gap))


def test_a_gap_is_stale_once_its_test_exists() -> None:
    here = "spec/test_rules.py::test_a_gap_is_stale_once_its_test_exists"
    assert is_stale(Gap("not built yet", closed_by=here))
    assert not is_stale(Gap("not built yet", closed_by=f"{here}_and_one_more"))
    assert not is_stale(Gap("not built yet", closed_by="loop/test_that_is_not_written.py::test_it"))


@each_rule
def test_what_a_rule_names_exists(rule: Rule) -> None:
    assert not [name for name in rule.names if not _is_there(name)]


def test_a_method_or_event_has_a_rule() -> None:
    assert [name for name in {*METHODS, *EVENTS} if not any(_is_about(rule, name) for rule in RULES)] == []


def test_every_section_has_rules_and_no_rule_stands_twice() -> None:
    assert {rule.section for rule in RULES} == set(SECTIONS) == set(SECTION_TEXTS)
    assert not [key for key, count in Counter((rule.section, rule.text) for rule in RULES).items() if count > 1]


@each_rule
def test_a_rule_says_what_the_protocol_says(rule: Rule) -> None:
    """A protocol that has changed is noticed here."""
    rest = SECTION_TEXTS[rule.section]
    for piece in rule.text.split("…"):
        _, found, rest = rest.partition(_folded(piece))
        assert found, f"section {rule.section} does not say {piece.strip()!r}"
