"""Answers whose large texts come after them in pieces: put together again."""

import hashlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

import attrs
import trio

from agentbrowser.protocol import wire
from agentbrowser.protocol.codec import structure
from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.types.stream import StreamChunk, StreamEnd

if TYPE_CHECKING:
    from agentbrowser.client.connection.pending_request import Flight

MARK: Final = '"streamId"'
"""What the text of a message holds that may refer to a stream."""
STALL_S: Final = 60.0
"""How long the next piece may take; what only looks like a reference has none."""
_MEMBERS: Final = frozenset({"streamId", "totalSize", "contentType"})


class StreamBroken(AgentBrowserError):
    """The pieces of an answer do not fit together. Details: streamId, expected, got."""

    retryable = True


@attrs.define(eq=False)
class Stream:
    """A text that is coming in."""

    reference: dict[str, Any]
    chunks: list[str] = attrs.field(factory=list)
    text: str | None = None
    """All of it, once it is complete and right."""

    def take(self, chunk: StreamChunk) -> None:
        """Take the next piece.

        Raises:
          StreamBroken: it is not the next one.
        """
        self._expect(len(self.chunks), chunk.index)
        self.chunks.append(chunk.data)

    def end(self, end: StreamEnd) -> None:
        """Put the pieces together.

        Raises:
          StreamBroken: some are missing, or they are not what was sent.
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
class Streams:
    """The requests whose answers are here but for texts that still come in."""

    _flights: "dict[str, Flight]" = attrs.field(factory=dict, init=False)

    def take(self, flight: "Flight", message: wire.Reply | wire.ErrorReply, text: str) -> None:
        """Take in an answer, as it came and as text."""
        flight.take(message, may_be_parcel=MARK in text)
        for name in self.of(flight):
            self._flights[name] = flight

    def take_piece(self, name: str, params: Any) -> bool:
        """Take in a notification if it is a piece of a text; return whether it was."""
        if name not in ("stream/chunk", "stream/end"):
            return False
        flight = self._flights.get(str(params.get("streamId"))) if isinstance(params, dict) else None
        if flight is not None and flight.parcel is not None:
            try:
                flight.parcel.take(_piece(name, params))
            except AgentBrowserError as broken:
                flight.end(broken)
            else:
                flight.end_if_complete()
        return True

    def of(self, flight: "Flight") -> Iterable[str]:
        """Return the names of the streams that the answer of a request waits for."""
        return () if flight.parcel is None or flight.over.is_set() else flight.parcel.streams

    async def arrival(self, flight: "Flight") -> None:
        """Wait for the answer of a request, and for all that belongs to it. [trio]"""
        await flight.answered.wait()
        while not flight.over.is_set():
            seen = flight.parcel.pieces if flight.parcel else 0
            with trio.move_on_after(STALL_S):
                await flight.over.wait()
            if flight.parcel is not None and flight.parcel.pieces == seen:
                flight.end(StreamBroken("The rest of an answer does not come.", stream_id=next(iter(self.of(flight)))))

    def forget(self, flight: "Flight") -> None:
        """Let go of what belongs to a request."""
        for name in [name for name, one in self._flights.items() if one is flight]:
            del self._flights[name]


@attrs.define(eq=False)
class Parcel:
    """A result, and the texts of it that are still to come."""

    result: Any
    streams: dict[str, Stream]
    pieces: int = 0
    """How many have come."""

    @classmethod
    def of(cls, result: Any) -> "Parcel":
        """Find what is to come."""
        return cls(result, {reference["streamId"]: Stream(reference) for reference in _references(result)})

    @property
    def is_complete(self) -> bool:
        """Whether all of it is here."""
        return all(stream.text is not None for stream in self.streams.values())

    def take(self, piece: StreamChunk | StreamEnd) -> None:
        """Take the next piece of one of its texts, or the end of one.

        Raises:
          StreamBroken: it is not the next one, or something is missing.
        """
        self.pieces += 1
        stream = self.streams[piece.stream_id]
        stream.take(piece) if isinstance(piece, StreamChunk) else stream.end(piece)

    def opened(self) -> Any:
        """Return the result with its texts in their places."""
        return _filled(self.result, self.streams)


def _piece(name: str, params: Any) -> StreamChunk | StreamEnd:
    return structure(StreamChunk, params) if name == "stream/chunk" else structure(StreamEnd, params)


def _is_reference(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == _MEMBERS and isinstance(value["streamId"], str)


def _references(value: Any) -> Iterator[dict[str, Any]]:
    if _is_reference(value):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _references(item)


def _filled(value: Any, streams: dict[str, Stream]) -> Any:
    if _is_reference(value):
        return streams[value["streamId"]].text
    if isinstance(value, dict):
        return {key: _filled(item, streams) for key, item in value.items()}
    return [_filled(item, streams) for item in value] if isinstance(value, list) else value
