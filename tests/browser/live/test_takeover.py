"""Takeover at the live view: keys, pointer, touch, dialogs and files of a person; the agent waits meanwhile."""

from typing import TYPE_CHECKING

import pytest
import trio

from agentbrowser.client import Browser, connect
from agentbrowser.client.page import Page
from agentbrowser.config import Config
from agentbrowser.protocol.errors import InvalidParams, PageHeld
from agentbrowser.protocol.registry import Scope
from agentbrowser.protocol.types.handoff import HandoffChanges
from agentbrowser.server.app import open_server
from tests.browser.live.people import People, Person, until_nobody_watches
from tests.browser.live.test_watch import RED, link
from tests.browser.site import Site

if TYPE_CHECKING:
    from playwright.async_api import FilePayload

TOKEN = "the-token-of-the-operator"
FORM = """<style>body { margin: 0 } input { position: absolute; left: 50%; top: 0; width: 50%; height: 200px }
button { position: absolute; left: 0; top: 300px; width: 50%; height: 200px }</style>
<input id=field aria-label=Name autofocus oninput="this.dataset.value = this.value">
<button onclick="document.title = field.value">Save</button>"""
CLICKS_WHAT_COMES = """(panel) => {
    clicked = 0;
    const holder = document.querySelector(panel);
    const click = (answer) => { answer?.click(); clicked += answer !== null };
    const watch = new MutationObserver(() => setTimeout(() => click(holder.querySelector(".primary"))));
    watch.observe(holder, { childList: true });
}"""
"""Clicks the first answer of a panel of the live view whenever its cards change, as a double click does."""
LONG = """<div style='height: 5000px'></div>
<script>onscroll = () => { document.body.style.background = 'red' }</script>"""


async def sees_value(page: Page, value: str) -> None:
    """Wait until the agent sees a value in a field; looks continue while a person has the page."""
    await page.wait_for(selector=f'#field[data-value="{value}"]', timeout_ms=60_000)
    assert f'value="{value}"' in str((await page.observe()).text)


async def test_an_agent_that_waits_goes_on_once_the_person_has_handed_back(
    browser: Browser, site: Site, people: People
) -> None:
    page = await browser.new_page(site.html("/", FORM))
    results = []

    async def ask() -> None:
        results.append(await page.ask_human("a login", "Type your name."))

    async with people.person(await link(browser)) as person, trio.open_nursery() as nursery:
        await person.sees_picture()
        nursery.start_soon(ask)
        await person.sees("#handoffs >> text=Type your name.")
        await person.take_over()
        x, y = await person.point(0.75, 0.1)
        await person.do(lambda tab: tab.mouse.click(x, y))
        await person.do(lambda tab: tab.keyboard.type("Ada"))
        with pytest.raises(PageHeld) as refused:
            await page["button"].click()
        assert refused.value.details["holder"] == "the operator"
        assert refused.value.details["reason"] == "a login"
        assert refused.value.retryable
        await sees_value(page, "Ada")
        assert not results
        await person.hand_back()
    (result,) = results
    assert (result.outcome, result.by) == ("done", "the operator")
    assert result.changes == HandoffChanges(url=site.url("/"))
    await page["button"].click()
    assert "Ada" in str((await page.observe()).text)


async def test_a_takeover_interrupts_the_action_under_way(browser: Browser, site: Site, people: People) -> None:
    page = await browser.new_page(site.html("/", FORM))
    async with people.person(await link(browser)) as person, trio.open_nursery() as nursery:
        await person.sees_picture()

        async def click() -> None:
            with pytest.raises(PageHeld, match="before the action was done"):
                await page["#missing"].click(timeout_ms=60_000)

        nursery.start_soon(click)
        await person.sees("#log li[data-outcome=running]:has-text('action/click')")
        await person.take_over()
        await person.sees("#log li[data-outcome=PageHeld]")


