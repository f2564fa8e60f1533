"""Network events: one id per request, redaction, and subscriptions."""

import pytest

from agentbrowser.client import Browser
from agentbrowser.methods import page
from agentbrowser.protocol.types.event import NetworkEvent
from tests.browser.event_collector import EventCollector, collect_events
from tests.browser.site import Site

CANARY = "c4n4ry"
SECRETS = ("authorization", "X-API-KEY", "x-auth-token", "X-Agent-Token")


def about(collector: EventCollector, url: str) -> list[NetworkEvent]:
    return collector.all(lambda event: event.url == url)


async def test_request_and_response_have_one_id(browser: Browser, site: Site) -> None:
    picture = site.serve("/p.png", b"", Content_Type="image/png")
    url = site.html("/", f"<img src='{picture}'>")
    async with collect_events(browser, "network") as collector:
        await browser.call(page.navigate, url=url)
        await collector.until(lambda event: event.type == "response", 2)
        page_id = (await browser.call(page.list_pages)).active_page
    for address, resource in ((url, "document"), (picture, "image")):
        request, response = about(collector, address)
        assert (request.type, response.type) == ("request", "response")
        assert request.request_id == response.request_id
        assert (request.method, request.resource_type, request.page_id) == ("GET", resource, page_id)
        assert response.status == 200
        timing = response.timing or {}
        assert abs(timing["startTime"] - response.timestamp) < 60_000
        assert 0 <= timing["requestStart"] <= timing["responseStart"] < 60_000
    assert len({event.request_id for event in collector.events}) == 2


async def test_a_failed_request_has_a_reason_and_its_id(browser: Browser, site: Site) -> None:
    script = "fetch('http://127.0.0.1:1/').catch(() => 0)"
    async with collect_events(browser, "network") as collector:
        await browser.call(page.navigate, url=site.html("/", f"<script>{script}</script>"))
        (failed,) = await collector.until(lambda event: event.type == "failed")
    (request,) = collector.all(lambda event: event.type == "request" and event.url == failed.url)
    assert request.request_id == failed.request_id
    assert (failed.error or "").startswith("ERR_")


async def test_each_step_of_a_redirection_is_a_request(browser: Browser, site: Site) -> None:
    final = site.html("/final", "there")
    script = f"fetch('/hop?code={CANARY}')"
    site.serve("/hop", b"", Location=f"/final?session={CANARY}")
    async with collect_events(browser, "network") as collector:
        await browser.call(page.navigate, url=site.html("/", f"<script>{script}</script>"))
        await collector.until(lambda event: event.type == "response" and event.url.startswith(final))
    hops = [event for event in collector.events if event.type == "response" and event.resource_type == "fetch"]
    assert [event.status for event in hops] == [302, 200]
    assert len({event.request_id for event in hops}) == 2
    assert (hops[0].headers or {})["location"] == "/final?session=[REDACTED]"
    assert CANARY not in str(collector.events)


@pytest.mark.parametrize(
    "body",
    [
        f"'{CANARY}'",
        f"JSON.stringify({{secret: '{CANARY}'}})",
        f"(() => {{ const form = new FormData(); form.append('{CANARY}', '{CANARY}'); return form }})()",
        f"new URLSearchParams({{a: '{CANARY}'}})",
        f"new Blob(['{CANARY}'])",
        f"new TextEncoder().encode('{CANARY}')",
    ],
)
async def test_no_secret_is_in_an_event(browser: Browser, site: Site, body: str) -> None:
    headers = ", ".join(f"'{name}': '{CANARY}'" for name in SECRETS)
    script = f"""
        document.cookie = 'session={CANARY}';
        fetch('/api?api_key={CANARY}&page=2', {{method: 'POST', headers: {{{headers}, plain: 'yes'}}, body: {body}}})
    """
    answer = {"Set-Cookie": CANARY, "WWW-Authenticate": CANARY, "X-Auth-Token": CANARY, "X-Plain": "yes"}
    site.serve("/api", b"{}", **{name.replace("-", "_"): value for name, value in answer.items()})
    async with collect_events(browser, "network", "console", "page") as collector:
        await browser.call(page.navigate, url=site.html("/", f"<script>{script}</script>"))
        (response,) = await collector.until(lambda event: event.type == "response" and "/api" in event.url)
    (seen,) = [one for one in site.seen if one.path.startswith("/api")]
    assert CANARY in seen.headers["Cookie"]
    assert CANARY.encode() in seen.body
    (request,) = collector.all(lambda event: event.type == "request" and "/api" in event.url)
    assert request.url == site.url("/api?api_key=[REDACTED]&page=2")
    # Chromium does not report the body of a blob.
    assert request.post_data == (None if "Blob" in body else "[REDACTED]")
    reported = {name.lower(): value for name, value in request.headers.items()}
    assert [reported[name.lower()] for name in SECRETS] == ["[REDACTED]"] * len(SECRETS)
    assert reported["plain"] == "yes"
    assert response.headers["x-plain"] == "yes"
    assert CANARY not in str(collector.events)


async def test_only_requests_that_match_the_filter_are_reported(browser: Browser, site: Site) -> None:
    url = site.html("/", "<script>fetch('/api/1'); fetch('/other')</script>")
    async with collect_events(browser, "network", "page") as collector:
        filter = {"urlPattern": "**/api/*", "types": ["response"]}
        await browser.request("events/subscribe", {"events": ["network"], "filter": filter})
        await browser.call(page.navigate, url=url)
        (response,) = await collector.until(lambda event: event.kind == "network")
    assert response.url == site.url("/api/1")
    assert [event.url for event in collector.events if event.kind == "network"] == [response.url]
