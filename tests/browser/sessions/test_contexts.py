"""Contexts from end to end: their settings as pages see them, their limits, and their ignorance of each other."""

import json
import time
from typing import Any

import pytest
import trio
import trio.testing

from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.methods import context, page
from agentbrowser.protocol import errors
from agentbrowser.protocol.registry import Scope
from agentbrowser.protocol.types.context import ContextOptions
from agentbrowser.protocol.types.page import Geolocation, Viewport
from tests.browser.shared_server import SharedServer
from tests.browser.site import Site
from tests.browser.storage_helpers import client_with, items, serve_report_page, text_of, text_once_there, visit

_SETTINGS = """<script>
const dark = matchMedia('(prefers-color-scheme: dark)').matches, zone = Intl.DateTimeFormat().resolvedOptions().timeZone
navigator.geolocation.getCurrentPosition(
  ({coords}) => document.body.append(JSON.stringify(
    [innerWidth, innerHeight, navigator.userAgent, navigator.language, zone, dark, coords.latitude, coords.longitude])),
  error => document.body.append(JSON.stringify(error.message)))
</script>"""


@pytest.fixture
def config() -> Config:
    return Config(port=0, scope=Scope.FULL, private_network="allow", drain_timeout_s=1)


async def ids(browser: Browser) -> list[str]:
    return [one.id for one in (await browser.call(context.list_contexts)).contexts]


async def create(browser: Browser, context_id: str | None = None, **options: Any) -> str:
    return (await browser.call(context.create, context_id=context_id, options=ContextOptions(**options))).context_id


async def open_page(browser: Browser, context_id: str | None, url: str | None = None) -> str:
    return (await browser.call(page.create, context_id=context_id, url=url)).id


async def test_pages_of_a_context_have_its_settings(browser: Browser, site: Site) -> None:
    await create(
        browser,
        "phone",
        viewport=Viewport(width=411, height=731),
        user_agent="Tester/1.0",
        locale="de-AT",
        timezone_id="Europe/Vienna",
        geolocation=Geolocation(latitude=48.2, longitude=16.4),
        color_scheme="dark",
    )
    page_id = await open_page(browser, "phone", site.html("/settings", _SETTINGS))
    found = await text_once_there(browser, page_id)
    assert json.loads(found) == [411, 731, "Tester/1.0", "de-AT", "Europe/Vienna", True, 48.2, 16.4]
    headers = site.seen[0].headers
    assert (headers["User-Agent"], headers["Accept-Language"].split(",")[0]) == ("Tester/1.0", "de-AT")
    assert (await browser.call(page.list_pages)).pages[0].context_id == "phone"


async def test_an_offline_context_reaches_nothing(browser: Browser, site: Site) -> None:
    await create(browser, "cabin", offline=True)
    with pytest.raises(errors.NavigationFailed) as caught:
        await open_page(browser, "cabin", site.html("/", "here"))
    assert caught.value.details["reason"] == "ERR_INTERNET_DISCONNECTED"
    assert site.seen == []
    await open_page(browser, None, site.url("/"))
    assert await text_of(browser) == "here"


async def test_permissions_are_granted(browser: Browser, site: Site) -> None:
    asking = "navigator.permissions.query({name: 'camera'}).then(is => document.body.append(is.state))"
    site.html("/", f"<script>{asking}</script>")
    await create(browser, "film", permissions=["camera"])
    for context_id, state in ((None, "prompt"), ("film", "granted")):
        assert await text_once_there(browser, await open_page(browser, context_id, site.url("/"))) == state


async def test_contexts_are_listed_as_they_were_made(browser: Browser) -> None:
    before_ms = time.time_ns() // 1_000_000
    assert (await browser.request("context/list"))["contexts"] == []
    secret = {"cookies": [{"name": "sid", "value": "canary", "domain": "example.com"}]}
    options = {"locale": "fr-FR", "timezone": "Europe/Paris", "storageState": secret}
    named = await browser.request("context/create", {"contextId": "Work-1", "options": options})
    ours = await browser.request("context/create")
    await open_page(browser, named["contextId"])
    await open_page(browser, named["contextId"])
    await open_page(browser, None)
    listed = await browser.request("context/list")
    assert "canary" not in str(listed)
    first, second, default = listed["contexts"]
    assert before_ms <= first.pop("created") <= second["created"] <= default["created"]
    assert first == {"id": "Work-1", "pageCount": 2, "options": {"locale": "fr-FR", "timezoneId": "Europe/Paris"}}
    assert (second["id"], second["pageCount"], "options" in second) == (ours["contextId"], 0, False)
    assert (default["id"], default["pageCount"]) == ("default", 1)
    assert listed["limits"] == {"maxContexts": 5, "currentCount": 3}


async def test_ids_are_one_of_a_kind(browser: Browser) -> None:
    ours = [await create(browser), await create(browser, "context-3"), await create(browser), await create(browser)]
    assert len(set(ours)) == 4
    with pytest.raises(errors.InvalidParams) as caught:
        await create(browser, "context-3")
    assert caught.value.details["path"] == "contextId"
    assert await ids(browser) == ours