async def test_everything_can_be_done_by_keyboard_alone(browser: Browser, site: Site, people: People) -> None:
    page = await browser.new_page(site.html("/", FORM))

    async with people.person(await link(browser)) as person:
        await person.sees_picture()

        async def press_until(id_: str) -> None:
            for _ in range(20):
                if await person.do(lambda tab: tab.evaluate("document.activeElement.id")) == id_:
                    return
                await person.do(lambda tab: tab.keyboard.press("Tab"))
            raise AssertionError(f"{id_} can't be reached")

        await press_until("take")
        await person.do(lambda tab: tab.keyboard.press("Enter"))
        await person.sees("#keys:focus")
        for keys in ("Shift+A", "d", "Tab", "Shift+Tab", "End", "x", "Backspace", "a"):
            await person.do(lambda tab, keys=keys: tab.keyboard.press(keys))  # type: ignore[misc]
        await sees_value(page, "Ada")
        for _ in range(2):
            await person.do(lambda tab: tab.keyboard.press("Escape"))
        await person.sees("#back:focus")
        await person.do(lambda tab: tab.keyboard.press("Enter"))
        await person.sees("#take:focus")
        await page["button"].click()


async def test_what_a_person_who_leaves_has_pressed_is_released(browser: Browser, site: Site, people: People) -> None:
    notes = """<body style="margin: 0; height: 500px" data-heard=""><script>
    for (const type of ["mousedown", "mouseup", "keydown", "keyup"])
      addEventListener(type, (event) => {
        document.body.dataset.heard += ` ${type} ${event.key ?? [event.button, event.clientX > 600]}`;
      });</script>"""
    page = await browser.new_page(site.html("/", notes))
    async with people.person(await link(browser)) as person:
        await person.sees_picture()
        await person.take_over()
        for place in (0.1, 0.9):
            x, y = await person.point(place, 0.5)
            await person.do(lambda tab, x=x, y=y: tab.mouse.move(x, y))  # type: ignore[misc]
            await person.do(lambda tab: tab.mouse.down())
        await person.do(lambda tab: tab.keyboard.down("Shift"))
        await page.wait_for(selector='[data-heard$="keydown Shift"]', timeout_ms=60_000)
    await page.wait_for(selector='[data-heard$="mouseup 0,true keyup Shift"]', timeout_ms=60_000)


async def test_a_phone_is_large_enough(browser: Browser, site: Site, people: People) -> None:
    page = await browser.new_page(site.html("/", FORM + LONG))
    phone = {"viewport": {"width": 375, "height": 667}, "has_touch": True, "is_mobile": True}
    async with people.person(await link(browser), **phone) as person:
        await person.sees_picture()
        width = await person.do(lambda tab: tab.evaluate("document.documentElement.scrollWidth"))
        assert width <= 375
        await person.do(lambda tab: tab.tap("#take"))
        await person.sees("#keys")
        x, y = await person.point(0.75, 0.1)
        await person.do(lambda tab: tab.touchscreen.tap(x, y))
        await person.do(lambda tab: tab.keyboard.insert_text("Ada"))  # as a screen keyboard does
        await sees_value(page, "Ada")
        drag = """() => { const keys = document.getElementById("keys"), box = keys.getBoundingClientRect();
            const send = (type, y) => keys.dispatchEvent(new PointerEvent(type, { pointerId: 1, pointerType: "touch",
                clientX: box.left + 50, clientY: box.top + y, bubbles: true, isPrimary: true }));
            keys.setPointerCapture = () => {};
            send("pointerdown", 150); send("pointermove", 50); send("pointerup", 50); }"""
        await person.do(lambda tab: tab.evaluate(drag))
        await person.sees_color(0.1, 0.9, RED)
        await person.do(lambda tab: tab.tap("#back"))
        await person.sees("#take:enabled")
        screen = {"width": 800, "height": 600, "hasTouch": True, "pageId": page.id}
        await browser.request("emulate/setViewport", screen)
        listen = "() => addEventListener('touchend', () => { field.dataset.value = field.value = 'touched' })"
        await browser.request("script/evaluate", {"expression": listen, "world": "main", "pageId": page.id})
        await person.do(lambda tab: tab.tap("#take"))
        await person.sees("#keys")
        x, y = await person.point(0.5, 0.5)
        await person.do(lambda tab: tab.touchscreen.tap(x, y))
        await sees_value(page, "touched")


