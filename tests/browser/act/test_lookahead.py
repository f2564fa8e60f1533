"""Looking for the next step while the one before is verified: what it saves, and that it changes nothing else."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import Keyboard, Mouse

from agentbrowser.browser.act import fast_pointer, lookahead
from agentbrowser.browser.page.isolated_world import IsolatedWorld
from agentbrowser.protocol.errors import ActionFailed, AgentBrowserError, FrameNotFound
from agentbrowser.protocol.types.action import ActionOptions, ActionResult, ClickOptions, TypeOptions
from agentbrowser.protocol.types.lookahead import COMING, Coming
from agentbrowser.protocol.types.page import Dialog
from agentbrowser.protocol.types.selector import Css, Ref, Selector
from tests.browser.stage import FakeTab, Stage, opened

A, B = Css("#a"), Css("#b")
SOON = ClickOptions(timeout_ms=15_000)
EAR = """<script>window.log = [];
for (const type of ['pointerdown', 'click', 'scroll', 'focusin', 'change'])
  document.addEventListener(type, (event) => log.push(`${type} ${event.target.id ?? ''}`.trim()), true);
</script>"""
TWO = "<button id=a>A</button> <button id=b>B</button>"


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with opened() as stage:
        yield stage


@pytest.fixture(autouse=True)
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was asked of our scripts."""
    asked: list[str] = []
    call = IsolatedWorld.call

    async def listening(self: IsolatedWorld, function: str, argument: Any = None) -> Any:
        asked.append(function)
        answer = await call(self, function, argument)
        if isinstance(answer, dict) and answer.get("landing") == "early":
            asked.pop()  # it has overtaken the click, and is asked again
        return answer

    monkeypatch.setattr(IsolatedWorld, "call", listening)
    for module in (lookahead, fast_pointer):  # a busy machine may take longer from one step to the next
        monkeypatch.setattr(module, "_FRESH_S", 2.5)
    return asked


async def show(tab: FakeTab, body: str) -> None:
    await tab.page.set_content(f"<!doctype html><title>Ahead</title>{EAR}<body>{body}")


@asynccontextmanager
async def before(coming: Coming | None) -> AsyncIterator[None]:
    token = COMING.set(coming)
    try:
        yield
    finally:
        COMING.reset(token)


def to_click(selector: Selector, options: ClickOptions = SOON) -> Coming:
    return Coming("click", selector, options)


async def click_before(tab: FakeTab, coming: Coming, selector: Selector = A) -> ActionResult:
    """Click as the step before another one does."""
    async with before(coming):
        return await tab.actions.click(selector, SOON)


async def foresee_b(tab: FakeTab, body: str = TWO) -> Coming:
    """Show the page, and have a click on b foreseen when a is clicked."""
    await show(tab, body)
    coming = to_click(B)
    await click_before(tab, coming)
    return coming


def test_the_next_step_needs_no_look_of_its_own(stage: Stage, calls: list[str]) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, f"{TWO}<input id=f type=checkbox><input id=w><select id=s><option>x<option>y</select>")
        steps = [
            (tab.actions.click(A, SOON), to_click(B)),
            (tab.actions.click(B, SOON), Coming("check", Css("#f"), SOON)),
            (tab.actions.check(Css("#f"), SOON), Coming("hover", A, SOON)),
            (tab.actions.hover(A, SOON), to_click(A)),
            (tab.actions.click(A, SOON), None),
            (tab.actions.fill(Css("#w"), "words", SOON), to_click(B)),
            (tab.actions.click(B, SOON), None),
            (tab.actions.select(Css("#s"), ["y"], SOON), to_click(A)),
            (tab.actions.click(A, SOON), None),
        ]
        for step, coming in steps:
            async with before(coming):
                assert not (await step).navigated
        clicks = [event for event in await tab.log() if event.startswith("click")]
        assert clicks == ["click a", "click b", "click f", "click a", "click b", "click a"]
        assert await tab.page.evaluate("f.checked && w.value === 'words' && s.value === 'y'")

    stage.play("/next", test)
    assert calls.count("prepare") == 1
    assert "disarm" not in calls


