"""Request interception: effects on the page and on the server."""

import asyncio
import base64
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest
import trio

from agentbrowser.browser.page import intercept
from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.methods import page
from agentbrowser.protocol import errors
from agentbrowser.protocol.registry import Scope
from agentbrowser.protocol.types.event import NetworkEvent
from agentbrowser.server.app import Server, open_server
from tests.browser.event_collector import EventCollector, collect_events
from tests.browser.shared_server import SharedServer
from tests.browser.site import Site

FETCH = """
<p id=out></p><script>
const say = text => out.textContent += text + ';'
fetch('/api', INIT).then(async answer => say([answer.status, answer.headers.get('x-made'), await answer.text()].join()),
                         error => say('failed'))
</script>
"""


async def add(browser: Browser, handler: str, *patterns: dict[str, Any], **more: Any) -> str:
    params = {"patterns": list(patterns) or [{"urlPattern": "**/api"}], "handler": handler, **more}
    return str((await browser.request("network/intercept", params))["interceptId"])


async def visit(browser: Browser, site: Site, init: str = "{}", **more: Any) -> None:
    await browser.call(page.navigate, url=site.html("/", FETCH.replace("INIT", init)), **more)


async def said(browser: Browser, page_id: str | None = None) -> str:
    """Return the page's report on its request, once it is there."""
    with trio.fail_after(20):
        while True:
            text = str((await browser.request("observe/content", {"format": "text", "pageId": page_id}))["content"])
            if ";" in text:
                return text.strip()
            await trio.sleep(0.02)


@contextlib.asynccontextmanager
async def asked(browser: Browser, site: Site, init: str = "{}") -> AsyncIterator[tuple[NetworkEvent, EventCollector]]:
    """Make an intercepted request in a page, and yield its event."""
    site.serve("/api", b"real")
    await add(browser, "callback")
    async with collect_events(browser, "network") as collector:
        await visit(browser, site, init)
        (caught,) = await collector.until(lambda event: event.type == "intercepted")
        yield caught, collector


async def test_aborted_requests_never_reach_the_server(browser: Browser, site: Site) -> None:
    await add(browser, "abort")
    async with collect_events(browser, "network") as collector:
        await visit(browser, site)
        assert await said(browser) == "failed;"
        (failed,) = await collector.until(lambda event: event.type == "failed")
    assert failed.error == "ERR_BLOCKED_BY_CLIENT"
    assert site.paths() == ["/"]


async def test_a_request_is_answered_in_the_server_s_place(browser: Browser, site: Site) -> None:
    response = {"status": 201, "headers": {"X-Made": "up"}, "body": "müde", "contentType": "text/plain; charset=utf-8"}
    await add(browser, "respond", response=response)
    await visit(browser, site)
    assert await said(browser) == "201,up,müde;"
    assert site.paths() == ["/"]


async def test_a_whole_document_is_mocked(browser: Browser, site: Site) -> None:
    body = base64.b64encode(b"<title>Made</title>").decode()
    headers = {"Content-Type": "text/html", "set-cookie": "a=1; path=/\nb=2"}
    await add(browser, "respond", {}, response={"body": body, "bodyEncoding": "base64", "headers": headers})
    result = await browser.call(page.navigate, url=site.url("/"))
    assert (result.title, result.status) == ("Made", 200)
    assert [cookie["name"] for cookie in (await browser.request("storage/getCookies"))["cookies"]] == ["a", "b"]
    state = {"cookies": [], "origins": [{"origin": site.url(""), "localStorage": [{"name": "a", "value": "1"}]}]}
    await browser.request("storage/setState", {"state": state})
    assert await browser.request("storage/getState") == state
    assert site.seen == []


PATTERNS: list[tuple[dict[str, str], bool]] = [
    ({}, True),
    ({"urlPattern": "**/nothing"}, False),
    ({"urlPattern": "**/api", "method": "post"}, True),
    ({"method": "GET", "resourceType": "fetch"}, False),
    ({"resourceType": "fetch"}, True),
    ({"resourceType": "image"}, False),
]


async def test_only_requests_that_match_the_pattern_are_aborted(browser: Browser, site: Site) -> None:
    site.serve("/api", b"real")
    for pattern, stopped in PATTERNS:
        await add(browser, "abort", {"urlPattern": "**/api", **pattern})
        await visit(browser, site, "{method: 'POST'}")
        assert await said(browser) == ("failed;" if stopped else "200,,real;"), pattern
        await browser.request("network/clear")


