"""Hostile pages: their own client survives them, and other clients are not affected."""

import contextlib
from collections.abc import AsyncIterator, Callable

import attrs
import pytest
import trio

from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.methods import page
from agentbrowser.protocol import errors
from agentbrowser.protocol.types.event import PageEvent, PublicEvent
from agentbrowser.protocol.types.page import ListedPage
from tests.browser.conftest import USUAL
from tests.browser.shared_server import SharedServer
from tests.browser.site import Site

pytestmark = pytest.mark.slow
SLOWEST_S = 15.0
"""What a client that has nothing to do with it may wait at most, on a machine that is busy with other tests."""
POPUPS = "<script>for (let n = 0; n < 1000; n++) open('/popup?' + n)</script>"
FLOOD = "<script>for (let n = 0; n < 100000; n++) console.log('x'.repeat(100), n)</script>done"


@pytest.fixture
def config() -> Config:
    """Give these tests a server that only they share, with fewer windows to open and to close."""
    return attrs.evolve(USUAL, max_pages=6)


@pytest.fixture
async def bystander(shared_server: SharedServer, site: Site) -> AsyncIterator[None]:
    """Run another client on its own page for the duration of the test, and check that it is never blocked."""
    answers: list[str] = []
    async with shared_server.connect() as browser, trio.open_nursery() as nursery:
        await browser.call(page.navigate, url=site.html("/bystander", "<button>b</button>"))
        nursery.start_soon(_work, browser, answers)
        yield
        while len(answers) <= 5:  # noqa: ASYNC110 - each answer comes within its bound
            await trio.sleep(0.02)
        nursery.cancel_scope.cancel()


async def _work(browser: Browser, answers: list[str]) -> None:
    while True:
        with trio.fail_after(SLOWEST_S):
            done = await browser.request("action/click", {"selector": {"type": "css", "value": "button"}})
        answers.append(done["url"])
        await trio.sleep(0.02)


async def works(browser: Browser, site: Site) -> None:
    """Check that the client works normally."""
    with trio.fail_after(SLOWEST_S):
        assert (await browser.call(page.navigate, url=site.html("/fine", "fine"))).status == 200
        assert await text_of(browser) == "fine"


async def text_of(browser: Browser) -> str:
    return str((await browser.request("observe/content", {"format": "text"}))["content"]).strip()


async def until(browser: Browser, holds: Callable[[list[ListedPage]], bool]) -> None:
    """Wait until the list of pages is as expected."""
    with trio.fail_after(30):
        while not holds((await browser.call(page.list_pages)).pages):  # noqa: ASYNC110 - a page is not ours to wait for
            await trio.sleep(0.05)


async def hear_until(events: AsyncIterator[PublicEvent], last: Callable[[list[PageEvent]], bool]) -> list[PageEvent]:
    """Return the page events up to the last expected one, and those shortly after it."""
    received: list[PageEvent] = []
    with trio.move_on_after(30) as patience:
        async for event in events:
            assert isinstance(event, PageEvent)
            received.append(event)
            if last(received):
                patience.deadline = min(patience.deadline, trio.current_time() + 0.3)
    assert last(received), received
    return received


# Dialogs


@pytest.mark.usefixtures("bystander")
@pytest.mark.parametrize("script", ["while (true) alert(1)", "onload = () => { while (true) prompt(1) }"])
async def test_dialogs_in_a_loop(browser: Browser, site: Site, script: str) -> None:
    await browser.request("events/unsubscribe", {"events": ["dialog"]})
    with pytest.raises(errors.TargetClosed):
        await browser.call(page.navigate, url=site.html("/", f"<script>{script}</script>"))
    assert (await browser.call(page.list_pages)).pages == []
    await works(browser, site)


@pytest.mark.usefixtures("bystander")
async def test_dialogs_on_the_way_out(browser: Browser, site: Site) -> None:
    script = "onbeforeunload = e => { e.preventDefault() }; onunload = onpagehide = () => { alert('stay') }"
    await browser.request("events/unsubscribe", {"events": ["dialog"]})
    await browser.call(page.navigate, url=site.html("/", f"<input><script>{script}</script>"))
    await browser.request("action/type", {"selector": {"type": "css", "value": "input"}, "text": "x"})
    await works(browser, site)


# Windows


@pytest.mark.usefixtures("bystander")
async def test_a_thousand_windows(browser: Browser, shared_server: SharedServer, site: Site) -> None:
    site.html("/popup", "popup")
    async with browser.events("page") as events:
        await browser.call(page.create)  # a page whose windows are counted from the first one on
        with trio.fail_after(100), pytest.raises(errors.TargetClosed):
            await browser.call(page.navigate, url=site.html("/", POPUPS), timeout_ms=90_000)
        await until(browser, lambda pages: len(pages) <= shared_server.config.max_pages)
        received = await hear_until(
            events, lambda received: "windows in 3 s" in str([event.reason for event in received])
        )
    assert len([event for event in received if event.type == "created"]) <= shared_server.config.max_pages + 1
    for listed in (await browser.call(page.list_pages)).pages:
        await browser.call(page.close, page_id=listed.id)
    await works(browser, site)


