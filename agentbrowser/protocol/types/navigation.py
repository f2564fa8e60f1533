"""Where a navigation has led, and what is there."""

import attrs

from agentbrowser.protocol.types.element import AgentObserveResult


@attrs.frozen(kw_only=True)
class NavigateResult:
    """Where the page is now. ``status`` and ``headers`` (redacted) are the response's, absent where there was none."""

    url: str
    title: str
    status: int | None = None
    headers: dict[str, str] | None = None
    observation: AgentObserveResult | None = None
    """What agent/observe says of it, if that was asked for."""
