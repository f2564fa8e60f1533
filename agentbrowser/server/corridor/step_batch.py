"""Batches of steps that run in one call to the browser thread, each under its own deadline in Trio."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import trio

from agentbrowser.browser.step_batch import BatchStep, StepBatch
from agentbrowser.protocol.errors import NavigationFailed, Timeout
from agentbrowser.server.corridor.following_look import is_followed_by_look
from agentbrowser.server.corridor.uploads import reads_files
from agentbrowser.server.watch import log_context

if TYPE_CHECKING:
    from agentbrowser.server.corridor.job import Job
    from agentbrowser.server.sessions.session import Session


def is_batchable(session: "Session", job: "Job") -> bool:
    """Return True if a job is an action that needs nothing from Trio until it is over."""
    return (
        job.method.name.startswith("action/")
        and not job.method.composite
        and not reads_files(job.params)
        and not is_followed_by_look(job)
        and session.fresh != job.page_id
        and not session.approvals.active
        and session.audit is None
    )


def batch(session: "Session", jobs: Iterable["Job"]) -> StepBatch:
    """Return jobs as one batch. [trio]"""
    return StepBatch(
        steps=[_batch_step(session, job) for job in jobs], clock=trio.lowlevel.current_clock().current_time
    )


def _batch_step(session: "Session", job: "Job") -> BatchStep:
    session.add_secrets(job.secrets)
    return BatchStep(method=job.method, params=job.params, page_id=job.page_id, timeout_s=job.timeout_s)


async def run_batch(session: "Session", run: StepBatch) -> None:
    """Run the steps, and record their outcomes in the batch. [trio]

    Cancel: the outcomes so far stay in the batch.
    """
    log_context.bind_page(run.steps[0].page_id)
    over = trio.Event()
    with trio.CancelScope() as scope:
        # A nursery would end with a checkpoint, which could discard the outcomes when the time is over.
        trio.lowlevel.spawn_system_task(_watch, run, scope, over)
        try:
            await session.portal.run(run.serve, session.tabs)
        except Exception as error:  # noqa: BLE001 - outcome() raises it
            run.fail(error)
        finally:
            over.set()
    if scope.cancelled_caught and (step := run.current) is not None:
        run.fail(timeout_error(step.method.name, step.timeout_s, has_begun=step.started_s <= trio.current_time()))


async def _watch(run: StepBatch, scope: trio.CancelScope, over: trio.Event) -> None:
    """Cancel the batch when the current step exceeds its time limit. [trio]"""
    shortest_s = min(step.timeout_s for step in run.steps)
    while not over.is_set():
        step, now_s = run.current, trio.current_time()
        due_s = now_s + shortest_s if step is None else min(step.started_s, now_s) + step.timeout_s
        if due_s <= now_s:
            scope.cancel()
            return
        with trio.move_on_at(min(due_s, now_s + shortest_s)):  # the next step may be due earlier
            await over.wait()


def outcome(session: "Session", step: BatchStep) -> Any:
    """Return the result of a finished step.

    Raises:
      Exception: the step has failed.
    """
    denial_log = session.session_proxy.denial_log if session.session_proxy is not None else None
    if isinstance(step.error, NavigationFailed) and denial_log is not None:
        raise denial_log.explain(step.error, step.page_id, step.began_s)
    if step.error is not None:
        raise step.error
    if denial_log is not None and step.was_refused:  # the last one that ran, so no later step caused the refusal
        denial_log.check_arrival(step.page_id, step.began_s)
    return step.result


def timeout_error(method: str, timeout_s: float, *, has_begun: bool) -> Timeout:
    """Return the error of a request that exceeded its time limit."""
    timeout_ms = round(timeout_s * 1000)
    if has_begun and method.startswith("action/"):  # one that still waits for its element fails sooner, by itself
        return Timeout.under_way(method, timeout=timeout_ms, method=method)
    return Timeout(f"{method} was not done in {timeout_ms} ms.", timeout=timeout_ms, method=method)
