"""Databases (IndexedDB) in storage states: saved, restored, exchanged with Playwright, and left out."""

from typing import Any

import pytest
import trio

from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.protocol import errors
from agentbrowser.protocol.registry import Scope
from agentbrowser.protocol.types.storage import MAX_RECORDS
from tests.browser.site import Site
from tests.browser.stage import Stage

# A site that keeps a login as Firebase does, and one value of each kind that a record can hold.
_KEEP = """
const whole = new Uint8Array([1, 2, 250]);
const shared = { name: "shared" };
const round = { shared, again: shared }; round.self = round;
const VALUES = [
  "text", 1.5, true, null, undefined, NaN, -0, -Infinity, 12345678901234567890n, new Date(5000), /a.b/gi, whole,
  whole.buffer, new Float64Array([0.5]), new Map([["a", { b: [1] }]]), new Set([1, "2"]), [], round,
  { deep: { er: [{}] } },
];
const opened = (name, version, upgrade) => new Promise((resolve, reject) => {
  const request = indexedDB.open(name, version);
  request.onupgradeneeded = () => upgrade(request.result);
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
const ended = (transaction) => new Promise((resolve) => { transaction.oncomplete = resolve; });
async function keep() {
  const keyPath = "fbase_key";
  const login = await opened("firebaseLocalStorageDb", 3, (db) => db.createObjectStore("users", { keyPath }));
  const users = login.transaction("users", "readwrite");
  users.objectStore("users").put({ fbase_key: "firebase:authUser", value: { uid: "u1", tokens: { access: "t" } } });
  await ended(users);
  const kinds = await opened("kinds", 1, (db) => {
    const store = db.createObjectStore("values", { autoIncrement: true });
    store.createIndex("by name", ["name", "age"], { unique: true });
    db.createObjectStore("keyed").createIndex("tags", "tags", { multiEntry: true });
  });
  const writing = kinds.transaction(["values", "keyed"], "readwrite");
  for (const value of VALUES) writing.objectStore("values").add(value);
  writing.objectStore("keyed").add({ tags: ["a", "b"] }, [new Date(1), "k"]);
  await ended(writing);
}
"""
_REPORT = """
const isSame = (a, b, seen = new Map()) => {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) return false;
  if (seen.has(a)) return seen.get(a) === b;
  seen.set(a, b);
  if (Object.prototype.toString.call(a) !== Object.prototype.toString.call(b)) return false;
  if (a instanceof Date || a instanceof RegExp) return String(+a) === String(+b) && String(a) === String(b);
  if (a instanceof ArrayBuffer) return isSame(new Uint8Array(a), new Uint8Array(b));
  const [one, two] = a instanceof Map || a instanceof Set ? [[...a], [...b]] : [a, b];
  const keys = Object.keys(one);
  return keys.length === Object.keys(two).length && keys.every((key) => isSame(one[key], two[key], seen));
};
const all = (source) => new Promise((resolve) => { source.onsuccess = () => resolve(source.result); });
async function report() {
  const names = (await indexedDB.databases()).map(({ name, version }) => `${name} ${version}`).sort();
  if (names.length < 2) return { names };
  const kinds = await opened("kinds", 1, () => {});
  const [values, keyed] = ["values", "keyed"].map((name) => kinds.transaction(name).objectStore(name));
  const found = await all(values.getAll());
  const index = values.index("by name");
  const keys = await all(kinds.transaction("keyed").objectStore("keyed").getAllKeys());
  const tagged = await all(kinds.transaction("keyed").objectStore("keyed").index("tags").getAll("b"));
  const login = await opened("firebaseLocalStorageDb", 3, () => {});
  const user = await all(login.transaction("users").objectStore("users").get("firebase:authUser"));
  const different = [...VALUES.keys()].filter((at) => !isSame(VALUES[at], found[at]));
  return {
    names, different, count: found.length, isAutomatic: values.autoIncrement, tagged, user,
    index: [index.keyPath, index.unique, index.multiEntry], key: [+keys[0][0], keys[0][1]],
  };
}
"""
_WITHOUT_ROUND = """
opened("kinds", 1, () => {}).then((db) => all(db.transaction("values", "readwrite").objectStore("values").put({}, 18)))
"""
_WORKER = """
const page = "<script>indexedDB.open('ran')</script>";
onfetch = (event) => event.respondWith(new Response(page, { headers: { "Content-Type": "text/html" } }));
"""
_WHOLE: dict[str, Any] = {
    "names": ["firebaseLocalStorageDb 3", "kinds 1"],
    "different": [],
    "count": 19,
    "isAutomatic": True,
    "index": [["name", "age"], True, False],
    "key": [1, "k"],
    "tagged": [{"tags": ["a", "b"]}],
    "user": {"fbase_key": "firebase:authUser", "value": {"uid": "u1", "tokens": {"access": "t"}}},
}


