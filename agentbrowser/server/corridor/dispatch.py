"""The corridor: a request becomes a job (who may, what fits, whose turn), and a job becomes a result or one error."""

import secrets
import time
import traceback
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeVar

import attrs
import structlog
import trio

from agentbrowser.browser.portal import PortalClosed
from agentbrowser.browser.tabs import Tabs
from agentbrowser.methods import METHODS
from agentbrowser.policy import urls
from agentbrowser.policy.redaction import redact_details, redact_trace
from agentbrowser.policy.secrets import Secret
from agentbrowser.protocol.codec import structure, unstructure, wire_fields
from agentbrowser.protocol.errors import (
    AgentBrowserError,
    BrowserNotLaunched,
    InternalError,
    InvalidParams,
    MethodNotFound,
    NavigationFailed,
    NotInitialized,
    ScopeDenied,
    ServerBusy,
)
from agentbrowser.protocol.registry import Method, TabState
from agentbrowser.protocol.types.fields import NAVIGABLE
from agentbrowser.protocol.types.lookahead import Coming
from agentbrowser.server.corridor import step_batch
from agentbrowser.server.corridor.approvals import Clocks
from agentbrowser.server.corridor.lanes import Turn
from agentbrowser.server.corridor.secrets import secrets_in
from agentbrowser.server.corridor.uploads import check_uploads, with_contents
from agentbrowser.server.corridor.url_checks import Judge
from agentbrowser.server.sessions.lease import cant_keep
from agentbrowser.server.sessions.session import Session
from agentbrowser.server.watch import log_context

if TYPE_CHECKING:
    from agentbrowser.browser.step_batch import BatchStep, StepBatch
    from agentbrowser.browser.tab import Tab
    from agentbrowser.server.sessions.binding import Seat

T = TypeVar("T")

log = structlog.get_logger("agentbrowser.dispatch")

SESSION_LANE: Final = "session"
"""The lane of what changes the session itself; pages have other names."""
OWN_CLOCK_MARGIN_S: Final = 1.0
"""What a request gets beyond the time its action may take, so that the action's own, better error comes first.

The client's first page, and perhaps the browser, are made in another time: that of a request that names none.
"""


@attrs.define(eq=False, kw_only=True)
class Job:
    """A request that has passed every check which needs no browser."""

    method: Method[..., Any]
    params: Any
    page_id: str | None = None
    names_page: bool = False
    """Whether the page is one that the job is to open."""
    opens_private: bool = False
    """Whether it takes the client to its private network, which is open to its pages from then on."""
    secrets: tuple[Secret, ...] = ()
    """What of the operator's it names."""
    turn: Turn | None = None
    timeout_s: float
    started: bool = False
    """Whether it has had its turn, and may have acted."""

    def recall(self, session: Session) -> None:
        """Note that the client has cancelled it: what arrives from now on does not mean its page."""
        self.unname(session)

    def unname(self, session: Session) -> None:
        """Take the name back that the job had for the page it was to open."""
        if self.names_page:
            session.drop(self.page_id)

    def leave(self) -> None:
        """Give up the job's place in its lanes."""
        if self.turn is not None:
            self.turn.leave()


