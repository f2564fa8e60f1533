"""Storage from end to end: restored state in pages, saved state of pages, and refusals."""

import time
from typing import Any

import pytest
import trio
import trio.testing

from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.methods import page, storage
from agentbrowser.protocol import errors
from agentbrowser.protocol.registry import Scope
from agentbrowser.protocol.types.storage import Cookie, OriginState, StorageItem, StorageState
from agentbrowser.server.app import Server
from tests.browser.shared_server import SharedServer
from tests.browser.site import Site
from tests.browser.storage_helpers import client_with, items, serve_report_page, text_of, text_once_there, visit

NOTHING: dict[str, Any] = {"cookie": "", "local": {}, "session": {}}


@pytest.fixture
def config() -> Config:
    return Config(port=0, scope=Scope.FULL, private_network="allow", drain_timeout_s=1)


def cookie(name: str = "a", value: str = "1", **more: Any) -> dict[str, Any]:
    return {"name": name, "value": value, "domain": "127.0.0.1", "path": "/", **more}


async def state_of(browser: Browser, **params: Any) -> dict[str, Any]:
    state: dict[str, Any] = await browser.request("storage/getState", params)
    return state


async def set_state(browser: Browser, *cookies: Any, origins: Any = (), **params: Any) -> None:
    assert (
        await browser.request("storage/setState", {"state": {"cookies": cookies, "origins": origins}, **params}) == {}
    )


async def set_cookies(browser: Browser, *cookies: Any, **params: Any) -> None:
    assert await browser.request("storage/setCookies", {"cookies": cookies, **params}) == {}


async def cookies_of(browser: Browser, *urls: str, **params: Any) -> list[dict[str, Any]]:
    listed = await browser.request("storage/getCookies", {"urls": urls or None, **params})
    return sorted(listed["cookies"], key=lambda one: (one["name"], one["domain"]))


async def names_of(browser: Browser, *urls: str) -> list[str]:
    return [one["name"] for one in await cookies_of(browser, *urls)]


# The whole state


async def test_pages_find_the_state_that_was_set(browser: Browser, site: Site) -> None:
    url, other = serve_report_page(site), serve_report_page(site, host="localhost")
    here = {"origin": site.url(""), "localStorage": items(l="1"), "sessionStorage": items(s="2")}
    there = {"origin": site.url("", "localhost"), "localStorage": items(l="ü😀\u2028</script>", __proto__="p")}
    await set_state(browser, cookie(), cookie("b", domain="localhost"), origins=[here, there])
    assert site.seen == []
    listed = await browser.call(page.list_pages)
    assert (listed.pages, listed.active_page) == ([], None)
    assert await visit(browser, url) == {"cookie": "a=1", "local": {"l": "1"}, "session": {"s": "2"}}
    found = await visit(browser, other)
    assert (found["cookie"], found["session"]) == ("b=1", {})
    assert found["local"]["l"] == "ü😀\u2028</script>"


async def test_the_state_that_is_read_is_that_of_every_origin(browser: Browser, site: Site) -> None:
    keep = "<script>for (const [where, store] of Object.entries({localStorage, sessionStorage}))\n"
    keep += "store.at = where + location.pathname</script>"
    for path in ("/left", "/frame", "/twin"):
        site.html(path, keep)
    frame = site.url("/frame", "a.localhost")
    site.html("/open", f"{keep}<script>document.cookie = 'c=1'</script><iframe src={frame}></iframe>")
    await browser.call(page.navigate, url=site.url("/left", "localhost"))
    await browser.call(page.navigate, url=site.url("/open"))
    site.seen.clear()
    state = await state_of(browser)
    assert site.seen == []
    assert [(one["name"], one["value"]) for one in state["cookies"]] == [("c", "1")]
    assert {one.pop("origin"): one for one in state["origins"]} == {
        site.url("", "localhost"): {"localStorage": items(at="localStorage/left")},
        site.url(""): {
            "localStorage": items(at="localStorage/open"),
            "sessionStorage": items(at="sessionStorage/open"),
        },
        site.url("", "a.localhost"): {
            "localStorage": items(at="localStorage/frame"),
            "sessionStorage": items(at="sessionStorage/frame"),
        },
    }
    await browser.call(page.create, url=site.url("/twin"))
    session = {one["origin"]: one.get("sessionStorage") for one in (await state_of(browser))["origins"]}
    assert session[site.url("")] == items(at="sessionStorage/twin")


