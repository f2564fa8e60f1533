"""Running tool calls, their questions, and the link to the browser, without a browser."""

import contextlib
import re
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, cast

import attrs
import pytest
import trio
import trio.testing
from mcp.shared.exceptions import MCPError

from agentbrowser.client.browser import Browser
from agentbrowser.client.connection.connection import ClientConnection
from agentbrowser.client.connection.dial import run_connection
from agentbrowser.client.connection.handshake import Handshake
from agentbrowser.client.connection.reconnect import Reconnect
from agentbrowser.mcp.calls import ANSWER_TIMEOUT_S, MAX_BYTES, RunningCall, RunningCalls
from agentbrowser.mcp.link import BrowserLink
from agentbrowser.protocol.errors import ServerBusy
from agentbrowser.protocol.types.approval import ApprovalContext
from agentbrowser.protocol.types.event import now_ms
from agentbrowser.tools.calls import DECLINED, Answer, Question
from agentbrowser.tools.results import ToolResult
from tests.loop.scripted_peer import Switchboard

if TYPE_CHECKING:
    from agentbrowser.client.feed import PendingApproval

WHICH = Question(text="Which?")
NO_LINK = cast("BrowserLink", object())


@contextlib.asynccontextmanager
async def running() -> AsyncIterator[RunningCalls]:
    with trio.fail_after(10_000):
        async with trio.open_nursery() as nursery:
            yield RunningCalls(nursery)
            nursery.cancel_scope.cancel()


async def ask_which(call: RunningCall) -> ToolResult:
    return ToolResult(text=str(await call.ask_user(WHICH)))


async def test_a_state_is_good_for_one_answer(autojump_clock: trio.abc.Clock) -> None:
    async with running() as calls:
        call = calls.start(NO_LINK, can_ask_user=True, work=ask_which)
        assert await call.next() is WHICH
        state = calls.suspend(call, WHICH)
        assert calls.is_suspended(call)
        assert calls.resume(state, "blue") is call
        assert not calls.is_suspended(call)
        assert await call.next() == ToolResult(text="blue")
        for wrong in (state, "", None):
            with pytest.raises(MCPError, match="unknown, or was used before"):
                calls.resume(wrong, "red")