@pytest.mark.parametrize("bad", ["", "a b", "ü", "a" * 65, "a/b", 7])
async def test_ids_have_a_form(browser: Browser, bad: Any) -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        await browser.request("context/create", {"contextId": bad})
    assert caught.value.details["path"] == "contextId"


async def test_the_limit_counts_every_context() -> None:
    async with client_with(max_contexts=2) as browser:
        await open_page(browser, None)
        await create(browser, "a")
        with pytest.raises(errors.ResourceLimitExceeded) as caught:
            await create(browser, "b")
        assert caught.value.details == {"resource": "contexts", "limit": 2, "current": 2}
        await browser.call(context.destroy, context_id="a")
        assert await create(browser, "b") == "b"
        await browser.call(context.destroy, context_id="default")
        await create(browser, "c")
        with pytest.raises(errors.ResourceLimitExceeded):
            await open_page(browser, None)


async def test_destroying_takes_the_pages_along(browser: Browser, site: Site) -> None:
    kept = await open_page(browser, None, site.html("/", "kept"))
    await create(browser, "gone")
    doomed = [await open_page(browser, "gone"), await open_page(browser, "gone", site.url("/"))]
    result = await browser.call(context.destroy, context_id="gone")
    assert result.pages_destroyed == 2
    listed = await browser.call(page.list_pages)
    assert ([one.id for one in listed.pages], listed.active_page) == ([kept], kept)
    assert await text_of(browser) == "kept"
    with pytest.raises(errors.PageNotFound):
        await text_of(browser, doomed[0])
    for call in (browser.call(context.destroy, context_id="gone"), open_page(browser, "gone")):
        with pytest.raises(errors.ContextNotFound) as caught:
            await call
        assert caught.value.details == {"contextId": "gone"}


async def test_what_runs_in_a_destroyed_context_ends(browser: Browser, site: Site) -> None:
    await create(browser, "gone")
    page_id = await open_page(browser, "gone")
    failed: list[errors.AgentBrowserError] = []

    async def load() -> None:
        try:
            await browser.call(page.navigate, url=site.hold("/silent"), page_id=page_id)
        except errors.AgentBrowserError as error:
            failed.append(error)

    with trio.fail_after(10):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(load)
            while "/silent" not in site.paths():  # noqa: ASYNC110 - a site on another thread
                await trio.sleep(0.01)
            await browser.call(context.destroy, context_id="gone")
    assert type(failed[0]) in (errors.TargetClosed, errors.NavigationFailed)


async def test_the_default_context_is_made_anew(browser: Browser, site: Site) -> None:
    url = serve_report_page(site)
    await browser.request("storage/setCookies", {"cookies": [{"name": "a", "value": "1", "url": url}]})
    assert (await visit(browser, url))["cookie"] == "a=1"
    assert (await browser.call(context.destroy, context_id="default")).pages_destroyed == 1
    assert await ids(browser) == []
    assert (await visit(browser, url))["cookie"] == ""
    assert await ids(browser) == ["default"]


async def test_an_id_may_come_again(browser: Browser, site: Site) -> None:
    url = serve_report_page(site)
    for value in ("1", "2"):
        await create(browser, "again")
        page_id = await open_page(browser, "again")
        cookies = [{"name": f"n{value}", "value": value, "url": url}]
        await browser.request("storage/setCookies", {"cookies": cookies, "contextId": "again"})
        assert (await visit(browser, url, page_id))["cookie"] == f"n{value}={value}"
        if value == "1":
            await browser.call(context.destroy, context_id="again")
    assert await ids(browser) == ["again"]


async def test_contexts_and_clients_share_no_storage(shared_server: SharedServer, browser: Browser, site: Site) -> None:
    url = serve_report_page(site)
    site.html(
        "/mark", "<script>document.cookie = 'who=me'; localStorage.who = 'me'; sessionStorage.who = 'me'</script>"
    )
    await browser.call(page.navigate, url=site.url("/mark"))
    nothing = {"cookie": "", "local": {}, "session": {}}
    await create(browser, "other")
    assert await visit(browser, url, await open_page(browser, "other")) == nothing
    async with shared_server.connect() as stranger:
        assert await ids(stranger) == []
        assert await visit(stranger, url) == nothing
        with pytest.raises(errors.ContextNotFound):
            await stranger.call(context.destroy, context_id="other")
        assert (await stranger.request("storage/getState"))["cookies"] == []
    assert await ids(browser) == ["default", "other"]


async def test_a_context_can_begin_with_storage(browser: Browser, site: Site) -> None:
    url = serve_report_page(site)
    state = {
        "cookies": [{"name": "c", "value": "1", "domain": "127.0.0.1", "path": "/"}],
        "origins": [{"origin": site.url(""), "localStorage": items(l="2"), "sessionStorage": items(s="3")}],
    }
    await browser.request("context/create", {"contextId": "full", "options": {"storageState": state}})
    assert site.seen == []
    page_id = await open_page(browser, "full")
    assert await visit(browser, url, page_id) == {"cookie": "c=1", "local": {"l": "2"}, "session": {"s": "3"}}


