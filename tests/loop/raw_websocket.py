"""The client's side of a WebSocket, byte by byte; a socket in memory, and a gate to knock at."""

import contextlib
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import attrs
import trio
import trio.testing

from agentbrowser.config import Config
from agentbrowser.protocol import wire
from agentbrowser.server.gate.accept import Gate, OnSocket, listen
from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.gate.socket import PeerGone, Socket

TEXT: Final = 0x1
BINARY: Final = 0x2
CLOSE: Final = 0x8
PING: Final = 0x9
PONG: Final = 0xA
FIN: Final = 0x80
KEY: Final = "dGhlIHNhbXBsZSBub25jZQ=="
MIB: Final = 1024 * 1024


def upgrade(port: int, *extra: str, target: str = "/") -> bytes:
    """Return a good upgrade request, with further header lines."""
    lines = [
        f"GET {target} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {KEY}",
        *extra,
    ]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"


def header(first: int, length: int) -> bytes:
    """Return the header of a masked frame whose mask is all zeros."""
    if length < 126:
        return bytes((first, 0x80 | length)) + bytes(4)
    if length < 65536:
        return struct.pack("!BBH", first, 0xFE, length) + bytes(4)
    return struct.pack("!BBQ", first, 0xFF, length) + bytes(4)


def frame(opcode: int, payload: bytes = b"", *, fin: int = FIN) -> bytes:
    """Return a client's frame."""
    return header(fin | opcode, len(payload)) + payload


@attrs.define
class Wire:
    """A stream on which server frames are read."""

    stream: trio.abc.HalfCloseableStream
    _buffer: bytes = b""

    async def send(self, data: bytes) -> None:
        await self.stream.send_all(data)

    async def say(self, text: str) -> None:
        await self.send(frame(TEXT, text.encode()))

    async def hear(self) -> tuple[int, bytes]:
        """Return the opcode and payload of the next frame."""
        first, length = await self._take(2)
        assert first & FIN, "the server does not fragment"
        if length >= 126:
            length = int.from_bytes(await self._take(2 if length == 126 else 8), "big")
        return first & 0x7F, await self._take(length)

    async def hear_close(self) -> int:
        """Return the code of the next frame, a close frame; answer it and wait for the end of the stream."""
        opcode, payload = await self.hear()
        assert opcode == CLOSE
        with contextlib.suppress(trio.BrokenResourceError):
            await self.send(frame(CLOSE, payload))
        assert await self.rest() == b""
        return int.from_bytes(payload[:2], "big")

    async def rest(self) -> bytes:
        """Return everything up to the end of the stream, also when it is reset."""
        while data := await self._more():
            self._buffer += data
        rest, self._buffer = self._buffer, b""
        return rest

    async def head(self) -> bytes:
        """Return the head of an HTTP response."""
        while b"\r\n\r\n" not in self._buffer:
            data = await self._more()
            assert data, f"the stream ended after {self._buffer!r}"
            self._buffer += data
        head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
        return head

    async def _take(self, count: int) -> bytes:
        while len(self._buffer) < count:
            data = await self._more()
            assert data, "the stream ended in a frame"
            self._buffer += data
        taken, self._buffer = self._buffer[:count], self._buffer[count:]
        return taken

    async def _more(self) -> bytes:
        try:
            return bytes(await self.stream.receive_some(65536))
        except trio.BrokenResourceError:
            return b""


async def echo(socket: Socket, grant: Grant) -> None:
    """Send back what comes."""
    while True:
        await socket.send((await socket.receive()).encode())


def socket_pair(**settings: Any) -> tuple[Socket, Wire]:
    ours, theirs = trio.testing.memory_stream_pair()
    return Socket(ours, Config(**settings), remote="memory"), Wire(theirs)


def tight_pair(**settings: Any) -> tuple[Socket, Wire]:
    """Return a pair between which nothing is buffered: a send ends when it was read."""
    ours, theirs = trio.testing.lockstep_stream_pair()
    return Socket(ours, Config(**settings), remote="memory"), Wire(theirs)


@asynccontextmanager
async def reading(socket: Socket) -> AsyncIterator[list[str | PeerGone]]:
    """Receive in the background; the list gets what came, and why it ended."""
    heard: list[str | PeerGone] = []

    async def read() -> None:
        try:
            while True:
                heard.append(await socket.receive())
        except PeerGone as gone:
            heard.append(gone)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(read)
        yield heard
        nursery.cancel_scope.cancel()


@attrs.frozen
class Knocker:
    """A running gate and the ways to it."""

    gate: Gate
    port: int

    async def connect(self) -> Wire:
        return Wire(await trio.open_tcp_stream("127.0.0.1", self.port))

    async def ask(self, request: bytes) -> bytes:
        """Send the bytes of a request and return all that comes back until the server closes."""
        wire = await self.connect()
        async with wire.stream:
            await wire.send(request)
            return await wire.rest()

    async def status(self, request: bytes) -> int:
        """Send the bytes of a request and return the status of the answer, whose connection the server must close."""
        return int((await self.ask(request)).split(b" ", 2)[1])

    @asynccontextmanager
    async def websocket(self, *extra: str, target: str = "/") -> AsyncIterator[Wire]:
        wire = await self.connect()
        async with wire.stream:
            await wire.send(upgrade(self.port, *extra, target=target))
            assert (await wire.head()).startswith(b"HTTP/1.1 101 ")
            yield wire


@asynccontextmanager
async def open_gate(on_socket: OnSocket = echo, **settings: Any) -> AsyncIterator[Knocker]:
    """Run a gate on a free port for a minute at most."""
    config = Config(port=0, **settings)
    gate = Gate(config, on_socket, await listen(config))
    gate.status.state = "ready"
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            await nursery.start(gate.run)
            yield Knocker(gate, gate.ports[0])
            nursery.cancel_scope.cancel()


async def welcome(socket: Socket, grant: Grant) -> None:
    """Answer every request with a result that says nothing."""
    while True:
        request = wire.parse(await socket.receive())
        assert isinstance(request, wire.Request)
        await socket.send(wire.encode(wire.Reply(request.id, {})))
