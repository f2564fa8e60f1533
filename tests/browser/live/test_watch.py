"""Watching at the live view: pictures, the log of requests, the outline, console and network; hostile pages."""

import json

import pytest
import trio

from agentbrowser.browser.observe.approval_context import ApprovalContextProvider
from agentbrowser.client import Browser
from agentbrowser.protocol.types.approval import ElementInfo
from agentbrowser.protocol.types.selector import Selector
from tests.browser.live.people import People
from tests.browser.site import Site

RED, BLUE = (255, 0, 0), (0, 0, 255)
TURNS_RED = """<style>body { margin: 0; background: blue }
button { margin: 100px; width: 200px; height: 100px }</style>
<button onclick="document.body.style.background = 'red'; console.error('turned'); fetch('/no')">Turn red</button>"""


async def link(browser: Browser) -> str:
    return str((await browser.request("live/link"))["url"])


async def test_a_person_sees_the_click_of_an_agent_as_picture_and_log_line(
    browser: Browser, site: Site, people: People
) -> None:
    page = await browser.new_page(site.html("/", TURNS_RED, title="Turning"))
    async with people.person(await link(browser)) as person:
        await person.sees_color(0.9, 0.9, BLUE)
        await page["button"].click()
        await person.sees_color(0.9, 0.9, RED)
        await person.sees("#log li[data-outcome=ok]:has-text('action/click') >> text=button")
        await person.sees("#log li:has-text('action/click') >> text=/\\d+ ms/")
        await person.sees("#console >> text=error: turned")
        await person.sees("#network >> text=404")
        await person.sees("#console-counts >> text=2 error")
        assert await person.do(lambda tab: tab.locator("#page-title").inner_text()) == "Turning"


async def test_the_element_of_a_request_is_outlined(browser: Browser, site: Site, people: People) -> None:
    page = await browser.new_page(site.html("/", TURNS_RED))
    async with people.person(await link(browser)) as person:
        await person.sees_picture()

        async def hover() -> None:
            while True:  # an outline lasts 2.5 s, and one whose element takes long to find is left out
                await page["button"].hover(timeout_ms=60_000)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(hover)
            await person.sees("#outline")
            nursery.cancel_scope.cancel()
        assert "button Turn red" in await person.do(lambda tab: tab.locator("#outline-label").inner_text())
        beside = "[...['left', 'width']].map((side) => parseFloat(document.getElementById('outline').style[side]))"
        left, width = await person.do(lambda tab: tab.evaluate(beside))
        assert abs(left / width - 100 / 200) < 0.05