def test_a_look_leaves_no_trace(stage: Stage) -> None:
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


@pytest.mark.parametrize("is_hastened", [False, True])
@pytest.mark.parametrize("change", MEANWHILE.values(), ids=MEANWHILE)
def test_what_changes_behind_a_look_is_not_missed(stage: Stage, change: str, is_hastened: bool) -> None:
    async def test(tab: FakeTab) -> None:
        cover = "<script>const o = document.createElement('i'); o.id = 'o'; o.style = 'position:fixed;inset:0'</script>"
        coming = await foresee_b(tab, TWO + cover)
        await tab.page.evaluate(f"void ({change.replace('; ', ', ')})")
        if is_hastened:
            await tab.actions.hasten(coming)
        await tab.actions.click(B, SOON)
        assert [one for one in await tab.log() if one.startswith(("click", "pointer"))] == [
            *("pointerdown a", "click a"),
            *("pointerdown b", "click b"),
        ]

    stage.play("/next", test)


def test_a_step_that_was_not_foreseen_is_not_stopped(stage: Stage, calls: list[str]) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, f"{TWO}<i id=o style='position:fixed;inset:0;display:none'></i>")
        await click_before(tab, to_click(B))
        await tab.page.evaluate("o.style.display = ''")
        await tab.actions.click(B, ClickOptions(force=True, timeout_ms=700))  # goes by the place alone
        assert (await tab.log())[-1] == "click o"

    stage.play("/next", test)
    assert calls.count("disarm") == 1


FAILURES = {
    "a box that stays as it is": ("<input id=t type=checkbox onclick='return false'>", "check"),
    "a value that does not land": ("<input id=t oninput='value = 1'>", "fill"),
}


@pytest.mark.parametrize(("body", "action"), FAILURES.values(), ids=FAILURES)
def test_nothing_is_looked_for_when_a_step_fails(stage: Stage, calls: list[str], body: str, action: str) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, f"{body}{TWO}")
        async with before(to_click(A)):
            with pytest.raises(ActionFailed):
                await (
                    tab.actions.fill(Css("#t"), "x", SOON) if action == "fill" else tab.actions.check(Css("#t"), SOON)
                )
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
def test_what_was_seen_before_the_page_went_on_is_not_relied_on(stage: Stage, calls: list[str], leaving: str) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, f"<form id=f action=/next></form>{TWO}<script>a.onclick = () => {{ {leaving} }}</script>")
        await click_before(tab, to_click(B))
        await tab.page.bring_to_front()
        await show(tab, TWO)
        await tab.actions.click(B, SOON)
        assert (await tab.log())[-1] == "click b"

    stage.play("/next", test)
    assert calls[-2:] == ["prepare", "verify"]


def test_a_cancelled_step_leaves_no_guard_behind(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, f"{TWO}<i id=o style='position:fixed;inset:0;display:none'></i>")
        async with before(to_click(B)):
            step = asyncio.ensure_future(tab.actions.fill(Css("#a"), "x", SOON))
        step.cancel()
        with pytest.raises(asyncio.CancelledError):
            await step
        await click_before(tab, to_click(B))
        await tab.page.evaluate("o.style.display = ''")
        await tab.actions.click(B, ClickOptions(force=True, timeout_ms=700))
        assert (await tab.log())[-1] == "click o"

    stage.play("/next", test)


def test_only_the_page_itself_is_looked_at(stage: Stage, calls: list[str]) -> None:
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


def test_a_ref_of_nothing_is_left_to_its_own_step(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, TWO)
        assert not (await click_before(tab, to_click(Ref("@e99")))).navigated
        tab.css_by_ref["@e99"] = "css=#none"
        with pytest.raises(AgentBrowserError):
            await tab.actions.click(Ref("@e99"), SOON)

    stage.play("/next", test)


