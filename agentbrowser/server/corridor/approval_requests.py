"""Subject of a request that may need an approver, and the request for approval itself."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs

from agentbrowser.browser.tabs import Tabs
from agentbrowser.policy import urls
from agentbrowser.policy.approvals import ApprovalRule, RequestLocation, document_of
from agentbrowser.policy.redaction import redact_address
from agentbrowser.protocol.codec import marked_fields, unstructure
from agentbrowser.protocol.errors import PageNotFound
from agentbrowser.protocol.registry import TabState
from agentbrowser.protocol.types.action import Offset, Point
from agentbrowser.protocol.types.approval import ApprovalContext, ApprovalRequest, ElementInfo, OriginalRequest
from agentbrowser.protocol.types.event import now_ms
from agentbrowser.protocol.types.fields import NAVIGABLE
from agentbrowser.protocol.types.selector import SELECTORS, Coordinates, Css, Selector, describe, selectors_in

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab
    from agentbrowser.server.corridor.job import Job
    from agentbrowser.server.sessions.session import Session

_TYPED: Final = frozenset({"value", "text", "promptText", "buffer", "body", "postData", "arg"})
"""Names of params with typed or sent values, outside of selectors."""
_LOOK_TIMEOUT_S: Final = 10.0
"""Time limit for the look at an element that needs approval: a busy page is no reason to show none or to ask again."""
_FOCUSED: Final = Css(":focus")
_NEW_PAGE: Final = frozenset(("about:blank",))
_KEYS: Final = re.compile(r"(?s)(.[^+]*)(?:\+|$)")
"""A key of a combination; a plus at its beginning is the key itself."""
_MODIFIER: Final = re.compile(r"(?:Alt|Control|Meta|Shift)(?:Left|Right)?|ControlOrMeta")
_SELECTOR_KINDS: Final = frozenset(selector.type for selector in SELECTORS)


def selector_text(selector: Selector) -> str:
    """Return a selector as text for rules: its kind and its values."""
    kind, *values = describe(selector).values()
    return f"{kind}={' '.join(str(word) for word in values if word is not True)}"


@attrs.frozen
class RequestLocations:
    """URLs that a request names, and those of the documents in which it acts."""

    targets: list[RequestLocation]
    here: list[RequestLocation]

    @property
    def judged_apart(self) -> list[list[RequestLocation]]:
        """Return the groups that each need a rule's consent: every document; a navigation as a whole."""
        together = [*self.targets, *self.here]
        return [together] if self.targets or not together else [[one] for one in together]

    def documents(self, rules: Sequence[ApprovalRule]) -> frozenset[str]:
        """Return the URLs of the documents to which the rules are applied; that of a new page if there are none."""
        return frozenset(document_of(one, rules) for one in (*self.targets, *self.here)) or _NEW_PAGE


async def urls_of(session: "Session", job: "Job") -> RequestLocations:
    """Return the URLs of a request. [trio]"""
    marked = marked_fields(job.params, NAVIGABLE)
    targets = [url for _, name in marked if (url := getattr(job.params, name)) is not None]
    here = await session.portal.run(_addresses, session.tabs, job)
    return RequestLocations(*[[RequestLocation(urls.host_of(url), url) for url in group] for group in (targets, here)])


async def approval_request(
    session: "Session", job: "Job", rule: ApprovalRule, request_id: str
) -> tuple[dict[str, Any], ElementInfo | None]:
    """Return the params of ``approval/required`` for a request, and the element that they show. [trio]"""
    expires_at = now_ms() + round(rule.timeout_s * 1000)
    selector, limit_s = next(selectors_in(job.params), None), min(_LOOK_TIMEOUT_S, rule.timeout_s / 2)
    selector = _FOCUSED if _presses_focused(job) else selector
    context = await session.portal.run(_context, session.tabs, job, selector, rule.screenshot, limit_s)
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
    return plain, context.element_info


def pin_focused(job: "Job", shown: ElementInfo | None) -> None:
    """Have a press without an element reach no other one than that with the focus which an approver was shown."""
    # One without a size, such as the hidden field of an editor, takes keys too, but is not ready for an action.
    if _presses_focused(job) and shown is not None and shown.bounds.width and shown.bounds.height:
        job.params = attrs.evolve(job.params, selector=_FOCUSED)


def presses_several(job: "Job") -> bool:
    """Return True for a press of several keys that are no modifiers."""
    if job.method.name != "action/press":
        return False
    return sum(_MODIFIER.fullmatch(key) is None for key in _KEYS.findall(job.params.key)) > 1


