"""Pages that remove, move, hide or replace a target while it is clicked, as Radix, Headless UI and MUI do.

The click acts once and is reported as done, as Playwright's is. Each change happens at one event of the click, or in a
microtask or a frame after its first.
"""

import itertools
from typing import Any, Final

import pytest

from agentbrowser.browser.act import fast_pointer
from agentbrowser.protocol.errors import ActionFailed, AgentBrowserError
from agentbrowser.protocol.types.action import ClickOptions
from agentbrowser.protocol.types.selector import Css
from tests.browser.stage import FakeTab, Stage

CHANGES: Final = ("remove", "move", "hide", "replace")
PARTS: Final = ("target", "parent", "list")
MOMENTS: Final = ("pointerdown", "mousedown", "pointerup", "mouseup", "click", "microtask", "frame")

PAGE: Final = """<!doctype html><title>Removals</title><style>
ul { position: absolute; left: 20px; top: 20px; margin: 0; padding: 0 } button { width: 120px; height: 40px }
#below { position: absolute; left: 20px; top: 20px; width: 300px; height: 200px }</style>
<button id=below>Below</button><div id=holder></div><script>
let acted, elsewhere;
const CHANGES = {
  remove: (part) => part.remove(),
  move: (part) => (part.style.translate = '400px 300px'),
  hide: (part) => (part.style.display = 'none'),
  replace: (part) => part.replaceWith(part.cloneNode(true)),
};
const AFTER = { microtask: queueMicrotask, frame: requestAnimationFrame };
below.onclick = () => (elsewhere += 1);
function start(change, part, moment) {
  acted = elsewhere = 0;
  holder.innerHTML = '<ul data-part=list><li data-part=parent><button id=t data-part=target>Go</button></li></ul>';
  const go = document.getElementById('t');
  const parts = { target: go, parent: go.parentNode, list: go.parentNode.parentNode };
  const apply = () => CHANGES[change](parts[part]);
  go.addEventListener(moment in AFTER ? 'pointerdown' : moment, () => {
    acted += 1;
    (AFTER[moment] ?? ((done) => done()))(apply);
  });
}
</script>"""


async def click(tab: FakeTab) -> str:
    try:
        await tab.actions.click(Css("#t"), ClickOptions(timeout_ms=4000))
    except AgentBrowserError as error:
        return f"{type(error).__name__}: {error}"
    return "done"


async def seen(tab: FakeTab) -> Any:
    """Return what the page has seen once its next frame is drawn."""
    return await tab.page.evaluate("new Promise(done => requestAnimationFrame(() => done([acted, elsewhere])))")


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES)
def test_click_acts_once_and_is_done_whatever_it_removes(stage: Stage, change: str) -> None:
    failures: list[str] = []

    async def test(tab: FakeTab) -> None:
        await tab.page.set_content(PAGE)
        for part, moment in itertools.product(PARTS, MOMENTS):
            await tab.page.mouse.move(900, 600)
            await tab.page.evaluate("parts => start(...parts)", [change, part, moment])
            outcome = await click(tab), await seen(tab)
            if outcome != ("done", [1, 0]):
                failures.append(f"{change} {part} at {moment}: {outcome}")

    stage.play("/next", test)
    assert not failures, "\n".join(failures)


def test_click_whose_release_comes_after_the_change_is_not_pressed_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A frame may be drawn between press and release. A page that acts on the press acts once all the same."""

    async def torn(act: Any, point: Any, press: Any) -> None:
        await act.tab.page.mouse.move(point.x, point.y)
        await act.tab.page.mouse.down()
        await seen(act.tab)
        await act.tab.page.mouse.up()

    monkeypatch.setattr(fast_pointer, "_click_at", torn)
    failures: list[str] = []

    async def test(tab: FakeTab) -> None:
        await tab.page.set_content(PAGE)
        for change, part in itertools.product(CHANGES, PARTS):
            await tab.page.evaluate("parts => start(...parts)", [change, part, "frame"])
            outcome = await click(tab), await seen(tab)
            if outcome != ("done", [1, 0]):
                failures.append(f"{change} {part}: {outcome}")

    stage.play("/next", test)
    assert not failures, "\n".join(failures)


def test_click_whose_press_takes_the_element_away_says_that_the_page_has_had_the_press(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await tab.page.set_content("<button id=t onfocus='t.remove()'>Go</button>")
        with pytest.raises(ActionFailed, match="has left the page on its press") as failed:
            await tab.actions.click(Css("#t"), ClickOptions(timeout_ms=300))
        assert failed.value.details["mayHaveActed"]

    stage.play("/next", test)
