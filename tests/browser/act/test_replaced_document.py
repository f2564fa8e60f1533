"""Documents that are replaced between the preparation of an input and the input: unseen input is no success."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final

import pytest
from playwright.async_api import Keyboard, Page

from agentbrowser.browser.act import fast_pointer
from agentbrowser.browser.act.press_watch import REPLACED
from agentbrowser.protocol.errors import ActionFailed
from agentbrowser.protocol.types.action import ActionOptions, ActionResult, ClickOptions, TypeOptions
from agentbrowser.protocol.types.selector import Css
from tests.browser.stage import FakeTab, Stage, opened

BODY: Final = """<style>button, input { position: fixed; left: 50px; top: 50px }</style>
<button id=t>x</button><input id=f style="top: 150px"><script>log = []; onclick = ({ target }) => log.push(target.id);
const go = () => { location = '/gone' }</script>"""
REPLACEMENTS: Final = {"another URL": "location = '/other'", "the same URL": "location.reload()"}
INPUTS: Final = ((fast_pointer, "_click_at"), (Keyboard, "insert_text"), (Keyboard, "type"), (Keyboard, "press"))


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with opened() as stage:
        yield stage


@pytest.mark.parametrize("replacement", REPLACEMENTS)
@pytest.mark.parametrize("action", ["click", "fill", "type", "press"])
def test_input_into_another_document_than_prepared_is_no_success(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, action: str, replacement: str
) -> None:
    async def test(tab: FakeTab) -> None:
        actions, options, field = tab.actions, ActionOptions(timeout_ms=15_000), Css("#f")
        await tab.page.set_content(BODY)
        for owner, name in INPUTS:
            _replace_before(monkeypatch, owner, name, tab.page, REPLACEMENTS[replacement])
        calls: dict[str, Callable[[], Awaitable[Any]]] = {
            "click": lambda: actions.click(Css("#t"), ClickOptions(timeout_ms=15_000)),
            "fill": lambda: actions.fill(field, "new", options),
            "type": lambda: actions.type(field, "new", TypeOptions(timeout_ms=15_000)),
            "press": lambda: actions.press("a", field, options),
        }
        with pytest.raises(ActionFailed, match=REPLACED) as caught:
            await calls[action]()
        assert not caught.value.retryable

    stage.play("/next", test)


def _replace_before(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, page: Page, script: str) -> None:
    """Have the page replace its document right before an input."""
    send = getattr(owner, name)

    async def late(*args: Any, **options: Any) -> None:
        async with page.expect_navigation():
            await page.evaluate(script)
        await send(*args, **options)

    monkeypatch.setattr(owner, name, late)


@pytest.mark.parametrize("event", ["pointerdown", "mousedown", "click"])
def test_click_that_replaces_its_document_is_a_success(stage: Stage, event: str) -> None:
    async def test(tab: FakeTab) -> None:
        url = tab.page.url
        for _ in range(3):
            await tab.page.goto(url)
            await tab.page.set_content(BODY)
            await tab.page.evaluate(f"void (t.on{event} = go)")
            await tab.actions.click(Css("#t"), ClickOptions(timeout_ms=15_000))

    stage.play("/next", test)


def test_click_whose_move_replaces_the_document_lands_in_it_or_fails(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        url = tab.page.url
        for _ in range(3):
            await tab.page.goto(url)
            await tab.page.set_content(BODY)
            await tab.page.evaluate("void (t.onmouseover = go)")
            (outcome,) = await asyncio.gather(
                tab.actions.click(Css("#t"), ClickOptions(timeout_ms=15_000)), return_exceptions=True
            )
            # On a busy machine the new document may come before the press.
            assert isinstance(outcome, ActionResult) or REPLACED in str(outcome)
            await tab.page.wait_for_url("**/gone")

    stage.play("/next", test)
