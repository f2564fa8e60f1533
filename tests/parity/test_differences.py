"""The tables of differences, compared with the scenarios and with the protocol."""

import importlib
from collections import Counter
from pathlib import Path

from tests.parity.differences import BY_DESIGN, DIFFERENT, KNOWN_DEFECTS
from tests.parity.scenario import Scenario
from tests.spec.rule import DOCS

TABLES = sorted(path.stem for path in Path(__file__).parent.glob("test_*.py") if path != Path(__file__))
LEAST = 550


def scenarios() -> list[Scenario]:
    return [one for name in TABLES for one in importlib.import_module(f"tests.parity.{name}").SCENARIOS]


def test_there_are_many_scenarios_and_no_title_stands_twice() -> None:
    titles = Counter(one.title for one in scenarios())
    assert [title for title, count in titles.items() if count > 1] == []
    assert len(titles) >= LEAST


def test_each_difference_is_that_of_a_scenario() -> None:
    assert {*DIFFERENT, *KNOWN_DEFECTS} <= {one.title for one in scenarios()}
    assert not DIFFERENT & KNOWN_DEFECTS.keys()


def test_the_protocol_lists_every_difference() -> None:
    text = " ".join((DOCS / "protocol.md").read_text(encoding="utf-8").partition("\n## 17. ")[2].split())
    listed = {item.strip() for item in text.split(" - ")[1:]}
    assert listed == set(BY_DESIGN)
