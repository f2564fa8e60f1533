"""The guarded pointer against Playwright's own: it acts where that acts, refuses where that does, hits nothing else."""

import asyncio
import contextlib
import html
import os
import urllib.parse
from typing import Any

import pytest
from playwright.async_api import Error, Frame, Keyboard

from agentbrowser.browser.act import fast_pointer
from agentbrowser.browser.act.attempt import ActionAttempt
from agentbrowser.browser.page.isolated_world import IsolatedWorld
from agentbrowser.methods.action import ClickParams
from agentbrowser.protocol.errors import ActionFailed, AgentBrowserError
from agentbrowser.protocol.types.action import ActionOptions, ClickOptions, Point
from agentbrowser.protocol.types.selector import Css, Role, Selector
from tests.browser.stage import FakeTab, Stage

CLICKS = int(os.environ.get("AGENT_CLICKS", "40"))

# What a press does is written down with the nearest id, through shadow roots and frames of one origin.
EAR = """<script>
  const log = top.log ?? (top.log = []);
  const near = (event) => event.composedPath().find((node) => node.id)?.id ?? event.composedPath()[0].localName;
  for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click'])
    document.addEventListener(type, (event) => event.isTrusted && log.push(`${type} ${near(event)}`), true);
</script>"""
STYLE = """<style>body { margin: 20px }
button, .b { width: 90px; height: 30px; display: inline-block; background: #ccc }
.tall { height: 3000px } .over { position: fixed; inset: 0; background: #8888 }</style>"""
MOVE = "@keyframes m { from { transform: translateX(0) } to { transform: translateX(400px) } }"
FADE = "@keyframes f { from { opacity: .5 } to { opacity: 1 } }"

