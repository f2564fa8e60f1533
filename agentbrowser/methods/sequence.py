"""A sequence of agent/act on its way: its steps one after another, each as often as it may be tried."""

import itertools
from typing import TYPE_CHECKING, Any, Literal

import attrs
import trio

from agentbrowser.protocol.errors import AgentBrowserError, Timeout
from agentbrowser.protocol.types.selector import SELECTORS, Selector
from agentbrowser.protocol.types.sequence import Condition, ExecutionStep, Expectation, StepResult

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
    """What is waited for on a page before a step."""

    page_id: str | None
    condition: Condition


@attrs.frozen(kw_only=True)
class _After:
    """What is waited for on a page after a step, on the step's element if it has one."""

    page_id: str | None
    expect: Expectation
    element: Selector | None
    action: str


@attrs.define(eq=False)
class _Progress:
    """How far a step has come, in case it is interrupted."""

    started: float = attrs.field(factory=trio.current_time)
    phase: Phase = "had not begun"
    ended: float | None = None
    """When the last try was over, if that is past."""
    result: Any = None
    """What the last try has returned, if it was done."""
    error: AgentBrowserError | None = None
    """Why the try before failed, or the last one."""
    retries: int = 0


@attrs.define(eq=False, kw_only=True)
class Sequence:
    """The steps, and what became of them so far."""

    call: "Call"
    params: "ActParams"
    jobs: list["Job"]
    _results: list[StepResult] = attrs.field(factory=list, init=False)
    _started: float = attrs.field(factory=trio.current_time, init=False)
    _now: _Progress = attrs.field(factory=_Progress, init=False)
    _batch: "StepBatch | None" = attrs.field(default=None, init=False)
    """The last steps that have crossed together."""
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

    async def _try(self, step: ExecutionStep, job: "Job") -> None:
        """Run a step as often as it may be. [trio]"""
        most = step.max_retries if step.on_error == "retry" else 0
        for self._now.retries in itertools.count():
            try:
                await self._attempt(step, job)
            except AgentBrowserError as error:
                self._now.error = error
            else:
                self._now.error = None
            if self._now.error is None or self._now.retries == most:
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
        """Run a step, together with those behind it if nothing is to come between; or tell how it has run so. [trio]"""
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
        """Return what became of the present step, if it has run already."""
        batch_step = self._batch.take() if self._batch else None
        if batch_step is not None:
            self._now.started, self._now.ended = min(self._now.started, batch_step.started_s), batch_step.ended_s
        return batch_step

    def _batchable_steps(self) -> "Iterator[Job]":
        """Yield the present step and those behind it that can cross together."""
        for index in range(len(self._results), len(self.jobs)):
            if not self.call.is_batchable(self.jobs[index]):
                return
            yield self.jobs[index]
            if not self._can_continue(index):
                return

    def _can_continue(self, index: int) -> bool:
        """Tell whether a step has another one behind it on its page, and nothing is to come between them."""
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
        """Note that the sequence's time was over while a step ran."""
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
        """Note the steps that had run, together with one that was interrupted."""
        while (batch_step := self._take()) is not None and batch_step.error is None:
            self._now.result = self.call.outcome(batch_step)
            self._note(self.params.steps[len(self._results)], None)
            self._now = _Progress()
        present = self._batch.current if self._batch else None
        if present is not None and present.started_s < self._now.started:
            self._now.started, self._now.phase = present.started_s, "was interrupted"

    def timeout_error(self, what: str) -> Timeout:
        """Return the error that says what the sequence's time did not suffice for."""
        spent_ms = _since_ms(self._started)
        message = f"The sequence was not done in {spent_ms} ms; {what}."
        return Timeout(message, timeout=self.params.timeout_ms or spent_ms, method="agent/act")

    def summary(self) -> dict[str, Any]:
        """Return what became of it all, as the fields of the result."""
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
    """A step's condition was not met; looks on the wire like the error that says why."""

    def __init__(self, why: AgentBrowserError) -> None:
        super().__init__(f"The step's condition was not met: {why.message}")
        self.why = why

    def to_wire(self) -> dict[str, Any]:
        """Return the ``error`` object of the cause, with this message."""
        return self.why.to_wire() | {"message": self.message}


def element_of(job: "Job") -> Selector | None:
    """Return the element that a step acts on; for drag, the one that it drops on."""
    aimed = getattr(job.params, "selector", None) or getattr(job.params, "target", None)
    return aimed if isinstance(aimed, SELECTORS) else None


async def _await_condition(tab: "Tab", before: _Before) -> None:
    condition = before.condition
    await tab.wait_for(condition.selector, condition.state, condition.timeout_ms / 1000)


async def _await_expected(tab: "Tab", after: _After) -> None:
    await tab.expect(after.expect, after.element, after.action)


def _since_ms(started: float, ended: float | None = None) -> int:
    return round(((trio.current_time() if ended is None else ended) - started) * 1000)
