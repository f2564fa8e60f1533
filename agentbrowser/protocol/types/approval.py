"""What an approver is asked, and what it may answer."""

from typing import Any, ClassVar, Literal

import attrs

from agentbrowser.protocol.types.observe import BoundingBox

Decision = Literal["approve", "deny", "approve-once", "approve-session"]


@attrs.frozen(kw_only=True)
class ElementInfo:
    """The element that the request is about, as it is now."""

    role: str
    name: str
    bounds: BoundingBox


@attrs.frozen(kw_only=True)
class ApprovalContext:
    """Where the request would act: its page, and what the rule has shown of it."""

    page_url: str = ""
    """Without secrets; empty where there is no page."""
    page_title: str = ""
    screenshot: str | None = None
    """A JPEG in base64, if the rule says ``screenshot``."""
    element_info: ElementInfo | None = None


@attrs.frozen(kw_only=True)
class OriginalRequest:
    """The request that waits; what it would type or send reads ``[REDACTED]`` unless the rule shows it."""

    method: str
    params: dict[str, Any]


@attrs.frozen(kw_only=True)
class ApprovalRequest:
    """A request waits for somebody to answer it with ``approval/respond``, until ``expires_at`` (ms since 1970)."""

    schema_name: ClassVar[str] = "ApprovalRequired"

    request_id: str
    original_request: OriginalRequest
    rule: str
    context: ApprovalContext
    expires_at: int
