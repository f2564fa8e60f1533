"""The estimate of tokens against true counts of o200k_base, on observations that it was not fitted to.

``tokens.json`` holds observations of pages in many languages, in both formats, with what ``gpt-tokenizer`` counts.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbrowser.browser.observe import token_count
from agentbrowser.browser.observe.token_count import estimate

COUNTED: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "tokens.json").read_text(encoding="utf-8"))
LONG = 500
"""From this many tokens on, one word that is taken for two no longer matters."""


@pytest.mark.parametrize("counted", COUNTED, ids=lambda one: f"{one['page']}-{one['form']}")
def test_the_estimate_of_each_text_is_near_the_true_count(counted: dict[str, Any]) -> None:
    allowed = 0.05 if counted["tokens"] >= LONG else 0.08
    assert estimate(counted["text"]) == pytest.approx(counted["tokens"], rel=allowed)


def test_the_estimates_of_a_form_sum_up_to_the_true_count() -> None:
    for form in ("json", "minimal", "text"):
        some = [one for one in COUNTED if one["form"] == form]
        truth = sum(one["tokens"] for one in some)
        assert sum(estimate(one["text"]) for one in some) == pytest.approx(truth, rel=0.02)


@pytest.mark.parametrize(
    ("text", "count"), [("", 0), ("1234567", 3), ("2024-11-21", 6), ("\n\n", 1), (" button", 1), ('{"ref":"@', 4)]
)
def test_single_tokens_are_exact(text: str, count: int) -> None:
    assert estimate(text) == count


@given(st.text(), st.text())
def test_the_parts_cost_what_the_whole_does(one: str, other: str) -> None:
    assert estimate(f"{one}\n1{other}") <= estimate(one) + estimate(f"\n1{other}") + 2


@given(st.text())
def test_any_text_has_an_estimate_within_bounds(text: str) -> None:
    assert 0 <= estimate(text) <= 8 * len(text)


def test_long_pieces_are_not_kept() -> None:
    """Each look at a page of long words added them to what is kept for all clients."""
    estimate("a")
    before = token_count._kept_cost.cache_info().currsize
    assert estimate("abc" * 1000) > 1
    assert token_count._kept_cost.cache_info().currsize == before