async def test_a_page_can_neither_change_nor_forge_the_state(browser: Browser, site: Site) -> None:
    lies = "Object.defineProperty(window, 'sessionStorage', {value: {length: 1e9, key: () => 'x', getItem: () => 'x'}})"
    breaks = "Storage.prototype.key = () => { throw 1 }; Array.prototype.push = String.prototype.at = () => 'x'"
    odd = "sessionStorage.half = '\\ud800'"
    await browser.call(
        page.navigate, url=site.html("/", f"<script>sessionStorage.a = 'b'; {odd}; {breaks}; {lies}</script>")
    )
    (origin,) = (await state_of(browser))["origins"]
    assert sorted((one["name"], one["value"]) for one in origin["sessionStorage"]) == [("a", "b"), ("half", "\ufffd")]


async def test_a_page_can_not_read_what_waits_for_another_origin(browser: Browser, site: Site) -> None:
    there = site.url("", "localhost")
    # The window of a frame's first, empty document stays when the frame's own document comes.
    forges = f"""<script>
const frame = document.createElement('iframe'), stolen = [];
frame.src = '/frame';
document.documentElement.append(frame);
const inner = frame.contentWindow;
inner.isEarly = true;
Object.defineProperty(inner, 'self', {{value: {{origin: '{there}'}}}});
Object.defineProperty(inner, 'origin', {{value: '{there}'}});
for (const area of ['sessionStorage', 'localStorage'])
  Object.defineProperty(inner, area, {{value: {{setItem: (name, value) => stolen.push(name + value)}}}});
frame.onload = () => {{ document.body.textContent = [frame.contentWindow.isEarly, ...stolen].join() }};
</script>"""
    site.html("/frame", "")
    await set_state(browser, origins=[{"origin": there, "sessionStorage": items(secret="1")}])
    await browser.call(page.navigate, url=site.html("/", forges))
    assert await text_once_there(browser) == "true"
    found = await visit(browser, serve_report_page(site, host="localhost"))
    assert found["session"] == {"secret": "1"}


async def test_documents_without_an_origin_keep_nothing(browser: Browser, site: Site) -> None:
    sandboxed = f"<iframe sandbox=allow-scripts src='{serve_report_page(site, '/in', 'a.localhost')}'></iframe>"
    strange = "<iframe srcdoc=hi></iframe><iframe src='data:text/html,hi'></iframe><iframe src='about:blank'></iframe>"
    await browser.call(page.navigate, url=site.html("/", sandboxed + strange))
    state = await state_of(browser)
    assert state == {"cookies": [], "origins": []}
    sown = [{"origin": site.url("", "a.localhost"), "sessionStorage": items(s="1")}]
    await set_state(browser, origins=sown)
    await browser.request("page/reload")
    assert await state_of(browser) == {"cookies": [], "origins": []}


async def test_a_state_can_be_carried_over(shared_server: SharedServer, browser: Browser, site: Site) -> None:
    marks = "localStorage.l = '2'; sessionStorage.s = '3'"
    part = "Secure; SameSite=None; Partitioned; Path=/"
    cookies = f"document.cookie = 'open=1; SameSite=Strict; max-age=9999'; document.cookie = 'part=1; {part}'"
    site.html("/frame", f"<script>document.cookie = 'framed=1; {part}'</script>")
    frame = site.url("/frame", "localhost")
    site.html("/login", f"<script>{marks}; {cookies}</script><iframe src='{frame}'></iframe>")
    site.pages["/login"][1]["Set-Cookie"] = "hidden=1; HttpOnly; Path=/"
    await browser.call(page.navigate, url=site.url("/login"))
    state = await browser.call(storage.get_state)
    async with shared_server.connect() as other:
        await other.call(storage.set_state, state=state)
        found = await visit(other, serve_report_page(site))
        assert found == {"cookie": "open=1; part=1", "local": {"l": "2"}, "session": {"s": "3"}}
        assert sorted(site.seen[-1].headers["Cookie"].split("; ")) == ["hidden=1", "open=1", "part=1"]
        again = await other.call(storage.get_state)
    assert again.origins == state.origins
    assert {one.name: one for one in again.cookies} == {one.name: one for one in state.cookies}
    keys = {one.name: (one.partition_key, one.has_cross_site_ancestor) for one in state.cookies}
    around = "http://127.0.0.1"
    assert keys == {"open": (None, None), "hidden": (None, None), "part": (around, False), "framed": (around, True)}


