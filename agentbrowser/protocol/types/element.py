"""What an agent sees of a page: its interactive elements, what has changed among them, and the page as a whole."""

from typing import Literal

import attrs

from agentbrowser.protocol.types.annotations import Annotation
from agentbrowser.protocol.types.fold import Fold
from agentbrowser.protocol.types.observe import AccessibilityResult, BoundingBox, ImageFormat
from agentbrowser.protocol.types.page import Dialog, Viewport
from agentbrowser.protocol.types.selector import Selector
from agentbrowser.protocol.types.tool import WebMCPTool

ActionHint = Literal[
    "clickable", "editable", "selectable", "checkable", "expandable", "draggable", "scrollable", "submittable"
]


@attrs.frozen(kw_only=True)
class InteractiveElement:
    """An element that something can be done with."""

    ref: str
    """Its name for as long as it lives; never that of another element of the document."""
    selector: Selector
    """Hits it alone: from the frame that was looked at, or in a frame in that, its ref, which holds from everywhere."""
    role: str
    """The ARIA role; ``generic`` for none. Of a label whose own control is hidden, that of the control."""
    name: str | None = None
    """The accessible name; of what can have none, its text."""
    context: str | None = None
    """What its row begins with, where role and name don't tell it from others."""
    value: str | None = None
    """What it shows; never that of a field for passwords, codes or card numbers."""
    action_hints: list[ActionHint]
    tag_name: str
    bounds: BoundingBox | None = None
    focused: bool | None = None
    disabled: bool | None = None
    covered: bool | None = None
    """Whether a click on it would go to another element that lies over it."""
    offscreen: bool | None = None
    """Whether none of it shows in the viewport."""
    checked: bool | Literal["mixed"] | None = None
    """Of toggle buttons, whether they are pressed."""
    expanded: bool | None = None
    selected: bool | None = None
    stability: Literal["stable", "new", "moved"] | None = None
    """``moved``: a new node has taken the place of the one that had this ref."""
    alternative_selectors: list[Selector] | None = None
    """Further selectors that hit it alone, the best first."""
    previous_ref: str | None = None
    frame_id: str | None = None
    """The frame it is in, if that is not the main one."""


@attrs.frozen(kw_only=True)
class Changes:
    """What is different from what the client last saw of the page."""

    added: list[InteractiveElement]
    updated: list[InteractiveElement]
    """Those whose name, value, checked, disabled, expanded or selected is another."""
    removed: list[str]


@attrs.frozen(kw_only=True)
class Scroll:
    """How far the document is scrolled, and how far it can be, in CSS pixels."""

    x: int
    y: int
    max_x: int
    max_y: int


@attrs.frozen(kw_only=True)
class ObserveMetadata:
    """The page as a whole; ``scroll`` where there is more of it than shows."""

    url: str
    title: str
    viewport: Viewport
    scroll: Scroll | None = None
    dialog: Dialog | None = None
    frame_id: str | None = None
    """The frame that was looked at, where another than the main one was switched to."""
    unseen_frames: list[str] | None = None
    """The ids of frames that did not answer in time; what is in them is not listed."""


@attrs.frozen(kw_only=True)
class Screenshot:
    """An image of the viewport in base64, and its size in pixels."""

    data: str = attrs.field(repr=False)
    format: ImageFormat
    width: int
    height: int
    annotated: bool = False
    """Whether marks are drawn on it."""


@attrs.frozen(kw_only=True)
class AgentObserveResult:
    """What was asked for."""

    metadata: ObserveMetadata | None = None
    interactive_elements: list[InteractiveElement] | None = None
    total_interactive_elements: int | None = None
    """How many there are on the page, whatever was filtered or left for the next request."""
    folded: list[Fold] | None = None
    """What stands for rows that are alike, where folding was asked for."""
    next_cursor: str | None = None
    """Where to go on, when ``maxElements`` or ``maxTokens`` has cut the list."""
    text: str | None = None
    """Page, elements and folds in the format ``text``."""
    changes: Changes | None = None
    webmcp_tools: list[WebMCPTool] | None = None
    """The tools that the page offers, at most 50."""
    accessibility: AccessibilityResult | None = None
    screenshot: Screenshot | None = None
    annotation_map: list[Annotation] | None = None
    """What is marked on the screenshot, and where."""
