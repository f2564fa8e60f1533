"""session/fork: a copy of a page that goes its own way."""

from typing import Any

import pytest

from agentbrowser.client import Browser
from agentbrowser.protocol import errors
from tests.browser.shared_server import SharedServer
from tests.browser.site import Site

PAGE = """<input id=name><input id=check type=checkbox><select id=kind><option>a<option>b</select>
<textarea id=text></textarea><input id=word type=password><p style="height: 3000px">long</p>
<script>globalThis.database = new Promise((done) => {
  const request = indexedDB.open("shop", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("cart");
  request.onsuccess = () => done(request.result);
});
globalThis.cart = async () => new Promise((async (done) => {
  const found = (await database).transaction("cart").objectStore("cart").get("item");
  found.onsuccess = () => done(found.result ?? null);
}))</script>"""
CHANGE = """async () => {
  document.cookie = "seen=1"; localStorage.kept = "local"; sessionStorage.kept = "session";
  const put = (await database).transaction("cart", "readwrite").objectStore("cart").put("mug", "item");
  await new Promise((done) => { put.onsuccess = done });
  for (const [id, value] of [["name", "Ada"], ["text", "words"], ["word", "hunter2"], ["kind", "b"]])
    document.getElementById(id).value = value;
  check.checked = true; scrollTo(0, 500);
}"""
STATE = """async () => [document.cookie, localStorage.kept, sessionStorage.kept, await cart(),
  document.getElementById("name").value, text.value, word.value, kind.value, check.checked, Math.round(scrollY)]"""


async def state(browser: Browser, page_id: str | None = None) -> Any:
    return (await browser.request("script/evaluate", {"expression": STATE, "world": "main", "pageId": page_id}))[
        "value"
    ]


async def test_a_copy_has_the_state_of_the_page_and_goes_its_own_way(browser: Browser, site: Site) -> None:
    await browser.request("page/navigate", {"url": site.html("/", PAGE)})
    await browser.request("script/evaluate", {"expression": CHANGE, "world": "main"})
    forked = await browser.request("session/fork")
    copied = await state(browser, forked["pageId"])
    assert copied == ["seen=1", "local", "session", "mug", "Ada", "words", "", "b", True, 500]
    assert {one["what"]: one["count"] for one in forked["notCloned"]} == {"passwords": 1, "scripts": 1}
    change = {"expression": "() => { document.cookie = 'seen=2'; localStorage.kept = 'other' }", "world": "main"}
    await browser.request("script/evaluate", {**change, "pageId": forked["pageId"]})
    assert (await state(browser))[:2] == ["seen=1", "local"], "the page itself is as it was, and still the active one"
    await browser.request("context/destroy", {"contextId": forked["contextId"]})


async def test_a_value_that_contains_itself_ends_nobodys_browser(
    browser: Browser, shared_server: SharedServer, site: Site
) -> None:
    change = """async () => {
      const round = {}; round.self = round;
      const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 128 }, false, ["encrypt"]);
      const store = (await database).transaction("cart", "readwrite").objectStore("cart");
      store.put(round, "round");
      const opening = indexedDB.open("keys", 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore("keys").put(key, "key");
      await new Promise((done) => { opening.onsuccess = done });
    }"""
    url = site.html("/", PAGE)
    async with shared_server.connect() as other:
        for client in (browser, other):
            await client.request("page/navigate", {"url": url})
        await other.request("script/evaluate", {"expression": "globalThis.here = 1", "world": "main"})
        await browser.request("script/evaluate", {"expression": change, "world": "main"})
        forked = await browser.request("session/fork")
        here = {"expression": "globalThis.here", "world": "main"}
        assert (await other.request("script/evaluate", here))["value"] == 1, "Playwright's driver lives"
    is_round = """async () => {
      const get = (await database).transaction("cart").objectStore("cart").get("round");
      await new Promise((done) => { get.onsuccess = done });
      return get.result.self === get.result;
    }"""
    arguments = {"expression": is_round, "world": "main", "pageId": forked["pageId"]}
    assert (await browser.request("script/evaluate", arguments))["value"] is True
    missing = next(one for one in forked["notCloned"] if one["what"] == "databases")
    assert missing["count"] == 1
    assert missing["reason"] == f"keys of {url.rstrip('/')}: it holds a value that can't be copied (CryptoKey)"
    await browser.request("context/destroy", {"contextId": forked["contextId"]})


async def test_a_copy_that_can_not_be_loaded_leaves_nothing(browser: Browser, site: Site) -> None:
    await browser.request("page/navigate", {"url": site.html("/once", "<p>once</p>")})
    before = (await browser.request("context/list"))["contexts"]
    await browser.request("network/intercept", {"patterns": [{"urlPattern": "**/once"}], "handler": "abort"})
    with pytest.raises(errors.NavigationFailed):
        await browser.request("session/fork")
    assert len((await browser.request("context/list"))["contexts"]) == len(before)
    with pytest.raises(errors.PageNotFound):
        await browser.request("session/fork", {"pageId": "page-none"})
    with pytest.raises(errors.NavigationFailed):
        await browser.request("page/reload")
    of_error_page = await browser.request("session/fork")
    assert of_error_page["notCloned"][0]["reason"] == "the page has no address that can be loaded again"
