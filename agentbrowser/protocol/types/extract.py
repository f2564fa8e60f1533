"""What an agent asks to be extracted from a page, and what it gets."""

from typing import Any, Final, Literal

import attrs

from agentbrowser.protocol.types.fields import field
from agentbrowser.protocol.types.selector import Selector

ExtractionMode = Literal["single", "list", "table"]

MAX_PROPERTIES: Final = 60
MAX_WORDS: Final = 2000


@attrs.frozen(kw_only=True)
class ExtractionSchema:
    """The shape of the data, in the words of JSON Schema; names and descriptions say what to look for."""

    type: Literal["object", "array", "string", "number", "integer", "boolean"]
    properties: "dict[str, ExtractionSchema] | None" = None
    items: "ExtractionSchema | None" = None
    required: list[str] | None = field(default=None, maximum=MAX_PROPERTIES)
    """The properties without which an object is left out."""
    description: str | None = field(default=None, maximum=MAX_WORDS)
    format: str | None = field(default=None, maximum=100)
    """``date``, ``uri`` or ``email``, as a hint."""
    enum: list[Any] | None = field(default=None, maximum=200)
    """The values that are meant; others are left out."""


@attrs.frozen(kw_only=True)
class ExtractionSource:
    """Where a value is from."""

    ref: str
    selector: Selector
    """Hits just the element that holds the value."""
    text: str | None = None
    """What was read there."""
    path: str | None = None
    """Where in ``data`` the value is, as a JSON Pointer."""


@attrs.frozen(kw_only=True)
class AgentExtractResult:
    """The data, if there is any that fits, and how sure that is."""

    success: bool
    data: Any = None
    sources: list[ExtractionSource] | None = None
    confidence: float | None = field(default=None, minimum=0, maximum=1)
    """How likely the data is right, as measured on pages with known answers."""
    error: str | None = None
    next_cursor: str | None = None
    """Where to go on, if there are more items."""
    dropped: int | None = None
    """How many items were left out because a required value is missing."""
    truncated: bool | None = None
    """True if the page is larger than what is looked at, so that it may hold more."""
