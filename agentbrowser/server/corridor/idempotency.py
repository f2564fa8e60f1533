"""Idempotency keys, ``params.idempotencyKey``: a repeated request returns the first answer and does not act again.

A repeat has the same key, method and params. While the first request is under way, the repeat waits for it. In a
session that outlives its connection the first request does too, within its deadline.

The records keep results, errors that are not retryable, and interrupted requests that may have acted: by a timeout, or
by the end of the connection. They keep neither requests that the client has cancelled, nor requests rejected before
they began: then the repeat runs.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeVar

import trio

from agentbrowser.protocol.codec import structure
from agentbrowser.protocol.errors import AgentBrowserError, Cancelled, ExecutionContextDestroyed, Timeout
from agentbrowser.protocol.registry import Scope
from agentbrowser.protocol.types.idempotency import KEY, Repeatable
from agentbrowser.server.corridor import dispatch
from agentbrowser.server.corridor import job as jobs
from agentbrowser.server.corridor.job import Job
from agentbrowser.server.sessions.idempotency_records import RecordedAnswer, RequestRecord, digest_of
from agentbrowser.server.sessions.session import Session

T = TypeVar("T")

_LOOK_FIRST: Final = "Observe the page to see what has happened; to ask for it again, use a new idempotencyKey."


def prepare(session: Session, name: str, raw: Any) -> Job:
    """Return the job of a request, checked and in its lanes unless it is a repeat. Runs in the reader.

    Raises:
      AgentBrowserError: the request is rejected, for the reason that the class names.
    """
    if not raw or KEY not in raw:
        return jobs.prepare(session, name, raw)
    method = jobs.allowed(session, name)
    key = structure(Repeatable, raw).idempotency_key
    params = {name: value for name, value in raw.items() if name != KEY}
    if key is None:
        return jobs.prepare(session, name, params)
    job = Job(method=method, raw=params)
    _claim(session, job, key, digest_of(name, params))
    return job


def _claim(session: Session, job: Job, key: str, digest: bytes) -> None:
    """Make the job the first of its key, or a repeat of the first."""
    record = session.idempotency.find(key, digest)
    if record is None:
        session.idempotency.check_room()
        jobs.allowed(session, job.method.name)  # again: a repeat may have waited while the scope or the session changed
        jobs.check(session, job)
        jobs.enter_lanes(session, job)
        record = session.idempotency.begin(key, digest)
    job.record = record


async def run(session: Session, job: Job, arrived_s: float) -> Any:
    """Run a job, or wait for the job that it repeats, and return the result as plain data. [trio]

    Raises:
      AgentBrowserError: the job has failed, now or in its first run.
    """
    if job.record is None:
        return await dispatch.run(session, job, arrived_s)
    while job.params is None:
        await job.record.over.wait()
        if job.record.answer is not None:
            return job.record.answer.replay()
        _claim(session, job, job.record.key, job.record.digest)  # the first job has done nothing
        arrived_s = trio.current_time()
    if session.lease is None:
        return await _run_first(session, job, job.record, arrived_s)
    job.is_detached = True
    work = partial(_run_detached, session, job, job.record, arrived_s)
    return await session.lease.run_detached(work, lambda: job.cancelled)


async def _run_detached(session: Session, job: Job, record: RequestRecord, arrived_s: float) -> Any:
    try:
        return await _run_first(session, job, record, arrived_s)
    finally:
        job.leave()


async def _run_first(session: Session, job: Job, record: RequestRecord, arrived_s: float) -> Any:
    answer = None
    try:
        result = await _masked(session, session.masks.plain, await dispatch.run(session, job, arrived_s))
        answer = RecordedAnswer.of(result)
    except Exception as error:
        fault = await _masked(session, session.masks.error, dispatch.explain(error))
        answer = _lasting(job, fault)
        raise fault from error
    except trio.Cancelled:
        if _may_have_acted(job) and not job.cancelled:
            answer = RecordedAnswer.of(_interrupted())
        raise
    finally:
        session.idempotency.end(record, answer)
    return result


async def _masked(session: Session, mask: Callable[[T], T], answer: T) -> T:
    if session.masks.is_quick(answer.to_wire() if isinstance(answer, AgentBrowserError) else answer):
        return mask(answer)
    with trio.CancelScope(shield=True):  # the request has acted: its answer is to be recorded
        return await trio.to_thread.run_sync(mask, answer)
    raise AssertionError("nothing cancels the scope")


def _lasting(job: Job, fault: AgentBrowserError) -> RecordedAnswer | None:
    """Return the answer to record for an error; None if the request did nothing and may be tried again."""
    if not fault.retryable:
        return RecordedAnswer.of(fault)
    if isinstance(fault, Timeout | ExecutionContextDestroyed) and _may_have_acted(job):
        again = type(fault)(fault.message, retryable=False, hint=_LOOK_FIRST)
        again.details = fault.details
        return RecordedAnswer.of(again)
    return None


def _may_have_acted(job: Job) -> bool:
    return job.started and job.method.scope > Scope.READONLY


def _interrupted() -> Cancelled:
    return Cancelled(
        "The connection ended while the request ran; it may have acted before it stopped.", hint=_LOOK_FIRST
    )
