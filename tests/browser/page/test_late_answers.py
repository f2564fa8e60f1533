"""Dialogs that an action opens, and that the client answers once it has the result."""

from typing import Any

import pytest
import trio

from agentbrowser.config import Config
from agentbrowser.methods import dialog, page
from agentbrowser.protocol import errors
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import Server
from tests.browser.page.test_dialogs import AT_ONCE_S
from tests.browser.site import Site


@pytest.fixture
def config() -> Config:
    return Config(port=0, scope=Scope.STANDARD, dialog_timeout_s=60.0, drain_timeout_s=1)


PRESSING = """<button id=b onpointerdown="if (!this.asked) { this.asked = true; alert('Down') }">b</button>
<p id=goal>goal</p>
<input id=f onfocus="if (!this.asked) { this.asked = true; alert('Focus') }">
<script>for (const type of ['pointerdown', 'pointerup', 'click']) addEventListener(type, () => {
  document.title = `${document.title} ${type}`.trim() }, true)</script>"""
PRESSES = {
    "a click": ("action/click", {"selector": "#b"}),
    "a click of Playwright's": ("action/click", {"selector": "#b", "options": {"force": True}}),
    "a drag": ("action/drag", {"source": "#b", "target": "#goal"}),
}


@pytest.mark.slow
@pytest.mark.parametrize(("method", "params"), PRESSES.values(), ids=PRESSES)
async def test_a_press_whose_dialog_is_answered_late_has_its_release(
    server: Server, site: Site, method: str, params: dict[str, Any]
) -> None:
    async with server.connect() as browser:
        for _ in range(3):  # the release comes before the dialog in some of them
            await browser.call(page.navigate, url=site.html("/press", PRESSING))
            pressed = await browser.request(method, params)
            assert pressed["dialog"]["answered"] == "open"
            await browser.call(dialog.handle, action="accept")
            (there,) = (await browser.call(page.list_pages)).pages
            assert "pointerdown pointerup" in there.title


@pytest.mark.parametrize("method", ["action/fill", "action/type", "action/press", "action/clear"])
async def test_a_dialog_on_the_focus_ends_the_action_before_its_input(server: Server, site: Site, method: str) -> None:
    own = {"action/fill": {"value": "x"}, "action/type": {"text": "x"}, "action/press": {"key": "x"}}.get(method, {})
    async with server.connect() as browser:
        await browser.call(page.navigate, url=site.html("/press", PRESSING))
        with trio.fail_after(AT_ONCE_S), pytest.raises(errors.ActionFailed) as caught:
            await browser.request(method, {"selector": "#f", **own})
        assert caught.value.details["dialog"] == {"type": "alert", "message": "Focus"}
        assert "dialog/handle" in (caught.value.recovery_hint or "")
        await browser.call(dialog.handle, action="accept")
        done = await browser.request(method, {"selector": "#f", **own})
        assert done.get("value") in ("x", "", None)
