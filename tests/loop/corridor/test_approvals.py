"""Requests that wait for an approver. The browser is scripted; the clock jumps."""

import contextlib
from collections.abc import AsyncIterator, Iterator
from types import SimpleNamespace
from typing import Any

import attrs
import pytest
import structlog.testing
import trio
import trio.testing

from agentbrowser.client.connection.handshake import NO_APPROVER
from agentbrowser.policy.approvals import ApprovalMode, ApprovalRule, ApprovalRules, RequestFilter
from agentbrowser.protocol.errors import PageNotFound
from agentbrowser.protocol.registry import METHODS, Scope, TabState, method
from agentbrowser.protocol.types.approval import ApprovalContext, ElementInfo
from agentbrowser.protocol.types.fields import milliseconds, navigable
from agentbrowser.protocol.types.observe import BoundingBox
from agentbrowser.protocol.types.page import Nothing
from agentbrowser.protocol.types.selector import Selector
from agentbrowser.server.corridor.approvals import Approvals
from tests.loop.memory_client import Client, FakeTabs, dialogue

SHOP = "https://shop.test/pay?token=s3cret"
done: list[str] = []


@attrs.frozen(kw_only=True)
class WorkParams:
    name: str = "work"
    selector: Selector | None = None
    value: str | None = None
    url: str | None = attrs.field(default=None, metadata=navigable())
    page_id: str | None = None
    timeout_ms: int | None = milliseconds()


async def work(tabs: Any, params: WorkParams) -> Nothing:
    """Note that it was done."""
    done.append(params.name)
    return Nothing()


async def sleep(tabs: Any, params: WorkParams) -> Nothing:
    """Take three seconds."""
    await trio.sleep(3)
    return Nothing()


@pytest.fixture(autouse=True)
def _methods() -> Iterator[None]:
    before = dict(METHODS)
    done.clear()
    method("test/work", WorkParams, scope=Scope.READONLY, step=True)(work)
    method("test/free", WorkParams, scope=Scope.STANDARD, free=True)(work)
    method("test/look", WorkParams, scope=Scope.READONLY, free=True)(work)
    method("test/sleep", WorkParams, scope=Scope.READONLY, step=True)(sleep)
    yield
    METHODS.clear()
    METHODS.update(before)


@attrs.define
class Tabs(FakeTabs):
    """One page, at a place."""

    url: str = SHOP
    shown: ElementInfo | None = None
    frames: list[str] = attrs.field(factory=list)

    async def tab(self, page_id: str | None, state: TabState = TabState.UNBLOCKED) -> Any:
        if page_id == "page-99":
            raise PageNotFound("There is none.", page_id=page_id)
        place = SimpleNamespace(url=self.url, frames=[])
        return SimpleNamespace(page=place, frame=place, approval_context=self)

    async def addresses(self, selectors: list[Selector], **_: Any) -> list[str]:
        return [self.url, *self.frames]

    async def element(self, selector: Selector, *, timeout_s: float, action: str) -> ElementInfo | None:
        return self.shown

    async def collect(
        self, selector: Selector | None, *, with_screenshot: bool, action: str, timeout_s: float | None
    ) -> ApprovalContext:
        image = "jpeg" if with_screenshot else None
        return ApprovalContext(page_url=self.url, page_title="Shop", screenshot=image, element_info=self.shown)


@contextlib.asynccontextmanager
async def office(
    *rules: ApprovalRule,
    scopes: tuple[Scope, ...] = (Scope.STANDARD, Scope.PRIVILEGED),
    mode: ApprovalMode = "required",
) -> AsyncIterator[list[Client]]:
    """Connect clients of these scopes to one server with these rules."""
    clients: list[Client] = []
    approvals = Approvals(
        rules=ApprovalRules(mode=mode, rules=rules), sessions=lambda: [client.session for client in clients]
    )
    async with contextlib.AsyncExitStack() as stack:
        for scope in scopes:
            client = await stack.enter_async_context(dialogue(scope=scope))
            tabs: Any = Tabs()
            client.tabs = client.session.tabs = tabs
            client.session.approvals, client.session.send_notification = approvals, client.connection.send_notification
            clients.append(client)
        yield clients


