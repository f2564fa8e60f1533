"""What an agent can ask to see of a page, and what it gets: images, trees, markup, text, one element."""

from typing import Any, Final, Literal

import attrs

from agentbrowser.protocol.types.fields import constraints, field
from agentbrowser.protocol.types.selector import Selector

ImageFormat = Literal["jpeg", "png", "webp"]
ContentFormat = Literal["html", "text", "markdown"]
PaperFormat = Literal["Letter", "Legal", "Tabloid", "Ledger", "A0", "A1", "A2", "A3", "A4", "A5", "A6"]
ElementProperty = Literal[
    "visible", "enabled", "checked", "text", "value", "boundingBox", "attributes", "computedStyle"
]

MAX_MASKS: Final = 100
MAX_NAMES: Final = 500
_LENGTH: Final = r"[0-9]{1,5}(\.[0-9]{1,5})?(px|in|cm|mm)?"


@attrs.frozen(kw_only=True)
class BoundingBox:
    """Where an element is, in CSS pixels from the top left corner of the viewport."""

    x: float
    y: float
    width: float
    height: float


@attrs.frozen(kw_only=True)
class Clip:
    """A part of what is shown: CSS pixels from the viewport's top left corner, with ``full_page`` the document's."""

    x: float = attrs.field(metadata=constraints(minimum=0))
    y: float = attrs.field(metadata=constraints(minimum=0))
    width: float = attrs.field(metadata=constraints(minimum=1))
    height: float = attrs.field(metadata=constraints(minimum=1))


@attrs.frozen(kw_only=True)
class ScreenshotOptions:
    """What to picture, and how."""

    full_page: bool = False
    """The whole document instead of the viewport."""
    clip: Clip | None = None
    format: ImageFormat = "jpeg"
    quality: int | None = field(default=None, minimum=0, maximum=100)
    """80 when absent; refused with png, which has none."""
    scale: Literal["css", "device"] = "css"
    """One pixel for each CSS pixel, so that points in the image are points of the page, or for each of the device's."""
    mask: list[Selector] = field(factory=list, maximum=MAX_MASKS)
    """Elements to paint over in pink; one that matches nothing masks nothing."""


@attrs.frozen(kw_only=True)
class ScreenshotResult:
    """An image in base64, and its size in pixels."""

    data: str = attrs.field(repr=False)
    format: ImageFormat
    width: int
    height: int


@attrs.frozen(kw_only=True)
class AccessibilityOptions:
    """Which part of the accessibility tree to return."""

    root: Selector | None = None
    max_depth: int | None = field(default=None, minimum=1)
    """How many levels, the root's being the first."""
    include_hidden: bool = False
    """Also what assistive technology is not shown; such nodes have ``hidden``."""
    interesting_only: bool = True
    """Leave out nodes without meaning of their own, and text that is its parent's name."""


@attrs.frozen(kw_only=True)
class AccessibilityNode:
    """One node of the accessibility tree. States that don't apply are absent; the value of a password always is."""

    role: str
    name: str | None = None
    value: str | None = None
    description: str | None = None
    checked: bool | Literal["mixed"] | None = None
    """Of checkboxes, radios and switches; of toggle buttons, whether they are pressed."""
    disabled: bool | None = None
    expanded: bool | None = None
    focused: bool | None = None
    selected: bool | None = None
    required: bool | None = None
    hidden: bool | None = None
    level: int | None = None
    bounding_box: BoundingBox | None = None
    """Of what can be operated or has a value."""
    children: "list[AccessibilityNode] | None" = None


@attrs.frozen(kw_only=True)
class AccessibilityResult:
    """The accessibility tree: one root, or none if the root element is not in it."""

    tree: list[AccessibilityNode]


@attrs.frozen(kw_only=True)
class AriaSnapshotResult:
    """The accessibility tree as an outline in YAML."""

    snapshot: str
    url: str
    title: str


@attrs.frozen(kw_only=True)
class DomOptions:
    """Which part of the document to return, and with what."""

    root: Selector | None = None
    depth: int | None = field(default=None, minimum=0)
    """How many levels of elements below the root; what is deeper is counted in a comment."""
    attributes: list[str] | None = field(default=None, maximum=MAX_NAMES)
    """The names of the attributes to keep; all when absent."""
    computed_styles: list[str] = field(factory=list, maximum=MAX_NAMES)
    """CSS properties whose computed values each element carries in ``data-computed-style``."""


@attrs.frozen(kw_only=True)
class DomResult:
    """The document, or the part asked for: as HTML, open shadow roots in it as templates, and as the text it shows."""

    html: str
    text: str
    title: str
    url: str


@attrs.frozen(kw_only=True)
class ContentResult:
    """What the page says, in the format asked for."""

    content: str
    format: ContentFormat
    url: str
    title: str


@attrs.frozen(kw_only=True)
class ElementState:
    """What was asked of an element. What it doesn't have (``checked`` of a link) is absent."""

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
    """Whether there is such an element, and its state: in ``properties`` and, the same, at top level."""

    found: bool
    properties: ElementState

    @classmethod
    def of(cls, state: ElementState | None) -> "ElementResult":
        """Return the result for an element's state; None for no element."""
        known: dict[str, Any] = {} if state is None else attrs.asdict(state, recurse=False)
        return cls(found=state is not None, properties=state or ElementState(), **known)


@attrs.frozen(kw_only=True)
class PdfMargin:
    """The margins of a page: a number with its unit (px, in, cm, mm; px when there is none)."""

    top: str | None = field(default=None, pattern=_LENGTH)
    right: str | None = field(default=None, pattern=_LENGTH)
    bottom: str | None = field(default=None, pattern=_LENGTH)
    left: str | None = field(default=None, pattern=_LENGTH)


@attrs.frozen(kw_only=True)
class PdfOptions:
    """How to lay the page out on paper."""

    format: PaperFormat = "Letter"
    landscape: bool = False
    scale: float = field(default=1.0, minimum=0.1, maximum=2)
    margin: PdfMargin | None = None
    print_background: bool = False


@attrs.frozen(kw_only=True)
class PdfResult:
    """A PDF file in base64, and how many pages it has."""

    data: str = attrs.field(repr=False)
    pages: int
