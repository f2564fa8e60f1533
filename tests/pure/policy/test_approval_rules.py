"""Which requests a rule is about."""

import pytest

from agentbrowser.policy.approvals import ApprovalRule, ApprovalRules, RequestFilter, RequestLocation

HERE = RequestLocation("shop.b.org", "https://shop.b.org/pay/now?x=1")


@pytest.mark.parametrize(
    ("pattern", "method", "fits"),
    [
        ("action/click", "action/click", True),
        ("action/*", "action/click", True),
        ("*/c*ck", "action/click", True),
        ("action/clic?", "action/click", True),
        ("action/click", "action/clicks", False),
        ("Action/click", "action/click", False),
        ("*", "agent/act", False),
        ("agent/*", "agent/act", False),
        ("agent/act", "agent/act", True),
    ],
)
def test_actions(pattern: str, method: str, fits: bool) -> None:
    assert RequestFilter(actions=(pattern,)).fits(method, []) is fits


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [
        ("role=button Buy now", True),
        ("button buy NOW", True),
        ("*buy*", True),
        ("role=*", True),
        ("buy", False),
        ("css=*", True),
        ("text=*", False),
        ("[r]ole=*", False),
    ],
)
def test_selectors(pattern: str, fits: bool) -> None:
    assert RequestFilter(selectors=(pattern,)).fits("action/click", ["css=#other", "role=button Buy now"]) is fits
    assert not RequestFilter(selectors=(pattern,)).fits("action/click", [])


def test_a_rule_that_holds_clicks_back_holds_uploads_back() -> None:
    clicks = RequestFilter(actions=("action/click",))
    passes, asks = ApprovalRule(name="a", match=clicks, action="allow"), ApprovalRule(name="b", match=clicks)
    denies = ApprovalRule(name="c", match=clicks, action="deny")
    rules = ApprovalRules(rules=(passes, asks, denies))
    assert [rule.name for rule in rules.about("action/upload", [])] == ["b", "c"]
    assert [rule.name for rule in rules.about("action/click", [])] == ["a", "b", "c"]
    assert not list(rules.about("action/hover", []))


def test_brackets_in_selector_patterns_are_literal() -> None:
    match = RequestFilter(selectors=("input[type=password]*",))
    assert match.fits("action/fill", ["css=input[type=password].x"])
    assert not match.fits("action/fill", ["css=inputt.x"])


@pytest.mark.parametrize(
    ("domain", "fits"),
    [
        ("shop.b.org", True),
        ("SHOP.b.ORG", True),
        ("*.b.org", True),
        ("*.shop.b.org", True),
        ("*.org", True),
        ("b.org", False),
        ("*b.org", True),
        ("*.hop.b.org", False),
        ("shop.b.org.evil", False),
    ],
)
def test_domains(domain: str, fits: bool) -> None:
    assert RequestFilter(domains=(domain,)).holds([RequestLocation("", "about:blank"), HERE]) is fits


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [
        ("**/pay/**", True),
        ("https://shop.b.org/*/*", True),
        ("https://shop.b.org/*", False),
        ("**/PAY/**", False),
        ("**/{buy,pay}/**", True),
    ],
)
def test_url_patterns(pattern: str, fits: bool) -> None:
    assert RequestFilter(url_patterns=(pattern,)).holds([HERE]) is fits


def test_a_url_is_matched_to_its_end() -> None:
    url = "https://a.test/?" + "x" * 10_000 + "&pay"
    assert RequestFilter(url_patterns=("**&pay",)).holds([RequestLocation("a.test", url)])


def test_all_lists_must_match_at_one_location() -> None:
    match = RequestFilter(domains=("a.test",), url_patterns=("**/pay",))
    assert match.holds([RequestLocation("a.test", "https://a.test/pay")])
    assert not match.holds(
        [RequestLocation("a.test", "https://a.test/"), RequestLocation("b.test", "https://b.test/pay")]
    )
    assert not match.holds([])
    both = RequestFilter(actions=("action/*",), selectors=("css=*",))
    assert both.fits("action/click", ["css=a"])
    assert not both.fits("page/close", ["css=a"])
    assert not both.fits("action/click", ["text=a"])


def test_an_empty_filter_matches_everything_but_the_sequence() -> None:
    assert RequestFilter().fits("page/close", [])
    assert RequestFilter().holds([])
    assert not RequestFilter().fits("agent/act", [])


def test_rules_keep_their_order() -> None:
    rules = ApprovalRules(
        rules=(
            ApprovalRule(name="a", match=RequestFilter(actions=("page/*",))),
            ApprovalRule(name="b", match=RequestFilter(actions=("action/*",))),
            ApprovalRule(name="c"),
        )
    )
    assert [rule.name for rule in rules.about("action/click", iter(["css=a"]))] == ["b", "c"]


@pytest.mark.parametrize(
    "url",
    [
        "https://shop.b.org/pay/now",
        "https://shop.b.org/p%61y/n%6Fw",
        "https://shop.b.org./pay/now",
        "https://shop.b.org/a/%2e%2E/pay/now",
    ],
)
def test_another_spelling_of_a_url_is_the_same_place(url: str) -> None:
    match = RequestFilter(url_patterns=("https://shop.b.org/pay/**",))
    assert match.holds([RequestLocation("shop.b.org", url)])
    assert not match.holds([RequestLocation("shop.b.org", url.replace("now", "x").replace("/p", "/%2570"))])
