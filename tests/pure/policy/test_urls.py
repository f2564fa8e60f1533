"""Where the browser may go: tables of hostile spellings, and properties against the models of `policy_model`."""

import re
from ipaddress import IPv4Address, ip_address
from pathlib import Path
from typing import Any

import ada_url
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import agentbrowser
from agentbrowser.policy import urls
from agentbrowser.policy.urls import (
    MAX_URL_LENGTH,
    REDACTED,
    AllowlistEntry,
    UrlRules,
    check_address,
    check_destination,
    check_host,
    check_url,
    host_of,
    names_private_host,
    place_of,
    redact_url,
)
from agentbrowser.protocol.errors import AgentBrowserError, DomainNotAllowed, InvalidParams
from tests.pure.policy import policy_model as model

OWN_PORT = 9222
patient = settings(deadline=None)  # the machine may be busy; what is measured here is not time


def rules(*allowed: str, private: Any = "ask-first") -> UrlRules:
    return UrlRules.compile(allowed_domains=allowed or None, private_network=private, own_ports=[OWN_PORT])


OPEN = rules()
DENY = rules(private="deny")


def verdict(url: str, under: UrlRules, *, private_open: bool = True) -> str:
    """Return "ok", "domain", or the reason of the refusal."""
    try:
        check_url(url, under, private_open=private_open)
    except InvalidParams as refused:
        return str(refused.details["reason"])
    except DomainNotAllowed:
        return "domain"
    return "ok"


def refused(url: str, under: UrlRules, **options: Any) -> AgentBrowserError:
    with pytest.raises((InvalidParams, DomainNotAllowed)) as caught:
        check_url(url, under, **options)
    error: AgentBrowserError = caught.value
    return error


def test_a_refusal_names_the_port_only_where_another_port_of_the_host_is_allowed() -> None:
    under = rules("a.com:8080")
    assert refused("http://a.com/", under).message.startswith("Port 80 of a.com is not in the operator's allowlist")
    assert refused("http://b.com/", under).message.startswith("b.com is not in the operator's allowlist")


@pytest.mark.parametrize("url", model.METADATA, ids=ascii)
def test_metadata_hosts_are_refused_in_every_spelling(url: str) -> None:
    host = ada_url.URL(url).hostname
    for under in (OPEN, rules("a.com"), rules(host), rules("*.google.internal", "*.ec2.internal", private="allow")):
        assert verdict(url, under) == "metadata"


@pytest.mark.parametrize("url", model.SCHEMES, ids=ascii)
def test_every_other_scheme_is_refused(url: str) -> None:
    assert verdict(url, OPEN) == "scheme"
    assert verdict(url, rules("a.com")) == "scheme"


@pytest.mark.parametrize("url", model.SYNTAX, ids=ascii)
def test_anything_but_a_plain_absolute_url_is_refused(url: str) -> None:
    assert verdict(url, OPEN) == "syntax"


def test_a_url_is_checked_up_to_a_length() -> None:
    longest = "http://a.com/".ljust(MAX_URL_LENGTH, "x")
    assert check_url(longest, OPEN) == longest
    with pytest.raises(InvalidParams, match="100000 characters") as refused:
        check_url(f"{longest}x", OPEN)
    assert refused.value.details["reason"] == "syntax"
    assert len(refused.value.details["url"]) <= 2_000


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        (" about:blank\n", "about:blank"),
        ("ABOUT:blank", "about:blank"),
        ("HTTP://A.com:80", "http://a.com/"),
        ("https:a.com\\@evil.com", "https://a.com/@evil.com"),
        ("http://@a.com", "http://a.com/"),
        ("http://faß.de/", "http://xn--fa-hia.de/"),
        ("http://a\u00adllowed.com/", "http://allowed.com/"),
        ("http://8.8.2056/", "http://8.8.8.8/"),
        ("http://a.com./", "http://a.com./"),
    ],
    ids=ascii,
)
def test_an_allowed_url_is_returned_canonical(url: str, canonical: str) -> None:
    assert check_url(url, OPEN) == canonical


