"""Approvals: the requests that need one, the approvers, and the effect of decisions."""

import contextlib
import secrets
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, Protocol
from weakref import WeakSet

import attrs
import structlog
import trio

from agentbrowser.policy.approvals import NO_RULES, SLIDE, ApprovalRule, ApprovalRules, RequestLocation
from agentbrowser.protocol.errors import (
    ApprovalDenied,
    ApprovalRequired,
    ApprovalTimeout,
    InvalidParams,
    ScopeDenied,
    ServerBusy,
)
from agentbrowser.protocol.registry import Scope
from agentbrowser.protocol.types.approval import Decision, ElementInfo
from agentbrowser.protocol.types.selector import selectors_in
from agentbrowser.server.corridor.approval_requests import (
    RequestLocations,
    approval_request,
    documents_shown,
    is_element_unchanged,
    pin_focused,
    presses_several,
    selector_text,
    urls_of,
)

if TYPE_CHECKING:
    from agentbrowser.server.corridor.job import Job
    from agentbrowser.server.sessions.session import Session

log = structlog.get_logger("agentbrowser.approvals")

_APPROVAL_REQUIRED: Final = "approval/required"
_MAX_PAST: Final = 1000
_LONG_URL: Final = 500
"""Characters of a URL above which other requests are served between two comparisons, of up to some ms each."""

Clocks = tuple[trio.CancelScope, ...]
"""Deadlines of a request, all paused while an approver decides."""


class ApprovalDesk(Protocol):
    """Persons who decide without a connection of the protocol, on the live view."""

    def is_open(self, requester: "Session") -> bool:
        """Return True if somebody is there who may decide."""
        ...

    def offer(self, requester: "Session", asking: dict[str, Any]) -> None:
        """Show a request that waits for a decision."""

    def close(self, request_id: str) -> None:
        """Show a request no longer."""


@attrs.define(eq=False)
class _PendingApproval:
    """Request that waits for an approver."""

    rule: ApprovalRule
    requester: "Session"
    by_requester: bool
    id: str = attrs.field(factory=lambda: f"approval-{secrets.token_hex(8)}")
    answered: trio.Event = attrs.field(factory=trio.Event)
    decision: Decision | None = None
    reason: str | None = None


