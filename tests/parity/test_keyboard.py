"""Parity of typing and keys: after the titles of page-keyboard, elementhandle-type, elementhandle-press and page-focus."""

from tests.parity.pair import PairThread
from tests.parity.scenario import Playwright, Scenario, in_turn, press, type_
from tests.parity.verdict import every, judge

AREA = "<textarea id=b></textarea>"
FIELD = "<input id=b value=abc>"
EDITABLE = "<div id=b contenteditable></div>"
CARET = "<input id=b value=abc><script>b.focus(); b.setSelectionRange(1, 1)</script>"
LINES = "<textarea id=b>ab\ncd\nef</textarea><script>b.focus(); b.setSelectionRange(4, 4)</script>"
NOT_LANDED = {
    "letters into a number field",
    "into a field with a maximum length",
    "where keydown is cancelled",
    "where keypress is cancelled",
    "where beforeinput is cancelled",
}
"""What is typed here does not become the value, which is an error of ours."""

TYPED = {
    "words into a textarea": (AREA, "Hello, World!"),
    "lines into a textarea": (AREA, "one\ntwo"),
    "a line break into a field": (f"<form id=f onsubmit='return false'>{FIELD}</form>", "x\n"),
    "a tab": (f"{AREA}<input id=n>", "x\ty"),
    "all kinds of characters": (AREA, "This text goes onto two lines.\nThis character is 嗨."),
    "symbols of the shifted keys": (AREA, '~!@#$%^&*()_+{}|:"<>?'),
    "symbols of the plain keys": (AREA, "`1234567890-=[]\\;',./"),
    "umlauts": (AREA, "äöüßÉ"),
    "emoji": (AREA, "👹 Tokyo street Japan 🇯🇵"),
    "combined characters": (AREA, "é ñ 👩‍👩‍👧"),
    "into a number field": ("<input id=b type=number>", "12.5e3"),
    "letters into a number field": ("<input id=b type=number>", "abc"),
    "into a date field": ("<input id=b type=date>", "02032024"),
    "into a time field": ("<input id=b type=time>", "0230PM"),
    "into a field with a maximum length": ("<input id=b maxlength=3>", "abcdef"),
    "into an email field": ("<input id=b type=email>", "a@b.example"),
    "into a contenteditable": (EDITABLE, "Hello"),
    "lines into a contenteditable": (EDITABLE, "one\ntwo"),
    "into a field with a value": (FIELD, "de"),
    "where keydown is cancelled": (
        f"{AREA}<script>b.onkeydown = e => e.key == 'l' && e.preventDefault()</script>",
        "Hello",
    ),
    "where keypress is cancelled": (
        f"{AREA}<script>b.onkeypress = e => e.key == 'l' && e.preventDefault()</script>",
        "Hello",
    ),
    "where beforeinput is cancelled": (
        f"{AREA}<script>b.onbeforeinput = e => e.data == 'l' && e.preventDefault()</script>",
        "Hello",
    ),
    "where input changes the value": (
        f"{AREA}<script>b.oninput = () => b.value = b.value.toUpperCase()</script>",
        "Hello",
    ),
    "into a field of a shadow root": (
        "<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML='<input id=b>'</script>",
        "Hello",
    ),
    "where focus selects": (f"{FIELD}<script>b.onfocus = () => b.select()</script>", "new"),
    "where typing moves the focus": (f"{FIELD}<input id=n><script>b.oninput = () => n.focus()</script>", "12"),
    "into an element without a field": ("<div id=b tabindex=0>text</div>", "ab"),
    "into a select": ("<select id=b><option>Apple<option>Blue<option>Brown</select>", "Br"),
    "nothing": (FIELD, ""),
}
"""Pages with an element ``b``, and what is typed there."""

