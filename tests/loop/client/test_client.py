"""The client against servers that misbehave, and what its blocks let out."""

import errno
import os
from functools import partial
from typing import Any

import pytest
import trio
import trio.testing

import agentbrowser
from agentbrowser.client import ConnectionLost, PendingApproval, Reconnect, SessionKey, blocking
from agentbrowser.client.blocking.connection import BlockingConnection
from agentbrowser.client.connection.dial import make_connection
from agentbrowser.client.subscriptions import MAX_UNREAD_EVENTS
from agentbrowser.client.thread import ConnectionThread
from agentbrowser.protocol import errors, wire
from agentbrowser.protocol.types.approval import ApprovalContext, ApprovalRequest, OriginalRequest
from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.gate.socket import Socket
from tests.loop import raw_websocket
from tests.loop.scripted_peer import Call, Switchboard


async def test_a_server_that_does_not_answer_is_connection_lost() -> None:
    with pytest.raises(ConnectionLost, match="No agentbrowser server answers") as caught:
        async with agentbrowser.connect("ws://127.0.0.1:1/?token=canary"):
            pytest.fail("connected to nothing")
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "localhost:9222", "nonsense", "ws://", "ws://host:port", 5])
async def test_an_invalid_url_is_rejected(url: Any) -> None:
    with pytest.raises(errors.InvalidParams, match=r"ws://127\.0\.0\.1:9222") as caught:
        async with agentbrowser.connect(url):
            pytest.fail("connected to nothing")
    assert caught.value.details["path"] == "url"


@pytest.mark.parametrize("token", ["canary\n", "canäry", "canary canary", 5, b"canary"])
async def test_an_invalid_token_is_rejected(token: Any) -> None:
    with pytest.raises(errors.InvalidParams, match="printable ASCII") as caught:
        async with agentbrowser.connect(token=token):
            pytest.fail("connected")
    assert "can" not in str(caught.value).replace("can't", "")


async def test_wss_to_a_server_without_tls_fails() -> None:
    async with raw_websocket.open_gate(raw_websocket.welcome) as gate:
        with pytest.raises(ConnectionLost, match="answers without TLS") as caught:
            async with agentbrowser.connect(f"wss://127.0.0.1:{gate.port}"):
                pytest.fail("connected")
    assert "ws://" in (caught.value.recovery_hint or "")


