"""Floods of events: rate limits, counts of dropped events, and no effect on other clients."""

from collections.abc import Callable
from typing import Any

import pytest
import trio

from agentbrowser.browser.events import driver_pipe
from agentbrowser.browser.events.driver_pipe import FLOOD_LIMITS
from agentbrowser.client import Browser
from agentbrowser.protocol.errors import PageNotFound
from agentbrowser.server.app import Server
from tests.browser.event_collector import NotificationClient, collect_events, notification_client
from tests.browser.site import Site

pytestmark = pytest.mark.slow

LINES = 30_000
REQUESTS = 1000
"""Each is reported when it is sent and when it fails."""
OVER_S = 55
"""A flood that held others up took 16 s and more."""


def flood(site: Site, script: str) -> str:
    """Return the URL of a page that runs a script once it is loaded, and reports the end by its title."""
    return site.html(
        "/flood", f"<script>onload = () => setTimeout(() => {{ {script}; document.title = 'over' }})</script>"
    )


async def until(holds: Callable[[], Any]) -> None:
    with trio.fail_after(OVER_S):
        while not holds():  # noqa: ASYNC110 - what is waited for happens in another thread
            await trio.sleep(0.02)


async def calm(browser: Browser, over: trio.Event) -> int:
    """Return the number of a client's answered requests until something was over, each within the server's deadline."""
    answered = 0
    while not over.is_set():
        await browser.request("observe/content", {"format": "text"})
        answered += 1
        await trio.sleep(0.005)
    return answered


async def flooded(client: NotificationClient, url: str, over: trio.Event) -> None:
    await client.get("page/navigate", url=url)
    while (await client.get("page/list"))["pages"][0]["title"] != "over":  # noqa: ASYNC110 - in a page
        await trio.sleep(0.05)
    over.set()


async def run(server: Server, site: Site, client: NotificationClient, script: str) -> int:
    """Run a flood, and return the number of another client's answered requests meanwhile."""
    over = trio.Event()
    async with server.connect() as other:
        await other.request("page/navigate", {"url": site.html("/calm", "calm")})
        with trio.fail_after(OVER_S):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(flooded, client, flood(site, script), over)
                return await calm(other, over)


def dropped(client: NotificationClient, kind: str = "console") -> int:
    assert {reported["kind"] for reported in client.named("dropped")} <= {kind}
    return sum(reported["count"] for reported in client.named("dropped"))


async def test_a_console_flood_is_limited_counted_and_blocks_no_other_client(server: Server, site: Site) -> None:
    script = f"for (let i = 0; i < {LINES}; i++)\nconsole.log('line', i)"
    async with notification_client(server) as client:
        answered = await run(server, site, client, script)
        await until(lambda: len(client.named("console")) + dropped(client) == LINES)
        lines = client.named("console")
    assert answered > 0
    assert len(lines) < LINES / 10
    assert [line["text"] for line in lines[:100]] == [f"line {index}" for index in range(100)]
    assert {(line["url"], line["line"]) for line in lines} == {(site.url("/flood"), 1)}


async def test_a_console_flood_without_a_subscription_blocks_no_other_client(server: Server, site: Site) -> None:
    async with notification_client(server) as client:
        await client.get("events/unsubscribe", events=["console"])
        answered = await run(server, site, client, f"for (let i = 0; i < {LINES}; i++) console.log('line', i)")
    assert answered > 0
    assert client.notifications == []


@pytest.mark.parametrize("write", ["log(i)", "reportError(new Error(i))"])
async def test_a_console_flood_past_the_throttle_is_survived(
    server: Server, site: Site, write: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver_pipe, "FLOOD_SECONDS", OVER_S)  # a busy machine makes it long enough to close the page
    script = f"const {{ log }} = console; for (let i = 0; i < 4000; i++) {write}"
    async with notification_client(server) as client:
        answered = await run(server, site, client, script)
        await until(lambda: dropped(client) > 0)
        lines = len(client.named("console"))
        assert (await client.get("observe/content", format="text"))["url"] == site.url("/flood")
    assert answered > 0
    assert 100 <= lines < 2000


