"""Frames."""

import attrs


@attrs.frozen(kw_only=True)
class FrameInfo:
    """A frame of a page; its id is stable and unique for its lifetime."""

    frame_id: str
    name: str
    url: str
    parent_frame_id: str | None = None
    is_main: bool
