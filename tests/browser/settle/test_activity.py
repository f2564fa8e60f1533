"""The program among the page's scripts: pages neither notice it nor break it, and it breaks no page."""

from collections.abc import Iterator

import pytest

from agentbrowser.client import Browser
from tests.browser.settle.slow_site import SlowSite, open_slow_site

CLICK = {"selector": {"type": "css", "value": "#go"}}

NATIVE = """(async () => {
  const faults = [];
  const check = (what, holds) => { if (!holds) faults.push(what) };
  for (const f of [setTimeout, setInterval, clearTimeout, requestAnimationFrame, fetch, Response.prototype.json,
                   XMLHttpRequest.prototype.open, Function.prototype.toString, HTMLElement.prototype.attachInternals]) {
    check(`text of ${f.name}`, f.toString() === `function ${f.name}() { [native code] }`);
    check(`own text of ${f.name}`, Function.prototype.toString.call(f) === f.toString());
    check(`prototype of ${f.name}`, !('prototype' in f));
  }
  check('a socket', String(WebSocket) === 'function WebSocket() { [native code] }' && WebSocket.OPEN === 1 &&
    new WebSocket('ws://127.0.0.1:1').constructor === WebSocket);
  check('length', setTimeout.length === 1 && fetch.length === 1);
  check('descriptor', Object.getOwnPropertyDescriptor(window, 'fetch').enumerable);
  check('globals', Object.getOwnPropertyNames(window).filter(n => /agentbrowser/i.test(n)).length === 0);
  check('arguments', await new Promise(r => setTimeout((a, b) => r(a + b === 3), 5, 1, 2)));
  check('this', await new Promise(r => setTimeout(function () { r(this === window) })));
  check('number', typeof setTimeout(() => 0) === 'number' && typeof requestAnimationFrame(() => 0) === 'number');
  window.ran = 0;
  const id = setTimeout(() => { ran += 1 }, 5);
  clearTimeout(id);
  const frame = requestAnimationFrame(() => { ran += 1 });
  cancelAnimationFrame(frame);
  setTimeout('ran += 10', 1);
  await new Promise(r => setTimeout(r, 60));
  check(`cancelled or as text: ${ran}`, ran === 10);
  const rejected = new Promise(r => addEventListener('unhandledrejection', e => { e.preventDefault(); r(true) }));
  fetch('http://127.0.0.1:1/');
  check('unhandled rejection', await rejected);
  check('promise', fetch('/1/data') instanceof Promise);
  const answer = await fetch(new Request('/1/data', { method: 'POST', body: 'x' }));
  check('answer', (await answer.json()).ok === true && await answer.text().catch(e => e instanceof TypeError));
  try { setTimeout.call({}, () => 0); check('receiver', false) } catch (e) { check('type', e instanceof TypeError) }
  return faults;
})()"""

HOSTILE = """
  const leaks = [];
  go.onclick = () => { setTimeout(() => { out.textContent = 'later' + leaks.length }, 300) };
  const steal = name => function () { leaks[leaks.length] = name; throw new Error(name) };
  const list = [[Map.prototype, ['get', 'set']], [WeakMap.prototype, ['get', 'set']], [Promise.prototype, ['then']],
    [EventTarget.prototype, ['dispatchEvent', 'addEventListener']], [JSON, ['stringify']], [Reflect, ['apply']],
    [String.prototype, ['slice']], [Array.prototype, ['push', 'slice']]];
  for (const [of, names] of list) for (const name of names) of[name] = steal(name);
  Array.prototype[Symbol.iterator] = steal('iterator');
"""

INTERNALS = """<script>customElements.define("own-radio", class extends HTMLElement {
  held = this.attachInternals();
  connectedCallback() {
    this.tabIndex = 0;
    Object.assign(this.held, { role: "radio", ariaLabel: "Large", ariaChecked: "false" });
    this.onclick = () => { this.held.ariaChecked = "true"; };
  }
})</script><own-radio id=go style="display: block; width: 20px; height: 20px"></own-radio>"""


@pytest.fixture(scope="module")
def slow() -> Iterator[SlowSite]:
    with open_slow_site() as site:
        yield site


async def test_a_page_finds_its_functions_as_they_were(browser: Browser, slow: SlowSite) -> None:
    await browser.request("page/navigate", {"url": slow.show("/", "<p>Words</p>")})
    result = await browser.request("script/evaluate", {"expression": NATIVE, "world": "main"})
    assert result["value"] == []


async def test_a_page_that_replaces_everything_neither_breaks_nor_sees_the_wait(
    browser: Browser, slow: SlowSite
) -> None:
    page = f"<button id=go>Go</button><button id=out>Out</button><script>{HOSTILE}</script>"
    await browser.request("page/navigate", {"url": slow.show("/", page)})
    await browser.request("action/click", CLICK)
    look = await browser.request("agent/observe")
    assert [element["name"] for element in look["interactiveElements"]] == ["Go", "later0"]


async def test_a_page_with_timers_of_its_own_is_looked_at_anyway(browser: Browser, slow: SlowSite) -> None:
    script = """window.setTimeout = () => { throw new Error('no') }; window.fetch = null;
        go.onclick = () => { out.textContent = 'Done' }"""
    page = f"<button id=go>Go</button><button id=out>Out</button><script>{script}</script>"
    await browser.request("page/navigate", {"url": slow.show("/", page)})
    await browser.request("action/click", CLICK)
    look = await browser.request("agent/observe")
    assert "pending" not in look
    assert [element["name"] for element in look["interactiveElements"]] == ["Go", "Done"]


async def test_a_flood_of_requests_is_counted_up_to_a_limit(browser: Browser, slow: SlowSite) -> None:
    script = "go.onclick = () => { for (let i = 0; i < 600; i++) fetch('/held/data') }"
    await browser.request(
        "page/navigate", {"url": slow.show("/", f"<button id=go>Go</button><script>{script}</script>")}
    )
    await browser.request("action/click", CLICK)
    look = await browser.request("agent/observe", {"settle": {"timeout": 50}})
    assert look["pending"] == 20
    assert look["awaited"] == ["GET /held/data"] * 10
    text = await browser.request("agent/observe", {"settle": {"timeout": 50}, "format": "text"})
    assert "\npending 20: GET /held/data (10 times)\n" in text["text"]


async def test_a_custom_element_has_the_role_name_and_state_of_its_internals(browser: Browser, slow: SlowSite) -> None:
    await browser.request("page/navigate", {"url": slow.show("/", INTERNALS)})
    (one,) = (await browser.request("agent/observe"))["interactiveElements"]
    assert (one["role"], one["name"], one["checked"]) == ("radio", "Large", False)
    assert await browser.request("action/check", {"selector": {"type": "ref", "value": one["ref"]}})
    (one,) = (await browser.request("agent/observe"))["interactiveElements"]
    assert one["checked"] is True