@attrs.define(eq=False, kw_only=True)
class Approvals:
    """Approvals of a server; without rules every request passes."""

    rules: ApprovalRules = NO_RULES
    sessions: Callable[[], Iterable["Session"]] = tuple
    """Returns the connected sessions."""
    desk: ApprovalDesk | None = None
    _pending: dict[str, _PendingApproval] = attrs.field(factory=dict, init=False)
    _past: deque[str] = attrs.field(factory=lambda: deque(maxlen=_MAX_PAST), init=False)
    """Ids of requests that are over. Several approvers are asked, and all but one come too late."""
    _is_stopped: bool = attrs.field(default=False, init=False)
    _own_approvers: "WeakSet[Session]" = attrs.field(factory=WeakSet, init=False)
    """Connections that were asked about requests of their own. Their late answers are late, not forbidden."""

    @property
    def active(self) -> bool:
        """Return True if requests may have to wait, or to be logged."""
        return self.rules.mode != "disabled" and bool(self.rules.rules)

    async def admit(self, session: "Session", job: "Job", clocks: Clocks) -> None:
        """Apply the rules to a request, and wait for an approver if one demands it. [trio]

        Raises:
          ApprovalDenied: the rule or the approver denies it, or the page or the element changed meanwhile.
          ApprovalTimeout: nobody answered in time.
          ApprovalRequired: no approver is connected.
        """
        selectors = list(map(selector_text, selectors_in(job.params)))
        if job.method.name == "action/fill" and self.rules.mode == "required":
            job.slide_rules = tuple(_in_effect(self.rules.about(SLIDE, selectors), session.approved))
        rules = list(self.rules.about(job.method.name, selectors))
        if not rules or _is_harmless(job):
            return
        places = await urls_of(session, job)
        if self.rules.mode == "required" and not places.targets:
            job.judged = places.documents(rules)
        rule = await _strictest(rules, places, session.approved)
        if rule is None:
            return
        job.approval = {"rule": rule.name, "action": rule.action}
        if self.rules.mode == "audit":
            log.warning("approval_audit", rule=rule.name, method=job.method.name, action=rule.action)
        elif rule.action == "deny":
            raise ApprovalDenied(f"The operator's rule {rule.name} denies {job.method.name}.", rule=rule.name)
        elif presses_several(job):
            message = "A press that needs an approval has one key beside modifiers: the first may move the focus."
            hint = "Press one key after the other."
            raise ApprovalDenied(message, rule=rule.name, reason="several keys", hint=hint)
        else:
            shown = await self._ask(session, job, rule, clocks)
            if (await urls_of(session, job)).documents(rules) != places.documents(rules):
                message = "The page went to another address while the approver decided."
                raise ApprovalDenied(message, rule=rule.name, reason="page changed", retryable=True)
            pin_focused(job, shown)
            if not await is_element_unchanged(session, job, shown):
                message = "The element is gone or another one than the approver was shown."
                hint = "Observe the page, then ask again."
                raise ApprovalDenied(message, rule=rule.name, reason="element changed", retryable=True, hint=hint)
            job.approved = shown
            if shown is not None and job.judged is not None:
                job.judged &= await documents_shown(session, job, rules)

    def stop(self) -> None:
        """Refuse the requests that wait for an approver, and those that would: nobody can decide in a shutdown."""
        self._is_stopped = True
        for pending in self._pending.values():
            pending.answered.set()

    def may_respond(self, session: "Session") -> bool:
        """Return True if a connection was asked to decide on a request of its own."""
        return session in self._own_approvers

    def respond(self, session: "Session", request_id: str, decision: Decision, reason: str | None) -> bool:
        """Decide on a request; return True if it was waiting, and False if it was over.

        Raises:
          InvalidParams: there was no such request.
          ScopeDenied: the connection is not one that may decide on this request.
        """
        pending = self._pending.get(request_id)
        if pending is None and request_id in self._past:
            return False
        if pending is None:
            expected = "the requestId of an approval/required"
            message = f"No request waits for approval under {request_id}."
            raise InvalidParams(message, path="requestId", expected=expected, got=request_id)
        own = pending.requester is session
        if own and not pending.by_requester:
            raise ScopeDenied("A request is not approved by the connection that makes it.", method="approval/respond")
        if not own and session.scope < Scope.PRIVILEGED:
            raise ScopeDenied("This request is for others to decide.", method="approval/respond")
        return self.decide(request_id, decision, reason)

    def decide(self, request_id: str, decision: Decision, reason: str | None = None) -> bool:
        """Decide on a request for somebody who may; return True if it was waiting."""
        pending = self._pending.get(request_id)
        if pending is None:
            return False
        self._end(pending)
        pending.decision, pending.reason = decision, reason
        pending.answered.set()
        return True

    def _end(self, pending: _PendingApproval) -> None:
        if self._pending.pop(pending.id, None) is not None:
            self._past.append(pending.id)
            if self.desk is not None:
                self.desk.close(pending.id)

    async def _ask(self, session: "Session", job: "Job", rule: ApprovalRule, clocks: Clocks) -> ElementInfo | None:
        """Wait for an approver to agree; return the element that it was shown. [trio]"""
        if self._is_stopped:
            raise ServerBusy.at_shutdown()
        privileged = [other for other in self.sessions() if other.scope is Scope.PRIVILEGED and other is not session]
        approvers = [one for one in privileged if one.approves]
        desk = self.desk if self.desk is not None and self.desk.is_open(session) else None
        is_alone = not approvers and desk is None
        pending = _PendingApproval(rule, session, by_requester=is_alone and rule.ask_requester)
        self._pending[pending.id] = pending
        if pending.by_requester:
            self._own_approvers.add(session)
        shown: ElementInfo | None = None
        try:
            with _clocks_stopped(clocks), trio.move_on_after(rule.timeout_s):
                asking, shown = await approval_request(session, job, rule, pending.id)
                asked = [
                    one
                    for one in approvers or [session] * pending.by_requester
                    if one.send_notification(_APPROVAL_REQUIRED, asking)
                ]
                if desk is not None:
                    desk.offer(session, asking)
                elif not asked:
                    raise _no_approver(pending, job)
                log.info("approval_asked", rule=rule.name, request_id=pending.id, approvers=len(asked) + bool(desk))
                await pending.answered.wait()
        finally:
            self._end(pending)
        if self._is_stopped and pending.decision is None:
            raise ServerBusy.at_shutdown()
        _apply_decision(pending, job)
        return shown


