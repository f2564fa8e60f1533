"""Jobs: checked requests with their place in the lanes, and requests in flight."""

from typing import TYPE_CHECKING, Any, Final

import attrs
import trio

from agentbrowser.methods import METHODS
from agentbrowser.methods.lifecycle import announces_bap
from agentbrowser.policy import urls
from agentbrowser.policy.approvals import ApprovalRule
from agentbrowser.policy.secrets import Secret
from agentbrowser.protocol.codec import marked_fields, structure, structure_params
from agentbrowser.protocol.errors import (
    AgentBrowserError,
    InvalidParams,
    MethodNotFound,
    NotInitialized,
    ScopeDenied,
    ServerBusy,
)
from agentbrowser.protocol.invalid_values import nearest_name
from agentbrowser.protocol.registry import Method
from agentbrowser.protocol.types.approval import ElementInfo
from agentbrowser.protocol.types.fields import NAVIGABLE
from agentbrowser.protocol.types.idempotency import KEY
from agentbrowser.server.corridor.lanes import Turn
from agentbrowser.server.corridor.secrets import secrets_in
from agentbrowser.server.corridor.uploads import check_uploads
from agentbrowser.server.corridor.url_checks import UrlChecks

if TYPE_CHECKING:
    from agentbrowser.server.sessions.idempotency_records import RequestRecord
    from agentbrowser.server.sessions.session import Session

LOOK_S: Final = 5.0
"""Time of a request for the look that follows its action, since the action's timeout does not include it."""
_MAX_PAGE_ID: Final = 128
"""Length of a page id: logs and recordings keep those of pages that do not exist, too."""
SESSION_LANE: Final = "session"
"""Lane of the methods that change the session itself; no page has this id."""
OWN_CLOCK_MARGIN_S: Final = 1.0
"""Margin of a request beyond its action's timeout, so that the action's own, better error comes first.

Opening the client's first page, perhaps with the browser, gets the default request timeout in addition.
"""


@attrs.define(eq=False, kw_only=True)
class Job:
    """Request, or step of a sequence: checked, or waiting for the request that it repeats."""

    method: Method[..., Any]
    raw: Any
    """Params as received; None once they are checked."""
    params: Any = None
    """Params as an instance of the method's class; None: not checked yet."""
    page_id: str | None = None
    opens_page: bool = False
    """True if the page is a new one, which the job opens."""
    opens_private: bool = False
    """True if it navigates to the private network, which is open to the client's pages from then on."""
    secrets: tuple[Secret, ...] = ()
    """Secrets of the operator that the params name."""
    target: dict[str, str] | None = None
    """Role and name of its element, for the audit log."""
    approval: dict[str, str] | None = None
    """Approval rule that decided about it, and its action."""
    judged: frozenset[str] | None = None
    """URLs of the documents for which the approval rules were applied; None: all."""
    approved: ElementInfo | None = None
    """Its element, as an approver was shown it."""
    slide_rules: tuple[ApprovalRule, ...] = ()
    """Approval rules about what a fill of a slider does."""
    turn: Turn | None = None
    timeout_s: float = 0.0
    life: int = 0
    """Life of the session in which it came."""
    started: bool = False
    """True once it has had its turn, and may have acted."""
    cancelled: bool = False
    """True once the client has cancelled it."""
    record: "RequestRecord | None" = None
    """Record of its idempotency key, which it shares with its repeats; None: it has no key."""
    is_detached: bool = False
    """True if it runs apart from the connection, and leaves its lanes there."""

    def cancel(self, session: "Session") -> None:
        """Mark the job as cancelled by the client, and forget its new page."""
        self.cancelled = True
        self.forget_new_page(session)

    def forget_new_page(self, session: "Session") -> None:
        """Remove the page that the job should open from the session."""
        if self.opens_page:
            session.drop(self.page_id)

    def leave(self) -> None:
        """Leave the lanes."""
        if self.turn is not None:
            self.turn.leave()