async def test_a_partitioned_cookie_is_for_its_own_site_or_for_what_is_embedded_there(browser: Browser) -> None:
    part: dict[str, Any] = {"secure": True, "sameSite": "None", "partitionKey": "https://a.example"}
    hosts = ("a.example", ".a.example", "w.a.example", "b.example", "ba.example")
    await set_cookies(browser, *(cookie("a", domain=host, **part) for host in hosts))
    await set_cookies(browser, cookie("b", domain="a.example", hasCrossSiteAncestor=True, **part))
    await set_cookies(browser, cookie("c", domain="a.example", _crHasCrossSiteAncestor=True, **part))  # of Playwright
    found = [(one["name"], one["domain"], one["hasCrossSiteAncestor"]) for one in await cookies_of(browser)]
    own = [("a", host, host in hosts[:3]) for host in sorted(hosts)]
    embedded = [(name, "a.example", True) for name in ("b", "c")]
    assert found == [*((name, host, not is_own) for name, host, is_own in own), *embedded]


async def test_setting_a_state_replaces_the_one_before(browser: Browser, site: Site) -> None:
    url, other = serve_report_page(site), serve_report_page(site, host="localhost")
    worker = "navigator.serviceWorker.register('/sw.js').then(() => document.body.append('ready'))"
    site.serve("/sw.js", b"onfetch = event => event.respondWith(fetch('/from-worker'))", Content_Type="text/javascript")
    stores = "indexedDB.open('db'); caches.open('c'); localStorage.old = sessionStorage.old = '1'"
    later = "<button onclick='localStorage.later = 1' aria-label=Later></button>"
    frame = site.html("/frame", f"<script>{stores}</script>").replace("127.0.0.1", "a.localhost")
    site.html("/app", f"<iframe src='{frame}'></iframe><script>{stores}; {worker}</script>{later}")
    for address in (site.url("/app"), site.url("/app", "localhost")):
        await browser.call(page.navigate, url=address)
        assert await text_once_there(browser) == "ready"
    await set_cookies(browser, cookie("old"), cookie("old", domain="localhost"))
    site.seen.clear()
    new = {"origin": site.url("", "localhost"), "localStorage": items(new="1"), "sessionStorage": items(new="2")}
    await set_state(browser, cookie("new"), origins=[new])
    assert site.seen == []
    assert await visit(browser, other) == {"cookie": "", "local": {"new": "1"}, "session": {"new": "2"}}
    page_id = (await browser.call(page.create)).id
    assert await visit(browser, url, page_id) == {"cookie": "new=1", "local": {}, "session": {}}
    assert "/from-worker" not in site.paths()
    assert (await state_of(browser))["origins"] == [new]
    names = "Promise.all([indexedDB.databases(), caches.keys()]).then"
    site.html("/frame", f"<script>{names}(all => parent.postMessage(all, '*'))</script>")
    inner = f"onmessage = got => {names}(all => document.body.append(JSON.stringify([...all, ...got.data])))"
    site.html("/names", f"<script>{inner}</script><iframe src='{frame}'></iframe>")
    await browser.call(page.navigate, url=site.url("/names"))
    assert await text_once_there(browser) == "[[],[],[],[]]"
    await browser.call(page.navigate, url=site.url("/app"))
    await set_state(browser)  # what an open page stores behind it, counts, too
    await browser.request("action/click", {"selector": {"type": "role", "role": "button", "name": "Later"}})
    assert [one["localStorage"] for one in (await state_of(browser))["origins"]] == [items(later="1")]
    await set_state(browser)
    assert await state_of(browser) == {"cookies": [], "origins": []}


