"""Observation of a page: interactive elements, changes, and metadata of the page."""

from typing import Literal

import attrs

from agentbrowser.protocol.types.annotations import Annotation
from agentbrowser.protocol.types.content import ContentBlock
from agentbrowser.protocol.types.fold import Fold
from agentbrowser.protocol.types.observe import AccessibilityResult, BoundingBox, ImageFormat
from agentbrowser.protocol.types.page import Dialog, Viewport
from agentbrowser.protocol.types.selector import Selector
from agentbrowser.protocol.types.tool import WebMCPTool

ActionHint = Literal[
    "clickable",
    "editable",
    "selectable",
    "checkable",
    "expandable",
    "draggable",
    "scrollable",
    "submittable",
]


@attrs.frozen(kw_only=True)
class InteractiveElement:
    """An interactive element."""

    ref: str
    """Identifier of the element for its lifetime, unique in the document."""
    selector: Selector
    """A selector that matches only this element in the observed frame; its ref if it is in a nested frame."""
    role: str
    """ARIA role; ``generic`` for none, ``file`` for a file field. The role of the control for its label."""
    name: str | None = None
    """Accessible name; else one derived from what is shown."""
    name_from: Literal["derived"] | None = None
    """``derived`` if the standards give no name: it is from visible text, a neighbour, a title or an icon."""
    context: str | None = None
    """Beginning of its row's text, if role and name are ambiguous."""
    value: str | None = None
    """Present value; absent for fields of passwords, codes or card numbers."""
    format: str | None = None
    """Format that a field for dates or times takes, such as ``YYYY-MM-DD``."""
    filled: bool | None = None
    """True if a field of these holds something."""
    action_hints: list[ActionHint]
    double_click: bool | None = None
    """True if its listeners are for double clicks only."""
    tag_name: str
    bounds: BoundingBox | None = None
    focused: bool | None = None
    disabled: bool | None = None
    covered: bool | None = None
    """True if another element would receive a click on it."""
    offscreen: bool | None = None
    """True if the element is outside of the viewport."""
    checked: bool | Literal["mixed"] | None = None
    """Checked state; for toggle buttons, the pressed state."""
    expanded: bool | None = None
    selected: bool | None = None
    invalid: bool | None = None
    """True if its content is marked as invalid, by the page or by the browser after input."""
    invalid_message: str | None = None
    """The message that the page shows for it."""
    stability: Literal["stable", "new", "moved"] | None = None
    """``moved`` if the node of this ref was re-rendered."""
    alternative_selectors: list[Selector] | None = None
    """Further unique selectors, the best first."""
    previous_ref: str | None = None
    frame_id: str | None = None
    """Id of its frame, if that is not the main frame."""


@attrs.frozen(kw_only=True)
class SeenState:
    """State of an element that the client has seen. A change of any field is a change of the element."""

    ref: str
    role: str
    name: str | None = None
    value: str | None = None
    filled: bool | None = None
    checked: bool | Literal["mixed"] | None = None
    disabled: bool | None = None
    expanded: bool | None = None
    selected: bool | None = None
    invalid: bool | None = None


@attrs.frozen(kw_only=True)
class WordsChange:
    """Words that the page shows now and did not show at the client's last look, or the other way round."""

    kind: Literal["added", "updated", "removed", "repeated"]
    """``repeated`` for the same message in a live region again, or words that are back: "Saved" after "Saving…"."""
    before: str | None = None
    """Words of the block at the last look."""
    block: ContentBlock | None = None
    """The block now."""


@attrs.frozen(kw_only=True)
class Changes:
    """Changes since the client's last observation of the page."""

    added: list[InteractiveElement]
    updated: list[InteractiveElement]
    """Elements with a changed role, name, value, or state (filled, checked, disabled, expanded, selected, invalid)."""
    removed: list[str]
    before: list[SeenState] | None = None
    """The last seen states of the updated and the removed elements."""
    words: list[WordsChange] | None = None
    """Changed words, in reading order."""
    remaining: int | None = None
    """Number of further changes, which ``maxTokens`` or ``maxElements`` has left to the next incremental look."""


@attrs.frozen(kw_only=True)
class Scroll:
    """Scroll position of the document, and its maximum, in CSS pixels."""

    x: int
    y: int
    max_x: int
    max_y: int


@attrs.frozen(kw_only=True)
class ObserveMetadata:
    """Metadata of the page; ``scroll`` if the document is larger than the viewport."""

    url: str
    title: str
    viewport: Viewport
    scroll: Scroll | None = None
    dialog: Dialog | None = None
    frame_id: str | None = None
    """Id of the observed frame, if it is not the main frame."""
    unseen_frames: list[str] | None = None
    """Ids of frames that did not respond in time; their elements are missing."""
    too_deep: bool | None = None
    """True if parts of the page are nested more than 1,200 elements deep; they are missing."""


@attrs.frozen(kw_only=True)
class Screenshot:
    """Screenshot of the viewport in base64, and its size in pixels."""

    data: str = attrs.field(repr=False)
    format: ImageFormat
    width: int
    height: int
    annotated: bool = False
    """True if the image has annotations."""


@attrs.frozen(kw_only=True)
class AgentObserveResult:
    """The requested parts of an observation."""

    metadata: ObserveMetadata | None = None
    interactive_elements: list[InteractiveElement] | None = None
    content: list[ContentBlock] | None = None
    """Words of the page in reading order, with the elements at their positions; new messages of live regions first."""
    total_interactive_elements: int | None = None
    """Number of interactive elements on the page, before filters and limits."""
    folded: list[Fold] | None = None
    """Folds of similar rows, if folding was requested."""
    next_cursor: str | None = None
    """Cursor of what is left out: by ``maxElements``, by ``maxTokens``, or by ``text="brief"``."""
    text: str | None = None
    """The page as text, with ``format`` ``text`` or ``both``."""
    changes: Changes | None = None
    """Changes since the last observation, in place of the elements, if ``incremental`` was asked for."""
    full: Literal["first", "document", "refreshed"] | None = None
    """Reason why an incremental observation is a full one: it is the first, or of another document, or refs are new."""
    pending: int | None = None
    """Number of unfinished effects of the client's actions, if the page did not settle in time."""
    awaited: list[str] | None = None
    """The first of these effects: requests as method and path, timers, ``document``, ``worker``, ``transition``."""
    webmcp_tools: list[WebMCPTool] | None = None
    """WebMCP tools of the page, at most 50."""
    accessibility: AccessibilityResult | None = None
    screenshot: Screenshot | None = None
    annotation_map: list[Annotation] | None = None
    """Annotations of the screenshot."""

    @property
    def elements(self) -> list[InteractiveElement]:
        """Return the interactive elements; of changes, those that are new or updated."""
        if self.changes is not None:
            return [*self.changes.added, *self.changes.updated]
        return self.interactive_elements or []