async def take_over_and_click(person: Person, x: float, y: float) -> None:
    """Take over, and click at the fractions of the picture."""
    await person.sees_picture()
    await person.take_over()
    left, top = await person.point(x, y)
    await person.do(lambda tab: tab.mouse.click(left, top))


async def test_composed_text_pasted_text_and_the_wheel_arrive(browser: Browser, site: Site, people: People) -> None:
    page = await browser.new_page(site.html("/", FORM + LONG))
    async with people.person(await link(browser)) as person:
        await take_over_and_click(person, 0.75, 0.1)
        compose = """() => { const keys = document.getElementById("keys");
            const send = (type, data) => keys.dispatchEvent(new CompositionEvent(type, { data }));
            send("compositionstart", ""); send("compositionupdate", "に"); send("compositionupdate", "日");
            send("compositionend", "日本");
            const data = new DataTransfer(); data.setData("text/plain", " and more");
            keys.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, cancelable: true })); }"""
        await person.do(lambda tab: tab.evaluate(compose))
        await sees_value(page, "日本 and more")
        await person.do(lambda tab: tab.mouse.wheel(0, 400))
        await person.sees_color(0.1, 0.9, RED)


async def test_a_person_answers_dialogs(browser: Browser, site: Site, people: People) -> None:
    asks = """<style>button { width: 100%; height: 400px }</style>
    <button onclick="document.title = prompt('Which color?', 'none')">Ask</button>"""
    await browser.new_page(site.html("/", asks))
    async with people.person(await link(browser)) as person:
        await take_over_and_click(person, 0.1, 0.1)
        await person.sees("#dialog >> text=Which color?")
        await person.do(lambda tab: tab.fill("#prompt", "blue"))
        await person.click("#dialog button:has-text('OK')")
        await person.sees("#page-title >> text=blue")


@pytest.mark.parametrize("first", ["alert('Welcome')", "confirm('Pay 900 EUR?')"], ids=["another", "the same text"])
async def test_an_answer_goes_to_no_dialog_but_the_one_that_the_person_has_seen(
    first: str, browser: Browser, site: Site, people: People
) -> None:
    asks = f"""<style>button {{ width: 100%; height: 400px }}</style>
    <button onclick="{first}; document.title = confirm('Pay 900 EUR?') ? 'paid' : 'not paid'">Ask</button>"""
    await browser.new_page(site.html("/", asks))
    async with people.person(await link(browser)) as person:
        await take_over_and_click(person, 0.1, 0.1)
        await person.sees("#dialog .primary")
        await person.do(lambda tab: tab.evaluate("window.ok = document.querySelector('#dialog .primary'); 0"))
        await person.do(lambda tab: tab.evaluate(CLICKS_WHAT_COMES, "#dialog"))
        await person.click("#dialog .primary")
        another = "() => document.querySelector('#dialog .primary') !== ok && clicked"
        await person.do(lambda tab: tab.wait_for_function(another, polling=50))
        await person.sees("#dialog >> text=Pay 900 EUR?")
        await person.do(lambda tab: tab.evaluate("window.ok.click()"))  # as one that is late on a slow line
        await person.sees("#connection >> text=The dialog is not answered")
        assert await person.do(lambda tab: tab.evaluate("clicked")) == 1
        await person.click("#dialog button:has-text('Cancel')")
        await person.sees("#page-title >> text=not paid")


async def test_a_person_chooses_files(browser: Browser, site: Site, people: People) -> None:
    asks = """<style>input { margin: 0; position: absolute; top: 300px; width: 100%; height: 200px }</style>
    <input type=file onchange="this.files[0].text().then((text) => { document.title = text })">"""
    await browser.new_page(site.html("/", asks))
    async with people.person(await link(browser)) as person:
        await take_over_and_click(person, 0.01, 0.5)
        await person.sees("#chosen-files")
        file: FilePayload = {"name": "a.txt", "mimeType": "text/plain", "buffer": b"contents"}
        await person.do(lambda tab: tab.set_input_files("#chosen-files", files=[file]))
        await person.sees("#page-title >> text=contents")