CASES: dict[str, str] = {
    "plain": "<button id=t>x</button>",
    "link": "<a id=t href=#x>x</a>",
    "wrapped link": "<div style='width:80px'>some words <a id=t href=#x>a link of many words</a></div>",
    "span in a button": "<button><span id=t>x</span></button>",
    "label": "<label id=t for=f>Name</label><input id=f>",
    "label of a hidden box": "<label id=t>Box <input type=checkbox style='display:none'></label>",
    "disabled": "<button id=t disabled>x</button>",
    "in a disabled fieldset": "<fieldset disabled><button id=t>x</button></fieldset>",
    "in the legend of one": "<fieldset disabled><legend><button id=t>x</button></legend></fieldset>",
    "aria-disabled": "<div role=button aria-disabled=true class=b id=t>x</div>",
    "aria-disabled without a role": "<div aria-disabled=true class=b id=t>x</div>",
    "inert": "<div inert><button id=t>x</button></div>",
    "behind a modal dialog": "<button id=t>x</button><dialog id=d>d</dialog><script>d.showModal()</script>",
    "not displayed": "<button id=t style='display:none'>x</button>",
    "invisible": "<button id=t style='visibility:hidden'>x</button>",
    "transparent": "<button id=t style='opacity:0'>x</button>",
    "without size": "<div id=t></div>",
    "covered": "<button id=t>x</button><div class=over id=o></div>",
    "covered by what lets through": "<button id=t>x</button><div class=over id=o style='pointer-events:none'></div>",
    "letting through itself": "<div id=o style='padding:9px'><button id=t style='pointer-events:none'>x</button></div>",
    "half covered": "<button id=t>x</button><div id=o style='position:fixed;left:0;top:0;width:50px;height:99px'>"
    "</div>",
    "animated": f"<style>{MOVE}</style><button id=t style='animation:m 1s infinite alternate linear'>x</button>",
    "in something animated": f"<style>{MOVE}</style><p style='animation:m 1s infinite alternate linear'>"
    f"<button id=t>x</button>",
    "fading": f"<style>{FADE}</style><button id=t style='animation:f .3s infinite alternate'>x</button>",
    "animated by a script": "<button id=t>x</button><script>t.animate([{ translate: '0' }, { translate: '400px' }],"
    "{ duration: 900, iterations: Infinity, direction: 'alternate' })</script>",
    "in motion for a while": "<button id=t>x</button>"
    "<script>t.animate([{ translate: '0' }, { translate: '90px' }], 250)</script>",
    "below": "<div class=tall></div><button id=t>x</button>",
    "below, scrolled smoothly": "<style>html { scroll-behavior: smooth }</style><div class=tall></div>"
    "<button id=t>x</button>",
    "in a scroller": "<div style='height:80px;overflow:auto'><div class=tall></div><button id=t>x</button></div>",
    "clipped away": "<div style='height:5px;overflow:clip'><p class=b></p><button id=t>x</button></div>",
    "under a sticky header": "<div id=h style='position:sticky;top:0;height:90px;background:#aaa'></div>"
    "<div style='height:500px'></div><button id=t>x</button><div class=tall></div><script>scrollTo(0, 500)</script>",
    "beside the viewport": "<button id=t style='position:fixed;left:-300px'>x</button>",
    "larger than the viewport": "<div id=t style='width:3000px;height:3000px;background:#ddd'></div>",
    "turned": "<button id=t style='rotate:40deg;margin:50px'>x</button>",
    "scaled": "<div style='scale:.5;transform-origin:0 0'><button id=t>x</button></div>",
    "zoomed": "<div style='zoom:2'><button id=t>x</button></div>",
    "behind the page": "<div style='position:relative;z-index:-1'><button id=t>x</button></div>",
    "without a box of its own": "<div id=t style='display:contents'><button>x</button></div>",
    "drawing": "<svg width=100 height=100><circle id=t cx=50 cy=50 r=40 /></svg>",
    "ring": "<svg width=100 height=100 id=s><circle id=t cx=50 cy=50 r=40 fill=none stroke=red /></svg>",
    "editor": "<div id=t contenteditable class=b>x</div>",
    "in a shadow root": "<div id=h></div><script>h.attachShadow({ mode: 'open' }).innerHTML ="
    "'<div><button id=t>x</button></div>'</script>",
    "slotted": "<div id=h><button id=t>x</button></div><script>h.attachShadow({ mode: 'open' }).innerHTML ="
    "'<p><slot></slot></p>'</script>",
    "covered in a shadow root": "<div id=h></div><script>h.attachShadow({ mode: 'open' }).innerHTML ="
    "'<button id=t>x</button><div id=o style=\"position:fixed;inset:0\"></div>'</script>",
    "replaced when pressed": "<p id=p><button id=t>x</button></p>"
    "<script>p.onmousedown = () => (p.innerHTML = p.innerHTML)</script>",
    "opening a menu when pressed": "<button id=t>x</button><div class=over id=o hidden></div>"
    "<script>t.onpointerdown = () => (o.hidden = false)</script>",
    "gone when pressed": "<button id=t>x</button><script>t.onmousedown = () => t.remove()</script>",
    "not to be pressed": "<button id=t>x</button><script>t.onpointerdown = (event) => event.preventDefault()</script>",
    "kept from the page": "<button id=t>x</button><script>"
    "document.addEventListener('click', (event) => event.stopImmediatePropagation(), true)</script>",
    "enabled later": "<button id=t disabled>x</button><script>setTimeout(() => (t.disabled = false), 150)</script>",
    "uncovered later": "<button id=t>x</button><div class=over id=o></div>"
    "<script>setTimeout(() => o.remove(), 150)</script>",
    "there later": "<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<button id=t>x</button>'), "
    "150)</script>",
    "large text": "<p id=t>" + "words " * 400 + "</p>",
}


REFUSED = {
    *("disabled", "in a disabled fieldset", "aria-disabled", "inert", "behind a modal dialog", "not displayed"),
    *("invisible", "without size", "covered", "letting through itself", "animated", "in something animated"),
    *("animated by a script", "clipped away", "beside the viewport", "behind the page", "ring"),
    *("covered in a shadow root", "scaled frame", "zoomed frame", "covered frame"),
}
"""What neither clicks on, which costs the whole time each."""

PARTS = 6
"""Cases that share a page: to open one for each takes longer than the case."""


def patience_ms(name: str) -> int:
    """Return how long to try: what works has all the time that a busy machine takes for it."""
    return 500 if name in REFUSED else 15_000


async def show(tab: FakeTab, body: str) -> None:
    markup = f"<!doctype html><title>Case</title>{EAR}{STYLE}<body>{body}"
    await tab.page.goto(urllib.parse.urljoin(tab.page.url, f"/given?{urllib.parse.quote(markup)}"))


async def ours(tab: FakeTab, selector: Selector, timeout_ms: int = 15_000) -> bool:
    try:
        await tab.actions.click(selector, ClickOptions(timeout_ms=timeout_ms))
    except AgentBrowserError:
        return False
    return True


