"""Selectors before they reach a page: how they are spelt for Playwright."""

import asyncio
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbrowser.browser import deadline, selectors
from agentbrowser.browser.deadline import Deadline
from agentbrowser.browser.portal import limited_to
from agentbrowser.protocol.errors import InvalidParams


@pytest.mark.parametrize("value", ["a > b", 'a[title=">>"]', "a[title='x >> y']", r"a\>>b", "a > b>c", "", "'"])
def test_what_css_may_be(value: str) -> None:
    assert selectors.css(value) == f"css={value}"
    assert selectors.xpath(value) == f"xpath={value}"


@pytest.mark.parametrize(
    "value",
    [
        "a >> b",
        "a>>b",
        'a[x="\'"] >> b',
        "a[x='\\''] >> b",
        r"a\\>>b",
        '`"` >> b "',
        'a[title=">>"] >> b',
    ],
)
def test_an_unquoted_chain_is_refused(value: str) -> None:
    for spell in (selectors.css, selectors.xpath):
        with pytest.raises(InvalidParams) as caught:
            spell(value)
        assert caught.value.details["path"] == "selector.value"


@pytest.mark.parametrize(
    "value", [":text-matches('(a+)+$')", "p:TEXT-Matches('x')", r":text\2dmatches('x')", r":\74 ext-matches('x')"]
)
def test_a_pattern_is_refused_however_it_is_spelt(value: str) -> None:
    with pytest.raises(InvalidParams):
        selectors.css(value)


@pytest.mark.parametrize("value", ["button >> css=a", "button[name=x]", "", " button", "1", "a" * 65])
def test_a_role_is_one_word(value: str) -> None:
    with pytest.raises(InvalidParams):
        selectors.role(value)
    assert selectors.role("Button") == "button"


@given(st.text(alphabet="ab>\"'`\\ ", max_size=12))
def test_what_is_let_through_is_one_selector_for_playwright(value: str) -> None:
    """Compare with a direct transcription of parseSelectorString in Playwright's driver."""
    try:
        spelt = selectors.css(value)
    except InvalidParams:
        return
    assert _parts(spelt) == 1


def _parts(selector: str) -> int:
    index, quote, parts = 0, "", 1
    while index < len(selector):
        character = selector[index]
        if character == "\\" and index + 1 < len(selector):
            index += 2
        elif quote and character == quote:
            quote, index = "", index + 1
        elif not quote and character in "\"'`":
            quote, index = character, index + 1
        elif not quote and selector[index : index + 2] == ">>":
            parts, index = parts + 1, index + 2
        else:
            index += 1
    return parts


def test_patience_is_never_below_nothing() -> None:
    assert (Deadline(0).left_s, Deadline(0).left_ms) == (0, 1)
    assert 0 < Deadline.of(None).left_s <= 5
    assert 0 < Deadline.of(1000).left_s <= 1


@pytest.mark.parametrize(
    ("timeout_ms", "changes", "waited_ms"),
    [(None, set(), 1500), (None, {1000}, 2750), (None, set(range(0, 6000, 50)), 5000), (3000, set(), 3000)],
)
def test_a_page_at_rest_is_waited_for_only_with_a_timeout(
    monkeypatch: pytest.MonkeyPatch, timeout_ms: int | None, changes: set[int], waited_ms: int
) -> None:
    now_ms = 0

    async def is_at_rest() -> bool:
        return now_ms not in changes

    async def wait() -> bool:
        nonlocal now_ms
        waiting = Deadline.of(timeout_ms, is_at_rest)
        waiting._start_s = 0.0
        while await waiting.pause():
            now_ms += 50
        return waiting.has_rested

    monkeypatch.setattr(deadline, "time", SimpleNamespace(monotonic=lambda: now_ms / 1000))
    monkeypatch.setattr(deadline, "_POLL_S", 0)
    assert asyncio.run(wait()) is (waited_ms not in (3000, 5000))
    assert now_ms == waited_ms


def test_a_wait_ends_before_the_request_whose_timeout_it_has() -> None:
    with limited_to(1.0):
        assert 0.5 < Deadline.of_request(1000).left_s <= 0.8
        assert 0.5 < Deadline.of_request(None).left_s <= 0.8
    with limited_to(0.1):
        assert Deadline.of_request(100).left_s <= 0.05
    assert 4 < Deadline.of_request(None).left_s <= 5