@attrs.frozen(kw_only=True)
class Call:
    """What a composite works with: its session, its page, and the way back into the corridor."""

    session: Session
    page_id: str
    clocks: Clocks = ()

    async def serve(self, page_id: str | None, handler: Callable[["Tab", Any], Awaitable[T]], params: Any) -> T:
        """Run a handler on a page in the browser thread, with or without an open dialog. [trio]"""
        return await _serve(self.session, page_id, handler, params, TabState.ALIVE)

    async def browse(self, work: Callable[[Tabs], Awaitable[T]]) -> T:
        """Run work in the browser thread. [trio]"""
        return await self.session.portal.run(work, self.session.tabs)

    @property
    def seat(self) -> "Seat":
        """Where the client sits.

        Raises:
          InvalidParams: the session is not of a connection that could have another.
        """
        if self.session.seat is None:
            raise InvalidParams(
                "This connection's session can't outlive it.", path="sessionId", expected="no sessionId"
            )
        return self.session.seat

    async def release(self, *, keep: bool) -> None:
        """Have the session end with its connection, and keep how it looks, or what is known of it, or nothing. [trio]

        Raises:
          InvalidParams: it is to be kept, and can't be.
        """
        if self.session.seat is not None:
            await self.session.seat.sessions.release_for_good(self.session, keep=keep)
        elif keep:
            raise cant_keep()

    def prepare(self, name: str, raw: Mapping[str, Any], *, step: bool = False) -> Job:
        """Check a part of the call as a request of its own would be checked; one that names no page acts on the call's.

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
          AgentBrowserError: whatever went wrong.
        """
        try:
            return await run(self.session, job, trio.current_time(), self.clocks)
        except Exception as error:
            raise explain(error) from error

    def is_plain(self, job: Job) -> bool:
        """Tell whether a prepared part may cross together with others."""
        return step_batch.is_plain(self.session, job)

    def together(self, jobs: Iterable[tuple[Job, Coming | None]]) -> "StepBatch":
        """Return prepared parts, each with the one that it may look ahead for, as what can cross together. [trio]"""
        return step_batch.together(self.session, jobs)

    async def cross(self, run: "StepBatch") -> None:
        """Run parts in one crossing; what became of them is in the run, also when this is cancelled. [trio]"""
        await step_batch.cross(self.session, run)

    def outcome(self, leg: "BatchStep") -> Any:
        """Return the result of a part that has crossed together with others, as plain data.

        Raises:
          AgentBrowserError: whatever went wrong.
        """
        try:
            return unstructure(step_batch.outcome(self.session, leg))
        except Exception as error:
            raise explain(error) from error

    def check_scope(self, name: str) -> None:
        """Refuse a call that does what another method does, to a connection that may not call that.

        Raises:
          ScopeDenied: the connection's scope does not include the other method.
        """
        _check_scope(self.session, METHODS[name])

    def under(self, clock: trio.CancelScope) -> "Call":
        """Return the call with one more deadline, that of a part of it."""
        return attrs.evolve(self, clocks=(*self.clocks, clock))

    def clock_s(self, timeout_ms: int | None) -> float:
        """Return the seconds that a call with a clock of its own has."""
        config = self.session.config
        if timeout_ms is None:
            return max(config.request_timeout_s - OWN_CLOCK_MARGIN_S, config.request_timeout_s / 2)
        return min(timeout_ms / 1000, config.max_timeout_s)


def prepare(session: Session, name: str, raw: Any, *, as_step: bool = False) -> Job:
    """Check a request and take its place in the lanes. Runs in the reader: the order of arrival is decided here.

    Raises:
      AgentBrowserError: the request is refused, for the reason that the class names.
    """
    method = allowed(session, name)
    params = structure(method.params, {} if raw is None else raw)
    if hasattr(params, "check"):
        params.check()
    params, opens_private = _check_urls(session, params)
    check_uploads(params, session.config.upload_root)
    job = Job(
        method=method,
        params=params,
        secrets=secrets_in(session, name, params),
        timeout_s=_timeout_s(session, params),
        opens_private=opens_private,
    )
    _place(session, job)
    if not as_step and (lanes := _lanes(job)):
        job.turn = session.lanes.take(lanes)
    return job


def allowed(session: Session, name: str) -> Method[..., Any]:
    """Return the method of that name, if the client may call it now.

    Raises:
      MethodNotFound, ScopeDenied, NotInitialized, ServerBusy: there is none, or it may not.
    """
    method = METHODS.get(name)
    if method is None:
        raise MethodNotFound(f"There is no method {name[:100]}.", hint="Call initialize for the list of methods.")
    _check_open(session, method)
    _check_scope(session, method)
    return method


def _lanes(job: Job) -> frozenset[str]:
    """Return the lanes that the job waits in: those of its pages, or the session's own."""
    if job.method.in_session:
        return frozenset({SESSION_LANE})
    if job.page_id is None or job.method.free:
        return frozenset()
    return pages_of(job.params) | {job.page_id}


async def run(session: Session, job: Job, arrived: float, clocks: Clocks = ()) -> Any:
    """Wait for the job's turn, and for an approver if it needs one; run it, and return its result as plain data. [trio]

    Args:
      clocks: the deadlines of what the job is a part of; all stand still while an approver decides.

    Raises:
      Timeout: it was not over ``timeout_s`` after it arrived.
      AgentBrowserError: whatever else went wrong.
    """
    try:
        with trio.move_on_at(arrived + job.timeout_s) as clock:
            if job.turn is not None:
                await job.turn.wait()
            if session.approvals.active:
                await session.approvals.admit(session, job, (*clocks, clock))
            job.started = True
            session.entrust(job.secrets)
            return unstructure(await _handle(session, job, (*clocks, clock)))
    finally:
        if not session.has(job.page_id):
            job.unname(session)
    raise step_batch.late(job.method.name, job.timeout_s)


def explain(error: BaseException) -> AgentBrowserError:
    """Return the error that the wire gets for an exception: the one place where exceptions become faults."""
    match error:
        case AgentBrowserError():
            error.details = redact_details(error.details)
            return error
        case PortalClosed():
            return BrowserNotLaunched("The browser was lost and is being started again.")
        case _:
            incident = secrets.token_hex(4)
            # As text: a logger that shows the frames' variables would show what the client typed.
            trace = redact_trace("".join(traceback.format_exception(error)))
            log.error("incident", incident=incident, trace=trace)
            return InternalError(f"The server failed; its log says more under {incident}.", incident=incident)


