"""What is kept of a client's browser, to open it again when the browser or the server is gone. Never on the wire."""

import attrs

from agentbrowser.protocol.types.context import ContextOptions
from agentbrowser.protocol.types.storage import StorageState


@attrs.frozen(kw_only=True)
class PageSnapshot:
    """A page: its id, where it was, and whose cookies it used."""

    page_id: str
    url: str
    context_id: str


@attrs.frozen(kw_only=True)
class ContextSnapshot:
    """A context: its id, what it was told to be, and what it kept of the sites."""

    context_id: str
    options: ContextOptions = ContextOptions()
    storage: StorageState = attrs.field(factory=StorageState)


@attrs.frozen(kw_only=True)
class SessionSnapshot:
    """All contexts and pages of a client, in the order in which they were opened."""

    contexts: list[ContextSnapshot] = attrs.field(factory=list)
    pages: list[PageSnapshot] = attrs.field(factory=list)
    active: str | None = None
    private_open: bool = False
    secrets: list[str] = attrs.field(factory=list)
    """The names of the operator's secrets that the pages may hold."""