KEYS = {
    "Enter": AREA,
    "Tab": f"{AREA}<input id=n>",
    "Shift+Tab": f"<input id=n>{AREA}",
    "Escape": AREA,
    "Backspace": CARET,
    "Delete": CARET,
    "Home": CARET,
    "End": CARET,
    "ArrowLeft": CARET,
    "ArrowUp": "<input id=b type=number value=5>",
    "ArrowDown": "<select id=b><option>1<option>2</select>",
    "ArrowRight": "<input type=radio name=r id=b checked><input type=radio name=r id=n>",
    "PageDown": LINES,
    "Space": "<button id=b>Go</button>",
    "a": CARET,
    "A": CARET,
    "Control+ArrowRight": LINES,
    "Control+Home": LINES,
    "Control+End": LINES,
    "Shift+ArrowDown": LINES,
    "Shift+End": LINES,
    "Control+Backspace": LINES,
    "Shift+a": CARET,
    "Shift+A": CARET,
    "+": CARET,
    "Shift++": CARET,
    "Control++": CARET,
    "Control+a": CARET,
    "Control+Shift+ArrowLeft": CARET,
    "Control+Alt+q": CARET,
    "Meta": CARET,
    "Meta+k": CARET,
    "Shift": CARET,
    "Control": CARET,
    "Alt+x": CARET,
    "F5": CARET,
    "Insert": CARET,
    "KeyB": CARET,
    "Digit3": CARET,
    "Shift+Digit3": CARET,
    "Numpad5": CARET,
    "NumpadEnter": AREA,
    "ShiftRight": CARET,
    "MediaPlayPause": CARET,
    "ControlOrMeta+a": CARET,
    "NoSuchKey": CARET,
}
"""Keys, and a page with the element ``b`` that has the focus."""

UNFOCUSED = ("Backspace", "Delete", "ArrowLeft", "x", "Control+a")
"""Keys that are pressed in a field without the focus."""
READ = "(window.h?.shadowRoot ?? document).querySelector('#b')?.value ?? b.innerHTML"


def typing(text: str) -> Playwright:
    return lambda page: page.type("#b", text)


def pressing(key: str) -> Playwright:
    return lambda page: page.press("#b", key)


