"""A client whose line is cut: when it comes back, what it has back, and what becomes of what was under way."""

import json
from typing import Any

import attrs
import pytest
import trio
import trio.testing

from agentbrowser.client import Browser, ConnectionChange, ConnectionLost, FileDownload, Reconnect, over
from agentbrowser.client.connection.connection import HANDSHAKE_TIMEOUT_S
from agentbrowser.methods import METHODS
from agentbrowser.protocol.errors import ActionFailed, AgentBrowserError, InvalidParams, ResourceLimitExceeded, Timeout
from agentbrowser.protocol.registry import Method, Scope
from agentbrowser.protocol.types.event import ConsoleEvent, EventFilter
from agentbrowser.server.gate.memory_transport import MemoryTransport, memory_pair
from tests.loop.scripted_peer import Call, Switchboard

LOOK = "agent/observe"
ACT = "action/click"
PARAMS = {"selector": {"type": "ref", "value": "@buy"}}


def down(**details: Any) -> ConnectionLost:
    return ConnectionLost("No server answers.", **details)


def _is_repeatable(method: Method[..., Any]) -> bool:
    return method.observes or method.scope == Scope.READONLY


class Asking:
    """A request that is under way, and what came of it."""

    def __init__(self, browser: Browser, nursery: trio.Nursery, method: str, params: Any = None) -> None:
        self.result: Any = None
        self.error: ConnectionLost | None = None
        self.over = trio.Event()
        nursery.start_soon(self._ask, browser, method, params)

    async def _ask(self, browser: Browser, method: str, params: Any) -> None:
        try:
            self.result = await browser.request(method, params)
        except ConnectionLost as error:
            self.error = error
        self.over.set()

    async def lost(self) -> ConnectionLost:
        await self.over.wait()
        assert self.error is not None, self.result
        return self.error


async def back(board: Switchboard, restored: str | None = "warm") -> Call:
    call = await board.call()
    await call.welcome(**({"restored": restored} if restored else {}))
    return call


async def test_the_waits_are_the_documented_ones(autojump_clock: trio.testing.MockClock) -> None:
    board = Switchboard()
    async with board.client() as (browser, call):
        board.refusals = [down()] * 5
        await call.hang_up()
        with pytest.raises(ConnectionLost) as caught:
            await browser.request(LOOK)
        assert board.waits_s == [1, 2, 4, 8, 16]
        assert caught.value.retryable
        assert caught.value.details["attempts"] == 5
        assert browser.state == "closed"
        with pytest.raises(ConnectionLost):
            await browser.request(LOOK)


@pytest.mark.parametrize(("attempts", "base_ms", "waits"), [(0, 1000, []), (1, 50, [0.05]), (3, 200, [0.2, 0.4, 0.8])])
async def test_the_waits_are_configurable(
    attempts: int, base_ms: float, waits: list[float], autojump_clock: trio.testing.MockClock
) -> None:
    board = Switchboard()
    async with board.client(Reconnect(max_attempts=attempts, base_ms=base_ms)) as (browser, call):
        board.refusals = [down()] * attempts
        await call.hang_up()
        with pytest.raises(ConnectionLost):
            await browser.request(LOOK)
        assert board.waits_s == waits


