"""Parity of hover, scroll, drag and hit targets: after the titles of page-hover, wheel, page-drag and hit-target."""

from playwright.async_api import Page

from tests.parity.pair import PairThread
from tests.parity.scenario import (
    BRIEF_MS,
    Request,
    Scenario,
    check,
    click,
    drag,
    fill,
    hover,
    in_turn,
    press,
    scroll,
    select,
    type_,
)
from tests.parity.verdict import every, judge

BUTTON = "<button id=b>Go</button>"
OVER = "mouseover mouseenter mouseout"
HOVERS = {
    "a button": BUTTON,
    "a disabled button": "<button id=b disabled>Go</button>",
    "an element below the fold": f"<p style='height:3000px'></p>{BUTTON}",
    "a link": "<a id=b href=#x>link</a>",
    "without window.Node": f"<script>delete window.Node</script>{BUTTON}",
    "a menu that opens": "<style>#m{display:none}li:hover #m{display:block}</style><ul><li id=b>File<ul id=m><li>Open</ul></ul>",
    "an SVG": "<svg id=b width=50 height=50><rect width=50 height=50 /></svg>",
    "an inline element": "<p>text <i id=b>slanted</i> text</p>",
}
HITS = {
    "a block in an inline element": "<span id=b><div style='height:20px'>Go</div></span>",
    "blocks in nested inline elements": "<a id=b><b><div>one</div><div>two</div></b></a>",
    "a label that passes the pointer": "<button id=b><label style='pointer-events:none'>Go</label></button>",
    "a button below an element that passes the pointer": f"{BUTTON}<div style='position:fixed;inset:0;pointer-events:none'></div>",
    "a child that covers the button": "<button id=b style='position:relative'>Go<i style='position:absolute;inset:0'></i></button>",
    "an icon in a link": "<a id=b href=#x><svg width=20 height=20><rect width=20 height=20 /></svg></a>",
    "an inner label in a button role": "<div id=b role=button><label>Go</label></div>",
    "a custom element": "<my-button id=b style='display:block'>Go</my-button><script>customElements.define('my-button', class extends HTMLElement { constructor() { super(); this.attachShadow({mode:'open'}).innerHTML = '<button><slot></slot></button>' } })</script>",
    "a host of a closed shadow root": "<div id=b></div><script>b.attachShadow({mode:'closed'}).innerHTML = '<button>Go</button>'</script>",
    "a partly covered button": f"{BUTTON}<div style='position:fixed;left:0;top:0;width:12px;height:100%'></div>",
    "an element whose mousedown fails": BUTTON + "<script>b.onmousedown = () => { throw new Error('no') }</script>",
    "an element that detaches on mousedown": f"{BUTTON}<script>b.onmousedown = () => b.remove()</script>",
    "an element that detaches on pointerdown": f"{BUTTON}<script>b.onpointerdown = () => b.remove()</script>",
    "an element that is hidden on mousedown": f"{BUTTON}<p>x</p><script>b.onmousedown = () => b.hidden = true</script>",
    "an element that moves on mousedown": f"{BUTTON}<script>b.onmousedown = () => b.style.marginLeft = '300px'</script>",
    "an element that is covered on mousedown": f"{BUTTON}<div id=d hidden style='position:fixed;inset:0'></div><script>b.onmousedown = () => d.hidden = false</script>",
    "an element that opens a menu on pointerdown": f"{BUTTON}<ul id=d hidden style='position:fixed;inset:0'><li>1</ul><script>b.onpointerdown = () => d.hidden = false</script>",
    "an element that is replaced on click": f"<div id=d>{BUTTON}</div><script>d.onclick = () => d.innerHTML = '<button id=b>Next</button>'</script>",
    "a label with a link in its middle": "<label id=b><input id=i type=checkbox> I agree to <a href=#x id=t>all of the terms of use</a></label>",
    "a link with a button in its middle": "<a id=b href=#x>Order 17 <button id=i>Remove it now</button></a>",
    "an inline element that begins with a button": "<span id=b><button id=i>Remove it now</button> Order 17</span>",
    "an element that changes on hover": f"{BUTTON}<script>b.onmouseover = () => b.textContent = 'Hovered'</script>",
}
"""Pages with an element ``b`` that a click reaches, however hard to hit."""
MISSED = {
    "an element that is covered on hover": f"{BUTTON}<div id=d hidden style='position:fixed;inset:0'></div><script>b.onmouseover = () => d.hidden = false</script>",
    "an element that flees": "<button id=b style='position:absolute'>Go</button><script>b.onmouseover = () => b.style.left = (b.offsetLeft + 200) % 800 + 'px'</script>",
    "an overlay of a shadow root": f"{BUTTON}<div id=h></div><script>h.attachShadow({{mode:'open'}}).innerHTML = '<div style=\"position:fixed;inset:0\"></div>'</script>",
    "an overlay in the same label": f"<div style='position:relative;width:60px'>{BUTTON}<span style='position:absolute;inset:0'>over</span></div>",
}