def _apply_decision(pending: _PendingApproval, job: "Job") -> None:
    rule, name = pending.rule, job.method.name
    log.info("approval_over", rule=rule.name, method=name, request_id=pending.id, decision=pending.decision)
    match pending.decision:
        case None:
            ms = round(rule.timeout_s * 1000)
            message = f"Nobody approved {name} in {ms} ms."
            raise ApprovalTimeout(message, request_id=pending.id, rule=rule.name, timeout=ms)
        case "deny":
            why = f": {pending.reason}" if pending.reason else "."
            message = f"The approver denied {name}{why}"
            raise ApprovalDenied(message, request_id=pending.id, rule=rule.name, reason=pending.reason)
        case "approve-session":
            pending.requester.approved.add(rule.name)


def _no_approver(pending: _PendingApproval, job: "Job") -> ApprovalRequired:
    return ApprovalRequired(
        f"{job.method.name} needs an approver, and none can be asked.",
        request_id=pending.id,
        rule=pending.rule.name,
        hint="Have a client of scope privileged connect, then retry.",
    )


def _in_effect(rules: Iterable[ApprovalRule], approved: Container[str]) -> Iterator[ApprovalRule]:
    """Yield the rules, those that an approver has lifted for the session as ones that allow."""
    for rule in rules:
        yield attrs.evolve(rule, action="allow") if rule.action == "require" and rule.name in approved else rule


async def _strictest(
    rules: list[ApprovalRule], places: RequestLocations, approved: Container[str]
) -> ApprovalRule | None:
    """Return the rule that denies a request or demands an approver; None if it may pass. [trio]

    The first rule that fits a place decides about it. A page that is allowed opens neither the frames in it nor the
    pages to which a client would navigate from it.
    """
    rules = list(_in_effect(rules, approved))
    deciding = [await _first_that_fits(rules, group, places.targets) for group in places.judged_apart]
    strict = [rule for rule in deciding if rule and rule.action != "allow"]
    return next((rule for rule in strict if rule.action == "deny"), next(iter(strict), None))


async def _first_that_fits(
    rules: list[ApprovalRule], group: list[RequestLocation], targets: list[RequestLocation]
) -> ApprovalRule | None:
    """Return the first rule that fits one of the places, one that allows that of a navigation's target. [trio]"""
    for rule in rules:
        for each in [[place] for place in (targets if rule.action == "allow" and targets else group)] or [[]]:
            if rule.holds(each):
                return rule
            if each and len(each[0].url) > _LONG_URL:  # a page has as many frames with such URLs as it likes
                await trio.lowlevel.checkpoint()
    return None


@contextlib.contextmanager
def _clocks_stopped(clocks: Clocks) -> Iterator[None]:
    """Pause the clocks."""
    since = trio.current_time()
    deadlines = [clock.deadline for clock in clocks]
    for clock in clocks:
        clock.deadline = float("inf")
    try:
        yield
    finally:
        pause_s = trio.current_time() - since
        for clock, deadline in zip(clocks, deadlines, strict=True):
            clock.deadline = deadline + pause_s


def _is_harmless(job: "Job") -> bool:
    """Return True if a request only reads, answers an approval request, or accepts nothing that a page asks."""
    if job.method.name == "dialog/handle":
        return bool(job.params.action != "accept")
    return job.method.free and (job.method.scope is Scope.READONLY or job.method.name == "approval/respond")
