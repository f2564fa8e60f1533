"""The thirteen actions: what each does to a real page, what it says of it, and how it fails."""

import asyncio
import base64
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import pytest

from agentbrowser.protocol.errors import (
    ActionFailed,
    ElementNotEnabled,
    ElementNotFound,
    ElementNotVisible,
    InvalidParams,
    SelectorAmbiguous,
)
from agentbrowser.protocol.types.action import (
    ActionOptions,
    ActionResult,
    ClickOptions,
    FileUpload,
    OpenedPage,
    Point,
    ScrollOptions,
    TypeOptions,
)
from agentbrowser.protocol.types.selector import Coordinates, Css, Ref
from tests.browser.stage import FakeTab, Stage

Test = Callable[[FakeTab], Coroutine[Any, Any, None]]

OPTIONS = ActionOptions()
BRIEF_MS = 1000
BRIEF = ActionOptions(timeout_ms=BRIEF_MS)
TRIAL = ActionOptions(trial=True)


def by_id(name: str) -> Css:
    return Css(f"#{name}")


async def click(tab: FakeTab, name: str, **options: Any) -> ActionResult:
    return await tab.actions.click(by_id(name), ClickOptions(**options))


def play(stage: Stage, test: Test) -> None:
    stage.play("/actions.html", test)


# Click


def test_click_says_what_happened(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        result = await click(tab, "save")
        assert result == ActionResult(url=stage.pages.url("/actions.html"), navigated=False)
        assert await tab.log() == ["mouseover save", "click save 0"]

    play(stage, test)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"button": "right"}, "contextmenu save"),
        ({"button": "middle"}, "auxclick save 1"),
        ({"modifiers": ["Control", "Shift"]}, "click save 0 ctrl+shift"),
        ({"click_count": 2}, "dblclick save"),
    ],
)
def test_click_options(stage: Stage, options: dict[str, Any], expected: str) -> None:
    async def test(tab: FakeTab) -> None:
        await click(tab, "save", **options)
        assert expected in await tab.log()

    play(stage, test)


