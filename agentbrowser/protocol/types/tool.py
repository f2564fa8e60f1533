"""WebMCP tools of pages."""

from typing import Any, Literal

import attrs


@attrs.frozen(kw_only=True)
class WebMCPTool:
    """A tool: a declarative form, or a function that a script of the page registered."""

    name: str
    description: str | None = None
    input_schema: dict[str, Any] | None = None
    """JSON Schema of the input; for a form, derived from its controls."""
    source: Literal["webmcp-declarative", "webmcp-imperative"]
    form_selector: str | None = None
    """Unique CSS selector of the form, which can also be filled and submitted directly."""
