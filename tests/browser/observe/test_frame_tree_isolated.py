"""One observation of frames in processes of their own and in the page's process."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.async_api import CDPSession
from structlog.testing import capture_logs

from agentbrowser.browser.engine import vendor
from agentbrowser.browser.semantic.candidates import interactive
from agentbrowser.methods.agent_observe import ObserveParams
from agentbrowser.protocol.errors import ElementNotFound
from agentbrowser.protocol.types.element import Changes
from tests.browser.watched_page import ALL, Scenarios, WatchedTab, scenario_runner

BOUNDS = ObserveParams(include_bounds=True)
BUTTON = (
    "<style>body { margin: 0 } button { margin: 20px; width: 80px; height: 30px }</style><button id=b>press</button>"
)


@pytest.fixture(scope="module", params=[(), ("--site-per-process",)], ids=["together", "apart"])
def scenarios(request: pytest.FixtureRequest) -> Iterator[Scenarios]:
    with scenario_runner(*request.param) as scenarios:
        yield scenarios


async def fill(tab: WatchedTab, markup: str, inner: str) -> None:
    """Embed a frame of another site in the page, and write the inner markup into it."""
    address = tab.page.url.replace("127.0.0.1", "localhost")
    await tab.page.set_content(markup.replace("SRC", address))
    handle = await tab.page.wait_for_selector("iframe")
    frame = await handle.content_frame() if handle else None
    assert frame is not None
    await frame.wait_for_load_state()
    await frame.set_content(inner)


async def go(tab: WatchedTab, url: str) -> None:
    """Navigate the page's frame."""
    async with tab.page.expect_event("framenavigated", lambda frame: frame.url == url):
        await tab.page.evaluate("url => { document.querySelector('iframe').src = url }", url)
    await tab.page.frames[1].wait_for_load_state()


@pytest.mark.parametrize(
    ("style", "size"),
    [
        ("border: 0", (80, 30)),
        ("border: 9px solid; padding: 11px 3px 4px 17px", (80, 30)),
        ("transform: scale(0.5); transform-origin: 10px 10px; border: 6px solid; padding: 4px", (40, 15)),
        ("transform: scale(2, 1.5) translate(90px, 60px)", (160, 45)),
        ("zoom: 2", (160, 60)),
        ("position: fixed; right: 10px; bottom: 10px", (80, 30)),
    ],
)
def test_the_middle_of_the_bounds_is_where_the_element_is_hit(
    scenarios: Scenarios, style: str, size: tuple[int, int]
) -> None:
    async def scenario(tab: WatchedTab) -> None:
        markup = f"<p style='height: 90px'></p><iframe src=SRC width=300 height=150 style='{style}'></iframe>"
        await fill(tab, markup, BUTTON)
        [element] = (await tab.see(BOUNDS)).values()
        box = element.bounds
        assert box is not None
        assert (box.width, box.height) == size
        frame = tab.page.frames[1]
        await frame.evaluate("() => { hits = []; onclick = event => hits.push(event.target.id) }")
        for x, y in ((2, 2), (box.width / 2, box.height / 2), (box.width - 2, box.height - 2)):
            await tab.page.mouse.click(box.x + x, box.y + y)
        assert await frame.evaluate("hits") == ["b"] * 3

    scenarios.page("/nowhere", scenario)


def test_a_ref_survives_the_move_of_its_frame_to_another_process_only_with_its_document(
    scenarios: Scenarios,
) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await fill(tab, "<iframe src=SRC></iframe>", BUTTON)
        frame = tab.page.frames[1]
        [ref] = await tab.see()
        assert await tab.id_of(ref) == "b"
        await go(tab, tab.page.url)
        await frame.set_content(BUTTON)
        with pytest.raises(ElementNotFound, match="another document"):
            await tab.refs.resolve(ref)
        [again] = await tab.see()
        assert await tab.id_of(again) == "b"
        await go(tab, tab.page.url.replace("127.0.0.1", "localhost"))
        assert await tab.see() == {}

    scenarios.look_at("/nowhere", scenario)


