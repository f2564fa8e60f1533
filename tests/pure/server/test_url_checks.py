"""Places in params are judged wherever they stand, and come out in the policy's own form."""

from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbrowser.methods import METHODS
from agentbrowser.policy.urls import UrlRules
from agentbrowser.protocol.codec import structure, unstructure
from agentbrowser.protocol.errors import DomainNotAllowed, InvalidParams
from agentbrowser.protocol.types.fields import url_checked
from agentbrowser.protocol.types.storage import Cookie, StorageItem, StorageState
from agentbrowser.server.corridor.url_checks import UrlChecks


def rules(*allowed: str) -> UrlRules:
    return UrlRules.compile(allowed_domains=allowed or None, private_network="allow", own_ports=[9222])


def judged(kind: Any, raw: dict[str, Any], *allowed: str) -> Any:
    return unstructure(UrlChecks(rules(*allowed), private_open=True).check(structure(kind, raw)))


@attrs.frozen(kw_only=True)
class Inner:
    """A place, and more of its kind below."""

    url: str | None = attrs.field(default=None, metadata=url_checked("url"))
    below: "list[Inner] | None" = None
    plain: str = ""


@attrs.frozen(kw_only=True)
class Outer:
    """Places in lists and nested."""

    inner: Inner = Inner()
    many: list[Inner] = attrs.field(factory=list)
    urls: list[str] | None = attrs.field(default=None, metadata=url_checked("url"))
    domain: str | None = attrs.field(default=None, metadata=url_checked("domain"))
    origin: str | None = attrs.field(default=None, metadata=url_checked("origin"))
    jar: str | None = attrs.field(default=None, metadata=url_checked("cookies"))


@pytest.mark.parametrize(
    ("field", "given", "read"),
    [
        ("urls", ["HTTP://A.com", "http://0x7f.1/a/../b"], ["http://a.com/", "http://127.0.0.1/b"]),
        ("origin", "HTTPS://Bücher.example:443/", "https://xn--bcher-kva.example"),
        ("origin", "http://[0:0::1]:80", "http://[::1]"),
        ("domain", ".EXAMPLE.com", ".example.com"),
        ("domain", "ex\u00adample.com", "example.com"),
        ("domain", "0x7f.1", "127.0.0.1"),
        ("domain", "[0:0::1]", "[::1]"),
        ("many", [{"plain": "x", "url": "http:a.com"}], [{"plain": "x", "url": "http://a.com/"}]),
        (
            "inner",
            {"plain": "ftp://a.com", "below": [{"plain": ""}]},
            {"plain": "ftp://a.com", "below": [{"plain": ""}]},
        ),
    ],
)
def test_places_come_out_canonical(field: str, given: Any, read: Any) -> None:
    assert judged(Outer, {field: given})[field] == read


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        ({"urls": ["http://a.com", "ftp://a.com"]}, "urls[1]"),
        ({"inner": {"url": "about:blank"}}, "inner.url"),
        ({"many": [{}, {"url": "http://u:p@a.com"}]}, "many[1].url"),
        ({"many": [{"below": [{"url": "http://a.com"}, {"url": "x"}]}]}, "many[0].below[1].url"),
        ({"inner": {"below": [{"below": [{"url": "http://169.254.169.254"}]}]}}, "inner.below[0].below[0].url"),
        ({"origin": "null"}, "origin"),
        ({"origin": "http://127.0.0.1:9222"}, "origin"),
        ({"origin": "http://a.com/?"}, "origin"),
        ({"domain": "a.com/b"}, "domain"),
        ({"domain": "u@a.com"}, "domain"),
        ({"domain": "a..com"}, "domain"),
        ({"domain": "..a.com"}, "domain"),
        ({"domain": ".metadata.google.internal"}, "domain"),
    ],
)
def test_a_refused_place_is_named(raw: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidParams) as caught:
        judged(Outer, raw)
    assert caught.value.details["path"] == path
    assert caught.value.details["reason"] in ("syntax", "scheme", "metadata", "self")


