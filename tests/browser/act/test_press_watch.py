"""Presses that would land elsewhere without the guard of the target's frame noticing: they are stopped, or reported."""

from typing import Any, Final

import pytest

from agentbrowser.browser.act import fast_pointer
from agentbrowser.browser.page.isolated_world import NAME
from agentbrowser.protocol.errors import ActionFailed, AgentBrowserError, ElementNotVisible
from agentbrowser.protocol.types.action import ClickOptions, Point
from agentbrowser.protocol.types.selector import Coordinates, Css
from tests.browser.stage import FakeTab, Stage

AIMED: Final = ClickOptions(timeout_ms=15_000)
REFUSED: Final = ClickOptions(timeout_ms=3000)
"""For what waits until the cover is gone."""
OUTER: Final = """<!doctype html><title>Shop</title><style>
#f, #d { position: absolute; left: 50px; top: 50px; width: 300px; height: 200px; border: 0 }
#d { display: none; z-index: 9 }</style>
<iframe id=f src="URL"></iframe><button id=d>Confirm order</button><script>
log = []; d.onpointerdown = d.onpointerup = d.onclick = (event) => log.push(event.type);
f.onmouseover = () => { d.style.display = 'block' }</script>"""
INNER: Final = """<!doctype html><body style="margin: 0">
<button id=pay style="width: 200px; height: 100px" onclick="document.title = 'paid'">Cancel order</button>"""
# A headless Chromium moves a pointer that is really locked without an end, and then may answer nobody for a minute.
LOCK: Final = """Object.defineProperty(Document.prototype, 'pointerLockElement',
  { get: () => document.getElementById('a') })"""
CENTRE: Final = Point(x=150, y=100)


@pytest.fixture(params=["guarded", "by Playwright"])
def _path(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    async def unready(*_: object) -> bool:
        return False

    if request.param != "guarded":
        monkeypatch.setattr(fast_pointer, "click", unready)


async def show_frame(tab: FakeTab, host: str) -> None:
    """Show a frame that its parent covers as soon as the pointer is over it."""
    url = tab.page.url.replace("127.0.0.1", host)
    await tab.page.set_content(OUTER.replace("URL", f"{url}?in"))
    tab.inner = tab.page.frames[1]
    await tab.inner.wait_for_load_state()
    await tab.inner.set_content(INNER)


@pytest.mark.usefixtures("_path")
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"], ids=["same origin", "other origin"])
@pytest.mark.parametrize("selector", [Css("#pay"), Coordinates(x=CENTRE.x, y=CENTRE.y)], ids=["css", "coordinates"])
def test_press_for_a_frame_reaches_nothing_that_covers_the_frame(stage: Stage, host: str, selector: Any) -> None:
    async def test(tab: FakeTab) -> None:
        await show_frame(tab, host)
        with pytest.raises(AgentBrowserError):
            await tab.actions.click(selector, REFUSED if isinstance(selector, Css) else AIMED)
        assert await tab.log() == []
        assert tab.inner is not None
        assert await tab.inner.title() == ""

    stage.play("/next", test)


@pytest.mark.usefixtures("_path")
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"], ids=["same origin", "other origin"])
def test_watched_frame_gets_its_press_and_its_parent_the_next_one(stage: Stage, host: str) -> None:
    async def test(tab: FakeTab) -> None:
        await show_frame(tab, host)
        await tab.page.evaluate("f.onmouseover = null")
        await tab.actions.click(Css("#pay"), AIMED)
        assert tab.inner is not None
        assert await tab.inner.title() == "paid"
        tab.inner = None
        await tab.page.evaluate("d.style.display = 'block'")
        await tab.actions.click(Css("#d"), AIMED)
        assert await tab.log() == ["pointerdown", "pointerup", "click"]

    stage.play("/next", test)


def test_press_at_a_point_is_stopped_when_the_page_covers_the_point(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        cover = "<button id=t style='width: 90px'>x</button><i id=o hidden style='position: fixed; inset: 0'></i>"
        moves = "t.onmouseover = () => { o.hidden = false }; log = []; onclick = (event) => log.push(event.target.id)"
        await tab.page.set_content(f"{cover}<script>{moves}</script>")
        with pytest.raises(ActionFailed, match="came between") as caught:
            await tab.actions.click(Coordinates(x=30, y=15), AIMED)
        assert not caught.value.retryable
        assert await tab.log() == []

    stage.play("/next", test)


def test_a_press_on_an_element_goes_to_no_frame_in_it(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        inner = "<iframe id=f srcdoc='<html onmousedown=parent.log.push(\"in\")>'></iframe>"
        await tab.page.set_content(f"<script>log = []</script><div id=d style='width:304px'>{inner}</div>")
        with pytest.raises(ActionFailed, match="a frame in the element would get the press"):
            await tab.actions.click(Css("#d"), AIMED)
        assert await tab.log() == []
        await tab.actions.click(Css("#f"), AIMED)
        assert await tab.log() == ["in"]

    stage.play("/next", test)


HIDING: Final = """<style>button { position: absolute; left: 50px; top: 50px; width: 300px; height: 200px }
#d { display: none; z-index: 9 }</style><script>
log = []; for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
  addEventListener(type, (event) => { log.push(event.target.id); event.stopImmediatePropagation() }, true)</script>
<button id=pay>Cancel order</button><button id=d>Confirm order</button>
<script>pay.onmouseover = () => { d.style.display = 'block' }</script>"""


@pytest.mark.usefixtures("_path")
def test_press_that_the_page_hides_is_not_reported_as_done(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await tab.page.set_content(HIDING)
        with pytest.raises(AgentBrowserError) as caught:
            await tab.actions.click(Css("#pay"), REFUSED)
        assert isinstance(caught.value, ActionFailed | ElementNotVisible)
        if await tab.log():
            assert not caught.value.retryable

    stage.play("/next", test)


def test_a_click_on_a_page_that_has_locked_the_pointer_names_the_remedy(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await tab.page.set_content("<i id=a>Play</i> <button id=b>Menu</button>")
        found = await tab.frame_sessions.find(tab.frame)
        context = await found.isolated_world(NAME)
        await found.session.send("Runtime.evaluate", {"contextId": context, "expression": LOCK})
        with pytest.raises(ActionFailed, match=r"(?s)locked the pointer.*page/reload"):
            await tab.actions.click(Css("#b"), AIMED)
        await tab.actions.click(Css("#a"), AIMED)

    stage.play("/nowhere", test)
