"""agent/act: a sequence of steps in one request, each run as a request of its own would be."""

import contextlib
import itertools
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import attrs
import trio

from agentbrowser.errors import AgentBrowserError, InvalidParams, Timeout
from agentbrowser.registry import Scope, composite
from agentbrowser.types.fields import field, milliseconds
from agentbrowser.types.selector import Selector

if TYPE_CHECKING:
    from agentbrowser.browser.tabs import Tabs
    from agentbrowser.server.dispatch import Call, Job

ConditionState = Literal["visible", "enabled", "exists", "hidden", "disabled"]


@attrs.frozen(kw_only=True)
class Condition:
    """A state of an element that is waited for before a step runs."""

    selector: Selector
    state: ConditionState
    timeout_ms: int = field(default=5000, wire="timeout", minimum=1, maximum=300_000)


@attrs.frozen(kw_only=True)
class ExecutionStep:
    """One method call of a sequence."""

    action: str = field(minimum=1, maximum=100)
    params: dict[str, Any] = attrs.field(factory=dict)
    label: str | None = field(default=None, maximum=1000)
    condition: Condition | None = None
    on_error: Literal["stop", "skip", "retry"] | None = None
    """What a failure does: ``skip`` goes on, ``retry`` tries again; without it ``stopOnFirstError`` decides."""
    max_retries: int = field(default=1, minimum=1, maximum=5)
    retry_delay_ms: int = field(default=500, wire="retryDelay", minimum=100, maximum=5000)


@attrs.frozen(kw_only=True)
class ActParams:
    """The steps, and when to stop. ``timeout`` is for the whole sequence and interrupts a running step."""

    own_clock: ClassVar[bool] = True

    steps: list[ExecutionStep] = field(minimum=1, maximum=50)
    page_id: str | None = None
    stop_on_first_error: bool = True
    continue_on_condition_fail: bool = False
    pre_observe: bool | dict[str, Any] = False
    post_observe: bool | dict[str, Any] = False
    timeout_ms: int | None = milliseconds()


@attrs.frozen(kw_only=True)
class StepResult:
    """What became of one step; ``error`` is the object that a direct request would have got."""

    step: int
    success: bool
    duration_ms: int = field(wire="duration")
    label: str | None = None
    result: Any = None
    error: dict[str, Any] | None = None
    retries: int | None = None


@attrs.frozen(kw_only=True)
class ActResult:
    """What became of the sequence; ``failed_at`` is the first step that failed."""

    completed: int
    total: int
    success: bool
    results: list[StepResult]
    duration_ms: int = field(wire="duration")
    failed_at: int | None = None
    pre_observation: Any = None
    post_observation: Any = None


@composite("agent/act", ActParams, scope=Scope.STANDARD)
async def act(call: "Call", params: ActParams) -> ActResult:
    """Run the steps one after another; nothing runs before all of them have been checked. [trio]

    Raises:
      InvalidParams: a step does not fit; the path names it.
      ScopeDenied: a step needs a higher scope.
    """
    sequence = _Sequence(call, params, [_checked(call, index, step) for index, step in enumerate(params.steps)])
    pre_job = _observation(call, params.pre_observe, "preObserve")
    post_job = _observation(call, params.post_observe, "postObserve")
    before = after = None
    with trio.move_on_after(call.clock_s(params.timeout_ms)) as clock:
        call = sequence.call = call.under(clock)
        before = await call.run(pre_job) if pre_job else None
        await sequence.run()
        with contextlib.suppress(AgentBrowserError):  # what the steps have done must be told all the same
            after = await call.run(post_job) if post_job else None
    if clock.cancelled_caught:
        sequence.interrupted()
    return sequence.result(before, after)


def _checked(call: "Call", index: int, step: ExecutionStep) -> "Job":
    try:
        return call.prepare(step.action, step.params, step=True)
    except AgentBrowserError as error:
        inner = error.details.get("path")
        error.message = f"Step {index}: {error.message}"
        raise error.with_details(path=f"steps[{index}].params.{inner}" if inner else f"steps[{index}].action") from None