def test_the_allowlist_names_the_place_too() -> None:
    allowed = ("a.com:8080", "*.b.org")
    fine = {"urls": ["http://a.com:8080/"], "domain": "a.com", "origin": "http://x.b.org"}
    assert judged(Outer, fine, *allowed)["domain"] == "a.com"
    for raw, path in (
        ({"urls": ["http://a.com:8080", "http://a.com"]}, "urls[1]"),
        ({"domain": ".c.org"}, "domain"),
        ({"many": [{"url": "http://evilb.org"}]}, "many[0].url"),
    ):
        with pytest.raises(DomainNotAllowed) as caught:
            judged(Outer, raw, *allowed)
        assert caught.value.details["path"] == path


PRIVATE = {"urls": ["http://10.0.0.1/"], "domain": ".localhost", "origin": "http://127.0.0.1", "jar": "http://[::1]/"}


@pytest.mark.parametrize("field", PRIVATE)
def test_only_requests_of_private_hosts_need_an_open_private_network(field: str) -> None:
    asking = attrs.evolve(rules(), private="ask-first")
    params = structure(Outer, {field: PRIVATE[field]})
    assert UrlChecks(asking, private_open=True).check(params) == params
    closed = UrlChecks(asking, private_open=False)
    if field != "urls":
        assert closed.check(params) == params
        closed = UrlChecks(attrs.evolve(rules(), private="deny"), private_open=False)
    with pytest.raises(InvalidParams) as caught:
        closed.check(params)
    assert (caught.value.details["path"].partition("[")[0], caught.value.details["reason"]) == (field, "private")


@pytest.mark.parametrize("name", ["storage/setState", "context/create", "page/create"])
def test_no_method_takes_a_state_unjudged(name: str) -> None:
    state = {"origins": [{"origin": "http://evil.example"}]}
    raw: dict[str, dict[str, Any]] = {
        "storage/setState": {"state": state},
        "context/create": {"options": {"storageState": state}},
        "page/create": {"storageState": state},
    }
    with pytest.raises(DomainNotAllowed):
        judged(METHODS[name].params, raw[name], "good.example")


@given(st.lists(st.builds(StorageItem, name=st.text(max_size=5), value=st.text(max_size=5)), max_size=5))
def test_what_holds_no_place_stays_as_it_is(items: list[StorageItem]) -> None:
    state = structure(StorageState, {"origins": [{"origin": "http://a.com", "localStorage": unstructure(items)}]})
    assert UrlChecks(rules(), private_open=True).check(state).origins[0].local_storage == items


# Cookies


@pytest.mark.parametrize(
    ("given", "site", "secure"),
    [
        ({"domain": ".a.com"}, (".a.com", "/"), False),
        ({"domain": "a.com", "path": "/x", "secure": True}, ("a.com", "/x"), True),
        ({"url": "https://a.com"}, ("a.com", "/"), True),
        ({"url": "https://a.com/x/y?z=/"}, ("a.com", "/x"), True),
        ({"url": "https://a.com/x/", "path": "/other", "secure": False}, ("a.com", "/other"), False),
        ({"url": "http://[::1]:8080/x"}, ("[::1]", "/"), False),
    ],
)
def test_the_site_of_a_cookie(given: dict[str, Any], site: tuple[str, str], secure: bool) -> None:
    read = UrlChecks(rules(), private_open=True).check(structure(Cookie, {"name": "a", "value": "b", **given}))
    assert (read.site, read.is_secure) == (site, secure)


@pytest.mark.parametrize(
    "given",
    [
        {"name": ""},
        {"value": ""},
        {"name": "a b", "value": 'ü😀 ",x'},
        {"value": "v" * 4095},
        {"path": "/" + "a" * 1023},
        {"expires": -1},
        {"expires": 0.5},
        {"expires": 253_402_300_799},
        {"sameSite": "None", "secure": True},
        {"name": "__Secure-n", "secure": True},
        {"name": "__Host-Http-n", "secure": True, "httpOnly": True},
        {"name": "__hosted"},
    ],
)
def test_cookies_that_browsers_take(given: dict[str, Any]) -> None:
    assert structure(Cookie, {"name": "n", "value": "v", "domain": "a.com", **given}).invalid_field() is None
