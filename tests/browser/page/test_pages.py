"""Pages from end to end: a client, the server, a real Chromium, a site on loopback."""

import contextlib
import os
import signal
from typing import Any

import pytest
import trio
import trio.testing

from agentbrowser.browser.titles import MAX_TITLE_LENGTH
from agentbrowser.client import Browser
from agentbrowser.methods import emulate, page
from agentbrowser.protocol import errors
from agentbrowser.protocol.types.event import ConsoleEvent, PageEvent
from agentbrowser.protocol.types.page import Viewport
from agentbrowser.server.app import Server
from tests.browser.processes import browser_pid
from tests.browser.shared_server import SharedServer
from tests.browser.site import Site
from tests.browser.storage_helpers import text_of, text_once_there

CUT_OFF = {"Content-Length": "9999", "Connection": "close"}


async def pages(browser: Browser) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = (await browser.request("page/list"))["pages"]
    return listed


async def test_navigate_returns_where_the_page_is(browser: Browser, site: Site) -> None:
    url = site.html("/", "hello", title="Hello", X_Api_Key="canary", Set_Cookie="canary=1")
    result = await browser.call(page.navigate, url=url)
    assert (result.url, result.title, result.status) == (url, "Hello", 200)
    assert (result.headers or {})["x-api-key"] == "[REDACTED]"
    assert "canary" not in str(result)
    assert await text_of(browser) == "hello"


async def test_navigating_and_observing_in_one_request(browser: Browser, site: Site) -> None:
    url = site.html("/", "<button>One</button><button>Two</button>")
    result = await browser.request("page/navigate", {"url": url, "observe": {"maxElements": 1}})
    seen = result["observation"]
    assert [one["name"] for one in seen["interactiveElements"]] == ["One"]
    assert (seen["totalInteractiveElements"], seen["metadata"]["url"]) == (2, url)
    assert seen["nextCursor"]
    add = "document.body.insertAdjacentHTML('afterbegin', '<button>Three</button>')"
    await browser.request("script/evaluate", {"expression": add})
    again = await browser.request("agent/observe", {"incremental": True})
    assert [one["name"] for one in again["changes"]["added"]] == ["Three"]
    assert "observation" not in await browser.request("page/navigate", {"url": url})
    with pytest.raises(errors.InvalidParams) as caught:
        await browser.request("page/navigate", {"url": url, "observe": {"maxElements": 0}})
    assert caught.value.details["path"] == "observe.maxElements"


@pytest.mark.parametrize("after_s", [0.001, 0.01, 0.05, 0.1, 0.2])
async def test_a_cancelled_first_request_does_not_affect_the_next(browser: Browser, site: Site, after_s: float) -> None:
    with trio.move_on_after(after_s):
        await browser.call(page.navigate, url=site.hold("/silent"))
    url = site.html("/", "hello")
    assert (await browser.call(page.navigate, url=url)).url == url
    assert [one["url"] for one in await pages(browser)] == [url]


async def test_the_url_that_is_checked_is_the_url_that_is_loaded(browser: Browser, site: Site) -> None:
    site.html("/x", "there")
    result = await browser.call(page.navigate, url=f"http://0x7f.1:{site.port}/a/../x\t")
    assert result.url == site.url("/x")


async def test_a_failed_load_is_reported_and_the_next_one_works(browser: Browser, site: Site) -> None:
    for _ in range(3):
        with pytest.raises(errors.NavigationFailed) as caught:
            await browser.call(page.navigate, url="http://127.0.0.1:1/")
        assert caught.value.details["reason"].startswith("ERR_")
    for method, params in (("page/navigate", {"url": site.html("/cut", "half", **CUT_OFF)}), ("page/reload", {})):
        with pytest.raises(errors.NavigationFailed, match="cut off: ERR_CONTENT_LENGTH_MISMATCH"):
            await browser.request(method, params)
        await browser.request("page/waitFor", {"text": "half"})
    assert (await browser.call(page.navigate, url=site.html("/", "ok"))).status == 200


async def test_an_error_page_is_a_page(browser: Browser, site: Site) -> None:
    assert (await browser.call(page.navigate, url=site.url("/missing"))).status == 404


