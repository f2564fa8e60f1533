"""Network events of pages, redacted before they leave the browser thread."""

import contextlib
from typing import TYPE_CHECKING, Any, Literal

from playwright.async_api import Error, Page, Request, Response

from agentbrowser.policy.redaction import redact_address, redact_body, redact_headers
from agentbrowser.protocol.types.event import NetworkEvent

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab
    from agentbrowser.browser.tabs import Tabs


def page_of(request: Request) -> Page | None:
    """Return the page of a request; None if it is still opening, or a service worker makes the request."""
    with contextlib.suppress(Error):
        return request.frame.page
    return None


def report_request(tab: "Tab", request: Request) -> None:
    """Emit the event of a new request."""
    tab.emit(_event("request", tab.tabs, tab.id, request, **_head(request)))


def report_response(tab: "Tab", response: Response) -> None:
    """Emit the event of a response that has begun to arrive."""
    request, headers = response.request, redact_headers(response.headers)
    facts = {"status": response.status, "headers": headers, "timing": _timing(request)}
    tab.emit(_event("response", tab.tabs, tab.id, request, **facts))


def report_failure(tab: "Tab", request: Request) -> None:
    """Emit the event of a request that failed, or whose response broke off."""
    error = (request.failure or "failed").removeprefix("net::").partition(".")[0]  # drop ".Inspector"
    tab.emit(_event("failed", tab.tabs, tab.id, request, error=error, timing=_timing(request)))


def intercepted_event(tabs: "Tabs", page_id: str, request: Request) -> NetworkEvent:
    """Return the event that asks the client to decide on a request."""
    return _event("intercepted", tabs, page_id, request, **_head(request))


def _event(
    type_: Literal["request", "response", "failed", "intercepted"],
    tabs: "Tabs",
    page_id: str,
    request: Request,
    **facts: Any,
) -> NetworkEvent:
    return NetworkEvent(
        type=type_,
        request_id=tabs.request_ids.of(request),
        page_id=page_id,
        url=redact_address(request.url),
        method=request.method,
        resource_type=request.resource_type,
        **facts,
    )


def _head(request: Request) -> dict[str, Any]:
    return {"headers": redact_headers(request.headers), "post_data": redact_body(request.post_data_buffer)}


def _timing(request: Request) -> dict[str, float] | None:
    # -1 stands for a phase that did not happen; a start of 0 for a request that never began.
    times = request.timing.items()
    timing = {name: float(value) for name, value in times if isinstance(value, float | int) and value >= 0}
    return timing if timing.get("startTime") else None
