"""Effects that actions report: no effect, a page that closed, an element found again, a secret kept."""

from typing import Any

import pytest
from playwright.async_api import Mouse

from agentbrowser.browser.events import action_effects
from agentbrowser.protocol.errors import ActionFailed
from agentbrowser.protocol.types.action import ActionOptions, ActionResult, ClickOptions, TypeOptions
from agentbrowser.protocol.types.selector import Css, Ref
from tests.browser.stage import FakeTab, Stage

OPTIONS = ActionOptions()


async def show(tab: FakeTab, body: str) -> None:
    await tab.page.set_content(f"<!doctype html><title>Effects</title><body>{body}")


async def click(tab: FakeTab, selector: str = "#t", **options: Any) -> ActionResult:
    return await tab.actions.click(Css(selector), ClickOptions(**options))


EFFECTS = {
    "a change of the page": "<button id=t onclick=\"this.after('x')\">x</button>",
    "a change a moment later": '<button id=t onclick="requestAnimationFrame(() => t.after(1))">x</button>',
    "a change in a shadow root": "<div id=h></div><script>h.attachShadow({ mode: 'open' }).innerHTML = '<slot></slot>';"
    "h.id = 't'; t.textContent = 'x'; t.onclick = () => t.shadowRoot.append('y')</script>",
    "a request": "<button id=t onclick=\"fetch('/next')\">x</button>",
    "a scroll": '<div style="height:3000px"><button id=t onclick="scrollTo(0, 99)">x</button></div>',
    "a value": '<button id=t onclick="f.value = 1; f.focus()">x</button><input id=f>',
    "a route": "<button id=t onclick=\"history.pushState({}, '', '#x')\">x</button>",
    "a dialog": '<button id=t onclick="alert(1)">x</button>',
    "a drawing": "<canvas id=t width=50 height=50></canvas>",
}


@pytest.mark.parametrize("body", EFFECTS.values(), ids=EFFECTS)
def test_what_has_an_effect_is_not_said_to_have_none(stage: Stage, body: str) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, body)
        assert (await click(tab)).no_effect is None

    stage.play("/next", test)


@pytest.mark.parametrize("route", ["history.pushState({}, '', '/other')", "location.hash = 'x'"], ids=["push", "hash"])
def test_click_that_missed_is_not_reported_as_done_when_the_route_changes(stage: Stage, route: str) -> None:
    async def test(tab: FakeTab) -> None:
        style = "<style>button { position: absolute; left: 0; width: 90px }</style>"
        flee = f"this.onmouseover = null; this.style.left = '300px'; {route}"
        buttons = f'<button id=d>decoy</button><button id=t onmouseover="{flee}">x</button>'
        await show(tab, f"{style}{buttons}<script>log = []; onclick = e => log.push(e.target.id)</script>")
        assert (await click(tab)).navigated
        assert await tab.log() == ["t"]

    stage.play("/next", test)


def test_a_click_that_nothing_comes_of(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, "<button id=t>x</button><p id=p>words</p>")
        assert (await click(tab)).no_effect is None  # it got the focus
        assert (await click(tab)).no_effect is True
        assert (await tab.actions.press("F2", Css("#t"), OPTIONS)).no_effect is True
        assert (await tab.actions.hover(Css("#p"), OPTIONS)).no_effect is None

    stage.play("/next", test)


