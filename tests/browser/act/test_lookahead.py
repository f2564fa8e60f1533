"""Lookahead: the calls it saves, and the absence of any other effect."""

import asyncio
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import attrs
import pytest
from playwright.async_api import Keyboard, Mouse

from agentbrowser.browser.act import fast_pointer, lookahead
from agentbrowser.browser.act.lookahead import NextStep
from agentbrowser.browser.page.isolated_world import IsolatedWorld
from agentbrowser.methods.action import ActionElementParams, ClickParams, FillParams
from agentbrowser.protocol.errors import ActionFailed, AgentBrowserError
from agentbrowser.protocol.types.action import ActionOptions, ActionResult, ClickOptions, TypeOptions
from agentbrowser.protocol.types.selector import Css, Ref, Selector, Semantic
from tests.browser.stage import FakeTab, Stage

A, B = Css("#a"), Css("#b")
SOON = ClickOptions(timeout_ms=15_000)
EAR = """<script>window.log = [];
for (const type of ['pointerdown', 'click', 'scroll', 'focusin', 'change'])
  document.addEventListener(type, (event) => log.push(`${type} ${event.target.id ?? ''}`.trim()), true);
</script>"""
TWO = "<button id=a>A</button> <button id=b>B</button>"


@pytest.fixture(autouse=True)
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a log of the in-page functions that are called."""
    asked: list[str] = []
    call = IsolatedWorld.call

    async def listening(self: IsolatedWorld, function: str, argument: Any = None) -> Any:
        asked.append(function)
        answer = await call(self, function, argument)
        if isinstance(answer, dict) and answer.get("landing") == "early":
            asked.pop()  # the call overtook the click, and is repeated
        return answer

    monkeypatch.setattr(IsolatedWorld, "call", listening)
    for module in (lookahead, fast_pointer):  # a busy machine may take longer from one step to the next
        monkeypatch.setattr(module, "_FRESH_S", 2.5)
    return asked


async def show(tab: FakeTab, body: str) -> None:
    await tab.page.set_content(f"<!doctype html><title>Ahead</title>{EAR}<body>{body}")


@attrs.frozen
class Request:
    """A request that is offered to the lookahead."""

    method: str
    params: Any

    @property
    def selector(self) -> Selector:
        selector: Selector = self.params.selector
        return selector


def before(tab: FakeTab, request: Request | None) -> AbstractContextManager[None]:
    """Offer the request as the step after the one in the block."""
    return nullcontext() if request is None else tab.actions.lookahead.offer(request.method, request.params)


def to_click(selector: Selector, options: ClickOptions = SOON) -> Request:
    return Request("action/click", ClickParams(selector=selector, options=options))


async def click_before(tab: FakeTab, request: Request, selector: Selector = A) -> ActionResult:
    """Click as the step before another one does."""
    with before(tab, request):
        return await tab.actions.click(selector, SOON)


async def prepare_b(tab: FakeTab, body: str = TWO) -> None:
    """Show the page, and click a with a click on b as the next step."""
    await show(tab, body)
    await click_before(tab, to_click(B))


def test_a_prepared_step_does_not_call_prepare_again(stage: Stage, calls: list[str]) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, f"{TWO}<input id=f type=checkbox><input id=w><select id=s><option>x<option>y</select>")
        steps = [
            (tab.actions.click(A, SOON), to_click(B)),
            (
                tab.actions.click(B, SOON),
                Request("action/check", ActionElementParams(selector=Css("#f"), options=SOON)),
            ),
            (
                tab.actions.check(Css("#f"), SOON),
                Request("action/hover", ActionElementParams(selector=A, options=SOON)),
            ),
            (tab.actions.hover(A, SOON), to_click(A)),
            (tab.actions.click(A, SOON), None),
            (tab.actions.fill(Css("#w"), "words", SOON), to_click(B)),
            (tab.actions.click(B, SOON), None),
            (tab.actions.select(Css("#s"), ["y"], SOON), to_click(A)),
            (tab.actions.click(A, SOON), None),
        ]
        for step, following in steps:
            with before(tab, following):
                assert not (await step).navigated
        clicks = [event for event in await tab.log() if event.startswith("click")]
        assert clicks == ["click a", "click b", "click f", "click a", "click b", "click a"]
        assert await tab.page.evaluate("f.checked && w.value === 'words' && s.value === 'y'")

    stage.play("/next", test)
    assert calls.count("prepare") == 1
    assert "disarm" not in calls


def test_preparing_a_step_is_invisible_to_the_page(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        far = "<div style='height:3000px'></div><button id=b>B</button>"
        await show(tab, f"<button id=a>A</button>{far}<script>b.focus = () => log.push('focused')</script>")
        await click_before(tab, to_click(B))
        assert await tab.log() == ["pointerdown a", "focusin a", "click a"]
        assert await tab.page.evaluate("scrollY") == 0
        await tab.actions.click(B, SOON)
        assert "click b" in await tab.log()

    stage.play("/next", test)


MEANWHILE = {
    "moved away": "b.style.translate = '300px'",
    "replaced": "b.replaceWith(b.cloneNode(true))",
    "covered for a while": "document.body.append(o); setTimeout(() => o.remove(), 200)",
    "changed places": "a.before(b)",
}


@pytest.mark.parametrize("change", MEANWHILE.values(), ids=MEANWHILE)
def test_a_change_after_the_preparation_is_detected(stage: Stage, change: str) -> None:
    async def test(tab: FakeTab) -> None:
        cover = "<script>const o = document.createElement('i'); o.id = 'o'; o.style = 'position:fixed;inset:0'</script>"
        await prepare_b(tab, TWO + cover)
        await tab.page.evaluate(f"void ({change.replace('; ', ', ')})")
        await tab.actions.click(B, SOON)
        assert [one for one in await tab.log() if one.startswith(("click", "pointer"))] == [
            *("pointerdown a", "click a"),
            *("pointerdown b", "click b"),
        ]

    stage.play("/next", test)


def test_the_guard_of_another_step_is_disarmed(stage: Stage, calls: list[str]) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, f"{TWO}<i id=o style='position:fixed;inset:0;display:none'></i>")
        await click_before(tab, to_click(B))
        await tab.page.evaluate("o.style.display = ''")
        await tab.actions.click(B, ClickOptions(force=True, timeout_ms=15_000))  # goes by the place alone
        assert (await tab.log())[-1] == "click o"

    stage.play("/next", test)
    assert calls.count("disarm") == 1


FAILURES = {
    "a box that stays as it is": ("<input id=t type=checkbox onclick='return false'>", "check"),
    "a value that does not land": ("<input id=t oninput='value = 1'>", "fill"),
}


@pytest.mark.parametrize(("body", "action"), FAILURES.values(), ids=FAILURES)
def test_a_failed_step_prepares_nothing(stage: Stage, calls: list[str], body: str, action: str) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, f"{body}{TWO}")
        with before(tab, to_click(A)), pytest.raises(ActionFailed):
            await (tab.actions.fill(Css("#t"), "x", SOON) if action == "fill" else tab.actions.check(Css("#t"), SOON))
        await tab.actions.click(A, SOON)
        assert (await tab.log())[-1] == "click a"

    stage.play("/next", test)
    assert calls[-2:] == ["prepare", "verify"]


AWAY = {
    "to another document": "location = '/next?2'",
    "by a form": "f.requestSubmit()",
    "to a dialog": "alert(1)",
    "to a new window": "open('/next')",
}


@pytest.mark.parametrize("leaving", AWAY.values(), ids=AWAY)
def test_a_preparation_is_dropped_after_a_navigation_dialog_or_popup(
    stage: Stage, calls: list[str], leaving: str
) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, f"<form id=f action=/next></form>{TWO}<script>a.onclick = () => {{ {leaving} }}</script>")
        await click_before(tab, to_click(B))
        await tab.page.bring_to_front()
        await show(tab, TWO)
        await tab.actions.click(B, SOON)
        assert (await tab.log())[-1] == "click b"

    stage.play("/next", test)
    assert calls[-2:] == ["prepare", "verify"]


def test_a_cancelled_step_leaves_no_armed_guard(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, f"{TWO}<i id=o style='position:fixed;inset:0;display:none'></i>")
        with before(tab, to_click(B)):
            step = asyncio.ensure_future(tab.actions.fill(Css("#a"), "x", SOON))
            await asyncio.sleep(0)
            step.cancel()
            with pytest.raises(asyncio.CancelledError):
                await step
        await click_before(tab, to_click(B))
        await tab.page.evaluate("o.style.display = ''")
        await tab.actions.click(B, ClickOptions(force=True, timeout_ms=15_000))
        assert (await tab.log())[-1] == "click o"

    stage.play("/next", test)


def test_a_step_in_a_child_frame_is_not_prepared(stage: Stage, calls: list[str]) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, f"<iframe srcdoc='{TWO}'></iframe>")
        inner = tab.page.frames[1]
        await inner.wait_for_selector("#b")
        tab.inner = inner
        await click_before(tab, to_click(B))
        await tab.actions.click(B, SOON)
        assert await inner.evaluate("document.activeElement.id") == "b"

    stage.play("/next", test)
    assert calls.count("prepare") == 2


def test_an_unknown_ref_fails_in_its_own_step(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, TWO)
        assert not (await click_before(tab, to_click(Ref("@e99")))).navigated
        tab.css_by_ref["@e99"] = "css=#none"
        with pytest.raises(AgentBrowserError):
            await tab.actions.click(Ref("@e99"), SOON)

    stage.play("/next", test)


FIELDS = "<input id=one><input id=two><select id=s><option>x<option>y</select><input id=day type=date>"


def to_fill(id_: str, value: str) -> Request:
    return Request("action/fill", FillParams(selector=Css(f"#{id_}"), value=value, options=SOON))


def test_the_next_field_is_made_ready_when_one_is_written(stage: Stage, calls: list[str]) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, FIELDS)
        with before(tab, to_fill("two", "b")):
            assert (await tab.actions.fill(Css("#one"), "a", SOON)).value == "a"
        assert (await tab.log())[-2:] == ["change one", "focusin two"]
        with before(tab, to_fill("one", "c")):
            assert (await tab.actions.fill(Css("#two"), "b", SOON)).value == "b"
        with before(tab, Request("action/clear", ActionElementParams(selector=Css("#two"), options=SOON))):
            assert (await tab.actions.fill(Css("#one"), "c", SOON)).value == "c"
        assert (await tab.actions.clear(Css("#two"), SOON)).value == ""
        with before(tab, to_fill("one", "d")):
            assert (await tab.actions.select(Css("#s"), ["y"], SOON)).value == "y"
        assert (await tab.actions.fill(Css("#one"), "d", SOON)).value == "d"
        assert await tab.page.evaluate("[one.value, two.value, s.value]") == ["d", "", "y"]

    stage.play("/next", test)
    assert calls.count("startWriting") == 1


NOT_MADE_READY = {
    "another value": (to_fill("two", "other"), "fill"),
    "what is set at once": (to_fill("day", "2026-11-22"), "fill"),
    "behind a click": (to_fill("two", "b"), "click"),
    "behind a key": (to_fill("two", "b"), "press"),
    "behind a value that did not land": (to_fill("two", "b"), "number"),
}


@pytest.mark.parametrize(("following", "first"), NOT_MADE_READY.values(), ids=NOT_MADE_READY)
def test_a_field_is_not_prepared_where_the_focus_may_move(
    stage: Stage, calls: list[str], following: Request, first: str
) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, f"{FIELDS}<input id=number oninput='value = 1'>")
        with before(tab, following):
            if first == "click":
                await tab.actions.click(Css("#one"), SOON)
            elif first == "press":
                await tab.actions.press("Enter", Css("#one"), SOON)
            elif first == "number":
                with pytest.raises(ActionFailed):
                    await tab.actions.fill(Css("#number"), "x", SOON)
            else:
                await tab.actions.fill(Css("#one"), "a", SOON)
        assert await tab.page.evaluate("day.value + two.value") == ""
        if getattr(following.params, "value", "") != "other":
            assert await tab.page.evaluate("document.activeElement.id") in ("one", "number")
        day = following.selector == Css("#day")
        value = "2026-11-22" if day else "b"
        assert (await tab.actions.fill(following.selector, value, SOON)).value == value

    stage.play("/next", test)
    assert calls.count("startWriting") == (1 if first == "click" else 2)


def test_type_with_clear_keeps_the_focus(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, FIELDS.replace("id=one", "id=one value=old"))
        with before(tab, to_fill("two", "b")):
            options = TypeOptions(timeout_ms=15_000, clear=True)
            assert (await tab.actions.type(Css("#one"), "new", options)).value == "new"
        assert await tab.log() == ["focusin one", "change one", "focusin two"]

    stage.play("/next", test)


@pytest.mark.parametrize("is_prepared", [False, True])
@pytest.mark.parametrize("other", ["<input id=o>", "<p id=o contenteditable></p>", "<textarea id=o></textarea>"])
def test_fill_does_not_write_into_another_focused_field(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, other: str, is_prepared: bool
) -> None:
    insert, moves = Keyboard.insert_text, ["one"] if is_prepared else []

    async def test(tab: FakeTab) -> None:
        async def moving(self: Keyboard, text: str) -> None:
            if moves:
                moves.pop()
            else:
                await tab.page.evaluate("o.focus()")
            await insert(self, text)

        monkeypatch.setattr(Keyboard, "insert_text", moving)
        await show(tab, FIELDS + other)
        if is_prepared:
            with before(tab, to_fill("two", "b")):
                await tab.actions.fill(Css("#one"), "a", SOON)
        assert (await tab.actions.fill(Css("#two"), "b", SOON)).value == "b"
        assert await tab.page.evaluate("[o.value ?? o.textContent, two.value]") == ["", "b"]

    stage.play("/next", test)


def test_a_dialog_on_leaving_a_field_is_reported(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        tab.keeps_dialogs = True
        await show(tab, f"{FIELDS}<script>one.onchange = () => alert(one.value)</script>")
        with before(tab, to_fill("two", "b")):
            result = await tab.actions.fill(Css("#one"), "a", SOON)
        assert result.dialog is not None
        assert result.dialog.message == "a"
        await tab.answer()
        assert (await tab.actions.fill(Css("#two"), "b", SOON)).value == "b"

    stage.play("/next", test)


def test_a_click_ends_once_the_page_has_processed_it(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    click, held = Mouse.click, asyncio.Event()

    async def holding(self: Mouse, x: float, y: float, **options: Any) -> None:
        await click(self, x, y, **options)
        await held.wait()

    monkeypatch.setattr(Mouse, "click", holding)

    async def test(tab: FakeTab) -> None:
        await show(tab, TWO)
        for step in (A, B, A):
            await tab.actions.click(step, ClickOptions(timeout_ms=3000))
        held.set()
        assert [one for one in await tab.log() if one.startswith("click")] == ["click a", "click b", "click a"]

    stage.play("/next", test)


PUT_BACK = {
    "at once": "s.value = 'x'",
    "when it is over": "queueMicrotask(() => s.value = 'x')",
    "in a turn": "setTimeout(() => s.value = 'x')",
}


@pytest.mark.parametrize("change", PUT_BACK.values(), ids=PUT_BACK)
def test_select_fails_if_the_page_restores_the_old_option(stage: Stage, change: str) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, f"{FIELDS}<script>s.onchange = () => {{ {change} }}</script>")
        with before(tab, to_click(A)), pytest.raises(ActionFailed, match="did not land"):
            await tab.actions.select(Css("#s"), ["y"], SOON)

    stage.play("/next", test)


CHECK, HOVER = (
    Request("action/check", ActionElementParams(selector=Css("#f"), options=SOON)),
    Request("action/hover", ActionElementParams(selector=A, options=SOON)),
)
FILL = Request("action/fill", FillParams(selector=Css("#w"), value="new", options=SOON))
FORM = f"{TWO}<input id=f type=checkbox><input id=w value=old><select id=s><option>x<option>y</select>"


@pytest.fixture
def inputs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a log of the inputs that are sent to the browser."""
    sent: list[str] = []

    def log_calls(kind: type, name: str) -> None:
        send = getattr(kind, name)

        async def call(self: Any, *args: Any, **options: Any) -> None:
            sent.append(name)
            await send(self, *args, **options)

        monkeypatch.setattr(kind, name, call)

    for kind, name in ((Mouse, "click"), (Mouse, "move"), (Keyboard, "insert_text")):
        log_calls(kind, name)
    return sent