def test_click_at_a_position(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await tab.page.evaluate("void (save.onclick = event => { window.at = [event.offsetX, event.offsetY] })")
        await click(tab, "save", position=Point(x=5, y=7))
        assert await tab.page.evaluate("at") == [5, 7]

    play(stage, test)


def test_a_trial_does_nothing(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await click(tab, "save", trial=True)
        await tab.actions.dblclick(by_id("save"), ClickOptions(trial=True))
        await tab.actions.fill(by_id("first"), "Grace", TRIAL)
        await tab.actions.clear(by_id("first"), TRIAL)
        await tab.actions.type(by_id("first"), "x", TypeOptions(trial=True))
        await tab.actions.press("x", by_id("first"), TRIAL)
        await tab.actions.check(by_id("agree"), TRIAL)
        await tab.actions.select(by_id("fruit"), ["a"], TRIAL)
        await tab.actions.upload(by_id("upload"), [FileUpload(name="a", buffer="")], TRIAL)
        await tab.actions.drag(by_id("card"), by_id("slot"), TRIAL)
        await tab.actions.scroll(None, ScrollOptions(trial=True))
        assert {event.split()[0] for event in await tab.log()} <= {"mouseover"}
        assert await tab.page.evaluate("[first.value, agree.checked, fruit.value, scrollY]") == ["Ada", False, "b", 0]
        with pytest.raises(ElementNotEnabled):
            await click(tab, "off", trial=True, timeout_ms=BRIEF_MS)

    play(stage, test)


def test_dblclick_and_hover(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await tab.actions.dblclick(by_id("save"), ClickOptions())
        await tab.actions.hover(by_id("later"), OPTIONS)
        assert await tab.log() == ["mouseover save", "click save 0", "click save 0", "dblclick save", "mouseover later"]

    play(stage, test)


# What a click sets off


@pytest.mark.parametrize("name", ["next", "later"])
def test_a_click_returns_after_its_navigation_committed(stage: Stage, name: str) -> None:
    async def test(tab: FakeTab) -> None:
        stage.pages.held.clear()
        task = asyncio.create_task(click(tab, name))
        async with tab.page.expect_request("**/slow*"):
            pass
        assert not task.done()
        stage.pages.held.set()
        result = await task
        assert (result.navigated, result.url) == (True, stage.pages.url(f"/slow?{name}"))
        assert await tab.page.title() == "Next"

    play(stage, test)


def test_a_click_may_be_told_not_to_wait(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        stage.pages.held.clear()
        result = await click(tab, "next", no_wait_after=True)
        assert not result.navigated
        async with tab.page.expect_event("framenavigated"):
            stage.pages.held.set()

    play(stage, test)


def test_a_slow_navigation_does_not_count_against_the_wait_for_the_element(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        stage.pages.held.clear()
        asyncio.get_running_loop().call_later(2.0, stage.pages.held.set)
        assert (await click(tab, "next", timeout_ms=1500)).navigated

    play(stage, test)


def test_the_keyboard_and_a_choice_navigate_too(stage: Stage) -> None:
    async def press(tab: FakeTab) -> None:
        assert (await tab.actions.press("Enter", by_id("query"), OPTIONS)).navigated

    async def type_(tab: FakeTab) -> None:
        result = await tab.actions.type(by_id("query"), "x\n", TypeOptions())
        assert (result.navigated, result.url, result.value) == (True, stage.pages.url("/slow?q=x"), None)

    async def select(tab: FakeTab) -> None:
        await tab.page.evaluate("void (fruit.onchange = () => { location = '/slow?fruit' })")
        result = await tab.actions.select(by_id("fruit"), ["a"], OPTIONS)
        assert (result.navigated, result.value) == (True, None)

    for test in (press, type_, select):
        play(stage, test)


def test_a_route_of_the_page_counts_and_an_answer_without_content_does_not(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        assert not (await click(tab, "nothing")).navigated
        result = await click(tab, "route")
        assert (result.navigated, result.url) == (True, stage.pages.url("/routed"))

    play(stage, test)


def test_a_new_page_a_download_and_a_dialog_are_told(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        opened = [OpenedPage(page_id="page-1", url=stage.pages.url("/next"), title="Next")]
        assert (await click(tab, "tab")).new_pages == opened
        download = (await click(tab, "file")).download
        assert download is not None
        assert (download.suggested_name, download.url) == ("report.txt", stage.pages.url("/file"))
        dialog = (await click(tab, "ask")).dialog
        assert dialog is not None
        assert (dialog.type, dialog.message, dialog.answered) == ("confirm", "Really?", "dismissed")

    play(stage, test)


def test_an_action_lets_go_when_a_dialog_is_kept_open(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        tab.keeps_dialogs = True
        result = await click(tab, "ask")
        assert result.dialog is not None
        assert result.dialog.answered == "open"
        assert tab.dialog is not None
        await tab.answer()
        await click(tab, "save")
        assert (await tab.log())[-1] == "click save 0"

    play(stage, test)


def test_a_cancelled_action_has_no_later_effect(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        task = asyncio.create_task(click(tab, "absent"))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await tab.page.evaluate("document.body.insertAdjacentHTML('afterbegin', '<button id=absent>x</button>')")
        assert await tab.log() == []

    play(stage, test)


def test_a_cancelled_navigation_leaves_the_page_usable(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        stage.pages.held.clear()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.4):
                await click(tab, "next")
        async with asyncio.timeout(20):
            assert await tab.page.evaluate("document.title") == "Actions"
            assert not (await click(tab, "save")).navigated

    play(stage, test)


def test_a_route_of_the_page_is_not_taken_for_the_effect_of_a_click_that_failed(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await tab.page.evaluate("void setTimeout(() => history.pushState({}, '', '/routed'), 100)")
        with pytest.raises(ElementNotEnabled):
            await click(tab, "off", timeout_ms=BRIEF_MS)

    play(stage, test)


def test_a_field_that_goes_away_when_it_is_filled(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await tab.page.evaluate("void (first.oninput = () => first.remove())")
        result = await tab.actions.fill(by_id("first"), "Grace", OPTIONS)
        assert (result.value, result.navigated) == (None, False)

    play(stage, test)


# Elements that are not there, or not ready


def test_an_element_may_come_late(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await click(tab, "late")
        await click(tab, "latest")
        assert (await tab.log())[-1] == "click latest 0"

    play(stage, test)


def test_a_missing_element_is_not_a_timeout(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        with pytest.raises(ElementNotFound) as caught:
            await click(tab, "absent", timeout_ms=250)
        assert caught.value.details["selector"] == {"type": "css", "value": "#absent"}
        assert 250 <= caught.value.details["waitedMs"] < 5000

    play(stage, test)


def test_several_elements_are_told_apart(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        with pytest.raises(SelectorAmbiguous) as caught:
            await tab.actions.click(Css(".twin"), ClickOptions())
        details = caught.value.details
        assert details["count"] == 2
        assert [candidate["text"] for candidate in details["candidates"]] == ["Twin", "Twin"]
        for candidate in details["candidates"]:
            await tab.actions.click(Css(candidate["value"]), ClickOptions())
        assert (await tab.log()).count("click button 0") == 2

    play(stage, test)


def test_a_hidden_element(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        for act in (click(tab, "hidden", timeout_ms=BRIEF_MS), tab.actions.press("x", by_id("hidden"), BRIEF)):
            with pytest.raises(ElementNotVisible) as caught:
                await act
            assert "coveredBy" not in caught.value.details

    play(stage, test)


def test_a_covered_element_names_its_cover(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        with pytest.raises(ElementNotVisible) as caught:
            await click(tab, "under", timeout_ms=BRIEF_MS)
        cover = caught.value.details["coveredBy"]
        assert cover == {"type": "css", "value": "#lid", "text": "The lid", "ref": "@lid"}
        await tab.actions.click(Ref(cover["ref"]), ClickOptions())
        assert (await tab.log())[-1] == "click lid 0"
        await click(tab, "under", force=True)
        assert (await tab.log())[-1] == "click lid 0"

    play(stage, test)


def test_a_cover_around_a_frame_is_named(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        frame = "<iframe srcdoc='<button id=t>x</button>' style='padding:9px'></iframe>"
        await tab.page.set_content(f"{frame}<div id=cover style='position:fixed;inset:0'>Cookies</div>")
        tab.inner = tab.page.frames[1]
        with pytest.raises(ElementNotVisible) as caught:
            await tab.actions.click(Css("#t"), ClickOptions(timeout_ms=300))
        assert caught.value.details["coveredBy"]["value"] == "#cover"

    stage.play("/next", test)


def test_a_disabled_element(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        with pytest.raises(ElementNotEnabled):
            await click(tab, "off", timeout_ms=BRIEF_MS)
        await tab.page.evaluate("setTimeout(() => { off.disabled = false }, 100)")
        await click(tab, "off")
        assert (await tab.log())[-1] == "click off 0"

    play(stage, test)


def test_a_moving_element(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        # On a busy machine two frames may show the animation at the same time, so that a script moves it in each, too.
        await tab.page.evaluate("""() => {
            let [left, isMoving] = [0, true];
            moving.style.animation = "slide 1s linear infinite alternate";  // in no other test: each frame costs
            globalThis.stopMoving = () => {
                isMoving = false;
                moving.style.animation = "none";
            };
            const step = () => {
                moving.style.marginLeft = `${left = (left + 7) % 300}px`;
                if (isMoving) requestAnimationFrame(step);
            };
            step();
        }""")
        with pytest.raises(ActionFailed, match="stand still") as caught:
            await click(tab, "moving", timeout_ms=BRIEF_MS)
        assert caught.value.retryable
        await tab.page.evaluate("stopMoving()")
        await click(tab, "moving")
        assert (await tab.log())[-1] == "click moving 0"

    play(stage, test)


def test_an_element_that_goes_away_meanwhile(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await tab.page.evaluate("setTimeout(() => vanishing.remove(), 100)")
        with pytest.raises(ElementNotFound):
            await click(tab, "vanishing", timeout_ms=2000)

    play(stage, test)


# Writing


def test_fill_replaces_and_reads_back(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        for name, value in (("first", "Grace"), ("mail", "g@h.org"), ("note", "two\nlines"), ("day", "2024-02-29")):
            assert (await tab.actions.fill(by_id(name), value, OPTIONS)).value == value
            assert await tab.value(name) == value
        assert (await tab.actions.fill(by_id("rich"), "poor", OPTIONS)).value == "poor"
        assert (await tab.actions.clear(by_id("first"), OPTIONS)).value == ""
        assert await tab.value("first") == ""

    play(stage, test)


def test_fill_reaches_the_state_of_a_controlled_input(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        assert (await tab.actions.fill(by_id("controlled"), "React", OPTIONS)).value == "React"
        assert (await tab.actions.type(by_id("controlled"), "ive", TypeOptions())).value == "Reactive"
        assert await tab.page.evaluate("controlled.dataset.state") == "Reactive"

    play(stage, test)


def test_a_page_may_format_what_it_takes(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        assert (await tab.actions.fill(by_id("phone"), "5551234", OPTIONS)).value == "(555) 1234"

    play(stage, test)


@pytest.mark.parametrize(
    ("name", "reason"), [("stubborn", "the field holds 'mine'"), ("day", "a date input takes YYYY-MM-DD")]
)
def test_a_value_that_does_not_land(stage: Stage, name: str, reason: str) -> None:
    async def test(tab: FakeTab) -> None:
        with pytest.raises(ActionFailed) as caught:
            await tab.actions.fill(by_id(name), "other", OPTIONS)
        assert caught.value.details["action"] == "fill"
        assert caught.value.details["reason"].endswith(reason)

    play(stage, test)


def test_typing_into_a_field_that_is_too_short(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        with pytest.raises(ActionFailed, match="'abc'"):
            await tab.actions.type(by_id("short"), "abcdef", TypeOptions())

    play(stage, test)


@pytest.mark.parametrize("way", ["fill", "type"])
def test_a_field_that_takes_the_text_back_a_moment_later_is_not_filled(stage: Stage, way: str) -> None:
    async def test(tab: FakeTab) -> None:
        await tab.page.evaluate("first.oninput = () => setTimeout(() => { first.value = '' }, 40)")
        filled = way == "fill"
        act = partial(tab.actions.fill, options=OPTIONS) if filled else partial(tab.actions.type, options=TypeOptions())
        with pytest.raises(ActionFailed, match="did not land"):
            await act(by_id("first"), "text")
        await tab.page.evaluate(
            "first.oninput = () => setTimeout(() => { first.value = first.value.toUpperCase() }, 40)"
        )
        result = await tab.actions.fill(by_id("first"), "text", OPTIONS)
        assert (result.value, result.normalized) == ("TEXT", True)

    play(stage, test)


def test_secrets_stay_in_the_page(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        for name in ("password", "code", "masked"):
            assert (await tab.actions.fill(by_id(name), "s3cret", OPTIONS)).value is None
            assert await tab.value(name) == "s3cret"
            assert (await tab.actions.type(by_id(name), "more", TypeOptions())).value is None
            assert await tab.value(name) == "s3cretmore"
        with pytest.raises(ActionFailed) as caught:
            await tab.actions.fill(by_id("locked-password"), "s3cret", OPTIONS)
        assert caught.value.details["reason"] == "the value did not land"

    play(stage, test)


def test_type_goes_behind_what_is_there_character_by_character(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        assert (await tab.actions.type(by_id("first"), " L.", TypeOptions())).value == "Ada L."
        assert [event for event in await tab.log() if "keydown" in event] == [
            "keydown first",
            "keydown first L",
            "keydown first .",
        ]
        for name, whole in (("mail", "a@b.com"), ("note", "oneom"), ("rich", "richom")):
            assert (await tab.actions.type(by_id(name), "om", TypeOptions())).value == whole
        assert (await tab.actions.type(by_id("first"), "Eve", TypeOptions(clear=True, delay_ms=1))).value == "Eve"

    play(stage, test)


def test_typing_may_be_passed_on_to_the_next_field(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        assert (await tab.actions.type(by_id("otp1"), "123", TypeOptions())).value == "1"
        assert [await tab.value(name) for name in ("otp1", "otp2", "jump")] == ["1", "2", "3"]

    play(stage, test)


def test_a_read_only_field(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        with pytest.raises(ElementNotEnabled, match="read-only"):
            await tab.actions.fill(by_id("readonly"), "x", BRIEF)
        with pytest.raises(ElementNotEnabled):
            await tab.actions.type(by_id("readonly"), "x", TypeOptions(timeout_ms=BRIEF_MS))

    play(stage, test)


@pytest.mark.parametrize(
    ("name", "hint"),
    [("fruit", "action/select"), ("agree", "action/check"), ("upload", "action/upload"), ("save", "click")],
)
def test_fill_names_the_right_action(stage: Stage, name: str, hint: str) -> None:
    async def test(tab: FakeTab) -> None:
        with pytest.raises(ActionFailed) as caught:
            await tab.actions.fill(by_id(name), "x", OPTIONS)
        assert hint in (caught.value.recovery_hint or "")

    play(stage, test)


def test_press_with_and_without_an_element(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await tab.actions.press("Control+a", by_id("first"), OPTIONS)
        await tab.actions.press("x", None, OPTIONS)
        assert await tab.value("first") == "x"
        assert "keydown first a ctrl" in await tab.log()

    play(stage, test)


def test_a_key_never_goes_to_another_element(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await tab.page.focus("#first")
        for act in (
            tab.actions.press("x", by_id("words"), OPTIONS),
            tab.actions.type(by_id("words"), "x", TypeOptions()),
        ):
            with pytest.raises(ActionFailed, match="focus"):
                await act
        assert await tab.value("first") == "Ada"

    play(stage, test)


def test_an_unknown_key(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        for selector in (None, by_id("first")):
            with pytest.raises(InvalidParams) as caught:
                await tab.actions.press("Entr", selector, OPTIONS)
            assert caught.value.details["path"] == "key"

    play(stage, test)


def test_an_unknown_key_of_a_combination_leaves_no_key_pressed(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        for selector in (None, by_id("first")):
            with pytest.raises(InvalidParams, match='no key "Entr": give a key such as Enter'):
                await tab.actions.press("Control+Shift+Entr", selector, OPTIONS)
            await tab.page.focus("#first")
            await tab.page.keyboard.press("x")
        assert [event for event in await tab.log() if event.startswith("keydown first x")] == ["keydown first x"] * 2

    play(stage, test)


# Choosing


def test_check_and_uncheck(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        for name in ("agree", "styled", "blue", "switch"):
            result = await tab.actions.check(by_id(name), OPTIONS)
            assert (result.value, result.no_effect) == (True, None)
        result = await tab.actions.check(by_id("done"), OPTIONS)
        assert (result.value, result.no_effect) == (True, True)
        assert await tab.page.evaluate("[agree, styled, blue, done].map(box => box.checked)") == [True] * 4
        for name in ("agree", "styled", "switch"):
            assert (await tab.actions.uncheck(by_id(name), OPTIONS)).value is False
        assert await tab.page.evaluate("[agree, styled].map(box => box.checked)") == [False] * 2

    play(stage, test)


def test_check_reads_the_choice_of_an_option_or_an_item_of_a_tree(stage: Stage) -> None:
    page = """<ul role=listbox aria-multiselectable=true><li id=ham role=option aria-selected=false>Ham</ul>
      <ul role=tree><li id=docs role=treeitem aria-selected=false>Docs</ul>
      <ul role=tree><li id=ticked role=treeitem aria-selected=true aria-checked=false>Pictures</ul>
      <script>onclick = ({ target }) => {
        const state = target.ariaChecked === null ? "ariaSelected" : "ariaChecked";
        target[state] = String(target[state] !== "true");
      }</script>"""

    async def test(tab: FakeTab) -> None:
        await tab.page.set_content(page)
        for name in ("ham", "docs", "ticked"):
            for _ in range(2):  # the second one is there already, and is not to be taken back
                assert (await tab.actions.check(by_id(name), OPTIONS)).value is True
            assert (await tab.actions.uncheck(by_id(name), OPTIONS)).value is False
        assert await tab.page.evaluate("[ham, docs, ticked].map(one => one.ariaSelected)") == ["false", "false", "true"]

    play(stage, test)


def test_a_control_that_does_not_change(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        for act in (tab.actions.check(by_id("ignored"), BRIEF), tab.actions.uncheck(by_id("red"), BRIEF)):
            with pytest.raises(ActionFailed):
                await act
        with pytest.raises(ActionFailed, match="check is not for <button>"):
            await tab.actions.check(by_id("save"), OPTIONS)

    play(stage, test)


def test_select_by_value_before_label(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        assert (await tab.actions.select(by_id("fruit"), ["a"], OPTIONS)).value == "a"
        assert (await tab.actions.select(by_id("fruit"), ["A"], OPTIONS)).value == "b"
        assert await tab.value("fruit") == "b"
        assert (await tab.actions.select(by_id("fruit"), ["b"], OPTIONS)).no_effect
        assert (await tab.actions.select(by_id("many"), ["z", "x"], OPTIONS)).value == ["x", "z"]
        assert (await tab.actions.select(by_id("many"), ["y"], OPTIONS)).value == ["y"]
        assert [event for event in await tab.log() if "fruit" in event] == ["change fruit"] * 2

    play(stage, test)


def test_an_unknown_option_lists_ten_that_exist(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        with pytest.raises(ActionFailed) as caught:
            await tab.actions.select(by_id("long"), ["Choice 99"], BRIEF)
        known = ", ".join(f"'Choice {number}'" for number in range(10))
        assert caught.value.details["reason"] == f"there is no option 'Choice 99'; there are: {known} and 4 more"

    play(stage, test)


def test_options_may_come_late_and_may_be_refused(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await tab.page.evaluate("setTimeout(() => fruit.add(new Option('Plum', 'p')), 100)")
        assert (await tab.actions.select(by_id("fruit"), ["Plum"], OPTIONS)).value == "p"
        for name, value, reason in (
            ("fruit", "C", "disabled"),
            ("resetting", "1", "did not land"),
            ("save", "x", "not for"),
        ):
            with pytest.raises(ActionFailed, match=reason):
                await tab.actions.select(by_id(name), [value], BRIEF)
        await tab.page.evaluate("document.body.append(Object.assign(document.createElement('input'), { id: 'zone' }))")
        with pytest.raises(ActionFailed, match="select is not for <input type=text>") as caught:
            await tab.actions.select(by_id("zone"), ["A"], BRIEF)
        assert "may open a list" in str(caught.value.recovery_hint)
        with pytest.raises(ActionFailed, match="one option"):
            await tab.actions.select(by_id("fruit"), ["a", "b"], BRIEF)

    play(stage, test)


def test_upload_gives_bytes_and_a_bare_name(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        buffer = base64.b64encode(b"hello").decode()
        for name in ("/etc/../passwd", "C:\\temp\\passwd", "passwd"):
            file = FileUpload(name=name, mime_type="text/plain", buffer=buffer)
            await tab.actions.upload(by_id("upload"), [file], OPTIONS)
            await tab.page.wait_for_function("uploaded.value")
            assert await tab.value("uploaded") == "passwd text/plain hello"
            await tab.page.evaluate("uploaded.value = ''")

    play(stage, test)


def test_the_type_of_a_file_is_told_by_its_name(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        for name, given, kind in (
            ("a.png", None, "image/png"),
            ("a.unheardof", None, "application/octet-stream"),
            ("b.png", "", "image/png"),
        ):
            await tab.actions.upload(by_id("upload"), [FileUpload(name=name, mime_type=given, buffer="")], OPTIONS)
            await tab.page.wait_for_function("uploaded.value")
            assert await tab.value("uploaded") == f"{name} {kind} "
            await tab.page.evaluate("uploaded.value = ''")

    play(stage, test)


@pytest.mark.parametrize(
    ("files", "path"),
    [
        ([FileUpload(name="a", buffer="%%")], "files[0].buffer"),
        ([FileUpload(name="a", buffer=""), FileUpload(name="b", buffer="abc")], "files[1].buffer"),
        ([FileUpload(name="a/..", buffer="")], "files[0].name"),
    ],
)
def test_upload_of_bad_files(stage: Stage, files: list[FileUpload], path: str) -> None:
    async def test(tab: FakeTab) -> None:
        with pytest.raises(InvalidParams) as caught:
            await tab.actions.upload(by_id("upload"), files, OPTIONS)
        assert caught.value.details["path"] == path
        assert await tab.page.evaluate("upload.files.length") == 0

    play(stage, test)


def test_upload_to_the_wrong_element(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        with pytest.raises(ActionFailed, match="not for"):
            await tab.actions.upload(by_id("first"), [FileUpload(name="a", buffer="")], OPTIONS)
        with pytest.raises(ActionFailed, match="single file"):
            await tab.actions.upload(by_id("upload"), [FileUpload(name=name, buffer="") for name in "ab"], OPTIONS)
        await tab.page.evaluate("upload.disabled = true")
        with pytest.raises(ElementNotEnabled):
            await tab.actions.upload(by_id("upload"), [FileUpload(name="a", buffer="")], BRIEF)
        assert await tab.page.evaluate("upload.files.length") == 0

    play(stage, test)


# Scroll and drag


def test_scroll_the_page(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        assert (await tab.actions.scroll(None, ScrollOptions())).no_effect is None
        assert await tab.page.evaluate("scrollY") == 300
        await tab.actions.scroll(None, ScrollOptions(amount="page"))
        assert await tab.page.evaluate("scrollY") == 1000
        await tab.actions.scroll(None, ScrollOptions(direction="up", amount=5000))
        assert await tab.page.evaluate("scrollY") == 0
        assert (await tab.actions.scroll(None, ScrollOptions(direction="up"))).no_effect

    play(stage, test)


def test_scroll_an_element(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        for name in ("box", "deep"):
            await tab.actions.scroll(by_id(name), ScrollOptions(amount=50))
        await tab.actions.scroll(by_id("box"), ScrollOptions(direction="right", amount=70))
        assert await tab.page.evaluate("[box.scrollTop, box.scrollLeft, scrollY]") == [100, 70, 0]
        await tab.actions.scroll(by_id("bottom"), ScrollOptions(amount="toElement"))
        assert await tab.page.evaluate("bottom.getBoundingClientRect().bottom <= innerHeight")
        assert (await tab.actions.scroll(by_id("bottom"), ScrollOptions(amount="toElement"))).no_effect
        with pytest.raises(InvalidParams):
            await tab.actions.scroll(None, ScrollOptions(amount="toElement"))

    play(stage, test)


def test_scroll_with_a_selector_alone_brings_the_element_into_view(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        assert (await tab.actions.scroll(by_id("bottom"), ScrollOptions())).no_effect is None
        box = await tab.page.locator("#bottom").bounding_box()
        assert box is not None
        assert 0 <= box["y"] <= 700 - box["height"]
        assert (await tab.actions.scroll(by_id("bottom"), ScrollOptions())).no_effect
        await tab.actions.scroll(by_id("bottom"), ScrollOptions(direction="up"))
        moved = await tab.page.locator("#bottom").bounding_box()
        assert moved is not None
        assert moved["y"] == box["y"] + 300

    play(stage, test)


def test_the_page_scrolls_what_is_in_its_middle_when_it_can_not_scroll_itself(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await tab.page.evaluate("box.style.cssText = 'position: fixed; inset: 0; width: auto; height: auto'")
        await tab.page.evaluate("document.querySelector('.tall').remove()")
        await tab.page.evaluate("document.body.style.cssText = 'overflow: hidden; height: 100px'")
        await tab.actions.scroll(None, ScrollOptions(amount=40))
        assert await tab.page.evaluate("box.scrollTop || scrollY") == 40

    play(stage, test)


def test_drag_with_the_drag_events_and_with_the_mouse(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await tab.actions.drag(by_id("card"), by_id("slot"), OPTIONS)
        assert [event for event in await tab.log() if event.startswith("d")] == ["dragstart card", "drop slot"]
        middle = await tab.page.evaluate("(r => ({x: r.x + 9, y: r.y + 9}))(slot.getBoundingClientRect())")
        await tab.actions.drag(by_id("knob"), Point(**middle), OPTIONS)
        assert [event for event in await tab.log() if event in ("mousedown knob", "mouseup slot")] == [
            "mousedown knob",
            "mouseup slot",
        ]

    play(stage, test)


def test_the_error_of_a_drag_names_the_end_that_is_missing(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        with pytest.raises(ElementNotFound, match=r"^The source of the drag: No element matched within \d+ ms\."):
            await tab.actions.drag(by_id("nowhere"), by_id("slot"), BRIEF)
        with pytest.raises(ElementNotFound, match=r"^The target of the drag: No element matched within \d+ ms\."):
            await tab.actions.drag(by_id("card"), by_id("nowhere"), BRIEF)
        await tab.page.evaluate("slot.style.display = 'none'")
        with pytest.raises(ElementNotVisible, match=r"^The target of the drag: The element is not visible\."):
            await tab.actions.drag(by_id("card"), by_id("slot"), ActionOptions(timeout_ms=4000))
        await tab.page.evaluate("card.style.display = 'none'")
        with pytest.raises(ElementNotVisible, match=r"^The source of the drag: The element is not visible\."):
            await tab.actions.drag(by_id("card"), by_id("slot"), BRIEF)

    play(stage, test)


# Coordinates


async def middle_of(tab: FakeTab, expression: str) -> Coordinates:
    box = await tab.page.evaluate(
        f"(r => [r.x + r.width / 2, r.y + r.height / 2])(({expression}).getBoundingClientRect())"
    )
    return Coordinates(*box)


def test_pointer_actions_go_to_the_very_point(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        point = await middle_of(tab, "save")
        await tab.page.evaluate("void (onclick = event => { window.at = [event.clientX, event.clientY] })")
        await tab.actions.click(Coordinates(point.x - 6, point.y + 3), ClickOptions())
        x, y = await tab.page.evaluate("at")
        assert (x, y) == pytest.approx((point.x - 6, point.y + 3), abs=1)
        with pytest.raises(ElementNotEnabled):
            await tab.actions.click(await middle_of(tab, "off"), ClickOptions(timeout_ms=BRIEF_MS))

    play(stage, test)


def test_every_action_works_at_a_point(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        assert (await tab.actions.fill(await middle_of(tab, "first"), "Grace", OPTIONS)).value == "Grace"
        assert (await tab.actions.check(await middle_of(tab, "agree"), OPTIONS)).value is True
        assert (await tab.actions.select(await middle_of(tab, "fruit"), ["a"], OPTIONS)).value == "a"
        shaded = await middle_of(tab, "host.shadowRoot.getElementById('shaded')")
        assert (await tab.actions.type(shaded, "deep", TypeOptions())).value == "deep"
        await tab.actions.click(await middle_of(tab, "host.shadowRoot.querySelector('i')"), ClickOptions())
        assert (await tab.log())[-1] == "click i 0"
        frame = await tab.page.evaluate(
            "(r => [r.x + inner.clientLeft, r.y + inner.clientTop])(inner.getBoundingClientRect())"
        )
        inside = Coordinates(frame[0] + 50, frame[1] + 10)
        assert (await tab.actions.fill(inside, "framed", OPTIONS)).value == "framed"
        await tab.actions.press("x", inside, OPTIONS)
        assert await tab.page.frames[1].evaluate("inside.value") == "framedx"

    play(stage, test)


def test_a_point_beside_the_viewport(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        with pytest.raises(ElementNotFound, match="point"):
            await tab.actions.click(Coordinates(5000, 5), ClickOptions())

    play(stage, test)
