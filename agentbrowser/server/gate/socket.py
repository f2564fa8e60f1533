"""Server's end of a WebSocket: text messages over a byte stream, framed by wsproto behind the frame meter."""

import contextlib
import io
import math
import struct
from collections.abc import Iterable, Iterator
from typing import Final, NoReturn, Protocol

import attrs
import trio
from wsproto.frame_protocol import CloseReason, Frame, FrameProtocol, Opcode, ParseFailed

from agentbrowser.config import Config
from agentbrowser.server.gate.byte_stream import RECEIVE_BYTES, STREAM_LOST, abort, hang_up
from agentbrowser.server.gate.frame_meter import LARGE_BYTES, FrameMeter, Intake, ProtocolViolation

CLOSE_TIMEOUT_S: Final = 1.0
"""Time that a closing socket waits for the peer."""
MISSED_PONGS: Final = 3
_LINGER_BYTES: Final = 1024 * 1024
_LINGER_S: Final = 2.0
_MAX_DISCARDED_BYTES: Final = 64 * 1024 * 1024
_PIECE_BYTES: Final = 65536
_WIDEST: Final = 4
"""Bytes of memory for a character beside one beyond ASCII."""
_FIN: Final = 0x80


@attrs.define
class PeerGone(Exception):
    """End of a connection: the peer disconnected or was dropped."""

    code: int | None
    """Close code, or None without a close frame."""
    reason: str = ""
    local: bool = False
    """True if the server ended the connection."""


class Peer(Protocol):
    """Peer of a connection: receives and sends text messages."""

    remote: str
    traceparent: str | None = None
    """Trace of its requests that name none, from the head of the handshake."""
    intake: Intake
    """Memory of its owner for messages."""

    async def receive(self) -> str:
        """Return the next text message.

        Raises:
          PeerGone: the connection has ended.
        """
        ...

    async def send(self, message: bytes) -> None:
        """Send one text message.

        Args:
          message: its text in UTF-8.

        Raises:
          PeerGone: the connection has ended.

        Cancel: ends the connection if a part of the message was sent.
        """

    async def close(self, code: int, reason: str = "") -> None:
        """Send a close frame, wait briefly for the answer and end the connection. Idempotent.

        Cancel: is shielded until the connection is closed, a second at most.
        """


