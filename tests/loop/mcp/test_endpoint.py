"""Endpoint of MCP without a browser: states of questions, and clients that disconnect."""

import re
from typing import Any, Final, cast

import attrs
import pytest
import trio
from mcp import Client
from mcp_types import CallToolRequestParams, ElicitResult

from agentbrowser.mcp import calls
from agentbrowser.mcp.calls import RunningCall
from agentbrowser.mcp.elicitation import Context, can_elicit
from agentbrowser.mcp.server import ToolServer
from agentbrowser.tools.calls import Question
from agentbrowser.tools.results import ToolResult
from tests.loop.mcp.endpoint_server import MODERN, answer_on, called, sent, served

WHICH: Final = {"question": "Which?"}
INITIALIZE: Final = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}


class Asking(ToolServer):
    """Tools that ask the user."""

    def _start(self, context: Context, params: CallToolRequestParams) -> RunningCall:
        async def work(call: RunningCall) -> ToolResult:
            return ToolResult(text=f"The user answered: {await call.ask_user(Question(text='Which?'))}")

        return self.calls.start(self.link_of(context), can_ask_user=can_elicit(context), work=work)


async def ask(
    port: int, arguments: Any = WHICH, state: str | None = None, answer: str | None = "blue"
) -> dict[str, Any]:
    """Call the tool that asks; return the result, or the error under ``code``."""
    accepted = {"answer": {"action": "accept", "content": {"answer": answer}}}
    params = {} if state is None else {"requestState": state, "inputResponses": accepted}
    if answer is None:
        params.pop("inputResponses")
    async with called(port, "browser_ask_human", arguments, params) as stream:
        _, message = await answer_on(stream)
    return dict(message.get("result") or message["error"])


async def test_a_state_is_digits_that_are_good_for_one_answer_to_its_own_call() -> None:
    with trio.fail_after(60):
        async with served(Asking) as port:
            state = (await ask(port))["requestState"]
            assert set(state) <= set("0123456789abcdef")
            other = (await ask(port))["requestState"]
            changed = f"{state[:-1]}{'0' if state[-1] != '0' else '1'}"
            spliced = state[:64] + other[64:]
            for wrong in (changed, spliced, state.upper(), state[:-2], "", "x"):
                assert (await ask(port, state=wrong))["code"] == -32602, wrong
            assert (await ask(port, {"question": "Another?"}, state))["code"] == -32602
            assert (await ask(port, state=state))["content"][0]["text"] == "The user answered: blue"
            assert (await ask(port, state=state))["code"] == -32602
            async with served(Asking) as elsewhere:
                assert (await ask(elsewhere, state=other))["code"] == -32602
            assert (await ask(port, state=other, answer="red"))["content"][0]["text"] == "The user answered: red"


async def test_a_state_without_an_answer_does_not_begin_its_call_again() -> None:
    """Before, the steps in front of the question were done twice."""
    with trio.fail_after(60):
        async with served(Asking) as port:
            state = (await ask(port))["requestState"]
            assert (await ask(port, state=state, answer=None))["content"][0]["text"] == "The user answered: None"
            assert (await ask(port, state=state, answer=None))["code"] == -32602


@attrs.define
class Slow:
    """Events of a call that takes until it is released."""

    begun: trio.Event = attrs.field(factory=trio.Event)
    released: trio.Event = attrs.field(factory=trio.Event)
    ended: trio.Event = attrs.field(factory=trio.Event)
    was_cancelled: bool = False


@pytest.fixture
def slow() -> Slow:
    return Slow()


@pytest.fixture
def tools(slow: Slow) -> type[ToolServer]:
    class Waiting(ToolServer):
        def _start(self, context: Context, params: CallToolRequestParams) -> RunningCall:
            async def work(call: RunningCall) -> ToolResult:
                slow.begun.set()
                try:
                    await slow.released.wait()
                except trio.Cancelled:
                    slow.was_cancelled = True
                    raise
                finally:
                    slow.ended.set()
                return ToolResult(text="done")

            link = self.link_of(context)
            return self.calls.start(link, can_ask_user=False, work=work, size=self.size_of(context))

    return Waiting


async def test_a_stateless_client_that_disconnects_has_its_call_stopped(slow: Slow, tools: type[ToolServer]) -> None:
    with trio.fail_after(60):
        async with served(tools) as port:
            async with called(port, "browser_look", {}):
                await slow.begun.wait()
            await slow.ended.wait()
    assert slow.was_cancelled


async def test_the_call_of_a_session_outlives_its_connection(slow: Slow, tools: type[ToolServer]) -> None:
    with trio.fail_after(60):
        async with served(tools) as port:
            async with sent(port, "initialize", INITIALIZE) as stream:
                head, _ = await answer_on(stream)
            (session,) = re.findall(r"(?i)mcp-session-id: (\w+)", head.decode())
            async with called(port, "browser_look", {}, Mcp_Session_Id=session):
                await slow.begun.wait()
            async with sent(port, "ping", {}, Mcp_Session_Id=session) as stream:
                assert (await answer_on(stream))[1]["result"] == {}
            assert not slow.ended.is_set()
            slow.released.set()
            await slow.ended.wait()
    assert not slow.was_cancelled


