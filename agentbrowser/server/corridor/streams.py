"""Replies that are too large for their client: their largest texts are taken out and sent after them, in pieces."""

import hashlib
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import attrs
import trio

from agentbrowser.protocol import wire
from agentbrowser.protocol.codec import unstructure
from agentbrowser.protocol.errors import AgentBrowserError, ResourceLimitExceeded, StreamNotFound
from agentbrowser.protocol.types.stream import StreamChunk, StreamEnd, StreamReference
from agentbrowser.server.corridor.outbox import Outbox

_PIECE_BYTES: Final = 256 * 1024
"""Small enough for other messages to get in between soon."""
_AROUND_PIECE_BYTES: Final = 512
"""At least what a chunk has besides its text."""
_LEAST_MOVED: Final = 1024
"""A shorter text stays: what would stand for it is hardly shorter."""
_LONGEST_FAULT: Final = 1000

_BASE64: Final = re.compile(r"[A-Za-z0-9+/]+={0,2}")

Path = tuple[str | int, ...]
"""Keys and indices that lead to a value in plain data."""


@attrs.define(eq=False)
class ReplyStream:
    """A text on its way."""

    reference: StreamReference
    text: bytes
    scope: trio.CancelScope = attrs.field(factory=trio.CancelScope)


@attrs.frozen
class PackedReply:
    """An encoded reply, and the texts that follow it."""

    message: bytes
    streams: tuple[ReplyStream, ...] = ()


@attrs.define(eq=False)
class ReplyStreams:
    """What a client takes at once, and what is on its way to it in pieces."""

    max_frame_bytes: int | None = None
    """None: messages of any size."""
    accepted: bool = False
    """Whether the client knows what to do with a stream."""
    _open: dict[str, ReplyStream] = attrs.field(factory=dict, init=False)
    _ids: Iterator[int] = attrs.field(factory=lambda: itertools.count(1), init=False)

    def agree(self, max_frame_bytes: int | None = None, *, accepted: bool = False) -> None:
        """Keep from now on to what the client has announced."""
        self.max_frame_bytes, self.accepted = max_frame_bytes, accepted

    def takes(self, message: bytes) -> bool:
        """Tell whether the client takes the message at once."""
        return self.max_frame_bytes is None or len(message) <= self.max_frame_bytes

    def pack(self, reply: wire.Reply | wire.ErrorReply) -> PackedReply:
        """Encode a reply so that the client can take it.

        Raises:
          ResourceLimitExceeded: the result is too large, and can't be or must not be streamed.
        """
        message = wire.encode(reply)
        if self.takes(message):
            return PackedReply(message)
        if isinstance(reply, wire.ErrorReply):
            return PackedReply(wire.encode(wire.ErrorReply(reply.id, _bare(reply.error))))
        return self._divide(reply, len(message))

    def cancel(self, stream_id: str) -> None:
        """Stop a stream.

        Raises:
          StreamNotFound: there is no such stream, or it has ended.
        """
        stream = self._open.pop(stream_id, None)
        if stream is None:
            raise StreamNotFound(f"There is no stream {stream_id}, or it has ended.", stream_id=stream_id)
        stream.scope.cancel()

    async def send(self, streams: Iterable[ReplyStream], outbox: Outbox) -> None:
        """Send the texts that follow a reply, one after another. [trio]

        They wait until nothing else is to be sent, so that replies and events go first and find room.
        """
        room = (self.max_frame_bytes or _PIECE_BYTES) - _AROUND_PIECE_BYTES
        waiting = {stream.reference.stream_id: stream for stream in streams}
        self._open.update(waiting)
        try:
            for name, stream in waiting.items():
                with stream.scope:
                    await _send(stream, room, outbox)
                self._open.pop(name, None)
        finally:
            for name in waiting.keys() & self._open.keys():
                del self._open[name]

    def _divide(self, reply: wire.Reply, size: int) -> PackedReply:
        limit = self.max_frame_bytes or size
        moved: dict[Path, ReplyStream] = {}
        for path, text in _longest_first(reply.result) if self.accepted else ():
            if size <= limit:
                break
            stream = moved[path] = self._stream(path, text)
            size -= len(wire.dump(text)) - len(wire.dump(unstructure(stream.reference)))
        if size > limit:
            raise _too_large(size, limit, self.accepted)
        result = _replaced(reply.result, moved)
        return PackedReply(wire.encode(wire.Reply(reply.id, result)), tuple(moved.values()))

    def _stream(self, path: Path, text: str) -> ReplyStream:
        encoded = _utf8(text)
        is_file = path[-1:] == ("data",) and _BASE64.fullmatch(text)
        reference = StreamReference(
            stream_id=f"stream-{next(self._ids)}",
            total_size=len(encoded),
            content_type="application/octet-stream;base64" if is_file else "text/plain;charset=utf-8",
        )
        return ReplyStream(reference, encoded)


