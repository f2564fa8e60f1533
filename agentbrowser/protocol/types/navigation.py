"""Results of navigations."""

from typing import Any

import attrs

from agentbrowser.protocol.types.action import ActionDialog
from agentbrowser.protocol.types.element import AgentObserveResult


@attrs.frozen(kw_only=True)
class NavigateResult:
    """Page after a navigation. ``status`` and ``headers`` (redacted) belong to the response, if there was one."""

    url: str
    title: str
    status: int | None = None
    headers: dict[str, str] | None = None
    dialog: ActionDialog | None = None
    """Dialog behind which the load waits for the client's answer. Then there is no status yet."""
    observation: AgentObserveResult | None = None
    """Observation of the loaded page, if requested."""
    observation_error: dict[str, Any] | None = None
    """The reason why a requested observation is missing; the page was loaded all the same."""


@attrs.frozen(kw_only=True)
class MoveResult:
    """Page after a reload or a step in its history; ``navigated`` is false if there was no entry."""

    url: str
    title: str
    navigated: bool
    dialog: ActionDialog | None = None
    """Dialog behind which the load waits for the client's answer."""
