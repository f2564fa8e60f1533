"""A sequence's times, to the millisecond, and what it hands on: pages, errors. The browser is scripted."""

import itertools
from collections.abc import Iterator
from typing import Any

import attrs
import pytest
import trio
import trio.testing

from agentbrowser.methods.action import ClickParams
from agentbrowser.methods.agent_observe import ObserveParams
from agentbrowser.protocol.errors import (
    ActionFailed,
    AgentBrowserError,
    ApprovalDenied,
    ElementNotFound,
    NavigationFailed,
    Timeout,
)
from agentbrowser.protocol.registry import METHODS, Scope, TabState, method, page_method
from agentbrowser.protocol.types.page import Nothing
from agentbrowser.protocol.types.sequence import Expectation
from agentbrowser.server.corridor.approvals import Approvals
from tests.loop.memory_client import FakeTab, FakeTabs, dialogue

ACTIONS = "click dblclick hover check uncheck clear fill type press scroll select upload drag"
MOVES = "navigate reload goBack goForward"

tries: list[float] = []
looks: list[str] = []
"""What was looked at on which page, in its order."""
LASTS_S: dict[str, float] = {}
TROUBLES: dict[str, AgentBrowserError] = {}


@attrs.frozen
class Page:
    """A page on which every look takes as long, and ends, as the script says."""

    page_id: str | None
    actions: FakeTab

    @property
    def tabs(self) -> FakeTabs:
        return FakeTabs()

    @property
    def settler(self) -> FakeTab:
        return self.actions

    @property
    def hold(self) -> FakeTab:
        return self.actions

    async def wait_for(self, selector: Any, state: str, timeout_s: float) -> None:
        await self._look("condition")

    async def expect(self, expect: Expectation, element: Any, action: str) -> None:
        await self._look("expect")

    async def observe(self, params: ObserveParams) -> Nothing:
        await self._look("before" if params.max_elements == 1 else "after")
        return Nothing()

    async def _look(self, what: str) -> None:
        looks.append(f"{what} on {self.page_id}")
        await trio.sleep(LASTS_S.get(what, 0))
        if what in TROUBLES:
            raise TROUBLES[what]


async def page(self: FakeTabs, page_id: str | None, state: TabState = TabState.UNBLOCKED) -> Page:
    """Return the page of that name, whatever it is."""
    return Page(page_id, FakeTab(self, self.offered))


async def observe(tabs: Any, params: ObserveParams) -> Nothing:
    """Look at the scripted page."""
    page: Page = await tabs.tab(params.page_id)
    return await page.observe(params)


@attrs.frozen(kw_only=True)
class TryParams:
    fails: int = 0
    fault: str = ""
    lasts: float = 0
    page_id: str | None = None


async def attempt(tabs: Any, params: TryParams) -> Nothing:
    """Fail so many times, after a while."""
    tries.append(trio.current_time())
    await trio.sleep(params.lasts)
    if params.fault == "acted":
        raise Timeout.under_way("click")
    if params.fault == "denied":
        raise ApprovalDenied("No.")
    if len(tries) <= params.fails:
        raise ElementNotFound("Nothing matches.")
    return Nothing()


