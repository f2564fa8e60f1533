"""Parity of form controls: after the titles of page-fill, page-select-option, page-check and page-set-input-files."""

import base64
from collections.abc import Sequence
from typing import Any

from playwright.async_api import FilePayload

from tests.parity.pair import PairThread
from tests.parity.scenario import (
    BRIEF_MS,
    Playwright,
    Scenario,
    act,
    check,
    clear,
    click,
    fill,
    in_turn,
    select,
    uncheck,
)
from tests.parity.verdict import every, judge

READ = "(window.h?.shadowRoot ?? document).querySelector('#b').value ?? b.innerHTML"
HIDDEN = """<p>old</p><textarea id=b spellcheck=false style='height: 1px; padding: 0; border: 0'></textarea><script>
  b.onpaste = (event) => { b.value = event.clipboardData.getData("text/plain"); event.preventDefault() };
</script>"""
FIELD = "<input id=b value=old>"

FILLED = {
    "a textarea": ("<textarea id=b>old</textarea>", "some value"),
    "a text field": (FIELD, "some value"),
    "a field that only ARIA calls read-only": ("<input id=b aria-readonly=true>", "x"),
    "a search field": ("<input id=b type=search>", "x"),
    "a password": ("<input id=b type=password>", "x"),
    "a telephone number": ("<input id=b type=tel>", "123"),
    "a URL": ("<input id=b type=url>", "https://a.example"),
    "an email": ("<input id=b type=email>", "a@b.example"),
    "an unknown type": ("<input id=b type=quux>", "x"),
    "a number": ("<input id=b type=number>", "42"),
    "a number with an exponent": ("<input id=b type=number>", "-10e5"),
    "an empty number": ("<input id=b type=number value=1>", ""),
    "a date": ("<input id=b type=date>", "2020-03-02"),
    "a time": ("<input id=b type=time>", "13:15"),
    "a month": ("<input id=b type=month>", "2020-07"),
    "a week": ("<input id=b type=week>", "2020-W50"),
    "a local date and time": ("<input id=b type=datetime-local>", "2020-03-02T05:15"),
    "a color": ("<input id=b type=color value='#e66465'>", "#aaaaaa"),
    "a color in capitals": ("<input id=b type=color value='#e66465'>", "#AABBCC"),
    "a range": ("<input id=b type=range min=0 max=100 value=50>", "42"),
    "a range by its step": ("<input id=b type=range min=0 max=100 step=5>", "35"),
    "a contenteditable": ("<div id=b contenteditable>old</div>", "some value"),
    "a contenteditable with lines": ("<div id=b contenteditable>old</div>", "some value\nin\nlines"),
    "a contenteditable with markup": ("<div id=b contenteditable><b>old</b> <i>text</i></div>", "new"),
    "plaintext only": ("<div id=b contenteditable=plaintext-only>old</div>", "new"),
    "a field with a selection": (f"{FIELD}<script>b.setSelectionRange(1, 2)</script>", "new"),
    "a field with the focus": (f"{FIELD}<script>b.focus()</script>", "new"),
    "a label": ("<label id=l for=b>Name</label><input id=b>", "new"),
    "the hidden field of an editor": (HIDDEN, "a\nb"),
    "lines into a textarea": ("<textarea id=b></textarea>", "a\nb"),
    "a field in an editor": (f"<div contenteditable>text {FIELD}</div>", "new"),
    "emoji": (FIELD, "🎉 é ñ 嗨"),
    "nothing": (FIELD, ""),
    "the same value": (FIELD, "old"),
    "a field that counts": (f"{FIELD}<script>b.oninput = () => document.title = b.value.length</script>", "four"),
    "a field with fixed position": ("<p style='height:2000px'></p><input id=b style='position:fixed;top:0'>", "new"),
    "a field below the fold": (f"<p style='height:3000px'></p>{FIELD}", "new"),
    "a field of a shadow root": (
        "<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML='<input id=b>'</script>",
        "new",
    ),
    "a field that rerenders": (f"{FIELD}<script>b.oninput = () => b.setAttribute('value', b.value)</script>", "new"),
    "a field without window.Node": (f"<script>delete window.Node</script>{FIELD}", "new"),
    "a covered field": (f"{FIELD}<div style='position:fixed;inset:0'></div>", "new"),
    "a field that checks its text": ("<input id=b pattern='[0-9]+' required>", "abc"),
}
"""Pages with a field ``b``, and its new value."""

