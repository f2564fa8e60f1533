"""session/fork: a copy of a page that goes its own way."""

from typing import Any

import pytest

from agentbrowser.client import Browser
from agentbrowser.protocol import errors
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
