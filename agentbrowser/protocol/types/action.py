"""Options and results of actions."""

from typing import Any, Literal

import attrs

from agentbrowser.protocol.types.element import AgentObserveResult
from agentbrowser.protocol.types.event import DownloadState
from agentbrowser.protocol.types.fields import InvalidField, constraints, field, milliseconds
from agentbrowser.protocol.types.page import Dialog

Button = Literal["left", "middle", "right"]
Modifier = Literal["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]
Direction = Literal["up", "down", "left", "right"]


@attrs.frozen(kw_only=True)
class Point:
    """A point in CSS pixels, from the upper left corner of the viewport or of an element."""

    x: float = attrs.field(metadata=constraints(minimum=-100_000, maximum=100_000))
    y: float = attrs.field(metadata=constraints(minimum=-100_000, maximum=100_000))


@attrs.frozen(kw_only=True)
class Offset:
    """A distance in CSS pixels, to the right and down."""

    dx: float = attrs.field(metadata=constraints(minimum=-100_000, maximum=100_000))
    dy: float = attrs.field(metadata=constraints(minimum=-100_000, maximum=100_000))


@attrs.frozen(kw_only=True)
class ActionOptions:
    """Options of every action."""

    timeout_ms: int | None = milliseconds()
    """Timeout for the element to exist, and again to become actionable; 5 s each when absent, less at rest."""
    force: bool = False
    """Act without the checks that the element is visible, enabled, stable and not covered."""
    no_wait_after: bool = False
    """Return without waiting for the effects of the action."""
    trial: bool = False
    """Check that the action is possible, without performing it."""


@attrs.frozen(kw_only=True)
class HoverOptions(ActionOptions):
    """Options of a hover. ``position`` is relative to the element's upper left corner; its center when absent."""

    position: Point | None = None


@attrs.frozen(kw_only=True)
class ClickOptions(ActionOptions):
    """Options of a click. ``position`` is relative to the element's upper left corner; its center when absent."""

    button: Button = "left"
    click_count: int | None = field(default=None, minimum=1, maximum=10)
    """1 when absent; 2 for a double click."""
    modifiers: list[Modifier] = field(factory=list, maximum=4)
    position: Point | None = None


@attrs.frozen(kw_only=True)
class TypeOptions(ActionOptions):
    """Options of typing: a delay after each character, and clearing the field first."""

    delay_ms: int = field(default=0, wire="delay", minimum=0, maximum=10_000)
    clear: bool = False


@attrs.frozen(kw_only=True)
class ScrollOptions(ActionOptions):
    """Options of scrolling: direction, and amount in CSS pixels, as one page, or until the element is in view."""

    direction: Direction | None = None
    """Down when absent."""
    amount: float | Literal["page", "toElement"] | None = field(default=None, minimum=0, maximum=1_000_000)
    """When absent, 300; with a selector and no direction, ``toElement``."""


@attrs.frozen(kw_only=True)
class FileUpload:
    """A file to upload: its bytes as base64, or its path below the operator's upload root."""

    name: str | None = field(default=None, minimum=1, maximum=1000)
    """File name, without folders; the last component of ``path`` when absent."""
    mime_type: str | None = field(default=None, maximum=255)
    """Derived from the name when absent or empty."""
    buffer: str | None = None
    path: str | None = field(default=None, minimum=1, maximum=1000)
    """Relative path without ``..`` and symbolic links; requires ``--upload-root``."""

    def invalid_field(self) -> InvalidField | None:
        """Return the missing or superfluous field, if any."""
        if (self.buffer is None) is (self.path is None):
            return "buffer", "given, or else path", "neither" if self.path is None else "both"
        if self.path is None and self.name is None:
            return "name", "given, since there is no path", "nothing"
        return None


@attrs.frozen(kw_only=True)
class OpenedPage:
    """A page that an action opened."""

    page_id: str
    url: str
    title: str


@attrs.frozen(kw_only=True)
class ActionDialog(Dialog):
    """A dialog that an action opened, and the answer to it."""

    answered: Literal["accepted", "dismissed", "open"]
    """``open`` if it waits for the client's answer, and the page with it."""


@attrs.frozen(kw_only=True)
class FileChooser:
    """A file chooser that an action opened."""

    multiple: bool
    """True if it takes several files."""


@attrs.frozen(kw_only=True)
class Download:
    """A download that an action started."""

    download_id: str
    suggested_name: str
    """File name without folders."""
    state: DownloadState
    """State when the action ended."""
    url: str


@attrs.frozen(kw_only=True)
class NamedElement:
    """An element by its role and name."""

    role: str
    name: str | None = None
    ref: str | None = None
    """The ref, if the client has observed the element."""


@attrs.frozen(kw_only=True)
class ActionResult:
    """The observed effects of an action."""

    url: str
    """URL of the page after the action."""
    navigated: bool
    """True if the page, or the frame of the action, moved to another URL, in the same document or a new one."""
    status: int | None = None
    """HTTP status of the page's new document; absent if it came without a response."""
    new_pages: list[OpenedPage] | None = None
    """The opened pages."""
    pending_pages: list[str] | None = None
    """URLs of the windows that the action opened, and in which no document has come within 2 s."""
    dialog: ActionDialog | None = None
    """The last opened dialog."""
    download: Download | None = None
    file_chooser: FileChooser | None = None
    """The file chooser that waits for files; ``action/upload`` on the same element gives them."""
    value: str | list[str] | bool | None = None
    """Present value of the element, read back from the page; absent for password fields."""
    normalized: bool | None = None
    """True if the field holds the written text in another spelling, which is ``value``."""
    no_effect: bool | None = None
    """True if the element already was in the requested state, or the action had no observable effect."""
    healed: bool | None = None
    """True if the ref's element was re-rendered, and found again."""
    element: NamedElement | None = None
    """The element that was acted on, if the selector describes it in words that are not its name."""
    observation: AgentObserveResult | None = None
    """Observation after the action, if ``observe`` was given."""
    observation_error: dict[str, Any] | None = None
    """The reason why a requested observation is missing; the action was done all the same."""
