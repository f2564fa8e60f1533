"""Drags in lists that rearrange themselves, and on pages that scroll meanwhile."""

import pytest

from agentbrowser.protocol.types.action import ActionOptions, Offset
from agentbrowser.protocol.types.selector import Css
from tests.browser.stage import FakeTab, Stage

OPTIONS = ActionOptions(timeout_ms=15_000)
RESTING_LIST = """
<style>li { height: 30px } #b { margin-top: 300px }</style><ul><li id=a>a</li><li id=b>b</li><li id=c>c</li></ul>
<script>
let dragged = null, rests = 0;
onmousedown = (event) => { dragged = event.target.closest('li'); event.preventDefault(); };
onmousemove = (event) => {
  const over = event.target.closest('li');
  if (!dragged || !over || over === dragged || performance.now() < rests) return;
  over[over.compareDocumentPosition(dragged) & 2 ? 'after' : 'before'](dragged);
  rests = performance.now() + 80;  // 30 in SortableJS
};
onmouseup = () => { dragged = null; };
</script>
"""
LIST_OF_HALVES = """
<style>li { height: 40px; width: 90px }</style><ul><li id=a>a</li><li id=b>b</li><li id=c>c</li><li id=d>d</li></ul>
<script>
onmousedown = (event) => {
  const dragged = event.target;
  event.preventDefault();
  onmouseup = ({ clientY }) => {
    const middle = (item) => (item.getBoundingClientRect().top + item.getBoundingClientRect().bottom) / 2;
    const next = [...document.querySelectorAll("li")].find((item) => item !== dragged && middle(item) >= clientY);
    document.querySelector("ul").insertBefore(dragged, next ?? null);
  };
};
</script>
"""
SCROLLING_PAGE = """
<style>li { height: 30px } body { margin: 0; padding: 500px 0 3000px }</style><ul id=list></ul>
<script>
for (let number = 0; number < 8; number++) {
  const item = document.createElement('li');
  item.id = `i${number}`;
  list.append(item);
}
let isDragged = false;
onmousedown = (event) => { isDragged = true; event.preventDefault(); };
onmousemove = ({ clientY }) => {
  if (isDragged && clientY > innerHeight - 50) scrollBy({ top: 40, behavior: "instant" });
};
onmouseup = (event) => { isDragged = false; document.title = event.target.id; };
</script>
"""
SOURCE_THAT_LEAVES = """
<style>div { width: 100px; height: 60px }</style>
<div id=s draggable=true>source</div><div id=t>target</div><p style="height: 300px"></p>
<script>
ondragover = (event) => { event.preventDefault(); document.getElementById("s")?.remove() };
onmousemove = (event) => { if (event.buttons) document.getElementById("s")?.remove() };
ondrop = onmouseup = (event) => { document.title = event.target.id };
</script>
"""


def test_a_drag_ends_where_the_list_rests_after_each_exchange(stage: Stage) -> None:
    """A list of SortableJS ignored the last move, right after an exchange, and dropped the item one place short."""

    async def scene(tab: FakeTab) -> None:
        await tab.actions.drag(Css("#a"), Css("#c"), OPTIONS)
        assert await tab.page.inner_text("ul") == "b\nc\na"

    stage.play("/nowhere", scene, markup=RESTING_LIST)


def test_an_item_takes_the_place_of_the_one_that_it_is_dragged_onto(stage: Stage) -> None:
    """In the middle of it, a list of jQuery UI left the item one place short."""

    async def scene(tab: FakeTab) -> None:
        await tab.actions.drag(Css("#a"), Css("#c"), OPTIONS)
        assert await tab.page.inner_text("ul") == "b\nc\na\nd"
        await tab.actions.drag(Css("#d"), Css("#c"), OPTIONS)
        assert await tab.page.inner_text("ul") == "b\nd\nc\na"

    stage.play("/nowhere", scene, markup=LIST_OF_HALVES)


def test_a_drag_to_the_edge_of_the_viewport_does_not_scroll_the_target_away(stage: Stage) -> None:
    async def scene(tab: FakeTab) -> None:
        await tab.page.set_viewport_size({"width": 600, "height": 720})
        await tab.actions.drag(Css("#i1"), Css("#i6"), OPTIONS)
        assert await tab.page.title() == "i6"

    stage.play("/nowhere", scene, markup=SCROLLING_PAGE)


def test_a_card_is_dragged_beside_the_button_in_its_middle(stage: Stage) -> None:
    """Boards of hello-pangea/dnd do not start a drag on a button: it was reported as done."""
    markup = """
        <div id=card style="width: 200px; padding: 10px; text-align: center; border: 4px solid">
        <button style="width: 60px; height: 40px">Details</button></div><p id=slot style="height: 50px">
        <script>onmousedown = (event) => { document.title = event.target.id || 'a button' }</script>"""

    async def scene(tab: FakeTab) -> None:
        await tab.actions.drag(Css("#card"), Css("#slot"), OPTIONS)
        assert await tab.page.title() == "card"
        await tab.actions.drag(Css("button"), Css("#slot"), OPTIONS)
        assert await tab.page.title() == "a button"

    stage.play("/nowhere", scene, markup=markup)


@pytest.mark.parametrize("is_draggable", [True, False], ids=["with drag events", "with the mouse"])
def test_a_drag_follows_a_target_that_moves_as_the_page_takes_the_source_away(stage: Stage, is_draggable: bool) -> None:
    """It dropped what it carried below the target, and was reported as done."""

    async def scene(tab: FakeTab) -> None:
        await tab.actions.drag(Css("#s"), Css("#t"), OPTIONS)
        assert await tab.page.title() == "t"

    markup = SOURCE_THAT_LEAVES if is_draggable else SOURCE_THAT_LEAVES.replace("draggable=true", "")
    stage.play("/nowhere", scene, markup=markup)


def test_a_splitter_is_dragged_by_a_distance(stage: Stage) -> None:
    """In a frame, by an element with a border: what has no target has another place only."""
    splitter = """
        <body style="margin: 0"><div id=bar style="width: 10px; height: 90px; border: 5px solid; position: relative">
        <script>
        let start = null
        bar.onmousedown = (event) => { start = [event.screenX, event.screenY]; event.preventDefault() }
        onmousemove = (event) => {
          if (start) document.title = [event.screenX - start[0], event.screenY - start[1]]
          if (event.buttons) bar.style.left = event.clientX - 10 + "px"
        }
        onmouseup = () => { start = null }
        </script>"""

    async def scene(tab: FakeTab) -> None:
        await tab.page.set_content("<iframe style='width: 400px; height: 200px; margin: 30px'></iframe>")
        frame = tab.page.frames[1]
        await frame.set_content(splitter)
        tab.inner = frame
        await tab.actions.drag(Css("#bar"), Offset(dx=120, dy=-30), OPTIONS)
        assert await frame.title() == "120,-30"
        assert await frame.evaluate("bar.style.left") == "120px"

    stage.play("/nowhere", scene)