async def test_session_storage_is_set_once_in_each_tab(browser: Browser, site: Site) -> None:
    url = serve_report_page(site)
    site.html("/logout", "<script>document.body.append(sessionStorage.s); delete sessionStorage.s</script>")
    here = (await browser.call(page.create, url=serve_report_page(site, "/here"))).id
    blank = (await browser.call(page.create)).id
    elsewhere = (await browser.call(page.create, url=serve_report_page(site, host="localhost"))).id
    await set_state(browser, origins=[{"origin": site.url(""), "sessionStorage": items(s="1")}])
    later = (await browser.call(page.create)).id
    for page_id in (here, blank, elsewhere, later):
        await browser.call(page.navigate, url=site.url("/logout"), page_id=page_id)
        assert await text_of(browser, page_id) == "1"
        for _ in range(2):
            assert (await visit(browser, url, page_id))["session"] == {}
        await browser.call(page.navigate, url=site.url("/report", "localhost"), page_id=page_id)
        assert (await visit(browser, url, page_id))["session"] == {}


async def test_seeds_that_wait_in_a_tab_are_replaced_too(browser: Browser, site: Site) -> None:
    url = serve_report_page(site)
    page_id = (await browser.call(page.create)).id
    for value in ("old", "new"):
        await set_state(browser, origins=[{"origin": site.url(""), "sessionStorage": items(**{value: "1"})}])
    assert (await visit(browser, url, page_id))["session"] == {"new": "1"}
    await set_state(browser)
    assert (await visit(browser, url, (await browser.call(page.create)).id))["session"] == {}


async def test_frames_get_their_session_storage_at_once(browser: Browser, site: Site) -> None:
    inner = serve_report_page(site, "/in", "a.localhost")
    await browser.call(page.navigate, url=site.html("/", f"<iframe src='{inner}'></iframe>"))
    theirs = {"origin": site.url("", "a.localhost"), "localStorage": [], "sessionStorage": items(s="1")}
    await set_state(browser, origins=[theirs])
    assert (await state_of(browser))["origins"] == [theirs]


async def test_entries_of_one_origin_are_merged(browser: Browser, site: Site) -> None:
    url = serve_report_page(site)
    spellings = [site.url("/"), f"http://0x7f.1:{site.port}"]
    origins = [{"origin": spelling, "localStorage": items(**{f"n{i}": "1"})} for i, spelling in enumerate(spellings)]
    await set_state(browser, origins=origins)
    assert (await visit(browser, url))["local"] == {"n0": "1", "n1": "1"}


async def test_as_much_as_a_browser_keeps_can_be_set(browser: Browser, site: Site) -> None:
    site.html("/", "<script>document.body.append(localStorage.x.length)</script>")
    full = {"origin": site.url(""), "localStorage": items(x="y" * (5 * 1024 * 1024 - 1))}
    await set_state(browser, origins=[full])
    await browser.call(page.navigate, url=site.url("/"))
    assert await text_of(browser) == str(5 * 1024 * 1024 - 1)


# What is refused

SECURE = {"secure": True}
BAD_COOKIES: list[tuple[dict[str, Any], str]] = [
    ({"domain": None}, "domain"),
    ({"url": "http://127.0.0.1/"}, "domain"),
    ({"domain": "a b.com"}, "domain"),
    ({"domain": "http://a.com"}, "domain"),
    ({"domain": "a.com:80"}, "domain"),
    ({"domain": "169.254.169.254"}, "domain"),
    ({"domain": "metadata.google.internal."}, "domain"),
    ({"domain": "."}, "domain"),
    ({"domain": None, "url": "file:///etc/passwd"}, "url"),
    ({"domain": None, "url": "about:blank"}, "url"),
    ({"domain": None, "url": "http://user:pw@a.com/"}, "url"),
    ({"name": "a=b"}, "name"),
    ({"name": " a"}, "name"),
    ({"name": 7}, "name"),
    ({"name": "", "value": ""}, "value"),
    ({"value": "a;b"}, "value"),
    ({"value": "a\nb"}, "value"),
    ({"value": "a "}, "value"),
    ({"value": "x" * 4096}, "value"),
    ({"path": "a"}, "path"),
    ({"path": "/a;b"}, "path"),
    ({"path": "/" * 1025}, "path"),
    ({"expires": 0}, "expires"),
    ({"expires": -2}, "expires"),
    ({"expires": 1e300}, "expires"),
    ({"expires": "tomorrow"}, "expires"),
    ({"sameSite": "lax"}, "sameSite"),
    ({"sameSite": "None"}, "secure"),
    ({"partitionKey": "https://a.com"}, "secure"),
    ({"hasCrossSiteAncestor": True}, "partitionKey"),
    *(({"partitionKey": key, **SECURE}, "partitionKey") for key in ("", "a.com", "https://a.com/b", "https://a.com:1")),
    ({"httpOnly": 1}, "httpOnly"),
    ({"name": "__Secure-a"}, "secure"),
    ({"name": "__HOST-a"}, "secure"),
    ({"name": "__Host-a", "domain": ".a.com", **SECURE}, "domain"),
    ({"name": "__Host-a", "path": "/b", **SECURE}, "path"),
    ({"name": "__Http-a", **SECURE}, "httpOnly"),
    ({"name": "", "value": "__Host-Http-a", **SECURE}, "httpOnly"),
]