async def test_calls_whose_clients_have_left_have_a_limit_of_memory(
    slow: Slow, tools: type[ToolServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "MAX_BYTES", 3 * 2**20)
    with trio.fail_after(60):
        async with served(tools) as port:
            async with sent(port, "initialize", INITIALIZE) as stream:
                head, _ = await answer_on(stream)
            (session,) = re.findall(r"(?i)mcp-session-id: (\w+)", head.decode())
            for _ in range(2):
                slow.begun = trio.Event()
                async with called(port, "browser_look", {"text": "x" * 2**20}, Mcp_Session_Id=session):
                    await slow.begun.wait()
            async with called(port, "browser_look", {"text": "x" * 2**20}, Mcp_Session_Id=session) as stream:
                assert "ServerBusy" in str(await answer_on(stream))
            slow.released.set()


async def test_a_stream_is_opened_for_a_client_that_asks_for_events_of_an_earlier_one() -> None:
    with trio.fail_after(60):
        async with served(ToolServer) as port:
            async with sent(port, "initialize", INITIALIZE) as stream:
                head, _ = await answer_on(stream)
            (session,) = re.findall(r"(?i)mcp-session-id: (\w+)", head.decode())
            lines = [f"Host: 127.0.0.1:{port}", "Accept: text/event-stream", f"Mcp-Session-Id: {session}"]
            request = "\r\n".join(["GET /mcp HTTP/1.1", *lines, "Last-Event-ID: 1", "", ""])
            async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
                await stream.send_all(request.encode())
                assert (await stream.receive_some()).startswith(b"HTTP/1.1 200 ")


async def test_a_question_is_withdrawn_when_the_user_has_handed_the_page_back() -> None:
    asked, handed_back = trio.Event(), trio.Event()
    shown: list[str] = []

    class Handing(ToolServer):
        def _start(self, context: Context, params: CallToolRequestParams) -> RunningCall:
            async def work(call: RunningCall) -> ToolResult:
                question = Question(text="Sign in.", link="http://a.example/live", handed_back=handed_back.wait)
                return ToolResult(text=f"The user answered: {await call.ask_user(question)}")

            return self.calls.start(self.link_of(context), can_ask_user=can_elicit(context), work=work)

    async def wait(context: Any, params: Any) -> Any:
        shown.append(params.message)
        asked.set()
        await trio.sleep_forever()

    async def hand_back() -> None:
        await asked.wait()
        handed_back.set()

    with trio.fail_after(60):
        async with served(Handing) as port, trio.open_nursery() as nursery:
            nursery.start_soon(hand_back)
            async with Client(f"http://127.0.0.1:{port}/mcp", mode="legacy", elicitation_callback=wait) as client:
                result = await client.call_tool("browser_ask_human", {"question": "Sign in."})
    assert getattr(result.content[0], "text", "") == "The user answered: None"
    assert shown[0].endswith("http://a.example/live")


@pytest.mark.parametrize("mode", ["legacy", MODERN])
@pytest.mark.parametrize(("action", "expected"), [("decline", "Declined.DECLINED"), ("cancel", "None")])
async def test_a_user_who_declines_has_answered(mode: str, action: str, expected: str) -> None:
    async def refuse(context: Any, params: Any) -> Any:
        return ElicitResult(action=cast("Any", action))

    with trio.fail_after(60):
        async with (
            served(Asking) as port,
            Client(f"http://127.0.0.1:{port}/mcp", mode=mode, elicitation_callback=refuse) as client,
        ):
            result = await client.call_tool("browser_ask_human", WHICH)
    assert getattr(result.content[0], "text", "") == f"The user answered: {expected}"


@pytest.mark.parametrize("mode", ["legacy", MODERN])
async def test_a_call_does_not_wait_for_the_answer_to_a_question_that_is_over(mode: str) -> None:
    asked, over = trio.Event(), trio.Event()

    class Expiring(ToolServer):
        def _start(self, context: Context, params: CallToolRequestParams) -> RunningCall:
            async def work(call: RunningCall) -> ToolResult:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(call.ask_user, Question(text="May it?"))  # of a rule, whose time is over first
                    await asked.wait()
                    nursery.cancel_scope.cancel()
                over.set()
                return ToolResult(text="ApprovalTimeout")

            return self.calls.start(self.link_of(context), can_ask_user=can_elicit(context), work=work)

    async def answer_late(context: Any, params: Any) -> Any:
        asked.set()
        if mode == "legacy":
            await trio.sleep_forever()
        await over.wait()
        return ElicitResult(action="accept", content={"answer": "approve"})

    with trio.fail_after(60):
        async with (
            served(Expiring) as port,
            Client(f"http://127.0.0.1:{port}/mcp", mode=mode, elicitation_callback=answer_late) as client,
        ):
            result = await client.call_tool("browser_act", {"steps": []})
    assert getattr(result.content[0], "text", "") == "ApprovalTimeout"
