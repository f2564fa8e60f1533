"""Frames."""

from typing import Final

import attrs

MAX_NAME_LENGTH: Final = 4096
"""Length at which a frame's name is cut: a page gives it megabytes."""


@attrs.frozen(kw_only=True)
class FrameInfo:
    """A frame of a page; its id is stable and unique for its lifetime."""

    frame_id: str
    name: str
    url: str
    parent_frame_id: str | None = None
    is_main: bool