@attrs.define(eq=False)
class InFlight:
    """Request without an answer yet."""

    session: "Session"
    """Session of the connection when the request arrived."""
    method: str = ""
    size: int = 0
    params: Any = attrs.field(default=None, repr=False)
    """Params as received, for the recorder."""
    arrived_s: float = attrs.field(factory=trio.current_time)
    scope: trio.CancelScope = attrs.field(factory=trio.CancelScope)
    reason: AgentBrowserError | None = None
    """Error of a request that was stopped from outside."""
    refusal: AgentBrowserError | None = None
    """Error of a request that was rejected on arrival, and has no job."""
    job: Job | None = None
    traceparent: str | None = None

    def stop(self, reason: AgentBrowserError) -> None:
        """Stop the request with that error."""
        self.reason = reason
        self.scope.cancel()


def prepare(session: "Session", name: str, raw: Any, *, as_step: bool = False) -> Job:
    """Return the job of a request, checked and in its lanes. Runs in the reader, in order of arrival.

    Args:
      as_step: the job is a part of another one, and enters no lanes.

    Raises:
      AgentBrowserError: the request is rejected, for the reason that the class names.
    """
    raw = {} if raw is None else raw
    if as_step and KEY in raw:  # the sequence is repeated as a whole
        raw = {name: value for name, value in raw.items() if name != KEY}
    job = Job(method=allowed(session, name), raw=raw)
    check(session, job)
    if not as_step:
        enter_lanes(session, job)
    return job


def check(session: "Session", job: Job) -> None:
    """Check a job's params without the browser, and resolve its page.

    Raises:
      AgentBrowserError: the request is rejected, for the reason that the class names.
    """
    params = _structured(session, job)
    if hasattr(params, "check"):
        params.check()
    params, job.opens_private = _check_urls(session, params)
    check_uploads(params, session.config.upload_root)
    job.secrets = secrets_in(session, job.method.name, params)
    job.timeout_s = _timeout_s(session, params)
    job.params, job.raw, job.life = params, None, session.life
    _resolve_page(session, job)


def _structured(session: "Session", job: Job) -> Any:
    """Return the params as their class; unknown ones are refused, or ignored if a BAP client sends them."""
    check_size = getattr(job.method.params, "check_size", None)
    if check_size is not None:
        check_size(job.raw)
    if session.ignores_unknown or (job.method.name == "initialize" and announces_bap(job.raw)):
        return structure(job.method.params, job.raw)
    return structure_params(job.method.params, job.raw)


def enter_lanes(session: "Session", job: Job) -> None:
    """Enter the lanes of the job's pages, or the session's own."""
    if lanes := _lanes(job):
        # What a page sends must have the cookies of earlier requests.
        job.turn = session.lanes.take(lanes, behind=frozenset(map(_storage_lane, lanes)))


def allowed(session: "Session", name: str) -> Method[..., Any]:
    """Return the method of that name, if the client may call it now.

    Raises:
      MethodNotFound, ScopeDenied, NotInitialized, ServerBusy: the client may not call it.
    """
    method = METHODS.get(name)
    if method is None:
        nearest = nearest_name(name[:100], METHODS)
        hint = f"Call {nearest}." if nearest else "Call initialize for the list of methods."
        raise MethodNotFound(f"There is no method {name[:100]}.", hint=hint, nearest=nearest)
    _check_open(session, method)
    check_scope(session, method)
    return method


def _lanes(job: Job) -> frozenset[str]:
    """Return the lanes that the job waits in: those of its pages, its context's, or the session's own."""
    if job.method.in_session:
        return frozenset({SESSION_LANE})
    if job.page_id is None and _is_for_context(job.params):
        return frozenset({f"context {job.params.context_id}"})
    if job.page_id is None or job.method.free:
        return frozenset()
    if getattr(job.params, "in_context", False):
        return frozenset({_storage_lane(job.page_id)})
    opened = {_storage_lane(job.page_id)} if job.opens_page else set()
    return pages_of(job.params) | {job.page_id} | opened


