"""Approval requests, and the decisions of approvers."""

from typing import Any, ClassVar, Literal

import attrs

from agentbrowser.protocol.types.observe import BoundingBox

Decision = Literal["approve", "deny", "approve-once", "approve-session"]


@attrs.frozen(kw_only=True)
class ElementInfo:
    """Present state of the element that the request would act on."""

    role: str
    name: str
    bounds: BoundingBox


@attrs.frozen(kw_only=True)
class ApprovalContext:
    """Page and element of a request, as far as the rule shows them."""

    page_url: str = ""
    """Page URL without secrets; empty without a page."""
    page_title: str = ""
    screenshot: str | None = None
    """A JPEG in base64, if the rule has ``screenshot``."""
    element_info: ElementInfo | None = None


@attrs.frozen(kw_only=True)
class OriginalRequest:
    """The waiting request; text that it would type or send is ``[REDACTED]`` unless the rule shows it."""

    method: str
    params: dict[str, Any]


@attrs.frozen(kw_only=True)
class ApprovalRequest:
    """A request that waits for ``approval/respond`` until ``expires_at`` (ms since 1970)."""

    schema_name: ClassVar[str] = "ApprovalRequired"

    request_id: str
    original_request: OriginalRequest
    rule: str
    context: ApprovalContext
    expires_at: int
