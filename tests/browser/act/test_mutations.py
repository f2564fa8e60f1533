"""Pages that change between the look and the act: an action lands on what was seen, or is refused."""

import random
from typing import Any

import pytest
import trio

from agentbrowser.client import Browser
from agentbrowser.methods import frame, page
from agentbrowser.protocol import errors
from tests.browser.site import Site

pytestmark = pytest.mark.slow

# A list of things to delete. Each row knows which thing it shows, and the page notes which things were clicked.
ROWS = """<ul id=list></ul><button id=other>Other</button><script>
  let things = NAMES.map((name, uid) => ({ name, uid })), clicked = [], count = things.length;
  const make = (thing) => {
    const row = document.createElement('li');
    row.innerHTML = `<span>${thing.name}</span> <button onclick="clicked.push(this.parentNode.thing.uid)">Delete</button>`;
    row.thing = thing;
    return row;
  };
  const rows = () => [...list.children];
  const changes = {
    render: () => list.replaceChildren(...things.map(make)),
    shuffle: (by) => rows().sort((a, b) => ((a.thing.uid * 7 + by) % 5) - ((b.thing.uid * 7 + by) % 5)).forEach((row) => list.append(row)),
    reverse: () => { things.reverse(); changes.render(); },
    insert: (by) => { const thing = { name: NAMES[by % NAMES.length], uid: count++ }; things.unshift(thing); list.prepend(make(thing)); },
    add: (by) => { const thing = { name: `New ${by}`, uid: count++ }; things.push(thing); list.append(make(thing)); },
    remove: (by) => { things.splice(by % things.length, 1); changes.render(); },
    drop: (by) => { const row = rows()[by % list.children.length]; things = things.filter((thing) => thing !== row.thing); row.remove(); },
    recycle: () => {
      things.push(things.shift());
      rows().forEach((row, place) => { row.thing = things[place]; row.firstChild.textContent = row.thing.name; });
    },
    clone: (by) => {
      const row = rows()[by % list.children.length];
      const copy = row.cloneNode(true);
      copy.thing = { name: row.thing.name, uid: count++ };
      row.after(copy);
      things = rows().map((row) => row.thing);
    },
    replace: (by) => { const row = rows()[by % list.children.length]; row.replaceWith(make(row.thing)); },
    rename: (by) => { const row = rows()[by % list.children.length]; row.thing = { name: `Renamed ${by}`, uid: count++ };
      row.firstChild.textContent = row.thing.name; things = rows().map((row) => row.thing); },
  };
  changes.render();
</script>"""  # noqa: E501

UNIQUE = ["Ann", "Bob", "Cleo", "Dan", "Eve"]
TWINS = ["Ann", "Ann", "Bob", "Bob", "Ann"]
# What a page with rows that read the same can do to them so that it can still be told which is which.
HARMLESS = ["render", "shuffle", "reverse", "insert", "add", "drop", "replace", "clone"]
ALL = [*HARMLESS, "remove", "recycle", "rename"]


async def run(browser: Browser, expression: str) -> Any:
    return (await browser.request("script/evaluate", {"expression": expression, "world": "main"}))["value"]


async def refs_of(browser: Browser) -> list[str]:
    seen = await browser.request("agent/observe")
    return [one["ref"] for one in seen["interactiveElements"] if one["name"] == "Delete"]


async def click(browser: Browser, ref: str) -> bool:
    """Click, and tell whether that was done; it may be refused, but only with a word of what is wrong with the ref."""
    params = {"selector": {"type": "ref", "value": ref}, "options": {"timeout": 1000}}
    try:
        await browser.request("action/click", params)
    except (errors.ElementChanged, errors.ElementNotFound) as refusal:
        if not refusal.recovery_hint:
            raise
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize(("names", "kinds"), [(UNIQUE, ALL), (TWINS, HARMLESS)], ids=["unique", "twins"])
async def test_no_click_lands_on_another_thing(
    browser: Browser, site: Site, names: list[str], kinds: list[str]
) -> None:
    for seed in range(6):
        dice = random.Random(seed)
        await browser.call(page.navigate, url=site.html("/", ROWS.replace("NAMES", str(names))))
        refs = await refs_of(browser)
        uids = await run(browser, "rows().map(row => row.thing.uid)")
        for _ in range(2):
            change = f"changes.{dice.choice(kinds)}({dice.randrange(9)})"
            await run(browser, change)
            for ref, uid in zip(refs, uids, strict=True):
                await run(browser, "clicked = []")
                done = await click(browser, ref)
                clicked = await run(browser, "clicked")
                assert clicked == ([uid] if done else []), (seed, change, ref)