RULE = ApprovalRule(name="work", match=RequestFilter(actions=("test/*",)), timeout_s=60)


async def question(client: Client) -> dict[str, Any]:
    """Return the params of the question that comes next."""
    message = await client.hear()
    assert message["method"] == "approval/required", message
    params: dict[str, Any] = message["params"]
    return params


async def respond(client: Client, request_id: str, decision: str, **more: Any) -> dict[str, Any]:
    """Answer a question, and return the reply."""
    await client.ask("r", "approval/respond", requestId=request_id, decision=decision, **more)
    reply = await client.hear()
    assert reply["id"] == "r", reply
    return reply


async def test_a_request_waits_until_an_approver_agrees(autojump_clock: trio.testing.MockClock) -> None:
    async with office(RULE) as (agent, approver):
        await agent.ask(1, "test/work", value="s3cret", selector={"type": "css", "value": "#buy"})
        asked = await question(approver)
        assert asked["originalRequest"] == {
            "method": "test/work",
            "params": {
                "name": "work",
                "selector": {"type": "css", "value": "#buy"},
                "value": "[REDACTED]",
                "pageId": "page-1",
            },
        }
        assert asked["rule"] == "work"
        assert asked["context"] == {"pageUrl": "https://shop.test/pay?token=[REDACTED]", "pageTitle": "Shop"}
        await trio.testing.wait_all_tasks_blocked()
        assert done == []
        assert (await respond(approver, asked["requestId"], "approve"))["result"] == {"acknowledged": True}
        assert (await agent.hear())["result"] == {}
        assert done == ["work"]


@pytest.mark.parametrize(("decision", "asked_again"), [("approve-once", True), ("approve-session", False)])
async def test_an_approval_holds_once_or_for_the_session(
    autojump_clock: trio.testing.MockClock, decision: str, asked_again: bool
) -> None:
    async with office(RULE, scopes=(Scope.STANDARD, Scope.STANDARD, Scope.PRIVILEGED)) as (agent, other, approver):
        await agent.ask(1, "test/work")
        await respond(approver, (await question(approver))["requestId"], decision)
        await agent.hear()
        await agent.ask(2, "test/work")
        if asked_again:
            await respond(approver, (await question(approver))["requestId"], "approve")
        assert "result" in await agent.hear()
        await other.ask(1, "test/work")
        assert await question(approver)


async def test_an_approval_for_the_session_ends_with_it(autojump_clock: trio.testing.MockClock) -> None:
    async with office(RULE) as (agent, approver):
        await agent.ask(1, "test/work")
        await respond(approver, (await question(approver))["requestId"], "approve-session")
        await agent.hear()
        for number, name in enumerate(("shutdown", "initialize")):
            await agent.ask(number, name)
            assert "result" in await agent.hear()
        await agent.ask(2, "test/work")
        assert await question(approver)


async def test_a_denied_request_says_why(autojump_clock: trio.testing.MockClock) -> None:
    async with office(RULE) as (agent, approver):
        await agent.ask(1, "test/work")
        asked = await question(approver)
        await respond(approver, asked["requestId"], "deny", reason="too dear")
        error = (await agent.hear())["error"]
        assert error["code"] == -32030
        details = {"requestId": asked["requestId"], "rule": "work", "reason": "too dear"}
        assert error["data"]["details"] == details
        assert done == []


async def test_a_request_that_nobody_answers_ends_when_the_rule_says(autojump_clock: trio.testing.MockClock) -> None:
    async with office(RULE) as (agent, approver):
        started = trio.current_time()
        await agent.ask(1, "test/work", timeout=1000)
        asked = await question(approver)
        error = (await agent.hear())["error"]
        assert trio.current_time() - started == pytest.approx(60)
        assert (error["code"], error["data"]["details"]["rule"]) == (-32031, "work")
        assert (await respond(approver, asked["requestId"], "approve"))["result"] == {"acknowledged": False}
        assert done == []


