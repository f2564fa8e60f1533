"""Streamed results: reassembly of large texts from their chunks."""

import hashlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

import attrs
import trio

from agentbrowser.client.typed import structure
from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.types.stream import StreamChunk, StreamEnd

if TYPE_CHECKING:
    from agentbrowser.client.connection.pending_request import PendingRequest

MARK: Final = '"streamId"'
"""Text in every message with a reference to a stream."""
STALL_S: Final = 60.0
"""Deadline of the next chunk; data that only looks like a stream reference gets none."""
_MEMBERS: Final = frozenset({"streamId", "totalSize", "contentType"})


class StreamBroken(AgentBrowserError):
    """The chunks of a result do not fit together. Details: streamId, expected, got."""

    retryable = True


@attrs.define(eq=False)
class IncomingStream:
    """A text that arrives in chunks."""

    reference: dict[str, Any]
    chunks: list[str] = attrs.field(factory=list)
    text: str | None = None
    """The complete text, once its checksum is verified."""

    def take(self, chunk: StreamChunk) -> None:
        """Append a chunk.

        Raises:
          StreamBroken: a chunk is out of order.
        """
        self._expect(len(self.chunks), chunk.index)
        self.chunks.append(chunk.data)

    def end(self, end: StreamEnd) -> None:
        """Join the chunks.

        Raises:
          StreamBroken: chunks are missing or damaged.
        """
        self._expect(end.total_chunks, len(self.chunks))
        text = "".join(self.chunks)
        encoded = text.encode()
        self._expect((self.reference["totalSize"], end.checksum), (len(encoded), hashlib.sha256(encoded).hexdigest()))
        self.chunks.clear()
        self.text = text

    def _expect(self, expected: Any, got: Any) -> None:
        if expected != got:
            name = self.reference["streamId"]
            raise StreamBroken("The pieces of an answer do not fit.", stream_id=name, expected=expected, got=got)


@attrs.define(eq=False)
class IncomingStreams:
    """Pending requests with incomplete streams, by stream id."""

    _pending: "dict[str, PendingRequest]" = attrs.field(factory=dict, init=False)

    def take(self, pending: "PendingRequest", message: wire.Reply | wire.ErrorReply, text: str) -> None:
        """Accept a reply, given as a message and as its text."""
        pending.take(message, may_stream=MARK in text)
        for name in self.of(pending):
            self._pending[name] = pending

    def take_chunk(self, name: str, params: Any) -> bool:
        """Accept a notification if it belongs to a stream; return True if it does."""
        if name not in ("stream/chunk", "stream/end"):
            return False
        pending = self._pending.get(str(params.get("streamId"))) if isinstance(params, dict) else None
        if pending is not None and pending.partial_result is not None:
            try:
                pending.partial_result.take(_parse_chunk(name, params))
            except AgentBrowserError as broken:
                pending.end(broken)
            else:
                pending.finish_if_complete()
        return True

    def of(self, pending: "PendingRequest") -> Iterable[str]:
        """Return the ids of the streams that a request waits for."""
        return () if pending.partial_result is None or pending.done.is_set() else pending.partial_result.streams

    async def wait_for_result(self, pending: "PendingRequest") -> None:
        """Wait for the reply to a request, and for its streams. [trio]"""
        await pending.answered.wait()
        while not pending.done.is_set():
            seen = pending.partial_result.chunk_count if pending.partial_result else 0
            with trio.move_on_after(STALL_S) as stalled:
                await pending.done.wait()
            partial_result = pending.partial_result if stalled.cancelled_caught else None
            if partial_result is not None and partial_result.chunk_count == seen:
                pending.end(
                    StreamBroken("The rest of an answer does not come.", stream_id=next(iter(self.of(pending))))
                )

    def forget(self, pending: "PendingRequest") -> None:
        """Forget the streams of a request."""
        for name in [name for name, one in self._pending.items() if one is pending]:
            del self._pending[name]


@attrs.define(eq=False)
class PartialResult:
    """A result with incomplete streams."""

    result: Any
    streams: dict[str, IncomingStream]
    chunk_count: int = 0
    """Number of chunks so far."""

    @classmethod
    def of(cls, result: Any) -> "PartialResult":
        """Find the stream references in a result."""
        return cls(result, {reference["streamId"]: IncomingStream(reference) for reference in _references(result)})

    @property
    def is_complete(self) -> bool:
        """Return True if all streams are complete."""
        return all(stream.text is not None for stream in self.streams.values())

    def take(self, chunk: StreamChunk | StreamEnd) -> None:
        """Accept a chunk of a stream, or its end.

        Raises:
          StreamBroken: chunks are missing, damaged or out of order.
        """
        self.chunk_count += 1
        stream = self.streams[chunk.stream_id]
        stream.take(chunk) if isinstance(chunk, StreamChunk) else stream.end(chunk)

    def assembled(self) -> Any:
        """Return the result with the texts in place of their references."""
        return _with_texts(self.result, self.streams)


def _parse_chunk(name: str, params: Any) -> StreamChunk | StreamEnd:
    return structure(StreamChunk, params) if name == "stream/chunk" else structure(StreamEnd, params)


def _is_reference(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == _MEMBERS and isinstance(value["streamId"], str)


def _references(value: Any) -> Iterator[dict[str, Any]]:
    if _is_reference(value):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _references(item)


def _with_texts(value: Any, streams: dict[str, IncomingStream]) -> Any:
    if _is_reference(value):
        return streams[value["streamId"]].text
    if isinstance(value, dict):
        return {key: _with_texts(item, streams) for key, item in value.items()}
    return [_with_texts(item, streams) for item in value] if isinstance(value, list) else value