@pytest.mark.parametrize("host", model.PRIVATE, ids=ascii)
def test_a_private_host_is_open_to_the_client_itself_unless_the_operator_denies_it(host: str) -> None:
    url = f"http://{host}/"
    assert verdict(url, OPEN) == "ok"
    assert verdict(url, OPEN, private_open=False) == "private"
    assert verdict(url, DENY) == "private"
    assert verdict(url, rules(private="allow"), private_open=False) == "ok"
    assert names_private_host(check_url(url, OPEN))


@pytest.mark.parametrize("host", model.NOT_PRIVATE)
def test_neighbours_of_private_networks_are_public(host: str) -> None:
    assert verdict(f"http://{host}/", DENY) == "ok"
    assert not names_private_host(f"http://{host}/")


@pytest.mark.parametrize(
    "host", ["localhost", "x.localhost.", "127.0.0.1", "127.8", "0", "[::1]", "[::]", "[::ffff:7f00:1]"]
)
def test_the_servers_own_port_is_refused(host: str) -> None:
    for under in (OPEN, DENY, rules("a.com"), rules(host), rules(f"{host}:{OWN_PORT}", private="allow")):
        assert verdict(f"http://{host}:{OWN_PORT}/", under) == "self"
    assert verdict(f"http://{host}:9223/", OPEN) == "ok"


def test_the_checks_run_in_order() -> None:
    listed = rules("a.com", private="deny")
    assert verdict("ftp://u@169.254.169.254/", listed) == "syntax"
    assert verdict("ftp://169.254.169.254/", listed) == "scheme"
    assert verdict("http://169.254.169.254/", listed) == "metadata"
    assert verdict(f"http://127.0.0.1:{OWN_PORT}/", listed) == "self"
    assert verdict("http://127.0.0.1/", listed) == "domain"
    assert verdict("http://127.0.0.1/", DENY) == "private"


HOSTS = model.words("a.com A.com. www.a.com x.www.a.com evil-a.com a.com.evil.net a.co com b.a.com.b 1.2.3.4")
MATCHES = {
    "a.com": {"a.com", "A.com."},
    "A.COM.": {"a.com", "A.com."},
    "*.a.com": {"a.com", "A.com.", "www.a.com", "x.www.a.com"},
    "www.a.com": {"www.a.com"},
    "*.www.a.com": {"www.a.com", "x.www.a.com"},
    "1.2.3.4": {"1.2.3.4"},
    "[::ffff:1.2.3.4]": {"1.2.3.4"},
    "a.com:80": {"a.com", "A.com."},
    "a.com:8080": set(),
    "*.a.com:443": set(),
    "com": {"com"},
}


@pytest.mark.parametrize("entry", MATCHES)
def test_an_entry_matches_whole_labels_only(entry: str) -> None:
    assert {host for host in HOSTS if verdict(f"http://{host}/", rules(entry)) == "ok"} == MATCHES[entry]


