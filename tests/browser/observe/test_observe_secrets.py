"""Secrets stay in the page, whatever the page does to its fields."""

import pytest

from agentbrowser.browser.semantic.candidates import interactive
from agentbrowser.methods.agent_observe import ObserveParams
from agentbrowser.protocol.codec import unstructure
from tests.browser.watched_page import Scenarios, WatchedTab

PAGE = "/observe_secrets_hostile.html"


@pytest.mark.parametrize("first", [1, 2000])
def test_no_secret_leaves_before_or_after_the_page_shows_it(scenarios: Scenarios, first: int) -> None:
    """Covers also a secret that was not described yet when the page shows it."""

    async def scenario(tab: WatchedTab) -> None:
        for count in (first, 2000):
            result = await tab.refs.observe(ObserveParams(max_elements=count, include_bounds=True))
            changes = await tab.refs.observe(ObserveParams(incremental=True))
            assert "SECRET" not in str([unstructure(result), unstructure(changes)])
            await (await tab.cdp()).send("Runtime.evaluate", {"expression": "go()"})
        found = {element.ref: element for element in result.interactive_elements or []}
        assert len(found) > 20
        assert {ref: element.value for ref, element in found.items() if element.value} == {
            "@passport": "fine", "@described": "open",
        }  # fmt: skip
        assert found["@wrap"].name == "Code"
        assert found["@around"].name == "Unlock"

    scenarios.page(PAGE, scenario)


def test_no_selector_is_made_of_a_secret(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        found = await tab.see()
        assert "SECRET" not in str([unstructure(element) for element in found.values()])
        assert all("SECRET" not in str(thing) for thing in await interactive(tab))

    scenarios.look_at(PAGE, scenario)


def test_the_value_of_a_combobox_is_its_visible_text(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        [element, _] = (await tab.see()).values()
        assert (element.role, element.value) == ("combobox", "Paris France")

    dots = "<span contenteditable style='-webkit-text-security: disc'>SECRET</span>"
    hidden = "<script>'no text'</script><i hidden>London</i>"
    scenarios.look(f"<div role=combobox tabindex=0>Paris <b>France</b>{hidden}{dots}</div>", scenario)
