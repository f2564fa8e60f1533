"""The socket over memory streams: messages, their frames, and the rules that frames can break."""

import pytest
import trio
import trio.testing

from agentbrowser.server.gate.socket import PeerGone
from tests.loop.raw_websocket import (
    BINARY,
    CLOSE,
    FIN,
    PING,
    PONG,
    TEXT,
    frame,
    header,
    reading,
    socket_pair,
    tight_pair,
)

TEXTS = [
    "",
    "hello",
    "a\r\nb\n",
    "\u00e9\u4e2d\U0001f600",
    "x" * 125,
    "x" * 126,
    "x" * 65_535,
    "x" * 65_536,
    "\u4e2d" * 70_000,
]


@pytest.mark.parametrize("text", TEXTS, ids=len)
async def test_text_goes_both_ways(text: str) -> None:
    socket, wire = socket_pair()
    await wire.say(text)
    assert await socket.receive() == text
    await socket.send(text.encode())
    assert await wire.hear() == (TEXT, text.encode())


async def test_a_message_may_come_byte_by_byte() -> None:
    socket, wire = socket_pair()
    async with reading(socket) as heard:
        for byte in frame(TEXT, "\u4e2d!".encode()) + frame(TEXT, b"x" * 200):
            await wire.send(bytes([byte]))
            await trio.testing.wait_all_tasks_blocked()
        assert heard == ["\u4e2d!", "x" * 200]


async def test_many_messages_may_come_at_once() -> None:
    socket, wire = socket_pair()
    await wire.send(b"".join(frame(TEXT, str(number).encode()) for number in range(1000)))
    assert [await socket.receive() for _ in range(1000)] == [str(number) for number in range(1000)]


async def test_fragments_make_one_message_and_pings_fit_between_them() -> None:
    socket, wire = socket_pair()
    euro = "\u20ac".encode()
    await wire.send(frame(TEXT, euro[:1], fin=0) + frame(PING, b"?") + frame(0, euro[1:], fin=0) + frame(0))
    assert await socket.receive() == "\u20ac"
    assert await wire.hear() == (PONG, b"?")


BROKEN_RULES = {
    "binary": (frame(BINARY, b"x"), 1003),
    "no utf-8": (frame(TEXT, b"\xff"), 1007),
    "surrogate": (frame(TEXT, b"\xed\xa0\x80"), 1007),
    "utf-8 broken between fragments": (frame(TEXT, b"\xe2\x82", fin=0) + frame(0, b"x"), 1007),
    "utf-8 that ends early": (frame(TEXT, b"\xe2\x82"), 1007),
    "close reason no utf-8": (frame(CLOSE, b"\x03\xe8\xff"), 1007),
    "compressed": (frame(TEXT | 0x40, b"x"), 1002),
    "reserved bit 2": (frame(TEXT | 0x20, b"x"), 1002),
    "reserved bit 3": (frame(PING | 0x10, b"x"), 1002),
    "unmasked": (b"\x81\x01x", 1002),
    "reserved opcode": (frame(0x3, b"x"), 1002),
    "reserved control opcode": (frame(0xB, b"x"), 1002),
    "continuation of nothing": (frame(0, b"x"), 1002),
    "message inside a message": (frame(TEXT, b"x", fin=0) + frame(TEXT, b"x"), 1002),
    "fragmented ping": (frame(PING, b"x", fin=0), 1002),
    "long ping": (frame(PING, b"x" * 126), 1002),
    "length longer than need be": (b"\x81\xfe\x00\x01\x00\x00\x00\x00x", 1002),
    "close of one byte": (frame(CLOSE, b"\x03"), 1002),
    "close with a reserved code": (frame(CLOSE, b"\x03\xed"), 1002),
    "close with no code": (frame(CLOSE, b"\x00\x00"), 1002),
    "2^62 bytes declared": (header(FIN | TEXT, 2**62), 1009),
    "2^62 bytes declared, no mask yet": (header(FIN | TEXT, 2**62)[:10], 1009),
    "one byte too many": (header(FIN | TEXT, 1001), 1009),
    "one byte too many in fragments": (frame(TEXT, b"x" * 500, fin=0) + header(FIN, 501), 1009),
    "fragment flood": (frame(TEXT, b"", fin=0) + frame(0, b"", fin=0) * 4096, 1008),
    "ping flood": (frame(PING) * 51, 1008),
    "pong flood": (frame(PONG) * 51, 1008),
}


@pytest.mark.parametrize(("sent", "code"), BROKEN_RULES.values(), ids=BROKEN_RULES.keys())
async def test_a_broken_rule_closes_with_its_code(sent: bytes, code: int, autojump_clock: trio.abc.Clock) -> None:
    socket, wire = socket_pair(max_message_bytes=1000)
    await wire.say("before")
    await wire.send(sent)
    async with reading(socket) as heard:
        while (got := await wire.hear())[0] == PONG:
            pass
        assert got[0] == CLOSE
        assert int.from_bytes(got[1][:2], "big") == code
        assert await wire.rest() == b""
        await wire.stream.aclose()
        await trio.testing.wait_all_tasks_blocked()
        before, gone = heard
    assert before == "before"
    assert isinstance(gone, PeerGone)
    assert (gone.code, gone.local) == (code, True)
    with pytest.raises(PeerGone):
        await socket.send(b"x")


async def test_the_limits_themselves_are_allowed() -> None:
    socket, wire = socket_pair(max_message_bytes=1000)
    await wire.send(frame(TEXT, b"x" * 1000) + frame(TEXT, b"y" * 500, fin=0) + frame(0, b"y" * 500))
    await wire.send(frame(PING) * 50 + frame(TEXT, b"", fin=0) + frame(0, b"", fin=0) * 4094 + frame(0, b"z"))
    assert [await socket.receive() for _ in range(3)] == ["x" * 1000, "y" * 1000, "z"]


async def test_fifty_pings_a_second_may_go_on(autojump_clock: trio.abc.Clock) -> None:
    socket, wire = socket_pair()
    async with reading(socket) as heard:
        for _ in range(10):
            await wire.send(frame(PING) * 50)
            for _ in range(50):
                assert await wire.hear() == (PONG, b"")
            await trio.sleep(1)
        assert heard == []


async def test_frames_of_concurrent_senders_stay_whole() -> None:
    socket, wire = tight_pair()
    async with reading(socket), trio.open_nursery() as nursery:
        for letter in "ab":
            nursery.start_soon(socket.send, letter.encode() * 200_000)
        await wire.send(frame(PING, b"?"))
        heard = [await wire.hear() for _ in range(3)]
    assert sorted(heard) == [(TEXT, b"a" * 200_000), (TEXT, b"b" * 200_000), (PONG, b"?")]


async def test_a_receive_that_is_cancelled_loses_nothing() -> None:
    socket, wire = socket_pair()
    await wire.send(frame(TEXT, b"whole")[:-1])
    with trio.move_on_after(0.001) as scope:
        await socket.receive()
    assert scope.cancelled_caught
    await wire.send(b"e")
    assert await socket.receive() == "whole"
