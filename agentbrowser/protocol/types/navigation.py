"""Results of navigations."""

from typing import Any

import attrs

from agentbrowser.protocol.types.element import AgentObserveResult


@attrs.frozen(kw_only=True)
class NavigateResult:
    """Page after a navigation. ``status`` and ``headers`` (redacted) belong to the response, if there was one."""

    url: str
    title: str
    status: int | None = None
    headers: dict[str, str] | None = None
    observation: AgentObserveResult | None = None
    """Observation of the loaded page, if requested."""
    observation_error: dict[str, Any] | None = None
    """The reason why a requested observation is missing; the page was loaded all the same."""