FIELDS = "<input id=one><input id=two><select id=s><option>x<option>y</select><input id=day type=date>"


def to_fill(id_: str, value: str) -> Coming:
    return Coming("fill", Css(f"#{id_}"), SOON, value)


def test_the_next_field_is_made_ready_when_one_is_written(stage: Stage, calls: list[str]) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, FIELDS)
        async with before(to_fill("two", "b")):
            assert (await tab.actions.fill(Css("#one"), "a", SOON)).value == "a"
        assert (await tab.log())[-2:] == ["change one", "focusin two"]
        async with before(to_fill("one", "c")):
            assert (await tab.actions.fill(Css("#two"), "b", SOON)).value == "b"
        async with before(Coming("clear", Css("#two"), SOON, "")):
            assert (await tab.actions.fill(Css("#one"), "c", SOON)).value == "c"
        assert (await tab.actions.clear(Css("#two"), SOON)).value == ""
        async with before(to_fill("one", "d")):
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


@pytest.mark.parametrize(("coming", "first"), NOT_MADE_READY.values(), ids=NOT_MADE_READY)
def test_no_field_is_made_ready_otherwise(stage: Stage, calls: list[str], coming: Coming, first: str) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, f"{FIELDS}<input id=number oninput='value = 1'>")
        async with before(coming):
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
        if coming.value != "other":
            assert await tab.page.evaluate("document.activeElement.id") in ("one", "number")
        day = coming.selector == Css("#day")
        value = "2026-11-22" if day else "b"
        assert (await tab.actions.fill(coming.selector, value, SOON)).value == value

    stage.play("/next", test)
    assert calls.count("startWriting") == (1 if first == "click" else 2)


def test_the_focus_stays_between_clearing_and_typing(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, FIELDS.replace("id=one", "id=one value=old"))
        async with before(to_fill("two", "b")):
            options = TypeOptions(timeout_ms=15_000, clear=True)
            assert (await tab.actions.type(Css("#one"), "new", options)).value == "new"
        assert await tab.log() == ["focusin one", "change one", "focusin two"]

    stage.play("/next", test)


@pytest.mark.parametrize("is_foreseen", [False, True])
@pytest.mark.parametrize("other", ["<input id=o>", "<p id=o contenteditable></p>", "<textarea id=o></textarea>"])
def test_a_text_is_kept_from_another_field_that_has_got_the_focus(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, other: str, is_foreseen: bool
) -> None:
    insert, moves = Keyboard.insert_text, ["one"] if is_foreseen else []

    async def test(tab: FakeTab) -> None:
        async def moving(self: Keyboard, text: str) -> None:
            if moves:
                moves.pop()
            else:
                await tab.page.evaluate("o.focus()")
            await insert(self, text)

        monkeypatch.setattr(Keyboard, "insert_text", moving)
        await show(tab, FIELDS + other)
        if is_foreseen:
            async with before(to_fill("two", "b")):
                await tab.actions.fill(Css("#one"), "a", SOON)
        assert (await tab.actions.fill(Css("#two"), "b", SOON)).value == "b"
        assert await tab.page.evaluate("[o.value ?? o.textContent, two.value]") == ["", "b"]

    stage.play("/next", test)