async def run(tab: FakeTab, request: Request) -> ActionResult:
    """Run a request on the tab."""
    if isinstance(request.params, FillParams):
        return await tab.actions.fill(request.selector, request.params.value, SOON)
    action = getattr(tab.actions, request.method.removeprefix("action/"))
    result: ActionResult = await action(request.selector, request.params.options)
    return result


@pytest.mark.parametrize("request_", [to_click(B), CHECK, HOVER, FILL], ids=["click", "check", "hover", "fill"])
def test_a_prepared_step_sends_its_input_once(
    stage: Stage, calls: list[str], inputs: list[str], request_: Request
) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, FORM)
        with before(tab, request_):
            await tab.actions.select(Css("#s"), ["y"], SOON) if request_ is FILL else await tab.actions.click(A, SOON)
        inputs.clear()
        result = await run(tab, request_)
        assert len(inputs) == 1
        assert result.no_effect is None
        assert await tab.page.evaluate("[f.checked, w.value]") == [
            request_ is CHECK,
            "new" if request_ is FILL else "old",
        ]
        assert (await tab.log()).count("click b") == (request_.selector == B)
        await tab.actions.click(B, SOON)  # no guard is left in its way
        assert (await tab.log())[-1] == "click b"

    stage.play("/next", test)
    assert calls.count("prepare") == (1 if request_ is FILL else 2)