async def test_a_silent_server_ends_in_timeout_and_the_page_works_at_once(browser: Browser, site: Site) -> None:
    with pytest.raises(errors.Timeout) as caught:
        await browser.call(page.navigate, url=site.hold("/silent"), timeout_ms=500)
    assert caught.value.details == {"timeout": 500, "method": "page/navigate"}
    with trio.fail_after(20):
        await text_of(browser)
        assert (await browser.call(page.navigate, url=site.html("/", "ok"))).status == 200


async def test_a_cancelled_navigation_stops_and_the_page_works_at_once(browser: Browser, site: Site) -> None:
    with trio.move_on_after(0.3) as scope:
        await browser.call(page.navigate, url=site.hold("/silent"))
    assert scope.cancelled_caught
    with trio.fail_after(20):
        assert (await browser.call(page.navigate, url=site.html("/", "ok"))).status == 200


async def test_back_and_forward_move_in_the_history_and_stop_at_its_ends(browser: Browser, site: Site) -> None:
    one, two = site.html("/1", "one", title="One"), site.html("/2", "two", title="Two")
    assert (await browser.call(page.go_back)).navigated is False
    await browser.call(page.navigate, url=one)
    await browser.call(page.navigate, url=two)
    back = await browser.call(page.go_back)
    assert (back.url, back.title, back.navigated) == (one, "One", True)
    forward = await browser.call(page.go_forward)
    assert (forward.url, forward.title, forward.navigated) == (two, "Two", True)
    assert (await browser.call(page.go_forward)).navigated is False
    site.html("/2", "changed")
    assert (await browser.call(page.reload)).navigated is True
    assert await text_of(browser) == "changed"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_history_of_a_frame_moves_the_frame(browser: Browser, site: Site, host: str) -> None:
    site.html("/inner/1", "<a href=/inner/2>on</a>")
    site.html("/inner/2", "two")
    frame = site.url("/inner/1", host)
    top = site.html("/top", f"<iframe id=f src={frame}></iframe>")
    await browser.call(page.navigate, url=top)
    await browser.request("frame/switch", {"selector": "#f"})
    await browser.request("action/click", {"selector": "a"})
    await browser.request("frame/main", {})
    with trio.fail_after(20):
        for move, path in ((page.go_back, "/inner/1"), (page.go_forward, "/inner/2"), (page.go_back, "/inner/1")):
            moved = await browser.call(move)
            assert (moved.url, moved.navigated) == (top, True)
            frames = (await browser.request("frame/list", {}))["frames"]
            assert frames[1]["url"] == site.url(path, host)


async def test_a_created_page_is_listed_as_active_with_its_options(browser: Browser, site: Site) -> None:
    url = site.html(
        "/",
        "<script>const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;"
        "document.body.append(navigator.userAgent, innerWidth, zone)</script>",
    )
    first = await browser.call(page.create)
    second = await browser.call(
        page.create, url=url, viewport=Viewport(width=500, height=400), user_agent="robot/1", timezone="Asia/Tokyo"
    )
    assert (second.url, second.status, second.viewport) == (url, "ready", Viewport(width=500, height=400))
    assert await text_of(browser) == "robot/1500Asia/Tokyo"
    assert site.seen[0].headers["User-Agent"] == "robot/1"
    listed = await browser.call(page.list_pages)
    assert [one.id for one in listed.pages] == [first.id, second.id]
    assert listed.active_page == second.id


async def test_options_that_the_browser_does_not_know_open_no_page(browser: Browser, site: Site) -> None:
    for name, value in (("userAgent", "a\r\nX-Evil: 1"), ("timezone", "Mars/Base"), ("permissions", ["fly"])):
        with pytest.raises(errors.InvalidParams) as caught:
            await browser.request("page/create", {"url": site.html("/", "x"), name: value})
        assert caught.value.details["path"] == name
    assert (await browser.call(page.list_pages)).pages == []
    assert site.paths() == []
    # Playwright kept the unknown permission, and each later grant was an internal error.
    await browser.call(emulate.set_geolocation, latitude=1, longitude=2)


async def test_a_page_that_can_not_be_loaded_is_not_left_behind(browser: Browser, site: Site) -> None:
    kept = await browser.call(page.create, url=site.html("/", "kept"))
    with pytest.raises(errors.NavigationFailed):
        await browser.call(page.create, url="http://127.0.0.1:1/")
    listed = await browser.call(page.list_pages)
    assert [one.id for one in listed.pages] == [kept.id]
    assert listed.active_page == kept.id
    assert await text_of(browser) == "kept"


