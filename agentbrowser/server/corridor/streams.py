"""Streaming of large replies: their longest texts are sent after them, in chunks."""

import hashlib
import itertools
import string
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
"""Chunk size, small enough that other messages wait only briefly."""
_AROUND_PIECE_BYTES: Final = 512
"""Upper bound of a chunk's envelope around its text."""
_LEAST_MOVED: Final = 1024
"""Length below which a text stays in the reply: a stream reference is hardly shorter."""
_LONGEST_FAULT: Final = 1000

_BASE64: Final = (string.ascii_letters + string.digits + "+/").encode()

Path = tuple[str | int, ...]
"""Keys and indices that lead to a value in plain data."""


@attrs.define(eq=False)
class ReplyStream:
    """Text that is sent in chunks."""

    reference: StreamReference
    text: str
    scope: trio.CancelScope = attrs.field(factory=trio.CancelScope)


@attrs.frozen
class PackedReply:
    """Encoded reply, and the texts that follow it."""

    message: bytes
    streams: tuple[ReplyStream, ...] = ()


@attrs.define(eq=False)
class ReplyStreams:
    """Message limit of a client, and the streams open to it."""

    max_frame_bytes: int | None = None
    """Largest message that the client accepts; None: any size."""
    accepted: bool = False
    """True if the client supports streams."""
    _open: dict[str, ReplyStream] = attrs.field(factory=dict, init=False)
    _ids: Iterator[int] = attrs.field(factory=lambda: itertools.count(1), init=False)

    def agree(self, max_frame_bytes: int | None = None, *, accepted: bool = False) -> None:
        """Apply the capabilities that the client has announced."""
        self.max_frame_bytes, self.accepted = max_frame_bytes, accepted

    def takes(self, message: bytes) -> bool:
        """Return True if the message is within the client's limit."""
        return self.max_frame_bytes is None or len(message) <= self.max_frame_bytes

    def pack(self, reply: wire.Reply | wire.ErrorReply) -> PackedReply:
        """Encode a reply within the client's message limit.

        Raises:
          ResourceLimitExceeded: the result is too large, and can't be streamed.
        """
        limit = self.max_frame_bytes
        if limit is not None and isinstance(reply, wire.Reply):
            size = wire.size_with_long_texts(reply.result, limit)
            if size is not None:
                return self._divide(reply, size)
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

        Each chunk waits until the outbox is empty, so that replies and events go first.
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
        whole = wire.decoded(reply.result)
        for path, text in _longest_first(whole) if self.accepted else ():
            if size <= limit:
                break
            stream = moved[path] = self._stream(path, text)
            size -= wire.text_size(text) - len(wire.dump(unstructure(stream.reference)))
        if size > limit:
            raise _too_large(size, limit, self.accepted)
        result = _replaced(whole, moved)
        return PackedReply(wire.encode(wire.Reply(reply.id, result)), tuple(moved.values()))

    def _stream(self, path: Path, text: str) -> ReplyStream:
        text = _well_formed(text)
        is_file = path[-1:] == ("data",) and _is_base64(text)
        reference = StreamReference(
            stream_id=f"stream-{next(self._ids)}",
            total_size=len(text) if text.isascii() else sum(len(part.encode()) for part in wire.parts(text)),
            content_type="application/octet-stream;base64" if is_file else "text/plain;charset=utf-8",
        )
        return ReplyStream(reference, text)


async def _send(stream: ReplyStream, room: int, outbox: Outbox) -> None:
    name, checksum = stream.reference.stream_id, hashlib.sha256()
    offset = count = 0
    for count, piece in enumerate(pieces(stream.text, room), start=1):
        data = piece.encode()
        chunk = StreamChunk(stream_id=name, index=count - 1, data=piece, offset=offset, size=len(data))
        await outbox.put_when_idle(wire.encode(wire.Notification("stream/chunk", unstructure(chunk))))
        checksum.update(data)
        offset += len(data)
    end = StreamEnd(stream_id=name, total_chunks=count, total_size=offset, checksum=checksum.hexdigest())
    await outbox.put_when_idle(wire.encode(wire.Notification("stream/end", unstructure(end))))


def pieces(text: str, room: int) -> Iterator[str]:
    """Split a text into pieces of at most ``room`` bytes as JSON strings.

    Pieces but the last have a multiple of four characters, so that each piece of base64 can be decoded by itself.
    """
    start = 0
    while start < len(text):
        size = min(room, _PIECE_BYTES)
        # Escapes make a text up to six times as long.
        while (length := len(wire.dump(piece := text[start : start + size - size % 4]))) > room:
            size = size * room // length
        yield piece
        start += len(piece)


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
    """Return the value with stream references in place of the moved texts."""
    if path in moved:
        return unstructure(moved[path].reference)
    if isinstance(value, dict):
        return {key: _replaced(item, moved, (*path, key)) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_replaced(item, moved, (*path, index)) for index, item in enumerate(value)]
    return value


def _well_formed(text: str) -> str:
    try:
        for part in () if text.isascii() else wire.parts(text):
            part.encode()
    except UnicodeEncodeError:  # a lone surrogate, which the wire codec replaces
        return str(wire.well_formed(text))
    return text


def _is_base64(text: str) -> bool:
    body = text[:-2] + text[-2:].rstrip("=")
    return text.isascii() and not any(part.encode().translate(None, _BASE64) for part in wire.parts(body))


def _too_large(size: int, limit: int, accepted: bool) -> ResourceLimitExceeded:
    hint = "Ask for less at once" + ("." if accepted else ", or announce capabilities.streaming in initialize.")
    message = f"The result has {size} bytes; this client takes {limit} in a message."
    return ResourceLimitExceeded(message, resource="message", limit=limit, current=size, hint=hint)


def _bare(error: AgentBrowserError) -> AgentBrowserError:
    """Return the error without its details."""
    data = {"retryable": error.retryable, "recoveryHint": error.recovery_hint}
    return AgentBrowserError.from_wire({"code": error.code, "message": error.message[:_LONGEST_FAULT], "data": data})
