"""Handoffs: requests of agents for a person, and their results."""

from typing import ClassVar, Literal

import attrs

from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.types.fields import field
from agentbrowser.protocol.types.selector import Selector, parse_optional_selector


@attrs.frozen(kw_only=True)
class HandoffUntil:
    """Exactly one condition that ends a handoff by itself, as in page/waitFor."""

    url: str | None = field(default=None, minimum=1, maximum=1000)
    text: str | None = field(default=None, minimum=1, maximum=1000)
    selector: Selector | None = attrs.field(default=None, converter=parse_optional_selector)

    def check(self) -> None:
        """Reject anything but exactly one condition."""
        given = [name for name in ("url", "text", "selector") if getattr(self, name) is not None]
        if len(given) != 1:
            expected, got = "exactly one of url, text, selector", ", ".join(given) or "none of them"
            raise InvalidParams(f"until must hold {expected}.", path="until", expected=expected, got=got)


@attrs.frozen(kw_only=True)
class HandoffChanges:
    """Changes of the page while a person had it; never a value."""

    url: str
    """URL of the page now."""
    logged_in: list[str] | None = None
    """Names of the cookies that were added or changed; absent if there are none."""


@attrs.frozen(kw_only=True)
class HandoffResult:
    """End of a handoff, or ``pending`` with ``wait: false``."""

    outcome: Literal["done", "declined", "timeout", "pending"]
    handoff_id: str
    by: str | None = None
    """Person or condition that has ended it."""
    answer: str | None = None
    """The choice that the person has picked; absent if it has picked none."""
    took_ms: int = 0
    changes: HandoffChanges | None = None
    """Absent if the page is gone, or the handoff is pending."""
    link: str | None = attrs.field(default=None, repr=False)
    """Link for the person, good for one use; only while it is pending."""


@attrs.frozen(kw_only=True)
class HandoffNotice:
    """A handoff that begins: show the link to the person."""

    schema_name: ClassVar[str] = "Handoff"

    handoff_id: str
    page_id: str
    reason: str
    instructions: str
    expires_at: int
    """In ms since 1970."""
    link: str | None = attrs.field(default=None, repr=False)
    """URL for the person, good for one use; absent if the server listens on no port."""
