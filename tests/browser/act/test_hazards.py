"""Hazards between a look and an action, and during the action: it reaches the observed element, or none at all."""

import itertools
from collections import Counter
from typing import Final, Literal

import attrs
import pytest

from agentbrowser.browser.act import fast_pointer
from agentbrowser.methods.agent_observe import ObserveParams
from agentbrowser.protocol.errors import AgentBrowserError, ElementChanged, ElementNotFound
from agentbrowser.protocol.types.action import ActionResult, ClickOptions
from agentbrowser.protocol.types.selector import Ref
from tests.browser.watched_page import Scenarios, WatchedTab

PAGE: Final = "/hazards.html"
LAYOUTS: Final = ("list", "table", "cards", "shadow")
"""Layouts of the page. Each has a quarter of the changes after a look."""
NAMES: Final = {"row": "Add", "section": "Delete", "nav": None}
_LOOK: Final = ObserveParams(max_elements=200)

Place = Literal["row", "section", "nav"]
Nodes = Literal["replaced", "recycled", "moved"]
# `hit`: the element is the same and has to be reached. `refused`: it is gone, or surely no longer known. `safe`: both
# are right.
Outcome = Literal["hit", "refused", "safe"]

# The outcome of each change for a row, a section and the navigation, by what became of their nodes.
HIT: Final[dict[Nodes, Outcome]] = {"replaced": "hit", "recycled": "hit", "moved": "hit"}
REFUSED: Final[dict[Nodes, Outcome]] = {"replaced": "refused", "recycled": "refused", "moved": "refused"}
STAYED: Final[dict[Nodes, Outcome]] = {"replaced": "refused", "recycled": "hit", "moved": "hit"}
SHIFTED: Final[dict[Nodes, Outcome]] = {"replaced": "hit", "recycled": "refused", "moved": "hit"}
COPIED: Final[dict[Nodes, Outcome]] = {"replaced": "refused", "recycled": "safe", "moved": "safe"}

EXPECTED: Final[dict[str, tuple[dict[Nodes, Outcome], dict[Nodes, Outcome], dict[Nodes, Outcome]]]] = {
    "rerender": (HIT, HIT, HIT),
    "counter": (HIT, HIT, HIT),
    "reorder": (SHIFTED, SHIFTED, HIT),
    "insert": (SHIFTED, SHIFTED, HIT),
    "delete_others": (SHIFTED, SHIFTED, HIT),
    "delete_it": (REFUSED, REFUSED, REFUSED),
    "duplicate": (COPIED, COPIED, HIT),
    "data": (REFUSED, REFUSED, HIT),
    "route": (STAYED, STAYED, HIT),
    "query": (STAYED, STAYED, HIT),
    "hash_route": (STAYED, STAYED, HIT),
    "anchor": (HIT, HIT, HIT),
    "route_and_data": (REFUSED, REFUSED, HIT),
    "hash_and_data": (REFUSED, REFUSED, HIT),
    "heading": (REFUSED, REFUSED, HIT),
    "nav_labels": (HIT, HIT, REFUSED),
}
NODES: Final[tuple[Nodes, ...]] = ("replaced", "recycled", "moved")
PLACES: Final[tuple[Place, ...]] = ("row", "section", "nav")


class ActingTab(WatchedTab):
    """An observed tab that resolves its own refs."""

    async def resolve_ref(self, ref: str) -> str:
        return await self.refs.resolve(ref)


@attrs.frozen
class Case:
    """One change between a look and a click."""

    what: str
    how: Nodes
    place: Place
    layout: str
    seed: int

    @property
    def number(self) -> int:
        """Return the position of the element among those of its place."""
        return self.seed % {"row": 5, "section": 2, "nav": 3}[self.place]

    @property
    def outcome(self) -> Outcome:
        """Return the expected outcome."""
        expected = EXPECTED[self.what][PLACES.index(self.place)][self.how]
        # With positions reused, an element stays what it was where nothing before it came or went.
        if expected == "refused" and self.how == "recycled" and self.what in ("reorder", "delete_others"):
            return "safe"
        return expected


