"""The first connection of a client, to a server that is still starting."""

import asyncio

import pytest
import trio
import trio.testing

import agentbrowser
from agentbrowser.client import ConnectionLost, aio, blocking
from agentbrowser.client.connection.connection import ClientConnection
from agentbrowser.client.connection.dial import make_connection, run_connection
from agentbrowser.client.connection.handshake import Handshake
from agentbrowser.protocol.errors import InvalidParams
from tests.loop.scripted_peer import LIMIT_S, Switchboard

NOWHERE = "ws://127.0.0.1:1"


def refused(*, retryable: bool = True) -> ConnectionLost:
    return ConnectionLost("No server answers.", retryable=retryable)


def connection(board: Switchboard, wait_s: float) -> ClientConnection:
    return ClientConnection(open=board.open, handshake=Handshake(ends_session=False), wait_s=wait_s)


async def test_a_client_waits_for_a_server_that_is_starting(autojump_clock: trio.testing.MockClock) -> None:
    board = Switchboard(refusals=[refused() for _ in range(6)])
    made = connection(board, wait_s=5)

    async def answer() -> None:
        await (await board.call()).welcome()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer)
        with trio.fail_after(LIMIT_S):
            async with run_connection(made):
                assert made.state == "connected"
    assert board.waits_s == [0.05, 0.1, 0.2, 0.4, 1.0, 1.0]


async def test_the_wait_ends_in_the_last_refusal(autojump_clock: trio.testing.MockClock) -> None:
    board = Switchboard(refusals=[refused() for _ in range(100)])
    with pytest.raises(ConnectionLost, match="No server answers") as caught:
        async with run_connection(connection(board, wait_s=3)):
            pytest.fail("connected to nothing")
    assert caught.value.details == {"waitedMs": 3000}
    assert sum(board.waits_s) == pytest.approx(3)


async def test_a_final_refusal_is_not_waited_out(autojump_clock: trio.testing.MockClock) -> None:
    board = Switchboard(refusals=[refused(), refused(retryable=False)])
    with pytest.raises(ConnectionLost):
        async with run_connection(connection(board, wait_s=60)):
            pytest.fail("connected to nothing")
    assert board.waits_s == [0.05]


async def test_without_a_wait_the_first_refusal_is_raised(autojump_clock: trio.testing.MockClock) -> None:
    board = Switchboard(refusals=[refused(), refused()])
    with pytest.raises(ConnectionLost) as caught:
        async with run_connection(connection(board, wait_s=0)):
            pytest.fail("connected to nothing")
    assert (len(board.attempts_s), caught.value.details) == (1, {})


async def test_every_client_waits() -> None:
    async def with_asyncio() -> None:
        async with aio.connect(NOWHERE, wait_s=0.06):
            pytest.fail("connected to nothing")

    with pytest.raises(ConnectionLost) as of_trio:
        async with agentbrowser.connect(NOWHERE, wait_s=0.06):
            pytest.fail("connected to nothing")
    with pytest.raises(ConnectionLost) as of_asyncio:
        await trio.to_thread.run_sync(lambda: asyncio.run(with_asyncio()))
    with pytest.raises(ConnectionLost) as of_blocking:
        await trio.to_thread.run_sync(lambda: blocking.connect(NOWHERE, wait_s=0.06))
    assert [one.value.details for one in (of_trio, of_asyncio, of_blocking)] == [{"waitedMs": 60}] * 3


@pytest.mark.parametrize("wait_s", [-1, float("nan"), float("inf")])
def test_an_invalid_wait_is_rejected(wait_s: float) -> None:
    with pytest.raises(InvalidParams, match="wait_s must be a number of seconds, 0 or more"):
        make_connection(NOWHERE, wait_s=wait_s)