async def test_one_bad_cookie_keeps_all_from_being_set(browser: Browser) -> None:
    for wrong, where in BAD_COOKIES:
        mixed = [cookie("good"), cookie(**wrong), cookie("fine")]
        with pytest.raises(errors.InvalidParams) as caught:
            await set_cookies(browser, *mixed)
        assert caught.value.details["path"] == f"cookies[1].{where}", wrong
        with pytest.raises(errors.InvalidParams) as caught:
            await set_state(browser, *mixed)
        assert caught.value.details["path"] == f"state.cookies[1].{where}", wrong
        assert "expected" in caught.value.details
        assert await cookies_of(browser) == [], wrong


BAD_ORIGINS: list[tuple[dict[str, Any], str]] = [
    ({"origin": "null"}, "origin"),
    ({"origin": ""}, "origin"),
    ({"origin": "about:blank"}, "origin"),
    ({"origin": "data:text/html,hi"}, "origin"),
    ({"origin": "file:///"}, "origin"),
    ({"origin": "javascript:alert(1)"}, "origin"),
    ({"origin": "chrome://version"}, "origin"),
    ({"origin": "blob:http://a.com/b"}, "origin"),
    ({"origin": "http://a.com/path"}, "origin"),
    ({"origin": "http://a.com?query"}, "origin"),
    ({"origin": "http://a.com/#/"}, "origin"),
    ({"origin": "http://169.254.169.254"}, "origin"),
    ({"origin": "http://[::ffff:a9fe:a9fe]"}, "origin"),
    ({}, "origin"),
    ({"origin": "http://a.com", "localStorage": {"a": "b"}}, "localStorage"),
    ({"origin": "http://a.com", "localStorage": [{"name": "a", "value": 1}]}, "localStorage[0].value"),
    ({"origin": "http://a.com", "localStorage": items(a="b" * 5 * 1024**2)}, "localStorage"),
    ({"origin": "http://a.com", "sessionStorage": items(a="b" * 5 * 1024**2)}, "sessionStorage"),
]


async def test_one_bad_origin_keeps_all_from_being_set(browser: Browser, site: Site) -> None:
    url = serve_report_page(site)
    await set_state(browser, cookie("before"), origins=[{"origin": site.url(""), "localStorage": items(l="before")}])
    good = {"origin": site.url(""), "localStorage": items(l="after")}
    for entry, where in BAD_ORIGINS:
        with pytest.raises(errors.InvalidParams) as caught:
            await set_state(browser, cookie("after"), origins=[good, entry])
        assert caught.value.details["path"] == f"state.origins[1].{where}", str(entry)[:80]
        assert site.seen == []
    found = await visit(browser, url)
    assert (found["cookie"], found["local"]) == ("before=1", {"l": "before"})


async def test_the_server_s_own_port_is_refused(server: Server, browser: Browser) -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        await set_state(browser, origins=[{"origin": f"http://127.0.0.1:{server.port}"}])
    assert (caught.value.details["reason"], caught.value.details["path"]) == ("self", "state.origins[0].origin")


