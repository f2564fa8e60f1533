"""The gate under load that means harm, and a stock client: size, speed, and clients that never read."""

import contextlib
import resource
from pathlib import Path

import pytest
import trio
import trio.testing
import trio_websocket

from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.gate.socket import Socket
from tests.loop.raw_websocket import CLOSE, FIN, MIB, TEXT, Knocker, Wire, frame, header, open_gate, upgrade


def resident_mib() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / MIB


async def pour(knocker: Knocker, first: bytes, piece: bytes, *, times: int) -> int:
    """Send the pieces on a new socket, as far as the server takes them; return the code of its close frame."""
    async with knocker.websocket() as wire, trio.open_nursery() as nursery:

        async def send() -> None:
            with contextlib.suppress(trio.BrokenResourceError):
                await wire.send(first)
                for _ in range(times):
                    await wire.send(piece)

        nursery.start_soon(send)
        opcode, payload = await wire.hear()
        assert opcode == CLOSE
        return int.from_bytes(payload[:2], "big")


async def test_ten_mebibytes_pass_and_one_byte_more_does_not() -> None:
    async with open_gate() as knocker:
        async with knocker.websocket() as wire, trio.open_nursery() as nursery:
            message = b"x" * (10 * MIB)
            nursery.start_soon(wire.send, frame(TEXT, message))
            assert await wire.hear() == (TEXT, message)
        async with knocker.websocket() as wire:  # as some clients do, it sends all before it reads
            await wire.send(header(FIN | TEXT, len(message) + 1) + message + b"x")
            assert await wire.hear_close() == 1009


@pytest.mark.parametrize(
    ("first", "piece", "code"),
    [
        (header(FIN | TEXT, 400 * MIB), bytes(MIB), 1009),
        (frame(TEXT, bytes(MIB), fin=0), frame(0, bytes(MIB), fin=0), 1009),
        (frame(TEXT, b"x", fin=0), frame(0, b"x", fin=0) * 10_000, 1008),
    ],
    ids=["one frame", "large fragments", "small fragments"],
)
async def test_a_stream_of_400_mib_is_not_kept(first: bytes, piece: bytes, code: int) -> None:
    async with open_gate() as knocker, knocker.websocket() as bystander:
        before = resident_mib()
        assert await pour(knocker, first, piece, times=400 * MIB // len(piece)) == code
        assert resident_mib() - before < 40
        await bystander.say("still here")
        assert await bystander.hear() == (TEXT, b"still here")


async def test_messages_are_not_kept_once_they_are_read() -> None:
    async def swallow(socket: Socket, grant: Grant) -> None:
        for _ in range(4):
            await socket.receive()

    async with open_gate(swallow) as knocker:
        before = resident_mib()
        assert await pour(knocker, b"", frame(TEXT, bytes(10 * MIB)), times=4) == 1000
        assert resident_mib() - before < 40


async def test_a_client_that_never_reads_is_dropped() -> None:
    async with open_gate(write_timeout_s=0.1) as knocker, knocker.websocket():
        async with knocker.websocket() as deaf:
            with pytest.raises(trio.BrokenResourceError):
                await deaf.send(frame(TEXT, bytes(MIB)) * 100)
        while knocker.gate.connections > 1:  # noqa: ASYNC110 - the gate gives no event, and is open for a time only
            await trio.sleep(0.01)
        assert knocker.gate.connections == 1


async def test_a_client_that_never_reads_is_dropped_when_its_answer_fits_into_the_send_buffer() -> None:
    async with open_gate(write_timeout_s=0.5) as knocker:
        with trio.socket.socket() as deaf:
            deaf.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_RCVBUF, 4096)
            await deaf.connect(("127.0.0.1", knocker.port))
            deaf_wire = Wire(trio.SocketStream(deaf))
            await deaf_wire.send(upgrade(knocker.port) + frame(TEXT, bytes(10_000)))
            while not knocker.gate.connections:  # noqa: ASYNC110 - the gate gives no event
                await trio.sleep(0.01)
            with trio.fail_after(20):
                while knocker.gate.connections:  # noqa: ASYNC110 - as above
                    await trio.sleep(0.01)


async def test_a_client_that_never_reads_does_not_hold_up_the_end() -> None:
    with trio.move_on_after(8) as patience:
        async with open_gate() as knocker:
            deaf = await knocker.connect()
            await deaf.send(upgrade(knocker.port) + frame(TEXT, b"x" * 10 * MIB))
            await trio.testing.wait_all_tasks_blocked(0.02)
    assert not patience.cancelled_caught
    await deaf.stream.aclose()


@pytest.mark.parametrize("offer", ["permessage-deflate", "permessage-deflate; client_max_window_bits, x-webkit"])
async def test_no_extension_is_accepted(offer: str) -> None:
    async with open_gate() as knocker:
        wire = await knocker.connect()
        async with wire.stream:
            await wire.send(upgrade(knocker.port, f"Sec-WebSocket-Extensions: {offer}"))
            head = await wire.head()
            assert head.startswith(b"HTTP/1.1 101 ")
            assert b"extensions" not in head.lower()


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        ("jsonrpc", "jsonrpc"),
        ("mqtt, agentbrowser", "agentbrowser"),
        ("jsonrpc, agentbrowser", "jsonrpc"),
        ("mqtt", None),
    ],
)
async def test_subprotocol(offered: str, chosen: str | None) -> None:
    async with open_gate() as knocker:
        url = f"ws://localhost:{knocker.port}/"
        async with trio_websocket.open_websocket_url(url, subprotocols=offered.split(", ")) as client:
            assert client.subprotocol == chosen


async def test_a_stock_client_is_served() -> None:
    async with open_gate() as knocker:
        async with trio_websocket.open_websocket_url(f"ws://127.0.0.1:{knocker.port}/?x=1") as client:
            for text in ("", "hello", "\u4e2d" * 100_000):
                await client.send_message(text)
                assert await client.get_message() == text
            await client.ping(b"?")
        assert client.closed
        assert client.closed.code == 1000