def test_tabs_without_an_opener_and_windows_without_a_document_are_reported(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a click was said to have no effect, or nothing at all."""

    async def test(tab: FakeTab) -> None:
        await show(tab, "<a id=t href=/next>x</a> <a id=n href=/nothing target=_blank>x</a>")
        presses: list[dict[str, Any]] = [
            {"modifiers": ["ControlOrMeta"]},
            {"modifiers": ["Shift"]},
            {"button": "middle"},
        ]
        for options in presses:
            result = await click(tab, **options)
            assert [one.url for one in result.new_pages or ()] == [stage.pages.url("/next")], options
            assert (result.no_effect, result.pending_pages) == (None, None)
        monkeypatch.setattr(action_effects, "_WINDOW_TIMEOUT_S", 0.1)
        result = await click(tab, "#n")
        assert (result.new_pages, result.pending_pages) == (None, [stage.pages.url("/nothing")])
        await show(tab, "<a id=t href=/lost-file>x</a>")  # for which the browser shows its error page
        assert (await click(tab)).status == 404

    stage.play("/next", test)


@pytest.mark.parametrize("handler", ["onclick", "onmousedown", "onpointerdown"])
@pytest.mark.parametrize("force", [False, True], ids=["guarded", "by Playwright"])
def test_a_click_that_closes_its_own_page(stage: Stage, handler: str, force: bool) -> None:
    async def test(tab: FakeTab) -> None:
        async with tab.page.expect_popup() as opening:
            await tab.page.evaluate("void open('/next')")
        popup = FakeTab(await opening.value)
        await show(popup, f'<button id=t {handler}="window.close()">x</button>')
        async with popup.page.expect_event("close"):
            result = await click(popup, force=force)
        assert (result.navigated, result.no_effect) == (False, None)

    stage.play("/next", test)


def test_a_ref_whose_element_was_replaced_is_found_again_and_said_to_be(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, '<button id=t onclick="document.title = 1">Send</button>')
        wanted: dict[str, Any] = {
            "max": 9,
            "after": None,
            "offset": 0,
            "roles": None,
            "viewportOnly": False,
            "alternatives": False,
        }
        wanted |= {"bounds": False, "stable": True, "refresh": False, "history": False, "known": [], "frames": []}
        observed = await tab.isolated_worlds.of(tab.page.main_frame).call(
            "observe", wanted | {"prefix": "", "view": None}
        )
        ref = Ref(observed["elements"][0]["ref"])
        assert (await tab.actions.click(ref, ClickOptions())).healed is None
        await tab.page.evaluate("void (document.title = '', t.outerHTML = t.outerHTML)")
        assert (await tab.actions.click(ref, ClickOptions())).healed is True
        assert await tab.page.title() == "1"
        assert (await tab.actions.click(ref, ClickOptions())).healed is None

    stage.play("/next", test)


def test_what_was_once_a_password_stays_in_the_page(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, "<input id=t type=password><input id=p oninput=\"this.value = 'no'\">")
        assert (await tab.actions.fill(Css("#t"), "s3cret", OPTIONS)).value is None
        await tab.page.evaluate("t.type = 'text'")
        assert (await tab.actions.type(Css("#t"), "more", TypeOptions())).value is None
        assert await tab.value("t") == "s3cretmore"
        with pytest.raises(ActionFailed, match="'no'"):
            await tab.actions.fill(Css("#p"), "yes", OPTIONS)

    stage.share("/next", test)


def test_a_page_that_spoils_its_prototypes_is_read_all_the_same(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, "<input id=t><input id=c type=checkbox><select id=s><option>a<option>b</select>")
        await tab.page.evaluate(
            """() => {
              for (const type of [HTMLInputElement, HTMLSelectElement])
                Object.defineProperty(type.prototype, 'value', { get: () => 'lies', set() {}, configurable: true });
              Element.prototype.matches = () => { throw Error('tampered') };
              Element.prototype.getBoundingClientRect = () => ({});
            }"""
        )
        assert (await tab.actions.fill(Css("#t"), "truth", OPTIONS)).value == "truth"
        assert (await tab.actions.check(Css("#c"), OPTIONS)).value is True
        assert (await tab.actions.select(Css("#s"), ["b"], OPTIONS)).value == "b"

    stage.play("/next", test)


def test_the_next_input_of_a_reader_is_not_stopped(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await show(
            tab, "<button id=t onclick=\"o.hidden = false\">x</button><div id=o hidden style='position:fixed;inset:0'>"
        )
        await tab.page.evaluate("void (o.onclick = () => (document.title = 'o'))")
        await click(tab)
        box = await tab.page.locator("#t").bounding_box()
        assert box is not None
        await tab.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert await tab.page.title() == "o"

    stage.play("/next", test)


FIELDS = {
    "text": ("<input id=t value=old>", "new", "new"),
    "empty": ("<input id=t value=old>", "", ""),
    "lines": ("<textarea id=t>old</textarea>", "a\nb", "a\nb"),
    "number": ("<input id=t type=number value=1>", "-2.5", "-2.5"),
    "date": ("<input id=t type=date>", "2026-02-28", "2026-02-28"),
    "colour": ("<input id=t type=color>", "#123456", "#123456"),
    "mail": ("<input id=t type=email value=a@b.c>", "d@e.f", "d@e.f"),
    "editor": ("<div id=t contenteditable><p>old</p><p>text</p></div>", "new", "new"),
    "by its label": ("<label id=t>Name <input></label>", "new", "new"),
    "in a shadow root": (
        "<div id=h></div><script>h.attachShadow({ mode: 'open' }).innerHTML = '<input id=t value=old>'</script>",
        *("new", "new"),
    ),
}


@pytest.mark.parametrize(("body", "value", "expected"), FIELDS.values(), ids=FIELDS)
def test_a_page_sees_a_field_being_filled(stage: Stage, body: str, value: str, expected: str) -> None:
    async def test(tab: FakeTab) -> None:
        ear = "<script>var heard = []; document.addEventListener('input', (e) => heard.push(e.type), true)</script>"
        await show(tab, ear + body)
        assert (await tab.actions.fill(Css("#t"), value, OPTIONS)).value == expected
        heard = await tab.page.evaluate("heard")
        assert heard == ["input"] or (set(heard) == {"input"} and "\n" in value)

    stage.share("/next", test)


UPPER = '<input id=t oninput="this.value = this.value.toUpperCase()">'
PHONE = "<input id=t oninput=\"this.value = this.value.replace(/^(...)(...)(....)$/, '($1) $2-$3')\">"
NUMBER = "<input id=t oninput=\"this.value = '$' + this.value.replace(/^(.)(...)[.]/, '$1,$2.')\">"
DIALLED = "<input id=t oninput=\"this.value = this.value.replace(/^(.)(...)(...)(....)$/, '+$1($2)$3-$4')\">"
ABROAD = "<input id=t oninput=\"this.value = this.value.replace(/^(...)(...)(....)$/, '+49 ($1) $2-$3')\">"
SPELLINGS = {
    "upper case": (UPPER, "pAssWord", "PASSWORD", True),
    "a mask": (PHONE, "5551234567", "(555) 123-4567", True),
    "a number": (NUMBER, "1234.5", "$1,234.5", True),
    "a number for a call": (DIALLED, "12345678901", "+1(234)567-8901", True),
    "a number with its country": (ABROAD, "1511234567", "+49 (151) 123-4567", True),
    "trimmed": ("<input id=t type=email>", " a@b.c ", "a@b.c", True),
    "a colour": ("<input id=t type=color>", "#ABCDEF", "#abcdef", True),
    "as it is": ("<input id=t>", "pAssWord", "pAssWord", None),
    "lines": ("<textarea id=t></textarea>", "a\r\nb", "a\nb", None),
    "an editor": ("<div id=t contenteditable></div>", "a b", "a b", None),
}


@pytest.mark.parametrize(("body", "text", "value", "normalized"), SPELLINGS.values(), ids=SPELLINGS)
@pytest.mark.parametrize("force", [False, True], ids=["in the page", "by Playwright"])
def test_another_spelling_in_the_field_is_reported(
    stage: Stage, body: str, text: str, value: str, normalized: bool | None, force: bool
) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, body)
        result = await tab.actions.fill(Css("#t"), text, ActionOptions(force=force))
        assert (result.value, result.normalized) == (value, normalized)

    stage.share("/next", test)


EDITORS = {
    "paragraphs": "<div id=t contenteditable><p>Draft text</p></div>",
    "lines": "<div id=t contenteditable>Draft</div>",
    "plain text": "<div id=t contenteditable=plaintext-only>Draft</div>",
    "a field": "<textarea id=t>Draft</textarea>",
}


@pytest.mark.parametrize("body", EDITORS.values(), ids=EDITORS)
@pytest.mark.parametrize("force", [False, True], ids=["in the page", "by Playwright"])
def test_typing_goes_on_after_the_lines_that_were_filled_in(stage: Stage, body: str, force: bool) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, body)
        await tab.actions.fill(Css("#t"), "first line\nsecond line", ActionOptions(force=force))
        value = (await tab.actions.type(Css("#t"), " END", TypeOptions())).value
        assert str(value).split() == ["first", "line", "second", "line", "END"]

    stage.share("/next", test)


def test_typing_goes_on_at_the_caret_that_a_click_has_set(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, EDITORS["paragraphs"])
        await tab.actions.fill(Css("#t"), "first line\nsecond line", OPTIONS)
        await tab.actions.press("Control+Home", Css("#t"), OPTIONS)
        value = (await tab.actions.type(Css("#t"), "At last: ", TypeOptions())).value
        assert str(value).split()[:3] == ["At", "last:", "first"]

    stage.share("/next", test)


def test_typed_text_may_be_spelt_otherwise_too(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, UPPER)
        assert (await tab.actions.type(Css("#t"), "ab", TypeOptions())).normalized is True
        assert (await tab.actions.type(Css("#t"), "CD", TypeOptions())).normalized is None
        assert (await tab.actions.clear(Css("#t"), OPTIONS)).normalized is None

    stage.share("/next", test)


def test_no_spelling_of_a_secret_is_reported(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, UPPER.replace("id=t", "id=t type=password"))
        result = await tab.actions.fill(Css("#t"), "pAssWord", OPTIONS)
        assert (result.value, result.normalized) == (None, None)

    stage.share("/next", test)


UNFIT = {
    "date": ("<input id=t type=date value=2026-01-01>", "28.02.2026", "YYYY-MM-DD"),
    "time": ("<input id=t type=time value=10:00>", "10 am", "hh:mm or hh:mm:ss"),
    "month": ("<input id=t type=month value=2026-01>", "January", "YYYY-MM"),
    "week": ("<input id=t type=week value=2026-W01>", "1", "YYYY-Www"),
    "datetime-local": ("<input id=t type=datetime-local value=2026-01-01T10:00>", "2026-02-28", "YYYY-MM-DDThh:mm"),
    "color": ("<input id=t type=color value=#123456>", "rgb", "#rrggbb"),
    "number": ("<input id=t type=number value=7>", "1,5", "digits such as -12.5"),
    "range": ("<input id=t type=range max=10>", "11", "a number from 0 to 10 in steps of 1"),
}


@pytest.mark.parametrize(("body", "text", "expected"), UNFIT.values(), ids=UNFIT)
def test_a_value_that_a_field_can_not_hold_names_the_format_and_changes_nothing(
    stage: Stage, body: str, text: str, expected: str
) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, body)
        before = await tab.value("t")
        with pytest.raises(ActionFailed, match=f"input takes {expected}") as caught:
            await tab.actions.fill(Css("#t"), text, OPTIONS)
        assert caught.value.details["format"] == expected
        assert await tab.value("t") == before

    stage.share("/next", test)


def test_what_is_cut_names_the_length(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, "<input id=t maxlength=3>")
        with pytest.raises(ActionFailed, match="holds 'abc'; the field takes at most 3 characters") as caught:
            await tab.actions.fill(Css("#t"), "abcd", OPTIONS)
        assert caught.value.details["format"] == "at most 3 characters"

    stage.share("/next", test)


@pytest.mark.parametrize("modifiers", [[], ["Shift"]], ids=["plain", "with a key"])
def test_a_release_that_a_dialog_has_swallowed_is_sent_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, modifiers: list[Any]
) -> None:
    async def swallowed(self: Mouse, x: float, y: float, **_: Any) -> None:
        await self.move(x, y)
        await self.down()

    async def test(tab: FakeTab) -> None:
        log = "addEventListener(type, ({ type }) => log.push(type), true)"
        await show(tab, "<button id=t onpointerdown='alert(1)'>x</button>")
        types = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]
        await tab.page.evaluate(f"types => {{ window.log = []; for (const type of types) {log} }}", types)
        with monkeypatch.context() as patched:
            patched.setattr(Mouse, "click", swallowed)
            assert (await click(tab, modifiers=modifiers)).dialog is not None
        assert await tab.page.evaluate("log") == types

    stage.play("/next", test)