async def theirs(frame: Frame, timeout_ms: int) -> bool:
    try:
        await frame.locator("#t").click(timeout=timeout_ms)
    except Error:
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_it_acts_where_playwright_acts_and_with_the_same_effect(stage: Stage, part: int) -> None:
    async def test(tab: FakeTab) -> None:
        for name in list(CASES)[part::PARTS]:
            await show(tab, CASES[name])
            expected = await theirs(tab.frame, patience_ms(name)), await tab.log()
            assert expected[0] is (name not in REFUSED), name
            await show(tab, CASES[name])
            assert (await ours(tab, Css("#t"), patience_ms(name)), await tab.log()) == expected, name

    stage.play("/next", test)


def test_a_control_may_be_pressed_by_the_label_or_the_host_that_takes_its_presses(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        cover = "<i style='position:absolute;inset:0'></i>"
        await show(tab, f"<label style='position:relative'><input id=t type=checkbox>{cover}</label>")
        assert await ours(tab, Css("#t"))
        assert await tab.page.evaluate("t.checked")
        button = "<button id=t style='pointer-events:none'>Second</button>"
        for beside, hit in (("", ["click tab"]), ("<p style='height:90px'></p>", [])):
            shadow = f"<template shadowrootmode=open>{button}{beside}</template>"
            await show(tab, f"<x-tab id=tab style='display:inline-grid'>{shadow}</x-tab>")
            assert await ours(tab, Css("#t"), 15_000 if hit else 300) is bool(hit)
            assert (await tab.log())[-1:] == hit

    stage.play("/next", test)


def test_a_press_on_a_part_of_a_table_is_not_one_on_a_control_in_its_middle(stage: Stage) -> None:
    """A click on the title of a column went to the filter below the title, and sorted nothing."""

    async def test(tab: FakeTab) -> None:
        field = "<input id=f style='display:block;height:60px'>"
        for markup, hit in (
            (f"<th id=t>Name{field}", "t"),
            ("<tr id=t><td>Ann<td><button id=f style='width:300px'>Delete</button><td>5", "t"),
            ("<td id=t><button id=f>Open</button>", "f"),
        ):
            await show(tab, f"<table>{markup}</table>")
            assert await ours(tab, Css("#t"))
            assert (await tab.log())[-1] == f"click {hit}"

    stage.play("/next", test)


def test_a_form_whose_children_shadow_its_properties(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        names = ("getRootNode", "parentNode", "children", "scrollTop", "localName", "contains", "assignedSlot")
        fields = "".join(f"<input name={name}>" for name in names)
        await show(tab, f"<form id=f>{fields}<button id=t type=button>Go</button></form>")
        for selector in (Css("#t"), Role("button", "Go")):
            assert await ours(tab, selector)
        assert (await tab.log()).count("click t") == 2

    stage.play("/next", test)


# A frame that moves is not here: Playwright does not wait for it to stand still, so that chance decides what is hit.
FRAMES: dict[str, str] = {
    "plain": "<iframe id=i srcdoc={doc}></iframe>",
    "with border and padding": "<iframe id=i style='border:7px solid;padding:11px' srcdoc={doc}></iframe>",
    "below": "<div class=tall></div><iframe id=i srcdoc={doc}></iframe>",
    "turned": "<iframe id=i style='rotate:20deg;margin:90px' srcdoc={doc}></iframe>",
    "scaled": "<iframe id=i style='scale:.7;transform-origin:0 0' srcdoc={doc}></iframe>",
    "zoomed": "<iframe id=i style='zoom:1.5' srcdoc={doc}></iframe>",
    "covered": "<iframe id=i srcdoc={doc}></iframe><div class=over id=o></div>",
    "in a scroller": "<div style='height:99px;overflow:auto'><div class=tall></div><iframe id=i srcdoc={doc}></iframe>"
    "</div>",
}


@pytest.mark.parametrize("name", FRAMES)
def test_a_fast_click_in_a_frame_acts_as_playwrights(stage: Stage, name: str) -> None:
    async def test(tab: FakeTab) -> None:
        body, time_ms = FRAMES[name], patience_ms(f"{name} frame")
        inner = html.escape(f"<!doctype html>{EAR}<div style='height:400px'></div><button id=t>x</button>", quote=True)
        await show(tab, body.replace("{doc}", f'"{inner}"'))
        tab.inner = tab.page.frames[1]
        expected = await theirs(tab.inner, time_ms), await tab.log()
        await show(tab, body.replace("{doc}", f'"{inner}"'))
        tab.inner = tab.page.frames[1]
        assert (await ours(tab, Css("#t"), time_ms), await tab.log()) == expected

    stage.play("/next", test)


CHAOS = """<button id=t>x</button><button id=d1>decoy</button><button id=d2>decoy</button>
<div id=o class=over hidden></div>
<style>button { position: absolute } </style><script>
  const pick = (...choices) => choices[Math.floor(Math.random() * choices.length)];
  const put = (node, x, y) => (node.style.translate = `${x}px ${y}px`);
  const place = () => [Math.random() * 600, Math.random() * 400];
  const moves = [
    () => { const [x, y] = place(); put(t, x, y); },
    () => { const { x, y } = t.getBoundingClientRect(); put(pick(d1, d2), x - 8, y - 8); },
    () => { const { x, y } = t.getBoundingClientRect(); put(d1, x - 8, y - 8);
      put(t, ...place()); document.body.append(d1); },
    () => t.replaceWith(t.cloneNode(true)),
    () => { o.hidden = !o.hidden; },
    () => document.body.append(pick(t, d1, d2)),
  ];
  const step = () => { pick(...moves)(); setTimeout(step, Math.random() * PAUSE); };
  step();
</script>"""


@pytest.mark.parametrize("body", ["<button id=t>x</button>", "<input id=t type=checkbox>"])
def test_a_question_that_overtakes_its_click_is_asked_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    """The question what came of a click goes right behind it; which of them the page gets first is not certain."""
    landings: list[str] = []
    call, click = IsolatedWorld.call, fast_pointer._click_at

    async def listening(self: IsolatedWorld, function: str, argument: Any = None) -> Any:
        answer = await call(self, function, argument)
        landings.extend([answer["landing"]] if function == "verify" else [])
        return answer

    async def late(act: ActionAttempt, point: Point, press: fast_pointer.MouseClick) -> None:
        while not landings:  # noqa: ASYNC110 - of which there is no event
            await asyncio.sleep(0.001)
        await click(act, point, press)

    monkeypatch.setattr(IsolatedWorld, "call", listening)
    monkeypatch.setattr(fast_pointer, "_click_at", late)

    async def test(tab: FakeTab) -> None:
        await show(tab, body + "<script>t.onclick = () => log.push('done')</script>")
        result = await tab.actions.click(Css("#t"), ClickOptions(timeout_ms=3000))
        assert result.no_effect is None
        assert [event for event in await tab.log() if event in ("click t", "done")] == ["click t", "done"]

    stage.play("/next", test)
    assert landings == ["early", "landed"]


@pytest.mark.parametrize("before", ["", "new"])
def test_a_question_that_overtakes_its_text_is_asked_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, before: str
) -> None:
    answers: list[Any] = []
    call, insert = IsolatedWorld.call, Keyboard.insert_text

    async def listening(self: IsolatedWorld, function: str, argument: Any = None) -> Any:
        answer = await call(self, function, argument)
        answers.extend([answer] if function == "finishWriting" else [])
        return answer

    async def late(self: Keyboard, text: str) -> None:
        while not answers:  # noqa: ASYNC110 - of which there is no event
            await asyncio.sleep(0.001)
        await insert(self, text)

    monkeypatch.setattr(IsolatedWorld, "call", listening)
    monkeypatch.setattr(Keyboard, "insert_text", late)

    async def test(tab: FakeTab) -> None:
        await show(tab, f"<input id=t value='{before}'><script>t.oninput = () => log.push(t.value)</script>")
        assert (await tab.actions.fill(Css("#t"), "new", ActionOptions(timeout_ms=3000))).value == "new"
        assert await tab.log() == ["new"]

    stage.play("/next", test)
    assert answers[0] == {"landing": "early"}
    assert answers[1]["content"]["value"] == "new"


def test_a_question_waits_for_a_click_that_is_near(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    call, click = IsolatedWorld.call, fast_pointer._click_at

    async def listening(self: IsolatedWorld, function: str, argument: Any = None) -> Any:
        asked.append(function)
        return await call(self, function, argument)

    async def late(act: ActionAttempt, point: Point, press: fast_pointer.MouseClick) -> None:
        while "verify" not in asked:  # noqa: ASYNC110 - of which there is no event
            await asyncio.sleep(0)
        await click(act, point, press)

    monkeypatch.setattr(IsolatedWorld, "call", listening)
    monkeypatch.setattr(fast_pointer, "_click_at", late)

    async def test(tab: FakeTab) -> None:
        await show(tab, "<button id=t onclick=\"setTimeout(() => log.push('timer'))\">x</button>")
        for _ in range(20):
            await tab.actions.click(Css("#t"), ClickOptions(timeout_ms=3000))
            assert (await tab.log())[-2:] == ["click t", "timer"]

    stage.play("/next", test)
    assert asked.count("verify") < 40


@pytest.mark.parametrize("around", ["t", "p"])
def test_what_is_taken_out_and_put_back_while_it_is_pressed_is_clicked_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, around: str
) -> None:
    """The browser makes no click of such a press, though press and release have both landed."""

    async def torn(act: ActionAttempt, point: Point, press: fast_pointer.MouseClick) -> None:
        await act.tab.page.mouse.move(point.x, point.y)
        await act.tab.page.mouse.down()
        await act.tab.page.evaluate(f"document.body.append({around})")
        await act.tab.page.mouse.up()

    monkeypatch.setattr(fast_pointer, "_click_at", torn)

    async def test(tab: FakeTab) -> None:
        await show(tab, "<p id=p style='position:absolute'><button id=t style='position:fixed;top:50px'>x</button></p>")
        assert await ours(tab, Css("#t"))
        pressed = ["pointerdown t", "mousedown t", "mouseup t"]
        assert await tab.log() == [*pressed, *pressed, "click t"]

    stage.play("/next", test)


BETWEEN = {
    "moved away": "t.style.translate = '300px'",
    "covered": "o.hidden = false",
}


@pytest.mark.parametrize("change", BETWEEN.values(), ids=BETWEEN)
def test_a_double_click_that_something_comes_between_is_not_begun_anew(stage: Stage, change: str) -> None:
    async def test(tab: FakeTab) -> None:
        page = f"<button id=t>x</button><div class=over id=o hidden></div><script>t.onclick = () => {change}</script>"
        await show(tab, page)
        with pytest.raises(ActionFailed, match="only the first"):
            await tab.actions.dblclick(Css("#t"), ClickOptions(timeout_ms=15_000))
        assert [one for one in await tab.page.evaluate("log") if "down" in one] == ["pointerdown t", "mousedown t"]

    stage.play("/next", test)


def test_a_double_click_on_what_the_first_click_replaces_is_left_to_playwright(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        page = "<p id=p><button id=t>x</button></p><script>p.onclick = () => (p.innerHTML = p.innerHTML)</script>"
        await show(tab, page)
        await tab.actions.dblclick(Css("#t"), ClickOptions(timeout_ms=15_000))
        assert (await tab.page.evaluate("log")).count(
            "click t"
        ) >= 2  # no dblclick: to the browser they are of two buttons

    stage.play("/next", test)


@pytest.mark.slow
@pytest.mark.parametrize(("pause_ms", "is_sequence"), [(4, True), (20, False)])
def test_nothing_else_is_hit_on_a_page_in_turmoil(stage: Stage, pause_ms: int, is_sequence: bool) -> None:
    """Source: 10,200 such clicks, with no event elsewhere (AGENT_CLICKS=1700, twice)."""

    async def test(tab: FakeTab) -> None:
        await show(tab, CHAOS.replace("PAUSE", str(pause_ms)))
        tried = done = 0
        aimed = ClickOptions(timeout_ms=1)
        offer = tab.actions.lookahead.offer(
            "action/click", ClickParams(selector=Css("#t"), options=ClickOptions(timeout_ms=1))
        )
        with offer if is_sequence else contextlib.nullcontext():
            while tried < CLICKS or not done:  # for a while there may be nothing to hit
                tried += 1
                async with tab.actions.attempt("click", Css("#t"), aimed) as act:
                    with contextlib.suppress(AgentBrowserError):
                        done += await fast_pointer.click(act, fast_pointer.MouseClick())
        log = await tab.log()
        assert [event for event in log if not event.endswith(" t") and not event.startswith("mouseup")] == []
        assert log.count("click t") == done

    stage.play("/next", test)