async def _look(tab: WatchedTab, case: Case) -> tuple[str, str]:
    """Start anew; return the ref of the element, and the identity that a click on it logs."""
    options = {"seed": case.seed, "layout": case.layout, "marked": case.seed // 4 % 2 == 1}
    await tab.page.evaluate("options => start(options)", options)
    name = NAMES[case.place]
    elements = [one for one in (await tab.refs.observe(_LOOK)).interactive_elements or [] if one.role == "button"]
    of_place = [one for one in elements if one.name == name or (name is None and one.name not in ("Add", "Delete"))]
    ref = of_place[case.number].ref
    if case.place == "row":
        return ref, f"row {case.seed}-{case.number}"
    return ref, ("section " + "ab"[case.number]) if case.place == "section" else f"nav {of_place[case.number].name}"


async def _click(tab: WatchedTab, ref: str) -> ActionResult | AgentBrowserError:
    try:
        return await tab.actions.click(Ref(ref), ClickOptions(timeout_ms=5000))
    except AgentBrowserError as error:
        return error


def _judge(case: Case, wanted: str, log: list[str], answer: ActionResult | AgentBrowserError) -> str:
    """Return the outcome in one word; ``wrong`` for anything that must not happen."""
    if log:
        is_right = log == [wanted] and isinstance(answer, ActionResult) and case.outcome != "refused"
        return "hit" if is_right else f"wrong: {log} for {wanted}, {answer}"
    if not isinstance(answer, ElementChanged | ElementNotFound):
        return f"wrong: {answer}"
    return "refused" if case.outcome != "hit" else f"not followed: {answer} {answer.details}"


async def _check(tab: WatchedTab, layout: str, script: str, part: int, parts: int) -> list[str]:
    """Have a script make each change of one part of them in turn, click, and return what went wrong."""
    acting, failures, outcomes = ActingTab(tab.page), list[str](), Counter[str]()
    for seed, (what, how, place) in enumerate(itertools.product(EXPECTED, NODES, PLACES)):
        if (seed // 9 + seed // 3 % 3 + seed % 3) % parts != part:  # each has all changes, all nodes and all places
            continue
        case = Case(what, how, place, layout, seed)
        ref, wanted = await _look(acting, case)
        await tab.page.evaluate(script, {"what": what, "how": how, "n": case.number})
        answer = await _click(acting, ref)
        outcome = _judge(case, wanted, await acting.log(), answer)
        outcomes[outcome.partition(":")[0]] += 1
        if outcome not in ("hit", "refused"):
            failures.append(f"{case}: {outcome}")
    assert outcomes["hit"] > outcomes["refused"] > 0, outcomes
    return failures


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_click_after_any_change_reaches_the_observed_element_or_none(scenarios: Scenarios, layout: str) -> None:
    failures: list[str] = []

    async def scenario(tab: WatchedTab) -> None:
        part, parts = LAYOUTS.index(layout), len(LAYOUTS)
        failures.extend(await _check(tab, layout, "options => change(options)", part, parts))

    scenarios.page(PAGE, scenario)
    assert not failures, "\n".join(failures)


# The pointer moves onto the element after the last check of its place, and before the press.
_AS_THE_POINTER_COMES: Final = "options => addEventListener('pointermove', () => change(options), { once: true })"


@pytest.mark.slow
@pytest.mark.parametrize(("is_fast", "third"), [(True, 1), (False, 0)], ids=["guarded", "by Playwright"])
def test_a_click_during_any_change_reaches_the_observed_element_or_none(
    scenarios: Scenarios, monkeypatch: pytest.MonkeyPatch, is_fast: bool, third: int
) -> None:
    failures: list[str] = []

    async def unready(*_: object) -> bool:
        return False

    if not is_fast:
        monkeypatch.setattr(fast_pointer, "click", unready)

    async def scenario(tab: WatchedTab) -> None:
        failures.extend(await _check(tab, "list", _AS_THE_POINTER_COMES, third, 3))

    scenarios.page(PAGE, scenario)
    assert not failures, "\n".join(failures)
