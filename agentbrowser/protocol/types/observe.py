"""Options and results of observation methods: screenshots, accessibility tree, DOM, content, element, PDF."""

from typing import Any, Final, Literal

import attrs

from agentbrowser.protocol.types.fields import constraints, field
from agentbrowser.protocol.types.selector import Selector, parse_optional_selector, parse_selectors

ImageFormat = Literal["jpeg", "png", "webp"]
ContentFormat = Literal["html", "text", "markdown"]
PaperFormat = Literal["Letter", "Legal", "Tabloid", "Ledger", "A0", "A1", "A2", "A3", "A4", "A5", "A6"]
ElementProperty = Literal[
    "visible", "enabled", "checked", "text", "value", "boundingBox", "attributes", "computedStyle"
]
STATE_PROPERTIES: Final[tuple[ElementProperty, ...]] = (
    "visible",
    "enabled",
    "checked",
    "text",
    "value",
    "boundingBox",
    "attributes",
)
"""The properties of an element that are returned by default: all but the computed style."""

WaitState = Literal["visible", "hidden", "attached", "detached", "enabled", "disabled"]
"""State of an element to wait for; ``hidden`` includes ``detached``."""

MAX_MASKS: Final = 100
MAX_NAMES: Final = 500
_LENGTH: Final = r"[0-9]{1,5}(\.[0-9]{1,5})?(px|in|cm|mm)?"


@attrs.frozen(kw_only=True)
class SettleOptions:
    """Wait for the effects of the client's last actions."""

    timeout_ms: int = field(default=3000, wire="timeout", minimum=1, maximum=30_000)
    """Time after which the result is returned anyway, with ``pending`` and ``awaited``."""


def settle_timeout_ms(settle: bool | SettleOptions) -> int:
    """Return the longest wait; 0 for none."""
    if isinstance(settle, bool):
        return SettleOptions().timeout_ms if settle else 0
    return settle.timeout_ms


@attrs.frozen(kw_only=True)
class BoundingBox:
    """Box of an element, in CSS pixels from the upper left corner of the viewport."""

    x: float
    y: float
    width: float
    height: float


@attrs.frozen(kw_only=True)
class Clip:
    """Part of the viewport in CSS pixels from its upper left corner; with ``full_page``, part of the document."""

    x: float = attrs.field(metadata=constraints(minimum=0))
    y: float = attrs.field(metadata=constraints(minimum=0))
    width: float = attrs.field(metadata=constraints(minimum=1))
    height: float = attrs.field(metadata=constraints(minimum=1))


@attrs.frozen(kw_only=True)
class ScreenshotOptions:
    """Options of a screenshot."""

    full_page: bool = False
    """The whole document instead of the viewport."""
    clip: Clip | None = None
    format: ImageFormat = "jpeg"
    quality: int | None = field(default=None, minimum=0, maximum=100)
    """80 when absent; invalid with png."""
    scale: Literal["css", "device"] = "css"
    """``css``: one pixel per CSS pixel, so that image points are page points; ``device``: one per device pixel."""
    mask: list[Selector] = attrs.field(factory=list, converter=parse_selectors, metadata=constraints(maximum=MAX_MASKS))
    """Elements to cover in pink; selectors without a match are ignored."""


@attrs.frozen(kw_only=True)
class ScreenshotResult:
    """An image in base64, and its size in pixels."""

    data: str = attrs.field(repr=False)
    format: ImageFormat
    width: int
    height: int


@attrs.frozen(kw_only=True)
class AccessibilityOptions:
    """Options of the accessibility tree."""

    root: Selector | None = attrs.field(default=None, converter=parse_optional_selector)
    max_depth: int | None = field(default=None, minimum=1)
    """Number of levels, with the root as the first."""
    include_hidden: bool = False
    """Include nodes that are hidden from assistive technology; they have ``hidden``."""
    interesting_only: bool = True
    """Omit nodes without semantics, and text that repeats its parent's name."""


@attrs.frozen(kw_only=True)
class AccessibilityNode:
    """A node of the accessibility tree. Inapplicable states and passwords are absent."""

    role: str
    name: str | None = None
    value: str | None = None
    description: str | None = None
    checked: bool | Literal["mixed"] | None = None
    """State of checkboxes, radio buttons and switches; for toggle buttons, the pressed state."""
    disabled: bool | None = None
    expanded: bool | None = None
    focused: bool | None = None
    selected: bool | None = None
    required: bool | None = None
    hidden: bool | None = None
    level: int | None = None
    bounding_box: BoundingBox | None = None
    """Box of interactive nodes and of nodes with a value."""
    children: "list[AccessibilityNode] | None" = None


@attrs.frozen(kw_only=True)
class AccessibilityResult:
    """Accessibility tree: one root, or none if the root element has no node."""

    tree: list[AccessibilityNode]


@attrs.frozen(kw_only=True)
class AriaSnapshotResult:
    """Accessibility tree as a YAML outline."""

    snapshot: str
    url: str
    title: str


@attrs.frozen(kw_only=True)
class DomOptions:
    """Options of the DOM."""

    root: Selector | None = attrs.field(default=None, converter=parse_optional_selector)
    depth: int | None = field(default=None, minimum=0)
    """Levels of elements below the root; a comment counts the deeper ones."""
    attributes: list[str] | None = field(default=None, maximum=MAX_NAMES)
    """Names of the attributes to keep; all when absent."""
    computed_styles: list[str] = field(factory=list, maximum=MAX_NAMES)
    """CSS properties; each element has their computed values in ``data-computed-style``."""


@attrs.frozen(kw_only=True)
class DomResult:
    """The document or a part of it, as HTML with open shadow roots as templates, and as text."""

    html: str
    text: str
    title: str
    url: str


@attrs.frozen(kw_only=True)
class ContentResult:
    """Content of the page in the requested format."""

    content: str
    format: ContentFormat
    url: str
    title: str


@attrs.frozen(kw_only=True)
class ElementState:
    """Requested properties of an element. Inapplicable ones (``checked`` of a link) are absent."""

    visible: bool | None = None
    enabled: bool | None = None
    checked: bool | None = None
    text: str | None = None
    value: str | None = None
    bounding_box: BoundingBox | None = None
    attributes: dict[str, str] | None = None
    computed_style: dict[str, str] | None = None


@attrs.frozen(kw_only=True)
class ElementResult(ElementState):
    """Existence and state of an element; ``properties`` repeats the fields of the top level."""

    found: bool
    properties: ElementState

    @classmethod
    def of(cls, state: ElementState | None) -> "ElementResult":
        """Return the result of an element's state; None for a missing element."""
        known: dict[str, Any] = {} if state is None else attrs.asdict(state, recurse=False)
        return cls(found=state is not None, properties=state or ElementState(), **known)


@attrs.frozen(kw_only=True)
class PdfMargin:
    """Margins of a page: a number with a unit (px, in, cm, mm; px when absent)."""

    top: str | None = field(default=None, pattern=_LENGTH)
    right: str | None = field(default=None, pattern=_LENGTH)
    bottom: str | None = field(default=None, pattern=_LENGTH)
    left: str | None = field(default=None, pattern=_LENGTH)


@attrs.frozen(kw_only=True)
class PdfOptions:
    """Options of a PDF."""

    format: PaperFormat = "Letter"
    landscape: bool = False
    scale: float = field(default=1.0, minimum=0.1, maximum=2)
    margin: PdfMargin | None = None
    print_background: bool = False


@attrs.frozen(kw_only=True)
class PdfResult:
    """PDF file in base64, and its number of pages."""

    data: str = attrs.field(repr=False)
    pages: int