@pytest.mark.parametrize(
    ("entry", "url", "expected"),
    [
        ("allowed.com", "http://аllowed.com/", "domain"),
        ("аllowed.com", "http://xn--llowed-2nf.com/", "ok"),
        ("аllowed.com", "http://allowed.com/", "domain"),
        ("allowed.com", "http://a\u00adllowed.com/", "ok"),
        ("faß.de", "http://xn--fa-hia.de/", "ok"),
        ("faß.de", "http://fass.de/", "domain"),
        ("a．com", "http://a。com/", "ok"),
        ("*.bücher.de", "http://www.xn--bcher-kva.de/", "ok"),
        (" a.com ", "http://a.com/", "ok"),
        ("a.com", "http://a.com\\@evil.com/", "ok"),
        ("a.com", "http://evil.com/@a.com", "domain"),
        ("a.com", "http://evil.com#a.com", "domain"),
        ("localhost", "http://localhost/", "ok"),
        ("localhost", "http://127.0.0.1/", "domain"),
        ("localhost", "http://x.localhost/", "domain"),
        ("127.0.0.1", "http://localhost/", "domain"),
        ("127.0.0.1", "http://[::1]/", "domain"),
        ("[::1]:8080", "http://[::1]:8080/", "ok"),
        ("[::1]:8080", "http://[::1]/", "domain"),
        ("a.com:443", "https://a.com/", "ok"),
        ("a.com:443", "http://a.com/", "domain"),
        ("a.com", "about:blank", "ok"),
    ],
    ids=ascii,
)
def test_entries_and_hosts_are_compared_in_canonical_form(entry: str, url: str, expected: str) -> None:
    assert verdict(url, rules(entry)) == expected


@pytest.mark.parametrize("entry", model.BAD_ENTRIES, ids=ascii)
def test_an_invalid_entry_is_named_at_the_start(entry: str) -> None:
    with pytest.raises(ValueError) as caught:
        rules("good.com", entry)
    assert repr(entry.removeprefix("*.")).strip("'") in str(caught.value)


def test_an_empty_allowlist_does_not_mean_everything() -> None:
    with pytest.raises(ValueError, match="an empty list of allowed domains would allow nothing"):
        UrlRules.compile(allowed_domains=[], private_network="ask-first", own_ports=[])


def test_an_exact_entry_may_be_private_and_a_wildcard_may_not() -> None:
    inside = ip_address("10.0.0.1")
    exact = rules("db.corp.example", "*.corp.example", "10.0.0.9")
    check_address(inside, check_host("db.corp.example", 80, exact, private_open=False), exact)
    with pytest.raises(InvalidParams) as caught:
        check_address(inside, check_host("www.corp.example", 80, exact, private_open=True), exact)
    assert caught.value.details["reason"] == "private"
    assert "--allowed-domains" in str(caught.value.recovery_hint)
    assert verdict("http://a.x.localhost/", rules("*.x.localhost", private="allow")) == "private"


def test_under_deny_an_exact_entry_is_private_only_where_it_says_so_itself() -> None:
    denied = rules("db.corp.example", "10.0.0.9", private="deny")
    assert verdict("http://10.0.0.9/", denied) == "ok"
    with pytest.raises(InvalidParams):
        check_address(ip_address("10.0.0.9"), check_host("db.corp.example", 80, denied, private_open=True), denied)


@pytest.mark.parametrize(
    ("address", "port", "private_open", "reason"),
    [
        ("127.0.0.1", 80, False, "private"),
        ("::ffff:10.0.0.1", 80, False, "private"),
        ("169.254.169.254", 80, True, "metadata"),
        ("64:ff9b::a9fe:a9fe", 80, True, "metadata"),
        ("fe80::1%2", 80, True, "metadata"),
        ("127.0.0.1", OWN_PORT, True, "self"),
        ("::", OWN_PORT, True, "self"),
    ],
)
def test_a_good_name_does_not_excuse_its_address(address: str, port: int, private_open: bool, reason: str) -> None:
    leave = check_host("ok.example", port, OPEN, private_open=private_open)
    check_address(ip_address("93.184.216.34"), leave, OPEN)
    with pytest.raises(InvalidParams) as caught:
        check_address(ip_address(address), leave, OPEN)
    assert caught.value.details["reason"] == reason


def test_a_name_may_lead_to_private_space_once_it_is_open() -> None:
    check_address(ip_address("10.0.0.1"), check_host("ok.example", 80, OPEN, private_open=True), OPEN)


def test_an_exact_entry_does_not_excuse_a_metadata_address() -> None:
    listed = rules("ok.example", private="allow")
    with pytest.raises(InvalidParams):
        check_address(ip_address("169.254.169.254"), check_host("ok.example", 80, listed, private_open=True), listed)


