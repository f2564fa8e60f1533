"""Headers of images and PDFs, built byte by byte from their standards."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbrowser.browser.observe.pictures.file_formats import image_size, page_count

SIDES = st.integers(min_value=1, max_value=16_383)


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR" + struct.pack(">II", width, height) + b"\x08\x06\x00\x00\x00"


def jpeg(width: int, height: int, *, before: bytes = b"", frame: int = 0xC0) -> bytes:
    return b"\xff\xd8" + before + struct.pack(">BBHBHH", 0xFF, frame, 17, 8, height, width) + b"\x03"


def segment(marker: int, size: int) -> bytes:
    """Return a segment of a JPEG whose content looks like a frame header."""
    return struct.pack(">BBH", 0xFF, marker, size + 2) + b"\xff\xc0" * (size // 2)


def webp(kind: bytes, content: bytes) -> bytes:
    return b"RIFF\x00\x00\x00\x00WEBP" + kind + b"\x00\x00\x00\x00" + content


@given(SIDES, SIDES)
def test_the_size_of_an_image_is_read_from_its_header(width: int, height: int) -> None:
    lossy = webp(b"VP8 ", b"\x00\x00\x00\x9d\x01\x2a" + struct.pack("<HH", width, height))
    lossless = webp(b"VP8L", b"\x2f" + struct.pack("<I", (width - 1) | (height - 1) << 14))
    extended = webp(b"VP8X", b"\x00" * 4 + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little"))
    for image in (png(width, height), jpeg(width, height), lossy, lossless, extended):
        assert image_size(image) == (width, height)


@pytest.mark.parametrize("frame", [0xC0, 0xC1, 0xC2, 0xC9, 0xCF])
def test_segments_before_the_frame_of_a_jpeg_are_skipped(frame: int) -> None:
    before = segment(0xE0, 14) + segment(0xC4, 20) + b"\xff\x01" + b"\xff\xff" + segment(0xDB, 64)[1:]
    assert image_size(jpeg(640, 480, before=before, frame=frame)) == (640, 480)


@pytest.mark.parametrize(
    "data", [b"", b"GIF89a", b"\xff\xd8\xff\xd9", b"\xff\xd8" + segment(0xE0, 4), webp(b"ABCD", b"")]
)
def test_other_files_have_no_size(data: bytes) -> None:
    with pytest.raises(ValueError, match="image"):
        image_size(data)


def test_the_pages_of_a_pdf_are_those_its_catalog_counts() -> None:
    pdf = (
        b"%PDF-1.4\n1 0 obj\n<</Title (/Type /Pages /Count 99)>>\nendobj\n"
        b"7 0 obj\n<</Type /Pages\n/Count 8\n/Kids [2 0 R]>>\nendobj\n"
        b"5 0 obj\n<</Type /Pages\n/Count 38\n/Kids [7 0 R]>>\nendobj\n"
        b"15 0 obj\n<</Type /Catalog\n/Pages 5 0 R>>\nendobj\n"
        b"trailer\n<</Size 16\n/Root 15 0 R>>\nstartxref\n9\n%%EOF\n"
    )
    assert page_count(pdf) == 38


@pytest.mark.parametrize("pdf", [b"", b"%PDF-1.7\n1 0 obj\n<</Type /ObjStm>>\nendobj\nstartxref\n0\n%%EOF"])
def test_a_pdf_written_in_another_way_is_not_guessed_at(pdf: bytes) -> None:
    with pytest.raises(ValueError, match="plain page tree"):
        page_count(pdf)
