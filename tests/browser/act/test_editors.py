"""Typing in an editor whose page replaces its nodes."""

import pytest

from agentbrowser.protocol.errors import ActionFailed
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


DRAWN = """<!doctype html><style>
  #box { width: 300px; height: 150px; position: relative }
  #t { position: absolute; width: 1px; height: 1px; padding: 0; border: 0 }
  #holder { position: relative; overflow: hidden; width: 3px; height: 0 } #holder #t { width: 900px; height: 16px }
  #lines { height: 150px }
</style>
<div id=box>FIELD<div id=lines></div></div>
<script>
  let lines = Array.from({ length: 40 }, (_, n) => `old ${n}`), isAll = false;
  const page = 5;
  const draw = () => {
    t.value = document.getElementById("lines").innerText = lines.slice(-page).join("\\n");
  };
  const put = (text) => {
    lines = [...(isAll ? [] : lines), ...text];
    isAll = false;
    requestAnimationFrame(() => setTimeout(draw, 60));
  };
  t.onkeydown = (event) => {
    if (event.key === "a" && event.ctrlKey) { isAll = true; event.preventDefault() }
    if (event.key === "Delete" && isAll) { put([]); event.preventDefault() }
  };
  t.oninput = () => put(t.value.split("\\n").map((line, n) => "  ".repeat(n) + line));  // typed lines are indented
  if (PASTES) t.onpaste = (event) => {
    put(event.clipboardData.getData("text/plain").split("\\n"));
    event.preventDefault();
  };
  draw();
</script>"""
PLAIN = "<textarea id=t spellcheck=false></textarea>"
CODE = "one {\n  two\n}\nthree\nfour\nfive\nsix"


def drawn(field: str = PLAIN, *, pastes: bool = True) -> str:
    return DRAWN.replace("FIELD", field).replace("PASTES", "true" if pastes else "false")


@pytest.mark.parametrize(
    ("field", "css"), [(PLAIN, "#t"), (PLAIN, "#lines"), (f"<div id=holder>{PLAIN}</div>", "#lines")]
)
def test_a_fill_replaces_all_of_an_editor_whose_field_holds_a_part_of_it(stage: Stage, field: str, css: str) -> None:
    async def scene(tab: FakeTab) -> None:
        assert (await tab.actions.fill(Css(css), CODE, ActionOptions())).value == CODE
        assert await tab.page.evaluate("lines.join('\\n')") == CODE
        await tab.actions.clear(Css(css), ActionOptions())
        assert await tab.page.evaluate("lines.join('\\n')") == ""

    stage.play("/nowhere", scene, markup=drawn(field))


def test_keys_on_the_drawn_text_of_an_editor_go_to_its_field(stage: Stage) -> None:
    async def scene(tab: FakeTab) -> None:
        await tab.page.evaluate("document.getElementById('lines').tabIndex = -1")
        await tab.page.evaluate("void (t.onkeydown = ({ key }) => keys.push(key))")
        await tab.actions.type(Css("#lines"), "x", TypeOptions())
        await tab.actions.press("y", Css("#lines"), ActionOptions())
        assert await tab.page.evaluate("keys") == ["Control", "End", "x", "y"]

    stage.play("/nowhere", scene, markup=f"{drawn()}<script>let keys = []</script>")


def test_typing_in_a_cell_that_takes_no_keys_has_no_effect(stage: Stage) -> None:
    async def scene(tab: FakeTab) -> None:
        await tab.actions.type(Css("td"), "x", TypeOptions())  # moves the focus at least
        assert (await tab.actions.type(Css("td"), "x", TypeOptions())).no_effect

    stage.play("/nowhere", scene, markup="<!doctype html><table><tr><td tabindex=-1>Kia</table>")


def test_a_text_that_an_editor_does_not_draw_has_not_landed(stage: Stage) -> None:
    async def scene(tab: FakeTab) -> None:
        await tab.page.evaluate("void (t.onpaste = (event) => event.preventDefault())")
        with pytest.raises(ActionFailed, match="did not land"):
            await tab.actions.fill(Css("#t"), CODE, ActionOptions())

    stage.play("/nowhere", scene, markup=drawn())


def test_a_fill_types_where_an_editor_takes_no_paste(stage: Stage) -> None:
    async def scene(tab: FakeTab) -> None:
        await tab.page.evaluate("t.value = ''")
        await tab.actions.fill(Css("#t"), "one line", ActionOptions())
        assert await tab.page.evaluate("lines.join('\\n')") == "one line"

    stage.play("/nowhere", scene, markup=drawn(pastes=False))


def test_a_fill_replaces_the_text_of_an_edit_context(stage: Stage) -> None:
    async def scene(tab: FakeTab) -> None:
        for pastes in (False, True):
            await tab.page.evaluate(f"pastes = {str(pastes).lower()}")
            assert (await tab.actions.fill(Css("#e"), "some text", ActionOptions())).value == "some text"
            assert await tab.page.inner_text("#drawn") == "some text"

    stage.play("/nowhere", scene, markup=EDIT_CONTEXT)


EDIT_CONTEXT = """<!doctype html><div id=box style="width: 300px; height: 150px"><div id=drawn>old</div>
<div id=e role=textbox aria-label=Code tabindex=0 style="width: 0; height: 19px"></div></div><script>
  let isAll = false, pastes = false;
  const context = e.editContext = new EditContext();
  const put = (text) => { drawn.innerText = isAll ? text : drawn.innerText + text };
  e.onkeydown = (event) => { isAll = event.key === "a" && event.ctrlKey };
  context.addEventListener("textupdate", (event) => put(event.text));
  e.onpaste = (event) => { if (pastes) put(event.clipboardData.getData("text/plain")), event.preventDefault() };
</script>"""