@pytest.mark.parametrize("host", ["a.com/x", "u@a.com", "a.com:80", "a.com#", "", "a..b", "::1", "*.a.com"])
def test_a_bare_host_is_checked_as_a_host(host: str) -> None:
    with pytest.raises(InvalidParams) as caught:
        check_host(host, 80, OPEN, private_open=True)
    assert caught.value.details["reason"] == "syntax"


def test_a_refusal_has_path_reason_and_hint() -> None:
    error = refused("file:///etc/passwd?token=abc", OPEN, path="params.steps[2].url").to_wire()
    expected = "a URL that begins with http:// or https://, or exactly about:blank"
    assert error == {
        "code": -32602,
        "message": "The URL is refused: the scheme file:.",
        "data": {
            "retryable": False,
            "details": {
                "reason": "scheme",
                "expected": expected,
                "got": "the scheme file:",
                "url": f"file:///etc/passwd?token={REDACTED}",
                "path": "params.steps[2].url",
            },
            "recoveryHint": f"Use {expected}.",
        },
    }


def test_a_host_outside_the_allowlist_has_its_own_error() -> None:
    error = refused("https://evil.com/?code=abc", rules("a.com")).to_wire()
    assert error["code"] == -32041
    assert error["data"]["retryable"] is False
    assert error["data"]["details"] == {"domain": "evil.com", "allowed": 1, "url": f"https://evil.com/?code={REDACTED}"}
    assert error["data"]["recoveryHint"]


@pytest.mark.parametrize(
    ("under", "way"),
    [(OPEN, "page/navigate"), (DENY, "--private-network=ask-first"), (rules("*.x.localhost"), "--allowed-domains")],
)
def test_the_hint_for_a_private_host_fits_the_rules(under: UrlRules, way: str) -> None:
    assert way in str(refused("http://a.x.localhost/", under, private_open=False).recovery_hint)


def test_a_long_url_is_truncated_in_the_error() -> None:
    assert len(refused("data:," + "x" * 100_000, OPEN).details["url"]) == 2_000
    assert len(refused("x" * 100_000 + ":y", OPEN).details["got"]) < 60
    secrets = refused(f"foo://u:{'p' * 9_000}@a.com/?{'a=b&' * 300}key={'s' * 9_000}", OPEN).details["url"]
    assert "ppp" not in secrets
    assert "sss" not in secrets


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://a.com/x?q=1#y", "https://a.com/x?q=1#y"),
        ("https://me:pw@a.com/@x", f"https://{REDACTED}@a.com/@x"),
        ("http://a@b@c.com/", f"http://{REDACTED}@c.com/"),
        ("view-source:http://me:pw@a.com/", f"view-source:http://{REDACTED}@a.com/"),
        ("http://me:pw@a.com:x/", f"http://{REDACTED}@a.com:x/"),
        ("https://a.com/?token=a&x=1&Api_Key=b", f"https://a.com/?token={REDACTED}&x=1&Api_Key={REDACTED}"),
        ("https://a.com/?X-Amz-Signature=a%26", f"https://a.com/?X-Amz-Signature={REDACTED}"),
        ("https://a.com/?user[password]=a=b#z", f"https://a.com/?user[password]={REDACTED}#z"),
        ("https://a.com/#access_token=a&state=b", f"https://a.com/#access_token={REDACTED}&state=b"),
        ("https://a.com/;jsessionid=a", f"https://a.com/;jsessionid={REDACTED}"),
        ("https://a.com/?to\nken=a", f"https://a.com/?token={REDACTED}"),
        ("https://a.com/?keyword=a&author=b&tokens", "https://a.com/?keyword=a&author=b&tokens"),
        ("https://a.com/?next=/x?sig=a", f"https://a.com/?next=/x?sig={REDACTED}"),
        ("/relative?session=a", f"/relative?session={REDACTED}"),
        ("", ""),
    ],
)
def test_secrets_do_not_show(url: str, shown: str) -> None:
    assert redact_url(url) == shown