@pytest.fixture
def config() -> Config:
    return Config(port=0, scope=Scope.PRIVILEGED, private_network="allow", drain_timeout_s=1)


@pytest.fixture
def url(site: Site) -> str:
    return site.html("/", f"<title>Site</title><script>{_KEEP}{_REPORT}</script>")


async def run(browser: Browser, expression: str, **params: Any) -> Any:
    return (await browser.request("script/evaluate", {"expression": expression, "world": "main", **params})).get(
        "value"
    )


async def saved(browser: Browser, **params: Any) -> dict[str, Any]:
    state: dict[str, Any] = await browser.request("storage/getState", {"indexedDB": True, **params})
    return state


async def go(browser: Browser, url: str) -> None:
    await browser.request("page/navigate", {"url": url})


def names_in(state: dict[str, Any]) -> list[str]:
    return [database["name"] for origin in state["origins"] for database in origin.get("indexedDB", ())]


async def test_a_state_restores_every_kind_of_value(browser: Browser, url: str) -> None:
    await go(browser, url)
    await run(browser, "keep()")
    state = await saved(browser)
    assert "unsaved" not in state
    await run(browser, "opened('another', 1, () => {}).then(() => 1)")
    await browser.request("storage/setState", {"state": state})  # beside connections that the page has open
    await go(browser, url)
    assert await run(browser, "report()") == _WHOLE
    made = await browser.request("context/create", {"options": {"storageState": state}})
    page = await browser.request("page/create", {"contextId": made["contextId"], "url": url})
    assert await run(browser, "report()", pageId=page["id"]) == _WHOLE
    assert await saved(browser, contextId=made["contextId"]) == state


async def test_databases_are_saved_for_whoever_asks(browser: Browser, url: str) -> None:
    await go(browser, url)
    await run(browser, "keep()")
    await go(browser, "about:blank")
    assert names_in(await browser.request("storage/getState", {})) == []
    assert sorted(names_in(await saved(browser))) == ["firebaseLocalStorageDb", "kinds"]


async def test_states_are_exchanged_with_playwright(browser: Browser, url: str, stage: Stage) -> None:
    await go(browser, url)
    await run(browser, "keep()")
    state = await saved(browser)

    async def through_playwright() -> tuple[Any, Any]:
        context = await stage.browser.new_context(storage_state=state)  # type: ignore[arg-type]
        try:
            page = await context.new_page()
            await page.goto(url)
            reported = await page.evaluate("report()")
            await page.evaluate(_WITHOUT_ROUND)  # which would end Playwright's driver
            return reported, await context.storage_state(indexed_db=True)
        finally:
            await context.close()

    reported, of_playwright = await trio.to_thread.run_sync(lambda: stage.runner.run(through_playwright()))
    assert reported == _WHOLE
    await browser.request("storage/setState", {"state": of_playwright})
    await go(browser, url)
    # The value that is no longer round, and -0, which Playwright does not carry over.
    assert await run(browser, "report()") == {**_WHOLE, "different": [6, 17]}


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("await crypto.subtle.generateKey({name: 'AES-GCM', length: 128}, false, ['encrypt'])", "CryptoKey"),
        ("new Blob(['a'])", "Blob"),
        ("'\\ud800'", "not Unicode"),
        ("'a'.repeat(1100000)", "too large"),
        ("Array.from({length: 40}).reduce((inner) => [inner], [])", "deep"),
    ],
)
async def test_a_database_that_no_state_can_hold_is_named(browser: Browser, url: str, value: str, reason: str) -> None:
    await go(browser, url)
    await run(browser, "keep()")
    await run(
        browser,
        f"""(async () => {{
          const db = await opened("odd", 1, (db) => db.createObjectStore("s", {{ autoIncrement: true }}));
          const value = {value};
          const writing = db.transaction("s", "readwrite");
          writing.objectStore("s").add(value);
          await ended(writing);
        }})()""",
    )
    state = await saved(browser)
    assert sorted(names_in(state)) == ["firebaseLocalStorageDb", "kinds"]
    [unsaved] = state["unsaved"]
    assert (unsaved["origin"], unsaved["database"]) == (url.rstrip("/"), "odd")
    assert reason in unsaved["reason"]
    await browser.request("storage/setState", {"state": state})  # which may hold the list