def test_what_a_page_says_of_a_field_that_was_left_is_told(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        tab.keeps_dialogs = True
        await show(tab, f"{FIELDS}<script>one.onchange = () => alert(one.value)</script>")
        async with before(to_fill("two", "b")):
            result = await tab.actions.fill(Css("#one"), "a", SOON)
        assert result.dialog is not None
        assert result.dialog.message == "a"
        await tab.answer()
        assert (await tab.actions.fill(Css("#two"), "b", SOON)).value == "b"

    stage.play("/next", test)


def test_what_the_page_has_seen_come_is_not_waited_for(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_a_choice_that_is_put_back_has_failed(stage: Stage, change: str) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, f"{FIELDS}<script>s.onchange = () => {{ {change} }}</script>")
        async with before(to_click(A)):
            with pytest.raises(ActionFailed, match="did not land"):
                await tab.actions.select(Css("#s"), ["y"], SOON)

    stage.play("/next", test)


CHECK, HOVER, FILL = Coming("check", Css("#f"), SOON), Coming("hover", A, SOON), Coming("fill", Css("#w"), SOON, "new")
FORM = f"{TWO}<input id=f type=checkbox><input id=w value=old><select id=s><option>x<option>y</select>"


@pytest.fixture
def inputs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was sent to the browser."""
    sent: list[str] = []

    def listening(kind: type, name: str) -> None:
        send = getattr(kind, name)

        async def call(self: Any, *args: Any, **options: Any) -> None:
            sent.append(name)
            await send(self, *args, **options)

        monkeypatch.setattr(kind, name, call)

    for kind, name in ((Mouse, "click"), (Mouse, "move"), (Keyboard, "insert_text")):
        listening(kind, name)
    return sent


async def take(tab: FakeTab, coming: Coming) -> ActionResult:
    """Do what is coming."""
    if coming.value is not None:
        return await tab.actions.fill(coming.selector, coming.value, coming.options)
    action = getattr(tab.actions, coming.action)
    result: ActionResult = await action(coming.selector, coming.options)
    return result


@pytest.mark.parametrize("coming", [to_click(B), CHECK, HOVER, FILL], ids=["click", "check", "hover", "fill"])
def test_the_input_of_a_step_that_was_foreseen_is_sent_first_and_once(
    stage: Stage, calls: list[str], inputs: list[str], coming: Coming
) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, FORM)
        async with before(coming):
            await tab.actions.select(Css("#s"), ["y"], SOON) if coming is FILL else await tab.actions.click(A, SOON)
        inputs.clear()
        await tab.isolated_worlds.of(tab.frame).unbuffer()  # as from the first hover on
        await tab.actions.hasten(coming)
        assert len(inputs) == 1
        result = await take(tab, coming)
        assert len(inputs) == 1
        assert result.no_effect is None
        assert await tab.page.evaluate("[f.checked, w.value]") == [coming is CHECK, "new" if coming is FILL else "old"]
        assert (await tab.log()).count("click b") == (coming.selector == B)
        await tab.actions.click(B, SOON)  # nothing of it is in the way of what follows
        assert (await tab.log())[-1] == "click b"

    stage.play("/next", test)
    assert calls.count("prepare") == (1 if coming is FILL else 2)


NOT_SENT_FIRST = {
    "a step that nobody has looked for": None,
    "another step alike": to_click(B),
    "a double click": Coming("dblclick", B, SOON),
    "a click with a key held": to_click(B, ClickOptions(timeout_ms=15_000, modifiers=["Shift"])),
    "what is emptied": Coming("clear", Css("#w"), SOON, ""),
}


@pytest.mark.parametrize("coming", NOT_SENT_FIRST.values(), ids=NOT_SENT_FIRST)
def test_no_other_input_is_sent_first(stage: Stage, inputs: list[str], coming: Coming | None) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, FORM)
        async with before(coming):
            await tab.actions.select(Css("#s"), ["y"], SOON)
        await tab.actions.hasten(to_click(B) if coming in (None, to_click(B)) else coming)
        assert inputs == []

    stage.play("/next", test)


@pytest.mark.parametrize("trouble", ["old", "dialog"])
def test_no_input_is_sent_first_when_something_has_come_between(stage: Stage, inputs: list[str], trouble: str) -> None:
    async def test(tab: FakeTab) -> None:
        tab.keeps_dialogs = True
        coming = await foresee_b(tab)
        if trouble == "old":
            tab.actions._foresight = tab.actions._foresight and tab.actions._foresight.doubted()
        else:
            tab.dialog = Dialog(type="alert", message="")
        await tab.actions.hasten(coming)
        assert inputs == ["click"]
        tab.dialog = None
        await tab.actions.click(B, SOON)
        assert (await tab.log()).count("click b") == 1

    stage.play("/next", test)


def test_an_input_that_was_sent_first_is_not_sent_again_however_late_it_is(
    stage: Stage, inputs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(tab: FakeTab) -> None:
        coming = await foresee_b(tab)
        await tab.actions.hasten(coming)
        for module in (lookahead, fast_pointer):
            monkeypatch.setattr(module, "_FRESH_S", 0)
        await tab.actions.click(B, SOON)
        assert (await tab.log()).count("click b") == 1

    stage.play("/next", test)
    assert inputs == ["click", "click"]


def test_no_input_is_sent_first_for_a_frame_that_is_gone(
    stage: Stage, inputs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(tab: FakeTab) -> None:
        coming = await foresee_b(tab)

        def gone(_: FakeTab) -> None:
            raise FrameNotFound("It is gone.", data={"frame": "f1"})

        with monkeypatch.context() as patch:
            patch.setattr(FakeTab, "frame", property(gone), raising=False)
            with pytest.raises(FrameNotFound):
                await tab.actions.hasten(coming)
        assert inputs == ["click"]
        assert tab.actions._sent is None

    stage.play("/next", test)


def test_an_input_that_its_step_did_not_take_up_is_no_other_actions(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        coming = await foresee_b(tab)
        await tab.actions.hasten(coming)
        result = await tab.actions.click(A, SOON)
        assert not result.no_effect
        assert (await tab.log())[-1] == "click a"
        assert (await tab.log()).count("click a") == 2
        assert tab.actions._ear is not None
        assert tab.actions._ear._receivers == set()

    stage.play("/next", test)


@pytest.mark.parametrize("turns", range(5))
def test_a_step_that_is_cancelled_behind_its_input_has_no_later_effect(stage: Stage, turns: int) -> None:
    async def test(tab: FakeTab) -> None:
        coming = await foresee_b(tab, f"{TWO}<i id=o style='position:fixed;inset:0;display:none'></i>")

        async def step() -> None:
            await tab.actions.hasten(coming)
            await tab.actions.click(B, SOON)

        running = asyncio.ensure_future(step())
        for _ in range(turns + 1):
            await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert (tab.actions._sent, tab.actions._foresight) == (None, None)
        await tab.actions.hover(A, SOON)  # what was sent is over when this is
        clicks = (await tab.log()).count("click b")
        await tab.page.evaluate("o.style.display = ''")
        await tab.actions.click(B, ClickOptions(force=True, timeout_ms=700))  # nothing stops it
        assert (await tab.log())[-1] == "click o"
        assert (await tab.log()).count("click b") == clicks <= 1
        assert tab.actions._ear is not None
        assert tab.actions._ear._receivers == set()

    stage.play("/next", test)


def test_what_the_page_does_behind_an_input_that_was_sent_first_is_heard(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        coming = await foresee_b(tab, f"{TWO}<script>b.onclick = () => location = '/next?2'</script>")
        await tab.actions.hasten(coming)
        result = await tab.actions.click(B, SOON)
        assert result.navigated
        assert result.url is not None
        assert result.url.endswith("/next?2")

    stage.play("/next", test)


FIRST = """<script>window.firsts = [];
addEventListener('mousemove', () => {
  let first = null;
  requestAnimationFrame(() => firsts.push(first ??= 'frame'));
  setTimeout(() => first ??= 'timer');
});
</script>"""


def test_moves_need_not_wait_for_a_frame(stage: Stage) -> None:
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


@pytest.mark.parametrize("options", [ActionOptions(force=True), ActionOptions(trial=True)])
def test_what_is_not_for_our_scripts_is_not_looked_for(options: ActionOptions) -> None:
    class Params:
        selector = A

    Params.options = options  # type: ignore[attr-defined]
    assert Coming.of("action/hover", Params) is None
    assert Coming.of("action/drag", Params) is None