async def test_the_number_of_pages_is_limited(browser: Browser, server: Server) -> None:
    for _ in range(server.config.max_pages):
        await browser.call(page.create)
    with pytest.raises(errors.ResourceLimitExceeded) as caught:
        await browser.call(page.create)
    assert caught.value.details == {"resource": "pages", "limit": 10, "current": 10}


async def test_closing_a_page_makes_the_one_before_active(browser: Browser, site: Site) -> None:
    first = await browser.call(page.create, url=site.html("/1", "one"))
    second = await browser.call(page.create, url=site.html("/2", "two"))
    await browser.call(page.close, page_id=second.id)
    assert await text_of(browser) == "one"
    assert (await browser.call(page.list_pages)).active_page == first.id
    with pytest.raises(errors.PageNotFound) as caught:
        await browser.call(page.activate, page_id=second.id)
    assert caught.value.details == {"pageId": second.id}


async def test_a_page_can_be_activated(browser: Browser, site: Site) -> None:
    first = await browser.call(page.create, url=site.html("/1", "one"))
    await browser.call(page.create, url=site.html("/2", "two"))
    await browser.call(page.activate, page_id=first.id)
    assert await text_of(browser) == "one"


async def test_pipelined_requests_happen_in_order_from_the_first_page_on(browser: Browser, site: Site) -> None:
    log = "<input id=i><button onclick=\"fetch('/log?' + document.querySelector('input').value)\">b</button>"
    url = site.html("/", log)
    site.html("/log", "")
    async with trio.open_nursery() as nursery:

        async def send(name: str, **params: Any) -> None:
            await browser.request(name, params)

        async def pipeline(name: str, **params: Any) -> None:
            nursery.start_soon(lambda: send(name, **params))
            await trio.testing.wait_all_tasks_blocked(0.001)

        await pipeline("page/navigate", url=url)
        for number in range(5):
            await pipeline("action/fill", selector={"type": "css", "value": "#i"}, value=str(number))
            await pipeline("action/click", selector={"type": "css", "value": "button"})
    with trio.fail_after(20):  # a click is over before what it has sent is there
        while len(logged := sorted(path for path in site.paths() if path.startswith("/log"))) < 5:
            assert len(await pages(browser)) == 1
    assert logged == [f"/log?{n}" for n in range(5)]
    assert len(await pages(browser)) == 1


async def test_a_client_sees_only_its_own_pages(shared_server: SharedServer, site: Site) -> None:
    url = site.html("/", "<script>document.cookie = document.cookie ? 'seen=1' : 'first=1'</script>")
    async with shared_server.connect() as one, shared_server.connect() as two:
        mine = await one.call(page.create, url=url)
        other = await two.call(page.create, url=url)
        assert [one["id"] for one in await pages(two)] == [other.id] != [mine.id]
        await one.call(page.close, page_id=mine.id)
        assert await pages(one) == []
        assert len(await pages(two)) == 1
        cookies = {request.headers.get("Cookie") for request in site.seen}
        assert cookies == {None}


async def test_pages_are_gone_when_the_client_is(shared_server: SharedServer, site: Site) -> None:
    async with shared_server.connect() as browser:
        await browser.call(page.create, url=site.html("/", "x"))
    async with shared_server.connect() as browser:
        assert await pages(browser) == []


async def test_page_events_are_reported_in_order(browser: Browser, site: Site) -> None:
    url = site.html("/", "<script>console.log('hi', 5); setTimeout(() => { throw Error('oops') })</script>")
    async with browser.events("page", "console") as events:
        created = await browser.call(page.create, url=url)
        received = []
        async for event in events:
            assert isinstance(event, PageEvent | ConsoleEvent)
            received.append((event.kind, event.type))
            assert event.page_id == created.id
            if {("page", "load"), ("console", "error")} <= set(received):
                break
    assert received[0] == ("page", "created")
    assert ("console", "log") in received
    assert received.index(("page", "navigated")) < received.index(("page", "load"))


