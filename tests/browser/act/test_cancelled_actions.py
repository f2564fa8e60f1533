"""Actions that are given up at any moment: what has not happened by then never does, and nothing stays in the way."""

from typing import Any

import pytest
import trio

from agentbrowser.client import Browser
from agentbrowser.methods import page
from tests.browser.site import Site

BUTTON = {"selector": {"type": "css", "value": "button"}}
MARKUP = "<button onclick='hits++' style='position: fixed; left: 50px; top: 50px'>Go</button><script>hits = 0</script>"


async def hits(browser: Browser) -> Any:
    return (await browser.request("script/evaluate", {"expression": "hits", "world": "main"}))["value"]


async def frames_later(browser: Browser) -> None:
    """Let the page come to whatever is still to come."""
    two = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(0)))))"
    await browser.request("script/evaluate", {"expression": two})


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