def test_an_old_preparation_is_not_used(stage: Stage, calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(tab: FakeTab) -> None:
        await prepare_b(tab)
        monkeypatch.setattr(lookahead, "_FRESH_S", 0)
        await tab.actions.click(B, SOON)
        assert (await tab.log()).count("click b") == 1

    stage.play("/next", test)
    assert calls.count("prepare") == 2


@pytest.mark.parametrize("turns", range(5))
def test_a_prepared_step_that_is_cancelled_has_no_later_effect(stage: Stage, turns: int) -> None:
    async def test(tab: FakeTab) -> None:
        await prepare_b(tab, f"{TWO}<i id=o style='position:fixed;inset:0;display:none'></i>")
        step = asyncio.ensure_future(tab.actions.click(B, SOON))
        for _ in range(turns + 1):
            await asyncio.sleep(0)
        step.cancel()
        with pytest.raises(asyncio.CancelledError):
            await step
        await tab.actions.hover(A, SOON)  # any input of the cancelled step is processed before this ends
        clicks = (await tab.log()).count("click b")
        await tab.page.evaluate("o.style.display = ''")
        await tab.actions.click(B, ClickOptions(force=True, timeout_ms=15_000))  # no guard stops it
        assert (await tab.log())[-1] == "click o"
        assert (await tab.log()).count("click b") == clicks <= 1

    stage.play("/next", test)


FIRST = """<script>window.firsts = [];
addEventListener('mousemove', () => {
  let first = null;
  requestAnimationFrame(() => firsts.push(first ??= 'frame'));
  setTimeout(() => first ??= 'timer');
});
</script>"""


def test_unbuffered_pointer_moves_do_not_wait_for_a_frame(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, FIRST)
        world = tab.isolated_worlds.of(tab.frame)
        await world.call("disarm")
        await world.unbuffer()
        assert "timer" in await _move(tab)  # what a frame brings comes before any timer
        await tab.page.goto(tab.page.url.replace("127.0.0.1", "localhost"))
        await show(tab, FIRST)
        assert "timer" in await _move(tab)  # in another process too
        await tab.frame_sessions.buffer()
        assert "timer" not in await _move(tab)

    stage.play("/next", test)


async def _move(tab: FakeTab) -> list[str]:
    await tab.page.evaluate("void (firsts = [])")
    for place in range(8):
        await tab.page.mouse.move(10 + place, 10)
        await tab.page.wait_for_function(f"firsts.length > {place}")
    firsts: list[str] = await tab.page.evaluate("firsts")
    return firsts


NOT_PREPARED = {
    "forced": ("action/hover", ActionElementParams(selector=A, options=ActionOptions(force=True))),
    "a trial": ("action/hover", ActionElementParams(selector=A, options=ActionOptions(trial=True))),
    "by a description": ("action/click", ClickParams(selector=Semantic("the button"))),
    "with a secret": ("action/fill", FillParams(selector=A, value="{{secret:pin}}")),
    "a drag": ("action/drag", ActionElementParams(selector=A)),
}


@pytest.mark.parametrize(("method", "params"), NOT_PREPARED.values(), ids=NOT_PREPARED)
def test_some_steps_cannot_be_prepared(method: str, params: Any) -> None:
    assert NextStep.of(method, params) is None
