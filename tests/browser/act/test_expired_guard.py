"""A guard that has stood down before its input came, or before it was asked: told as it was, not as a document gone."""

import pytest
from playwright.async_api import Keyboard

from agentbrowser.browser.act import fast_pointer
from agentbrowser.browser.act.attempt import ActionAttempt
from agentbrowser.browser.page import isolated_world
from agentbrowser.protocol.errors import ActionFailed
from agentbrowser.protocol.types.action import ActionOptions, ClickOptions, Point
from agentbrowser.protocol.types.selector import Css
from tests.browser.stage import FakeTab, Stage

AIMED = ClickOptions(timeout_ms=15_000)
PAGE = """<!doctype html><title>Late</title><style>button, a { position: absolute; left: 50px; top: 50px }</style><body>
<script>log = []; addEventListener('click', ({ target }) => log.push(target.id))</script>"""
# Of two timers of one document, the one that is due first goes first.
STOOD_DOWN = "new Promise(done => setTimeout(done, 20))"


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have guards stand down at once, as on a machine that has stalled."""
    short = isolated_world._INSTALL.replace("GUARD_MS=3e3", "GUARD_MS=10")
    assert short != isolated_world._INSTALL
    monkeypatch.setattr(isolated_world, "_INSTALL", short)


@pytest.fixture
def _late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have clicks come when the guard has stood down."""
    click = fast_pointer._click_at

    async def late(act: ActionAttempt, point: Point, press: fast_pointer.MouseClick) -> None:
        await act.tab.page.evaluate(f"{STOOD_DOWN}.then(() => globalThis.meanwhile?.())")
        await click(act, point, press)

    monkeypatch.setattr(fast_pointer, "_click_at", late)


@pytest.fixture
def _lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have clicks never come."""

    async def lost(act: ActionAttempt, point: Point, press: fast_pointer.MouseClick) -> None:
        await act.tab.page.evaluate(STOOD_DOWN)

    monkeypatch.setattr(fast_pointer, "_click_at", lost)


async def show(tab: FakeTab, body: str) -> None:
    await tab.page.goto(tab.page.url.partition("#")[0])
    await tab.page.set_content(PAGE + body)


@pytest.mark.usefixtures("_late")
def test_a_click_that_lands_late_is_told_as_done(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, "<button id=t>x</button>")
        assert (await tab.actions.click(Css("#t"), AIMED)).no_effect is None
        assert await tab.log() == ["t"]

    stage.play("/next", test)


@pytest.mark.usefixtures("_late")
def test_a_late_click_that_follows_a_link_is_told_as_done(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, "<a id=t href='/other'>x</a>")
        assert (await tab.actions.click(Css("#t"), AIMED)).navigated
        assert tab.page.url.endswith("/other")

    stage.play("/next", test)


@pytest.mark.usefixtures("_late")
def test_a_late_click_that_lands_elsewhere_is_not_told_as_done(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        moves = "<script>meanwhile = () => (t.style.left = '500px')</script>"
        await show(tab, f"<button id=d>x</button><button id=t>x</button>{moves}")
        with pytest.raises(ActionFailed, match="went elsewhere") as caught:
            await tab.actions.click(Css("#t"), AIMED)
        assert not caught.value.retryable
        assert await tab.log() == ["d"]

    stage.play("/next", test)


@pytest.mark.usefixtures("_lost")
@pytest.mark.parametrize("action", ["click", "dblclick", "check"])
def test_a_click_that_nobody_has_seen_is_not_told_as_done(stage: Stage, action: str) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, "<input id=t type=checkbox>")
        with pytest.raises(ActionFailed, match="was not seen to come") as caught:
            await getattr(tab.actions, action)(Css("#t"), AIMED)
        assert not caught.value.retryable
        assert await tab.log() == []
        assert not await tab.page.evaluate("t.checked")

    stage.play("/next", test)


def test_what_has_landed_in_time_is_told_late(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    click = fast_pointer._click_at

    async def slow(act: ActionAttempt, point: Point, press: fast_pointer.MouseClick) -> None:
        await click(act, point, press)
        await act.tab.page.evaluate(STOOD_DOWN)

    monkeypatch.setattr(fast_pointer, "_click_at", slow)

    async def test(tab: FakeTab) -> None:
        await show(tab, "<button id=t>x</button>")
        assert (await tab.actions.dblclick(Css("#t"), AIMED)).no_effect is None
        assert await tab.log() == ["t", "t"]

    stage.play("/next", test)


@pytest.mark.parametrize("comes", [True, False])
def test_a_late_text_is_told_as_the_field_holds_it(stage: Stage, monkeypatch: pytest.MonkeyPatch, comes: bool) -> None:
    insert = Keyboard.insert_text

    async def test(tab: FakeTab) -> None:
        async def late(self: Keyboard, text: str) -> None:
            await tab.page.evaluate(STOOD_DOWN)
            if comes:
                await insert(self, text)

        monkeypatch.setattr(Keyboard, "insert_text", late)
        await show(tab, "<input id=t>")
        if comes:
            assert (await tab.actions.fill(Css("#t"), "new", AIMED)).value == "new"
        else:
            with pytest.raises(ActionFailed):
                await tab.actions.fill(Css("#t"), "new", AIMED)
        assert await tab.value("t") == ("new" if comes else "")

    stage.play("/next", test)


def test_a_guard_that_has_stood_down_lets_all_through(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await show(tab, "<button id=d>x</button><button id=t>x</button>")
        async with tab.actions.attempt("click", Css("#t"), ActionOptions(timeout_ms=15_000)) as act:
            aim = await fast_pointer._prepare_target(act)
        assert isinstance(aim, fast_pointer.PointerTarget)
        await tab.page.evaluate(f"t.style.left = '500px', {STOOD_DOWN}")
        await tab.page.mouse.click(aim.point.x, aim.point.y)
        assert await tab.log() == ["d"]

    stage.play("/next", test)