INNER = """<body style='margin:0'><button id=b style='margin:40px'>Go</button>
<script>addEventListener('click', e => parent.postMessage(['click', e.target.id, e.offsetX, e.offsetY], '*'))</script>"""
MAIN: Request = ("frame/main", {})
INTO: Request = ("frame/switch", {"selector": "#f"})
HEAR = "<script>window.heard = []; onmessage = e => heard.push(e.data)</script>"
FRAMES = {
    "a frame": "<iframe id=f src=inner></iframe>",
    "a frame with border and padding": "<iframe id=f src=inner style='border:9px solid;padding:5px'></iframe>",
    "a transformed frame": "<iframe id=f src=inner style='transform:translate(60px,40px) scale(1.3) rotate(8deg)'></iframe>",
    "a frame below the fold": "<p style='height:3000px'></p><iframe id=f src=inner></iframe>",
    "a frame in a scrolled box": "<div style='height:180px;overflow:auto'><p style='height:900px'></p><iframe id=f src=inner></iframe></div>",
    "a frame of another origin": "<iframe id=f src={other}inner></iframe>",
    "a transformed frame of another origin": "<iframe id=f src={other}inner style='transform:scale(.8);margin:30px'></iframe>",
}
FRAMES_MISSED = {
    "the page covers the frame": "<iframe id=f src=inner></iframe><div style='position:fixed;inset:0'></div>",
    "a frame of no size": "<iframe id=f src=inner style='width:0;height:0;border:0'></iframe>",
    "the page closes the frame to the pointer": "<iframe id=f src=inner style='pointer-events:none'></iframe>",
}

CARDS = """<style>div{width:80px;height:80px;border:1px solid;margin:10px}</style>
<div id=s draggable=true>drag</div><div id=t>drop</div><script>
t.ondragover = e => e.preventDefault();
t.ondrop = e => { e.preventDefault(); t.append(s); window.data = e.dataTransfer.getData('text/plain') };
s.ondragstart = e => e.dataTransfer.setData('text/plain', 'card');</script>"""
SLIDER = """<div id=s style='position:absolute;left:20px;top:20px;width:30px;height:30px;background:red'></div>
<div id=t style='position:absolute;left:320px;top:20px;width:30px;height:30px;background:blue'></div><script>
s.onpointerdown = e => { s.setPointerCapture(e.pointerId); window.held = true };
s.onpointermove = e => { if (window.held) s.style.left = e.clientX - 15 + 'px' };
s.onpointerup = () => { window.held = false };</script>"""
REPEATED = "^(dragenter|dragleave|focus|blur)"
"""Events of a drag whose number follows from that of the moves."""

TALL = "<p id=p style='width:4000px;height:6000px;margin:0'>tall</p>"
BOX = "<div id=b style='width:200px;height:150px;overflow:auto'><p style='width:2000px;height:3000px'>x</p></div>"
WHEEL = f"{TALL}<script>window.sums = [0, 0]; addEventListener('wheel', e => {{ sums[0] += e.deltaX; sums[1] += e.deltaY }})</script>"


async def wheel(page: Page, x: float, y: float) -> None:
    await page.mouse.move(640, 360)
    await page.mouse.wheel(x, y)


