"""Extraction requests and results."""

from typing import Any, Final, Literal

import attrs

from agentbrowser.protocol.types.fields import constraints, field
from agentbrowser.protocol.types.selector import MAX_DESCRIPTION_LENGTH, Selector

ExtractionMode = Literal["single", "list", "table"]

MAX_PROPERTIES: Final = 60
MAX_SCHEMA_PROPERTIES: Final = 200
"""Properties at all levels together."""
MAX_SCHEMA_BYTES: Final = 20_000
"""Size of the schema as JSON."""


@attrs.frozen(kw_only=True)
class ExtractionSchema:
    """Shape of the data, as a subset of JSON Schema; names and descriptions are matched with the page."""

    type: Literal["object", "array", "string", "number", "integer", "boolean"]
    properties: "dict[str, ExtractionSchema] | None" = None
    items: "ExtractionSchema | None" = None
    required: list[str] | None = field(default=None, maximum=MAX_PROPERTIES)
    """Required properties; objects without them are dropped."""
    description: str | None = field(default=None, maximum=MAX_DESCRIPTION_LENGTH)
    format: str | None = field(default=None, maximum=100)
    """A hint: ``date``, ``uri`` or ``email``."""
    enum: list[Any] | None = field(default=None, maximum=200)
    """Allowed values; others are dropped."""


@attrs.frozen(kw_only=True)
class ExtractionSource:
    """Origin of an extracted value."""

    ref: str
    selector: Selector
    """Unique selector of the element with the value."""
    text: str | None = None
    """Text of the element."""
    path: str | None = None
    """Position of the value in ``data``, as a JSON Pointer."""


EvidenceSource = Literal["header", "label", "nearby", "markup", "data", "title", "form"]


@attrs.frozen(kw_only=True)
class ExtractedField:
    """Evidence for the value of one requested property."""

    confidence: float = attrs.field(metadata=constraints(minimum=0, maximum=1))
    """Probability that the value is right; of a list of objects, that those of all items are."""
    source: EvidenceSource | None = None
    """The strongest evidence: the header of its column, its label, a text nearby, names in the markup, the page's data
    for machines (JSON-LD, meta tags), a heading, or the written form alone. Absent where nothing was found."""
    withheld: bool | None = None
    """True if the confidence is below ``minConfidence``, so that the data lacks the value."""
    conflict: str | None = None
    """A different value in the page's data for machines; the visible one was returned."""


@attrs.frozen(kw_only=True)
class AgentExtractResult:
    """Extracted data, if any fits, with its confidence."""

    success: bool
    data: Any = None
    sources: list[ExtractionSource] | None = None
    confidence: float | None = field(default=None, minimum=0, maximum=1)
    """Probability that the whole data is right and complete, calibrated on pages with known answers."""
    fields: dict[str, ExtractedField] | None = None
    """Evidence by property; the names of nested ones are joined by dots, and the only value of a schema without
    properties is ``value``."""
    error: str | None = None
    next_cursor: str | None = None
    """Cursor of the next page, if there are more items."""
    dropped: int | None = None
    """Number of items that were dropped because a required value is missing."""
    truncated: bool | None = None
    """True if the page exceeds the analysis limits, so that data may be missing."""
    pending: int | None = None
    """Number of unfinished effects of the client's actions, if the page did not settle in time."""
    awaited: list[str] | None = None
    """The first of these effects, as in agent/observe."""