async def test_a_page_can_begin_with_storage_for_its_context(browser: Browser, site: Site) -> None:
    url = serve_report_page(site)
    await browser.request("storage/setCookies", {"cookies": [{"name": "old", "value": "1", "url": url}]})
    state = {
        "cookies": [{"name": "new", "value": "1", "url": url}],
        "origins": [{"origin": site.url(""), "sessionStorage": items(s="3")}],
    }
    await browser.request("page/create", {"url": url, "storageState": state})
    assert json.loads(await text_of(browser)) == {"cookie": "new=1", "local": {}, "session": {"s": "3"}}


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"timezoneId": "Mars/Base"}, "timezoneId"),
        ({"locale": "xx-bogus-zzzzzzzzzz"}, "locale"),
        ({"locale": "en\r\nX-Evil: 1"}, "locale"),
        ({"userAgent": "a\r\nX-Evil: 1"}, "userAgent"),
        ({"permissions": ["fly"]}, "permissions"),
        ({"viewport": {"width": 0, "height": 1}}, "viewport.width"),
        ({"geolocation": {"latitude": 91, "longitude": 0}}, "geolocation.latitude"),
        ({"colorScheme": "pink"}, "colorScheme"),
        ({"deviceScaleFactor": 0}, "deviceScaleFactor"),
        ({"offline": "yes"}, "offline"),
        ({"storageState": {"origins": [{"origin": "null"}]}}, "storageState.origins[0].origin"),
        ({"storageState": {"cookies": [{"name": "a", "value": "b"}]}}, "storageState.cookies[0].domain"),
        ({"storageState": {"origins": [{"origin": "http://169.254.169.254"}]}}, "storageState.origins[0].origin"),
    ],
)
async def test_a_setting_that_does_not_fit_makes_no_context(
    browser: Browser, options: dict[str, Any], path: str
) -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        await browser.request("context/create", {"contextId": "bad", "options": options})
    assert caught.value.details["path"] == f"options.{path}"
    if "timezoneId" in options:
        assert "options.timezoneId must be a timezone of IANA's" in str(caught.value)
    assert await ids(browser) == []
    assert await create(browser, "bad") == "bad"


async def test_launching_with_a_setting_that_does_not_fit(browser: Browser) -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        await browser.request("browser/launch", {"timezoneId": "Mars/Base"})
    assert caught.value.details["path"] == "timezoneId"
    await browser.request("browser/launch", {"timezoneId": "Asia/Tokyo"})
    listed = await browser.request("context/list")
    assert listed["contexts"][0]["options"] == {"timezoneId": "Asia/Tokyo"}


@pytest.mark.own_server  # in memory nothing but the server decides the order
async def test_a_context_can_be_used_before_it_is_there(browser: Browser, site: Site) -> None:
    url = site.html("/", "quick")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(create, browser, "soon")
        await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(open_page, browser, "soon", url)
    assert (await browser.call(page.list_pages)).pages[0].context_id == "soon"


async def test_a_cancelled_creation_leaves_nothing(browser: Browser) -> None:
    with trio.move_on_after(0.03):
        await create(browser, "cut", timezone_id="Asia/Tokyo")
    with trio.fail_after(10):
        if "cut" in await ids(browser):  # it was faster
            await browser.call(context.destroy, context_id="cut")
        assert await create(browser, "cut") == "cut"


async def test_a_popup_is_in_the_context_of_its_opener(browser: Browser, site: Site) -> None:
    site.html("/child", "child")
    await create(browser, "home")
    await open_page(browser, "home", site.html("/", "<script>open('/child')</script>"))
    with trio.fail_after(10):
        while len((await browser.call(page.list_pages)).pages) < 2:  # noqa: ASYNC110 - a page can't set our events
            await trio.sleep(0.02)
    (home,) = (await browser.call(context.list_contexts)).contexts
    assert (home.id, home.page_count) == ("home", 2)


@pytest.mark.parametrize("scope", [Scope.READONLY, Scope.STANDARD])
async def test_context_methods_that_change_need_the_scope_full(scope: Scope) -> None:
    async with client_with(scope=scope) as browser:
        assert await ids(browser) == []
        for method, params in (("context/create", {}), ("context/destroy", {"contextId": "default"})):
            with pytest.raises(errors.ScopeDenied) as caught:
                await browser.request(method, params)
            assert caught.value.details == {"method": method, "required": "full", "granted": scope.word}
        if scope is Scope.STANDARD:
            with pytest.raises(errors.ScopeDenied) as caught:
                await browser.request("page/create", {"storageState": {}})
            assert caught.value.details["method"] == "storage/setState"
        assert await ids(browser) == []
