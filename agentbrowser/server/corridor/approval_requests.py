"""What a request that may need an approver is about, and the question that the approver is asked."""

from collections.abc import Iterator
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
from agentbrowser.protocol.types.selector import SELECTORS, Selector, describe

if TYPE_CHECKING:
    from agentbrowser.server.corridor.job import Job
    from agentbrowser.server.sessions.session import Session

_TYPED: Final = frozenset({"value", "text", "promptText", "buffer", "body", "postData", "arg"})
"""The params that hold what is typed or sent; in a selector such a name is none."""
_SELECTOR_KINDS: Final = frozenset(selector.type for selector in SELECTORS)


def selectors_in(params: Any) -> Iterator[Selector]:
    """Yield the selectors that params hold, in their order."""
    if isinstance(params, SELECTORS):
        yield params
    elif isinstance(params, list):
        for item in params:
            yield from selectors_in(item)
    elif attrs.has(type(params)):
        for attribute in attrs.fields(type(params)):
            yield from selectors_in(getattr(params, attribute.name))


def selector_text(selector: Selector) -> str:
    """Return a selector as rules see it: its kind, and what it says."""
    kind, *said = describe(selector).values()
    return f"{kind}={' '.join(str(word) for word in said if word is not True)}"


async def urls_of(session: "Session", job: "Job") -> list[RequestLocation]:
    """Return the addresses that a request is about: where it goes, and where its page and frame are. [trio]"""
    kind: Any = type(job.params)
    marked = [one.name for one in wire_fields(kind).values() if NAVIGABLE in one.metadata]
    aims = [url for name in marked if (url := getattr(job.params, name)) is not None]
    here = await session.portal.run(_addresses, session.tabs, job.page_id)
    return [RequestLocation(urls.host_of(url), url) for url in [*aims, *here]]


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
    # The approver is another client, which knows nothing of what this one has used.
    plain: dict[str, Any] = session.masks.plain(unstructure(asked))
    return plain


async def _addresses(tabs: Tabs, page_id: str | None) -> list[str]:
    """Return where a page and the frame that acts in it are; nothing for a page that is not there. [asyncio]"""
    try:
        tab = await tabs.tab(page_id, TabState.ALIVE)
    except PageNotFound:  # it is yet to be made, or the request itself will say so
        return []
    return list(dict.fromkeys((tab.page.url, tab.frame.url)))


async def _context(tabs: Tabs, page_id: str | None, selector: Selector | None, picture: bool) -> ApprovalContext:
    """Return what an approver is shown of a page. [asyncio]"""
    try:
        tab = await tabs.tab(page_id, TabState.ALIVE)
    except PageNotFound:
        return ApprovalContext()
    context = await tab.approval_context.collect(selector, with_screenshot=picture)
    return attrs.evolve(context, page_url=redact_address(context.page_url))


def _without_values(plain: Any) -> Any:
    """Return params without what is typed or sent."""
    if isinstance(plain, list):
        return [_without_values(item) for item in plain]
    if not isinstance(plain, dict) or plain.get("type") in _SELECTOR_KINDS:
        return plain
    return {name: urls.REDACTED if name in _TYPED else _without_values(item) for name, item in plain.items()}