async def _send(stream: ReplyStream, room: int, outbox: Outbox) -> None:
    name, checksum = stream.reference.stream_id, hashlib.sha256()
    offset = count = 0
    for count, piece in enumerate(pieces(stream.text, room), start=1):
        data = piece.decode()
        chunk = StreamChunk(stream_id=name, index=count - 1, data=data, offset=offset, size=len(piece))
        await outbox.trickle(wire.encode(wire.Notification("stream/chunk", unstructure(chunk))))
        checksum.update(piece)
        offset += len(piece)
    end = StreamEnd(stream_id=name, total_chunks=count, total_size=offset, checksum=checksum.hexdigest())
    await outbox.trickle(wire.encode(wire.Notification("stream/end", unstructure(end))))


def pieces(text: bytes, room: int) -> Iterator[bytes]:
    """Cut UTF-8 between characters into pieces that each have at most ``room`` bytes as a JSON string.

    All but the last of ASCII are multiples of four long, so that each piece of base64 can be decoded by itself.
    """
    start = 0
    while start < len(text):
        size = min(room, _PIECE_BYTES)
        # Escapes make a text up to six times as long.
        while (length := len(wire.dump((piece := _piece(text, start, size)).decode()))) > room:
            size = size * room // length
        yield piece
        start += len(piece)


def _piece(text: bytes, start: int, size: int) -> bytes:
    end = start + size - size % 4
    while end < len(text) and text[end] & 0xC0 == 0x80:  # within a character
        end -= 1
    return text[start:end]


def _longest_first(result: Any) -> list[tuple[Path, str]]:
    found = [(path, text) for path, text in _texts(result, ()) if len(text) >= _LEAST_MOVED]
    return sorted(found, key=lambda one: len(one[1]), reverse=True)


def _texts(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str):
        yield path, value
    else:
        for key, item in _items(value):
            yield from _texts(item, (*path, key))


def _items(value: Any) -> Iterable[tuple[str | int, Any]]:
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list | tuple) else ()


def _replaced(value: Any, moved: Mapping[Path, ReplyStream], path: Path = ()) -> Any:
    """Return the value with the references of streams in the places of their texts."""
    if path in moved:
        return unstructure(moved[path].reference)
    if isinstance(value, dict):
        return {key: _replaced(item, moved, (*path, key)) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_replaced(item, moved, (*path, index)) for index, item in enumerate(value)]
    return value


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:  # a lone surrogate, for which the wire has a replacement
        return str(wire.load(wire.dump(text))).encode()


def _too_large(size: int, limit: int, accepted: bool) -> ResourceLimitExceeded:
    hint = "Ask for less at once" + ("." if accepted else ", or announce capabilities.streaming in initialize.")
    message = f"The result has {size} bytes; this client takes {limit} in a message."
    return ResourceLimitExceeded(message, resource="message", limit=limit, current=size, hint=hint)


def _bare(error: AgentBrowserError) -> AgentBrowserError:
    """Return the error without its details."""
    data = {"retryable": error.retryable, "recoveryHint": error.recovery_hint}
    return AgentBrowserError.from_wire({"code": error.code, "message": error.message[:_LONGEST_FAULT], "data": data})