async def test_the_clock_of_a_request_stands_still_meanwhile(autojump_clock: trio.testing.MockClock) -> None:
    async with office(RULE) as (agent, approver):
        await agent.ask(1, "test/sleep", timeout=3500)
        asked = await question(approver)
        await trio.sleep(50)
        await respond(approver, asked["requestId"], "approve")
        assert "result" in await agent.hear()
        await agent.ask(2, "test/sleep", timeout=2500)
        await respond(approver, (await question(approver))["requestId"], "approve")
        assert (await agent.hear())["error"]["code"] == -32016


async def test_its_page_waits_with_it_and_others_do_not(autojump_clock: trio.testing.MockClock) -> None:
    only = ApprovalRule(name="held", match=RequestFilter(actions=("test/work",), selectors=("#buy",)))
    async with office(only) as (agent, approver):
        await agent.ask(1, "test/work", name="held", selector={"type": "css", "value": "#buy"}, pageId="p1")
        asked = await question(approver)
        await agent.ask(2, "test/work", name="behind", pageId="p1")
        await agent.ask(3, "test/work", name="other", pageId="p2")
        assert (await agent.hear())["id"] == 3
        await respond(approver, asked["requestId"], "approve")
        assert [(await agent.hear())["id"] for _ in range(2)] == [1, 2]
        assert done == ["other", "held", "behind"]


async def test_without_anybody_to_ask_the_request_fails_at_once(autojump_clock: trio.testing.MockClock) -> None:
    async with office(RULE, scopes=(Scope.PRIVILEGED, Scope.FULL)) as (agent, _):
        await agent.ask(1, "test/work")
        error = (await agent.hear())["error"]
        assert (error["code"], error["data"]["details"]["rule"]) == (-32032, "work")
        assert done == []


async def test_the_requester_decides_where_the_rule_lets_it(autojump_clock: trio.testing.MockClock) -> None:
    async with office(attrs.evolve(RULE, ask_requester=True), scopes=(Scope.READONLY, Scope.FULL)) as (agent, other):
        await agent.ask(1, "test/work")
        asked = await question(agent)
        assert (await respond(other, asked["requestId"], "approve"))["error"]["code"] == -32003
        await agent.ask("r", "approval/respond", requestId=asked["requestId"], decision="approve")
        assert set(await agent.hear_all(2)) == {1, "r"}
        assert done == ["work"]


