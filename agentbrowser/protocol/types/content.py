"""Content of a page as a document: its words in reading order, with the elements at their positions."""

from typing import Literal

import attrs

BlockKind = Literal["alert", "heading", "item", "paragraph", "row", "status"]
Region = Literal[
    "alertdialog",
    "banner",
    "complementary",
    "contentinfo",
    "dialog",
    "form",
    "main",
    "navigation",
    "region",
    "search",
]


@attrs.frozen(kw_only=True)
class ContentPart:
    """Words of a block, an interactive element in it by its ref, or an image."""

    text: str | None = None
    """Visible words; the name of an image."""
    omitted: int | None = None
    """Number of characters of the block that are left out, as in a brief look; ``nextCursor`` returns them."""
    kind: Literal["img", "meter", "progressbar"] | None = None
    """Role of an image, or of a bar with a ``value``."""
    value: str | None = None
    ref: str | None = None
    """Ref of an interactive element. Its own words are in its name and its value."""
    cell: int | None = None
    """Number of the cell in a row; absent in the first one."""


@attrs.frozen(kw_only=True)
class ContentBlock:
    """A line of the page: a heading, a message, a row, an item, or a paragraph."""

    kind: BlockKind
    """``alert`` and ``status`` for live regions; ``item`` for list items and cards."""
    level: int | None = None
    """Level of a heading."""
    parts: list[ContentPart]
    region: Region | None = None
    """Role of the nearest landmark or dialog."""
    region_name: str | None = None
    new: bool | None = None
    """True if the client's last look at this document had no such words."""
    frame_id: str | None = None
    """Id of its frame, if that is not the main frame."""
    third_party: bool | None = None
    """True if its frame is from another site than the page."""