async def test_too_many_are_refused(browser: Browser) -> None:
    cookies = [cookie(f"n{number}") for number in range(1001)]
    origins = [{"origin": f"http://h{number}.example"} for number in range(101)]
    for call, path in (
        (set_cookies(browser, *cookies), "cookies"),
        (set_state(browser, *cookies), "state.cookies"),
        (set_state(browser, origins=origins), "state.origins"),
        (cookies_of(browser, *["http://a.com"] * 101), "urls"),
    ):
        with pytest.raises(errors.InvalidParams) as caught:
            await call
        assert caught.value.details["path"] == path
    assert await cookies_of(browser) == []


async def test_the_allowlist_holds_for_every_url_of_a_state(site: Site) -> None:
    listed = (f"127.0.0.1:{site.port}", "*.allowed.example")
    async with client_with(allowed_domains=listed, private_network="allow") as browser:
        refused = [
            (
                set_state(browser, origins=[{"origin": site.url("")}, {"origin": "http://evil.example"}]),
                "origins[1].origin",
            ),
            (set_state(browser, cookie(), cookie(domain="evilallowed.example")), "cookies[1].domain"),
            (set_cookies(browser, cookie(), cookie(domain=".evil.example")), "cookies[1].domain"),
            (set_cookies(browser, {"name": "a", "value": "b", "url": "http://127.0.0.1:1/"}), "cookies[0].url"),
            (cookies_of(browser, site.url("/"), "http://evil.example"), "urls[1]"),
            (browser.request("storage/clearCookies", {"urls": ["http://evil.example"]}), "urls[0]"),
        ]
        for call, path in refused:
            with pytest.raises(errors.DomainNotAllowed) as caught:
                await call
            assert caught.value.details["path"].removeprefix("state.") == path
            assert "evil" in caught.value.details["domain"] or path == "cookies[0].url"
        assert await cookies_of(browser) == []
        await set_cookies(browser, cookie(), cookie("b", domain=".www.allowed.example"))
        assert (await visit(browser, serve_report_page(site)))["cookie"] == "a=1"


async def test_cookies_and_storage_of_private_hosts_can_be_set_before_the_first_navigation(site: Site) -> None:
    url = serve_report_page(site)
    state = {"origins": [{"origin": site.url(""), "localStorage": items(l="1")}]}
    async with client_with(private_network="ask-first") as browser:
        await browser.request("storage/setState", {"state": state})
        await set_cookies(browser, cookie(), {"name": "b", "value": "2", "url": url})
        assert [one["name"] for one in await cookies_of(browser, url)] == ["a", "b"]
        assert site.paths() == []
        seen = await visit(browser, url)
        assert (seen["cookie"], seen["local"]) == ("a=1; b=2", {"l": "1"})


async def test_cookies_and_storage_of_private_hosts_are_refused_where_the_operator_denies_them(site: Site) -> None:
    url = serve_report_page(site)
    state = {"origins": [{"origin": site.url(""), "localStorage": items(l="1")}]}
    async with client_with(private_network="deny") as browser:
        for call in (
            browser.request("storage/setState", {"state": state}),
            set_cookies(browser, cookie()),
            cookies_of(browser, url),
            browser.request("page/create", {"storageState": state}),
        ):
            with pytest.raises(errors.InvalidParams) as caught:
                await call
            assert caught.value.details["reason"] == "private"


# Cookies


async def test_cookies_are_read_as_they_were_set(browser: Browser) -> None:
    expires = float(round(time.time()) + 3600)
    rich: dict[str, Any] = {"path": "/app", "expires": expires, "httpOnly": True, "secure": True, "sameSite": "None"}
    await set_cookies(
        browser,
        cookie("rich", **rich),
        cookie("strict", sameSite="Strict", expires=-1),
        cookie("sub", domain=".Example.COM"),
        {"name": "url", "value": "1", "url": "https://bücher.example/shop/cart?x"},
        {"name": "", "value": "nameless", "domain": "example.com"},
        cookie("__Host-a", secure=True),
        cookie("six", domain="[::1]"),
    )
    found = {one["name"]: one for one in await cookies_of(browser)}
    assert found["rich"] == cookie("rich", **rich)
    assert found["strict"] == cookie("strict", sameSite="Strict", expires=-1, httpOnly=False, secure=False)
    assert (found["sub"]["domain"], found["sub"]["expires"]) == (".example.com", -1)
    url = found["url"]
    assert (url["domain"], url["path"], url["secure"]) == ("xn--bcher-kva.example", "/shop", True)
    assert (found[""]["path"], found["six"]["domain"]) == ("/", "[::1]")
    await set_cookies(browser, *found.values())
    assert {one["name"]: one for one in await cookies_of(browser)} == found