async def drag_to(page: Page, selector: str, x: float, y: float) -> None:
    await page.hover(selector)
    await page.mouse.down()
    await page.mouse.move(x, y)
    await page.mouse.move(x, y)
    await page.mouse.up()


async def wheel_over(page: Page, selector: str, x: float, y: float) -> None:
    await page.hover(selector)
    await page.mouse.wheel(x, y)


SCENARIOS = [
    *(
        Scenario(
            f"hover: {name}",
            html,
            lambda p: p.hover("#b"),
            hover("#b"),
            "b.matches(':hover')",
            hears=OVER,
            ignores="^(?!mouseover #b)",
        )
        for name, html in HOVERS.items()
    ),
    Scenario(
        "hover: leaves the element before",
        f"<button id=a>1</button>{BUTTON}",
        lambda p: in_turn(p.hover("#a"), p.hover("#b")),
        [hover("#a"), hover("#b")],
        "[a.matches(':hover'), b.matches(':hover')]",
    ),
    Scenario(
        "hover: at a position",
        f"{BUTTON}<script>b.style.cssText = 'width:300px;height:90px'; b.onmousemove = e => window.at = [e.offsetX, e.offsetY]</script>",
        lambda p: p.hover("#b", position={"x": 40, "y": 60}),
        hover("#b", position={"x": 40, "y": 60}),
        "window.at",
    ),
    Scenario(
        "hover is refused: a covered element",
        f"{BUTTON}<div style='position:fixed;inset:0'></div>",
        lambda p: p.hover("#b", timeout=BRIEF_MS),
        hover("#b", timeout=BRIEF_MS),
        error="ElementNotVisible",
    ),
    Scenario(
        "hover is refused: a hidden element",
        "<button id=b hidden>Go</button>",
        lambda p: p.hover("#b", timeout=BRIEF_MS),
        hover("#b", timeout=BRIEF_MS),
        error="ElementNotVisible",
    ),
    Scenario(
        "hit: a block label with a link in its middle",
        "<label id=b style='display:block;width:240px'><input id=i type=checkbox> I agree to <a href=#x>all of the terms</a></label>",
        lambda p: p.click("#b"),
        click("#b"),
        "[i.checked, location.hash]",
    ),
    *(Scenario(f"hit: {name}", html, lambda p: p.click("#b"), click("#b")) for name, html in HITS.items()),
    *(
        Scenario(
            f"hit is refused: {name}",
            html,
            lambda p: p.click("#b", timeout=BRIEF_MS),
            click("#b", timeout=BRIEF_MS),
            ignores=" (html|#d) ",
            error="ElementNotVisible",
        )
        for name, html in MISSED.items()
    ),
    *(
        Scenario(
            f"click in {name}",
            HEAR + html,
            lambda p: p.frame_locator("#f").locator("#b").click(),
            [MAIN, INTO, click("#b")],
            "heard",
            until="heard.length > 0",
            files={"inner": INNER},
        )
        for name, html in FRAMES.items()
    ),
    Scenario(
        "click in a frame in a frame",
        HEAR + "<iframe id=g src=middle></iframe>",
        lambda p: p.frame_locator("#g").frame_locator("#f").locator("#b").click(),
        [MAIN, ("frame/switch", {"selector": "#g"}), INTO, click("#b")],
        "heard",
        until="heard.length > 0",
        files={"inner": INNER.replace("parent.", "top."), "middle": "<iframe id=f src=inner></iframe>"},
    ),
    *(
        Scenario(
            f"click in a frame is refused: {name}",
            HEAR + html,
            lambda p: p.frame_locator("#f").locator("#b").click(timeout=BRIEF_MS),
            [MAIN, INTO, click("#b", timeout=BRIEF_MS)],
            "heard",
            error="ElementNotVisible",
            files={"inner": INNER},
        )
        for name, html in FRAMES_MISSED.items()
    ),
    Scenario(
        "fill in a frame",
        "<iframe id=f src=inner></iframe>",
        lambda p: p.frame_locator("#f").locator("#b").fill("x"),
        [MAIN, INTO, fill("#b", "x")],
        "f.contentDocument.getElementById('b').value",
        files={"inner": "<input id=b>"},
    ),
    Scenario(
        "fill in a frame while another has the focus",
        "<input id=i autofocus><iframe id=f src=inner></iframe><script>i.focus()</script>",
        lambda p: p.frame_locator("#f").locator("#b").fill("x"),
        [MAIN, INTO, fill("#b", "x")],
        "f.contentDocument.getElementById('b').value",
        files={"inner": "<input id=b>"},
    ),
    Scenario(
        "type in a frame",
        "<iframe id=f src=inner></iframe>",
        lambda p: p.frame_locator("#f").locator("#b").type("xy😀"),
        [MAIN, INTO, type_("#b", "xy😀")],
        "f.contentDocument.getElementById('b').value",
        files={"inner": "<input id=b>"},
    ),
    Scenario(
        "press in a frame",
        "<iframe id=f src=inner></iframe>",
        lambda p: p.frame_locator("#f").locator("#b").press("Enter"),
        [MAIN, INTO, press("Enter", "#b")],
        "f.contentWindow.log",
        files={"inner": "<form onsubmit='return false'><input id=b></form>"},
    ),
    Scenario(
        "select in a frame",
        "<iframe id=f src=inner></iframe>",
        lambda p: p.frame_locator("#f").locator("#b").select_option("2"),
        [MAIN, INTO, select("#b", "2")],
        "f.contentWindow.log",
        files={"inner": "<select id=b><option>1<option>2</select>"},
    ),
    Scenario(
        "check in a frame",
        "<iframe id=f src=inner></iframe>",
        lambda p: p.frame_locator("#f").locator("#b").check(),
        [MAIN, INTO, check("#b")],
        "f.contentWindow.log",
        files={"inner": "<input id=b type=checkbox>"},
    ),
    Scenario(
        "hover in a frame",
        "<iframe id=f src=inner></iframe>",
        lambda p: p.frame_locator("#f").locator("#b").hover(),
        [MAIN, INTO, hover("#b")],
        "f.contentDocument.getElementById('b').matches(':hover')",
        files={"inner": BUTTON},
    ),
    Scenario(
        "drag: a card",
        CARDS,
        lambda p: p.drag_and_drop("#s", "#t"),
        drag("#s", "#t"),
        "[t.contains(s), window.data]",
        ignores=REPEATED,
    ),
    Scenario(
        "drag: moves over the source first",
        CARDS,
        lambda p: p.drag_and_drop("#s", "#t"),
        drag("#s", "#t"),
        ignores="^focus",
    ),
    Scenario(
        "drag: onto a point",
        CARDS,
        lambda p: drag_to(p, "#s", 40, 140),
        drag("#s", {"x": 40, "y": 140}),
        "[t.contains(s), window.data]",
        ignores=REPEATED,
    ),
    Scenario(
        "drag: cancelled at its start",
        CARDS + "<script>s.ondragstart = () => false</script>",
        lambda p: p.drag_and_drop("#s", "#t"),
        drag("#s", "#t"),
        "t.contains(s)",
        ignores=REPEATED,
    ),
    Scenario(
        "drag: onto what takes no drop",
        CARDS + "<script>t.ondragover = null</script>",
        lambda p: p.drag_and_drop("#s", "#t"),
        drag("#s", "#t"),
        "t.contains(s)",
        ignores=REPEATED,
    ),
    Scenario(
        "drag: with an effect",
        CARDS
        + "<script>s.ondragstart = e => { e.dataTransfer.effectAllowed = 'copy' }; t.ondragover = e => { e.dataTransfer.dropEffect = 'copy'; e.preventDefault() }; s.ondragend = e => { window.effect = e.dataTransfer.dropEffect }</script>",
        lambda p: p.drag_and_drop("#s", "#t"),
        drag("#s", "#t"),
        "window.effect",
        ignores=REPEATED,
    ),
    Scenario(
        "drag: with data of its own type",
        CARDS
        + "<script>s.ondragstart = e => e.dataTransfer.setData('application/x-card', '7'); t.ondrop = e => { window.data = [...e.dataTransfer.types, e.dataTransfer.getData('application/x-card')] }</script>",
        lambda p: p.drag_and_drop("#s", "#t"),
        drag("#s", "#t"),
        "window.data",
        ignores=REPEATED,
    ),
    Scenario(
        "drag: a slider by pointer events",
        SLIDER,
        lambda p: p.drag_and_drop("#s", "#t"),
        drag("#s", "#t"),
        "s.style.left",
    ),
    Scenario(
        "drag: selects text",
        "<p><span id=s>one</span> two <span id=t>three</span></p>",
        lambda p: p.drag_and_drop("#s", "#t"),
        drag("#s", "#t"),
        "getSelection().toString().includes('two')",
        ignores=REPEATED,
    ),
    Scenario(
        "drag is refused: a hidden source",
        "<p id=s hidden>1</p><p id=t>2</p>",
        lambda p: p.drag_and_drop("#s", "#t", timeout=BRIEF_MS),
        drag("#s", "#t", timeout=BRIEF_MS),
        error="ElementNotVisible",
    ),
    Scenario(
        "scroll: down", WHEEL, lambda p: wheel(p, 0, 300), scroll(), "[scrollX, scrollY, sums]", until="scrollY >= 300"
    ),
    Scenario(
        "scroll: right",
        WHEEL,
        lambda p: wheel(p, 200, 0),
        scroll(direction="right", amount=200),
        "[scrollX, scrollY, sums]",
        until="scrollX >= 200",
    ),
    Scenario(
        "scroll: up",
        WHEEL + "<script>scrollTo(0, 1000)</script>",
        lambda p: wheel(p, 0, -400),
        scroll(direction="up", amount=400),
        "[scrollX, scrollY, sums]",
        until="scrollY <= 600",
    ),
    Scenario(
        "scroll: left",
        WHEEL + "<script>scrollTo(500, 0)</script>",
        lambda p: wheel(p, -100, 0),
        scroll(direction="left", amount=100),
        "[scrollX, scrollY, sums]",
        until="scrollX <= 400",
    ),
    Scenario(
        "scroll: a box",
        BOX + TALL,
        lambda p: wheel_over(p, "#b", 0, 120),
        scroll("#b", amount=120),
        "[b.scrollTop, scrollY]",
        until="b.scrollTop >= 120",
    ),
    Scenario(
        "scroll: the listener cancels",
        WHEEL + "<script>addEventListener('wheel', e => e.preventDefault(), {passive: false})</script>",
        lambda p: in_turn(wheel(p, 0, 300), p.wait_for_function("sums[1] > 0")),
        scroll(),
        "[scrollY, sums]",
    ),
    Scenario(
        "scroll: to an element",
        TALL + BUTTON,
        lambda p: p.locator("#b").scroll_into_view_if_needed(),
        scroll("#b", amount="toElement"),
        "(r => r.top >= 0 && r.bottom <= innerHeight)(b.getBoundingClientRect())",
    ),
    Scenario(
        "scroll: to a visible element",
        BUTTON + TALL,
        lambda p: p.locator("#b").scroll_into_view_if_needed(),
        scroll("#b", amount="toElement"),
        "scrollY",
    ),
    Scenario(
        "scroll is refused: to a hidden element",
        "<button id=b hidden>Go</button>",
        lambda p: p.locator("#b").scroll_into_view_if_needed(timeout=BRIEF_MS),
        scroll("#b", amount="toElement", timeout=BRIEF_MS),
        error="ElementNotVisible",
    ),
    Scenario(
        "scroll: over an SVG",
        "<svg id=b width=400 height=400><rect width=400 height=400 /></svg>" + TALL,
        lambda p: wheel_over(p, "#b", 0, 120),
        scroll("#b", amount=120),
        "scrollY",
        until="scrollY >= 120",
    ),
]


@every(SCENARIOS)
def test_page_sees_the_same(pair: PairThread, scenario: Scenario) -> None:
    judge(pair, scenario)
