"""Fields in a box that opens them, which a page draws over or around them: chosen values, placeholders, switches."""

import pytest

from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.types.action import ActionOptions, ClickOptions
from agentbrowser.protocol.types.selector import Css
from tests.browser.watched_page import Scenarios, WatchedTab

STYLE = """<style>.box { position: relative; width: 300px; height: 32px } .box input { width: 200px; height: 24px }
.over { position: absolute; left: 0; top: 0; width: 300px; height: 30px; background: #eee }
.through input { pointer-events: none }</style>
<script>window.opened = 0; document.addEventListener('DOMContentLoaded', () => {
  for (const box of document.querySelectorAll('[data-on]'))
    box.addEventListener(box.dataset.on, { handleEvent() { opened++; box.title = opened } });
})</script>"""
FIELD = "<input id=t role=combobox readonly aria-label=Zone>"
PLACEHOLDER = "<div class=over><span>Select a zone</span></div>"
OPENED = {
    "a placeholder over it": f"<div class=box data-on=click><div><div>{FIELD}</div>{PLACEHOLDER}</div></div>",
    "the box around it": f"<div class='box through' data-on=mousedown><div>{FIELD}</div><i class=arrow></i></div>",
    "a field that keeps its value": f"<div class=box data-on=mousedown>{FIELD}{PLACEHOLDER}"
    "<input tabindex=-1 aria-hidden=true></div>",
    "a field that is hidden": f"<div class=box data-on=mousedown>{FIELD}{PLACEHOLDER}<select hidden></select></div>",
    "a field of text": f"<div class=box data-on=click><div><input id=t></div>{PLACEHOLDER}</div>",
}
REFUSED = {
    "a placeholder that opens nothing": f"<div class=box>{FIELD}{PLACEHOLDER}</div>",
    "a cross to clear it": f"<div class=box data-on=click>{FIELD}<div class=over data-on=mousedown>x</div></div>",
    "a button": f"<div class=box data-on=click>{FIELD}<button class=over>x</button></div>",
    "a box with another field": f"<div class=box data-on=click>{FIELD}{PLACEHOLDER}<input></div>",
    "a large part of the page": f"<main class=box style='height:500px' data-on=click>{FIELD}{PLACEHOLDER}</main>",
    "a button below": f"<div class=box data-on=click><button id=t style='width:90px'>Go</button>{PLACEHOLDER}</div>",
}


def test_a_click_on_a_field_reaches_the_box_that_opens_it(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        for name, markup in OPENED.items():
            await tab.page.set_content(STYLE + markup)
            await tab.actions.click(Css("#t"), ClickOptions(timeout_ms=2000))
            assert (name, await tab.page.evaluate("opened")) == (name, 1)
        for name, markup in REFUSED.items():
            await tab.page.set_content(STYLE + markup)
            with pytest.raises(AgentBrowserError, match="covered"):
                await tab.actions.click(Css("#t"), ClickOptions(timeout_ms=100))
            assert (name, await tab.page.evaluate("opened")) == (name, 0)

    scenarios.markup("", scenario)


SWITCH = """<label for=alerts>Alerts</label><div id=drawn><input id=alerts type=checkbox role=switch aria-checked=false
style="position:absolute;opacity:0;width:0;height:0"><span style="display:block;width:40px;height:20px"></span></div>
<input id=shown type=checkbox aria-checked=true aria-label=Shown><script>drawn.addEventListener('click', (event) => {
  event.preventDefault();
  alerts.setAttribute('aria-checked', alerts.getAttribute('aria-checked') !== 'true');
})</script>"""


def test_a_drawn_switch_that_cancels_its_clicks_is_checked_once(scenarios: Scenarios) -> None:
    """Its box is never checked: what the page shows is in ``aria-checked``. Not so with a box that shows itself."""

    async def scenario(tab: WatchedTab) -> None:
        options = ActionOptions(timeout_ms=2000)

        async def state() -> list[object]:
            states = [element.checked for element in (await tab.see()).values()]
            return [one for one in states if one is not None]

        assert await state() == [False, False]
        assert (await tab.actions.check(Css("#alerts"), options)).value is True
        assert await state() == [True, False]
        assert (await tab.actions.check(Css("#alerts"), options)).no_effect
        assert (await tab.actions.uncheck(Css("#alerts"), options)).value is False
        assert await state() == [False, False]

    scenarios.markup(SWITCH, scenario)