async def test_what_the_change_did_not_harm_keeps_its_ref(browser: Browser, site: Site) -> None:
    for change in ("render", "shuffle", "insert", "add", "drop", "replace"):
        await browser.call(page.navigate, url=site.html("/", ROWS.replace("NAMES", str(UNIQUE))))
        refs = await refs_of(browser)
        before = dict(zip(await run(browser, "rows().map(row => row.thing.uid)"), refs, strict=True))
        await run(browser, f"changes.{change}(1)")
        refs = await refs_of(browser)
        after = dict(zip(await run(browser, "rows().map(row => row.thing.uid)"), refs, strict=True))
        kept = {uid for uid in before if after.get(uid) == before[uid]}
        # Rows that say the same in the same way can't be told apart when all nodes are new.
        assert kept >= ({0, 2, 3, 4} & set(after) if change != "render" else set()), change
        assert not {ref for uid, ref in after.items() if uid not in before} & set(before.values()), change


async def test_a_virtual_list_that_scrolls_is_not_mistaken(browser: Browser, site: Site) -> None:
    markup = """<div id=port style='height: 100px; overflow: auto'><div style='height: 2000px; position: relative'></div></div>
    <script>
      let clicked = [];
      const space = port.firstChild;
      for (let n = 0; n < 5; n++) space.append(Object.assign(document.createElement('button'), { style: 'position: absolute; height: 20px' }));
      const show = () => [...space.children].forEach((button, n) => {
        const item = Math.floor(port.scrollTop / 20) + n;
        button.textContent = `Item ${item}`;
        button.style.top = `${item * 20}px`;
        button.onclick = () => clicked.push(item);
      });
      port.onscroll = show;
      show();
    </script>"""  # noqa: E501
    await browser.call(page.navigate, url=site.html("/", markup))
    seen = await browser.request("agent/observe", {"filterRoles": ["button"]})
    refs = {one["name"]: one["ref"] for one in seen["interactiveElements"]}
    assert list(refs) == [f"Item {n}" for n in range(5)]
    await run(browser, "port.scrollTop = 60, new Promise(done => port.addEventListener('scroll', () => done()))")
    for name, ref in refs.items():
        done = await click(browser, ref)
        assert await run(browser, "clicked.splice(0)") == ([int(name[-1])] if done else [])


async def test_a_change_of_route_leaves_what_stays_and_voids_the_rest(browser: Browser, site: Site) -> None:
    markup = """<nav><a href=/a onclick='go(); return false'>Home</a></nav><main><button onclick='clicked.push(1)'>Save draft</button></main>
    <script>
      let clicked = [];
      const go = () => { history.pushState({}, '', '/b'); document.querySelector('main').innerHTML = '<button onclick="clicked.push(2)">Publish</button>'; };
    </script>"""  # noqa: E501
    await browser.call(page.navigate, url=site.html("/", markup))
    seen = await browser.request("agent/observe")
    refs = {one["name"]: one["ref"] for one in seen["interactiveElements"]}
    assert await click(browser, refs["Home"])
    assert not await click(browser, refs["Save draft"])
    again = await browser.request("agent/observe", {"incremental": True})
    assert refs["Home"] not in str(again["changes"])
    assert again["changes"]["removed"] == [refs["Save draft"]]
    assert await run(browser, "clicked") == []


async def test_a_reload_voids_all_refs_and_says_why(browser: Browser, site: Site) -> None:
    await browser.call(page.navigate, url=site.html("/", ROWS.replace("NAMES", str(UNIQUE))))
    refs = await refs_of(browser)
    await browser.request("page/reload")
    with pytest.raises(errors.ElementNotFound, match="another document"):
        await browser.request("action/click", {"selector": {"type": "ref", "value": refs[0]}})
    assert await run(browser, "clicked") == []


async def test_a_frame_that_loads_again_voids_only_its_refs(browser: Browser, site: Site) -> None:
    site.html("/in", "<button onclick='parent.clicked.push(2)'>in</button>")
    outer = "<button onclick='clicked.push(1)'>out</button><iframe src=/in></iframe><script>clicked = []</script>"
    await browser.call(page.navigate, url=site.html("/", outer))
    seen = await browser.request("agent/observe")
    refs = {one["name"]: one["ref"] for one in seen["interactiveElements"]}
    await browser.call(frame.switch, url="/in")
    await run(browser, "0, setTimeout(() => location.reload())")
    await browser.call(frame.main)
    is_new = "frames[0].performance.getEntriesByType('navigation')[0]?.type === 'reload'"
    while not await run(browser, is_new):
        await trio.lowlevel.checkpoint()
    assert not await click(browser, refs["in"])
    assert await click(browser, refs["out"])
    assert await run(browser, "clicked") == [1]