async def _handle(session: Session, job: Job, clocks: Clocks) -> Any:
    if job.opens_private and not session.private_open:
        session.private_open = True
        log.info("private_network_opened")
    if job.method.composite:
        call = Call(session=session, page_id=job.page_id or "", clocks=clocks)
        return await job.method.handler(call, job.params)
    params = await with_contents(job.params, session.config)
    started_s = time.time()
    result = await _serve(session, job.page_id, job.method.handler, params, job.method.tab_state)
    if session.door is not None and job.method.name.startswith("action/"):
        session.door.ledger.check_arrival(job.page_id, started_s)
    return result


async def _serve(
    session: Session,
    page_id: str | None,
    handler: Callable[[Any, Any], Awaitable[T]],
    params: Any,
    state: TabState | None,
) -> T:
    """Run a handler in the browser thread, which makes the client's first page if that is meant. [trio]"""
    fresh = session.fresh if session.fresh == page_id else None
    started_s = time.time()
    log_context.enter_page(page_id)

    async def attempt() -> T:
        return await session.portal.run(session.tabs.serve, handler, params, fresh, state)

    try:
        return await (attempt() if session.admission is None else session.admission.admit(attempt, session.tell_queued))
    except NavigationFailed as failed:
        raise (session.door.ledger.explain(failed, page_id, started_s) if session.door else failed) from None


def _check_step(name: str) -> None:
    method = METHODS.get(name)
    if method is None or not method.step:
        expected = "one of " + ", ".join(sorted(method.name for method in METHODS.values() if method.step))
        raise InvalidParams(f"{name[:100]} can't be a step of agent/act.", expected=expected, got=name[:100])


def _check_open(session: Session, method: Method[..., Any]) -> None:
    if session.draining:
        raise ServerBusy("The server is shutting down.", hint="Connect again in a moment.")
    if session.ended and method.name != "initialize":
        raise NotInitialized("The session was shut down.")


def _check_scope(session: Session, method: Method[..., Any]) -> None:
    required = session.scope_for(method)
    if session.scope < required:
        raise ScopeDenied(
            f"{method.name} needs the scope {required.word}; this connection has {session.scope.word}.",
            method=method.name,
            required=required.word,
            granted=session.scope.word,
            hint="Ask the operator for a token with that scope.",
        )


@cache
def _navigable_fields(kind: Any) -> tuple[tuple[str, str], ...]:
    return tuple((wire, one.name) for wire, one in wire_fields(kind).items() if one.metadata.get(NAVIGABLE))


def _check_urls(session: Session, params: Any) -> tuple[Any, bool]:
    """Return the params with their URLs as the policy read them, since what the browser gets is what was judged.

    Returns: the params, and whether they take the client to its private network.
    """
    kind: Any = type(params)
    given = [(wire, name, getattr(params, name)) for wire, name in _navigable_fields(kind)]
    judged = {name: urls.check_url(url, session.rules, path=wire) for wire, name, url in given if url is not None}
    opens_private = any(map(urls.names_private_host, judged.values()))
    judge = Judge(session.rules, session.private_open or opens_private)
    return judge.read(attrs.evolve(params, **judged) if judged else params), opens_private


def _timeout_s(session: Session, params: Any) -> float:
    """Return the seconds from arrival in which the request must be over."""
    options = getattr(params, "options", None)
    asked_ms = getattr(params, "timeout_ms", None) or getattr(options, "timeout_ms", None)
    if asked_ms is None:
        return session.config.request_timeout_s
    asked_s = float(min(asked_ms / 1000, session.config.max_timeout_s))
    if not (getattr(params, "own_clock", False) or hasattr(options, "timeout_ms")):
        return asked_s
    is_made = session.active is not None and session.active != session.fresh
    return asked_s + (OWN_CLOCK_MARGIN_S if is_made else session.config.request_timeout_s)


def _place(session: Session, job: Job) -> None:
    """Decide which page the job is about, and put its id into the params."""
    bound = hasattr(job.params, "page_id")
    if not bound:
        if job.method.focus:
            job.page_id = session.active = session.name_page()
            job.names_page = True
        return
    job.page_id = job.params.page_id
    if job.page_id is None:
        job.page_id = session.active if job.method.free else session.meant()
        job.params = attrs.evolve(job.params, page_id=job.page_id)
    elif job.method.focus:
        session.focus(job.page_id)


def pages_of(params: Any) -> frozenset[str]:
    """Return the pages that the steps and the observations of a sequence name."""
    steps = [step.params for step in getattr(params, "steps", ())]
    looks = [getattr(params, name, None) for name in ("pre_observe", "post_observe")]
    named = [part.get("pageId") for part in [*steps, *looks] if isinstance(part, dict)]
    return frozenset(page_id for page_id in named if isinstance(page_id, str))