async def test_a_database_that_a_page_keeps_busy_is_named_after_3_s(browser: Browser, url: str) -> None:
    await go(browser, url)
    await run(browser, "keep()")
    busy = """opened("odd", 1, (db) => db.createObjectStore("s")).then((db) => {
      const store = db.transaction("s", "readwrite").objectStore("s");
      const put = () => { store.put(1, 1).onsuccess = put; };
      put();
    })"""
    await run(browser, busy)
    state = await saved(browser)
    assert sorted(names_in(state)) == ["firebaseLocalStorageDb", "kinds"]
    assert [(one["database"], one["reason"]) for one in state["unsaved"]] == [("odd", "it did not answer in time")]


async def test_a_site_with_very_many_databases_has_the_first_ones_saved(browser: Browser, url: str) -> None:
    await go(browser, url)
    many = "Promise.all(Array.from({ length: 1200 }, (_, at) => opened(`a${at}`, 1, () => {}))).then(() => 1)"
    await run(browser, many)
    state = await saved(browser)
    assert (len(names_in(state)), len(state["unsaved"])) == (MAX_RECORDS, 100)
    await browser.request("storage/setState", {"state": state})


async def test_no_script_of_a_site_runs_while_its_databases_are_read(browser: Browser, url: str, site: Site) -> None:
    site.serve("/worker.js", _WORKER.encode(), Content_Type="text/javascript")
    await go(browser, url)
    await run(browser, "keep().then(() => void navigator.serviceWorker.register('/worker.js'))")
    await run(browser, "navigator.serviceWorker.ready.then(() => 1)")
    await go(browser, "about:blank")
    seen = site.paths()
    assert sorted(names_in(await saved(browser))) == ["firebaseLocalStorageDb", "kinds"]
    assert site.paths() == seen


async def test_a_database_that_the_browser_refuses_is_an_error_that_names_it(browser: Browser, url: str) -> None:
    await go(browser, url)
    origin = url.rstrip("/")
    store = {"name": "s", "keyPath": "id", "records": [{"value": {"no": "key"}}]}
    bad = {"name": "bad", "version": 1, "stores": [store]}
    good = {"name": "good", "version": 2}
    state = {"origins": [{"origin": origin, "localStorage": [{"name": "a", "value": "1"}], "indexedDB": [bad, good]}]}
    with pytest.raises(errors.ActionFailed, match=f"bad of {origin}: the browser refuses it"):
        await browser.request("storage/setState", {"state": state})
    await go(browser, url)
    assert await run(browser, "localStorage.a") == "1"
    assert await run(browser, "report()") == {"names": ["good 2"]}


@pytest.mark.parametrize(
    ("database", "path"),
    [
        ({"name": "", "version": 1}, "state.origins[0].indexedDB[0].name"),
        ({"name": "a", "version": 0}, "state.origins[0].indexedDB[0].version"),
        ({"name": "a", "version": 1, "stores": [{"keyPath": "b"}]}, "state.origins[0].indexedDB[0].stores[0].name"),
        ({"name": "a", "version": 1, "tables": []}, "state.origins[0].indexedDB[0].tables"),
        ({"name": "a", "version": 1, "stores": [{"name": "s", "records": [{}] * (MAX_RECORDS + 1)}]}, "state.origins"),
    ],
)
async def test_malformed_databases_are_refused_before_anything_changes(
    browser: Browser, url: str, database: dict[str, Any], path: str
) -> None:
    await go(browser, url)
    await run(browser, "localStorage.kept = '1'")
    with pytest.raises(errors.InvalidParams) as refused:
        await browser.request("storage/setState", {"state": {"origins": [{"origin": url, "indexedDB": [database]}]}})
    assert refused.value.details["path"] == path
    assert await run(browser, "localStorage.kept") == "1"
