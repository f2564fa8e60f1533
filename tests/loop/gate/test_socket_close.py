"""How the talk on a socket ends: silence, slowness, cancellation, and goodbyes."""

import pytest
import trio
import trio.testing

from agentbrowser.server.gate.socket import PeerGone, Socket
from tests.loop.raw_websocket import CLOSE, PING, PONG, TEXT, frame, reading, socket_pair, tight_pair


async def test_a_silent_peer_is_dropped_after_three_pings(autojump_clock: trio.abc.Clock) -> None:
    socket, wire = socket_pair()
    async with reading(socket) as heard:
        for elapsed_s in (20, 40, 60):
            assert await wire.hear() == (PING, b"")
            assert trio.current_time() == pytest.approx(elapsed_s)
        assert await wire.rest() == b""
        assert trio.current_time() == pytest.approx(80)
        await trio.testing.wait_all_tasks_blocked()
        assert isinstance(heard[0], PeerGone)
        assert heard[0].local


async def test_a_pause_of_a_minute_is_survived(autojump_clock: trio.abc.Clock) -> None:
    socket, wire = socket_pair()
    async with reading(socket) as heard:
        for _ in range(5):
            await trio.sleep(75)
            await wire.send(frame(PONG))
        await wire.say("awake")
        await trio.testing.wait_all_tasks_blocked()
        assert heard == ["awake"]


async def test_a_peer_that_stalls_inside_a_frame_is_dropped(autojump_clock: trio.abc.Clock) -> None:
    socket, wire = socket_pair()
    await wire.send(frame(TEXT, b"x" * 100)[:50])
    with pytest.raises(PeerGone):
        await socket.receive()
    assert trio.current_time() == pytest.approx(80)


async def test_a_peer_that_does_not_read_is_dropped(autojump_clock: trio.abc.Clock) -> None:
    socket, wire = tight_pair()
    with pytest.raises(PeerGone) as caught:
        await socket.send(b"x")
    assert caught.value.local
    assert trio.current_time() == pytest.approx(10)
    with pytest.raises(PeerGone):
        await socket.receive()
    await wire.rest()


async def test_a_peer_that_reads_slowly_is_kept(autojump_clock: trio.abc.Clock) -> None:
    socket, wire = tight_pair()
    message = b"x" * 1_000_000

    async def sip() -> None:
        taken = 0
        while taken < len(message):
            await trio.sleep(9)
            taken += len(await wire.stream.receive_some(65_546))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(sip)
        await socket.send(message)
    assert trio.current_time() > 60


async def test_a_send_that_is_cut_short_ends_the_connection() -> None:
    socket, wire = tight_pair()
    with trio.move_on_after(0):
        await socket.send(b"never begun")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(wire.hear)
        await socket.send(b"whole")
    with trio.move_on_after(0.01) as scope:
        await socket.send(b"begun")
    assert scope.cancelled_caught
    with pytest.raises(PeerGone):
        await socket.send(b"after it")
    await wire.rest()


async def test_closing_waits_for_the_answer() -> None:
    socket, wire = socket_pair()
    async with reading(socket) as heard, trio.open_nursery() as nursery:
        nursery.start_soon(socket.close, 1001, "shutdown")
        assert await wire.hear() == (CLOSE, b"\x03\xe9shutdown")
        await wire.say("too late")
        await wire.send(frame(CLOSE, b"\x03\xe9"))
        assert await wire.rest() == b""
    [gone] = heard
    assert isinstance(gone, PeerGone)
    assert (gone.code, gone.local) == (1001, True)


async def test_closing_again_does_nothing(autojump_clock: trio.abc.Clock) -> None:
    socket, wire = socket_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(socket.close, 1001)
        nursery.start_soon(socket.close, 1011)
    await socket.close(1000)
    assert (await wire.hear())[0] == CLOSE
    assert await wire.rest() == b""
    assert trio.current_time() == pytest.approx(1)
    with pytest.raises(PeerGone):
        await socket.send(b"x")


@pytest.mark.parametrize("stuck", [False, True])
async def test_closing_takes_a_second_at_most(stuck: bool, autojump_clock: trio.abc.Clock) -> None:
    socket, wire = tight_pair()
    async with trio.open_nursery() as nursery:
        if stuck:
            nursery.start_soon(send_in_vain, socket)
            await trio.testing.wait_all_tasks_blocked()
        with trio.CancelScope() as scope:
            scope.cancel()
            await socket.close(1001)
    assert trio.current_time() == pytest.approx(1)
    await wire.rest()


async def send_in_vain(socket: Socket) -> None:
    with pytest.raises(PeerGone):
        await socket.send(b"x" * 100)


@pytest.mark.parametrize(("payload", "code"), [(b"\x03\xe8bye", 1000), (b"\x0f\xa1", 4001), (b"", None)])
async def test_a_close_of_the_peer_is_answered(payload: bytes, code: int | None) -> None:
    socket, wire = socket_pair()
    await wire.send(frame(CLOSE, payload))
    with pytest.raises(PeerGone) as caught:
        await socket.receive()
    assert (caught.value.code, caught.value.local) == (code, False)
    assert await wire.hear() == (CLOSE, payload[:2])
    await socket.close(1000)
    assert await wire.rest() == b""


async def test_a_peer_that_hangs_up_is_gone() -> None:
    socket, wire = socket_pair()
    await wire.say("last")
    await wire.stream.aclose()
    assert await socket.receive() == "last"
    with pytest.raises(PeerGone) as caught:
        await socket.receive()
    assert caught.value.code is None
    await socket.close(1000)