async def test_a_late_answer_of_the_requester_is_late_and_not_forbidden(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with office(attrs.evolve(RULE, ask_requester=True), scopes=(Scope.READONLY,)) as (agent,):
        await agent.ask(1, "test/work", timeout=1000)
        asked = await question(agent)
        assert (await agent.hear())["error"]["code"] == -32031
        assert (await respond(agent, asked["requestId"], "approve"))["result"] == {"acknowledged": False}
        assert done == []


async def test_the_requester_is_not_asked_while_there_is_an_approver(autojump_clock: trio.testing.MockClock) -> None:
    async with office(attrs.evolve(RULE, ask_requester=True)) as (agent, approver):
        await agent.ask(1, "test/work")
        asked = await question(approver)
        assert (await respond(agent, asked["requestId"], "approve"))["error"]["code"] == -32003
        await respond(approver, asked["requestId"], "deny")
        assert (await agent.hear())["error"]["code"] == -32030


async def test_who_approves_for_nobody_else_is_not_asked(autojump_clock: trio.testing.MockClock) -> None:
    """The MCP server is such a client: it denied the requests of others, before a person could agree."""
    asks_requester = attrs.evolve(RULE, ask_requester=True)
    async with office(asks_requester, scopes=(Scope.PRIVILEGED, Scope.PRIVILEGED)) as (agent, mcp):
        await mcp.ask(0, "initialize", capabilities=NO_APPROVER)
        assert "result" in await mcp.hear()
        await agent.ask(1, "test/work")
        asked = await question(agent)
        await agent.ask("r", "approval/respond", requestId=asked["requestId"], decision="approve")
        assert set(await agent.hear_all(2)) == {1, "r"}
        assert done == ["work"]


async def test_nobody_approves_its_own_request(autojump_clock: trio.testing.MockClock) -> None:
    async with office(RULE, scopes=(Scope.PRIVILEGED, Scope.PRIVILEGED)) as (agent, approver):
        await agent.ask(1, "test/work")
        asked = await question(approver)
        assert (await respond(agent, asked["requestId"], "approve"))["error"]["code"] == -32003
        assert done == []


async def test_the_first_of_two_answers_counts(autojump_clock: trio.testing.MockClock) -> None:
    scopes = (Scope.STANDARD, Scope.PRIVILEGED, Scope.PRIVILEGED)
    async with office(RULE, scopes=scopes) as (agent, quick, slow):
        await agent.ask(1, "test/work")
        asked = await question(quick)
        assert await question(slow) == asked
        assert (await respond(quick, asked["requestId"], "approve"))["result"]["acknowledged"]
        assert not (await respond(slow, asked["requestId"], "deny"))["result"]["acknowledged"]
        assert "result" in await agent.hear()


@pytest.mark.parametrize("leaves", [True, False])
async def test_a_request_that_is_cancelled_waits_no_more(autojump_clock: trio.testing.MockClock, leaves: bool) -> None:
    async with office(RULE) as (agent, approver):
        await agent.ask(1, "test/work")
        asked = await question(approver)
        if leaves:
            await agent.hang_up()
        else:
            await agent.say({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 1}})
            assert (await agent.hear())["error"]["code"] == -32051
        await trio.testing.wait_all_tasks_blocked()
        assert not (await respond(approver, asked["requestId"], "approve"))["result"]["acknowledged"]
        assert done == []


async def test_a_page_that_goes_elsewhere_meanwhile_is_not_acted_on(autojump_clock: trio.testing.MockClock) -> None:
    async with office(RULE) as (agent, approver):
        await agent.ask(1, "test/work")
        asked = await question(approver)
        agent.tabs.url = "https://elsewhere.test/"  # type: ignore[attr-defined]
        await respond(approver, asked["requestId"], "approve")
        error = (await agent.hear())["error"]
        assert (error["code"], error["data"]["retryable"]) == (-32030, True)
        assert done == []


SAVE = ElementInfo(role="button", name="Save draft", bounds=BoundingBox(x=0, y=0, width=9, height=9))


@pytest.mark.parametrize(
    ("now", "passes"),
    [
        (SAVE, True),
        (attrs.evolve(SAVE, bounds=BoundingBox(x=5, y=0, width=9, height=9)), True),
        (attrs.evolve(SAVE, name="Pay 900 EUR now"), False),
        (attrs.evolve(SAVE, role="link"), False),
        (None, False),
    ],
)
async def test_an_element_that_changes_meanwhile_is_not_acted_on(
    autojump_clock: trio.testing.MockClock, now: ElementInfo | None, passes: bool
) -> None:
    async with office(RULE) as (agent, approver):
        agent.tabs.shown = SAVE  # type: ignore[attr-defined]
        await agent.ask(1, "test/work", selector={"type": "css", "value": "#b"})
        asked = await question(approver)
        assert asked["context"]["elementInfo"]["name"] == "Save draft"
        agent.tabs.shown = now  # type: ignore[attr-defined]
        await respond(approver, asked["requestId"], "approve")
        answer = await agent.hear()
        if passes:
            assert (answer["result"], done) == ({}, ["work"])
        else:
            error = answer["error"]
            assert (error["code"], error["data"]["retryable"], done) == (-32030, True, [])
            assert error["data"]["details"]["reason"] == "element changed"


