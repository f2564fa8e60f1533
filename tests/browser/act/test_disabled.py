"""Clicks on parts of disabled controls: actions wait until the control is enabled, and questions agree with them."""

from typing import Final

import pytest

from agentbrowser.browser.act import conditions
from agentbrowser.browser.act.element_probe import ask
from agentbrowser.protocol.errors import ElementNotEnabled, ElementNotVisible
from agentbrowser.protocol.types.action import ActionOptions, ClickOptions
from agentbrowser.protocol.types.selector import Css
from tests.browser.stage import FakeTab, Stage

DISABLED: Final = {
    "in a button": "<button class=c disabled><span id=t>x</span></button>",
    "in a fieldset": "<fieldset class=c disabled><button><span id=t>x</span></button></fieldset>",
    "in a label": "<label><span id=t>x</span><input class=c type=checkbox disabled></label>",
    "label": "<label id=t for=i>x</label><input class=c id=i disabled>",
    "in an ARIA button": "<div role=button class=c aria-disabled=true><span id=t>x</span></div>",
    "in an ARIA group": "<div role=group class=c aria-disabled=true><button id=t>x</button></div>",
}
ENABLED: Final = {
    "words in a fieldset": "<fieldset disabled><span id=t>x</span></fieldset>",
    "legend": "<fieldset disabled><legend><button id=t>x</button></legend></fieldset>",
    "button in a label of a disabled field": "<label><button id=t>x</button><input disabled></label>",
    "without a role": "<div aria-disabled=true><span id=t>x</span></div>",
    "enabled again": "<div role=group aria-disabled=true><button id=t aria-disabled=false>x</button></div>",
}
LATER: Final = """<script>log = []; addEventListener('click', () => log.push('click'));
const enable = () => { const { disabled } = c; c.disabled = false; c.ariaDisabled = disabled ? null : 'false' };
const c = document.querySelector('.c');</script>"""


async def is_enabled(tab: FakeTab) -> bool:
    state = await ask(tab.isolated_worlds.of(tab.frame), {"type": "css", "value": "#t"}, "state")
    return bool(state["enabled"])


@pytest.mark.parametrize("body", DISABLED.values(), ids=DISABLED)
def test_part_of_a_disabled_control_is_not_clicked_until_it_is_enabled(stage: Stage, body: str) -> None:
    async def test(tab: FakeTab) -> None:
        await tab.page.set_content(body + LATER)
        assert not await is_enabled(tab)
        with pytest.raises(ElementNotEnabled):
            await tab.actions.click(Css("#t"), ClickOptions(timeout_ms=100))
        await tab.page.evaluate("void setTimeout(enable, 50)")
        await tab.actions.click(Css("#t"), ClickOptions(timeout_ms=15_000))
        assert (await tab.log())[:1] == ["click"]
        assert await is_enabled(tab)

    stage.play("/next", test)


def test_field_that_is_checked_when_it_is_left_is_left_for_a_disabled_button(stage: Stage) -> None:
    """A press on a disabled button takes the focus; the click waited for its button, and the field for the press."""
    field = "<input id=f onblur='c.disabled = !f.value; log.push(`left`)'><button class=c id=t disabled>Next</button>"

    async def test(tab: FakeTab) -> None:
        await tab.page.set_content(field + LATER)
        await tab.actions.fill(Css("#f"), "Ada", ActionOptions())
        await tab.actions.click(Css("#t"), ClickOptions(timeout_ms=15_000))
        assert await tab.log() == ["left", "click"]
        await tab.page.evaluate("c.disabled = true; f.role = 'combobox'; f.ariaExpanded = 'true'; f.focus()")
        with pytest.raises(ElementNotEnabled):
            await tab.actions.click(Css("#t"), ClickOptions(timeout_ms=600))
        assert await tab.log() == ["left", "click"]

    stage.play("/next", test)


@pytest.mark.parametrize("body", ENABLED.values(), ids=ENABLED)
def test_enabled_element_near_a_disabled_control_is_clicked(stage: Stage, body: str) -> None:
    async def test(tab: FakeTab) -> None:
        await tab.page.set_content(body + LATER)
        assert await is_enabled(tab)
        await tab.actions.click(Css("#t"), ClickOptions(timeout_ms=15_000))
        assert (await tab.log())[:1] == ["click"]

    stage.play("/next", test)


def test_disabled_control_around_an_element_is_disabled_for_conditions(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await tab.page.set_content("<button disabled><span id=t>x</span></button>")
        assert await conditions.mismatch(tab, Css("#t"), "enabled") == "disabled"
        assert await conditions.mismatch(tab, Css("#t"), "disabled") is None

    stage.play("/next", test)


def test_hover_that_fails_on_a_disabled_button_says_what_is_in_its_way(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await tab.page.set_content("<button id=t disabled>x</button><div style='position:fixed;inset:0'></div>")
        with pytest.raises(ElementNotVisible, match="covered"):
            await tab.actions.hover(Css("#t"), ActionOptions(timeout_ms=500))

    stage.play("/next", test)