SCENARIOS = [
    *(
        Scenario(
            f"type: {name}",
            html,
            typing(text),
            type_("#b", text),
            READ,
            error="ActionFailed" if name in NOT_LANDED else None,
        )
        for name, (html, text) in TYPED.items()
    ),
    *(
        Scenario(
            f"press: {key}",
            html,
            pressing(key),
            press(key, "#b"),
            "[b.value, b.selectionStart ?? null]",
            error="InvalidParams" if key == "NoSuchKey" else None,
        )
        for key, html in KEYS.items()
    ),
    *(
        Scenario(
            f"press without focus: {key}",
            FIELD,
            pressing(key),
            press(key, "#b"),
            "[b.value, b.selectionStart]",
        )
        for key in UNFOCUSED
    ),
    Scenario("press: in the focused element", CARET, lambda p: p.keyboard.press("x"), press("x"), "b.value"),
    Scenario(
        "press: repeated",
        CARET,
        lambda p: in_turn(p.press("#b", "x"), p.press("#b", "x")),
        [press("x", "#b")] * 2,
        "b.value",
    ),
    Scenario("press: on the body", "<p>text</p>", lambda p: p.keyboard.press("x"), press("x")),
    Scenario(
        "press: undo",
        CARET,
        lambda p: in_turn(p.type("#b", "xy"), p.press("#b", "Control+z")),
        [type_("#b", "xy"), press("Control+z", "#b")],
        "b.value",
    ),
    Scenario(
        "press: copy and paste",
        CARET,
        lambda p: in_turn(*(p.press("#b", f"Control+{key}") for key in "acvv")),
        [press(f"Control+{key}", "#b") for key in "acvv"],
        "b.value",
    ),
    Scenario(
        "press: cut",
        CARET,
        lambda p: in_turn(*(p.press("#b", f"Control+{key}") for key in "ax")),
        [press(f"Control+{key}", "#b") for key in "ax"],
        "b.value",
    ),
    Scenario(
        "press: select all is prevented",
        f"{CARET}<script>b.onkeydown = e => e.key == 'a' && e.ctrlKey && e.preventDefault()</script>",
        lambda p: in_turn(p.press("#b", "Control+a"), p.press("#b", "Backspace")),
        [press("Control+a", "#b"), press("Backspace", "#b")],
        "b.value",
    ),
    Scenario(
        "press: Escape closes a dialog",
        "<dialog id=d><input id=b></dialog><script>d.showModal()</script>",
        lambda p: p.press("#b", "Escape"),
        press("Escape", "#b"),
        "d.open",
        ignores="^(keyup|toggle|blur)",
    ),
    Scenario(
        "press: Enter in a form of one field",
        "<form id=f onsubmit='return false'><input id=b></form>",
        lambda p: p.press("#b", "Enter"),
        press("Enter", "#b"),
    ),
    Scenario(
        "press: Enter on a link",
        "<a id=b href=#x>link</a>",
        lambda p: p.press("#b", "Enter"),
        press("Enter", "#b"),
        "location.hash",
    ),
    Scenario(
        "press: Space on a checkbox",
        "<input id=b type=checkbox>",
        lambda p: p.press("#b", "Space"),
        press("Space", "#b"),
        "b.checked",
    ),
    Scenario(
        "press: Enter on a summary",
        "<details id=d><summary id=b>More</summary>text</details>",
        lambda p: p.press("#b", "Enter"),
        press("Enter", "#b"),
        "d.open",
        ignores="^(toggle|keyup)",
    ),
    Scenario(
        "press: Space scrolls the page",
        "<p style='height:3000px'></p>",
        lambda p: p.keyboard.press("Space"),
        press("Space"),
        "scrollY > 0",
        until="scrollY > 0",
    ),
    Scenario(
        "press: Tab walks through the fields",
        "<input id=a><select id=s></select><button id=c>1</button><a id=l href=#>2</a>",
        lambda p: in_turn(*(p.keyboard.press("Tab") for _ in range(4))),
        [press("Tab")] * 4,
    ),
    Scenario(
        "press: Tab skips what can't have the focus",
        "<input id=a><input disabled><input hidden><div>1</div><i tabindex=-1>2</i><b id=l tabindex=0>3</b>",
        lambda p: in_turn(*(p.keyboard.press("Tab") for _ in range(2))),
        [press("Tab")] * 2,
    ),
    Scenario(
        "press: an element that can't have the focus",
        "<input id=i autofocus><div id=b>text</div><script>i.focus()</script>",
        lambda p: p.press("#b", "x"),
        press("x", "#b"),
        "i.value",
        error="ActionFailed",
    ),
    Scenario(
        "type: with a delay", FIELD, lambda p: p.type("#b", "xyz", delay=5), type_("#b", "xyz", delay=5), "log.length"
    ),
    Scenario(
        "type: keeps the caret of a focused field", CARET, lambda p: p.type("#b", "xy"), type_("#b", "xy"), "b.value"
    ),
    Scenario(
        "type: replaces the selection of a focused field",
        "<input id=b value=abc><script>b.select()</script>",
        lambda p: p.type("#b", "xy"),
        type_("#b", "xy"),
        "b.value",
    ),
    Scenario(
        "type: after clearing",
        FIELD,
        lambda p: in_turn(p.fill("#b", ""), p.type("#b", "xy")),
        type_("#b", "xy", clear=True),
        "b.value",
    ),
    Scenario(
        "type: a dialog opens on the first character",
        "<input id=b oninput='alert(1)'>",
        lambda p: p.type("#b", "xyz"),
        [type_("#b", "xyz"), ("dialog/handle", {"action": "accept"})],
        "b.value",
    ),
    Scenario(
        "type: a trial types nothing",
        FIELD,
        lambda p: p.locator("#b").wait_for(),
        type_("#b", "xy", trial=True),
        "b.value",
    ),
]


@every(SCENARIOS)
def test_page_sees_the_same(pair: PairThread, scenario: Scenario) -> None:
    judge(pair, scenario)