async def test_files_for_one_site_go_to_no_chooser_of_another(browser: Browser, site: Site, people: People) -> None:
    asks = """<style>input { position: absolute; top: 0; left: 0; width: 100%; height: 200px }</style>
    <input type=file>"""
    site.html("/thief", asks)
    thief = site.url("/thief", "localhost")
    frame = f"<iframe src='{thief}' style='position: absolute; top: 300px; width: 100%'></iframe>"
    page = await browser.new_page(site.html("/", asks + frame))
    late = """async () => {
      const data = new DataTransfer();
      data.items.add(new File(["contents"], "a.txt"));
      window.before.files = data.files;
      await window.before.onchange();
    }"""
    async with people.person(await link(browser)) as person:
        await person.sees_picture()
        await person.take_over()
        for top, host in ((0.1, "127.0.0.1"), (0.6, "localhost")):
            x, y = await person.point(0.01, top)
            await person.do(lambda tab, x=x, y=y: tab.mouse.click(x, y))  # type: ignore[misc]
            await person.sees(f"#files >> text=http://{host}")
            if host == "127.0.0.1":
                await person.do(lambda tab: tab.evaluate("window.before = document.getElementById('chosen-files')"))
        await person.do(lambda tab: tab.evaluate(late))
        await person.sees("#connection >> text=Nobody has got the files")
        await person.hand_back()  # the server notices only later that somebody has closed the view
    await browser.request("frame/switch", {"url": thief, "pageId": page.id})
    chosen = {"expression": "document.querySelector('input').files.length", "pageId": page.id}
    assert (await browser.request("script/evaluate", chosen))["value"] == 0


@pytest.mark.own_server
async def test_a_lease_ends_when_its_tab_is_closed_or_nobody_uses_it(site: Site, people: People) -> None:
    config = Config(port=0, token=TOKEN, scope=Scope.PRIVILEGED, private_network="allow", takeover_idle_s=1)
    with trio.fail_after(120):
        async with open_server(config) as server, connect(server.url, token=TOKEN) as browser:
            page = await browser.new_page(site.html("/", FORM))
            async with people.person(await link(browser)) as person:
                await person.sees_picture()
                await person.take_over()
                await person.sees("#connection >> text=nobody has used it for long")
                await person.sees("#take")
                await page["button"].click()
                await person.take_over()
            await until_nobody_watches(server.live)
            await page["button"].click()


@pytest.mark.slow
@pytest.mark.own_server
async def test_a_tab_returns_without_the_page_when_its_server_has_ended(site: Site, people: People) -> None:
    config = Config(port=0, token=TOKEN, scope=Scope.PRIVILEGED, private_network="allow")
    with trio.fail_after(120):
        async with open_server(config) as server, connect(server.url, token=TOKEN) as browser:
            await browser.new_page(site.html("/", FORM))
            async with people.person(await link(browser)) as person:
                await person.sees_picture()
                await person.take_over()
                server.live.end()  # as at the shutdown; the server that the tab finds then is this one
                await person.sees("#take:enabled")
                await person.sees("#connection >> text=Connected as the operator")
                assert await person.do(lambda page: page.locator("#holder").text_content()) == ""
                await person.take_over()


async def test_only_one_person_has_a_page_and_a_handoff_can_be_declined(
    browser: Browser, site: Site, people: People
) -> None:
    page = await browser.new_page(site.html("/", FORM))
    asked = await browser.request("handoff/request", {"reason": "a code", "pageId": page.id, "wait": False})
    assert asked["outcome"] == "pending"
    async with people.person(await link(browser)) as first, people.person(asked["link"]) as second:
        await first.sees_picture()
        await second.sees_picture()
        await first.take_over()
        await second.sees("#holder >> text=the operator has the page.")
        await second.sees("#take:disabled")
        await first.hand_back()
    result = await browser.request("handoff/request", {"handoffId": asked["handoffId"]})
    assert (result["outcome"], result["by"]) == ("done", "the operator")
    asked = await browser.request("handoff/request", {"reason": "a code", "pageId": page.id, "wait": False})
    async with people.person(asked["link"]) as person:
        await person.sees("#approvals", state="attached")
        await person.click("#handoffs button:has-text('Decline')")
        await person.sees("#over")
    result = await browser.request("handoff/request", {"handoffId": asked["handoffId"]})
    assert (result["outcome"], result["by"]) == ("declined", "whoever has the link")