async def test_a_line_with_many_arguments_is_reported(server: Server, site: Site) -> None:
    async with notification_client(server) as client:
        await client.get(
            "page/navigate", url=flood(site, "console.log(...Array(3000).keys()); console.log('%s', 1, {})")
        )
        await until(lambda: len(client.named("console")) == 2)
        first, second = (line["text"] for line in client.named("console"))
    assert first.startswith("0 1 2 3")
    assert second == "1 {}"


async def test_a_page_that_writes_now_and_then_is_reported_completely(server: Server, site: Site) -> None:
    script = "let i = 0; const clock = setInterval(() => { console.log(i++); if (i === 120) clearInterval(clock) }, 25)"
    async with server.connect() as browser, collect_events(browser, "console") as collector:
        await browser.request("page/navigate", {"url": flood(site, script)})
        lines = await collector.until(lambda event: True, 120)
    assert [line.text for line in lines] == [str(index) for index in range(120)]


async def test_the_console_is_still_the_page_s_own(browser: Browser, site: Site) -> None:
    script = """
        const kept = [];
        const { warn } = console;
        console.warn = (...words) => { kept.push(words); warn('wrapped', ...words) };
        console.warn('one');
        console.log(kept.length, typeof console.error, String(console.info), Object.keys(console).includes('log'))
    """
    async with collect_events(browser, "console") as collector:
        await browser.request("page/navigate", {"url": site.html("/", f"<script>{script}</script>")})
        wrapped, reported = await collector.until(lambda event: True, 2)
    assert (wrapped.type, wrapped.text) == ("warning", "wrapped one")
    assert reported.text == "1 function function info() { [native code] } true"


async def test_a_flood_of_requests_blocks_no_other_client_for_long(server: Server, site: Site) -> None:
    script = f"for (let i = 0; i < {REQUESTS}; i++) fetch('http://127.0.0.1:1/' + i).catch(() => 0)"
    async with notification_client(server) as client:
        await client.get("events/unsubscribe", events=["console"])
        await client.get("events/subscribe", events=["network"])
        answered = await run(server, site, client, script)
        await until(lambda: len(client.named("network")) + dropped(client, "network") >= 2 * REQUESTS)
        calm = site.url("/calm")
        with trio.fail_after(OVER_S):  # once the flood is over, all is as before
            while {reported["type"] for reported in client.named("network") if reported["url"] == calm} != {
                "request",
                "response",
            }:
                await client.get("page/navigate", url=calm)
                await trio.sleep(0.2)
    assert answered > 0


FLOODS = {
    "navigations": "let n = 0; setInterval(() => { for (let i = 0; i < 20; i++) location.hash = n++ }, 0)",
    "workers": "const start = () => { const w = new Worker('data:text/javascript,1');"
    " setTimeout(() => w.terminate(), 50) }; setInterval(start, 5)",
    "console messages": "const { log } = console; setInterval(() => { for (let i = 0; i < 50; i++) log(i) }, 0)",
}


@pytest.mark.parametrize("noun", FLOODS)
async def test_a_page_that_floods_its_driver_is_closed_with_the_reason(
    server: Server, site: Site, noun: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver_pipe, "FLOOD_SECONDS", 1)
    limits = {method: (name, 2 if name == noun else 10**9) for method, (name, _) in FLOOD_LIMITS.items()}
    monkeypatch.setattr(driver_pipe, "FLOOD_LIMITS", limits)
    async with server.connect() as browser, collect_events(browser, "page") as collector:
        calm = (await browser.request("page/create", {}))["id"]
        page = (await browser.request("page/create", {}))["id"]
        url = site.html("/flood", f"<script>onload = () => {{ {FLOODS[noun]} }}</script>")
        await browser.request("page/navigate", {"pageId": page, "url": url, "waitUntil": "commit"})
        with trio.fail_after(OVER_S):
            (event,) = await collector.until(lambda event: event.type == "error", 1)
            await until_gone(browser, page)
            with pytest.raises(PageNotFound, match=f"{noun} a second"):
                await browser.request("page/reload", {"pageId": page})
        assert (event.page_id, noun in event.reason) == (page, True)
        assert (await browser.request("observe/content", {"format": "text", "pageId": calm}))["content"] == ""


async def until_gone(browser: Browser, page: str) -> None:
    while any(one["id"] == page for one in (await browser.request("page/list"))["pages"]):  # noqa: ASYNC110
        await trio.sleep(0.02)
