"""Page, console and frame events of a real browser."""

from typing import TYPE_CHECKING, Any

import pytest
import trio

from agentbrowser.client import Browser
from agentbrowser.methods import page
from agentbrowser.protocol import errors
from agentbrowser.protocol.types.event import EventFilter
from tests.browser.event_collector import collect_events
from tests.browser.shared_server import SharedServer
from tests.browser.site import Site

if TYPE_CHECKING:
    from agentbrowser.protocol.types.event import EventKind


async def test_the_first_load_of_a_created_page_is_reported(browser: Browser, site: Site) -> None:
    url = site.html("/", "hello")
    async with collect_events(browser, "page") as collector:
        made = await browser.call(page.create, url=url)
        await collector.until(lambda event: event.type == "load")
    assert {event.page_id for event in collector.events} == {made.id}
    assert collector.types("page") == ["created", "navigated", "domcontentloaded", "load"]
    assert [event.url for event in collector.events[1:]] == [url] * 3


async def test_the_first_load_of_a_popup_is_reported(browser: Browser, site: Site) -> None:
    popup = site.html("/popup", "<script>console.log('hello from the popup')</script>")
    opener = await browser.call(page.create, url=site.html("/", f"<a href='{popup}' target=_blank>open</a>"))
    async with collect_events(browser, "page", "network", "console") as collector:
        await browser.request("action/click", {"selector": {"type": "css", "value": "a"}})
        (load,) = await collector.until(lambda event: event.kind == "page" and event.type == "load")
        (line,) = await collector.until(lambda event: event.kind == "console")
        requests = await collector.until(lambda event: event.kind == "network" and event.url == popup, 2)
    assert load.page_id != opener.id
    assert load.url == popup
    assert (line.page_id, line.text) == (load.page_id, "hello from the popup")
    assert [(event.type, event.page_id) for event in requests] == [
        ("request", load.page_id),
        ("response", load.page_id),
    ]
    assert collector.types("page")[0] == "created"


async def test_console_messages_have_levels_and_places(browser: Browser, site: Site) -> None:
    script = "console.log('one', 2, {a: 3});\nconsole.warn('careful');\nconsole.debug('d');\nconsole.error('bad');"
    url = site.html("/", f"<script>\n{script}\n</script>")
    async with collect_events(browser, "console") as collector:
        await browser.call(page.navigate, url=url)
        lines = await collector.until(lambda event: True, 4)
    assert [(line.type, line.level) for line in lines] == [
        ("log", "info"),
        ("warning", "warning"),
        ("debug", "debug"),
        ("error", "error"),
    ]
    assert lines[0].text == "one 2 {a: 3}"
    assert (lines[0].url, lines[0].line) == (url, 1)


async def test_an_uncaught_error_is_reported_with_its_type_and_stack(browser: Browser, site: Site) -> None:
    script = "function leak() { throw new TypeError('boom') }\nsetTimeout(leak); setTimeout(() => { throw 'text' })"
    script += "; console.error('said')"
    async with collect_events(browser, "console") as collector:
        url = site.html("/", f"<script>{script}; Promise.reject(new Error('nobody cares'))</script>")
        await browser.call(page.navigate, url=url)
        lines = await collector.until(lambda event: event.type == "error", 4)
    assert {line.text for line in lines} == {"TypeError: boom", "Error: nobody cares", "text", "said"}
    assert {line.level for line in lines} == {"error"}
    errors = {line.text: line.error for line in lines}
    assert errors["said"] is None
    assert (errors["text"].name, errors["text"].message) == ("", "text")
    boom = errors["TypeError: boom"]
    assert (boom.name, boom.message) == ("TypeError", "boom")
    assert boom.stack.startswith("TypeError: boom\n")
    assert "at leak (" in boom.stack
    assert url in boom.stack


