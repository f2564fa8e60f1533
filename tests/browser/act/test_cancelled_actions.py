"""Actions that are given up at any moment: what has not happened by then never does, and nothing stays in the way."""

import asyncio
import contextlib
from typing import Any

import pytest
import trio
from playwright.async_api import Mouse

from agentbrowser.client import Browser
from agentbrowser.methods import page
from agentbrowser.protocol.types.action import ClickOptions
from agentbrowser.protocol.types.selector import Css
from tests.browser.site import Site
from tests.browser.stage import FakeTab, Stage

BUTTON = {"selector": {"type": "css", "value": "button"}}
MARKUP = "<button onclick='hits++' style='position: fixed; left: 50px; top: 50px'>Go</button><script>hits = 0</script>"


async def hits(browser: Browser) -> Any:
    return (await browser.request("script/evaluate", {"expression": "hits", "world": "main"}))["value"]


async def frames_later(browser: Browser) -> None:
    """Let the page come to whatever is still to come."""
    two = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(0)))))"
    await browser.request("script/evaluate", {"expression": two})


@pytest.mark.slow
async def test_a_click_that_is_given_up_has_happened_or_never_does(browser: Browser, site: Site) -> None:
    await browser.call(page.navigate, url=site.html("/", MARKUP))
    done = 0
    for attempt in range(60):
        before = await hits(browser)
        with trio.move_on_after(attempt * 0.0002) as scope:
            await browser.request("action/click", BUTTON)
        after = await hits(browser)
        assert after - before in ((0, 1) if scope.cancelled_caught else (1,))
        await frames_later(browser)
        assert await hits(browser) == after
        done += not scope.cancelled_caught
    # A guard that were left armed would stop this one, which goes by no guard.
    await browser.request("action/click", {**BUTTON, "options": {"force": True}})
    assert await hits(browser) > done


@pytest.mark.parametrize("modifiers", [[], ["Shift"]])
def test_the_press_of_a_click_that_was_given_up_reaches_nothing(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, modifiers: list[Any]
) -> None:
    press, begun, goes_on, is_sent = Mouse.click, asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def late(self: Mouse, *args: Any, **options: Any) -> None:
        begun.set()
        await goes_on.wait()
        await press(self, *args, **options)
        is_sent.set()

    async def test(tab: FakeTab) -> None:
        await tab.page.set_content(MARKUP)
        monkeypatch.setattr(Mouse, "click", late)
        clicking = asyncio.create_task(tab.actions.click(Css("button"), ClickOptions(modifiers=modifiers)))
        await begun.wait()
        clicking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await clicking
        assert await tab.page.evaluate("hits") == 0
        goes_on.set()
        await is_sent.wait()
        assert await tab.page.evaluate("hits") == 0
        monkeypatch.setattr(Mouse, "click", press)
        await tab.actions.click(Css("button"), ClickOptions())
        assert await tab.page.evaluate("hits") == 1

    stage.play("/next", test)


@pytest.mark.parametrize("method", ["action/click", "action/hover", "action/fill"])
async def test_an_element_that_comes_too_late_is_left_alone(browser: Browser, site: Site, method: str) -> None:
    noted = "<script>seen = []; for (const type of ['mouseover', 'mousedown', 'click', 'input', 'focusin']) addEventListener(type, event => event.target.id && seen.push(type), true)</script>"  # noqa: E501
    await browser.call(page.navigate, url=site.html("/", noted))
    params: dict[str, Any] = {"selector": {"type": "css", "value": "#late"}}
    if method == "action/fill":
        params["value"] = "x"
    with trio.move_on_after(0.1) as scope:
        await browser.request(method, params)
    assert scope.cancelled_caught
    script = "document.body.innerHTML = '<input id=late style=\"position: fixed; left: 300px; top: 300px\">', 0"
    await browser.request("script/evaluate", {"expression": script})
    await frames_later(browser)
    assert (await browser.request("script/evaluate", {"expression": "seen", "world": "main"}))["value"] == []