UNFILLED = {
    "a disabled field": ("<input id=b disabled>", "x", "ElementNotEnabled"),
    "a read-only field": ("<input id=b readonly>", "x", "ElementNotEnabled"),
    "a hidden field": ("<input id=b hidden>", "x", "ElementNotVisible"),
    "a field of a disabled fieldset": ("<fieldset disabled><input id=b></fieldset>", "x", "ElementNotEnabled"),
    "a missing field": ("", "x", "ElementNotFound"),
    "a checkbox": ("<input id=b type=checkbox>", "x", "ActionFailed"),
    "a file": ("<input id=b type=file>", "x", "ActionFailed"),
    "a button": ("<input id=b type=submit>", "x", "ActionFailed"),
    "an element without a value": ("<p id=b>text</p>", "x", "ActionFailed"),
    "letters for a number": ("<input id=b type=number>", "abc", "ActionFailed"),
    "a wrong date": ("<input id=b type=date>", "2020-13-05", "ActionFailed"),
    "a wrong time": ("<input id=b type=time>", "25:05", "ActionFailed"),
    "a wrong month": ("<input id=b type=month>", "2020-13", "ActionFailed"),
    "a wrong week": ("<input id=b type=week>", "2020-123", "ActionFailed"),
    "a wrong color": ("<input id=b type=color>", "badvalue", "ActionFailed"),
    "a value out of the range": ("<input id=b type=range min=0 max=100>", "101", "ActionFailed"),
    "a select": ("<select id=b><option>1</select>", "1", "ActionFailed"),
}
"""Pages whose element ``b`` can't be filled, the value, and our error."""

FRUITS = "<option value=a>Apple</option><option value=b label=Berry>B</option><option value=c disabled>Cherry</option>"
SELECTED: dict[str, tuple[str, str | Sequence[str]]] = {
    "by value": (f"<select id=b>{FRUITS}</select>", "b"),
    "by label": (f"<select id=b><option>0{FRUITS}</select>", "Apple"),
    "by the label attribute": (f"<select id=b>{FRUITS}</select>", "Berry"),
    "by a label with spaces": ("<select id=b><option>1<option value=x>  Two \n words </select>", "Two words"),
    "an option of a group": (f"<select id=b><option>1<optgroup label=G>{FRUITS}</optgroup></select>", "b"),
    "several options": ("<select id=b multiple><option>1<option>2<option>3</select>", ["1", "3"]),
    "other options": ("<select id=b multiple><option selected>1<option selected>2<option>3</select>", ["3"]),
    "no option": ("<select id=b multiple><option selected>1<option>2</select>", []),
    "the selected option": (f"<select id=b>{FRUITS}</select>", "a"),
    "by value before label": ("<select id=b><option value=x>y<option value=y>x</select>", "y"),
    "in a list box": (f"<select id=b size=3>{FRUITS}</select>", "b"),
    "of a label": (f"<label for=b>Fruit</label><select id=b>{FRUITS}</select>", "b"),
    "where the change navigates": (f"<select id=b onchange=\"location.hash = 'x'\">{FRUITS}</select>", "b"),
    "where the page redefines Event": (f"<script>window.Event = null</script><select id=b>{FRUITS}</select>", "b"),
    "in a shadow root": (
        "<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML='<select id=b><option>1<option>2</select>'</script>",
        "2",
    ),
    "a covered select": (f"<select id=b>{FRUITS}</select><div style='position:fixed;inset:0'></div>", "b"),
    "an option that arrives later": (
        "<select id=b><option>1</select><script>setTimeout(() => b.add(new Option('2')), 120)</script>",
        "2",
    ),
    "a select that is enabled later": (
        f"<select id=b disabled>{FRUITS}</select><script>setTimeout(() => b.disabled = false, 120)</script>",
        "b",
    ),
}
"""Pages with a select ``b``, and what is chosen there."""