def test_jitter_only_extends_waits_and_is_off_by_default() -> None:
    assert list(Reconnect().waits_s()) == [1, 2, 4, 8, 16]
    assert sum(Reconnect(max_attempts=2000, base_ms=0).waits_s()) == 0
    for _ in range(20):
        waits = list(Reconnect(jitter=0.5).waits_s())
        assert all(plain <= wait <= plain * 1.5 for plain, wait in zip([1, 2, 4, 8, 16], waits, strict=True))
    assert len({tuple(Reconnect(jitter=0.5).waits_s()) for _ in range(5)}) > 1
    for wrong in ({"max_attempts": -1}, {"base_ms": -1}, {"base_ms": float("inf")}, {"jitter": -0.1}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            Reconnect(**wrong)


async def test_a_successful_connection_resets_the_count(autojump_clock: trio.testing.MockClock) -> None:
    board = Switchboard()
    async with board.client() as (_, call):
        board.refusals = [down(), down()]
        await call.hang_up()
        call = await back(board)
        assert board.waits_s == [1, 2, 4]
        await trio.testing.wait_all_tasks_blocked()
        await call.hang_up()
        await back(board)
        assert board.waits_s[3:] == [1]


async def test_a_connection_that_ends_before_the_handshake_is_an_attempt(
    autojump_clock: trio.testing.MockClock,
) -> None:
    board = Switchboard()
    async with board.client() as (_, call):
        await call.hang_up()
        second = await board.call()
        await second.hear_call("initialize")
        await second.hang_up()
        await back(board)
        assert board.waits_s == [1, 2]


async def test_a_handshake_without_an_answer_is_an_attempt(autojump_clock: trio.testing.MockClock) -> None:
    board = Switchboard()
    async with board.client() as (_, call):
        await call.hang_up()
        second = await board.call()
        await second.hear_call("initialize")
        await back(board)
        assert board.waits_s == [1, HANDSHAKE_TIMEOUT_S + 2]
        assert await second.gone()


@pytest.mark.parametrize("code", [1008, 4001, 4002])
async def test_final_close_codes_end_the_reconnection(code: int, autojump_clock: trio.testing.MockClock) -> None:
    board = Switchboard()
    board.refusals = []
    async with board.client() as (browser, call):
        board.refusals = [down(retryable=False, code=code)]
        await call.hang_up()
        with pytest.raises(ConnectionLost) as caught:
            await browser.request(LOOK)
        assert caught.value.details["code"] == code
        assert board.waits_s == [1]


async def test_the_session_is_resumed_with_its_secret(autojump_clock: trio.testing.MockClock) -> None:
    board = Switchboard()
    async with board.client() as (_, call):
        await call.hang_up()
        second = await board.call()
        said = await second.welcome(restored="warm")
        assert (said["sessionId"], said["sessionSecret"]) == ("me", "s3cret")
        assert said["capabilities"]["streaming"] is True


async def test_unsent_requests_are_sent_after_the_reconnect(autojump_clock: trio.testing.MockClock) -> None:
    board = Switchboard()
    async with board.client() as (browser, call), trio.open_nursery() as nursery:
        await call.hang_up()
        await trio.testing.wait_all_tasks_blocked()
        asked = []
        for number in range(3):
            asked.append(Asking(browser, nursery, ACT, {**PARAMS, "n": number}))
            await trio.testing.wait_all_tasks_blocked()
        assert browser.state == "reconnecting"
        second = await back(board)
        for number in range(3):
            heard = await second.hear_call(ACT)
            assert heard["params"]["n"] == number
            await second.answer(heard, number=number)
        for number, one in enumerate(asked):
            await one.over.wait()
            assert one.result == {"number": number}


async def test_an_observation_is_repeated_once(autojump_clock: trio.testing.MockClock) -> None:
    board = Switchboard()
    async with board.client() as (browser, call), trio.open_nursery() as nursery:
        looks = Asking(browser, nursery, LOOK, {"maxElements": 3})
        first = await call.hear_call(LOOK)
        assert first["params"] == {"maxElements": 3}
        await call.hang_up()
        second = await back(board)
        assert await second.hear_call(LOOK) == first
        await second.hang_up()
        third = await back(board)
        error = await looks.lost()
        assert error.retryable
        assert "mayHaveActed" not in error.details
        again = Asking(browser, nursery, LOOK)
        await third.answer(await third.hear_call(LOOK), fine=True)
        await again.over.wait()
        assert again.result == {"fine": True}


async def test_an_action_is_repeated_under_its_key(autojump_clock: trio.testing.MockClock) -> None:
    board = Switchboard()
    async with board.client() as (browser, call), trio.open_nursery() as nursery:
        acts = Asking(browser, nursery, ACT, PARAMS)
        first = await call.hear_call(ACT)
        assert first["params"]["idempotencyKey"]
        await call.hang_up()
        second = await back(board)
        assert await second.hear_call(ACT) == first
        await second.answer(first, navigated=False)
        await acts.over.wait()
        assert acts.result == {"navigated": False}


async def test_an_action_is_repeated_on_five_connections_and_no_more(autojump_clock: trio.testing.MockClock) -> None:
    board = Switchboard()
    async with board.client() as (browser, call), trio.open_nursery() as nursery:
        acts = Asking(browser, nursery, ACT, PARAMS)
        first = await call.hear_call(ACT)
        for _ in range(5):
            await call.hang_up()
            call = await back(board)
            assert await call.hear_call(ACT) == first
        assert not acts.over.is_set()
        await call.hang_up()
        await back(board)
        error = await acts.lost()
        assert error.details == {"method": ACT, "mayHaveActed": True}
        assert "lost when it was repeated" in error.message


@pytest.mark.parametrize("code", [1003, 1007, 1009])
async def test_a_faulty_message_is_not_sent_again(
    code: int, monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    receive = MemoryTransport.receive

    async def receive_code(transport: MemoryTransport) -> str:
        try:
            return await receive(transport)
        except ConnectionLost:
            raise down(code=code) from None

    monkeypatch.setattr(MemoryTransport, "receive", receive_code)
    board = Switchboard()
    async with board.client() as (browser, call), trio.open_nursery() as nursery:
        acts = Asking(browser, nursery, ACT, PARAMS)
        await call.hear_call(ACT)
        await call.hang_up()
        assert (await acts.lost()).details == {"code": code, "method": ACT, "mayHaveActed": True}
        looks = Asking(browser, nursery, LOOK)
        second = await back(board)
        await second.answer(await second.hear_call(LOOK), seen=True)
        await looks.over.wait()
        assert looks.result == {"seen": True}


async def test_only_requests_with_side_effects_have_a_key() -> None:
    board = Switchboard()
    async with board.client() as (browser, call), trio.open_nursery() as nursery:
        keys = set()
        for method in METHODS.values():
            asks = Asking(browser, nursery, method.name, {"pageId": "p"})
            heard = await call.hear_call(method.name)
            key = heard["params"].get("idempotencyKey")
            assert (key is None) == _is_repeatable(method), method.name
            keys.add(key)
            await call.answer(heard)
            await asks.over.wait()
        assert len(keys) == 1 + sum(not _is_repeatable(method) for method in METHODS.values())
        own = Asking(browser, nursery, ACT, {**PARAMS, "idempotencyKey": "mine"})
        heard = await call.hear_call(ACT)
        assert heard["params"]["idempotencyKey"] == "mine"
        await call.answer(heard)
        await own.over.wait()


async def test_a_cancelled_repetition_is_connection_lost(autojump_clock: trio.testing.MockClock) -> None:
    board = Switchboard()
    async with board.client() as (browser, call), trio.open_nursery() as nursery:
        acts = Asking(browser, nursery, ACT, PARAMS)
        await call.hear_call(ACT)
        await call.hang_up()
        second = await back(board)
        await second.refuse(await second.hear_call(ACT), -32051, "It was cut short.")
        error = await acts.lost()
        assert error.retryable
        assert error.details["mayHaveActed"] is True
        assert "Observe" in (error.recovery_hint or "")


async def test_in_a_new_session_nothing_is_repeated(autojump_clock: trio.testing.MockClock) -> None:
    board = Switchboard()
    async with board.client() as (browser, call), trio.open_nursery() as nursery:
        acts = Asking(browser, nursery, ACT, PARAMS)
        await call.hear_call(ACT)
        looks = Asking(browser, nursery, LOOK)
        await call.hear_call(LOOK)
        async with browser.changes() as changes:
            await call.hang_up()
            second = await board.call()
            await second.refuse(await second.hear_call("initialize"), -32602, "There is no such session.")
            assert "sessionSecret" not in await second.welcome()
            assert (await acts.lost()).details == {"method": ACT, "mayHaveActed": True}
            assert (await looks.lost()).details == {"method": LOOK}
            told = [await anext(changes), await anext(changes)]
        assert [(one.state, one.restored) for one in told] == [("reconnecting", None), ("connected", "none")]


async def test_after_a_cold_start_only_observations_are_repeated(autojump_clock: trio.testing.MockClock) -> None:
    board = Switchboard()
    async with board.client() as (browser, call), trio.open_nursery() as nursery:
        acts = Asking(browser, nursery, ACT, PARAMS)
        await call.hear_call(ACT)
        looks = Asking(browser, nursery, LOOK)
        await call.hear_call(LOOK)
        await call.hang_up()
        second = await back(board, "cold")
        await second.answer(await second.hear_call(LOOK), seen=True)
        assert (await acts.lost()).details == {"method": ACT, "mayHaveActed": True}
        await looks.over.wait()
        assert looks.result == {"seen": True}


async def test_a_refused_handshake_ends_the_reconnection(autojump_clock: trio.testing.MockClock) -> None:
    board = Switchboard()
    async with board.client() as (browser, call):
        await call.hang_up()
        second = await board.call()
        await second.refuse(await second.hear_call("initialize"), -32003, "You may not.")
        with pytest.raises(ConnectionLost, match="You may not"):
            await browser.request(LOOK)
        assert board.waits_s == [1]


async def test_events_continue_after_the_last_received_one(autojump_clock: trio.testing.MockClock) -> None:
    board = Switchboard()

    def line(seq: int) -> dict[str, Any]:
        return {"pageId": "p", "type": "log", "text": str(seq), "level": "info", "timestamp": 0, "seq": seq}

    async with board.client() as (browser, call), trio.open_nursery() as nursery:
        heard: list[str] = []
        begun = trio.Event()

        async def listen() -> None:
            async with browser.events("console", "frame") as events:
                begun.set()
                async for event in events:
                    assert isinstance(event, ConsoleEvent)
                    heard.extend([event.text])

        nursery.start_soon(listen)
        asked = await call.hear_call("events/subscribe")
        assert asked["params"] == {"events": ["console", "frame"]}
        await call.answer(asked, subscribed=["console", "frame"])
        await begun.wait()
        await call.tell("notifications/console", **line(7))
        await trio.testing.wait_all_tasks_blocked()
        await call.hang_up()
        second = await board.call()
        assert (await second.welcome(restored="warm"))["lastEvent"] == 7
        await second.tell("notifications/console", **line(7))
        await second.tell("notifications/console", **line(8))
        await trio.testing.wait_all_tasks_blocked()
        assert heard == ["7", "8"]
        nursery.cancel_scope.cancel()


async def test_a_download_that_is_lost_with_its_session_is_waited_for_no_longer(
    autojump_clock: trio.testing.MockClock,
) -> None:
    board = Switchboard()
    event = {"downloadId": "d", "pageId": "p", "url": "http://a/f", "suggestedFilename": "f", "timestamp": 0}
    async with board.client(Reconnect(max_attempts=1)) as (browser, call), trio.open_nursery() as nursery:
        errors: list[AgentBrowserError] = []

        async def read(download: FileDownload) -> None:
            with pytest.raises(AgentBrowserError) as caught:
                await download.read()
            errors.append(caught.value)

        for _ in range(2):
            nursery.start_soon(read, FileDownload(browser, "d", "f"))
            await call.answer(await call.hear_call("events/subscribe"), subscribed=["download"])
            await call.answer(await call.hear_call("download/list"), downloads=[{**event, "state": "started"}])
        await call.hang_up()
        second = await back(board, "cold")
        await second.answer(await second.hear_call("events/subscribe"), subscribed=["download"])
        await second.answer(await second.hear_call("download/list"), downloads=[])
        await second.answer(await second.hear_call("download/list"), downloads=[{**event, "state": "started"}])
        await trio.testing.wait_all_tasks_blocked()
        board.refusals = [down()]
        await second.hang_up()
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.deadline = trio.current_time() + 100
    assert [type(error) for error in errors] == [ActionFailed, ConnectionLost]


@pytest.mark.parametrize("restored", ["cold", None])
async def test_subscriptions_are_renewed_in_a_new_session(
    restored: str | None, autojump_clock: trio.testing.MockClock
) -> None:
    board = Switchboard()
    async with board.client() as (browser, call), trio.open_nursery() as nursery:
        answers_only: dict[str, Any] = {"filter": {"types": ["response"]}}
        wishes: list[dict[str, Any]] = [{"events": ["page"]}, {"events": ["frame", "network"], **answers_only}]
        again: list[dict[str, Any]] = [
            {"events": ["page"]},
            {"events": ["frame"], **answers_only},
            {"events": ["network"], **answers_only},
        ]

        async def answer(call: Call, wishes: list[dict[str, Any]]) -> None:
            for wish in wishes:
                asked = await call.hear_call("events/subscribe")
                assert asked["params"] == wish
                await call.answer(asked, subscribed=[])

        nursery.start_soon(answer, call, wishes)
        pages = browser.events("page")
        answers = browser.events("network", "frame", filter=EventFilter(types=["response"]))
        async with pages, answers:
            await call.hang_up()
            second = await back(board, restored)
            await answer(second, again)
            await second.tell("notifications/page", pageId="p", type="load", timestamp=0, seq=1)
            assert (await anext(pages)).kind == "page"
            nursery.cancel_scope.cancel()


async def test_the_last_listener_decides_on_the_filter_of_its_kinds(autojump_clock: trio.testing.MockClock) -> None:
    board = Switchboard()
    only: dict[str, Any] = {"filter": {"types": ["response"]}}
    async with board.client() as (browser, call), trio.open_nursery() as nursery:

        async def answer(call: Call, *wishes: dict[str, Any]) -> None:
            for wish in wishes:
                asked = await call.hear_call("events/subscribe")
                assert asked["params"] == wish
                await call.answer(asked, subscribed=[])

        nursery.start_soon(answer, call, {"events": ["network", "page"], **only}, {"events": ["network"]})
        first = browser.events("network", "page", filter=EventFilter(types=["response"]))
        async with first, browser.events("network"):
            await call.hang_up()
            await answer(await back(board, None), {"events": ["network"]}, {"events": ["page"], **only})
            nursery.cancel_scope.cancel()


async def test_connection_changes_are_emitted(autojump_clock: trio.testing.MockClock) -> None:
    board = Switchboard()
    told: list[ConnectionChange] = []
    async with board.client(Reconnect(max_attempts=2)) as (browser, call):
        async with browser.changes() as changes:
            assert browser.state == "connected"
            await call.hang_up()
            call = await back(board)
            await trio.testing.wait_all_tasks_blocked()
            board.refusals = [down(), down()]
            await call.hang_up()
            told = [change async for change in changes]
        assert [(one.state, one.attempt, one.wait_s) for one in told] == [
            ("reconnecting", 1, 1.0),
            ("connected", 0, 0.0),
            ("reconnecting", 1, 1.0),
            ("reconnecting", 2, 2.0),
            ("closed", 0, 0.0),
        ]
        assert told[1].restored == "warm"
        assert told[-1].error is not None


async def test_a_request_cancelled_while_disconnected_is_not_sent(
    autojump_clock: trio.testing.MockClock,
) -> None:
    board = Switchboard()
    async with board.client() as (browser, call):
        await call.hang_up()
        await trio.testing.wait_all_tasks_blocked()
        with trio.move_on_after(0.25) as scope:
            await browser.request(ACT, PARAMS)
        assert scope.cancelled_caught
        with pytest.raises(Timeout, match="there is no connection now") as caught:
            await browser.request(ACT, PARAMS, timeout_ms=250)
        assert caught.value.retryable
        second = await back(board)
        with trio.move_on_after(10) as scope:
            pytest.fail(f"said {await second.hear()}")
        assert scope.cancelled_caught


async def test_requests_that_wait_for_a_connection_fail_when_the_client_is_closed(
    autojump_clock: trio.testing.MockClock,
) -> None:
    board = Switchboard()
    async with trio.open_nursery() as nursery:
        async with board.client() as (browser, call):
            await call.hang_up()
            await trio.testing.wait_all_tasks_blocked()
            waiting = Asking(browser, nursery, ACT, PARAMS)
            await trio.testing.wait_all_tasks_blocked()
        with trio.fail_after(5):
            assert "closed" in (await waiting.lost()).message
            with pytest.raises(ConnectionLost, match="closed"):
                await browser.request(LOOK)


async def test_params_that_are_not_data_fail_alone(autojump_clock: trio.testing.MockClock) -> None:
    board = Switchboard()
    async with board.client() as (browser, call):
        await call.hang_up()
        await trio.testing.wait_all_tasks_blocked()
        with pytest.raises(InvalidParams, match="oops must be plain data"):
            await browser.request(LOOK, {"oops": object()})
        second = await back(board)
        await trio.testing.wait_all_tasks_blocked()
        assert browser.state == "connected"
        assert not second.after_s > 1


async def test_a_request_that_is_too_large_is_not_sent() -> None:
    limits: dict[str, Any] = {"capabilities": {"limits": {"maxMessageSize": 1000}}}
    async with Switchboard().client(**limits) as (browser, call), trio.open_nursery() as nursery:
        with pytest.raises(ResourceLimitExceeded, match="1000 at most") as caught:
            await browser.request(ACT, {"value": "x" * 1000})
        assert caught.value.details["resource"] == "message"
        small = Asking(browser, nursery, LOOK)
        await call.answer(await call.hear_call(LOOK), fine=True)
        await small.over.wait()


async def test_a_request_cancelled_before_its_start_is_not_sent() -> None:
    async with Switchboard().client() as (browser, call), trio.open_nursery() as nursery:
        with trio.CancelScope() as scope:
            scope.cancel()
            await browser.request(ACT, PARAMS)
        next_one = Asking(browser, nursery, LOOK)
        await call.answer(await call.hear_call(LOOK))
        await next_one.over.wait()


@attrs.define(eq=False)
class Slow:
    """A transport whose messages take a second each, of which none must be left half sent."""

    transport: Any
    halves: int = 0

    async def receive(self) -> str:
        return str(await self.transport.receive())

    async def send(self, message: bytes) -> None:
        self.halves += 1
        await trio.sleep(1)
        self.halves -= 1
        await self.transport.send(message)


async def test_cancelling_leaves_no_partial_message(autojump_clock: trio.testing.MockClock) -> None:
    peer, transport = memory_pair()
    slow = Slow(transport)
    async with trio.open_nursery() as nursery, over(slow) as browser:
        with trio.move_on_after(0.5):
            await browser.request(ACT, PARAMS)
        assert slow.halves == 1
        later = Asking(browser, nursery, LOOK)
        said = [json.loads(await peer.receive())["method"] for _ in range(3)]
        assert said == [ACT, "$/cancelRequest", LOOK]
        await peer.close(1000)
        await later.lost()


async def test_events_right_after_the_handshake_belong_to_the_new_session(
    autojump_clock: trio.testing.MockClock,
) -> None:
    board = Switchboard()
    event = {"pageId": "p", "type": "created", "timestamp": 0}
    console = {"pageId": "p", "type": "log", "text": "old", "level": "info", "timestamp": 0}
    for _ in range(8):  # which task runs first is chance
        async with board.client() as (browser, call), trio.open_nursery() as nursery:
            nursery.start_soon(subscribed, call)
            async with browser.events("page", "console") as events:
                await call.tell("notifications/console", **console, seq=70)
                assert (await anext(events)).kind == "console"
                await call.hang_up()
                second = await board.call()
                hello = await second.hear_call("initialize")
                await second.answer(hello, restored="cold")
                await second.tell("notifications/page", **event, seq=1)
                nursery.start_soon(subscribed, second)
                nursery.start_soon(subscribed, second)
                with trio.fail_after(5):
                    assert (await anext(events)).kind == "page"
                nursery.cancel_scope.cancel()


async def subscribed(call: Call) -> None:
    await call.answer(await call.hear_call("events/subscribe"), subscribed=[])


async def test_an_unanswered_subscription_renewal_is_an_attempt(
    autojump_clock: trio.testing.MockClock,
) -> None:
    board = Switchboard()
    async with board.client() as (browser, call), trio.open_nursery() as nursery:
        nursery.start_soon(subscribed, call)
        async with browser.events("page"):
            await call.hang_up()
            second = await back(board, "cold")
            await second.hear_call("events/subscribe")
            await back(board)
            assert board.waits_s == [1, HANDSHAKE_TIMEOUT_S + 2]
            nursery.cancel_scope.cancel()
