"""Execution of the sequence of an agent/act request, with conditions, expectations and retries."""

import itertools
from typing import TYPE_CHECKING, Any, Literal

import attrs
import trio

from agentbrowser.protocol.errors import AgentBrowserError, ApprovalDenied, Timeout
from agentbrowser.protocol.types.selector import SELECTORS, Selector
from agentbrowser.protocol.types.sequence import CONDITION_NOT_MET, Condition, ExecutionStep, Expectation, StepResult

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentbrowser.browser.step_batch import BatchStep, StepBatch
    from agentbrowser.browser.tab import Tab
    from agentbrowser.methods.agent_act import ActParams
    from agentbrowser.server.corridor.dispatch import Call
    from agentbrowser.server.corridor.job import Job

Phase = Literal[
    "had not begun",
    "was interrupted",
    "was done, and what it should lead to was waited for",
    "had failed and was to be tried again",
]


@attrs.frozen(kw_only=True)
class _Before:
    """Condition to await on a page before a step."""

    page_id: str | None
    condition: Condition


@attrs.frozen(kw_only=True)
class _After:
    """Expectation to await on a page after a step, on the step's element if it has one."""

    page_id: str | None
    expect: Expectation
    element: Selector | None
    action: str


@attrs.frozen(eq=False)
class RefusedStep:
    """Step that the client's scope or the URL rules refuse; it fails when its turn comes."""

    error: AgentBrowserError
    page_id: None = None


@attrs.define(eq=False)
class _Progress:
    """Progress of a step, reported if it is interrupted."""

    started: float = attrs.field(factory=trio.current_time)
    phase: Phase = "had not begun"
    ended: float | None = None
    """End of the last attempt, if it is over."""
    result: Any = None
    """Result of the last attempt, if it succeeded."""
    error: AgentBrowserError | None = None
    """Error of the last failed attempt."""
    retries: int = 0


