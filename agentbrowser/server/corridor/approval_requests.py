"""Subject of a request that may need an approver, and the request for approval itself."""

from typing import TYPE_CHECKING, Any, Final

import attrs

from agentbrowser.browser.tabs import Tabs
from agentbrowser.policy import urls
from agentbrowser.policy.approvals import ApprovalRule, RequestLocation
from agentbrowser.policy.redaction import redact_address
from agentbrowser.protocol.codec import unstructure, wire_fields
from agentbrowser.protocol.errors import PageNotFound
from agentbrowser.protocol.registry import TabState
from agentbrowser.protocol.types.approval import ApprovalContext, ApprovalRequest, OriginalRequest
from agentbrowser.protocol.types.event import now_ms
from agentbrowser.protocol.types.fields import NAVIGABLE
from agentbrowser.protocol.types.selector import SELECTORS, Selector, describe, selectors_in

if TYPE_CHECKING:
    from agentbrowser.server.corridor.job import Job
    from agentbrowser.server.sessions.session import Session

_TYPED: Final = frozenset({"value", "text", "promptText", "buffer", "body", "postData", "arg"})
"""Names of params with typed or sent values, outside of selectors."""
_SELECTOR_KINDS: Final = frozenset(selector.type for selector in SELECTORS)


def selector_text(selector: Selector) -> str:
    """Return a selector as text for rules: its kind and its values."""
    kind, *values = describe(selector).values()
    return f"{kind}={' '.join(str(word) for word in values if word is not True)}"


async def urls_of(session: "Session", job: "Job") -> list[RequestLocation]:
    """Return the URLs of a request: its targets, and those of its page and frame. [trio]"""
    kind: Any = type(job.params)
    marked = [one.name for one in wire_fields(kind).values() if NAVIGABLE in one.metadata]
    targets = [url for name in marked if (url := getattr(job.params, name)) is not None]
    here = await session.portal.run(_addresses, session.tabs, job.page_id)
    return [RequestLocation(urls.host_of(url), url) for url in [*targets, *here]]


async def approval_request(session: "Session", job: "Job", rule: ApprovalRule, request_id: str) -> dict[str, Any]:
    """Return the params of ``approval/required`` for a request. [trio]"""
    expires_at = now_ms() + round(rule.timeout_s * 1000)
    context = await session.portal.run(
        _context, session.tabs, job.page_id, next(selectors_in(job.params), None), rule.screenshot
    )
    params = unstructure(job.params)
    asked = ApprovalRequest(
        request_id=request_id,
        original_request=OriginalRequest(
            method=job.method.name, params=_without_values(params) if rule.redact_values else params
        ),
        rule=rule.name,
        context=context,
        expires_at=expires_at,
    )
    # The approver is another client, which must not receive the secrets of this one.
    plain: dict[str, Any] = session.masks.plain(unstructure(asked))
    return plain


async def _addresses(tabs: Tabs, page_id: str | None) -> list[str]:
    """Return the URLs of a page and its selected frame; nothing for a missing page. [asyncio]"""
    try:
        tab = await tabs.tab(page_id, TabState.ALIVE)
    except PageNotFound:  # not opened yet, or the request itself will fail
        return []
    return list(dict.fromkeys((tab.page.url, tab.frame.url)))


async def _context(
    tabs: Tabs, page_id: str | None, selector: Selector | None, with_screenshot: bool
) -> ApprovalContext:
    """Return the context of a page for an approver. [asyncio]"""
    try:
        tab = await tabs.tab(page_id, TabState.ALIVE)
    except PageNotFound:
        return ApprovalContext()
    context = await tab.approval_context.collect(selector, with_screenshot=with_screenshot)
    return attrs.evolve(context, page_url=redact_address(context.page_url))


def _without_values(plain: Any) -> Any:
    """Return params without typed or sent values."""
    if isinstance(plain, list):
        return [_without_values(item) for item in plain]
    if not isinstance(plain, dict) or plain.get("type") in _SELECTOR_KINDS:
        return plain
    return {name: urls.REDACTED if name in _TYPED else _without_values(item) for name, item in plain.items()}