class Socket(Peer):
    """WebSocket after its handshake. One task may receive while others send.

    Args:
      remote: address and port of the peer, for the log.
      early: bytes that arrived with the handshake.
      intake: memory of its owner; by default its own.
    """

    def __init__(
        self,
        stream: trio.abc.HalfCloseableStream,
        config: Config,
        *,
        remote: str,
        early: bytes = b"",
        intake: Intake | None = None,
    ) -> None:
        self.remote = remote
        self.intake = intake or Intake()
        self._stream = stream
        self._ping_interval_s = config.ping_interval_s
        self._write_timeout_s = config.write_timeout_s
        self._frames = FrameProtocol(client=False, extensions=[])
        self._meter = FrameMeter(config.max_message_bytes)
        self._text: io.StringIO | None = None
        self._text_bytes = 0
        self._text_width = 1
        self._room_wait = trio.CancelScope()
        self._pings_unanswered = 0
        self._sending = _QuickLock()
        self._receiving = _QuickLock()
        self._close_sent = False
        self._gone: PeerGone | None = None
        self._feed(early)

    async def receive(self) -> str:
        async with self._receiving:
            while True:
                message = await self._next_message()
                if not self._close_sent:
                    return message

    async def send(self, message: bytes) -> None:
        await self._send_frame(Opcode.TEXT, message)

    async def send_binary(self, message: bytes) -> None:
        """Send one binary message, as `send` does a text. [trio]"""
        await self._send_frame(Opcode.BINARY, message)

    async def close(self, code: int, reason: str = "") -> None:
        with trio.CancelScope(shield=True):
            with trio.move_on_after(CLOSE_TIMEOUT_S), contextlib.suppress(PeerGone):
                await self._send_close(code, reason)
                async with self._receiving:
                    while True:
                        await self._next_message()
            self._forget_text()
            self._room_wait.cancel()  # the reader waits for no stream then, whose end would wake it
            await (trio.aclose_forcefully if self._close_sent else abort)(self._stream)

    async def _next_message(self) -> str:
        while True:
            frame = await self._next_frame()
            if frame.opcode is Opcode.TEXT:
                text = self._join(frame)
                if text is not None:
                    return text
            else:
                await self._answer(frame)

    async def _next_frame(self) -> Frame:
        while True:
            if self._gone:
                raise attrs.evolve(self._gone)
            try:
                frame = next(self._frames.received_frames(), None)
            except ParseFailed as failure:
                await self._drop(ProtocolViolation(failure.code, "the frames are not valid"))
            if frame is not None:
                return frame
            if self._meter.fault:
                await self._drop(self._meter.fault)
            await self._read()

    def _join(self, frame: Frame) -> str | None:
        """Add a frame to its message, and return the message once it is complete."""
        text = str(frame.payload)
        if self._text is None:
            if frame.message_finished:
                return text
            self._text = io.StringIO()
        self._text.write(text)
        if frame.message_finished:
            whole = self._text.getvalue()
            self._forget_text()
            return whole
        if not text.isascii():
            self._text_width = _WIDEST
        self._count_text(self._text.tell() * self._text_width)
        return None

    def _forget_text(self) -> None:
        self._text, self._text_width = None, 1
        self._count_text(0)
        self.intake.leave(self)

    def _count_text(self, text_bytes: int) -> None:
        self.intake.count(arriving=text_bytes - self._text_bytes)
        self._text_bytes = text_bytes

    async def _answer(self, frame: Frame) -> None:
        match frame:
            case Frame(opcode=Opcode.PING, payload=bytes() as payload) if not self._close_sent:
                await self._send_frame(Opcode.PONG, payload)
            case Frame(opcode=Opcode.CLOSE, payload=(int() as code, str() as reason)):
                gone = self._mark_lost(None if code == CloseReason.NO_STATUS_RCVD else int(code), reason)
                await self._send_close(code)
                raise gone

    async def _read(self) -> None:
        """Wait for bytes and feed them to the parser; ping a silent peer."""
        has_s = await self._wait_for_room() if self._text_bytes > LARGE_BYTES else math.inf
        if has_s <= 0:
            await self._drop(ProtocolViolation(1013, "a large message came too slowly, and others wait for its memory"))
        with trio.move_on_after(min(self._ping_interval_s, has_s)):
            try:
                data = await self._stream.receive_some(RECEIVE_BYTES)
            except STREAM_LOST:
                data = b""
            if not data:
                raise self._mark_lost(None, "the connection was lost")
            self._feed(bytes(data))
            return
        if has_s > self._ping_interval_s:
            await self._ping()

    async def _wait_for_room(self) -> float:
        """Wait until more of the message may be read, and return the time in seconds for it; `close` ends the wait."""
        with trio.CancelScope() as self._room_wait:
            return await self.intake.wait_for_room(self)
        return math.inf

    def _feed(self, data: bytes) -> None:
        self._pings_unanswered = 0
        self._frames.receive_bytes(data[: self._meter.feed(data, trio.current_time())])

    async def _ping(self) -> None:
        if self._pings_unanswered == MISSED_PONGS:
            gone = self._mark_lost(None, "the peer fell silent", local=True)
            await abort(self._stream)
            raise gone
        self._pings_unanswered += 1
        await self._send_frame(Opcode.PING)

    async def _send_frame(self, opcode: Opcode, payload: bytes = b"") -> None:
        async with self._sending:
            if self._gone:
                raise attrs.evolve(self._gone)
            if self._close_sent:
                raise PeerGone(None, "the connection is being closed", local=True)
            await self._write(_pieces(_header(opcode, len(payload)), payload))

    async def _send_close(self, code: int, reason: str = "") -> None:
        """Send a close frame, once."""
        async with self._sending:
            if not self._close_sent:
                self._close_sent = True
                await self._write([bytes(self._frames.close(code, reason))])

    async def _drop(self, fault: ProtocolViolation) -> NoReturn:
        """Close the connection of a peer that broke the protocol: its further frames can't be parsed."""
        gone = self._mark_lost(fault.code, fault.reason, local=True)
        self._forget_text()
        with trio.move_on_after(CLOSE_TIMEOUT_S), contextlib.suppress(PeerGone):
            await self._send_close(fault.code, fault.reason)
        with trio.move_on_after(_LINGER_S), contextlib.suppress(*STREAM_LOST):
            await self._discard_until_close(fault)
        await hang_up(self._stream, limit_bytes=_LINGER_BYTES, limit_s=_LINGER_S)
        await trio.aclose_forcefully(self._stream)
        raise gone

    async def _discard_until_close(self, fault: ProtocolViolation) -> None:
        """Discard what a peer is still sending, until it has read our close frame and sends its own.

        Some clients, such as aiohttp, give up a message at the end of our side, and never see the close frame.
        """
        self._meter.fault = self._meter.fault or fault
        left = _MAX_DISCARDED_BYTES
        while left > 0 and not self._meter.has_close and (data := await self._stream.receive_some(RECEIVE_BYTES)):
            self._meter.feed(bytes(data), trio.current_time())
            left -= len(data)

    async def _write(self, pieces: Iterable[bytes | memoryview]) -> None:
        await trio.lowlevel.checkpoint_if_cancelled()
        whole = False
        try:
            for piece in pieces:
                with trio.fail_after(self._write_timeout_s):
                    await self._stream.send_all(piece)
            whole = True
        except trio.TooSlowError:
            raise self._mark_lost(None, "the peer does not read", local=True) from None
        except STREAM_LOST:
            raise self._mark_lost(None, "the connection was lost") from None
        finally:
            if not whole:
                # A part of a frame may have been sent, and no other frame can follow it.
                self._mark_lost(None, "a message was cut short", local=True)
                await abort(self._stream)

    def _mark_lost(self, code: int | None, reason: str, *, local: bool | None = None) -> PeerGone:
        """Record the end of the connection and return its exception; the first reason is kept."""
        if self._gone is None:
            self._gone = PeerGone(code, reason, self._close_sent if local is None else local)
        return attrs.evolve(self._gone)


class _QuickLock:
    """Lock that is acquired without a checkpoint while it is free: a checkpoint costs a whole pass of Trio's loop."""

    def __init__(self) -> None:
        self._lock = trio.Lock()

    async def __aenter__(self) -> None:
        try:
            self._lock.acquire_nowait()
        except trio.WouldBlock:
            await self._lock.acquire()

    async def __aexit__(self, *_: object) -> None:
        self._lock.release()


def _header(opcode: Opcode, payload_bytes: int) -> bytes:
    first = _FIN | opcode
    if payload_bytes < 126:
        return bytes((first, payload_bytes))
    if payload_bytes < 65536:
        return struct.pack("!BBH", first, 126, payload_bytes)
    return struct.pack("!BBQ", first, 127, payload_bytes)


def _pieces(header: bytes, payload: bytes) -> Iterator[bytes | memoryview]:
    """Cut a frame into pieces that a live peer reads well within the write timeout; a small frame stays whole."""
    yield header + payload[:_PIECE_BYTES]
    with memoryview(payload) as rest:
        for start in range(_PIECE_BYTES, len(payload), _PIECE_BYTES):
            yield rest[start : start + _PIECE_BYTES]