@pytest.fixture(autouse=True)
def _methods(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    before = dict(METHODS)
    for script in (tries, looks, LASTS_S, TROUBLES):
        script.clear()
    method("test/try", TryParams, scope=Scope.STANDARD, step=True)(attempt)
    del METHODS["agent/observe"]
    method("agent/observe", ObserveParams, scope=Scope.READONLY)(observe)
    monkeypatch.setattr(FakeTabs, "tab", page, raising=False)
    yield
    METHODS.clear()
    METHODS.update(before)


async def act(*steps: dict[str, Any], **params: Any) -> Any:
    async with dialogue() as client:
        client.session.active = "page-1"  # as if it were there already
        await client.ask(1, "agent/act", steps=[{"action": "test/try", **step} for step in steps], **params)
        return (await client.hear())["result"]


def waits_ms() -> list[int]:
    return [round((after - before) * 1000) for before, after in itertools.pairwise(tries)]


def test_the_steps_are_the_seeds_seventeen_and_a_wait() -> None:
    steps = [f"action/{name}" for name in ACTIONS.split()] + [f"page/{name}" for name in MOVES.split()]
    assert len(steps) == 17
    assert {name for name, one in METHODS.items() if one.step} == {*steps, "page/waitFor", "test/try"}


@pytest.mark.parametrize(
    ("step", "expected_ms"),
    [
        ({"maxRetries": 3}, [500, 1000, 2000]),
        ({"maxRetries": 2, "retryDelay": 100}, [100, 200]),
        ({}, [500]),
    ],
)
async def test_each_retry_waits_twice_as_long(
    step: dict[str, Any], expected_ms: list[int], autojump_clock: trio.testing.MockClock
) -> None:
    result = await act({"params": {"fails": 9}, "onError": "retry", **step})
    assert waits_ms() == expected_ms
    assert result["results"][0]["retries"] == len(expected_ms)
    assert result["results"][0]["duration"] == sum(expected_ms)
    assert result["failedAt"] == 0


async def test_a_retry_that_succeeds_is_the_last(autojump_clock: trio.testing.MockClock) -> None:
    result = await act({"params": {"fails": 2}, "onError": "retry", "maxRetries": 5}, {})
    assert waits_ms() == [500, 1000, 0]
    assert (result["success"], result["completed"]) == (True, 2)
    assert [step.get("retries") for step in result["results"]] == [2, None]
    assert "error" not in result["results"][0]


@pytest.mark.parametrize("on_error", ["stop", "skip", None])
async def test_only_retry_tries_again(on_error: str | None, autojump_clock: trio.testing.MockClock) -> None:
    await act({"params": {"fails": 1}, "onError": on_error, "maxRetries": 5})
    assert len(tries) == 1


@pytest.mark.parametrize("fault", ["acted", "denied"])
async def test_what_may_have_acted_or_was_denied_is_not_tried_again(
    fault: str, autojump_clock: trio.testing.MockClock
) -> None:
    """A click that was under way at its timeout was repeated five times: it may have paid each time."""
    result = await act({"params": {"fault": fault}, "onError": "retry", "maxRetries": 5})
    assert len(tries) == 1
    assert result["success"] is False


@pytest.mark.parametrize(
    "step",
    [{"params": {"lasts": 60}}, {"params": {"fails": 9}, "onError": "retry", "retryDelay": 5000}],
    ids=["in a step", "between two tries"],
)
async def test_the_timeout_is_the_whole_sequences(step: dict[str, Any], autojump_clock: trio.testing.MockClock) -> None:
    result = await act({"params": {"lasts": 1}}, step, {}, timeout=3000)
    assert result["duration"] == 3000
    assert [one["duration"] for one in result["results"]] == [1000, 2000]
    assert result["results"][1]["error"]["code"] == -32016
    assert result["results"][1]["error"]["data"]["details"]["method"] == "test/try"
    assert (result["completed"], result["failedAt"]) == (1, 1)


async def test_steps_have_their_own_deadlines_within_it(autojump_clock: trio.testing.MockClock) -> None:
    """Each step gets a request's 30 s, so that a sequence may last longer than a request."""
    result = await act(*[{"params": {"lasts": 20}}] * 3, timeout=100_000)
    assert (result["success"], result["duration"]) == (True, 60_000)


CONDITION = {"selector": {"type": "css", "value": "p"}, "state": "visible"}
EXPECT = {"text": "x"}
BEFORE = {"maxElements": 1}
FULL: dict[str, Any] = {"condition": CONDITION, "expect": EXPECT}


@pytest.mark.parametrize(
    ("slow", "had", "result"),
    [
        ("before", "had not begun", None),
        ("condition", "had not begun", None),
        ("expect", "was done", {}),
    ],
)
async def test_the_timeout_ends_whatever_is_waited_for(
    slow: str, had: str, result: Any, autojump_clock: trio.testing.MockClock
) -> None:
    LASTS_S[slow] = 60
    told = await act(FULL, {}, timeout=3000, preObserve=BEFORE, postObserve=True)
    assert told["duration"] == 3000
    (step,) = told["results"]
    assert (step["success"], step.get("result"), step["error"]["code"]) == (False, result, -32016)
    assert f"test/try {had}" in step["error"]["message"]
    assert (told["failedAt"], len(tries)) == (0, 0 if result is None else 1)
    assert told["postObservationError"]["code"] == -32016
    assert "postObservation" not in told
    assert "after on page-1" not in looks


async def test_a_slow_observation_is_no_step(autojump_clock: trio.testing.MockClock) -> None:
    LASTS_S["after"] = 60
    for fails, completed in ((0, 2), (9, 0)):
        result = await act({"params": {"fails": fails}}, {}, timeout=3000, postObserve=True)
        assert len(result["results"]) == max(completed, 1)
        assert (result["completed"], result.get("failedAt")) == (completed, None if completed else 0)
        assert result["postObservationError"]["code"] == -32016
        tries.clear()


async def test_an_interrupted_retry_tells_why_the_try_before_failed(autojump_clock: trio.testing.MockClock) -> None:
    step = {"params": {"fails": 9}, "onError": "retry", "retryDelay": 1000, "maxRetries": 5}
    result = (await act(step, timeout=4000))["results"][0]
    assert result["retries"] == 2
    assert "had failed and was to be tried again" in result["error"]["message"]
    assert result["error"]["data"]["details"] == {"timeout": 4000, "method": "test/try", "reason": "Nothing matches."}


async def test_an_observation_that_fails_afterwards_is_told_with_what_was_done() -> None:
    TROUBLES["after"] = NavigationFailed("It broke.", url="http://a.test/")
    result = await act({}, {}, postObserve=True)
    assert (result["success"], result["completed"]) == (True, 2)
    assert result["postObservationError"] == TROUBLES["after"].to_wire()
    assert "postObservation" not in result


async def test_an_observation_that_fails_before_fails_the_request() -> None:
    TROUBLES["before"] = NavigationFailed("It broke.", url="http://a.test/")
    async with dialogue() as client:
        await client.ask(1, "agent/act", steps=[{"action": "test/try"}], preObserve=BEFORE)
        assert (await client.hear())["error"] == TROUBLES["before"].to_wire()
    assert tries == []


async def test_every_look_is_at_the_page_of_its_step() -> None:
    elsewhere = FULL | {"params": {"pageId": "p2"}}
    await act(FULL, elsewhere, FULL, pageId="p1", preObserve=BEFORE, postObserve=BEFORE | {"pageId": "p3"})
    steps = [f"{what} on {page_id}" for page_id in ("p1", "p2", "p1") for what in ("condition", "expect")]
    assert looks == ["before on p1", *steps, "before on p3"]


async def test_the_pages_that_are_observed_are_taken_in_the_order_of_arrival(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with dialogue() as client:
        await client.ask(1, "test/try", lasts=5, pageId="p3")
        await client.ask(2, "agent/act", steps=[{"action": "test/try"}], pageId="p1", postObserve={"pageId": "p3"})
        await client.ask(3, "test/try", pageId="p3")
        assert [(await client.hear())["id"] for _ in range(3)] == [1, 2, 3]


async def test_what_is_not_as_expected_is_tried_again_and_has_a_result(autojump_clock: trio.testing.MockClock) -> None:
    TROUBLES["expect"] = ActionFailed("It is not there.", expected={"text": "x"}, got={"text": None})
    result = await act(FULL | {"onError": "retry", "maxRetries": 2}, {})
    assert (len(tries), len(result["results"]), result["failedAt"]) == (3, 1, 0)
    assert result["results"][0]["error"] == TROUBLES["expect"].to_wire()
    assert result["results"][0]["result"] == {}
    assert looks == ["condition on page-1", "expect on page-1"] * 3


async def test_the_result_is_that_of_the_last_try(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def expect(self: Page, *expected: Any) -> None:
        TROUBLES["condition"] = ElementNotFound("It is gone.")
        raise ActionFailed("It is not there.")

    monkeypatch.setattr(Page, "expect", expect)
    (step,) = (await act(FULL | {"onError": "retry"}))["results"]
    assert (len(tries), step["retries"], step["error"]["code"]) == (1, 1, -32012)
    assert "result" not in step


async def test_a_step_that_fails_is_not_looked_at_for_what_it_should_lead_to() -> None:
    result = await act(FULL | {"params": {"fails": 1}})
    assert looks == ["condition on page-1"]
    assert "result" not in result["results"][0]


async def log_offer(tab: Any, params: ClickParams) -> Nothing:
    """Log the step that is offered while this one runs."""
    offered = tab.actions.offered
    looks.append(offered[0][1].selector.value if offered else "nothing")
    return Nothing()


def click(css: str, *, action: str = "action/click", **step: Any) -> dict[str, Any]:
    page_id, params = step.pop("page_id", None), step.pop("params", {})
    aimed = {"selector": {"type": "css", "value": css}, "pageId": page_id, **params}
    return {"action": action, "params": aimed, **step}


PAUSE = {"selector": {"type": "css", "value": "#x"}, "state": "visible"}


@pytest.mark.parametrize(
    ("step", "following", "offered"),
    [
        (click("#a"), click("#b"), "#b"),
        (click("#a"), click("#b", action="action/hover"), "#b"),
        (click("#a", onError="retry", maxRetries=1), click("#b", onError="skip"), "#b"),
        (click("#a", expect={"text": "x"}), click("#b"), "nothing"),
        (click("#a"), click("#b", condition=PAUSE), "nothing"),
        (click("#a"), click("#b", page_id="page-7"), "nothing"),
        (click("#a"), click("#b", action="action/fill", params={"value": "x"}), "#b"),
        (click("#a"), click("#b", action="action/type", params={"text": "x"}), "#b"),
        (click("#a"), {"action": "test/try"}, "nothing"),
    ],
)
async def test_the_next_step_is_offered_to_the_lookahead_unless_something_comes_between(
    step: dict[str, Any], following: dict[str, Any], offered: str
) -> None:
    del METHODS["action/click"]
    page_method("action/click", ClickParams, scope=Scope.STANDARD, step=True)(log_offer)
    await act(step, following)
    assert [look for look in looks if " on " not in look][:1] == [offered]


async def test_nothing_is_offered_during_the_last_step() -> None:
    del METHODS["action/click"]
    page_method("action/click", ClickParams, scope=Scope.STANDARD, step=True)(log_offer)
    await act(click("#a"), click("#b"))
    assert looks == ["#b", "nothing"]


async def test_nothing_is_offered_while_an_approver_may_refuse_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    async def admit(*_: Any) -> None:
        """Let everything pass."""

    monkeypatch.setattr(Approvals, "active", True)
    monkeypatch.setattr(Approvals, "admit", admit)
    del METHODS["action/click"]
    page_method("action/click", ClickParams, scope=Scope.STANDARD, step=True)(log_offer)
    await act(click("#a"), click("#b"))
    assert looks == ["nothing", "nothing"]
