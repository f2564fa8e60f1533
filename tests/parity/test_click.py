"""Parity of clicks: after the titles of page-click, elementhandle-click and locator-click."""

from collections.abc import Mapping
from typing import Any

from tests.parity.pair import PairThread
from tests.parity.scenario import BRIEF_MS, Playwright, Scenario, click, dblclick, in_turn
from tests.parity.verdict import every, judge

BUTTON = "<button id=b>Go</button>"
AT = "addEventListener('click', e => { window.at = [e.offsetX, e.offsetY] }, true)"
"""Script that records the point of a click within its target."""
FRAME = "<iframe id=f src=inner style='border:7px solid;padding:3px'></iframe>"
INNER = "<button id=b style='position:absolute;left:20px;top:30px'>Go</button>"

SIMPLE = {
    "a button": BUTTON,
    "a child of the button": "<button id=c><span id=b>Go</span></button>",
    "an SVG": "<svg id=b width=50 height=50><circle id=c cx=25 cy=25 r=20 /></svg>",
    "a span with an inline element inside": "<style>span::before{content:'q'}</style><span id=b></span>",
    "a page without window.Node": f"<script>delete window.Node</script>{BUTTON}",
    "a page with another window.innerWidth": f"<script>window.innerWidth = 0</script>{BUTTON}",
    "a box of one pixel": "<div id=b style='width:1px;height:1px;background:red'></div>",
    "a half-aligned box": "<div id=b style='position:absolute;left:10.5px;top:10.5px;width:1px;height:1px'></div>",
    "an unaligned box": "<div id=b style='position:absolute;left:10.23px;top:10.77px;width:1.4px;height:1px'></div>",
    "an element below the fold": f"<div style='height:3000px'></div>{BUTTON}",
    "an element right of the viewport": "<button id=b style='position:absolute;left:3000px'>Go</button>",
    "an element with smooth scrolling": f"<style>html{{scroll-behavior:smooth}}</style><p style='height:3000px'>{BUTTON}",
    "an element in a scrolling container": f"<div style='height:50px;overflow:auto'><p style='height:900px'></p>{BUTTON}</div>",
    "a wrapped link": "<div style='width:60px'><a id=b href=#x>a link that is wrapped to several lines</a></div>",
    "a checkbox": "<input id=b type=checkbox>",
    "a label of a checkbox": "<label id=b for=c>Agree</label><input id=c type=checkbox>",
    "a label around a checkbox": "<label id=b>Agree <input id=c type=checkbox></label>",
    "a label of an empty checkbox": "<label id=b>Agree <input id=c type=checkbox style='width:0;height:0'></label>",
    "a radio button": "<input id=a type=radio name=n checked><input id=b type=radio name=n>",
    "a summary": "<details id=d><summary id=b>More</summary>text</details>",
    "a text field": "<input id=b value=text>",
    "a contenteditable": "<div id=b contenteditable>text</div>",
    "a submit button": "<form id=f onsubmit='return false'><button id=b>Send</button></form>",
    "a reset button": "<form id=f><input id=i value=a><button id=b type=reset>Reset</button></form>",
    "a button outside its form": "<form id=f onsubmit='return false'></form><button id=b form=f>Send</button>",
    "a required field that is empty": "<form id=f><input id=i required><button id=b>Send</button></form>",
    "a rotated button": "<button id=b style='margin:90px;transform:rotate(50deg)'>Go</button>",
    "a button in perspective": "<div style='perspective:300px'><button id=b style='transform:rotateY(40deg)'>Go</button></div>",
    "a scaled button": "<button id=b style='transform:scale(3);margin:90px'>Go</button>",
    "a zoomed page": f"<style>html{{zoom:1.7}}</style><p style='height:300px'></p>{BUTTON}",
    "a button in a table cell": f"<table><tr><td>1<td>{BUTTON}</table>",
    "a button in a dialog": f"<dialog id=d>{BUTTON}</dialog><script>d.showModal()</script>",
    "a button in a popover": f"<div id=d popover>{BUTTON}</div><script>d.showPopover()</script>",
    "a disabled div": "<div id=b disabled>Go</div>",
    "an element with a listener that stops": f"{BUTTON}<script>b.onmousedown = e => e.preventDefault()</script>",
    "an element that disables itself": f"{BUTTON}<script>b.onclick = () => b.disabled = true</script>",
    "an element that is removed by its click": f"{BUTTON}<script>b.onclick = () => b.remove()</script>",
    "an element that moves focus": f"{BUTTON}<input id=i><script>b.onclick = () => i.focus()</script>",
    "an element with fixed position": f"<p style='height:3000px'></p><div style='position:fixed;top:9px'>{BUTTON}</div>",
    "an element behind a sticky header": "<div style='position:sticky;top:0;height:99px;background:red'></div>"
    f"<p style='height:2000px'></p>{BUTTON}<p style='height:2000px'></p><script>scrollTo(0, 2090)</script>",
    "an open shadow root": "<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML='<button id=b>Go</button>'</script>",
    "a slotted element": "<div id=h><button id=b>Go</button></div>"
    "<script>h.attachShadow({mode:'open'}).innerHTML='<p><slot></slot></p>'</script>",
    "an inline box with a child outside": "<style>i{position:absolute;left:-1000px}</style><span id=b><i>x</i>woof</span>",
    "a large button": "<button id=b style='width:900px;height:2500px'>Go</button>",
    "an option-like item of a list": "<ul id=u role=listbox><li id=b role=option tabindex=0>One</ul>",
    "a media control": "<audio id=b controls></audio>",
    "an image map's image": "<img id=b width=60 height=60 usemap='#m'><map name=m><area id=a shape=rect coords=0,0,60,60></map>",
    "a focusable div": "<div id=b tabindex=0>Go</div>",
    "an element with display:contents around it": f"<div style='display:contents'>{BUTTON}</div>",
}
"""Pages with an element ``b`` that a plain click reaches."""