async def test_the_newest_rule_decides_and_cleared_rules_end(browser: Browser, site: Site) -> None:
    site.serve("/api", b"real")
    await add(browser, "abort")
    newer = await add(browser, "respond", response={"body": "made"})
    await visit(browser, site)
    assert await said(browser) == "200,,made;"
    await browser.request("network/clear", {"interceptId": newer})
    await visit(browser, site)
    assert await said(browser) == "failed;"
    await browser.request("network/clear")
    await visit(browser, site)
    assert await said(browser) == "200,,real;"


async def test_a_rule_is_for_all_pages_and_contexts_or_for_the_one_it_names(browser: Browser, site: Site) -> None:
    site.serve("/api", b"real")
    one = (await browser.request("page/create"))["id"]
    await add(browser, "abort", pageId=one)
    everywhere = await add(browser, "respond", response={"body": "made"}, contextId="default")
    context = (await browser.request("context/create"))["contextId"]
    elsewhere = (await browser.request("page/create", {"contextId": context}))["id"]
    two = (await browser.request("page/create"))["id"]
    for page_id, expected in ((one, "200,,made;"), (two, "200,,made;"), (elsewhere, "200,,real;")):
        await visit(browser, site, page_id=page_id)
        assert await said(browser, page_id) == expected
    await browser.request("network/clear", {"interceptId": everywhere})
    for page_id, expected in ((one, "failed;"), (two, "200,,real;")):
        await visit(browser, site, page_id=page_id)
        assert await said(browser, page_id) == expected
    await add(browser, "abort")
    await visit(browser, site, page_id=elsewhere)
    assert await said(browser, elsewhere) == "failed;"


async def test_a_client_s_rules_are_its_own(shared_server: SharedServer, site: Site) -> None:
    site.serve("/api", b"real")
    async with shared_server.connect() as one, shared_server.connect() as two:
        await add(one, "abort")
        await visit(two, site)
        assert await said(two) == "200,,real;"


# Asking the client


async def test_the_client_is_asked_whatever_its_subscriptions(browser: Browser, site: Site) -> None:
    await browser.request("events/unsubscribe", {"events": ["network", "console"]})
    site.serve("/api", b"real")
    async with collect_events(browser, "network") as collector:
        await browser.request("events/unsubscribe", {"events": ["network"]})
        await add(browser, "callback")
        await visit(browser, site)
        (caught,) = await collector.until(lambda event: True)
        await browser.request("network/continue", {"requestId": caught.request_id})
        assert await said(browser) == "200,,real;"
    assert [event.type for event in collector.events] == ["intercepted"]


async def test_the_event_of_a_paused_request_is_redacted_and_answered(browser: Browser, site: Site) -> None:
    async with asked(browser, site, "{method: 'POST', body: 'c4n4ry', headers: {authorization: 'c4n4ry'}}") as (
        caught,
        collector,
    ):
        assert (caught.url, caught.method, caught.resource_type) == (site.url("/api"), "POST", "fetch")
        assert caught.post_data == "[REDACTED]"
        assert "c4n4ry" not in str(caught)
        assert site.paths() == ["/"]  # it waits
        response = {"status": 404, "headers": {"X-Made": "up"}, "body": "none"}
        await browser.request("network/fulfill", {"requestId": caught.request_id, "response": response})
        assert await said(browser) == "404,up,none;"
        events = await collector.until(lambda event: event.request_id == caught.request_id, 3)
    assert {event.type for event in events} == {"request", "intercepted", "response"}
    assert site.paths() == ["/"]


async def test_a_redacted_value_that_comes_back_means_unchanged(browser: Browser, site: Site) -> None:
    init = "{method: 'POST', body: 'c4n4ry', headers: {authorization: 'c4n4ry', 'x-plain': 'a'}}"
    async with asked(browser, site, init) as (caught, _):
        assert caught.headers is not None
        assert caught.headers["authorization"] == "[REDACTED]"
        headers = {**caught.headers, "x-plain": "b", "X-Api-Key": "[REDACTED]"}
        overrides = {"headers": headers, "postData": caught.post_data, "url": caught.url}
        await browser.request("network/continue", {"requestId": caught.request_id, "overrides": overrides})
        assert await said(browser) == "200,,real;"
    (sent,) = [one for one in site.seen if one.path == "/api"]
    received = {name.lower(): value for name, value in sent.headers.items()}
    assert (received["authorization"], received["x-plain"], sent.body) == ("c4n4ry", "b", b"c4n4ry")
    assert "x-api-key" not in received