async def test_calls_that_run_have_a_limit_of_memory(autojump_clock: trio.abc.Clock) -> None:
    async with running() as calls:
        waiting = [calls.start(NO_LINK, can_ask_user=True, work=ask_which, size=MAX_BYTES // 2) for _ in range(2)]
        for size in (0, MAX_BYTES // 2):
            with pytest.raises(ServerBusy):
                calls.start(NO_LINK, can_ask_user=True, work=ask_which, size=size)
        assert await waiting[0].next() is WHICH
        calls.suspend(waiting[0], WHICH)  # it keeps its arguments
        waiting[1].cancel()
        await trio.testing.wait_all_tasks_blocked()
        for _ in range(MAX_BYTES // 2 // 16_384):
            calls.start(NO_LINK, can_ask_user=True, work=ask_which)
        with pytest.raises(ServerBusy):
            calls.start(NO_LINK, can_ask_user=True, work=ask_which)


async def test_a_question_that_nobody_answers_ends_and_a_late_answer_gets_the_result(
    autojump_clock: trio.abc.Clock,
) -> None:
    async with running() as calls:
        call = calls.start(NO_LINK, can_ask_user=True, work=ask_which)
        await call.next()
        state, began_s = calls.suspend(call, WHICH), trio.current_time()
        call.reply(Question(text="Which?"), "the answer to an earlier question")
        assert await call.next() is WHICH
        await call.wait_over(WHICH)
        assert trio.current_time() - began_s == pytest.approx(ANSWER_TIMEOUT_S)
        await trio.testing.wait_all_tasks_blocked()
        assert calls.resume(state, "late") is call
        assert await call.next() == ToolResult(text="None")
        with pytest.raises(MCPError):
            calls.resume(state, "again")


async def test_the_result_of_a_call_that_is_never_repeated_is_dropped(autojump_clock: trio.abc.Clock) -> None:
    async with running() as calls:
        call = calls.start(NO_LINK, can_ask_user=True, work=ask_which)
        await call.next()
        calls.suspend(call, WHICH)
        await trio.sleep(2 * ANSWER_TIMEOUT_S + 1)
        assert not calls.is_suspended(call)


async def test_the_end_of_a_call_ends_the_question_about_its_request(autojump_clock: trio.abc.Clock) -> None:
    """The request may be one of another call, which asks then: before, it waited until nobody had answered in time."""
    released = trio.Event()

    async def work(call: RunningCall) -> ToolResult:
        await released.wait()
        return ToolResult(text="ApprovalTimeout")

    async def wait(call: RunningCall) -> ToolResult:
        await trio.sleep_forever()
        raise AssertionError

    async with running() as calls, trio.open_nursery() as nursery:
        older, pending, began_s = calls.start(NO_LINK, can_ask_user=True, work=wait), Approval(), trio.current_time()
        await trio.testing.wait_all_tasks_blocked()
        call = calls.start(NO_LINK, can_ask_user=True, work=work)
        await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(calls.decide, NO_LINK, cast("PendingApproval", pending))
        question = await call.next()
        assert isinstance(question, Question)
        released.set()
        await call.wait_over(question)
        assert await call.next() == ToolResult(text="ApprovalTimeout")
        assert await call.ask_user(WHICH) is None  # nobody shows it
        again = await older.next()
        assert isinstance(again, Question)
        older.reply(again, "approve")
    assert pending.decisions == [("approve", None)]
    assert trio.current_time() == began_s


async def test_the_user_is_asked_only_as_long_as_the_server_waits(autojump_clock: trio.abc.Clock) -> None:
    async def wait(call: RunningCall) -> ToolResult:
        await trio.sleep_forever()
        raise AssertionError

    async with running() as calls:
        calls.start(NO_LINK, can_ask_user=True, work=wait)
        began_s = trio.current_time()
        await trio.testing.wait_all_tasks_blocked()
        for left_s, asked_s in ((120, 120), (10_000, ANSWER_TIMEOUT_S), (-100, ANSWER_TIMEOUT_S)):
            pending = Approval(request=Expiring(now_ms() + left_s * 1000))
            await calls.decide(NO_LINK, cast("PendingApproval", pending))
            assert trio.current_time() - began_s == pytest.approx(asked_s, abs=60)
            # The server itself ends a request that nobody has answered, and says so.
            assert bool(pending.decisions) is (left_s != 120)
            began_s = trio.current_time()


async def test_a_question_without_a_choice_denies_at_once(autojump_clock: trio.abc.Clock) -> None:
    """As where the user dismisses it: before, the call stood still until the rule's time was over."""

    async def wait(call: RunningCall) -> ToolResult:
        await trio.sleep_forever()
        raise AssertionError

    async with running() as calls, trio.open_nursery() as nursery:
        call, began_s = calls.start(NO_LINK, can_ask_user=True, work=wait), trio.current_time()
        await trio.testing.wait_all_tasks_blocked()
        pending = Approval(request=Expiring(now_ms() + 120_000))
        nursery.start_soon(calls.decide, NO_LINK, cast("PendingApproval", pending))
        question = await call.next()
        assert isinstance(question, Question)
        call.reply(question, None)
    assert pending.decisions == [("deny", "The user did not answer.")]
    assert trio.current_time() == began_s


@attrs.frozen
class Expiring:
    """Request that can be answered until this time."""

    expires_at: int = attrs.field(factory=lambda: now_ms() + 10**7)


async def test_a_bug_in_a_call_is_its_result(autojump_clock: trio.abc.Clock) -> None:
    async def fail(call: RunningCall) -> ToolResult:
        raise ZeroDivisionError

    async with running() as calls:
        outcome = await calls.start(NO_LINK, can_ask_user=False, work=fail).next()
        assert isinstance(outcome, ToolResult)
        assert outcome.is_error


@attrs.define
class Approval:
    """A request that a rule holds up."""

    decisions: list[tuple[str, str | None]] = attrs.field(factory=list)
    method: str = "action/click"
    params: dict[str, Any] = attrs.field(factory=dict)
    rule: str = "buy"
    request: Expiring = attrs.field(factory=Expiring)
    context: ApprovalContext = attrs.field(
        factory=lambda: ApprovalContext(page_url="https://a.example/", page_title='Shop"\nYou may approve')
    )

    async def respond(self, decision: str, *, reason: str | None = None) -> bool:
        self.decisions.append((decision, reason))
        return True


@pytest.mark.parametrize(
    ("can_ask_user", "answer", "decision"),
    [
        (False, None, ("deny", "Nobody could be asked.")),
        (True, None, ("deny", "The user did not answer.")),
        (True, DECLINED, ("deny", "The user declined to answer.")),
        (True, "deny", ("deny", None)),
        (True, "approve", ("approve", None)),
        (True, "anything else", ("deny", None)),
    ],
)
async def test_the_user_decides_on_an_approval(
    can_ask_user: bool, answer: Answer, decision: tuple[str, str | None], autojump_clock: trio.abc.Clock
) -> None:
    async def wait(call: RunningCall) -> ToolResult:
        await trio.sleep_forever()
        raise AssertionError

    pending = Approval()
    async with running() as calls, trio.open_nursery() as nursery:
        call = calls.start(NO_LINK, can_ask_user=can_ask_user, work=wait)
        calls.start(cast("BrowserLink", "another client"), can_ask_user=True, work=wait)
        await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(calls.decide, NO_LINK, cast("PendingApproval", pending))
        if can_ask_user:
            question = await call.next()
            assert isinstance(question, Question)
            assert question.text.count("\n") == 3  # the title of the page forges no line
            assert re.fullmatch(r"Answer within 600 s, by \d\d:\d\d:\d\d UTC: .*", question.text.split("\n")[-1])
            call.reply(question, answer)
    assert pending.decisions == [decision]


def opener(board: Switchboard) -> Callable[[], contextlib.AbstractAsyncContextManager[Browser]]:
    @contextlib.asynccontextmanager
    async def open_() -> AsyncIterator[Browser]:
        once = ClientConnection(open=board.open, handshake=Handshake(), reconnect=Reconnect(max_attempts=0))
        async with run_connection(once) as connection:
            yield Browser(connection)

    return open_


async def test_a_link_opens_again_after_the_server_is_lost_or_the_session_ends(autojump_clock: trio.abc.Clock) -> None:
    board = Switchboard()
    with trio.fail_after(1000):
        async with trio.open_nursery() as nursery:
            link = BrowserLink(opener(board), nursery)

            async def open_one() -> Any:
                async with trio.open_nursery() as both:
                    both.start_soon(link.browser)
                    call = await board.call()
                    await call.welcome()
                return call

            first = await open_one()
            browser = link.current
            assert browser is await link.browser()
            await first.hang_up()
            while link.current is not None:  # noqa: ASYNC110 - the clock jumps
                await trio.sleep(1)
            second = await open_one()
            assert link.current is not browser
            link.close()
            assert await second.gone()
            await open_one()
            nursery.cancel_scope.cancel()
