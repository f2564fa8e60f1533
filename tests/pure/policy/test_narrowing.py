"""A token's allowlist narrows the server's: nothing that the server refuses passes, whatever the token's list says."""

from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbrowser.policy.urls import UrlRules, check_address, check_host, read_allowlist
from agentbrowser.protocol.errors import InvalidParams
from tests.pure.policy.test_urls import DENY, OPEN, OWN_PORT, PORTS, patient, refused, rules, verdict


def narrowed(under: UrlRules, *domains: str) -> UrlRules:
    return under.narrowed(read_allowlist(domains))


@pytest.mark.parametrize(
    ("server", "token", "url", "expected"),
    [
        ((), ("a.com",), "http://a.com/", "ok"),
        ((), ("a.com",), "http://b.com/", "domain"),
        (("a.com", "b.com"), ("b.com", "c.com"), "http://b.com/", "ok"),
        (("a.com", "b.com"), ("b.com", "c.com"), "http://a.com/", "domain"),
        (("a.com", "b.com"), ("b.com", "c.com"), "http://c.com/", "domain"),
        (("*.a.com",), ("x.a.com",), "http://x.a.com/", "ok"),
        (("*.a.com",), ("x.a.com",), "http://y.a.com/", "domain"),
        (("x.a.com",), ("*.a.com",), "http://x.a.com/", "ok"),
        (("x.a.com",), ("*.a.com",), "http://y.a.com/", "domain"),
        (("a.com",), ("a.com:8080",), "http://a.com/", "domain"),
        (("a.com",), ("a.com:8080",), "http://a.com:8080/", "ok"),
        (("a.com:80",), ("a.com:8080",), "http://a.com/", "domain"),
        (("10.0.0.1",), ("10.0.0.1",), "http://10.0.0.1/", "ok"),
        (("*.lan.localhost",), ("x.lan.localhost",), "http://x.lan.localhost/", "private"),
        (("x.lan.localhost",), ("*.lan.localhost",), "http://x.lan.localhost/", "private"),
        ((), ("169.254.169.254",), "http://169.254.169.254/", "metadata"),
        ((), (f"127.0.0.1:{OWN_PORT}",), f"http://127.0.0.1:{OWN_PORT}/", "self"),
    ],
)
def test_a_host_must_be_in_both_allowlists(
    server: tuple[str, ...], token: tuple[str, ...], url: str, expected: str
) -> None:
    assert verdict(url, narrowed(rules(*server), *token)) == expected


def test_a_tokens_allowlist_opens_no_private_network() -> None:
    assert verdict("http://10.0.0.1/", narrowed(DENY, "10.0.0.1")) == "private"
    assert verdict("http://10.0.0.1/", narrowed(OPEN, "10.0.0.1"), private_open=False) == "private"
    assert verdict("http://10.0.0.1/", narrowed(OPEN, "10.0.0.1"), private_open=True) == "ok"
    leave = check_host("x.a.com", 80, narrowed(rules("*.a.com"), "x.a.com"), private_open=True)
    with pytest.raises(InvalidParams):
        check_address(ip_address("10.0.0.1"), leave, rules("*.a.com"))


HOSTS = st.lists(st.sampled_from(["a", "b"]), min_size=2, max_size=3)
ENTRIES = st.lists(
    st.builds(
        lambda wild, labels, port: "*." * wild + ".".join(labels) + port,
        st.booleans(),
        HOSTS,
        st.sampled_from(["", ":80"]),
    ),
    min_size=1,
    max_size=3,
)


@patient
@given(st.none() | ENTRIES, ENTRIES, HOSTS, PORTS, st.sampled_from(["allow", "ask-first", "deny"]), st.booleans())
def test_a_tokens_rules_never_allow_more_than_the_servers(
    server: list[str] | None, token: list[str], host: list[str], port: int, private: str, private_open: bool
) -> None:
    whole = rules(*(server or ()), private=private)
    url = f"http://{'.'.join(host)}:{port}/"
    in_both = verdict(url, whole) == verdict(url, narrowed(OPEN, *token)) == "ok"
    assert (verdict(url, narrowed(whole, *token)) == "ok") == in_both
    if in_both:
        asked = {"private_open": private_open}
        leave = check_host(".".join(host), port, narrowed(whole, *token), **asked)
        assert leave.private <= check_host(".".join(host), port, whole, **asked).private


@pytest.mark.parametrize(
    ("under", "hint"),
    [
        (narrowed(rules("*.x.localhost"), "*.x.localhost"), "--allowed-domains and among the domains of your token"),
        (narrowed(OPEN, "*.x.localhost"), "call page/navigate with one that is itself among the domains of your token"),
        (narrowed(DENY, "*.x.localhost"), "--private-network=ask-first"),
    ],
)
def test_the_hint_says_which_list_lacks_a_private_host(under: UrlRules, hint: str) -> None:
    assert hint in str(refused("http://y.x.localhost/", under).recovery_hint)