async def test_the_client_stops_a_request(browser: Browser, site: Site) -> None:
    async with asked(browser, site) as (caught, collector):
        await browser.request("network/abort", {"requestId": caught.request_id, "reason": "connectionrefused"})
        assert await said(browser) == "failed;"
        (failed,) = await collector.until(lambda event: event.type == "failed")
    assert failed.error == "ERR_CONNECTION_REFUSED"


async def test_the_client_changes_a_request(browser: Browser, site: Site) -> None:
    site.serve("/other", b"other")
    overrides = {
        "url": site.url("/other"),
        "method": "PUT",
        "headers": {"X-Changed": "yes"},
        "postData": "changed",
    }
    async with asked(browser, site, "{method: 'POST', body: 'x'}") as (caught, _):
        await browser.request("network/continue", {"requestId": caught.request_id, "overrides": overrides})
        assert await said(browser) == "200,,other;"
    seen = site.seen[-1]
    assert (seen.method, seen.path, seen.body) == ("PUT", "/other", b"changed")
    assert seen.headers["X-Changed"] == "yes"


async def test_a_paused_request_continues_after_the_timeout(
    browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intercept, "ANSWER_TIMEOUT_S", 0.2)
    async with asked(browser, site) as (caught, _):
        assert await said(browser) == "200,,real;"
        with pytest.raises(errors.InvalidParams):
            await browser.request("network/abort", {"requestId": caught.request_id})


async def test_a_request_goes_on_when_its_interception_is_cleared(browser: Browser, site: Site) -> None:
    async with asked(browser, site):
        await browser.request("network/clear")
        assert await said(browser) == "200,,real;"


async def test_a_request_is_answered_once_and_by_its_client_only(
    browser: Browser, shared_server: SharedServer, site: Site
) -> None:
    async with asked(browser, site) as (caught, _), shared_server.connect() as other:
        for client, times in ((other, 1), (browser, 2)):
            for _ in range(times):
                with contextlib.suppress(errors.InvalidParams):
                    await client.request("network/fulfill", {"requestId": caught.request_id, "response": {"body": "m"}})
            if client is other:
                assert site.paths() == ["/"]
        assert await said(browser) == "200,,m;"
        with pytest.raises(errors.InvalidParams) as caught_error:
            await browser.request("network/continue", {"requestId": caught.request_id})
        assert caught_error.value.details["path"] == "requestId"


async def test_a_changed_url_is_checked_like_any_other(browser: Browser, site: Site) -> None:
    async with asked(browser, site) as (caught, _):
        for url, reason in (
            ("http://169.254.169.254/latest", "metadata"),
            ("file:///etc/passwd", "scheme"),
            ("javascript:alert(1)", "scheme"),
            ("http://me:secret@127.0.0.1/", "syntax"),
            ("https://127.0.0.1/", None),
        ):
            with pytest.raises(errors.InvalidParams) as refused:
                await browser.request("network/continue", {"requestId": caught.request_id, "overrides": {"url": url}})
            assert refused.value.details["path"] == "overrides.url"
            assert refused.value.details.get("reason") == reason, url
        await browser.request("network/continue", {"requestId": caught.request_id})  # it waits on
        assert await said(browser) == "200,,real;"


async def test_a_changed_url_stays_within_the_allowlist(site: Site) -> None:
    config = Config(port=0, scope=Scope.PRIVILEGED, allowed_domains=("127.0.0.1",), drain_timeout_s=1)
    async with open_server(config) as server, server.connect() as browser, asked(browser, site) as (caught, _):
        params = {"requestId": caught.request_id, "overrides": {"url": "http://evil.test/"}}
        with pytest.raises(errors.DomainNotAllowed):
            await browser.request("network/continue", params)


async def test_a_page_that_goes_while_its_request_waits_harms_nothing(browser: Browser, site: Site) -> None:
    async with asked(browser, site) as (caught, _):
        await browser.request("page/close", {"pageId": caught.page_id})
        await browser.request("network/continue", {"requestId": caught.request_id})
        await browser.request("network/clear")
        await visit(browser, site)
        assert await said(browser) == "200,,real;"