KEYS = model.words(
    "token key secret password passwd pwd code session sig signature auth access_token api_key apiKey session_id"
)


@pytest.mark.parametrize("key", [*KEYS, *map(str.upper, KEYS)])
def test_every_secret_looking_key_is_redacted(key: str) -> None:
    assert redact_url(f"https://a.com/?a=1&{key}=canary&b=2") == f"https://a.com/?a=1&{key}={REDACTED}&b=2"


@patient
@given(
    st.sampled_from(["http", "HTTPS", "ws", "ftp", "foo"]),
    st.text(":/\\\t\n", min_size=1, max_size=5),
    st.text("a:@%&=; .\\", max_size=4),
    st.text("a:@%&=; .\\", max_size=4),
)
@example("foo", "//:\\", "", "")
@example("http", "\\/", "", "")
def test_no_user_or_password_that_the_parser_sees_is_shown(scheme: str, start: str, before: str, after: str) -> None:
    url = f"{scheme}:{start}{before}canary{after}@host.example/path"
    if ada_url.URL.can_parse(url):
        parsed = ada_url.URL(url)
        if "canary" in parsed.username + parsed.password:
            assert "canary" not in redact_url(url)


LABELS = st.sampled_from(["a", "b", "www", "evil-a", "com", "net", "xn--fa-hia"])
NAMES = st.lists(LABELS, min_size=1, max_size=4)
PORTS = st.sampled_from([80, 443, 8080])


@patient
@given(NAMES, st.booleans(), st.none() | PORTS, NAMES, st.booleans(), st.booleans(), PORTS)
@example(["a", "com"], True, None, ["a", "com"], False, False, 80)
def test_matching_compares_labels(
    entry: list[str], wildcard: bool, entry_port: int | None, host: list[str], dot: bool, shout: bool, port: int
) -> None:
    if wildcard and len(entry) == 1:
        entry = [*entry, "org"]
    text = "*." * wildcard + ".".join(entry) + ("" if entry_port is None else f":{entry_port}")
    name = ".".join(host) + "." * dot
    expected = "ok" if model.matches(entry, wildcard, entry_port, host, port) else "domain"
    assert verdict(f"http://{name.upper() if shout else name}:{port}/", rules(text)) == expected


@patient
@given(
    st.integers(0, 2**32 - 1)
    | st.builds(
        lambda head, tail: head << 16 | tail,
        st.sampled_from([0, 0x0A00, 0x7F00, 0xA9FE, 0xAC0F, 0xAC10, 0xAC1F, 0xAC20, 0xC0A8, 0x6440, 0x647F, 0x6480]),
        st.integers(0, 0xFFFF),
    )
)
@example(0xA9FEA9FE)
@example(0x646464C8)
@example(0xA83F8110)
@example(0xC00000C0)
def test_every_spelling_of_an_address_has_the_same_result(number: int) -> None:
    assert {verdict(f"http://{spelled}/", DENY) for spelled in model.spellings(number)} == {
        model.verdict_of_address(number)
    }


PIECES = st.sampled_from([*"htp:/\\@.?#%[]*aз①。-0x169\t\0 ", "http://", "about:blank"])


@patient
@given(st.text() | st.lists(PIECES, max_size=12).map("".join))
def test_any_text_is_either_canonical_or_refused_in_full(text: str) -> None:
    if verdict(text, OPEN) == "ok":
        href = check_url(text, OPEN)
        assert href == "about:blank" or href.startswith(("http://", "https://"))
        assert check_url(href, OPEN) == href
    else:
        assert {"reason", "url", "path", "expected", "got"} == set(refused(text, OPEN).details)


LONGEST_NAME = ".".join(["\u4e00" * 50] * 4)
TOO_LONG = "".join(chr(0x4E00 + one) for one in range(501))


