"""Snapshots of a client's browser state, which restore it after a crash or a restart. Never on the wire."""

import attrs

from agentbrowser.protocol.types.context import ContextOptions
from agentbrowser.protocol.types.storage import StorageState


@attrs.frozen(kw_only=True)
class PageSnapshot:
    """A page: its id, its URL and its context."""

    page_id: str
    url: str
    context_id: str


@attrs.frozen(kw_only=True)
class ContextSnapshot:
    """A context: its id, its options and its storage."""

    context_id: str
    options: ContextOptions = ContextOptions()
    storage: StorageState = attrs.field(factory=StorageState)


@attrs.frozen(kw_only=True)
class SessionSnapshot:
    """All contexts and pages of a client, in order of creation."""

    contexts: list[ContextSnapshot] = attrs.field(factory=list)
    pages: list[PageSnapshot] = attrs.field(factory=list)
    active: str | None = None
    private_open: bool = False
    secrets: list[str] = attrs.field(factory=list)
    """Names of the operator's secrets that were typed into the pages."""
