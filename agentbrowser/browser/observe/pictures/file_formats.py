"""Facts from file headers: the size of an image, and the number of pages of a PDF."""

import re
from typing import Final

_JPEG_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of a frame header; the three exceptions are tables and a reserved marker."""
_JPEG_BARE: Final = frozenset({0x01, *range(0xD0, 0xD9)})
"""Markers that no length follows."""

_ROOT: Final = re.compile(rb"/Root (\d+) 0 R")
_PAGES: Final = re.compile(rb"/Pages (\d+) 0 R")
_COUNT: Final = re.compile(rb"/Count (\d+)")


def image_size(data: bytes) -> tuple[int, int]:
    """Return the width and height from the header of a PNG, JPEG or WebP image, in pixels.

    Raises:
      ValueError: the data is in another format.

    Source: PNG 1.2, 11.2.2; ITU T.81, B.2.2; RFC 9649, 2.5 to 2.7.
    """
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return _big(data, 16, 4), _big(data, 20, 4)
    if data.startswith(b"\xff\xd8"):
        return _jpeg_size(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp_size(data)
    raise ValueError("not a PNG, JPEG or WebP image")


def _jpeg_size(data: bytes) -> tuple[int, int]:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker in _JPEG_FRAMES:
            return _big(data, at + 7, 2), _big(data, at + 5, 2)
        at += 1 if marker == 0xFF else 2 if marker in _JPEG_BARE else 2 + _big(data, at + 2, 2)
    raise ValueError("a JPEG image without a frame header")


def _webp_size(data: bytes) -> tuple[int, int]:
    kind = data[12:16]
    if kind == b"VP8X":
        return _little(data, 24, 3) + 1, _little(data, 27, 3) + 1
    if kind == b"VP8L":
        bits = _little(data, 21, 4)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        return _little(data, 26, 2) & 0x3FFF, _little(data, 28, 2) & 0x3FFF
    raise ValueError("a WebP image of an unknown kind")


def _big(data: bytes, at: int, length: int) -> int:
    return int.from_bytes(data[at : at + length], "big")


def _little(data: bytes, at: int, length: int) -> int:
    return int.from_bytes(data[at : at + length], "little")


def page_count(pdf: bytes) -> int:
    """Return the number of pages of a PDF as Chromium writes it: with a plain trailer and page tree.

    Raises:
      ValueError: the file has another structure.
    """
    trailer = pdf[pdf.rfind(b"trailer") :]
    root = _object(pdf, _ROOT.search(trailer))
    pages = _object(pdf, _PAGES.search(root))
    count = _COUNT.search(pages)
    if count is None:
        raise ValueError("a page tree without a count")
    return int(count[1])


def _object(pdf: bytes, reference: re.Match[bytes] | None) -> bytes:
    """Return the referenced object; no string can contain its first line, because Chromium escapes line ends."""
    start = -1 if reference is None else pdf.find(b"\n%s 0 obj" % reference[1])
    if start < 0:
        raise ValueError("not a PDF with a plain page tree")
    return pdf[start : pdf.find(b"endobj", start)]