@pytest.mark.parametrize("host", [TOO_LONG, "".join(f"%{byte:02x}" for byte in TOO_LONG.encode()), "%65" * 1001])
@pytest.mark.parametrize(
    "before", ["http://", "\thTTp:", "https:\\/\\\\", "h\nttp://user:a@b@", "file://", "view-source:ws://"]
)
def test_a_host_that_takes_long_is_refused_unparsed(monkeypatch: pytest.MonkeyPatch, before: str, host: str) -> None:
    monkeypatch.setattr("agentbrowser.policy.urls.ada_url", None)
    for behind in ("", ":80/x", "?", "#@a.com/"):
        assert verdict(f"{before}{host}{behind}", OPEN) == "syntax"
        assert host_of(f"{before}{host}{behind}") == ""
    with pytest.raises(InvalidParams):
        check_host(TOO_LONG, 80, OPEN, private_open=True)


def test_what_is_no_part_of_the_host_may_be_long() -> None:
    assert verdict(f"http://{LONGEST_NAME}/{TOO_LONG * 9}?a=http://{TOO_LONG}", OPEN) == "ok"
    escaped = LONGEST_NAME.encode().hex("%").replace("%2e%", ".%")
    assert check_url(f"http://%{escaped}/", OPEN) == check_url(f"http://{LONGEST_NAME}/", OPEN)
    assert host_of(f"http://{TOO_LONG}:{'%65' * 2000}@evil.com:80/") == "evil.com"
    assert host_of(f"blob:http://a:b@evil.com/{TOO_LONG}") == "evil.com"


def test_an_entry_is_parsed_into_its_parts() -> None:
    assert AllowlistEntry.parse("*.A.com:8080") == AllowlistEntry("a.com", subdomains=True, port=8080)
    assert AllowlistEntry.parse("[::1]") == AllowlistEntry(ip_address("::1"))
    assert AllowlistEntry.parse("0x7f.1") == AllowlistEntry(IPv4Address("127.0.0.1"))


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("https://a.com/", ""),
        ("https://user:secret@a.com/", ""),
        ("data:text/html,x", ""),
        ("blob:https://evil.com/1-2", ""),
        ("about:srcdoc", ""),
        ("no url", ""),
        ("https://b.com/?token=abc", "allowlist"),
        ("https://a.com:444/", "allowlist"),
        ("http://user:secret@b.com/", "allowlist"),
        ("http://127.0.0.1/", "allowlist"),
        ("http://169.254.169.254/", "metadata"),
        ("http://127.0.0.1:9222/", "self"),
    ],
)
def test_a_pages_own_navigation_is_checked_by_host(url: str, said: str) -> None:
    under = rules("a.com:443", "169.254.169.254")
    if not said:
        return check_destination(url, under)
    with pytest.raises((InvalidParams, DomainNotAllowed)) as caught:
        check_destination(url, under)
    assert caught.value.details.get("reason", "allowlist") == said
    assert "abc" not in str(caught.value.to_wire())
    assert "secret" not in str(caught.value.to_wire())
    return None


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("http://a.com/x", ("a.com", 80)),
        ("https://a.com", ("a.com", 443)),
        ("https://[::1]:8443/", ("[::1]", 8443)),
        ("ws://a.com/", ("", 0)),
        ("about:blank", ("", 0)),
        ("", ("", 0)),
    ],
)
def test_host_and_port_of_a_url(url: str, place: tuple[str, int]) -> None:
    assert place_of(url) == place


def test_the_script_that_evaluates_refuses_the_same_pages_of_the_browser() -> None:
    source = (Path(agentbrowser.__file__).parent / "browser/scripts/programs/evaluate.js").read_text(encoding="utf-8")
    (schemes,) = re.findall(r"BROWSERS_OWN = /\^\(\?:(.*)\):/;", source)
    assert tuple(f"{scheme}:" for scheme in schemes.split("|")) == urls._BROWSERS_OWN
