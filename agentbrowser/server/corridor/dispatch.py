"""Dispatch of jobs: each waits for its turn, runs, and becomes a result or one error."""

import functools
import secrets
import time
import traceback
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

import attrs
import structlog
import trio

from agentbrowser.browser.portal import PortalClosed
from agentbrowser.browser.step_batch import judged_handler
from agentbrowser.browser.tabs import Tabs
from agentbrowser.methods import METHODS
from agentbrowser.policy.redaction import redact_details, redact_trace
from agentbrowser.protocol import wire
from agentbrowser.protocol.codec import unstructure
from agentbrowser.protocol.errors import (
    AgentBrowserError,
    BrowserNotLaunched,
    Cancelled,
    InternalError,
    InvalidParams,
    NavigationFailed,
    NotInitialized,
)
from agentbrowser.protocol.invalid_values import nearest_name
from agentbrowser.protocol.published import reshape_result
from agentbrowser.protocol.registry import TabState
from agentbrowser.protocol.types.element import AgentObserveResult, InteractiveElement
from agentbrowser.server.corridor import step_batch
from agentbrowser.server.corridor.approval_requests import target_of
from agentbrowser.server.corridor.approvals import Clocks
from agentbrowser.server.corridor.following_look import is_followed_by_look, with_look
from agentbrowser.server.corridor.job import OWN_CLOCK_MARGIN_S, Job, check_scope, prepare
from agentbrowser.server.corridor.uploads import with_contents
from agentbrowser.server.sessions.lease import cannot_save
from agentbrowser.server.sessions.session import Session
from agentbrowser.server.watch import log_context
from agentbrowser.spans import past_span, span

if TYPE_CHECKING:
    from agentbrowser.browser.contexts import Context
    from agentbrowser.browser.step_batch import BatchStep, StepBatch
    from agentbrowser.browser.tab import Tab
    from agentbrowser.server.sessions.binding import SessionBinding

T = TypeVar("T")

log = structlog.get_logger("agentbrowser.dispatch")

_WORKING: Final = frozenset({TabState.UNBLOCKED, TabState.REVIVED})
"""States of tabs whose methods pass the work gate. Others return at once, or end what working requests wait for."""
_ELEMENTS_PER_STEP: Final = 100
"""Elements of a look that become plain data in one turn of the loop, in about 0.5 ms."""