@attrs.define(eq=False, kw_only=True)
class Sequence:
    """Steps of a sequence, and their results so far."""

    call: "Call"
    params: "ActParams"
    jobs: list["Job | RefusedStep"]
    _results: list[StepResult] = attrs.field(factory=list, init=False)
    _started: float = attrs.field(factory=trio.current_time, init=False)
    _now: _Progress = attrs.field(factory=_Progress, init=False)
    _batch: "StepBatch | None" = attrs.field(default=None, init=False)
    """Last batch of steps sent to the browser thread."""
    _is_over: bool = attrs.field(default=False, init=False)

    async def run(self) -> None:
        """Run the steps until one ends the sequence. [trio]"""
        for step, job in zip(self.params.steps, self.jobs, strict=True):
            self._now = _Progress()
            await self._try(step, job)
            self._note(step, self._now.error)
            if self._now.error is not None and self._ends(step, self._now.error):
                break
        self._is_over = True

    async def _try(self, step: ExecutionStep, job: "Job | RefusedStep") -> None:
        """Run a step, with its retries. [trio]"""
        if isinstance(job, RefusedStep):
            self._now.error = job.error
            return
        most = step.max_retries if step.on_error == "retry" else 0
        for self._now.retries in itertools.count():
            try:
                await self._attempt(step, job)
            except AgentBrowserError as error:
                self._now.error = error
            else:
                self._now.error = None
            if (failed := self._now.error) is None or self._now.retries == most or not _may_be_repeated(failed):
                return
            self._now.phase = "had failed and was to be tried again"
            await trio.sleep(step.retry_delay_ms / 1000 * 2**self._now.retries)

    async def _attempt(self, step: ExecutionStep, job: "Job") -> None:
        now = self._now
        now.phase, now.result, now.ended = "had not begun", None, None
        if step.condition is not None:
            await self._await_condition(_Before(page_id=job.page_id, condition=step.condition))
        now.phase = "was interrupted"
        now.result = await self._run(job)
        if step.expect is not None:
            now.phase, now.ended = "was done, and what it should lead to was waited for", None
            after = _After(page_id=job.page_id, expect=step.expect, element=element_of(job), action=step.action)
            await self.call.serve(job.page_id, _await_expected, after)

    async def _run(self, job: "Job") -> Any:
        """Return the result of a step, run in a batch with the following ones where possible. [trio]"""
        if (batch_step := self._take()) is None:
            several = list(self._batchable_steps())
            if not several:
                return await self.call.run(job)
            self._batch = self.call.batch(several)
            await self.call.run_batch(self._batch)
            batch_step = self._take()
            assert batch_step is not None
        return self.call.outcome(batch_step)

    def _take(self) -> "BatchStep | None":
        """Return the outcome of the present step, if the batch has run it already."""
        batch_step = self._batch.take() if self._batch else None
        if batch_step is not None:
            self._now.started, self._now.ended = min(self._now.started, batch_step.started_s), batch_step.ended_s
        return batch_step

    def _batchable_steps(self) -> "Iterator[Job]":
        """Yield the present step and the following ones that can run in one batch."""
        for index in range(len(self._results), len(self.jobs)):
            job = self.jobs[index]
            if isinstance(job, RefusedStep) or not self.call.is_batchable(job):
                return
            yield job
            if not self._can_continue(index):
                return

    def _can_continue(self, index: int) -> bool:
        """Return True if the next step is on the same page, with no condition or expectation between."""
        if index + 1 == len(self.jobs) or self.params.steps[index].expect is not None:
            return False
        is_here = self.jobs[index].page_id == self.jobs[index + 1].page_id
        return is_here and self.params.steps[index + 1].condition is None

    async def _await_condition(self, before: _Before) -> None:
        try:
            await self.call.serve(before.page_id, _await_condition, before)
        except AgentBrowserError as error:
            raise _ConditionFailed(error) from None

    def _note(self, step: ExecutionStep, error: AgentBrowserError | None) -> None:
        self._results.append(
            StepResult(
                step=len(self._results),
                label=step.label,
                success=error is None,
                duration_ms=_since_ms(self._now.started, self._now.ended),
                result=self._now.result,
                error=error.to_wire() if error else None,
                retries=self._now.retries or None,
            )
        )

    def _ends(self, step: ExecutionStep, error: AgentBrowserError) -> bool:
        if step.on_error == "skip" or (isinstance(error, _ConditionFailed) and self.params.continue_on_condition_fail):
            return False
        return step.on_error == "stop" or self.params.stop_on_first_error

    def interrupted(self) -> None:
        """Record the timeout of the sequence while a step ran."""
        if self._is_over:
            return
        self._catch_up()
        if len(self._results) == len(self.params.steps):
            return
        step = self.params.steps[len(self._results)]
        timeout_error = self.timeout_error(f"{step.action} {self._now.phase}")
        timeout_error.with_details(method=step.action, reason=self._now.error.message if self._now.error else None)
        self._note(step, timeout_error)

    def _catch_up(self) -> None:
        """Record the finished steps of a batch that was interrupted."""
        while (batch_step := self._take()) is not None and batch_step.error is None:
            self._now.result = self.call.outcome(batch_step)
            self._note(self.params.steps[len(self._results)], None)
            self._now = _Progress()
        present = self._batch.current if self._batch else None
        if present is not None and present.started_s < self._now.started:
            self._now.started, self._now.phase = present.started_s, "was interrupted"

    def withhold_no_effect(self) -> None:
        """Withdraw that steps had no effect, when a later look shows changes: many handlers act after their event."""
        for index, one in enumerate(self._results):
            if isinstance(one.result, dict) and "noEffect" in one.result:
                kept = {name: value for name, value in one.result.items() if name != "noEffect"}
                self._results[index] = attrs.evolve(one, result=kept)

    def timeout_error(self, what: str) -> Timeout:
        """Return the timeout error of the sequence; ``what`` names the unfinished part."""
        spent_ms = _since_ms(self._started)
        message = f"The sequence was not done in {spent_ms} ms; {what}."
        return Timeout(message, timeout=self.params.timeout_ms or spent_ms, method="agent/act")

    def summary(self) -> dict[str, Any]:
        """Return the outcome of the sequence, as the fields of the result."""
        total = len(self.params.steps)
        completed = sum(result.success for result in self._results)
        return {
            "completed": completed,
            "total": total,
            "success": completed == total,
            "results": self._results,
            "duration_ms": _since_ms(self._started),
            "failed_at": next((result.step for result in self._results if not result.success), None),
        }


class _ConditionFailed(AgentBrowserError):
    """Unmet condition of a step; has the wire form of its cause."""

    def __init__(self, why: AgentBrowserError) -> None:
        super().__init__(f"{CONDITION_NOT_MET}: {why.message}")
        self.why = why

    def to_wire(self) -> dict[str, Any]:
        """Return the ``error`` object of the cause, with this message."""
        return self.why.to_wire() | {"message": self.message}


def _may_be_repeated(error: AgentBrowserError) -> bool:
    """Return False if the page may have handled the step, or if an approver or a rule has denied it."""
    is_denied = isinstance(error, ApprovalDenied) and not error.retryable
    return not is_denied and "mayHaveActed" not in error.details


def element_of(job: "Job") -> Selector | None:
    """Return the element that a step acts on; for drag, the drop target."""
    aimed = getattr(job.params, "selector", None) or getattr(job.params, "target", None)
    return aimed if isinstance(aimed, SELECTORS) else None


async def _await_condition(tab: "Tab", before: _Before) -> None:
    condition = before.condition
    await tab.wait_for(condition.selector, condition.state, condition.timeout_ms / 1000)


async def _await_expected(tab: "Tab", after: _After) -> None:
    await tab.expect(after.expect, after.element, after.action)


def _since_ms(started: float, ended: float | None = None) -> int:
    return round(((trio.current_time() if ended is None else ended) - started) * 1000)
