"""Streams: large texts of a result, sent in chunks because the client limits the message size."""

from typing import Final

import attrs

MIN_FRAME_BYTES: Final = 16 * 1024
"""Smallest limit that a client may announce: the result of ``initialize`` must fit."""


@attrs.frozen(kw_only=True)
class StreamReference:
    """Reference in a result, in place of a text that follows in chunks.

    ``content_type`` is ``text/plain;charset=utf-8``, or ``application/octet-stream;base64`` for the bytes of a file.
    """

    stream_id: str
    total_size: int
    """Size of the text in bytes of UTF-8, as all sizes and offsets of a stream."""
    content_type: str


@attrs.frozen(kw_only=True)
class StreamChunk:
    """A chunk; the chunks in order of ``index`` form the text."""

    stream_id: str
    index: int
    data: str
    offset: int
    size: int


@attrs.frozen(kw_only=True)
class StreamEnd:
    """End of a stream; ``checksum`` is the SHA-256 of its UTF-8, in hexadecimal digits."""

    stream_id: str
    total_chunks: int
    total_size: int
    checksum: str
