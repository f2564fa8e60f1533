"""A look waits until the effects of the client's actions are over, and for nothing else."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from agentbrowser.client import Browser
from tests.browser.settle.slow_site import SlowSite, open_slow_site
from tests.browser.watched_page import Scenarios, WatchedTab
from tests.each import in_parts


@pytest.fixture(scope="module")
def slow() -> Iterator[SlowSite]:
    with open_slow_site() as site:
        yield site


SHOW = "const show = name => { const b = document.createElement('button'); b.textContent = name; out.append(b) };"

AWAITED = {
    "a fetch of 50 ms": "fetch('/50/data').then(r => r.json()).then(() => show('Done'))",
    "a fetch of 600 ms": "fetch('/600/data').then(r => r.json()).then(() => show('Done'))",
    "a fetch of 2000 ms": "fetch('/2000/data').then(() => show('Done'))",
    "a streamed body": """fetch('/300/stream').then(async r => { let text = '';
        for await (const part of r.body.pipeThrough(new TextDecoderStream())) text += part;
        if (text.includes('end')) show('Done') })""",
    "a stream of events": """{const s = new EventSource('/300/stream');
        s.onmessage = e => { if (e.data === 'end') { s.close(); show('Done') } }}""",
    "an xhr": "{const x = new XMLHttpRequest; x.onload = () => show('Done'); x.open('GET', '/200/data'); x.send()}",
    "an xhr, then a timer": """{const x = new XMLHttpRequest; x.open('GET', '/100/data');
        x.onloadend = () => setTimeout(show, 300, 'Done'); x.send()}""",
    "a short timer": "setTimeout(() => show('Done'), 50)",
    "a long timer": "setTimeout(show, 900, 'Done')",
    "a promise of a timer": "new Promise(r => setTimeout(r, 200)).then(() => 1).then(async () => show('Done'))",
    "an async function": """(async () => { await null; await new Promise(r => setTimeout(r, 80));
        const r = await fetch('/80/data'); await r.json();
        await new Promise(r => setTimeout(r, 80)); show('Done') })()""",
    "a fetch after a timer": "setTimeout(() => fetch('/150/data').then(() => setTimeout(show, 150, 'Done')), 150)",
    "a frame": "requestAnimationFrame(() => requestAnimationFrame(() => show('Done')))",
    "an animation of frames": """{let left = 6; const step = () => left-- ? requestAnimationFrame(step) : show('Done');
        step()}""",
    "a script": """{const s = document.createElement('script'); s.src = '/300/x.js';
        window.loaded = () => show('Done'); document.head.append(s)}""",
    "a module": "import('/300/x.js?1').then(() => show('Done'))",
    "a frame's document": """{const f = document.createElement('iframe'); f.src = '/300/x.html';
        f.onload = () => show('Done'); document.body.append(f)}""",
    "a frame's document after a move within the document": """history.pushState(null, '', '#/there');
        setTimeout(() => { const f = document.createElement('iframe'); f.src = '/400/x.html';
        f.onload = () => show('Done'); document.body.append(f) })""",
    "a message after a task": """{const c = new MessageChannel; c.port1.onmessage = () => show('Done');
        c.port2.postMessage(1)}""",
    "the request of a worker": """{const w = new Worker(URL.createObjectURL(new Blob(
        ['onmessage = async e => postMessage(await (await fetch(e.data)).text())'])));
        w.onmessage = () => show('Done'); w.postMessage(location.origin + '/1500/data')}""",
    "a worker that computes": """{const w = new Worker('data:text/javascript,' + encodeURIComponent(
        'onmessage = () => setTimeout(() => postMessage(1), 300)'));
        w.addEventListener('message', () => setTimeout(show, 100, 'Done')); w.postMessage(1)}""",
    "a web socket": """{const s = new WebSocket(`ws://${location.host}/300/socket`); s.onopen = () => s.send('x');
        s.onmessage = () => setTimeout(show, 100, 'Done')}""",
    "a view transition": "document.startViewTransition(() => show('Done'))",
    "a short transition": """{const b = document.createElement('button'); b.textContent = 'Done';
        b.style = 'visibility: hidden; transition: visibility 300ms'; out.append(b); b.offsetTop;
        b.style.visibility = 'visible'}""",
}

CLICK = {"selector": {"type": "css", "value": "#go"}}


async def names(browser: Browser, **params: Any) -> list[str]:
    look = await browser.request("agent/observe", params)
    assert "pending" not in look, look["awaited"]
    return [element.get("name") for element in look["interactiveElements"]]


@pytest.mark.parametrize("effects", in_parts(AWAITED, 4))
async def test_the_first_look_shows_the_outcome_of(browser: Browser, slow: SlowSite, effects: list[str]) -> None:
    for effect in effects:
        script = f"<script>{SHOW} go.onclick = () => {{ {AWAITED[effect]} }}</script>"
        url = slow.show("/", f"<button id=go>Go</button><p id=out></p>{script}")
        await browser.request("page/navigate", {"url": url})
        await names(browser)
        await browser.request("action/click", CLICK)
        assert await names(browser) == ["Go", "Done"], effect


@pytest.mark.parametrize("effect", ["a streamed body", "a stream of events"])
async def test_a_stream_is_waited_for_in_a_document_that_is_written_anew(
    browser: Browser, slow: SlowSite, effect: str
) -> None:
    """`document.open()` removes the listeners that note the first input."""
    script = f"<script>{SHOW} go.onclick = () => {{ {AWAITED[effect]} }}</script>"
    write = "html => { document.open(); document.write(html); document.close() }"
    await browser.request("page/navigate", {"url": slow.show("/", "")})
    params = {"expression": write, "arg": f"<button id=go>Go</button><p id=out></p>{script}", "world": "main"}
    await browser.request("script/evaluate", params)
    await names(browser)
    await browser.request("action/click", CLICK)
    assert await names(browser) == ["Go", "Done"]


async def test_a_look_after_a_scroll_shows_the_rows_that_a_list_draws_then(browser: Browser, slow: SlowSite) -> None:
    script = "list.onscroll = () => list.insertAdjacentHTML('beforeend', `<button>At ${list.scrollTop}</button>`)"
    page = f"<div id=list style='height: 90px; overflow: auto'><p style='height: 900em'></div><script>{script}</script>"
    await browser.request("page/navigate", {"url": slow.show("/", page)})
    options = {"direction": "down", "amount": 100}
    for place in range(100, 600, 100):  # a frame that comes in time hides the fault now and then
        scroll = {"selector": {"type": "css", "value": "#list"}, "options": options, "observe": {}}
        look = (await browser.request("action/scroll", scroll))["observation"]
        assert look["interactiveElements"][-1]["name"] == f"At {place}"


NEVER_ENDING = {
    "a stream of events": "new EventSource('/events').onmessage = () => 0;",
    "a body that was received": "go.onclick = () => fetch('/1/data').then(r => r.body && r.text()).then(() => 0);",
    "a web socket that does not open": "go.onclick = () => new WebSocket(`ws://${location.host}/held/socket`);",
    "a web socket that nothing was sent over": "go.onclick = () => new WebSocket(`ws://${location.host}/1/socket`);",
    "a web socket that gives no answers": """const s = new WebSocket(`ws://${location.host}/60000/socket`);
        const pass = at => { while (Date.now() === at); };
        go.onclick = () => { for (let n = 0; n < 5; n++) { s.send(n); pass(Date.now()) } };""",
    "a beacon": "go.onclick = () => navigator.sendBeacon('/held/beacon', 'x');",
    "an answer that no script can read": "go.onclick = () => fetch('/held/metric', { mode: 'no-cors' });",
    "an image": "go.onclick = () => { new Image().src = '/held/image' };",
    "a clock": "setInterval(() => { out.textContent = Date.now() }, 50);",
    "a timer that starts itself again": "(function tick() { out.textContent = Date.now(); setTimeout(tick, 40) })();",
    "frame after frame": "(function draw(n) { out.textContent = n; requestAnimationFrame(draw) })(0);",
    "an endless animation": """go.animate({ opacity: [1, 0.5] }, { duration: 300, iterations: Infinity });
        go.onclick = () => go.animate({ opacity: [1, 0.5] }, { duration: 300, iterations: Infinity });""",
    "polling with timers": "(function poll() { fetch('/20/poll').then(() => setTimeout(poll, 50)) })();",
    "polling at intervals": "setInterval(() => fetch('/held/poll'), 300);",
    "polling that the action began": "go.onclick = () => setInterval(() => fetch('/20/poll'), 60);",
    "a countdown that the action began": """go.onclick = () => { let n = 99;
        (function count() { out.textContent = n--; setTimeout(() => count(), 400) })() };""",
    "a timer of more than a second": "go.onclick = () => setTimeout(show, 60_000, 'Late');",
    "a cancelled timer": "go.onclick = () => clearTimeout(setTimeout(show, 900, 'Never'));",
    "a long poll": "fetch('/held/poll').then(() => show('Never'));",
}


@pytest.mark.parametrize("sources", in_parts(NEVER_ENDING, 4))
async def test_a_look_does_not_wait_for(browser: Browser, slow: SlowSite, sources: list[str]) -> None:
    for source in sources:
        script = f"<script>{SHOW} go.onclick = () => 0; {NEVER_ENDING[source]}</script>"
        url = slow.show("/", f"<button id=go>Go</button><p id=out></p>{script}")
        await browser.request("page/navigate", {"url": url})
        await browser.request("agent/observe", {"settle": {"timeout": 300}})  # the page's own start may be pending
        for _ in range(3):
            await browser.request("action/click", CLICK)
            # A longer wait would be reported as pending.
            assert await names(browser, settle={"timeout": 500}) == ["Go"], source


async def test_a_long_poll_that_starts_again_is_not_waited_for(browser: Browser, slow: SlowSite) -> None:
    script = "go.onclick = async () => { for (;;) await (await fetch('/600/poll?since=' + Date.now())).json() }"
    await browser.request(
        "page/navigate", {"url": slow.show("/", f"<button id=go>Go</button><script>{script}</script>")}
    )
    await names(browser)
    await browser.request("action/click", CLICK)
    assert await names(browser, settle={"timeout": 1100}) == ["Go"]


async def test_a_slow_request_to_the_address_of_the_slow_one_before_is_waited_for(
    browser: Browser, slow: SlowSite
) -> None:
    script = "go.onclick = async () => { await fetch('/600/graphql'); await fetch('/600/graphql'); show('Saved') }"
    await browser.request(
        "page/navigate",
        {"url": slow.show("/", f"<button id=go>Go</button><p id=out></p><script>{SHOW}{script}</script>")},
    )
    await names(browser)
    await browser.request("action/click", CLICK)
    assert await names(browser) == ["Go", "Saved"]


STEPS = """const step = (box, done) => { let n = 0; new ResizeObserver(() => {
    if (n < 8) box.style.width = `${50 + n++}px`; else done() }).observe(box) };"""
SHADOW = {
    "of before": """const root = host.attachShadow({ mode: 'open' }); root.innerHTML = '<p>x</p>';
        go.onclick = () => fetch('/50/data').then(() => step(root.firstChild, () => show('Done')))""",
    "that the action makes": """go.onclick = () => fetch('/50/data').then(() => {
        const box = document.createElement('div'); host.append(box);
        const root = box.attachShadow({ mode: 'open' }); root.innerHTML = '<p>x</p>';
        step(root.firstChild, () => show('Done')) })""",
}


@pytest.mark.parametrize("script", SHADOW.values(), ids=SHADOW)
async def test_changes_in_a_shadow_root_are_waited_for(browser: Browser, slow: SlowSite, script: str) -> None:
    page = f"<button id=go>Go</button><p id=out></p><div id=host></div><script>{SHOW}{STEPS}{script}</script>"
    await browser.request("page/navigate", {"url": slow.show("/", page)})
    await names(browser)
    await browser.request("action/click", CLICK)
    assert await names(browser) == ["Go", "Done"]


async def test_a_look_that_comes_after_the_answer_waits_for_what_the_answer_sets_off(
    browser: Browser, slow: SlowSite
) -> None:
    script = "go.onclick = () => fetch('/50/data').then(() => { host.append('Back'); step(host, () => show('Done')) })"
    page = f"<button id=go>Go</button><p id=out></p><div id=host></div><script>{SHOW}{STEPS}{script}</script>"
    await browser.request("page/navigate", {"url": slow.show("/", page)})
    await names(browser)
    await browser.request("action/click", CLICK)
    await browser.request("page/waitFor", {"text": "Back"})
    assert await names(browser) == ["Go", "Done"]


@pytest.mark.parametrize("removal", ["", "document.querySelector('iframe').remove();"], ids=["kept", "removed"])
async def test_what_a_frame_sets_off_in_its_parent_is_waited_for(
    browser: Browser, slow: SlowSite, removal: str
) -> None:
    frame = "<button onclick='setTimeout(() => parent.postMessage(1), 400)'>Inside</button>"
    script = f"""<script>{SHOW}
        onmessage = () => {{ {removal} setTimeout(() => fetch('/300/data').then(() => show('Done')), 100) }}</script>"""
    page = f'<p id=out></p><iframe srcdoc="{frame}"></iframe>{script}'
    await browser.request("page/navigate", {"url": slow.show("/", page)})
    look = await browser.request("agent/observe")
    (inside,) = [one["ref"] for one in look["interactiveElements"] if one.get("name") == "Inside"]
    await browser.request("action/click", {"selector": inside})
    assert sorted(filter(None, await names(browser))) == ["Done"] + ([] if removal else ["Inside"])


async def test_a_worker_is_waited_for_when_the_click_comes_before_the_page_has_loaded(
    browser: Browser, slow: SlowSite
) -> None:
    page = f"""<button id=go>Go</button><p id=out></p><img src=/held/image>
        <script>{SHOW} go.onclick = () => {{ {AWAITED["a worker that computes"]} }}</script>"""
    await browser.request("page/navigate", {"url": slow.show("/", page), "waitUntil": "domcontentloaded"})
    look = await browser.request("agent/observe", {"settle": {"timeout": 1}})
    assert "document" in look["awaited"]
    await browser.request("action/click", CLICK)
    assert await names(browser) == ["Go", "Done"]


async def test_what_is_pending_on_the_site_of_the_page_is_named_by_its_path(browser: Browser, slow: SlowSite) -> None:
    script = """<script>go.onclick = () => { import('/held/late.js').catch(() => 0)
        fetch(new URL('/held/rows', location)).catch(() => 0) }</script>"""
    await browser.request("page/navigate", {"url": slow.show("/", f"<button id=go>Go</button>{script}")})
    await browser.request("action/click", CLICK)
    look = await browser.request("agent/observe", {"settle": {"timeout": 50}})
    assert sorted(look["awaited"]) == ["GET /held/late.js", "GET /held/rows"]


async def test_a_page_that_does_not_settle_in_time_says_what_is_pending(browser: Browser, slow: SlowSite) -> None:
    script = """<script>go.onclick = () => { fetch('/held/orders?secret=1', { method: 'POST' }).catch(() => 0);
        setTimeout(() => 0, 1000) }</script>"""
    await browser.request("page/navigate", {"url": slow.show("/", f"<button id=go>Go</button>{script}")})
    await names(browser)
    await browser.request("action/click", CLICK)
    look = await browser.request("agent/observe", {"settle": {"timeout": 50}})
    assert (look["pending"], look["awaited"]) == (2, ["POST /held/orders", "timer 1000 ms"])
    text = await browser.request("agent/observe", {"settle": {"timeout": 50}, "format": "text"})
    assert "\npending 2: POST /held/orders, timer 1000 ms\n" in text["text"]
    assert "pending" not in await browser.request("agent/observe", {"settle": False})
    schema = {"type": "object", "properties": {"total": {"type": "number"}}}
    extracted = await browser.request("agent/extract", {"schema": schema, "settle": {"timeout": 50}})
    assert "POST /held/orders" in extracted["awaited"]


async def test_a_look_after_a_navigation_shows_what_the_page_fetches_then(browser: Browser, slow: SlowSite) -> None:
    script = f"<script>{SHOW} addEventListener('load', () => fetch('/400/data').then(() => show('Done')))</script>"
    url = slow.show("/spa", f"<p id=out></p>{script}")
    look = await browser.request("page/navigate", {"url": url, "observe": {}})
    assert [element["name"] for element in look["observation"]["interactiveElements"]] == ["Done"]
    await browser.request("page/navigate", {"url": slow.show("/", "<a id=go href='/spa'>Go</a>")})
    await browser.request("action/click", CLICK)
    assert await names(browser) == ["Done"]


async def test_a_look_at_a_new_document_waits_for_its_deferred_scripts(browser: Browser, slow: SlowSite) -> None:
    """Many pages consist of one such script, which writes all that there is to see."""
    scripts = f"<script>{SHOW} loaded = () => fetch('/400/data').then(() => show('Done'))</script>"
    scripts += "<script defer src='/1500/x.js'></script>"
    url = slow.show("/deferred", f"<p id=out></p><img src='/held/x.png'>{scripts}")
    await browser.request("page/navigate", {"url": url, "waitUntil": "commit"})
    assert await names(browser) == ["Done"]
    await browser.request("page/navigate", {"url": slow.show("/", "<a id=go href='/deferred'>Go</a>")})
    await browser.request("action/click", CLICK)
    assert await names(browser) == ["Done"]


async def test_a_link_to_a_slow_document_is_followed_before_the_look(browser: Browser, slow: SlowSite) -> None:
    script = f"<script>{SHOW} go.onclick = () => setTimeout(() => {{ location = '/400/data/x.html' }}, 200)</script>"
    await browser.request("page/navigate", {"url": slow.show("/", f"<button id=go>Go</button>{script}")})
    await browser.request("action/click", CLICK)
    look = await browser.request("agent/observe")
    assert look["metadata"]["url"].endswith("/400/data/x.html")


async def test_the_observation_after_a_sequence_waits_for_its_steps(browser: Browser, slow: SlowSite) -> None:
    script = f"<script>{SHOW} go.onclick = () => fetch('/300/data').then(() => show('Done'))</script>"
    await browser.request("page/navigate", {"url": slow.show("/", f"<button id=go>Go</button><p id=out></p>{script}")})
    steps = [{"action": "action/click", "params": CLICK}] * 2
    result = await browser.request("agent/act", {"steps": steps, "postObserve": True})
    assert [one["name"] for one in result["postObservation"]["interactiveElements"]] == ["Go", "Done", "Done"]


async def test_a_script_of_the_client_is_an_action_too(browser: Browser, slow: SlowSite) -> None:
    await browser.request("page/navigate", {"url": slow.show("/", f"<p id=out></p><script>{SHOW}</script>")})
    await names(browser)
    await browser.request("script/evaluate", {"expression": "void setTimeout(show, 300, 'Done')", "world": "main"})
    assert await names(browser) == ["Done"]


async def test_a_dialog_that_opens_during_the_wait_ends_it(browser: Browser, slow: SlowSite) -> None:
    script = "<script>go.onclick = () => setTimeout(() => { alert('Now'); setTimeout(() => 0, 900) }, 200)</script>"
    await browser.request("page/navigate", {"url": slow.show("/", f"<button id=go>Go</button>{script}")})
    async with browser.events("dialog"):
        await browser.request("action/click", CLICK)
        look = await browser.request("agent/observe")
        assert look["metadata"]["dialog"]["message"] == "Now"
        await browser.request("dialog/handle", {"action": "accept"})


async def test_a_hidden_page_settles_without_frames(browser: Browser, slow: SlowSite) -> None:
    script = f"<script>{SHOW} go.onclick = () => fetch('/200/data').then(() => show('Done'))</script>"
    url = slow.show("/", f"<button id=go>Go</button><p id=out></p>{script}")
    first = await browser.request("page/create", {"url": url})
    await browser.request("page/create", {"url": slow.show("/other", "Other")})
    await browser.request("action/click", {**CLICK, "pageId": first["id"]})
    assert await names(browser, pageId=first["id"]) == ["Go", "Done"]


@pytest.mark.parametrize("hours", [-1, 1], ids=["back", "forward"])
def test_a_clock_that_was_set_behind_the_begin_of_the_browser_hides_no_transition(
    scenarios: Scenarios, hours: int
) -> None:
    async def scenario(tab: WatchedTab) -> None:
        world = tab.isolated_worlds.of(tab.page.main_frame)
        span = {"begin": 0, "end": 0, "timeout": 0, "isRestWanted": False}
        await world.call("settle", span)
        # The clock itself is the machine's: so the page's idea of it is moved the other way.
        earlier = f"performance.timeOrigin - {hours * 3600_000}"
        move = f"Object.defineProperty(performance, 'timeOrigin', {{ value: {earlier} }})"
        await world._run("evaluate", contextId=world._context, expression=move)
        begin = round(time.time() * 1000)
        await tab.page.evaluate(
            """() => { const fade = shown.animate([{ opacity: 0 }, { opacity: 1 }], 450);
            fade.playbackRate = 0.001; return fade.ready.then(() => 0) }"""
        )
        found = await world.call("settle", {**span, "begin": begin - 20, "end": begin + 150})
        assert found["items"] == ["transition"]
        found = await world.call("settle", {**span, "begin": begin + 60_000, "end": begin + 60_000})
        assert found["items"] == []

    scenarios.markup("<p id=shown style='opacity: 0'>Shown</p>", scenario)
