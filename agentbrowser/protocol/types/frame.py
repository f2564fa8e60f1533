"""Frames as the wire shows them."""

import attrs


@attrs.frozen(kw_only=True)
class FrameInfo:
    """One frame of a page; its id is its own for as long as it lives."""

    frame_id: str
    name: str
    url: str
    parent_frame_id: str | None = None
    is_main: bool
