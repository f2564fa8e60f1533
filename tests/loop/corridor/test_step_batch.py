"""Steps that cross to the browser thread together: what parts them, their clocks, and what is told of one cut off."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import attrs
import pytest
import trio
import trio.testing

from agentbrowser.browser.portal import Portal, remaining_s
from agentbrowser.browser.step_batch import BatchStep, StepBatch
from agentbrowser.config import Config
from agentbrowser.methods.action import ClickParams, FillParams
from agentbrowser.methods.page import WaitForParams
from agentbrowser.policy.secrets import Secret, SecretStore
from agentbrowser.protocol.errors import ActionFailed, DomainNotAllowed
from agentbrowser.protocol.registry import METHODS, Scope, TabState, page_method
from agentbrowser.protocol.types.action import ActionDialog, ActionResult, Download, OpenedPage
from agentbrowser.protocol.types.selector import Css
from agentbrowser.server.corridor.approvals import Approvals
from agentbrowser.server.egress.denials import DenialLog
from tests.loop.memory_client import FakePortal, FakeTab, dialogue

CALM = ActionResult(url="http://a.test/", navigated=False)
crossings: list[list[str]] = []
"""What was acted on in each crossing."""
LASTS_S: dict[str, float] = {}
RESULTS: dict[str, ActionResult] = {}
TROUBLES: dict[str, Exception] = {}
HOOKS: dict[str, Callable[[Any], object]] = {}


async def click(tab: Any, params: ClickParams | FillParams) -> ActionResult:
    """Do as the script says for the element."""
    assert isinstance(params.selector, Css)
    name = params.selector.value
    crossings[-1].append(name)
    await trio.sleep(LASTS_S.get(name, 0))
    HOOKS.get(name, lambda _: None)(tab.tabs)
    if name in TROUBLES:
        raise TROUBLES[name]
    return RESULTS.get(name, CALM)


@pytest.fixture(autouse=True)
def _script(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    before, run = dict(METHODS), FakePortal.run
    scripts: tuple[Any, ...] = (crossings, LASTS_S, RESULTS, TROUBLES, HOOKS)
    for script in scripts:
        script.clear()

    async def counted(self: FakePortal, afn: Callable[..., Awaitable[Any]], *args: Any) -> Any:
        crossings.append([])
        return await run(self, afn, *args)

    monkeypatch.setattr(FakePortal, "run", counted)
    del METHODS["action/click"], METHODS["action/fill"]
    page_method("action/click", ClickParams, scope=Scope.STANDARD, step=True)(click)
    page_method("action/fill", FillParams, scope=Scope.STANDARD, step=True)(click)
    yield
    METHODS.clear()
    METHODS.update(before)


def step(css: str, **more: Any) -> dict[str, Any]:
    params = {**more.pop("params", {})}
    if "action" not in more:
        params["selector"] = {"type": "css", "value": css}
    return {"action": "action/click", "params": params, **more}


@attrs.define
class Acting:
    """A session whose page is there, and what is set in it before it acts."""

    config: Config | None = None
    prepare: Callable[[Any], object] = lambda session: None

    async def act(self, *steps: dict[str, Any], **params: Any) -> Any:
        async with dialogue(self.config) as client:
            client.session.active = "page-1"
            self.prepare(client.session)
            await client.ask(1, "agent/act", steps=list(steps), **params)
            return (await client.hear())["result"]


async def act(*steps: dict[str, Any], **params: Any) -> Any:
    return await Acting().act(*steps, **params)


def codes(result: Any) -> list[int | None]:
    return [one.get("error", {}).get("code") for one in result["results"]]


async def test_steps_that_nothing_comes_between_cross_together() -> None:
    result = await act(step("a", label="first"), step("b"), step("c"))
    assert crossings == [["a", "b", "c"]]
    assert [(one["step"], one.get("label"), one["success"]) for one in result["results"]] == [
        (0, "first", True),
        (1, None, True),
        (2, None, True),
    ]
    assert result["results"][1]["result"] == {"url": "http://a.test/", "navigated": False}


@pytest.mark.parametrize(
    "moved",
    [
        {"navigated": True},
        {"new_pages": [OpenedPage(page_id="page-2", url="http://a.test/", title="")]},
        {"dialog": ActionDialog(type="alert", message="x", answered="dismissed")},
        {"download": Download(download_id="d", suggested_name="f", state="started", url="http://a.test/f")},
    ],
    ids=lambda moved: next(iter(moved)),
)
async def test_what_leads_elsewhere_parts_them(moved: dict[str, Any]) -> None:
    RESULTS["b"] = attrs.evolve(CALM, **moved)
    assert (await act(step("a"), step("b"), step("c"), step("d")))["success"]
    assert crossings == [["a", "b"], ["c", "d"]]


@pytest.mark.parametrize("parted", [{"params": {"pageId": "page-7"}}, {"action": "page/reload", "params": {}}])
async def test_other_pages_and_other_methods_do_not_cross_with_them(parted: dict[str, Any]) -> None:
    await act(step("a"), {**step("b"), **step("b", **parted)}, step("c"), stopOnFirstError=False)
    assert crossings[0] == ["a"]
    assert crossings[-1] == ["c"]


async def test_nothing_crosses_together_where_an_approver_may_have_to_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    async def admit(*_: Any) -> None:
        """Let everything pass."""

    monkeypatch.setattr(Approvals, "admit", admit)
    monkeypatch.setattr(Approvals, "active", True)
    await act(step("a"), step("b"))
    assert crossings == [["a"], ["b"]]


async def test_the_first_page_is_made_by_a_step_alone() -> None:
    async with dialogue() as client:
        await client.ask(1, "agent/act", steps=[step("a"), step("b")])
        assert (await client.hear())["result"]["success"]
        assert client.tabs.opened[:1] == ["page-1"]
    assert crossings[0] == ["a"]


@pytest.mark.parametrize(
    ("failing", "went"),
    [
        ({}, [["a", "b"]]),
        ({"onError": "skip"}, [["a", "b"], ["c"]]),
        ({"onError": "retry"}, [["a", "b"], ["b"]]),
    ],
)
async def test_an_error_ends_the_crossing_and_is_dealt_with_as_ever(
    failing: dict[str, Any], went: list[list[str]], autojump_clock: trio.testing.MockClock
) -> None:
    TROUBLES["b"] = ActionFailed("It broke.", action="click", reason="It broke.")
    result = await act(step("a"), step("b", **failing), step("c"))
    assert crossings == went
    assert (result["failedAt"], result["results"][1]["error"]["message"]) == (1, "It broke.")
    assert result["results"][1].get("retries") == (1 if failing.get("onError") == "retry" else None)


async def test_what_is_no_error_of_ours_is_an_incident_of_its_step() -> None:
    TROUBLES["b"] = ValueError("secret")
    result = await act(step("a"), step("b"), step("c"))
    assert codes(result) == [None, -32603]
    assert "secret" not in json.dumps(result)


async def test_each_step_has_its_own_clock_and_its_own_time(autojump_clock: trio.testing.MockClock) -> None:
    LASTS_S.update(a=20, b=60, c=25, d=3)
    slow = step("b", onError="skip", params={"options": {"timeout": 4000}})
    result = await act(step("a"), slow, step("c"), step("d"), timeout=200_000)
    assert codes(result) == [None, -32016, None, None]
    error = result["results"][1]["error"]["data"]
    assert (error["retryable"], error["details"]["mayHaveActed"]) == (False, True)
    assert [one["duration"] for one in result["results"]] == [20_000, 5000, 25_000, 3000]
    assert crossings == [["a", "b"], ["c", "d"]]


async def test_a_wait_for_a_time_has_that_time(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    async def wait(tab: FakeTab, params: WaitForParams) -> int:
        await trio.sleep((params.duration_ms or 0) / 1000)
        return 0

    monkeypatch.setattr(FakeTab, "wait_for_condition", wait, raising=False)
    result = await act({"action": "page/waitFor", "params": {"duration": 20_000}})
    assert codes(result) == [None]
    assert result["results"][0]["duration"] == 20_000


async def test_a_sequence_that_is_cut_off_tells_what_was_done(autojump_clock: trio.testing.MockClock) -> None:
    LASTS_S.update(a=1, b=2, c=60)
    result = await act(step("a"), step("b", label="two"), step("c"), step("d"), timeout=5000, postObserve=True)
    assert codes(result) == [None, None, -32016]
    assert [one["duration"] for one in result["results"]] == [1000, 2000, 2000]
    assert (result["completed"], result["failedAt"], result["duration"]) == (2, 2, 5000)
    assert result["results"][1]["label"] == "two"
    assert "action/click was interrupted" in result["results"][2]["error"]["message"]
    assert crossings == [["a", "b", "c"]]


async def test_a_page_that_was_kept_from_going_on_fails_its_step_before_the_next_one_runs() -> None:
    denial_log = DenialLog()

    def refuse(tabs: Any) -> None:
        tabs.blocked_navigations += 1
        denial_log.refuse_document("page-1", "http://evil.test/", DomainNotAllowed("No.", domain="evil.test"))

    @attrs.frozen
    class SessionProxy:
        denial_log: DenialLog

    HOOKS["b"] = refuse
    acting = Acting(prepare=lambda session: setattr(session, "session_proxy", SessionProxy(denial_log)))
    result = await acting.act(step("a"), step("b", onError="skip"), step("c"))
    assert codes(result) == [None, DomainNotAllowed.code, None]
    assert crossings == [["a", "b"], ["c"]]


async def test_secrets_are_masked_in_what_is_told_of_any_step() -> None:
    secret = Secret(name="shop", value="kanari", origins=())
    RESULTS["a"] = attrs.evolve(CALM, value="a kanari")
    config = Config(secrets=SecretStore((secret,)))
    fill = {**step("b", params={"value": "{{secret:shop}}"}), "action": "action/fill"}
    result = await Acting(config=config).act(step("a"), fill)
    assert "kanari" not in json.dumps(result)
    assert crossings == [["a", "b"]]


class _Tabs:
    """Serves what a real browser thread is given."""

    blocked_navigations = 0

    async def serve(
        self, handler: Callable[..., Awaitable[Any]], params: Any, fresh: str | None, state: TabState | None
    ) -> Any:
        return await handler(FakeTab(self), params)


def steps(*handlers: Callable[..., Awaitable[Any]], timeout_s: float = 30) -> StepBatch:
    made = [attrs.evolve(METHODS["action/click"], handler=handler) for handler in handlers]
    run = [BatchStep(method=one, params=None, page_id=None, timeout_s=timeout_s) for one in made]
    return StepBatch(steps=run, clock=trio.lowlevel.current_clock().current_time)


async def test_a_step_knows_how_much_time_is_left_for_it() -> None:
    left: list[float] = []

    async def look(*_: Any) -> ActionResult:
        left.append(remaining_s())
        return CALM

    async with Portal.open() as portal:
        await portal.run(steps(look, timeout_s=90).serve, _Tabs())  # type: ignore[arg-type]
        with trio.move_on_after(40):
            await portal.run(steps(look, timeout_s=90).serve, _Tabs())  # type: ignore[arg-type]
        await portal.run(look)
    assert 60 < left[0] <= 90
    assert 10 < left[1] <= 40
    assert left[2] == float("inf")


async def test_no_step_follows_one_that_has_outlived_its_cancellation() -> None:
    done: list[str] = []
    running = trio.Event()

    async with Portal.open() as portal, trio.open_nursery() as nursery:

        async def stubborn(*_: Any) -> ActionResult:
            portal.call_in_trio(running.set)
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                done.append("stubborn")
            return CALM

        async def after(*_: Any) -> ActionResult:
            done.append("after")
            return CALM

        run = steps(stubborn, after)
        scope = trio.CancelScope()

        async def run_batch() -> None:
            with scope:
                await portal.run(run.serve, _Tabs())  # type: ignore[arg-type]

        nursery.start_soon(run_batch)
        await running.wait()
        scope.cancel()
    assert done == ["stubborn"]
    assert (run.take(), run.take()) == (run.steps[0], None)
    assert run.current is run.steps[1]