async def test_a_window_that_opens_asks_before_it_is_a_page(browser: Browser, site: Site) -> None:
    popup = site.html("/popup", "popup")
    url = site.html("/", f"<a href='{popup}' target=_blank>open</a>")
    await browser.call(page.navigate, url=url)
    await add(browser, "callback", {"urlPattern": popup})
    async with collect_events(browser, "network", "page") as collector, trio.open_nursery() as nursery:
        nursery.start_soon(browser.request, "action/click", {"selector": {"type": "css", "value": "a"}})
        (caught,) = await collector.until(lambda event: event.type == "intercepted")
        await browser.request("network/continue", {"requestId": caught.request_id})
        (load,) = await collector.until(lambda event: event.type == "load")
        events = await collector.until(lambda event: getattr(event, "request_id", "") == caught.request_id, 3)
    assert (caught.page_id, load.url) == ("", popup)
    assert {(event.type, event.page_id) for event in events} == {
        ("intercepted", ""),
        ("request", load.page_id),
        ("response", load.page_id),
    }


async def test_rules_end_with_what_the_client_owns(browser: Browser, site: Site) -> None:
    site.serve("/api", b"real")
    await add(browser, "abort")
    await browser.request("browser/close")
    await visit(browser, site)
    assert await said(browser) == "200,,real;"


@pytest.mark.parametrize(
    ("method", "params", "path"),
    [
        ("network/intercept", {"patterns": [], "handler": "abort"}, "patterns"),
        ("network/intercept", {"patterns": [{}], "handler": "explode"}, "handler"),
        ("network/intercept", {"patterns": [{}], "handler": "respond"}, "response"),
        ("network/intercept", {"patterns": [{}], "handler": "abort", "response": {"status": 204}}, "response"),
        ("network/intercept", {"patterns": [{}], "handler": "callback", "response": {}}, "response"),
        ("network/intercept", {"patterns": [{}, {"urlPattern": "{a"}], "handler": "abort"}, "patterns[1].urlPattern"),
        (
            "network/intercept",
            {"patterns": [{"resourceType": "cookie"}], "handler": "abort"},
            "patterns[0].resourceType",
        ),
        (
            "network/intercept",
            {"patterns": [{}], "handler": "respond", "response": {"headers": {"a b": "c"}}},
            "response.headers",
        ),
        ("network/fulfill", {"requestId": "1", "response": {"headers": {"a": "b\nc: d"}}}, "response.headers.a"),
        (
            "network/fulfill",
            {"requestId": "1", "response": {"headers": {"Set-Cookie": "b\r\nc"}}},
            "response.headers.Set-Cookie",
        ),
        (
            "network/fulfill",
            {"requestId": "1", "response": {"headers": {f"h{number}": "" for number in range(201)}}},
            "response.headers",
        ),
        ("network/fulfill", {"requestId": "1", "response": {"status": 99}}, "response.status"),
        ("network/fulfill", {"requestId": "1", "response": {"body": "%", "bodyEncoding": "base64"}}, "response.body"),
        ("network/fulfill", {"requestId": "1", "response": {}}, "requestId"),
        ("network/abort", {"requestId": "request-1"}, "requestId"),
        ("network/abort", {"requestId": "1", "reason": "boredom"}, "reason"),
        ("network/continue", {"requestId": "1", "overrides": {"headers": {"": "x"}}}, "overrides.headers"),
        ("network/clear", {"interceptId": "intercept-9"}, "interceptId"),
    ],
)
async def test_an_invalid_rule_is_refused(browser: Browser, method: str, params: dict[str, Any], path: str) -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        await browser.request(method, params)
    assert caught.value.details["path"] == path


async def test_a_rule_for_an_unknown_page_or_context_is_refused(browser: Browser) -> None:
    with pytest.raises(errors.PageNotFound):
        await add(browser, "abort", pageId="page-9")
    with pytest.raises(errors.ContextNotFound):
        await add(browser, "abort", contextId="context-9")


async def test_interception_needs_scope_privileged() -> None:
    async with open_server(Config(port=0, scope=Scope.FULL, drain_timeout_s=1)) as server, server.connect() as browser:
        for name in ("intercept", "fulfill", "abort", "continue", "clear"):
            with pytest.raises(errors.ScopeDenied):
                await browser.request(f"network/{name}", {"patterns": [{}], "handler": "abort"})


async def test_a_request_without_an_answer_leaves_no_task_of_playwright(server: Server, site: Site) -> None:
    async def waiting() -> int:
        names = [getattr(task.get_coro(), "__qualname__", "") for task in asyncio.all_tasks()]
        return names.count("BrowserContext._on_route")

    async with server.connect() as browser, asked(browser, site):
        assert await server.portal.run(waiting)
    with trio.fail_after(20):  # the session ends before the request is answered
        while await server.portal.run(waiting) > 0:  # noqa: ASYNC110 - there is no event for it
            await trio.sleep(0.02)
