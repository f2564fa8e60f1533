"""Typing in an editor whose page replaces its nodes."""

import pytest

from agentbrowser.protocol.types.action import ActionOptions, ClickOptions, TypeOptions
from agentbrowser.protocol.types.selector import Css
from tests.browser.stage import FakeTab, Stage

READS_LATER = """<!doctype html><div id=e contenteditable>two words</div><button id=b>Bold</button><p id=out></p>
<script>
  let seen = "";
  e.addEventListener("keyup", () => setTimeout(() => { seen = String(getSelection()) }, 80));
  b.onclick = () => { out.textContent = seen };
</script>"""
EDITOR = """<!doctype html><div id=e contenteditable><p>one</p><p>two</p></div>"""
WHOLE = "e.innerHTML = '<p>one</p><p>new</p>'"
PARAGRAPH = "e.lastChild.outerHTML = '<p>new</p>'"
TEXT = "e.lastChild.textContent = 'new'"
RESTORED = f"{WHOLE}; getSelection().collapse(e.lastChild.firstChild, 1)"


@pytest.mark.parametrize(
    ("replacing", "expected"),
    [(WHOLE, "one\n\nnew!"), (PARAGRAPH, "one\n\nnew!"), (TEXT, "one\n\nnew!"), (RESTORED, "one\n\nn!ew")],
)
def test_typing_goes_on_behind_the_text_that_the_page_has_put_in_place(
    stage: Stage, replacing: str, expected: str
) -> None:
    async def scene(tab: FakeTab) -> None:
        await tab.actions.type(Css("#e"), "x", TypeOptions())
        await tab.page.evaluate(replacing)
        assert (await tab.actions.type(Css("#e"), "!", TypeOptions())).value == expected

    stage.share("/nowhere", scene, markup=EDITOR)


def test_what_keys_have_selected_is_known_to_the_page_before_the_next_step(stage: Stage) -> None:
    """Quill reads the selection 100 ms after the keys, and its button formats what it has read."""

    async def scene(tab: FakeTab) -> None:
        await tab.actions.click(Css("#e"), ClickOptions())
        await tab.actions.press("Control+a", None, ActionOptions())
        await tab.actions.click(Css("#b"), ClickOptions())
        assert await tab.page.inner_text("#out") == "two words"

    stage.play("/nowhere", scene, markup=READS_LATER)


@pytest.mark.parametrize("keys", ["Home", "ArrowLeft"])
def test_typing_goes_on_where_keys_have_put_the_caret(stage: Stage, keys: str) -> None:
    async def scene(tab: FakeTab) -> None:
        await tab.actions.type(Css("#e"), "x", TypeOptions())
        await tab.actions.press(keys, Css("#e"), ActionOptions())
        result = await tab.actions.type(Css("#e"), "!", TypeOptions())
        assert result.value == {"Home": "one\n\n!twox", "ArrowLeft": "one\n\ntwo!x"}[keys]

    stage.share("/nowhere", scene, markup=EDITOR)