UNSELECTED: dict[str, tuple[str, str | Sequence[str], str]] = {
    "a disabled select": (f"<select id=b disabled>{FRUITS}</select>", "a", "ElementNotEnabled"),
    "a missing option": (f"<select id=b>{FRUITS}</select>", "z", "ActionFailed"),
    "a disabled option": (f"<select id=b>{FRUITS}</select>", "c", "ActionFailed"),
    "an option of a disabled group": (
        f"<select id=b><option>1<optgroup disabled>{FRUITS}</optgroup></select>",
        "a",
        "ActionFailed",
    ),
    "no select": ("<input id=b>", "a", "ActionFailed"),
    "a hidden select": (f"<select id=b hidden>{FRUITS}</select>", "a", "ElementNotVisible"),
}

CHECKBOX = "<input id=b type=checkbox>"
CHECKED = f"{CHECKBOX[:-1]} checked>"
CHECKS = {
    "a checkbox": CHECKBOX,
    "a checked checkbox": CHECKED,
    "a radio button": "<input type=radio name=r checked><input id=b type=radio name=r>",
    "a label around a checkbox": "<label id=b>Agree <input id=c type=checkbox></label>",
    "a label for a checkbox": "<label id=b for=c>Agree</label><input id=c type=checkbox>",
    "an ARIA checkbox": "<div id=b role=checkbox aria-checked=false tabindex=0 onclick=\"this.ariaChecked = 'true'\">x</div>",
    "an ARIA switch": "<div id=b role=switch aria-checked=false tabindex=0 onclick=\"this.ariaChecked = 'true'\">x</div>",
    "an ARIA radio button": "<div id=b role=radio aria-checked=false onclick=\"this.ariaChecked = 'true'\">x</div>",
    "an ARIA menu item": "<div id=b role=menuitemcheckbox aria-checked=false onclick=\"this.ariaChecked = 'true'\">x</div>",
    "a checkbox that its press renders again": f"{CHECKBOX}<script>b.onmousedown = () => b.replaceWith(b.cloneNode())</script>",
    "an indeterminate checkbox": f"{CHECKBOX}<script>b.indeterminate = true</script>",
    "a checkbox below the fold": f"<p style='height:3000px'></p>{CHECKBOX}",
    "a checkbox of a shadow root": "<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML='<input id=b type=checkbox>'</script>",
}
UNCHECKED = {
    "a disabled checkbox": (f"{CHECKBOX[:-1]} disabled>", "ElementNotEnabled"),
    "a text field": ("<input id=b>", "ActionFailed"),
    "a plain element": ("<p id=b>text</p>", "ActionFailed"),
    "a checkbox that reverts": (f"{CHECKBOX}<script>b.onclick = () => false</script>", "ActionFailed"),
    "a hidden checkbox": (f"{CHECKBOX[:-1]} hidden>", "ElementNotVisible"),
    "an ARIA checkbox whose click takes its role": (
        "<div id=b role=checkbox aria-checked=false onclick=\"this.role = 'note'\">x</div>",
        "ActionFailed",
    ),
    "a checkbox that its press removes": (
        f"{CHECKBOX}<script>b.onmousedown = () => b.remove()</script>",
        "ActionFailed",
    ),
}

CHECK_STATE = (
    "(n => n.control?.checked ?? n.checked ?? n.ariaChecked)((window.h?.shadowRoot ?? document).querySelector('#b'))"
)
FILES = "Promise.all([...b.files].map(async file => [file.name, file.type, file.size, await file.text()]))"
NOTE = FilePayload(name="note.txt", mimeType="text/plain", buffer=b"hello")
IMAGE = FilePayload(name="a picture.png", mimeType="image/png", buffer=bytes(range(256)))
UPLOADS: dict[str, tuple[str, list[FilePayload]]] = {
    "a file": ("<input id=b type=file>", [NOTE]),
    "a file with a space in its name": ("<input id=b type=file>", [IMAGE]),
    "several files": ("<input id=b type=file multiple>", [NOTE, IMAGE]),
    "no file": ("<input id=b type=file>", []),
    "a hidden input": ("<input id=b type=file hidden>", [NOTE]),
    "a large file": ("<input id=b type=file>", [FilePayload(name="x", mimeType="x/y", buffer=b"x" * 300_000)]),
    "under a content security policy": (
        "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\"><input id=b type=file>",
        [NOTE],
    ),
}