def test_identical_frames_are_not_confused(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        address = tab.page.url.replace("127.0.0.1", "localhost")
        await tab.page.set_content(f"<iframe src={address}></iframe>" * 3)
        for number, handle in enumerate(await tab.page.query_selector_all("iframe")):
            frame = await handle.content_frame()
            assert frame is not None
            await frame.wait_for_load_state()
            await frame.set_content(f"<button id=b{number}>press</button>")
        found = await tab.see(BOUNDS)
        assert [await tab.id_of(ref) for ref in found] == ["b0", "b1", "b2"]
        lefts = [element.bounds.x for element in found.values() if element.bounds]
        assert lefts == sorted(set(lefts))

    scenarios.look_at("/nowhere", scenario)


@pytest.mark.slow
def test_a_frame_that_is_busy_for_ever_is_reported() -> None:
    async def scenario(tab: WatchedTab) -> None:
        await fill(tab, "<button>top</button><iframe src=SRC></iframe>", BUTTON)
        frame = tab.page.frames[1]
        assert len(await tab.see()) == 2
        await frame.evaluate("() => { location.hash = 'long'.repeat(10000) }")
        await frame.evaluate("() => { setTimeout(() => { for (;;); }) }")
        with capture_logs() as lines:
            async with asyncio.timeout(15):
                result = await tab.refs.observe(ALL)
        (line,) = [line for line in lines if line["event"] == "frame_unseen"]
        assert line["host"] == "localhost"
        assert "long" not in str(line)  # a page chooses the length, and each look writes it
        async with asyncio.timeout(15):
            shown = await tab.refs.observe(ObserveParams(format="text"))
            changed = await tab.refs.observe(ObserveParams(format="text", incremental=True))
        assert [element.name for element in result.interactive_elements or []] == ["top"]
        missing = "(1 frame has not answered, and is missing here)"
        assert (shown.text or "").split("\n")[0].endswith(f" {missing}")
        assert missing in (changed.text or "").split("\n")
        assert result.metadata is not None
        assert result.metadata.unseen_frames == [tab.frame_id(frame)]

    with scenario_runner("--site-per-process") as scenarios:
        scenarios.page("/nowhere", scenario)


@pytest.mark.slow
@pytest.mark.parametrize("is_known", [True, False], ids=["known", "new"])
def test_a_busy_frame_does_not_affect_other_frames(is_known: bool) -> None:
    async def scenario(tab: WatchedTab) -> None:
        address = tab.page.url.replace("127.0.0.1", "localhost")
        inner = f"{BUTTON}<iframe src={address}></iframe>"
        await tab.page.set_content(f"<button>top</button><iframe srcdoc='{inner}'></iframe>")
        busy = tab.page.frames[1].child_frames[0]
        await busy.wait_for_load_state()
        await busy.set_content("<button>deep</button>")
        before = set(await tab.see()) if is_known else set()
        await busy.evaluate("() => { setTimeout(() => { for (;;); }) }")
        async with asyncio.timeout(15):
            result = await tab.refs.observe(ObserveParams(incremental=True))
            described = await interactive(tab)
        assert [one.name for one in described] == ["top", "press"]
        assert result.metadata is not None
        assert result.metadata.unseen_frames == [tab.frame_id(busy)]
        if before:
            assert result.changes == Changes(added=[], updated=[], removed=[])
        else:
            assert [element.name for element in result.elements] == ["top", "press"]

    with scenario_runner("--site-per-process") as scenarios:
        scenarios.page("/nowhere", scenario)


async def overheard(tab: WatchedTab, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the commands that the page's session receives from now on, by either method."""
    session = await tab.cdp()
    publicly, shortly, commands = session.send, vendor.send, list[str]()

    async def noted_publicly(method: str, params: Any = None) -> Any:
        commands.append(method)
        return await publicly(method, params)

    async def noted_shortly(where: CDPSession, method: str, params: dict[str, Any]) -> dict[str, Any]:
        if where is session:
            commands.append(method)
        return await shortly(where, method, params)

    monkeypatch.setattr(session, "send", noted_publicly)
    monkeypatch.setattr(vendor, "send", noted_shortly)
    return commands


@pytest.mark.slow
def test_identical_frames_are_matched_in_linear_time(scenarios: Scenarios, monkeypatch: pytest.MonkeyPatch) -> None:
    count = 20

    async def scenario(tab: WatchedTab) -> None:
        commands = await overheard(tab, monkeypatch)
        found = await tab.see()
        while len(found) < count:  # on a busy machine, some of the processes have no time to answer the first look
            commands.clear()
            found = await tab.see()
        assert [element.name for element in found.values()] == list(map(str, range(count)))
        for ref in found:
            assert await (await tab.handle(ref)).inner_text() == found[ref].name
        assert len(commands) < 20 * count

    scenarios.look("".join(f"<iframe srcdoc='<button>{n}</button>'></iframe>" for n in range(count)), scenario)


def test_frames_after_a_full_list_are_observed_once(scenarios: Scenarios, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.see()
        commands = await overheard(tab, monkeypatch)
        result = await tab.refs.observe(ObserveParams())
        assert len(result.interactive_elements or []) == 100
        assert result.total_interactive_elements == 153
        assert commands == ["Runtime.callFunctionOn"] * 4

    scenarios.look("<button>b</button>" * 150 + "<iframe srcdoc='<button>in</button>'></iframe>" * 3, scenario)
