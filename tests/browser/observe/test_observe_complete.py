"""agent/observe on difficult pages: listeners, covered elements, modals and slots."""

import pytest

from agentbrowser.methods.agent_observe import ObserveParams
from tests.browser.watched_page import Scenarios, WatchedTab

PAGE = "/observe_complete.html"
# In the document and in its open shadow roots.
MARKED = """() => {
  const all = (root) => [...root.querySelectorAll("*")].flatMap((e) => [e, ...(e.shadowRoot ? all(e.shadowRoot) : [])]);
  return all(document).filter((e) => e.dataset?.found).map((e) => [e.id, e.dataset.found]);
}"""


def test_finds_everything_interactive_and_nothing_else(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        expected = dict(await tab.page.evaluate(MARKED))
        elements = await tab.by_id()
        assert {id_: " ".join(element.action_hints) for id_, element in elements.items()} == expected

    scenarios.look_at(PAGE, scenario)


def test_the_areas_of_an_image_are_where_they_are_drawn(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.run("document.querySelector('img').scrollIntoView(); globalThis.hits = []")
        await tab.run("addEventListener('click', (e) => { hits.push(e.target.id); e.preventDefault() })")
        found = await tab.by_id(ObserveParams(include_bounds=True, max_elements=2000))
        for id_ in ("hall", "court"):
            bounds = found[id_].bounds
            assert bounds is not None
            await tab.page.mouse.click(bounds.x + bounds.width / 2, bounds.y + bounds.height / 2)
        assert await tab.page.evaluate("hits") == ["hall", "court"]
        assert [found[id_].name for id_ in ("hall", "court", "stair")] == ["Hall", "Court", "Stair"]
        assert not any(found[id_].covered for id_ in ("hall", "court", "stair"))

    scenarios.page(PAGE, scenario)


def test_listeners_are_tracked_as_they_come_and_go(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert list(await tab.see()) == []
        await tab.run("globalThis.act = () => {}; late.addEventListener('click', act)")
        assert list(await tab.see()) == ["@late"]
        await tab.run("late.removeEventListener('click', act)")
        assert list(await tab.see()) == []

    scenarios.look("<div id=late>Late</div>", scenario)


def test_listeners_for_everything_inside_make_nothing_clickable(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert [element.name for element in (await tab.see()).values()] == ["One", "Two", "Made clickable"]
        await tab.run("list.addEventListener('click', () => {})")
        assert [element.name for element in (await tab.see()).values()] == ["One", "Two", "Made clickable"]

    scenarios.look_at("/observe_delegated.html", scenario)


def test_a_frame_tracks_its_own_listeners(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert [element.name for element in (await tab.see()).values()] == ["Inside"]

    inner = "<p id=p>Inside</p><script>p.addEventListener(`click`, () => {})</script>"
    scenarios.look(f'<iframe srcdoc="{inner}"></iframe>', scenario)


def test_listeners_are_tracked_in_a_page_that_replaced_its_globals(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        session = await tab.cdp()
        await session.send("Page.enable")  # as every tab does
        await tab.see()
        await tab.page.goto(tab.page.url.replace("/nowhere", "/observe_tampered.html"))
        assert [element.name for element in (await tab.see()).values()] == ["Fine"]
        calls = await session.send("Runtime.evaluate", {"expression": "calls"})
        assert calls["result"]["value"] == 0

    scenarios.page("/nowhere", scenario)


def test_a_page_that_was_there_first_can_only_hide_its_listeners(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert [element.name for element in (await tab.see()).values()] == ["Go"]
        assert await tab.page.evaluate("errors") == 0

    tampered = "Object.defineProperty(FocusEvent.prototype, 'relatedTarget', { get() { throw new Error('no') } })"
    scenarios.look(
        "<button>Go</button><p id=p>Text</p>"
        f"<script>p.onclick = () => {{}}; errors = 0; onerror = () => errors++; {tampered}</script>",
        scenario,
    )


# Modals that the browser knows nothing of

COVER = "position: fixed; inset: 0; background: #0008"
BOX = "position: fixed; left: 300px; top: 200px; width: 400px; height: 300px; background: white"
PLACED = f"{BOX}; position: absolute; overflow: auto"
TALL = "<p style='height: 2000px'></p>"
GROUND = f"<button>Ground</button>{TALL}<button>Below</button>"


@pytest.mark.parametrize(
    ("markup", "names"),
    [
        (f"<div style='{COVER}'><div role=dialog><button>Accept</button></div></div>", ["Accept"]),
        (f"<div style='{COVER}'></div><div role=dialog aria-modal=true style='{BOX}'><a href=#>Yes</a></div>", ["Yes"]),
        (f"<div style='{COVER}'></div><div style='{BOX}'><button>Yes</button></div>", ["Yes"]),
        # It is placed in the page, over a shade that is not.
        (
            f"<div style='{COVER}'></div><div style='{PLACED}'><a href=#>Yes</a>{TALL}<a href=#>No</a></div>",
            ["Yes", "No"],
        ),
        (f"<div style='{COVER}; background: none'><button>Menu</button></div>", ["Menu"]),
        # A dialog over a dialog.
        (
            f"<div style='{COVER}'><button>Lower</button></div><div style='{COVER}'></div>"
            f"<div style='{BOX}'><button>Upper</button></div>",
            ["Upper"],
        ),
        (
            f"<div><div style='{BOX}'><button>Lower</button></div><div style='{COVER}'></div>"
            f"<div style='{BOX}'><button>Upper</button></div></div>",
            ["Upper"],
        ),
        # It scrolls: what is further down belongs to it.
        (
            f"<div style='{COVER}; overflow: auto'><button>First</button>{TALL}<button>Last</button></div>",
            ["First", "Last"],
        ),
        # In a shadow root, and drawn by an element that is in none.
        (
            f"<div><template shadowrootmode=open><div style='{COVER}'><slot></slot></div></template>"
            "<button>Slotted</button></div>",
            ["Slotted"],
        ),
        # These are no modals.
        ("<div role=dialog aria-modal=true><button>Inline</button></div>", ["Ground", "Below", "Inline"]),
        (
            "<div style='position: fixed; inset: auto 0 0 0; height: 80px'><button>Cookies</button></div>",
            ["Ground", "Below", "Cookies"],
        ),
        (f"<div style='{COVER}; pointer-events: none'></div>", ["Ground", "Below"]),
        (f"<div style='{COVER}; visibility: hidden'><button>Closed</button></div>", ["Ground", "Below"]),
        (
            f"<div style='{COVER}; z-index: -1'></div><nav style='{PLACED}'><button>Side</button></nav>",
            ["Ground", "Below", "Side"],
        ),
        (f"<div style='{COVER}; left: 50%'><button>Drawer</button></div>", ["Ground", "Below", "Drawer"]),
        (f"<div style='{COVER}; z-index: -1'></div><main style='height: 900px'></main>", ["Ground", "Below"]),
    ],
)
def test_elements_under_a_modal_are_left_out(scenarios: Scenarios, markup: str, names: list[str]) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert [element.name for element in (await tab.see()).values() if element.tag_name != "div"] == names

    scenarios.look(f"<!doctype html><body style='margin: 0'>{GROUND}{markup}", scenario)


def test_words_in_a_layer_of_the_whole_viewport_are_left_out_under_a_modal(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        text = (await tab.refs.observe(ObserveParams(format="text"))).text or ""
        assert '"Sure?"' in text
        assert "Ground" not in text

    sure = f"<p style='{BOX}'>Sure? <button>Yes</button>"
    app = f"<div style='{COVER}'><p>Ground</p></div><div style='{COVER}'></div>{sure}"
    scenarios.look(f"<!doctype html><body style='margin: 0'>{app}", scenario)


def test_an_application_that_fills_the_viewport_is_no_modal(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        names = [element.name for element in (await tab.see()).values() if element.role == "button"]
        assert names == ["Top", *(f"Row {n}" for n in range(60))]  # no scrolling reaches the closed menu

    rows = "".join(f"<p style='height: 30px'><button>Row {n}</button></p>" for n in range(60))
    header = "<header style='position: fixed; inset: 0 0 auto 0; height: 50px'><button>Top</button></header>"
    main = f"<main style='margin-top: 50px; height: 600px; overflow: auto'>{rows}</main>"
    away = "<nav style='position: fixed; left: -300px; width: 200px; top: 0'><button>Off</button></nav>"
    scenarios.markup(f"<!doctype html><div style='position: fixed; inset: 0'>{header}{main}</div>{away}", scenario)


def test_a_modal_covers_frames_too(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert [element.name for element in (await tab.see()).values()] == ["Yes", "In its frame"]
        await tab.run("cover.remove()")
        names = [element.name for element in (await tab.see()).values()]
        assert sorted(filter(None, names)) == ["In a frame", "In its frame", "Yes"]

    frame = "<iframe srcdoc='<button>In {} frame</button>'></iframe>"
    box = f"<div style='{BOX}'><button>Yes</button>{frame.format('its')}</div>"
    scenarios.look(f"<!doctype html>{frame.format('a')}<div id=cover style='{COVER}'></div>{box}", scenario)


def test_of_native_modals_the_last_one_counts(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.run("second.showModal(); first.showModal()")
        assert [element.name for element in (await tab.see()).values()] == ["First"]
        await tab.run("first.close()")
        assert [element.name for element in (await tab.see()).values()] == ["Second"]
        await tab.run("second.close()")
        assert [element.name for element in (await tab.see()).values()] == ["Ground"]

    scenarios.markup(
        "<button>Ground</button><dialog id=first><button>First</button></dialog>"
        "<dialog id=second><button>Second</button></dialog>",
        scenario,
    )


def test_slotted_elements_are_where_their_slot_is(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        inside = "<div inert><slot name=still></slot></div><dialog><button>Close</button><slot></slot></dialog>"
        await tab.run(f"box.attachShadow({{ mode: 'open' }}).innerHTML = '{inside}'")
        assert [element.name for element in (await tab.see()).values()] == ["Ground"]
        await tab.run("box.shadowRoot.querySelector('dialog').showModal()")
        assert [element.name for element in (await tab.see()).values()] == ["Close", "In the slot", "In a frame"]

    frame = "<iframe srcdoc='<button>{}</button>' {}></iframe>"
    still = f"<button slot=still>Still</button>{frame.format('Still', 'slot=still')}"
    box = f"<div id=box>{still}<button>In the slot</button>{frame.format('In a frame', '')}</div>"
    scenarios.look(f"<button>Ground</button>{box}", scenario)


def test_a_frame_in_the_second_of_two_modals_is_in_the_list(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.run("for (const dialog of document.querySelectorAll('dialog')) dialog.showModal()")
        assert [element.name for element in (await tab.see()).values()] == ["In a frame"]

    frame = "<iframe srcdoc='<button>In a frame</button>'></iframe>"
    scenarios.look(f"<dialog><button>First</button>{frame}</dialog><dialog>{frame}</dialog>", scenario)


# Covered and off-screen


def test_marks_covered_and_offscreen_elements(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        found = await tab.by_id()
        assert {id_ for id_, element in found.items() if element.covered} == {"under", "beneath", "through", "clipped"}
        assert {id_ for id_, element in found.items() if element.offscreen} == {"far"}
        await tab.run("scrollTo(0, 2000)")
        found = await tab.by_id()
        assert not found["far"].offscreen
        assert found["under"].offscreen
        assert not found["under"].covered

    scenarios.page("/observe_covered.html", scenario)