def _observation(call: "Call", wish: bool | dict[str, Any], path: str) -> "Job | None":
    if wish is False:
        return None
    try:
        return call.prepare("agent/observe", {} if wish is True else wish)
    except InvalidParams as error:
        raise error.with_details(path=f"{path}.{error.details.get('path', '')}") from None


@attrs.define(eq=False)
class _Sequence:
    """A sequence on its way."""

    call: "Call"
    params: ActParams
    jobs: list["Job"]
    results: list[StepResult] = attrs.field(factory=list)
    started: float = attrs.field(factory=trio.current_time)
    step_started: float = attrs.field(factory=trio.current_time)

    async def run(self) -> None:
        """Run the steps until one ends the sequence. [trio]"""
        for step, job in zip(self.params.steps, self.jobs, strict=True):
            self.step_started = trio.current_time()
            result, error, retries = await self._attempts(step, job)
            self._note(step, result, error, retries)
            if error is not None and self._ends(step, error):
                return

    async def _attempts(self, step: ExecutionStep, job: "Job") -> tuple[Any, AgentBrowserError | None, int]:
        """Run a step as often as it may be. [trio]"""
        most = step.max_retries if step.on_error == "retry" else 0
        for retries in itertools.count():
            try:
                return await self._attempt(step, job), None, retries
            except AgentBrowserError as error:
                if retries == most:
                    return None, error, retries
            await trio.sleep(step.retry_delay_ms / 1000 * 2**retries)
        raise AssertionError("unreachable")

    async def _attempt(self, step: ExecutionStep, job: "Job") -> Any:
        if (condition := step.condition) is not None:
            try:
                await self.call.serve(job.page_id, partial(_await_condition, job.page_id), condition)
            except AgentBrowserError as error:
                raise _ConditionFailed(error) from None
        return await self.call.run(job)

    def _note(self, step: ExecutionStep, result: Any, error: AgentBrowserError | None, retries: int) -> None:
        self.results.append(
            StepResult(
                step=len(self.results),
                label=step.label,
                success=error is None,
                duration_ms=_since_ms(self.step_started),
                result=result,
                error=error.to_wire() if error else None,
                retries=retries or None,
            )
        )

    def _ends(self, step: ExecutionStep, error: AgentBrowserError) -> bool:
        if step.on_error == "skip" or (isinstance(error, _ConditionFailed) and self.params.continue_on_condition_fail):
            return False
        return step.on_error == "stop" or self.params.stop_on_first_error

    def interrupted(self) -> None:
        """Note that the sequence's time was over while a step ran."""
        if len(self.results) == len(self.params.steps):
            return
        step = self.params.steps[len(self.results)]
        spent_ms = _since_ms(self.started)
        message = f"The sequence was not done in {spent_ms} ms; {step.action} was interrupted."
        self._note(step, None, Timeout(message, timeout=self.params.timeout_ms or spent_ms, method=step.action), 0)

    def result(self, before: Any, after: Any) -> ActResult:
        """Return what became of it all."""
        total = len(self.params.steps)
        completed = sum(result.success for result in self.results)
        return ActResult(
            completed=completed,
            total=total,
            success=completed == total,
            results=self.results,
            duration_ms=_since_ms(self.started),
            failed_at=next((result.step for result in self.results if not result.success), None),
            pre_observation=before,
            post_observation=after,
        )


class _ConditionFailed(AgentBrowserError):
    """A step's condition was not met; looks on the wire like the error that says why."""

    def __init__(self, why: AgentBrowserError) -> None:
        super().__init__(f"The step's condition was not met: {why.message}")
        self.why = why

    def to_wire(self) -> dict[str, Any]:
        """Return the ``error`` object of the cause, with this message."""
        return self.why.to_wire() | {"message": self.message}


async def _await_condition(page_id: str | None, tabs: "Tabs", condition: Condition) -> None:
    tab = await tabs.tab(page_id)
    await tab.wait_for(condition.selector, condition.state, condition.timeout_ms / 1000)


def _since_ms(started: float) -> int:
    return round((trio.current_time() - started) * 1000)