async def test_the_flags_of_cookies_hold(browser: Browser, site: Site) -> None:
    await set_cookies(
        browser,
        cookie("seen"),
        cookie("hidden", httpOnly=True),
        cookie("deep", path="/deep"),
        cookie("gone", expires=1),
        cookie("else", domain="localhost"),
    )
    assert (await visit(browser, serve_report_page(site)))["cookie"] == "seen=1"
    assert sorted(site.seen[-1].headers["Cookie"].split("; ")) == ["hidden=1", "seen=1"]
    await visit(browser, serve_report_page(site, "/deep/er"))
    assert "deep=1" in site.seen[-1].headers["Cookie"]


async def test_cookies_are_read_and_cleared_by_url(browser: Browser) -> None:
    partly = [cookie("deep", path="/deep"), cookie("safe", domain="example.com", secure=True, httpOnly=True)]
    await set_cookies(browser, cookie(), cookie("sub", domain=".example.com"), *partly)
    assert await names_of(browser) == ["a", "deep", "safe", "sub"]
    assert await names_of(browser, "http://127.0.0.1:81/x") == ["a"]
    assert await names_of(browser, "http://127.0.0.1/deep/x", "http://www.example.com") == ["a", "deep", "sub"]
    assert await names_of(browser, "https://EXAMPLE.com") == ["safe", "sub"]
    assert (await browser.request("storage/getCookies", {"urls": []}))["cookies"] == []
    for urls, left in (
        ([], ["a", "deep", "safe", "sub"]),
        (["http://127.0.0.1/"], ["deep", "safe", "sub"]),
        (["https://example.com/", "http://nobody.example"], ["deep"]),
        (None, []),
    ):
        assert await browser.request("storage/clearCookies", {"urls": urls}) == {}
        assert await names_of(browser) == left


async def test_a_page_never_misses_cookies_while_others_are_cleared(browser: Browser, site: Site) -> None:
    watch = "<script>let missed = 0\n"
    watch += "setInterval(() => document.body.textContent = missed += !document.cookie.includes('kept'), 0)</script>"
    await set_cookies(browser, cookie("kept"))
    await browser.call(page.navigate, url=site.html("/", watch))
    for _ in range(20):
        await set_cookies(browser, cookie("x", domain="other.example"))
        await browser.request("storage/clearCookies", {"urls": ["http://other.example"]})
    assert await names_of(browser) == ["kept"]
    assert await text_of(browser) == "0"


@pytest.mark.parametrize("method", ["getCookies", "clearCookies"])
async def test_urls_must_be_of_sites(browser: Browser, method: str) -> None:
    await set_cookies(browser, cookie())
    for bad in ("about:blank", "javascript:1", "127.0.0.1", "http://169.254.169.254/", 7):
        with pytest.raises(errors.InvalidParams) as caught:
            await browser.request(f"storage/{method}", {"urls": ["http://127.0.0.1/", bad]})
        assert caught.value.details["path"] == "urls[1]"
    assert await names_of(browser) == ["a"]


# Whose storage


async def test_the_context_is_the_one_named_or_that_of_the_page(browser: Browser) -> None:
    await browser.request("context/create", {"contextId": "work"})
    await set_cookies(browser, cookie("home"))
    await set_cookies(browser, cookie("work"), contextId="work")
    home = (await browser.call(page.create)).id
    work = (await browser.call(page.create, context_id="work")).id
    for params, name in (({}, "work"), ({"pageId": home}, "home"), ({"pageId": home, "contextId": "work"}, "work")):
        assert [one["name"] for one in (await state_of(browser, **params))["cookies"]] == [name]
    await browser.request("storage/clearCookies", {"pageId": work})
    assert await names_of(browser) == []
    assert [one["name"] for one in await cookies_of(browser, contextId="default")] == ["home"]
    for params, kind in (({"contextId": "none"}, errors.ContextNotFound), ({"pageId": "none"}, errors.PageNotFound)):
        with pytest.raises(kind):
            await state_of(browser, **params)
        with pytest.raises(kind):
            await set_state(browser, cookie("lost"), **params)