async def test_others_are_served_while_long_urls_are_compared(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page has as many frames as it likes, each with a URL of 64 KB: thirty of them held the loop for 6 s."""
    turns, compared_at, holds = 0, list[int](), RequestFilter.holds

    def noted(self: RequestFilter, *args: Any, **kwargs: Any) -> bool:
        compared_at.append(turns)
        return holds(self, *args, **kwargs)

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await trio.lowlevel.checkpoint()

    monkeypatch.setattr(RequestFilter, "holds", noted)
    rules = [ApprovalRule(name=name, match=RequestFilter(url_patterns=(f"**/{name}/**",))) for name in ("a", "b")]
    async with office(*rules) as (agent, _), trio.open_nursery() as nursery:
        agent.tabs.frames = [f"https://f{number}.test/?{'%41' * 5000}" for number in range(10)]  # type: ignore[attr-defined]
        nursery.start_soon(count)
        await agent.ask(1, "test/work")
        assert "result" in await agent.hear()
        nursery.cancel_scope.cancel()
    assert len(compared_at) == 22
    assert compared_at[-1] - compared_at[0] >= 18  # 19 checkpoints; of each turn, either task may come first


async def test_another_part_of_the_same_document_is_not_elsewhere(autojump_clock: trio.testing.MockClock) -> None:
    async with office(RULE) as (agent, approver):
        await agent.ask(1, "test/work")
        asked = await question(approver)
        agent.tabs.url += "#part"  # type: ignore[attr-defined]
        await respond(approver, asked["requestId"], "approve")
        assert "result" in await agent.hear()


async def test_the_first_rule_that_fits_decides(autojump_clock: trio.testing.MockClock) -> None:
    rules = (
        ApprovalRule(
            name="reading", match=RequestFilter(actions=("test/work",), selectors=("css=#read",)), action="allow"
        ),
        ApprovalRule(name="never", match=RequestFilter(actions=("test/*",), domains=("*.bank.test",)), action="deny"),
        ApprovalRule(name="paying", match=RequestFilter(domains=("shop.test",), url_patterns=("**/pay*",))),
    )
    async with office(*rules) as (agent, approver):
        await agent.ask(1, "test/work", selector={"type": "css", "value": "#read"})
        assert "result" in await agent.hear()
        await agent.ask(2, "test/work", url="https://www.bank.test/")
        error = (await agent.hear())["error"]
        assert (error["code"], error["data"]["details"]) == (-32030, {"rule": "never"})
        await agent.ask(3, "test/free", name="paid")
        assert (await question(approver))["rule"] == "paying"
        agent.tabs.url = "https://other.test/"  # type: ignore[attr-defined]
        await agent.ask(4, "test/work", name="elsewhere", pageId="p2")
        assert (await agent.hear())["id"] == 4
        await agent.ask(5, "test/work", name="nowhere", pageId="page-99")
        assert (await agent.hear())["id"] == 5
        assert done == ["work", "elsewhere", "nowhere"]


@pytest.mark.parametrize("action", ["allow", "require"])
async def test_a_page_that_is_allowed_opens_no_other_host(autojump_clock: trio.testing.MockClock, action: Any) -> None:
    rules = (
        ApprovalRule(name="shop", match=RequestFilter(domains=("shop.test",)), action=action),
        ApprovalRule(name="rest", match=RequestFilter(actions=("test/*",)), action="deny"),
    )
    async with office(*rules) as (agent, approver):
        if action == "require":
            await agent.ask(1, "test/work")
            await respond(approver, (await question(approver))["requestId"], "approve-session")
            assert "result" in await agent.hear()
        await agent.ask(2, "test/work", url="https://shop.test/cart")
        assert "result" in await agent.hear()
        await agent.ask(3, "test/work", url="https://thief.test/?what=s3cret")
        assert (await agent.hear())["error"]["data"]["details"] == {"rule": "rest"}


async def test_what_is_free_and_only_looks_never_waits(autojump_clock: trio.testing.MockClock) -> None:
    async with office(ApprovalRule(name="all")) as (agent, approver):
        await agent.ask(1, "test/look")
        assert "result" in await agent.hear()
        await agent.ask(2, "test/free")
        asked = await question(approver)
        assert asked["originalRequest"]["method"] == "test/free"
        assert (await respond(approver, asked["requestId"], "approve"))["result"] == {"acknowledged": True}


async def test_auditing_logs_and_lets_pass(autojump_clock: trio.testing.MockClock) -> None:
    never = attrs.evolve(RULE, action="deny")
    with structlog.testing.capture_logs() as logs:
        async with office(never, mode="audit") as (agent, _):
            await agent.ask(1, "test/work")
            assert "result" in await agent.hear()
    assert [entry for entry in logs if entry["event"] == "approval_audit"] == [
        {"rule": "work", "method": "test/work", "action": "deny", "event": "approval_audit", "log_level": "warning"}
    ]


async def test_disabled_rules_do_nothing(autojump_clock: trio.testing.MockClock) -> None:
    async with office(attrs.evolve(RULE, action="deny"), mode="disabled") as (agent, _):
        await agent.ask(1, "test/work")
        assert "result" in await agent.hear()


async def test_a_rule_may_show_values_and_the_page(autojump_clock: trio.testing.MockClock) -> None:
    async with office(attrs.evolve(RULE, redact_values=False, screenshot=True)) as (agent, approver):
        await agent.ask(1, "test/work", value="typed")
        asked = await question(approver)
        assert asked["originalRequest"]["params"]["value"] == "typed"
        assert asked["context"]["screenshot"] == "jpeg"


async def test_each_step_of_a_sequence_is_judged_and_the_clocks_of_all_stand_still(
    autojump_clock: trio.testing.MockClock,
) -> None:
    only = ApprovalRule(name="second", match=RequestFilter(actions=("test/*",), selectors=("css=#two",)), timeout_s=100)
    steps = [
        {"action": "test/work", "params": {"name": "one", "selector": {"type": "css", "value": "#one"}}},
        {"action": "test/sleep", "params": {"selector": {"type": "css", "value": "#two"}, "timeout": 3500}},
        {"action": "test/work", "params": {"name": "three"}},
    ]
    async with office(only) as (agent, approver):
        await agent.ask(1, "agent/act", steps=steps, timeout=4000)
        asked = await question(approver)
        assert asked["originalRequest"]["method"] == "test/sleep"
        assert done == ["one"]
        await trio.sleep(90)
        await respond(approver, asked["requestId"], "approve")
        result = (await agent.hear())["result"]
        assert (result["success"], done) == (True, ["one", "three"])
        await agent.ask(2, "agent/act", steps=steps)
        await respond(approver, (await question(approver))["requestId"], "deny")
        result = (await agent.hear())["result"]
        assert (result["failedAt"], result["results"][1]["error"]["code"]) == (1, -32030)


async def test_a_decision_must_be_one_of_four(autojump_clock: trio.testing.MockClock) -> None:
    async with office(RULE) as (_, approver):
        assert (await respond(approver, "x", "perhaps"))["error"]["code"] == -32602


async def test_an_answer_to_an_unknown_request_is_an_error(autojump_clock: trio.testing.MockClock) -> None:
    async with office(RULE) as (_, approver):
        error = (await respond(approver, "x", "approve"))["error"]
        assert (error["code"], error["data"]["details"]["path"]) == (-32602, "requestId")


async def test_an_approver_that_does_not_read_is_not_asked(autojump_clock: trio.testing.MockClock) -> None:
    async with office(RULE) as (agent, approver):
        approver.session.streams.agree(16)
        await agent.ask(1, "test/work")
        assert (await agent.hear())["error"]["code"] == -32032
