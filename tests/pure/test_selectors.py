"""Selectors before they reach a page: their spelling for Playwright, and the ranking of descriptions."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbrowser.browser import spelling
from agentbrowser.browser.patience import Patience
from agentbrowser.browser.semantic import best, rank
from agentbrowser.errors import InvalidParams, SelectorAmbiguous
from agentbrowser.types.selector import Css, Selector, Semantic


@pytest.mark.parametrize("value", ["a > b", 'a[title=">>"]', "a[title='x >> y']", r"a\>>b", "a > b>c", "", "'"])
def test_what_css_may_be(value: str) -> None:
    assert spelling.css(value) == f"css={value}"
    assert spelling.xpath(value) == f"xpath={value}"


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
    for spell in (spelling.css, spelling.xpath):
        with pytest.raises(InvalidParams) as caught:
            spell(value)
        assert caught.value.details["path"] == "selector.value"


@pytest.mark.parametrize(
    "value", [":text-matches('(a+)+$')", "p:TEXT-Matches('x')", r":text\2dmatches('x')", r":\74 ext-matches('x')"]
)
def test_a_pattern_is_refused_however_it_is_spelt(value: str) -> None:
    with pytest.raises(InvalidParams):
        spelling.css(value)


@pytest.mark.parametrize("value", ["button >> css=a", "button[name=x]", "", " button", "1", "a" * 65])
def test_a_role_is_one_word(value: str) -> None:
    with pytest.raises(InvalidParams):
        spelling.role(value)
    assert spelling.role("Button") == "button"


@given(st.text(alphabet="ab>\"'`\\ ", max_size=12))
def test_what_is_let_through_is_one_selector_for_playwright(value: str) -> None:
    """Compare with a direct transcription of parseSelectorString in Playwright's driver."""
    try:
        spelt = spelling.css(value)
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
    assert (Patience(0).left_s, Patience(0).left_ms) == (0, 1)
    assert 0 < Patience.of(None).left_s <= 5
    assert 0 < Patience.of(1000).left_s <= 1


@attrs.frozen
class Element:
    role: str
    name: str | None

    @property
    def selector(self) -> Selector:
        return Css(f"[aria-label='{self.name}']")


PAGE = [
    Element("link", "Home"),
    Element("searchbox", "Search products"),
    Element("button", "Search"),
    Element("textbox", "E-mail address"),
    Element("textbox", "Password"),
    Element("checkbox", "Remember me"),
    Element("button", "Log in"),
    Element("link", "Sign up"),
    Element("combobox", "Country"),
    Element("button", "Delete category"),
    Element("button", None),
]


@pytest.mark.parametrize(
    ("description", "name"),
    [
        ("the search box", "Search products"),
        ("search button", "Search"),
        ("email field", "E-mail address"),
        ("Enter your password", "Password"),
        ("password input", "Password"),
        ("remember me check box", "Remember me"),
        ("login button", "Log in"),
        ("sign in", "Log in"),
        ("link to sign up", "Sign up"),
        ("country dropdown", "Country"),
        ("delete categories", "Delete category"),
        ("home page link", "Home"),
    ],
)
def test_the_best_match(description: str, name: str) -> None:
    assert best(description, PAGE, Semantic(description)) == Element("", name).selector


@pytest.mark.parametrize("description", ["newsletter", "the", "shopping cart button"])
def test_nothing_fits(description: str) -> None:
    assert best(description, PAGE, Semantic(description)) is None


def test_several_fit() -> None:
    with pytest.raises(SelectorAmbiguous) as caught:
        best("button", PAGE, Semantic("button"))
    details = caught.value.details
    assert details["count"] == 4
    assert [one["text"] for one in details["candidates"]] == ["Search", "Log in", "Delete category", "button"]


def test_ranking_is_stable_and_bounded() -> None:
    ranked = rank("search", PAGE)
    assert [score for score, _ in ranked] == sorted((score for score, _ in ranked), reverse=True)
    assert all(0 <= score <= 1 for score, _ in ranked)
    assert ranked == rank("search", PAGE)