async def test_a_popup_is_a_page(browser: Browser, site: Site) -> None:
    url = site.html("/", "<a href=/popup target=_blank>open</a>")
    site.html("/popup", "popup", title="Popup")
    opener = await browser.call(page.create, url=url)
    clicked = await browser.request("action/click", {"selector": {"type": "text", "value": "open"}})
    listed = await browser.call(page.list_pages)
    popup = listed.pages[1]
    assert clicked["newPages"] == [{"pageId": popup.id, "url": site.url("/popup"), "title": "Popup"}]
    assert popup.opener == opener.id
    assert listed.active_page == opener.id
    await browser.call(page.activate, page_id=popup.id)
    assert await text_once_there(browser) == "popup"


async def test_a_page_is_loading_until_its_document_has_loaded_and_never_within_it(
    browser: Browser, site: Site
) -> None:
    script = "history.pushState(0, '', '/pushed')"
    late = f"<img src='{site.hold('/late.png')}'><a href=#part onclick=\"{script}\">go</a>"
    await browser.call(page.create, url=site.html("/", "before"))

    async def status_after(method: str, **params: Any) -> str:
        await browser.request(method, params)
        (listed,) = (await browser.call(page.list_pages)).pages
        return listed.status

    async with browser.events("page") as events:
        assert await status_after("page/navigate", url=site.html("/next", late), waitUntil="commit") == "loading"
        assert await status_after("action/click", selector="a") == "loading"
        site.held["/late.png"].set()
        with trio.fail_after(20):
            while (event := await anext(events)).type != "load" or event.url != site.url("/pushed#part"):
                pass
    assert await status_after("action/click", selector="a") == "ready"


@pytest.mark.parametrize(
    ("opens", "text"),
    [
        ("window.open('javascript:1')", ""),
        ("window.open('javascript:`<p>written`')", "written"),
        ("window.open('data:text/html,x')", ""),
        ("const w = window.open('javascript:1'); w.document.write('<p>written'); w.document.close()", "written"),
    ],
    ids=["script", "text of a script", "data", "written"],
)
async def test_a_popup_without_a_document_is_listed(browser: Browser, site: Site, opens: str, text: str) -> None:
    opener = await browser.call(page.create, url=site.html("/", f'<button onclick="{opens}">open</button>'))
    clicked = await browser.request("action/click", {"selector": {"type": "css", "value": "button"}})
    (popup,) = [one for one in (await browser.call(page.list_pages)).pages if one.id != opener.id]
    assert (clicked["newPages"][0]["pageId"], popup.opener, popup.url) == (popup.id, opener.id, "about:blank")
    with trio.fail_after(20):
        while await text_of(browser, page_id=popup.id) != text:  # put back right after it is listed
            pass


async def test_a_popup_that_is_closed_at_once_is_reported(browser: Browser, site: Site) -> None:
    opener = await browser.call(page.create, url=site.html("/", "opener"))
    site.html("/popup", "popup")
    async with browser.events("page") as events:
        for _ in range(3):
            script = "const one = window.open('/popup'); one.close(); 0"
            await browser.request("script/evaluate", {"expression": script})
            with trio.fail_after(20):
                while (created := await anext(events)).type != "created":
                    pass
                while (closed := await anext(events)).type != "close":
                    pass
            assert (created.opener, closed.page_id) == (opener.id, created.page_id)
            with pytest.raises(errors.PageNotFound, match="was closed"):
                await text_of(browser, page_id=created.page_id)
    assert [one["id"] for one in await pages(browser)] == [opener.id]


async def test_popups_without_a_document_count_as_pages(browser: Browser, site: Site) -> None:
    await browser.call(page.create, url=site.html("/", "opener"))
    async with browser.events("page") as events:
        script = "for (let i = 0; i < 12; i++) window.open('javascript:1'); 0"
        await browser.request("script/evaluate", {"expression": script})
        with trio.fail_after(20):
            refused = 0
            async for event in events:
                refused += "10 pages are open" in str(event.reason)
                if refused == 3:
                    break
    assert len(await pages(browser)) == 10


async def test_pages_of_other_processes_are_seen_as_well(browser: Browser, site: Site) -> None:
    site.html("/", "here")
    for number in range(4):
        host = ("127.0.0.1", "localhost")[number % 2]
        await browser.call(page.navigate, url=site.url("/", host))
        assert await text_of(browser) == "here"
        await browser.request("agent/observe")


async def test_a_page_that_is_closed_while_it_navigates_is_gone(browser: Browser) -> None:
    for _ in range(4):
        created = await browser.call(page.create)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_ignoring, browser, "page/navigate", {"url": "about:blank", "pageId": created.id})
            await trio.sleep(0.001)
            await browser.call(page.close, page_id=created.id)
        assert await pages(browser) == []