async def test_clients_do_not_see_each_others_storage(
    shared_server: SharedServer, browser: Browser, site: Site
) -> None:
    url = serve_report_page(site)
    async with shared_server.connect() as other:
        for client, name in ((browser, "mine"), (other, "theirs")):
            await set_state(client, cookie(name), origins=[{"origin": site.url(""), "localStorage": items(n=name)}])
        for client, name in ((browser, "mine"), (other, "theirs")):
            assert await visit(client, url) == {"cookie": f"{name}=1", "local": {"n": name}, "session": {}}
            assert [one["name"] for one in (await state_of(client))["cookies"]] == [name]
        await set_state(other)
        assert await visit(other, url) == NOTHING
    assert (await visit(browser, url))["cookie"] == "mine=1"


async def test_storage_requests_run_in_order_with_those_of_a_page(browser: Browser, site: Site) -> None:
    url, found = serve_report_page(site), []

    async def load() -> None:
        found.append(await visit(browser, url))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(set_state, browser, *[cookie(f"n{number}") for number in range(50)])
        await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(load)
    assert found[0]["cookie"].count("n") == 50


@pytest.mark.slow
async def test_page_that_waits_for_a_response_does_not_delay_the_storage(browser: Browser, site: Site) -> None:
    context_id = (await browser.request("context/create", {}))["contextId"]
    url, origin = serve_report_page(site), site.url("")
    await browser.request("page/create", {"contextId": context_id, "url": url})
    await set_state(browser, origins=[{"origin": origin, "sessionStorage": items(n="kept")}])
    await state_of(browser)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(visit, browser, site.hold("/never"))
        with trio.fail_after(30):
            while "/never" not in site.paths():  # noqa: ASYNC110 - the site gives no event
                await trio.sleep(0.01)
            for place in ({}, {"contextId": context_id}):
                await set_cookies(browser, cookie(), **place)
                assert [one["name"] for one in await cookies_of(browser, **place)] == ["a"]
                (kept,) = (await state_of(browser, **place))["origins"]
                assert kept["sessionStorage"] == items(n="kept")
                await browser.request("storage/clearCookies", place)
            for local in ({}, {"localStorage": items(l="1")}):
                late = {"origin": origin, "sessionStorage": items(n="late"), **local}
                await set_state(browser, cookie("late"), origins=[late])
        nursery.cancel_scope.cancel()
    with trio.fail_after(30):
        while await visit(browser, url) != {"cookie": "late=1", "local": {"l": "1"}, "session": {"n": "late"}}:
            pass


async def test_a_typed_client_can_do_it_all(browser: Browser, site: Site) -> None:
    local = [StorageItem(name="l", value="1")]
    mine = StorageState(
        cookies=[Cookie(name="a", value="1", domain="127.0.0.1", path="/", same_site="Lax")],
        origins=[OriginState(origin=site.url(""), local_storage=local)],
    )
    await browser.call(storage.set_state, state=mine)
    found = await browser.call(storage.get_state)
    assert found.origins == mine.origins
    assert (found.cookies[0].name, found.cookies[0].same_site, found.cookies[0].expires) == ("a", "Lax", -1)
    await browser.call(storage.clear_cookies)
    assert (await browser.call(storage.get_cookies)).cookies == []
    await browser.call(storage.set_cookies, cookies=mine.cookies)
    assert (await browser.call(storage.get_cookies, urls=[site.url("/")])).cookies == found.cookies


@pytest.mark.parametrize("scope", [Scope.READONLY, Scope.STANDARD])
async def test_each_storage_method_needs_the_scope_full(scope: Scope) -> None:
    calls: dict[str, dict[str, Any]] = {
        "getState": {},
        "setState": {"state": {}},
        "getCookies": {},
        "setCookies": {"cookies": []},
        "clearCookies": {},
    }
    async with client_with(scope=scope) as browser:
        for method, params in calls.items():
            with pytest.raises(errors.ScopeDenied) as caught:
                await browser.request(f"storage/{method}", params)
            assert caught.value.details["required"] == "full"
