"""A text of a result that is sent in pieces, because the result is larger than what the client takes at once."""

from typing import Final

import attrs

MIN_FRAME_BYTES: Final = 16 * 1024
"""The least limit that a client can announce: the answer to ``initialize`` has to fit."""


@attrs.frozen(kw_only=True)
class StreamReference:
    """What stands in a result in the place of a text that follows in pieces.

    ``content_type`` is ``text/plain;charset=utf-8``, or ``application/octet-stream;base64`` for the bytes of a file.
    """

    stream_id: str
    total_size: int
    """Bytes of the text in UTF-8, as all sizes and offsets of a stream."""
    content_type: str


@attrs.frozen(kw_only=True)
class StreamChunk:
    """A piece of the text; the pieces in the order of ``index`` are the text."""

    stream_id: str
    index: int
    data: str
    offset: int
    size: int


@attrs.frozen(kw_only=True)
class StreamEnd:
    """The text is complete; ``checksum`` is the SHA-256 of its UTF-8, in hexadecimal digits."""

    stream_id: str
    total_chunks: int
    total_size: int
    checksum: str