async def _ignoring(browser: Browser, method: str, params: dict[str, Any]) -> None:
    with contextlib.suppress(errors.AgentBrowserError):
        await browser.request(method, params)


async def test_a_page_whose_creation_is_cancelled_never_becomes_active(browser: Browser, site: Site) -> None:
    await browser.call(page.create, url=site.html("/", "kept"))
    with trio.move_on_after(0.02):
        await browser.call(page.create, url=site.hold("/silent"))
    assert await text_of(browser) == "kept"
    with trio.fail_after(20):
        while len(await pages(browser)) > 1:  # noqa: ASYNC110 - to ask is the way to know
            await trio.sleep(0.01)


async def test_nothing_that_is_being_created_outlives_the_session(browser: Browser) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_ignoring, browser, "page/create", {})
        await trio.testing.wait_all_tasks_blocked(0.001)
        await browser.request("shutdown")
    await browser.request("initialize")
    assert (await browser.request("page/list")) == {"pages": []}


async def test_a_long_title_is_cut_in_the_page(browser: Browser, site: Site) -> None:
    html = "<script>document.title = 'x'.repeat(1e6)</script>"
    assert (await browser.call(page.navigate, url=site.html("/long", html))).title == "x" * MAX_TITLE_LENGTH


async def test_a_title_is_that_of_the_document_which_has_just_loaded(browser: Browser, site: Site) -> None:
    late = "<script>onload = () => { document.title = `${document.title} at last` }</script>"
    for title, html, reported in (
        ("One", "", "One"),
        ("", "<p>without one", ""),
        ("Two", late, "Two at last"),
        ("127.0.0.1 is home", "", "127.0.0.1 is home"),
        ("L" * 5000, "", "L" * 5000),
    ):
        url = site.html("/changing%20page", html, title=title)
        assert (await browser.call(page.navigate, url=url)).title == reported
        assert (await browser.call(page.reload)).title == reported


async def test_a_title_that_is_the_end_of_the_address_is_a_title(browser: Browser, site: Site) -> None:
    for path, title in (("/my/page", "page"), ("/untitled", "")):
        url = site.html(path, "x", title=title)
        assert (await browser.call(page.create, url=url)).title == title
        assert (await browser.call(page.navigate, url=url)).title == title


async def test_a_sequence_may_be_the_first_request_and_begin_with_a_condition(browser: Browser) -> None:
    body = {"type": "css", "value": "body"}
    step = {
        "action": "action/scroll",
        "params": {"selector": body},
        "condition": {"selector": body, "state": "exists"},
    }
    assert (await browser.request("agent/act", {"steps": [step]}))["results"][0]["success"] is True


async def test_step_results_are_returned_when_the_final_observation_fails(browser: Browser, site: Site) -> None:
    site.html("/popup", "<button onclick='window.close()'>x</button>")
    await browser.call(page.create, url=site.html("/", "<button onclick='window.open(`/popup`)'>x</button>"))
    button = {"selector": {"type": "css", "value": "button"}}
    popup = (await browser.request("action/click", button))["newPages"][0]["pageId"]
    steps = [{"action": "action/click", "params": button}]
    result = await browser.request("agent/act", {"pageId": popup, "steps": steps, "postObserve": True})
    assert len(result["results"]) == 1
    assert "postObservation" not in result


@pytest.mark.slow
async def test_a_killed_browser_is_reported_and_the_next_request_gets_another(
    browser: Browser, server: Server, site: Site
) -> None:
    await browser.call(page.create, url=site.html("/", "x"))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_fails, browser, site.hold("/silent"))
        with trio.fail_after(20):
            while "/silent" not in site.paths():  # noqa: ASYNC110 - the site is another thread
                await trio.sleep(0.01)
        os.kill(browser_pid(server.engine), signal.SIGKILL)
    with trio.fail_after(20):
        while await pages(browser):  # noqa: ASYNC110 - to ask is the way to know
            await trio.sleep(0.01)
    assert (await browser.call(page.navigate, url=site.html("/", "again"))).status == 200
    assert await text_of(browser) == "again"


async def _fails(browser: Browser, url: str) -> None:
    with pytest.raises((errors.TargetClosed, errors.BrowserNotLaunched)):
        await browser.call(page.navigate, url=url)
