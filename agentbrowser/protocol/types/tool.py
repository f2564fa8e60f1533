"""Tools that pages offer to agents, by WebMCP."""

from typing import Any, Literal

import attrs


@attrs.frozen(kw_only=True)
class WebMCPTool:
    """One tool: a form that declares itself to be one, or a function that a script of the page has registered."""

    name: str
    description: str | None = None
    input_schema: dict[str, Any] | None = None
    """JSON Schema of what it takes; that of a form is made of its controls."""
    source: Literal["webmcp-declarative", "webmcp-imperative"]
    form_selector: str | None = None
    """A CSS selector of just the form, which can be filled and submitted like any other."""
