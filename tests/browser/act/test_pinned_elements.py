"""Slow paths of actions by ref: they reach the element of the ref, not what its path leads to after a re-render."""

from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final

import pytest

from agentbrowser.browser.act import fast_input, fast_pointer
from agentbrowser.browser.act.attempt import ActionAttempt
from agentbrowser.protocol.errors import Timeout
from agentbrowser.protocol.types.action import ActionOptions, TypeOptions
from agentbrowser.protocol.types.selector import Css, Ref
from tests.browser.act.test_hazards import ActingTab
from tests.browser.watched_page import Scenarios, WatchedTab, scenario_runner

CONTROLS: Final = {
    "fill": "<input aria-label=NAME>",
    "type": "<input aria-label=NAME>",
    "check": "<input type=checkbox aria-label=NAME>",
    "select": "<select aria-label=NAME><option>old<option>new</select>",
}
# Rows come before the observed one once it was found, so that its path leads to another row.
PAGE: Final = """<!doctype html><div id=rows>ROWS</div><script>
const grow = () => rows.prepend(...[...rows.children].map((row) => row.cloneNode(true)));
const touched = () => [...rows.children].flatMap(({ firstChild }, place) =>
  (firstChild.checked || firstChild.value === 'new' ? [place] : []));</script>"""
OPTIONS: Final = ActionOptions(timeout_ms=8000)


@pytest.fixture(scope="module")
def scenarios() -> Iterator[Scenarios]:
    with scenario_runner() as scenarios:
        yield scenarios


@pytest.mark.parametrize("action", CONTROLS)
def test_slow_action_by_ref_reaches_the_observed_element(
    scenarios: Scenarios, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    state = ActionAttempt.state

    async def unready(*_: object, **__: object) -> None:
        return None

    async def growing(act: ActionAttempt, *args: Any) -> Any:
        found = await state(act, *args)
        monkeypatch.setattr(ActionAttempt, "state", state)
        await act.tab.page.evaluate("grow()")
        return found

    for module, name in ((fast_input, "fill"), (fast_input, "type_"), (fast_input, "choose"), (fast_pointer, "check")):
        monkeypatch.setattr(module, name, unready)

    async def scenario(tab: WatchedTab) -> None:
        acting = ActingTab(tab.page)
        names = {element.name: Ref(ref) for ref, element in (await acting.see()).items()}
        calls: dict[str, Callable[[Ref], Awaitable[Any]]] = {
            "fill": lambda ref: acting.actions.fill(ref, "new", OPTIONS),
            "type": lambda ref: acting.actions.type(ref, "new", TypeOptions(timeout_ms=8000)),
            "check": lambda ref: acting.actions.check(ref, OPTIONS),
            "select": lambda ref: acting.actions.select(ref, ["new"], OPTIONS),
        }
        monkeypatch.setattr(ActionAttempt, "state", growing)
        await calls[action](names["b"])
        assert await tab.page.evaluate("touched()") == [4]

    rows = "".join(f"<p>{CONTROLS[action].replace('NAME', name)}</p>" for name in "abc")
    scenarios.markup(PAGE.replace("ROWS", rows), scenario)


async def _unready(*_: object, **__: object) -> bool:
    return False


def test_element_that_was_found_too_late_is_not_reported_as_missing(
    scenarios: Scenarios, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fast_pointer, "hover", _unready)

    async def scenario(tab: WatchedTab) -> None:
        with pytest.raises(Timeout, match="The element was found"):
            await tab.actions.hover(Css("#t"), ActionOptions(timeout_ms=0))

    scenarios.markup("<button id=t>x</button>", scenario)