def filling(value: str, **options: Any) -> Playwright:
    return lambda page: page.fill("#b", value, **options)


def selecting(values: str | Sequence[str], **options: Any) -> Playwright:
    return lambda page: page.select_option("#b", values, **options)


def checking(**options: Any) -> Playwright:
    return lambda page: page.check("#b", **options)


def uploading(files: list[FilePayload]) -> Playwright:
    return lambda page: page.set_input_files("#b", files)


def wire(files: list[FilePayload]) -> list[dict[str, str]]:
    return [
        {"name": one["name"], "mimeType": one["mimeType"], "buffer": base64.b64encode(one["buffer"]).decode()}
        for one in files
    ]


def _brief(error: str) -> dict[str, int]:
    """Return a brief timeout where the element never gets ready; a wrong value needs none."""
    return {} if error == "ActionFailed" else {"timeout": BRIEF_MS}


SCENARIOS = [
    *(
        Scenario(f"fill: {name}", html, filling(value), fill("#b", value), READ)
        for name, (html, value) in FILLED.items()
    ),
    *(
        Scenario(
            f"fill is refused: {name}",
            html,
            filling(value, **_brief(error)),
            fill("#b", value, **_brief(error)),
            error=error,
        )
        for name, (html, value, error) in UNFILLED.items()
    ),
    Scenario(
        "fill: a label's control", "<label id=b for=i>N</label><input id=i>", filling("x"), fill("#b", "x"), "i.value"
    ),
    Scenario(
        "fill: twice",
        FIELD,
        lambda p: in_turn(p.fill("#b", "x"), p.fill("#b", "y")),
        [fill("#b", "x"), fill("#b", "y")],
        READ,
    ),
    Scenario(
        "fill: after a click on a date",
        "<input id=b type=date>",
        lambda p: in_turn(p.click("#b"), p.fill("#b", "2020-03-02")),
        [click("#b"), fill("#b", "2020-03-02")],
        READ,
    ),
    Scenario(
        "fill: the body", "<body contenteditable id=b>", filling("text"), fill("#b", "text"), "document.body.innerText"
    ),
    Scenario(
        "fill: waits until the field is enabled",
        "<input id=b disabled><script>setTimeout(() => b.disabled = false, 120)</script>",
        filling("x"),
        fill("#b", "x"),
        READ,
    ),
    Scenario(
        "fill: waits until the field is writable",
        "<input id=b readonly><script>setTimeout(() => b.readOnly = false, 120)</script>",
        filling("x"),
        fill("#b", "x"),
        READ,
    ),
    Scenario(
        "fill: waits until the field shows",
        "<input id=b hidden><script>setTimeout(() => b.hidden = false, 120)</script>",
        filling("x"),
        fill("#b", "x"),
        READ,
    ),
    Scenario(
        "fill: force skips the wait",
        "<input id=b hidden>",
        lambda p: p.fill("#b", "x", force=True),
        fill("#b", "x", force=True),
        READ,
        error="ActionFailed",
    ),
    Scenario(
        "fill: composed events leave the shadow root",
        "<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML='<input id=b>'; window.composed = []; for (const type of ['input', 'change']) addEventListener(type, e => composed.push([type, e.composed, e.bubbles, e.cancelable]))</script>",
        filling("x"),
        fill("#b", "x"),
        "composed",
    ),
    Scenario("clear: a field", FIELD, lambda p: p.fill("#b", ""), clear("#b"), READ),
    Scenario("clear: an empty field", "<input id=b>", lambda p: p.locator("#b").clear(), clear("#b"), READ),
    Scenario(
        "clear: a contenteditable",
        "<div id=b contenteditable>old</div>",
        lambda p: p.locator("#b").clear(),
        clear("#b"),
        READ,
    ),
    Scenario(
        "clear: a date", "<input id=b type=date value=2020-03-02>", lambda p: p.locator("#b").clear(), clear("#b"), READ
    ),
    *(
        Scenario(
            f"select: {name}",
            html,
            selecting(values),
            select("#b", values),
            "[...(window.h?.shadowRoot ?? document).querySelector('#b').selectedOptions].map(o => o.value)",
        )
        for name, (html, values) in SELECTED.items()
    ),
    *(
        Scenario(
            f"select is refused: {name}",
            html,
            selecting(values, timeout=BRIEF_MS),
            select("#b", values, timeout=BRIEF_MS),
            error=error,
        )
        for name, (html, values, error) in UNSELECTED.items()
    ),
    Scenario(
        "select: several options where one can be chosen",
        f"<select id=b>{FRUITS}</select>",
        selecting(["b", "a"]),
        select("#b", ["b", "a"]),
        error="ActionFailed",
    ),
    Scenario(
        "select: composed events leave the shadow root",
        "<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML='<select id=b><option>1<option>2</select>'; window.composed = []; for (const type of ['input', 'change']) addEventListener(type, e => composed.push([type, e.composed, e.bubbles]))</script>",
        selecting("2"),
        select("#b", "2"),
        "composed",
    ),
    *(
        Scenario(f"check: {name}", html, lambda p: p.check("#b"), check("#b"), CHECK_STATE)
        for name, html in CHECKS.items()
    ),
    *(
        Scenario(f"uncheck: {name}", html, lambda p: p.uncheck("#b"), uncheck("#b"), CHECK_STATE)
        for name, html in {
            "a checked checkbox": CHECKED,
            "an unchecked checkbox": CHECKBOX,
            "a label of a checked checkbox": "<label id=b>Agree <input id=c type=checkbox checked></label>",
            "an ARIA checkbox": "<div id=b role=checkbox aria-checked=true onclick=\"this.ariaChecked = 'false'\">x</div>",
        }.items()
    ),
    *(
        Scenario(
            f"check is refused: {name}",
            html,
            checking(**_brief(error)),
            check("#b", **_brief(error)),
            error=error,
        )
        for name, (html, error) in UNCHECKED.items()
    ),
    Scenario(
        "uncheck is refused: a radio button",
        "<input id=b type=radio checked>",
        lambda p: p.uncheck("#b"),
        uncheck("#b"),
        "b.checked",
        error="ActionFailed",
    ),
    *(
        Scenario(f"upload: {name}", html, uploading(files), act("upload", "#b", files=wire(files)), FILES)
        for name, (html, files) in UPLOADS.items()
    ),
    Scenario(
        "upload: by a label",
        "<label id=l for=b>File</label><input id=b type=file>",
        lambda p: p.set_input_files("#l", [NOTE]),
        act("upload", "#l", files=wire([NOTE])),
        FILES,
    ),
    Scenario(
        "upload: a second time",
        "<input id=b type=file>",
        lambda p: in_turn(p.set_input_files("#b", [NOTE]), p.set_input_files("#b", [IMAGE])),
        [act("upload", "#b", files=wire([NOTE])), act("upload", "#b", files=wire([IMAGE]))],
        FILES,
    ),
    Scenario(
        "upload is refused: several files",
        "<input id=b type=file>",
        uploading([NOTE, IMAGE]),
        act("upload", "#b", files=wire([NOTE, IMAGE])),
        FILES,
        error="ActionFailed",
    ),
    Scenario(
        "upload is refused: no input",
        "<p id=b>text</p>",
        lambda p: p.set_input_files("#b", [NOTE], timeout=BRIEF_MS),
        act("upload", "#b", files=wire([NOTE]), options={"timeout": BRIEF_MS}),
        error="ActionFailed",
    ),
]


@every(SCENARIOS)
def test_page_sees_the_same(pair: PairThread, scenario: Scenario) -> None:
    judge(pair, scenario)
