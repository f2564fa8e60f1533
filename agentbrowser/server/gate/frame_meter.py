"""Limits on what clients send: a meter of WebSocket frames before any payload is buffered, and memory by owner."""

import math
from typing import Final

import attrs
import trio

FRAGMENTS: Final = 4096
"""Maximum number of frames in one message."""
CONTROL_FRAMES_PER_SECOND: Final = 50
MAX_OWNER_BYTES: Final = 64 * 1024 * 1024
"""Memory of an owner's messages beyond which its large ones come in one after the other."""
LARGE_BYTES: Final = 64 * 1024
"""Memory from which a message waits for room: less is kept of each connection, so that small messages still come."""
ONE_MESSAGE_S: Final = 30.0
"""Time in which a message must have come for which others of its owner wait."""

_BINARY: Final = 0x2
_CLOSE: Final = 0x8
_CONTROL: Final = 0x8


@attrs.frozen
class ProtocolViolation:
    """Close code and reason for dropping a peer."""

    code: int
    reason: str


@attrs.define
class FrameMeter:
    """Scanner of frame headers that lets nothing pass from the first frame beyond a limit on.

    It does not check that frames are well formed: the parser behind it does.

    Args:
      limit_bytes: maximum length of a message over all its fragments (inclusive).
    """

    limit_bytes: int
    fault: ProtocolViolation | None = attrs.field(default=None, init=False)
    """Limit that a frame broke; further frames are only skipped."""
    has_close: bool = attrs.field(default=False, init=False)
    """True once a close frame has come behind the fault."""
    _begun: bytes = attrs.field(default=b"", init=False)
    _skip: int = attrs.field(default=0, init=False)
    _message_bytes: int = attrs.field(default=0, init=False)
    _fragments: int = attrs.field(default=0, init=False)
    _control_since: float = attrs.field(default=0.0, init=False)
    _control_frames: int = attrs.field(default=0, init=False)

    def feed(self, data: bytes, now: float) -> int:
        """Count the bytes and return how many of them to pass to the parser.

        Args:
          now: time in seconds, for the rate of control frames.
        """
        already = len(self._begun)
        data, self._begun = self._begun + data, b""
        at, end = self._skip, 0 if self.fault else len(data)
        while at < len(data):
            frame = _measure(data, at)
            if frame is None:
                self._begun, at = data[at:], len(data)
                continue
            header_bytes, payload_bytes = frame
            opcode = data[at] & 0x0F
            if self.fault:
                self.has_close = self.has_close or opcode == _CLOSE
            elif (fault := self._count(opcode, payload_bytes, now)) is not None:
                self.fault, end = fault, at
            at += header_bytes + payload_bytes
        self._skip = at - len(data)
        return max(0, end - already)

    def _count(self, opcode: int, payload_bytes: int, now: float) -> ProtocolViolation | None:
        if opcode & _CONTROL:
            return self._count_control(now)
        if opcode == _BINARY:
            return ProtocolViolation(1003, "only text is taken")
        if opcode:
            self._message_bytes = self._fragments = 0
        self._message_bytes += payload_bytes
        self._fragments += 1
        if self._message_bytes > self.limit_bytes:
            return ProtocolViolation(1009, f"a message is {self.limit_bytes} bytes at most")
        if self._fragments > FRAGMENTS:
            return ProtocolViolation(1008, f"a message has {FRAGMENTS} fragments at most")
        return None

    def _count_control(self, now: float) -> ProtocolViolation | None:
        if now - self._control_since >= 1:
            self._control_since, self._control_frames = now, 0
        self._control_frames += 1
        is_flood = self._control_frames > CONTROL_FRAMES_PER_SECOND
        return ProtocolViolation(1008, "too many control frames") if is_flood else None


@attrs.define(eq=False)
class Intake:
    """Memory of one owner, with all its connections, for the messages that it sends."""

    arriving_bytes: int = attrs.field(default=0, init=False)
    """Memory of messages that have not come in whole."""
    kept_bytes: int = attrs.field(default=0, init=False)
    """Memory of messages that have, until their requests are answered."""
    _going_on: object = attrs.field(default=None, init=False)
    """Reader of the one message that goes on though the memory is full: else none would become whole."""
    _until_s: float = attrs.field(default=0.0, init=False)
    _waiting: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot, init=False)

    def count(self, *, arriving: int = 0, kept: int = 0) -> None:
        """Count memory that is taken, or less than 0 of it: given back."""
        self.arriving_bytes += arriving
        self.kept_bytes += kept
        self._wake()

    async def wait_for_room(self, reader: object) -> float:
        """Wait until a reader may read more of a large message, and return the time in seconds that it has. [trio]

        Whole messages make room by themselves, within the deadlines of their requests.
        """
        while self._going_on is not reader and not self._has_room:
            await self._waiting.park()
        if not self._is_full:
            self.leave(reader)
            self._wake()
            return math.inf
        if self._going_on is None:
            self._going_on, self._until_s = reader, trio.current_time() + ONE_MESSAGE_S
        return max(0.0, self._until_s - trio.current_time())

    def leave(self, reader: object) -> None:
        """Let another reader go on: the message of this one is whole, or its connection has ended."""
        if self._going_on is reader:
            self._going_on = None
            self._wake()

    @property
    def _is_full(self) -> bool:
        return self.arriving_bytes + self.kept_bytes > MAX_OWNER_BYTES

    @property
    def _has_room(self) -> bool:
        return not self._is_full or (self._going_on is None and self.kept_bytes <= MAX_OWNER_BYTES)

    def _wake(self) -> None:
        if self._waiting and self._has_room:
            self._waiting.unpark()  # one, which wakes the next where there is room: they may be many


def _measure(data: bytes, at: int) -> tuple[int, int] | None:
    """Return the header bytes (with mask key) and payload bytes of the frame at an offset; None if incomplete."""
    if len(data) - at < 2:
        return None
    mask_bytes = 4 if data[at + 1] & 0x80 else 0
    length = data[at + 1] & 0x7F
    if length < 126:
        return 2 + mask_bytes, length
    length_bytes = 2 if length == 126 else 8
    declared = data[at + 2 : at + 2 + length_bytes]
    if len(declared) < length_bytes:
        return None
    return 2 + length_bytes + mask_bytes, int.from_bytes(declared, "big")
