"""A look waits until the effects of the client's actions are over, and for nothing else."""

from collections.abc import Iterator
from typing import Any

import pytest

from agentbrowser.client import Browser
from tests.browser.settle.slow_site import SlowSite, open_slow_site


@pytest.fixture(scope="module")
def slow() -> Iterator[SlowSite]:
    with open_slow_site() as site:
        yield site


SHOW = "const show = name => { const b = document.createElement('button'); b.textContent = name; out.append(b) };"

AWAITED = {
    "a fetch of 50 ms": "fetch('/50/data').then(r => r.json()).then(() => show('Done'))",
    "a fetch of 600 ms": "fetch('/600/data').then(r => r.json()).then(() => show('Done'))",
    "a fetch of 2000 ms": "fetch('/2000/data').then(() => show('Done'))",
    "an xhr": "{const x = new XMLHttpRequest; x.onload = () => show('Done'); x.open('GET', '/200/data'); x.send()}",
    "an xhr, then a timer": """{const x = new XMLHttpRequest; x.open('GET', '/100/data');
        x.onloadend = () => setTimeout(show, 300, 'Done'); x.send()}""",
    "a short timer": "setTimeout(() => show('Done'), 50)",
    "a long timer": "setTimeout(show, 900, 'Done')",
    "a promise of a timer": "new Promise(r => setTimeout(r, 200)).then(() => 1).then(async () => show('Done'))",
    "an async function": """(async () => { await null; await new Promise(r => setTimeout(r, 80));
        const r = await fetch('/80/data'); await r.json(); await new Promise(r => setTimeout(r, 80)); show('Done') })()""",
    "a fetch after a timer": "setTimeout(() => fetch('/150/data').then(() => setTimeout(show, 150, 'Done')), 150)",
    "a frame": "requestAnimationFrame(() => requestAnimationFrame(() => show('Done')))",
    "a script": """{const s = document.createElement('script'); s.src = '/300/x.js';
        window.loaded = () => show('Done'); document.head.append(s)}""",
    "a module": "import('/300/x.js?1').then(() => show('Done'))",
    "a frame's document": """{const f = document.createElement('iframe'); f.src = '/300/x.html';
        f.onload = () => show('Done'); document.body.append(f)}""",
    "a message after a task": """{const c = new MessageChannel; c.port1.onmessage = () => show('Done');
        c.port2.postMessage(1)}""",
    "a short transition": """{const b = document.createElement('button'); b.textContent = 'Done';
        b.style = 'visibility: hidden; transition: visibility 300ms'; out.append(b); b.offsetTop;
        b.style.visibility = 'visible'}""",
}

CLICK = {"selector": {"type": "css", "value": "#go"}}


async def names(browser: Browser, **params: Any) -> list[str]:
    look = await browser.request("agent/observe", params)
    assert "pending" not in look, look["awaited"]
    return [element.get("name") for element in look["interactiveElements"]]


@pytest.mark.parametrize("effect", AWAITED)
async def test_the_first_look_shows_the_outcome_of(browser: Browser, slow: SlowSite, effect: str) -> None:
    url = slow.show(
        "/",
        f"<button id=go>Go</button><p id=out></p><script>{SHOW} go.onclick = () => {{ {AWAITED[effect]} }}</script>",
    )
    await browser.request("page/navigate", {"url": url})
    await names(browser)
    await browser.request("action/click", CLICK)
    assert await names(browser) == ["Go", "Done"]