async def test_windows_beyond_the_limit_are_closed_and_reported(
    browser: Browser, shared_server: SharedServer, site: Site
) -> None:
    site.html("/popup", "popup")
    body = "<button onclick=\"for (let n = 0; n < 15; n++) window.open('/popup?' + n)\">b</button>"
    limit = shared_server.config.max_pages
    async with browser.events("page") as events:
        await browser.call(page.navigate, url=site.html("/", body))
        opener = (await browser.call(page.list_pages)).pages[0].id
        result = await browser.request("action/click", {"selector": {"type": "css", "value": "button"}})
        closed_pages = 15 - (limit - 1)
        received = await hear_until(
            events, lambda received: sum(event.type == "error" for event in received) == closed_pages
        )
    pages = (await browser.call(page.list_pages)).pages
    assert len(pages) == limit
    assert {listed.opener for listed in pages[1:]} == {opener}
    assert [opened["pageId"] for opened in result["newPages"]] == [listed.id for listed in pages[1:]]
    closed = [event for event in received if event.type == "error"]
    assert len(closed) == closed_pages
    assert {event.page_id for event in closed} == {opener}
    assert f"{limit} pages" in str(closed[0].reason)
    assert [event.page_id for event in received if event.type == "created"] == [listed.id for listed in pages]


@pytest.mark.usefixtures("bystander")
async def test_windows_that_open_windows(browser: Browser, shared_server: SharedServer, site: Site) -> None:
    await browser.call(page.navigate, url=site.html("/", "<script>open('/'); open('/')</script>"))
    with trio.move_on_after(2):
        while True:
            assert len((await browser.call(page.list_pages)).pages) <= shared_server.config.max_pages
            await trio.sleep(0.01)
    for listed in (await browser.call(page.list_pages)).pages:
        with contextlib.suppress(errors.PageNotFound):
            await browser.call(page.close, page_id=listed.id)
    await works(browser, site)


# The console


@pytest.mark.usefixtures("bystander")
async def test_a_flood_of_console_messages(browser: Browser, site: Site) -> None:
    with trio.fail_after(30):
        await browser.call(page.navigate, url=site.html("/", FLOOD))
        assert await text_of(browser) == "done"
    await works(browser, site)


# Loading and running without end


@pytest.mark.usefixtures("bystander")
async def test_a_page_that_never_arrives(browser: Browser, site: Site) -> None:
    await browser.call(page.navigate, url=site.html("/", "before"))
    with trio.fail_after(SLOWEST_S), pytest.raises(errors.Timeout):
        await browser.call(page.navigate, url=site.hold("/silent"), timeout_ms=500)
    with trio.fail_after(SLOWEST_S):
        assert await text_of(browser) == "before"
    await works(browser, site)


@pytest.mark.usefixtures("bystander")
async def test_a_page_whose_parts_never_arrive(browser: Browser, site: Site) -> None:
    url = site.html("/", f"there<img src={site.hold('/image')}>")
    await browser.call(page.create)  # so that the time is not spent on launching a browser
    with pytest.raises(errors.Timeout):
        await browser.call(page.navigate, url=url, timeout_ms=2000)
    with trio.fail_after(SLOWEST_S):
        assert await text_of(browser) == "there"
    await works(browser, site)


@pytest.mark.usefixtures("bystander")
async def test_a_script_that_never_ends_as_the_page_loads(browser: Browser, site: Site) -> None:
    await browser.call(page.create)  # so that the time is not spent on launching a browser
    with pytest.raises(errors.Timeout):
        await browser.call(page.navigate, url=site.html("/", "there<script>for (;;);</script>"), timeout_ms=3000)
    with trio.fail_after(SLOWEST_S):
        assert await text_of(browser) == "there"
    await works(browser, site)


@pytest.mark.usefixtures("bystander")
@pytest.mark.parametrize(
    "script",
    [
        "setTimeout(function spin() { for (;;); })",
        "setInterval(() => { for (;;); }, 1)",
        "setTimeout(function spin() { Promise.resolve().then(spin) })",
    ],
)
async def test_a_page_that_never_answers(browser: Browser, site: Site, script: str) -> None:
    await browser.call(page.navigate, url=site.html("/", f"there<script>{script}</script>"), wait_until="commit")
    busy = (await browser.call(page.list_pages)).pages[0].id
    with trio.fail_after(1 + SLOWEST_S), contextlib.suppress(errors.Timeout):
        await browser.request("observe/content", {"format": "text", "timeout": 500})
    with trio.fail_after(SLOWEST_S):
        assert [listed.id for listed in (await browser.call(page.list_pages)).pages] == [busy]
        await browser.call(page.close, page_id=busy)
    await works(browser, site)