async def test_format_strings_of_console_messages_are_filled_in(browser: Browser, site: Site) -> None:
    script = "console.log('%s has %d of %o%%', 'Ada', 4.7, {a: 1}, 'more'); console.warn('[%c%s]', 'color: red', 'x')"
    script += "; console.log('100% sure', 1); console.dir('%s')"
    async with collect_events(browser, "console") as collector:
        await browser.call(page.navigate, url=site.html("/", f"<script>{script}</script>"))
        lines = await collector.until(lambda event: True, 4)
    assert [line.text for line in lines] == ["Ada has 4 of {a: 1}% more", "[x]", "100% sure 1", "%s"]


UNPAIRED = r"""
<button id=b onclick="alert(x)"></button><button></button>
<script>
  const x = 'a\ud800b';
  document.title = x;
  for (const button of document.querySelectorAll('button')) button.textContent = button.title = x;
  console.log(x);
  console.log('%s', x);
  setTimeout(() => { throw Error(x) });
</script>
"""


async def test_lone_surrogates_of_a_page_are_replaced_everywhere(browser: Browser, site: Site) -> None:
    async with collect_events(browser, "console", "dialog") as collector:
        await browser.call(page.navigate, url=site.html("/", UNPAIRED))
        clicked = await browser.request("action/click", {"selector": "#b"})
        await browser.request("dialog/handle", {"action": "accept"})
        events = await collector.until(lambda event: True, 4)
    assert clicked["dialog"]["message"] == "a\ufffdb"
    assert all("\ufffd" in (event.message if event.kind == "dialog" else event.text) for event in events)
    assert (await browser.call(page.list_pages)).pages[0].title == "a\ufffdb"
    assert "a\ufffdb" in (await browser.request("agent/observe", {"format": "text"}))["text"]
    with pytest.raises(errors.SelectorAmbiguous) as caught:
        await browser.request("action/click", {"selector": "button"})
    assert "a\ufffdb" in str(caught.value.details["candidates"])


async def test_a_console_message_is_cut_and_redacted(browser: Browser, site: Site) -> None:
    script = "console.log('ü'.repeat(10000)); console.log({password: 'c4n4ry'}, 'https://a.test/?token=c4n4ry')"
    async with collect_events(browser, "console") as collector:
        await browser.call(page.navigate, url=site.html("/", f"<script>{script}</script>"))
        long, secret = await collector.until(lambda event: True, 2)
    assert long.text == "ü" * 2048
    assert "c4n4ry" not in secret.text
    assert secret.text.count("[REDACTED]") == 2


async def test_frame_events_have_the_ids_of_frame_list(browser: Browser, site: Site) -> None:
    inner = site.html("/inner", "inside")
    url = site.html("/", f"<iframe name=one src='{inner}'></iframe>")
    async with collect_events(browser, "frame") as collector:
        await browser.call(page.navigate, url=url)
        frames = (await browser.request("frame/list"))["frames"]
        await browser.call(page.navigate, url=site.html("/empty", ""))
        await collector.until(lambda event: event.type == "detached")
        await collector.until(lambda event: event.url == site.url("/empty"))
    (framed,) = [frame for frame in frames if not frame["isMain"]]
    reported = collector.all(lambda event: event.frame_id == framed["frameId"])
    assert [event.type for event in reported] == ["attached", "navigated", "detached"]
    assert (reported[1].url, reported[1].name) == (inner, "one")
    (main,) = [frame["frameId"] for frame in frames if frame["isMain"]]
    assert [event.url for event in collector.all(lambda event: event.frame_id == main)] == [url, site.url("/empty")]


async def test_unsubscribed_kinds_are_not_reported(browser: Browser, site: Site) -> None:
    url = site.html("/", "<script>console.log('x')</script>")
    async with collect_events(browser, "page", "console") as collector:
        assert (await browser.request("events/unsubscribe", {"events": ["console"]}))["subscribed"] == [
            "dialog",
            "page",
        ]
        await browser.call(page.navigate, url=url)
        await collector.until(lambda event: event.type == "load")
    assert collector.types("console") == []