WAITED = {
    "enabled": f"{BUTTON}<script>b.disabled = true; LATER(() => b.disabled = false)</script>",
    "displayed": f"{BUTTON}<script>b.style.display = 'none'; LATER(() => b.style.display = '')</script>",
    "visible": f"{BUTTON}<script>b.style.visibility = 'hidden'; LATER(() => b.style.visibility = '')</script>",
    "in a displayed parent": f"<div id=d hidden>{BUTTON}</div><script>LATER(() => d.hidden = false)</script>",
    "attached": "<script>LATER(() => document.body.innerHTML = '<button id=b>Go</button>')</script>",
    "uncovered": f"{BUTTON}<div id=d style='position:fixed;inset:0'></div><script>LATER(() => d.remove())</script>",
    "open to the pointer": f"{BUTTON}<script>b.style.pointerEvents = 'none'; LATER(() => b.style.pointerEvents = '')</script>",
    "in an enabled fieldset": f"<fieldset id=s disabled>{BUTTON}</fieldset><script>LATER(() => s.disabled = false)</script>",
    "larger than nothing": "<div id=b></div><script>LATER(() => b.style.cssText = 'width:9px;height:9px')</script>",
    "at rest": "<style>@keyframes m{from{margin-left:0}to{margin-left:300px}}#b{animation:m .2s linear 1 both}</style>"
    + BUTTON,
}
"""Pages whose element ``b`` becomes ready after a moment."""

