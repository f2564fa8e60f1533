"""Steps that cross to the browser thread together: each with its own clock, which is Trio's."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import trio

from agentbrowser.browser.step_batch import BatchStep, StepBatch
from agentbrowser.protocol.errors import NavigationFailed, Timeout
from agentbrowser.server.corridor.uploads import reads_files
from agentbrowser.server.watch import log_context

if TYPE_CHECKING:
    from agentbrowser.server.corridor.job import Job
    from agentbrowser.server.sessions.session import Session


def is_batchable(session: "Session", job: "Job") -> bool:
    """Tell whether a job is an action with which Trio has nothing to do until it is over."""
    return (
        job.method.name.startswith("action/")
        and not job.method.composite
        and not reads_files(job.params)
        and session.fresh != job.page_id
        and not session.approvals.active
    )


def batch(session: "Session", jobs: Iterable["Job"]) -> StepBatch:
    """Return jobs as one batch. [trio]"""
    return StepBatch(steps=[_leg(session, job) for job in jobs], clock=trio.lowlevel.current_clock().current_time)


def _leg(session: "Session", job: "Job") -> BatchStep:
    session.masks.add(secret.value for secret in job.secrets)
    return BatchStep(method=job.method, params=job.params, page_id=job.page_id, timeout_s=job.timeout_s)


async def run_batch(session: "Session", run: StepBatch) -> None:
    """Run the steps; what became of them is written in the run, also when this is cancelled. [trio]"""
    log_context.bind_page(run.steps[0].page_id)
    over = trio.Event()
    with trio.CancelScope() as scope:
        # A nursery would end with a checkpoint, and what has been done must be told even if the time is over.
        trio.lowlevel.spawn_system_task(_watch, run, scope, over)
        try:
            await session.portal.run(run.serve, session.tabs)
        except Exception as error:  # noqa: BLE001 - it is raised where the leg's outcome is asked for
            run.fail(error)
        finally:
            over.set()
    if scope.cancelled_caught and (leg := run.current) is not None:
        run.fail(timeout_error(leg.method.name, leg.timeout_s))


async def _watch(run: StepBatch, scope: trio.CancelScope, over: trio.Event) -> None:
    """Cancel a run when the leg that is under way has had its time. [trio]"""
    shortest_s = min(leg.timeout_s for leg in run.steps)
    while not over.is_set():
        leg, now_s = run.current, trio.current_time()
        due_s = now_s + shortest_s if leg is None else min(leg.started_s, now_s) + leg.timeout_s
        if due_s <= now_s:
            scope.cancel()
            return
        with trio.move_on_at(min(due_s, now_s + shortest_s)):  # the next leg may be due before this one
            await over.wait()


def outcome(session: "Session", leg: BatchStep) -> Any:
    """Return the result of a leg that is over.

    Raises:
      Exception: whatever went wrong.
    """
    denial_log = session.session_proxy.denial_log if session.session_proxy is not None else None
    if isinstance(leg.error, NavigationFailed) and denial_log is not None:
        raise denial_log.explain(leg.error, leg.page_id, leg.started_at_s)
    if leg.error is not None:
        raise leg.error
    if denial_log is not None and leg.was_refused:  # the run ends with such a leg, so that it's none of those behind it
        denial_log.check_arrival(leg.page_id, leg.started_at_s)
    return leg.result


def timeout_error(method: str, timeout_s: float) -> Timeout:
    """Return the error of a request whose time is over."""
    timeout_ms = round(timeout_s * 1000)
    return Timeout(f"{method} was not done in {timeout_ms} ms.", timeout=timeout_ms, method=method)