@pytest.mark.parametrize(
    "answer", [b"SSH-2.0-OpenSSH\r\n", b"\x00\x17\r\n\r\n", b"HTTP/1.1 101 Go\r\nUpgrade: websocket\r\n\r\n"]
)
async def test_a_server_of_another_protocol_is_connection_lost(answer: bytes) -> None:
    async with trio.open_nursery() as nursery:
        (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
        port = listener.socket.getsockname()[1]
        nursery.start_soon(trio.serve_listeners, partial(trio.SocketStream.send_all, data=answer), [listener])
        with trio.fail_after(5), pytest.raises(ConnectionLost, match="No agentbrowser server answers"):
            async with agentbrowser.connect(f"ws://127.0.0.1:{port}"):
                pytest.fail("connected")
        nursery.cancel_scope.cancel()


async def test_a_server_with_other_answers_is_connection_lost() -> None:
    async def null(socket: Socket, grant: Grant) -> None:
        request = wire.parse(await socket.receive())
        assert isinstance(request, wire.Request)
        await socket.send(wire.encode(wire.Reply(request.id, None)))

    async with raw_websocket.open_gate(null) as gate:
        with pytest.raises(ConnectionLost, match="does not answer as agentbrowser does"):
            async with agentbrowser.connect(f"ws://127.0.0.1:{gate.port}"):
                pytest.fail("connected")


async def test_a_client_without_descriptors_blames_no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    async def attempt(*_: object) -> trio.SocketStream:
        attempts = [OSError(errno.EMFILE, os.strerror(errno.EMFILE))]
        raise OSError("all attempts to connect failed") from ExceptionGroup("", attempts)

    monkeypatch.setattr(trio, "open_tcp_stream", attempt)
    with pytest.raises(ConnectionLost, match="could not connect: Too many open files"):
        async with agentbrowser.connect():
            pytest.fail("connected")


async def test_events_without_a_kind_are_rejected() -> None:
    async with Switchboard().client() as (browser, _):
        with pytest.raises(errors.InvalidParams, match="at least one of page, console"):
            browser.events()


async def test_an_iteration_ends_in_connection_lost() -> None:
    async with Switchboard().client(Reconnect(max_attempts=0)) as (browser, call), browser.approvals() as questions:
        await call.tell("notifications/newest")
        await call.hang_up()
        with pytest.raises(ConnectionLost):
            await anext(questions)


async def test_a_refused_token_is_reported() -> None:
    async with raw_websocket.open_gate(token="the-only-right-token") as gate:
        with pytest.raises(ConnectionLost) as caught:
            async with agentbrowser.connect(f"ws://127.0.0.1:{gate.port}", token="wrong"):
                pytest.fail("got in")
    assert str(caught.value) == "The server refused the connection (401): A valid token is needed."
    assert caught.value.details["status"] == 401
    assert not caught.value.retryable


async def test_an_exception_of_the_block_propagates_unchanged() -> None:
    async with raw_websocket.open_gate(raw_websocket.welcome) as gate:
        with pytest.raises(errors.ElementNotFound):
            await _fail_within(f"ws://127.0.0.1:{gate.port}")


async def _fail_within(url: str) -> None:
    async with agentbrowser.connect(url):
        await trio.lowlevel.checkpoint()
        raise errors.ElementNotFound("Nothing matches.")


@pytest.mark.parametrize(
    ("code", "retryable"), [(1001, True), (1011, True), (1008, False), (4001, False), (4002, False)]
)
async def test_a_close_code_decides_retryability(code: int, retryable: bool) -> None:
    async def close(socket: Socket, grant: Grant) -> None:
        await socket.receive()
        await socket.close(code, "over")

    async with raw_websocket.open_gate(close) as gate:
        with pytest.raises(ConnectionLost) as caught:
            async with agentbrowser.connect(f"ws://127.0.0.1:{gate.port}"):
                pytest.fail("got in")
    assert caught.value.details == {"code": code, "reason": "over"}
    assert repr(caught.value.details["code"]) == str(code)  # a number, not a member of an enumeration
    assert f"({code}: over)" in caught.value.message
    assert caught.value.retryable is retryable


async def test_closing_ends_the_session_unless_it_was_given() -> None:
    asked: list[str] = []

    async def note(socket: Socket, grant: Grant) -> None:
        while True:
            request = wire.parse(await socket.receive())
            assert isinstance(request, wire.Request)
            asked.append(request.method)
            await socket.send(wire.encode(wire.Reply(request.id, {"sessionSecret": "s3cret"})))

    async with raw_websocket.open_gate(note) as gate:
        url = f"ws://127.0.0.1:{gate.port}"
        async with agentbrowser.connect(url):
            pass
        assert asked == ["initialize", "shutdown"]
        session = SessionKey(id="mine")
        async with agentbrowser.connect(url, session=session):
            pass
        assert asked[2:] == ["initialize"]
        assert session == SessionKey(id="mine", secret="s3cret")
        assert "s3cret" not in repr(session)


def test_a_repr_has_neither_token_nor_secret() -> None:
    connection = make_connection("ws://127.0.0.1:1", token="t0ken", session=SessionKey(id="mine"))
    assert connection.handshake is not None
    connection.handshake.accept({"sessionSecret": "s3cret"})
    blocking_line = BlockingConnection(ConnectionThread(connection))
    browser = agentbrowser.Browser(connection)
    printed = [
        connection,
        blocking_line,
        browser,
        browser.page["@a"],
        browser.events("console"),
        blocking.Browser(blocking_line),
    ]
    asked = ApprovalRequest(
        request_id="r1",
        original_request=OriginalRequest(method="action/click", params={}),
        rule="r",
        expires_at=1,
        context=ApprovalContext(),
    )
    for shown in (*printed, PendingApproval(connection, asked), blocking.PendingApproval(blocking_line, asked)):
        assert "t0ken" not in repr(shown)
        assert "s3cret" not in repr(shown)


async def test_an_approval_is_decided_by_its_listener() -> None:
    asked = {
        "requestId": "r1",
        "originalRequest": {"method": "action/click", "params": {"selector": {"type": "ref", "value": "@buy"}}},
        "rule": "payments",
        "context": {"pageUrl": "https://shop.test/"},
        "expiresAt": 1,
    }
    async with Switchboard().client() as (browser, call), trio.open_nursery() as nursery:
        acknowledged: list[bool] = []

        async def approve() -> None:
            async for question in browser.approvals():
                assert (question.method, question.rule) == ("action/click", "payments")
                assert question.params["selector"]["value"] == "@buy"
                assert question.context.page_url == "https://shop.test/"
                acknowledged.append(await question.respond("approve-once", reason="fine"))
                return

        nursery.start_soon(approve)
        await trio.testing.wait_all_tasks_blocked()
        await call.tell("approval/required", **asked)
        answer = await call.hear_call("approval/respond")
        told = {name: value for name, value in answer["params"].items() if name != "idempotencyKey"}
        assert told == {"requestId": "r1", "decision": "approve-once", "reason": "fine"}
        await call.answer(answer, acknowledged=True)
    assert acknowledged == [True]


async def test_an_error_keeps_all_fields_of_the_server() -> None:
    async with Switchboard().client() as (browser, call), trio.open_nursery() as nursery:
        caught: list[errors.AgentBrowserError] = []

        async def ask() -> None:
            try:
                await browser.page["@buy"].click()
            except errors.ElementNotFound as error:
                caught.append(error)

        nursery.start_soon(ask)
        data = {"retryable": True, "retryAfterMs": 250, "details": {"waitedMs": 5}, "recoveryHint": "Look again."}
        await call.refuse(await call.hear_call("action/click"), -32012, "Nothing.", **data)
    (error,) = caught
    assert (error.code, error.message, error.retryable, error.retry_after_s) == (-32012, "Nothing.", True, 0.25)
    assert (error.recovery_hint, error.details) == ("Look again.", {"waitedMs": 5})


async def test_dropped_events_are_counted() -> None:
    async with Switchboard().client() as (browser, call), trio.open_nursery() as nursery:
        nursery.start_soon(_answer_one, call)
        async with browser.events("console") as events:
            connection = {"pageId": "p", "type": "log", "text": "x", "level": "info", "timestamp": 0}
            for _ in range(MAX_UNREAD_EVENTS + 2):
                await call.tell("notifications/console", **connection)
            await call.tell("notifications/dropped", kind="network", count=3)
            await trio.testing.wait_all_tasks_blocked()
            assert browser.dropped == {"console": 2, "network": 3}
            assert (await anext(events)).kind == "console"


async def test_events_that_can_not_be_read_are_counted_and_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    async with Switchboard().client() as (browser, call):
        for secret in ("s3cret", "s3cret"):
            await call.tell("notifications/console", pageId="p", type="log", text="x", level=secret, timestamp=0)
        await call.tell("approval/required", requestId="approval-1")
        await call.tell("notifications/newest")
        await trio.testing.wait_all_tasks_blocked()
        assert browser.dropped == {"console": 2, "required": 1}
    logged = [record.getMessage() for record in caplog.records if record.name == "agentbrowser.client"]
    assert len(logged) == 2
    assert logged[0].startswith(
        "notifications/console is dropped, since it is not what this client knows: level is not "
    )
    assert logged[1].startswith("approval/required is dropped, ")
    assert "s3cret" not in " ".join(logged)


async def _answer_one(call: Call) -> None:
    await call.answer(await call.hear_call("events/subscribe"), subscribed=["console"])


async def test_an_iteration_reads_queued_events_before_it_ends(autojump_clock: trio.testing.MockClock) -> None:
    async with Switchboard().client(Reconnect(max_attempts=0)) as (browser, call), trio.open_nursery() as nursery:
        nursery.start_soon(_answer_one, call)
        async with browser.events("console") as events:
            await call.tell("notifications/console", pageId="p", type="log", text="x", level="info", timestamp=0)
            await call.hang_up()
            assert (await anext(events)).kind == "console"
            with pytest.raises(ConnectionLost):
                await anext(events)


async def test_a_kind_with_another_listener_stays_subscribed() -> None:
    async with Switchboard().client() as (browser, call), trio.open_nursery() as nursery:
        said: list[tuple[str, list[str]]] = []

        async def answer() -> None:
            while True:
                request = await call.hear()
                said.append((request["method"], request["params"]["events"]))
                await call.answer(request, subscribed=[])

        nursery.start_soon(answer)
        async with browser.events("page", "frame", "console"), browser.events("page", "network", "dialog"):
            pass
        assert said == [
            ("events/subscribe", ["console", "frame", "page"]),
            ("events/subscribe", ["dialog", "network", "page"]),
            ("events/unsubscribe", ["network"]),
            ("events/unsubscribe", ["frame", "page"]),
        ]
        nursery.cancel_scope.cancel()


async def test_an_abandoned_iteration_is_unsubscribed() -> None:
    connection = {"pageId": "p", "type": "load", "timestamp": 0}

    async def tell() -> None:
        await _answer_one(call)
        await call.tell("notifications/page", **connection)

    async with Switchboard().client() as (browser, call), trio.open_nursery() as nursery:
        nursery.start_soon(tell)
        async for event in browser.events("page"):
            assert event.kind == "page"
            break
        for _ in range(3):
            await call.tell("notifications/page", **connection)
        asked = await call.hear_call("events/unsubscribe")
        assert asked["params"] == {"events": ["page"]}
        await call.answer(asked, subscribed=[])
        await call.tell("notifications/page", **connection)
        await trio.testing.wait_all_tasks_blocked()
        await browser.notify("notifications/initialized")
        await call.hear_call("notifications/initialized")