REFUSED = {
    "a disabled button": ("<button id=b disabled>Go</button>", "ElementNotEnabled"),
    "a hidden button": ("<button id=b hidden>Go</button>", "ElementNotVisible"),
    "an invisible button": ("<button id=b style='visibility:hidden'>Go</button>", "ElementNotVisible"),
    "a covered button": (f"{BUTTON}<div style='position:fixed;inset:0'></div>", "ElementNotVisible"),
    "a missing button": ("", "ElementNotFound"),
    "one of two buttons": ("<button class=b>1</button><button class=b>2</button>", "SelectorAmbiguous"),
    "a button that never rests": (
        "<style>@keyframes m{to{transform:translate(200px)}}#b{animation:m 1s linear infinite}</style>" + BUTTON,
        "ActionFailed",
    ),
    "a button closed to the pointer": ("<button id=b style='pointer-events:none'>Go</button>", "ElementNotVisible"),
    "a button in a disabled fieldset": (f"<fieldset disabled>{BUTTON}</fieldset>", "ElementNotEnabled"),
    "a child of a disabled button": ("<button disabled><span id=b>Go</span></button>", "ElementNotEnabled"),
    "an empty element": ("<div id=b></div>", "ElementNotVisible"),
    "an aria-disabled button": ("<div id=b role=button aria-disabled=true>Go</div>", "ElementNotEnabled"),
    "a child of an aria-disabled group": (f"<div role=group aria-disabled=true>{BUTTON}</div>", "ElementNotEnabled"),
    "an inert button": (f"<div inert>{BUTTON}</div>", "ElementNotEnabled"),
    "a button out of reach": ("<button id=b style='position:fixed;left:-500px'>Go</button>", "ElementNotVisible"),
    "a closed option list": ("<select><option id=b>1</select>", "ElementNotVisible"),
}
"""Pages whose element ``b`` can't be clicked, with our error."""

OPTIONS: dict[str, dict[str, Any]] = {
    "the right button": {"button": "right"},
    "the middle button": {"button": "middle"},
    "Shift": {"modifiers": ["Shift"]},
    "Control and Alt": {"modifiers": ["Control", "Alt"]},
    "Meta": {"modifiers": ["Meta"]},
    "three clicks": {"clickCount": 3},
    "no click on trial": {"trial": True},
    "force": {"force": True},
    "a position": {"position": {"x": 12, "y": 34}},
    "a position in the border": {"position": {"x": 2, "y": 2}},
    "no wait after": {"noWaitAfter": True},
}
SPACIOUS = f"<button id=b style='width:120px;height:90px;border:6px solid'>Go</button><script>{AT}</script>"
PYTHON_NAMES = {"clickCount": "click_count", "noWaitAfter": "no_wait_after"}


def later(html: str) -> str:
    return html.replace("LATER(", "((then) => setTimeout(then, 120))(")


def by_playwright(action: str, options: Mapping[str, Any]) -> Playwright:
    names = {PYTHON_NAMES.get(name, name): value for name, value in options.items()}
    return lambda page: getattr(page, action)("#b", **names)