async def test_a_person_picks_one_of_the_choices_of_a_handoff(browser: Browser, site: Site, people: People) -> None:
    page = await browser.new_page(site.html("/", FORM))
    request = {"reason": "Which seat?", "choices": ["Window", "Aisle"], "pageId": page.id, "wait": False}
    asked = await browser.request("handoff/request", request)
    async with people.person(asked["link"]) as person:
        await person.click("#handoffs button:text-is('Aisle')")
        await person.sees("#over")
    result = await browser.request("handoff/request", {"handoffId": asked["handoffId"]})
    assert (result["outcome"], result["answer"], result["by"]) == ("done", "Aisle", "whoever has the link")
    with pytest.raises(InvalidParams, match=r"choices\[1\] must be a text of 1 to 200 characters"):
        await browser.request("handoff/request", {**request, "choices": ["Window", ""]})


async def test_a_handoff_ends_by_its_condition_and_names_changed_cookies(browser: Browser, site: Site) -> None:
    page = await browser.new_page(site.html("/", "<p id=soon></p>"))
    site.html("/in", "Welcome", Set_Cookie="sid=canary-of-a-cookie; Path=/")
    params = {"reason": "a login", "pageId": page.id, "until": {"url": "/in"}, "timeout": 60_000, "wait": False}
    begun = await browser.request("handoff/request", params)
    await page.goto(site.url("/in"))
    result = await browser.request("handoff/request", {"handoffId": begun["handoffId"], "timeout": 60_000})
    assert (result["outcome"], result["by"]) == ("done", "the condition")
    assert result["changes"] == {"url": site.url("/in"), "loggedIn": ["sid"]}


async def test_a_handoff_ends_with_its_time_or_its_page(browser: Browser, site: Site) -> None:
    page = await browser.new_page(site.html("/", FORM))
    request = {"reason": "a login", "pageId": page.id}
    result = await browser.request("handoff/request", {**request, "timeout": 1})
    assert (result["outcome"], result["by"]) == ("timeout", "nobody")
    asked = await browser.request("handoff/request", {**request, "wait": False})
    result = await browser.request("handoff/request", {"handoffId": asked["handoffId"], "withdraw": True})
    assert (result["outcome"], result["by"]) == ("declined", "the agent")
    with pytest.raises(InvalidParams, match="handoffId must be"):
        await browser.request("handoff/request", {**request, "withdraw": True})
    asked = await browser.request("handoff/request", {**request, "wait": False})
    await page.close()
    result = await browser.request("handoff/request", {"handoffId": asked["handoffId"]})
    assert (result["outcome"], result["by"]) == ("declined", "the end of the page")
    assert "changes" not in result


ECHO = """<input id=field autofocus style="width: 100%; height: 300px"
oninput="console.log(this.value); fetch('/?typed=' + this.value).catch(() => {}); this.dataset.value = this.value">"""


async def test_what_a_person_types_is_in_no_recording(browser: Browser, site: Site, people: People) -> None:
    page = await browser.new_page(site.html("/", ECHO))
    async with people.person(await link(browser)) as person:
        await person.sees_picture()
        await person.take_over()
        x, y = await person.point(0.5, 0.1)
        await person.do(lambda tab: tab.mouse.click(x, y))
        await person.do(lambda tab: tab.keyboard.type("Zanzibar"))
        await page.wait_for(selector='#field[data-value="Zanzibar"]', timeout_ms=60_000)
        await person.hand_back()
        await page.evaluate("console.log('after'), 1")
    entries = (await browser.request("recording/get", {"limit": 1000}))["entries"]
    assert [entry["what"] for entry in entries if entry["kind"] == "person"] == [
        "took the page over",
        "handed the page back",
    ]
    # The agent's own condition is a request, and stays.
    assert "Zanz" not in str([entry for entry in entries if entry["kind"] != "request"])
    assert "after" in str([entry for entry in entries if entry["kind"] == "console"])
