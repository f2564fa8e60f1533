"""A connection that is dead and has not ended: how a client notices, on streams in memory and a clock that jumps."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest
import trio
import trio.testing
import wsproto
from wsproto.events import AcceptConnection, CloseConnection, Ping, Request

from agentbrowser.client import ConnectionLost
from agentbrowser.client.connection import websocket as transport
from agentbrowser.client.connection.websocket import PING_INTERVAL_S, PONG_TIMEOUT_S, WebSocketTransport, open_websocket

PING = b"\x89\x00"


async def serve(stream: trio.abc.HalfCloseableStream, pongs: int) -> None:
    """Accept a WebSocket, and answer so many pings."""
    socket = wsproto.WSConnection(wsproto.ConnectionType.SERVER)
    while data := await stream.receive_some():
        socket.receive_data(bytes(data))
        for event in socket.events():
            if isinstance(event, Request):
                await stream.send_all(socket.send(AcceptConnection()))
            elif isinstance(event, Ping) and pongs > 0:
                pongs -= 1
                await stream.send_all(socket.send(event.response()))
            elif isinstance(event, CloseConnection):
                await stream.send_all(PING + socket.send(event.response()))  # a ping that was under way


@contextlib.asynccontextmanager
async def line(monkeypatch: pytest.MonkeyPatch, pongs: int) -> AsyncIterator[WebSocketTransport]:
    ours, theirs = trio.testing.memory_stream_pair()

    async def dial(*_: Any) -> Any:
        await trio.lowlevel.checkpoint()
        return ours

    monkeypatch.setattr(transport, "_open_stream", dial)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve, theirs, pongs)
        async with open_websocket("ws://127.0.0.1:1", None) as opened:
            yield opened
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("pongs", [0, 3])
async def test_a_dead_server_is_detected(
    pongs: int, monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    async with line(monkeypatch, pongs) as opened:
        began = trio.current_time()
        with pytest.raises(ConnectionLost) as caught:
            await opened.receive()
        assert trio.current_time() - began == PING_INTERVAL_S * (pongs + 1) + PONG_TIMEOUT_S
        assert caught.value.retryable


async def test_a_server_that_answers_pings_may_be_silent_for_an_hour(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    async with line(monkeypatch, 1000) as opened:
        with trio.move_on_after(3600) as hour:
            await opened.receive()
        assert hour.cancelled_caught


async def test_a_ping_while_the_connection_closes_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    async with line(monkeypatch, 0) as opened:
        assert not opened.connection.closed
    assert opened.connection.closed