def _storage_lane(page_id: str) -> str:
    """Return the lane of requests for the context of a page: a page that waits for a response delays none of them."""
    return f"context of {page_id}"


def _check_open(session: "Session", method: Method[..., Any]) -> None:
    if session.draining:
        raise ServerBusy.at_shutdown()
    if session.ended and method.name != "initialize":
        raise NotInitialized("The session was shut down.")


def check_scope(session: "Session", method: Method[..., Any]) -> None:
    required = session.scope_for(method)
    if session.scope < required:
        raise ScopeDenied(
            f"{method.name} needs the scope {required.word}; this connection has {session.scope.word}.",
            method=method.name,
            required=required.word,
            granted=session.scope.word,
            hint="Ask the operator for a token with that scope.",
        )


def _check_urls(session: "Session", params: Any) -> tuple[Any, bool]:
    """Check the URLs in params, and return the params with the checked form, which the browser gets.

    Returns: the params, and True if they navigate to the private network.
    """
    given = [(wire, name, getattr(params, name)) for wire, name in marked_fields(params, NAVIGABLE)]
    judged = {name: urls.check_url(url, session.rules, path=wire) for wire, name, url in given if url is not None}
    opens_private = any(map(urls.names_private_host, judged.values()))
    url_checks = UrlChecks(session.rules, session.private_open or opens_private)
    return url_checks.check(attrs.evolve(params, **judged) if judged else params), opens_private


def _timeout_s(session: "Session", params: Any) -> float:
    """Return the time limit of the request, from its arrival."""
    options = getattr(params, "options", None)
    asked_ms = getattr(params, "timeout_ms", None) or getattr(options, "timeout_ms", None)
    if asked_ms is None:
        return session.config.request_timeout_s
    asked_ms = max(asked_ms, getattr(params, "duration_ms", None) or 0)  # a wait for a time, which no timeout bounds
    longest_s = getattr(params, "longest_s", session.config.max_timeout_s)
    asked_s = float(min(asked_ms / 1000, longest_s))
    if not (getattr(params, "own_clock", False) or hasattr(options, "timeout_ms")):
        return asked_s
    is_made = session.active is not None and session.active != session.fresh
    look_s = 0.0 if getattr(params, "observe", None) is None else LOOK_S
    return asked_s + look_s + (OWN_CLOCK_MARGIN_S if is_made else session.config.request_timeout_s)


def _resolve_page(session: "Session", job: Job) -> None:
    """Resolve the page of the job, and put its id into the params."""
    if not hasattr(job.params, "page_id"):
        if job.method.focus:
            job.page_id = session.active = session.name_page()
            job.opens_page = True
        return
    job.page_id = job.params.page_id
    if job.page_id is not None and len(job.page_id) > _MAX_PAGE_ID:
        expected, got = f"at most {_MAX_PAGE_ID} characters", f"{len(job.page_id)} characters"
        job.page_id = None
        raise InvalidParams.at("pageId", expected, got)
    if job.page_id is None and _is_for_context(job.params):
        return
    if job.page_id is None:
        job.page_id = session.active if job.method.free else session.resolve_page()
        job.params = attrs.evolve(job.params, page_id=job.page_id)
    elif job.method.focus:
        session.focus(job.page_id)


def _is_for_context(params: Any) -> bool:
    """Return True if the params name a context that the method acts on, so that no page may delay it."""
    return getattr(params, "in_context", False) and params.context_id is not None


def pages_of(params: Any) -> frozenset[str]:
    """Return the ids of the pages in the steps and observations of a sequence."""
    steps = [step.params for step in getattr(params, "steps", ())]
    observations = [getattr(params, name, None) for name in ("pre_observe", "post_observe")]
    named = [part.get("pageId") for part in [*steps, *observations] if isinstance(part, dict)]
    return frozenset(page_id for page_id in named if isinstance(page_id, str))
