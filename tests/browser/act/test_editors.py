"""Typing in an editor whose page replaces its nodes."""

import pytest

from agentbrowser.protocol.types.action import ActionOptions, TypeOptions
from agentbrowser.protocol.types.selector import Css
from tests.browser.stage import FakeTab, Stage

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


@pytest.mark.parametrize("keys", ["Home", "ArrowLeft"])
def test_typing_goes_on_where_keys_have_put_the_caret(stage: Stage, keys: str) -> None:
    async def scene(tab: FakeTab) -> None:
        await tab.actions.type(Css("#e"), "x", TypeOptions())
        await tab.actions.press(keys, Css("#e"), ActionOptions())
        result = await tab.actions.type(Css("#e"), "!", TypeOptions())
        assert result.value == {"Home": "one\n\n!twox", "ArrowLeft": "one\n\ntwo!x"}[keys]

    stage.share("/nowhere", scene, markup=EDITOR)
