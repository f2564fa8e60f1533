"""The frame meter: it counts the same however the bytes are cut."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from agentbrowser.server.gate.frame_meter import FrameMeter

LIMIT = 300


def frame(first: int, length: int, *, masked: bool) -> bytes:
    size = bytes((length,)) if length < 126 else b"\x7e" + length.to_bytes(2, "big")
    mask = b"mask" if masked else b""
    return bytes((first, size[0] | (0x80 if masked else 0))) + size[1:] + mask + bytes(length)


frames = st.lists(
    st.builds(
        frame,
        st.sampled_from([0x81, 0x01, 0x80, 0x00, 0x89, 0x8A]),
        st.integers(0, LIMIT // 2) | st.just(LIMIT) | st.just(LIMIT + 1),
        masked=st.booleans(),
    ),
    max_size=12,
)


@given(sent=frames.map(b"".join), cuts=st.lists(st.integers(0, 2000)))
def test_cuts_make_no_difference(sent: bytes, cuts: list[int]) -> None:
    whole, cut = FrameMeter(LIMIT), FrameMeter(LIMIT)
    allowed = whole.feed(sent, 0)
    taken = 0
    places = sorted({0, *(place for place in cuts if place < len(sent)), len(sent)})
    for start, end in pairwise(places):
        if cut.fault is None:
            taken += cut.feed(sent[start:end], 0)
    assert cut.fault == whole.fault
    # A header that was cut has gone through in part before it could be judged.
    assert allowed <= taken < allowed + 10 if whole.fault else taken == allowed == len(sent)


@given(lengths=st.lists(st.integers(0, LIMIT), min_size=1, max_size=20))
def test_a_message_is_as_long_as_its_fragments(lengths: list[int]) -> None:
    meter = FrameMeter(LIMIT)
    firsts = [0x01] + [0x00] * (len(lengths) - 1)
    meter.feed(b"".join(frame(first, length, masked=True) for first, length in zip(firsts, lengths, strict=True)), 0)
    assert (meter.fault is not None and meter.fault.code == 1009) == (sum(lengths) > LIMIT)