SCENARIOS = [
    *(Scenario(f"click: {name}", html, lambda p: p.click("#b"), click("#b")) for name, html in SIMPLE.items()),
    *(
        Scenario(f"click waits until {name}", later(html), lambda p: p.click("#b"), click("#b"))
        for name, html in WAITED.items()
    ),
    *(
        Scenario(
            f"click is refused: {name}",
            html,
            lambda p: p.locator("#b, .b").click(timeout=BRIEF_MS),
            click("#b, .b", timeout=BRIEF_MS),
            error=error,
        )
        for name, (html, error) in REFUSED.items()
    ),
    *(
        Scenario(
            f"click with {name}",
            SPACIOUS,
            by_playwright("click", options),
            click("#b", **options),
            "window.at",
        )
        for name, options in OPTIONS.items()
    ),
    *(
        Scenario(
            f"dblclick with {name}",
            SPACIOUS,
            by_playwright("dblclick", options),
            dblclick("#b", **options),
            "window.at",
        )
        for name, options in OPTIONS.items()
        if name != "three clicks"
    ),
    Scenario(
        "click: an area of an image",
        "<map name=m><area id=b href=#x coords=0,0,60,60></map><img width=60 height=60 usemap=#m>",
        lambda p: p.click("#b", timeout=BRIEF_MS),
        click("#b"),
        "location.hash",
    ),
    Scenario(
        "click: three times selects a paragraph",
        "<textarea id=b rows=3 cols=40>some text in here</textarea>",
        lambda p: p.click("#b", click_count=3),
        click("#b", clickCount=3),
        "[b.selectionStart, b.selectionEnd]",
    ),
    Scenario(
        "dblclick: selects a word",
        "<p id=b>word</p>",
        lambda p: p.dblclick("#b"),
        dblclick("#b"),
        "getSelection().toString()",
    ),
    Scenario(
        "click: modifiers do not last",
        BUTTON,
        lambda p: in_turn(p.click("#b", modifiers=["Shift"]), p.click("#b")),
        [click("#b", modifiers=["Shift"]), click("#b")],
    ),
    Scenario(
        "click: after a right click",
        f"{BUTTON}<input id=c type=checkbox>",
        lambda p: in_turn(p.click("#b", button="right"), p.click("#c")),
        [click("#b", button="right"), click("#c")],
        "c.checked",
    ),
    Scenario(
        "click: force reaches what covers the element",
        f"{BUTTON}<div id=d style='position:fixed;inset:0'></div>",
        lambda p: p.click("#b", force=True),
        click("#b", force=True),
    ),
    Scenario(
        "click: a trial waits for a covered element",
        f"{BUTTON}<div style='position:fixed;inset:0'></div>",
        lambda p: p.click("#b", trial=True, timeout=BRIEF_MS),
        click("#b", trial=True, timeout=BRIEF_MS),
        error="ElementNotVisible",
    ),
    Scenario(
        "click: microtasks run between events",
        f"{BUTTON}<script>for (const type of ['mousedown', 'mouseup', 'click'])"
        "b.addEventListener(type, () => Promise.resolve().then(() => log.push('after ' + type)))</script>",
        lambda p: p.click("#b"),
        click("#b"),
    ),
    Scenario(
        "click: events are separate tasks",
        f"{BUTTON}<script>window.tasks = []; for (const type of ['mousedown', 'mouseup'])"
        "b.addEventListener(type, () => { log.push('in ' + type); setTimeout(() => tasks.push(type)) })"
        "</script>",
        lambda p: p.click("#b"),
        click("#b"),
        "tasks.sort()",
        until="tasks.length == 2",
    ),
    Scenario(
        "click: pressure of the pointer",
        f"{BUTTON}<script>window.pressures = []; for (const type of ['pointerdown', 'pointerup', 'pointermove'])"
        "b.addEventListener(type, e => pressures.push([type, e.pressure, e.pointerType, e.isPrimary, e.pointerId]))</script>",
        lambda p: p.click("#b"),
        click("#b"),
        "pressures.filter(one => one[0] != 'pointermove')",
    ),
    Scenario(
        "click: hovers first",
        BUTTON,
        lambda p: p.click("#b"),
        click("#b"),
        "[...new Set(log)].filter(one => /over|enter|move/.test(one) && one.includes('#b'))",
        hears="mouseover mousemove pointerover pointermove",
    ),
    Scenario(
        "click: programmatic events pass",
        f"{BUTTON}<div id=d style='position:fixed;inset:0'></div><script>d.onmouseover = () => b.click()</script>",
        lambda p: p.click("#b", timeout=BRIEF_MS),
        click("#b", timeout=BRIEF_MS),
        "log.some(one => one == 'click #b 0/0x0 (script)') && !log.some(one => one.includes('down'))",
        error="ElementNotVisible",
    ),
    Scenario(
        "click: the press moves the element away",
        "<input id=b type=checkbox><script>b.onfocus = () => b.style.marginTop = '50px'</script>",
        lambda p: p.click("#b"),
        click("#b"),
        "b.checked",
    ),
    Scenario(
        "click: the element turns up in another place",
        f"{BUTTON}<script>b.style.cssText = 'position:absolute;left:0'; addEventListener('mousemove', () => b.style.left = '400px', {{once: true}})</script>",
        lambda p: p.click("#b"),
        click("#b"),
        "log.filter(one => one.startsWith('click #b'))",
        ignores=" html ",  # what is stopped there: a click may be sent before the element has moved, by either side
    ),
]


@every(SCENARIOS)
def test_page_sees_the_same(pair: PairThread, scenario: Scenario) -> None:
    judge(pair, scenario)