def _presses_focused(job: "Job") -> bool:
    return job.method.name == "action/press" and job.params.selector is None


async def is_element_unchanged(session: "Session", job: "Job", shown: ElementInfo | None) -> bool:
    """Return True if a request's element has the role and the name that an approver was shown. [trio]"""
    selector = next(selectors_in(job.params), None)
    if shown is None or selector is None:
        return True
    now = await session.portal.run(_element, session.tabs, job, selector)
    return now is not None and (now.role, now.name) == (shown.role, shown.name)


async def documents_shown(session: "Session", job: "Job", rules: Sequence[ApprovalRule]) -> frozenset[str]:
    """Return the URLs of the documents of a request's elements, without those of frames that lie over them. [trio]

    An approver was shown an element; the page may have put the frame of another site into it.
    """
    shown = await session.portal.run(_element_addresses, session.tabs, job)
    return frozenset(document_of(RequestLocation(urls.host_of(url), url), rules) for url in shown)


async def target_of(session: "Session", job: "Job") -> dict[str, str] | None:
    """Return the role and the name of a request's element, as they are now. [trio]"""
    selector = next(selectors_in(job.params), None)
    if selector is None or job.page_id is None or not session.has(job.page_id):
        return None
    context = await session.portal.run(_context, session.tabs, job, selector, False)
    found = context.element_info
    return None if found is None else {"role": found.role, "name": session.masks.text(found.name)}


async def _addresses(tabs: Tabs, job: "Job") -> list[str]:
    """Return the URLs of the frames that a request concerns; nothing for a missing page. [asyncio]"""
    tab = await _tab(tabs, job)
    if tab is None:
        return []
    selectors, is_input = _selectors_of(job), job.method.name.startswith("action/")
    others = tab.dialogs.frames if job.method.name == "dialog/handle" else []
    if is_input and (not selectors or isinstance(getattr(job.params, "target", None), Offset)):
        others = tab.page.frames
    return await tab.approval_context.addresses(selectors, others=others, is_input=is_input, action=_action_of(job))


async def _element_addresses(tabs: Tabs, job: "Job") -> list[str]:
    """Return the URLs of the frames of a request's elements. [asyncio]"""
    tab = await _tab(tabs, job)
    if tab is None:
        return []
    return await tab.approval_context.addresses(_selectors_of(job), is_shown=True, action=_action_of(job))


async def _tab(tabs: Tabs, job: "Job") -> "Tab | None":
    """Return the tab of a request; None if it is not opened yet, or missing: then the request itself will fail."""
    try:
        return await tabs.tab(job.page_id, TabState.ALIVE)
    except PageNotFound:
        return None


def _selectors_of(job: "Job") -> list[Selector]:
    """Return the selectors of a request, with the point to which it drags."""
    target = getattr(job.params, "target", None)
    point = [Coordinates(x=target.x, y=target.y)] if isinstance(target, Point) else []
    return [*selectors_in(job.params), *point]


async def _context(
    tabs: Tabs, job: "Job", selector: Selector | None, with_screenshot: bool, timeout_s: float | None = None
) -> ApprovalContext:
    """Return the context of a page for an approver. [asyncio]"""
    tab = await _tab(tabs, job)
    if tab is None:
        return ApprovalContext()
    context = await tab.approval_context.collect(
        selector, with_screenshot=with_screenshot, action=_action_of(job), timeout_s=timeout_s
    )
    return attrs.evolve(context, page_url=redact_address(context.page_url))


async def _element(tabs: Tabs, job: "Job", selector: Selector) -> ElementInfo | None:
    """Return an element that an approver has agreed to, as it is now; None if it is not there. [asyncio]"""
    tab = await _tab(tabs, job)
    if tab is None:
        return None
    return await tab.approval_context.element(selector, timeout_s=_LOOK_TIMEOUT_S, action=_action_of(job))


def _action_of(job: "Job") -> str:
    """Return the action of a request: words are read by it, here as when it is done."""
    return job.method.name.removeprefix("action/")


def _without_values(plain: Any) -> Any:
    """Return params without typed or sent values."""
    if isinstance(plain, list):
        return [_without_values(item) for item in plain]
    if not isinstance(plain, dict) or plain.get("type") in _SELECTOR_KINDS:
        return plain
    return {name: urls.REDACTED if name in _TYPED else _without_values(item) for name, item in plain.items()}