@attrs.frozen(kw_only=True)
class Call:
    """Context of a composite method: its session, its page, and the means to run further jobs."""

    session: Session
    page_id: str
    life: int = 0
    """Life of the session in which the request came."""
    clocks: Clocks = ()
    judged: frozenset[str] | None = None
    """URLs of the documents for which the approval rules were applied; None: all."""

    async def serve(self, page_id: str | None, handler: Callable[["Tab", Any], Awaitable[T]], params: Any) -> T:
        """Run a handler on a page in the browser thread, with or without an open dialog. [trio]"""
        serve = functools.partial(_serve, self.session, page_id, handler, params, TabState.ALIVE)
        return await _work(self.session, serve)

    async def browse(self, work: Callable[[Tabs], Awaitable[T]]) -> T:
        """Run work in the browser thread, once there is room for what it opens. [trio]

        Raises:
          NotInitialized: the session was shut down meanwhile.
        """

        async def attempt() -> T:
            if self.session.life != self.life:  # a page that is opened now would be the next session's
                raise NotInitialized("The session was shut down.")
            return await self.session.portal.run(self.session.tabs.browse, work)

        return await _admit(self.session, attempt)

    async def in_context(self, context_id: str | None, work: Callable[["Context"], Awaitable[T]]) -> T:
        """Run work on the context with that id, else that of the page, which it does not open. [trio]"""
        page_id = None if self.page_id == self.session.fresh else self.page_id

        async def find_and_work(tabs: Tabs) -> T:
            return await work(await tabs.resolve_context(context_id, page_id))

        return await self.browse(find_and_work)

    @property
    def binding(self) -> "SessionBinding":
        """Return the binding of the session to its connection.

        Raises:
          InvalidParams: the session belongs to a connection that can't change sessions.
        """
        if self.session.binding is None:
            raise InvalidParams(
                "This connection's session can't outlive it.", path="sessionId", expected="no sessionId"
            )
        return self.session.binding

    async def release(self, *, keep: bool) -> None:
        """Remove the session's lease, and save its snapshot if ``keep`` is true. [trio]

        Raises:
          InvalidParams: nothing can be saved for this session.
        """
        if self.session.binding is not None:
            await self.session.binding.sessions.end_lease(self.session, keep=keep)
        elif keep:
            raise cannot_save()

    def prepare(self, name: str, raw: Mapping[str, Any], *, step: bool = False) -> Job:
        """Return a part of the call as a job, checked like a request; its default page is the call's.

        Raises:
          InvalidParams: the method can't be a step, or its params do not fit.
          ScopeDenied: the connection's scope does not include the method.
        """
        if step:
            _check_step(name)
        page_id = self.page_id if raw.get("pageId") is None else raw["pageId"]
        return prepare(self.session, name, {**raw, "pageId": page_id}, as_step=True)

    async def run(self, job: Job) -> Any:
        """Run a prepared part under its own clock, and return its result as plain data. [trio]

        Raises:
          AgentBrowserError: the part has failed.
        """
        arrived_s = trio.current_time()
        entry = self.session.request_log.begin(job.method.name, job, is_step=True)
        failed: AgentBrowserError | None = Cancelled("The step was cancelled.")
        try:
            with span("step", method=job.method.name, page=job.page_id):
                result = await run(self.session, job, arrived_s, self.clocks)
            failed = None
            return result
        except Exception as error:
            failed = _explain_step(self.session, error)
            raise failed from error
        finally:
            self.session.request_log.end(entry, failed)
            audit(self.session, job.method.name, job, failed, arrived_s)

    def is_batchable(self, job: Job) -> bool:
        """Return True if a prepared part may be a step of a batch."""
        return step_batch.is_batchable(self.session, job)

    def batch(self, jobs: Iterable[Job]) -> "StepBatch":
        """Return prepared parts as one batch for the browser thread. [trio]"""
        return step_batch.batch(self.session, jobs)

    async def run_batch(self, run: "StepBatch") -> None:
        """Run a batch in one call to the browser thread. [trio]

        Cancel: the batch holds the outcomes so far.
        """
        await _work(self.session, functools.partial(step_batch.run_batch, self.session, run))

    def outcome(self, step: "BatchStep") -> Any:
        """Return the result of a batch step as plain data.

        Raises:
          AgentBrowserError: the part has failed.
        """
        failed = None
        try:
            return unstructure(step_batch.outcome(self.session, step))
        except Exception as error:
            failed = _explain_step(self.session, error)
            raise failed from error
        finally:
            self.session.request_log.add_step(step, failed)
            if step.ended_s is not None and step.began_s:  # it has begun
                name, took_s = type(failed).__name__ if failed else None, step.ended_s - step.started_s
                began_at_s = time.time() - time.monotonic() + step.began_s
                past_span("step", began_at_s, took_s, name, method=step.method.name, page=step.page_id)

    def check_scope(self, name: str) -> None:
        """Reject a call that includes the effect of another method, without that method's scope.

        Raises:
          ScopeDenied: the connection's scope does not include the other method.
        """
        check_scope(self.session, METHODS[name])

    def under(self, clock: trio.CancelScope) -> "Call":
        """Return the call with one more deadline."""
        return attrs.evolve(self, clocks=(*self.clocks, clock))

    def clock_s(self, timeout_ms: int | None) -> float:
        """Return the time limit of a call with its own clock."""
        config = self.session.config
        if timeout_ms is None:
            return max(config.request_timeout_s - OWN_CLOCK_MARGIN_S, config.request_timeout_s / 2)
        return min(timeout_ms / 1000, config.max_timeout_s)


async def run(session: Session, job: Job, arrived: float, clocks: Clocks = ()) -> Any:
    """Wait for the job's turn and for approval, run it, and return its result as plain data. [trio]

    Args:
      clocks: the deadlines of the enclosing call; all are paused while an approver decides.

    Raises:
      Timeout: the job was not over ``timeout_s`` after its arrival.
      AgentBrowserError: the job has failed.
    """
    try:
        with trio.move_on_at(arrived + job.timeout_s) as clock:
            if job.turn is not None:
                await job.turn.wait()
            if session.approvals.active:
                await session.approvals.admit(session, job, (*clocks, clock))
            job.started = True
            session.add_secrets(job.secrets)
            plain = await _plain(await _handle(session, job, (*clocks, clock)))
            return reshape_result(job.method.name, plain, session.dialect)
    finally:
        if not session.has(job.page_id):
            job.forget_new_page(session)
    raise step_batch.timeout_error(job.method.name, job.timeout_s, has_begun=job.started)


async def _plain(result: Any) -> Any:
    """Return a result as plain data; a look in steps, between which other requests run. [trio]"""
    if not isinstance(result, AgentObserveResult):
        return unstructure(result)
    elements, blocks = result.interactive_elements or [], result.content or []
    if len(elements) + sum(len(block.parts) for block in blocks) <= _ELEMENTS_PER_STEP:
        return unstructure(result)
    kept = None if result.interactive_elements is None else list[InteractiveElement]()
    plain = unstructure(attrs.evolve(result, interactive_elements=kept, content=None if result.content is None else []))
    for start in range(0, len(elements), _ELEMENTS_PER_STEP):
        plain["interactiveElements"] += unstructure(elements[start : start + _ELEMENTS_PER_STEP])
        await trio.lowlevel.cancel_shielded_checkpoint()  # the request is done, whatever its clock says
    parts = 0
    for block in blocks:
        plain["content"].append(unstructure(block))
        parts += len(block.parts)
        if parts >= _ELEMENTS_PER_STEP:
            parts = 0
            await trio.lowlevel.cancel_shielded_checkpoint()
    return plain