async def test_an_element_is_looked_up_once_for_all_who_watch(
    browser: Browser, site: Site, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, lookups = await browser.new_page(site.html("/", TURNS_RED)), list[Selector]()
    element = ApprovalContextProvider.element

    async def counted(self: ApprovalContextProvider, selector: Selector) -> ElementInfo | None:
        lookups.append(selector)
        return await element(self, selector)

    monkeypatch.setattr(ApprovalContextProvider, "element", counted)
    async with people.person(await link(browser)) as first, people.person(await link(browser)) as second:
        for person in (first, second):
            await person.sees_picture()
            await person.sees("#log li:has-text('page/create')")
        # Playwright does this one: the in-page scripts, which would describe the element, have no part in it.
        await page["button"].hover(force=True, timeout_ms=60_000)
        for person in (first, second):
            await person.sees("#log li[data-outcome=ok]:has-text('action/hover')")
            await person.sees("#outline")
    assert len(lookups) == 1


async def test_an_element_that_its_click_removes_is_outlined_with_the_beginning_of_its_name(
    browser: Browser, site: Site, people: People
) -> None:
    removes = f"""<style>body {{ margin: 0 }} button {{ margin: 100px; width: 200px; height: 100px }}</style>
    <button onclick="this.remove(); const next = document.createElement('button'); next.textContent = 'Next';
    document.body.append(next)">Only once{" and never again" * 20}</button>"""
    page = await browser.new_page(site.html("/", removes))
    async with people.person(await link(browser)) as person:
        await person.sees_picture()
        await page["button"].click(timeout_ms=60_000)
        await person.sees("#outline-label:has-text('button Only once')", state="attached")
        states = [json.loads(one).get("states", {}) for one in person.received if isinstance(one, str)]
    names = [one["outline"]["name"] for one in states if "outline" in one]
    # A slow action is looked up, too.
    assert {(len(name), name[-1]) for name in names} == {(200, "…")}


@pytest.mark.slow
async def test_the_last_of_many_fast_changes_is_seen_and_those_after_it(
    browser: Browser, site: Site, people: People
) -> None:
    flickers = """<style>body { margin: 0; background: green }</style><button onclick="
    let left = 30; const paint = (color) => document.body.style.background = color;
    const next = () => { paint(left % 2 ? 'green' : 'yellow'); left-- ? requestAnimationFrame(next) : paint('red') };
    next()">Flicker</button><p onclick="document.body.style.background = 'blue'">Blue</p>"""
    page = await browser.new_page(site.html("/", flickers))
    async with people.person(await link(browser)) as person:
        await person.sees_picture()
        for _ in range(3):
            await page["button"].click(timeout_ms=60_000)
            await person.sees_color(0.9, 0.9, RED)
            await page["p"].click(timeout_ms=60_000)
            await person.sees_color(0.9, 0.9, BLUE)


async def test_a_page_is_seen_while_the_agent_acts_without_a_pause(
    browser: Browser, site: Site, people: People
) -> None:
    counts = """<style>body { margin: 0; background: blue }</style><button onclick="
    if (++this.value > 20) document.body.style.background = 'red'" value=0>Count</button>"""
    page = await browser.new_page(site.html("/", counts))
    async with people.person(await link(browser)) as person:
        await person.sees_color(0.9, 0.9, BLUE)

        async def click() -> None:
            while True:
                await page["button"].click(timeout_ms=60_000)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(click)
            await person.sees_color(0.9, 0.9, RED)
            nursery.cancel_scope.cancel()


async def test_a_page_is_seen_while_a_slow_action_of_the_agent_waits(
    browser: Browser, site: Site, people: People
) -> None:
    waits = """<style>body { margin: 0; background: blue }</style><button disabled>Later</button>
    <p onclick="setTimeout(() => document.body.style.background = 'red', 2000)">Begin</p>"""
    page = await browser.new_page(site.html("/", waits))
    async with people.person(await link(browser)) as person, trio.open_nursery() as nursery:
        await person.sees_color(0.9, 0.9, BLUE)
        await page["p"].click(timeout_ms=60_000)
        nursery.start_soon(lambda: page["button"].click(timeout_ms=120_000))
        await person.sees_color(0.9, 0.9, RED)
        nursery.cancel_scope.cancel()


async def test_a_page_that_busts_frames_and_traps_keys_holds_nobody(
    browser: Browser, site: Site, people: People
) -> None:
    traps = """<script>if (top !== self) top.location = self.location;
    addEventListener('keydown', (event) => { event.preventDefault(); event.stopImmediatePropagation(); }, true);
    addEventListener('beforeunload', (event) => event.preventDefault());
    document.documentElement.requestFullscreen?.().catch(() => {});</script><input autofocus>"""
    await browser.new_page(site.html("/", traps))
    async with people.person(await link(browser)) as person:
        await person.sees_picture()
        address = await person.do(lambda tab: tab.evaluate("location.href"))
        await person.take_over()
        await person.do(lambda tab: tab.keyboard.type("abc"))
        await person.do(lambda tab: tab.keyboard.press("Escape"))
        await person.do(lambda tab: tab.keyboard.press("Escape"))
        await person.sees("#back:focus")
        await person.do(lambda tab: tab.keyboard.press("Enter"))
        await person.sees("#take:focus")
        assert await person.do(lambda tab: tab.evaluate("location.href")) == address


async def test_a_page_of_4k_is_scaled_down_and_clicked_at_the_right_point(
    browser: Browser, site: Site, people: People
) -> None:
    corner = """<style>body { margin: 0 }
    button { position: fixed; right: 0; bottom: 0; width: 60px; height: 60px }</style>
    <button onclick="document.body.style.background = 'red'">x</button>"""
    page = await browser.new_page(site.html("/", corner))
    await browser.request("emulate/setViewport", {"pageId": page.id, "width": 3840, "height": 2160})
    async with people.person(await link(browser)) as person:
        await person.sees_picture()
        await person.do(lambda tab: tab.wait_for_function("() => document.getElementById('picture').width > 1000"))
        width = await person.do(lambda tab: tab.evaluate("document.getElementById('picture').width"))
        assert width <= 1280
        await person.take_over()
        x, y = await person.point(1 - 30 / 3840, 1 - 30 / 2160)
        await person.do(lambda tab: tab.mouse.click(x, y))
        await person.sees_color(0.5, 0.5, RED)
    assert all(len(one) < 2_100_000 for one in person.received if isinstance(one, bytes))


@pytest.mark.slow
async def test_a_thousand_events_a_second_leave_the_view_and_the_agent_alive(
    browser: Browser, site: Site, people: People
) -> None:
    noisy = """<button id=go onclick="document.title = 'pressed'">Go</button><button id=noise onclick="
    let left = 60; const timer = setInterval(() => { for (let i = 0; i < 50; i++) console.log('noise', i);
    if (!left--) clearInterval(timer); }, 50);">Noise</button>"""
    page = await browser.new_page(site.html("/", noisy))
    async with people.person(await link(browser)) as person:
        await page["#noise"].click()
        await person.sees("#console-counts >> text=left out")
        await page["#go"].click(timeout_ms=60_000)
        await person.sees("#log li[data-outcome=ok]:has-text('action/click')")
        await person.sees("#page-title >> text=pressed")
        lines = await person.do(lambda tab: tab.locator("#console li").count())
        assert lines <= 200
        texts = [json.loads(one) for one in person.received if isinstance(one, str)]
        assert max(len(one.get("lines", ())) for one in texts) <= 300
