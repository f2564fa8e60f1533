"""Which requests a rule is about."""

import pytest

from agentbrowser.methods import METHODS
from agentbrowser.policy import approvals
from agentbrowser.policy.approvals import (
    MAX_JUDGED,
    ApprovalRule,
    ApprovalRules,
    RequestFilter,
    RequestLocation,
    document_of,
    names_document,
)

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
def test_action_patterns_match_method_names(pattern: str, method: str, fits: bool) -> None:
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
def test_selector_patterns_match_any_selector_of_a_request(pattern: str, fits: bool) -> None:
    assert RequestFilter(selectors=(pattern,)).fits("action/click", ["css=#other", "role=button Buy now"]) is fits
    assert not RequestFilter(selectors=(pattern,)).fits("action/click", [])


@pytest.mark.parametrize(
    ("held", "also"),
    [
        (
            "action/click",
            "action/dblclick action/check action/uncheck action/select action/drag action/upload action/press "
            "action/type dialog/handle page/reload page/goBack page/goForward",
        ),
        ("action/press", "action/type"),
        ("action/fill", "action/type action/clear"),
        ("action/type", "action/fill action/clear"),
        ("action/hover", ""),
        ("page/navigate", "page/create session/fork"),
    ],
)
def test_a_rule_that_holds_an_action_back_holds_back_those_with_its_effect(held: str, also: str) -> None:
    """A rule that denied clicks and presses let the same button be pressed by a double click, a drag and typing."""
    match = RequestFilter(actions=(held,))
    rules = ApprovalRules(
        rules=(
            ApprovalRule(name="passes", match=match, action="allow"),
            ApprovalRule(name="denies", match=match, action="deny"),
        )
    )
    fitting = {name: [rule.name for rule in rules.about(name, [])] for name in METHODS}
    assert {name for name, names in fitting.items() if "denies" in names} == {held, *also.split()}
    assert {name for name, names in fitting.items() if "passes" in names} == {held}


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
def test_domain_patterns_match_the_host_of_a_page(domain: str, fits: bool) -> None:
    assert RequestFilter(domains=(domain,)).holds([RequestLocation("", "about:blank"), HERE]) is fits


@pytest.mark.parametrize(
    ("domain", "host"),
    [
        (" a.localhost ", "a.localhost"),
        ("a.localhost.", "a.localhost"),
        ("bücher.test", "xn--bcher-kva.test"),
        ("*.Bücher.test", "shop.xn--bcher-kva.test"),
        ("[::1]", "[::1]"),
        ("127.0.0.1", "[::ffff:7f00:1]"),
        ("127.1", "127.0.0.1"),
        ("10.0.*", "10.0.7.8"),
        ("192.168.*.1", "192.168.7.1"),
    ],
)
def test_another_spelling_of_a_host_is_the_same_host(domain: str, host: str) -> None:
    match = RequestFilter(domains=(domain,))
    assert match.holds([RequestLocation(host, f"http://{host}/")])
    assert not match.holds([RequestLocation("other.test", "http://other.test/")])


@pytest.mark.parametrize(
    "domain",
    ["a.test:80", "http://a.test", "a.test/pay", "*.a.test:80", "a b.test", "", "*.", "*.10.0.0.1", "*bü*.test"],
)
def test_a_domain_that_matches_no_host_is_refused(domain: str) -> None:
    """Its rule would let everything pass."""
    with pytest.raises(ValueError, match="which matches no host"):
        RequestFilter(domains=(domain,))


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
def test_url_patterns_match_whole_urls(pattern: str, fits: bool) -> None:
    assert RequestFilter(url_patterns=(pattern,)).holds([HERE]) is fits


def test_a_url_is_matched_to_its_end() -> None:
    url = "https://a.test/?" + "x" * 10_000 + "&pay"
    assert RequestFilter(url_patterns=("**&pay",)).holds([RequestLocation("a.test", url)])


def test_a_url_that_is_too_long_matches_all_patterns_but_those_of_a_rule_that_allows() -> None:
    longest = "https://a.test/?".ljust(MAX_JUDGED, "x")
    pays = RequestFilter(domains=("a.test",), url_patterns=("**/pay/**",))
    asks, passes = ApprovalRule(name="a", match=pays), ApprovalRule(name="b", match=pays, action="allow")
    assert not asks.holds([RequestLocation("a.test", longest)])
    assert asks.holds([RequestLocation("a.test", longest + "x")])
    assert not passes.holds([RequestLocation("a.test", longest + "x")])
    assert not asks.holds([RequestLocation("b.test", longest.replace("a.test", "b.test") + "x")])
    data = RequestLocation("", "data:text/html," + "/pay/".rjust(MAX_JUDGED, "x"))  # of no site that a rule is for
    assert not asks.holds([data])


def test_a_url_is_spelled_once_for_all_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    spelled: list[str] = []

    def noted(url: str) -> str:
        spelled.append(url)
        return url

    monkeypatch.setattr(approvals, "plainly_spelled", noted)
    here = [RequestLocation("a.test", "https://a.test/"), RequestLocation("b.test", "https://b.test/")]
    for name in "abc":
        assert not ApprovalRule(name=name, match=RequestFilter(url_patterns=(f"**/{name}/**",))).holds(here)
    assert spelled == [one.url for one in here]


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


def test_a_fragment_names_the_document_where_a_pattern_may_read_it() -> None:
    here = RequestLocation("a.test", "https://a.test/app")
    pays = ApprovalRule(name="pays", match=RequestFilter(domains=("a.test",), url_patterns=("**/pay*",)))
    plain = ApprovalRule(name="plain", match=RequestFilter(domains=("a.test",)))
    elsewhere = ApprovalRule(name="elsewhere", match=RequestFilter(domains=("b.test",), url_patterns=("**/pay*",)))
    for rules, counts in (((pays,), True), ((plain, elsewhere), False)):
        documents = {document_of(here, rules)}
        assert names_document(documents, "https://a.test/app#")
        assert names_document(documents, here.url)
        assert names_document(documents, "https://a.test/app#/pay") is not counts
        assert not names_document(documents, "https://a.test/pay")