def audit(session: Session, method: str, job: Job | None, answer: object, arrived_s: float) -> None:
    """Record a request in the audit log, if there is one.

    Args:
      job: None for a request that was refused on arrival.
      answer: its reply, or the error of a step.
    """
    if session.audit is None:
        return
    error = answer.error if isinstance(answer, wire.ErrorReply) else answer
    session.audit.record(
        token=session.token,
        session=session.name,
        method=method if method in METHODS else "unknown",
        duration_s=trio.current_time() - arrived_s,
        error=error if isinstance(error, AgentBrowserError) else None,
        page=job.page_id if job else None,
        target=job.target if job else None,
        approval=job.approval if job else None,
    )


def explain(error: BaseException) -> AgentBrowserError:
    """Return the wire error for an exception: the only place where exceptions become wire errors."""
    match error:
        case AgentBrowserError():
            error.details = redact_details(error.details)
            return error
        case PortalClosed():
            return BrowserNotLaunched("The browser was lost and is being started again.")
        case _:
            incident = secrets.token_hex(4)
            # As text: a logger that prints local variables would log what the client typed.
            trace = redact_trace("".join(traceback.format_exception(error)))
            log.error("incident", incident=incident, trace=trace)
            return InternalError(f"The server failed; its log says more under {incident}.", incident=incident)


def _explain_step(session: Session, error: BaseException) -> AgentBrowserError:
    """Return the wire error of a step, which names the recording as that of a direct request does."""
    failed = explain(error)
    if session.recorder is not None:
        session.recorder.stamp(failed)
    return failed


async def _handle(session: Session, job: Job, clocks: Clocks) -> Any:
    if job.opens_private and not session.private_open:
        session.private_open = True
        log.info("private_network_opened")
    if job.method.composite:
        call = Call(session=session, page_id=job.page_id or "", life=job.life, clocks=clocks, judged=job.judged)
        return await job.method.handler(call, job.params)
    if session.audit is not None and job.method.name.startswith("action/"):
        job.target = await target_of(session, job)
    params = await with_contents(job.params, session.config)
    began_s = time.monotonic()
    state = job.method.tab_state
    handler = judged_handler(job.method, job.judged, job.approved, job.slide_rules)
    serve = functools.partial(_serve, session, job.page_id, handler, params, state)
    result = await (_work(session, serve) if state in _WORKING else serve())
    if session.session_proxy is not None and job.method.name.startswith("action/"):
        session.session_proxy.denial_log.check_arrival(job.page_id, began_s)
    if not is_followed_by_look(job):
        return result
    look = functools.partial(_serve, session, job.page_id, state=TabState.ALIVE)
    return await with_look(job, result, look, began_s, explain)


async def _serve(
    session: Session,
    page_id: str | None,
    handler: Callable[[Any, Any], Awaitable[T]],
    params: Any,
    state: TabState | None,
) -> T:
    """Run a handler in the browser thread, which opens the client's first page on demand. [trio]"""
    began_s = time.monotonic()
    log_context.bind_page(page_id)

    async def attempt() -> T:
        fresh = session.fresh if session.fresh == page_id else None  # none once the session was shut down
        return await session.portal.run(session.tabs.serve, handler, params, fresh, state)

    try:
        return await _admit(session, attempt)
    except NavigationFailed as failed:
        raise (
            session.session_proxy.denial_log.explain(failed, page_id, began_s) if session.session_proxy else failed
        ) from None


async def _work(session: Session, work: Callable[[], Awaitable[T]]) -> T:
    """Run work on a page, once the browsers are not too busy for it. [trio]"""
    return await (work() if session.work_gate is None else session.work_gate.work(session.token, work))


async def _admit(session: Session, attempt: Callable[[], Awaitable[T]]) -> T:
    """Run an attempt, which waits in the admission queue while the server is full."""
    if session.admission is None:
        return await attempt()
    return await session.admission.admit(attempt, session.owner, session.notify_queued)


def _check_step(name: str) -> None:
    method = METHODS.get(name)
    if method is None or not method.step:
        steps = sorted(method.name for method in METHODS.values() if method.step)
        nearest = nearest_name(name[:100], steps)
        raise InvalidParams(
            f"{name[:100]} can't be a step of agent/act.",
            expected=f"one of {', '.join(steps)}",
            got=name[:100],
            nearest=nearest,
            hint=f"Send {nearest} in place of {name[:100]}." if nearest else None,
        )