@pytest.mark.parametrize(
    ("filter", "expected"),
    [
        ({"types": ["load"]}, {("page", "load")}),
        ({"level": "warning"}, {("console", "error"), ("page", "created"), ("page", "load")}),
        ({"urlPattern": "**/nowhere"}, set()),
        ({"urlPattern": "**/here", "types": ["log", "load"]}, {("console", "log"), ("page", "load")}),
        ({"pageId": "page-99"}, set()),
    ],
)
async def test_only_events_that_match_the_filter_are_reported(
    browser: Browser, site: Site, filter: dict[str, Any], expected: set[tuple[str, str]]
) -> None:
    url = site.html("/here", "<script>console.log(1); console.error(2)</script>")
    async with collect_events(browser, "page", "console", "frame") as collector:
        await browser.request("events/subscribe", {"events": ["page", "console"], "filter": filter})
        await browser.call(page.create, url=url)
        await collector.until(lambda event: event.kind == "frame" and event.url == url)
        for one in expected:
            await collector.until(lambda event, one=one: (event.kind, event.type) == one)  # type: ignore[misc]
    reported = {(event.kind, event.type) for event in collector.events if event.kind != "frame"}
    assert reported - {("page", "navigated"), ("page", "domcontentloaded")} == expected


async def test_the_last_subscription_to_a_kind_decides_on_its_filter(browser: Browser, site: Site) -> None:
    url = site.html("/", "<script>console.log('a'); console.error('b')</script>")
    only = EventFilter(level="error")
    async with browser.events("console", filter=only) as one, browser.events("console") as other:
        await browser.request("page/navigate", {"url": url})
        assert [(await anext(feed)).text for feed in (one, other, one, other)] == ["a", "a", "b", "b"]
        async with browser.events("console", filter=only):
            await browser.request("page/navigate", {"url": url})
            assert [(await anext(feed)).text for feed in (one, other)] == ["b", "b"]


async def test_a_filter_for_one_page_is_for_that_page(browser: Browser, site: Site) -> None:
    url = site.html("/", "<script>console.log(location.href)</script>")
    one, two = await browser.call(page.create), await browser.call(page.create)
    async with collect_events(browser, "console", "page") as collector:
        await browser.request("events/subscribe", {"events": ["console", "page"], "filter": {"pageId": two.id}})
        for made in (one, two):
            await browser.call(page.navigate, url=url, page_id=made.id)
        await collector.until(lambda event: event.type == "load")
    assert {event.page_id for event in collector.events} == {two.id}


@pytest.mark.parametrize(
    ("params", "path"),
    [
        ({"events": ["weather"]}, "events[0]"),
        ({"events": []}, "events"),
        ({"events": ["page"], "filter": {"urlPattern": "{a"}}, "filter.urlPattern"),
        ({"events": ["page"], "filter": {"level": "loud"}}, "filter.level"),
    ],
)
async def test_an_invalid_subscription_is_refused(browser: Browser, params: dict[str, Any], path: str) -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        await browser.request("events/subscribe", params)
    assert caught.value.details["path"] == path


async def test_clients_receive_no_events_of_each_other(shared_server: SharedServer, site: Site) -> None:
    url = site.html("/", "<script>console.log(location.search)</script><iframe></iframe><img src=data:,>")
    kinds: tuple[EventKind, ...] = ("page", "console", "network", "frame", "download", "dialog")
    async with shared_server.connect() as one, shared_server.connect() as two:
        async with collect_events(one, *kinds) as ears_of_one, collect_events(two, *kinds) as ears_of_two:
            async with trio.open_nursery() as nursery:
                for name, browser in (("one", one), ("two", two)):
                    for _ in range(3):
                        nursery.start_soon(browser.request, "page/create", {"url": f"{url}?{name}"})
            for collector in (ears_of_one, ears_of_two):
                await collector.until(lambda event: event.kind == "page" and event.type == "load", 3)
        for name, collector in (("one", ears_of_one), ("two", ears_of_two)):
            reported = {event.text for event in collector.events if event.kind == "console"}
            assert reported == {f"?{name}"}
            documents = {event.url for event in collector.events if event.kind == "network" and "?" in event.url}
            assert documents == {f"{url}?{name}"}
