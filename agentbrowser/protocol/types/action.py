"""What an action can be told, and what it says of itself afterwards."""

from typing import Literal

import attrs

from agentbrowser.protocol.types.fields import InvalidField, constraints, field, milliseconds
from agentbrowser.protocol.types.page import Dialog

Button = Literal["left", "middle", "right"]
Modifier = Literal["Alt", "Control", "Meta", "Shift"]
Direction = Literal["up", "down", "left", "right"]


@attrs.frozen(kw_only=True)
class Point:
    """A place in CSS pixels: of the viewport, or counted from an element's upper left corner."""

    x: float = attrs.field(metadata=constraints(minimum=-100_000, maximum=100_000))
    y: float = attrs.field(metadata=constraints(minimum=-100_000, maximum=100_000))


@attrs.frozen(kw_only=True)
class ActionOptions:
    """What every action can be told."""

    timeout_ms: int | None = milliseconds()
    """How long the element may take to exist and to be ready; 5 s for each when absent."""
    force: bool = False
    """Act without checking that the element is visible, enabled, still and not covered."""
    no_wait_after: bool = False
    """Return without waiting for what the action has started."""
    trial: bool = False
    """Check that the action could be done, and don't do it."""


@attrs.frozen(kw_only=True)
class ClickOptions(ActionOptions):
    """How to click. ``position`` counts from the element's upper left corner; its middle when absent."""

    button: Button = "left"
    click_count: int | None = field(default=None, minimum=1, maximum=10)
    """1 when absent; 2 for a double click."""
    modifiers: list[Modifier] = field(factory=list, maximum=4)
    position: Point | None = None


@attrs.frozen(kw_only=True)
class TypeOptions(ActionOptions):
    """How to type: with a pause after each character, into an emptied field."""

    delay_ms: int = field(default=0, wire="delay", minimum=0, maximum=10_000)
    clear: bool = False


@attrs.frozen(kw_only=True)
class ScrollOptions(ActionOptions):
    """Where to scroll, and how far: in CSS pixels, by what is seen at once, or until the element is in view."""

    direction: Direction = "down"
    amount: float | Literal["page", "toElement"] = field(default=300.0, minimum=0, maximum=1_000_000)


@attrs.frozen(kw_only=True)
class FileUpload:
    """A file to give to the page: its bytes as base64, or where it is below the operator's upload root."""

    name: str | None = field(default=None, minimum=1, maximum=1000)
    """Only the last component counts; that of ``path`` when absent."""
    mime_type: str | None = field(default=None, minimum=1, maximum=255)
    """Told by the name when absent."""
    buffer: str | None = None
    path: str | None = field(default=None, minimum=1, maximum=1000)
    """Names between slashes, without ``..`` and links; the server answers for it, with ``--upload-root`` only."""

    def invalid_field(self) -> InvalidField | None:
        """Return which field is one too many, or missing."""
        if (self.buffer is None) is (self.path is None):
            return "buffer", "given, or else path", "neither" if self.path is None else "both"
        if self.path is None and self.name is None:
            return "name", "given, since there is no path", "nothing"
        return None


@attrs.frozen(kw_only=True)
class Download:
    """A download that an action has started."""

    url: str
    suggested_filename: str


@attrs.frozen(kw_only=True)
class ActionResult:
    """What really happened."""

    url: str
    """The page's address after the action."""
    navigated: bool
    """Whether the page, or the frame acted in, moved to another address, in the same document or a new one."""
    new_pages: list[str] | None = None
    """The ids of the pages that opened."""
    dialog: Dialog | None = None
    """The last dialog that opened."""
    download: Download | None = None
    value: str | list[str] | bool | None = None
    """What the element holds now, read back from the page; never that of a field for secrets."""
    no_effect: bool | None = None
    """True when all was already as asked, or nothing that can be observed came of it."""
    healed: bool | None = None
    """True when the element of the ref was replaced meanwhile, and found again."""
