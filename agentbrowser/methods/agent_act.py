"""agent/act: a sequence of steps in one request, each run like a request of its own."""

from typing import TYPE_CHECKING, Any, ClassVar, Literal

import attrs
import trio

from agentbrowser.methods.agent_observe import CHANGES, shows_changes
from agentbrowser.methods.sequence import RefusedStep, Sequence, element_of
from agentbrowser.policy import globs
from agentbrowser.protocol.errors import AgentBrowserError, DomainNotAllowed, InvalidParams, ScopeDenied
from agentbrowser.protocol.registry import Scope, composite
from agentbrowser.protocol.types.fields import constraints, milliseconds
from agentbrowser.protocol.types.sequence import ExecutionStep, Expectation, StepResult

if TYPE_CHECKING:
    from agentbrowser.server.corridor.dispatch import Call
    from agentbrowser.server.corridor.job import Job


@attrs.frozen(kw_only=True)
class ActParams:
    """The steps, and when to stop. ``timeout`` is for the whole sequence and interrupts a running step."""

    own_clock: ClassVar[bool] = True

    steps: list[ExecutionStep] = attrs.field(metadata=constraints(minimum=1, maximum=50))
    page_id: str | None = None
    stop_on_first_error: bool = True
    continue_on_condition_fail: bool = False
    pre_observe: bool | dict[str, Any] = False
    """An observation before the first step; if it fails, the request fails and no step runs."""
    post_observe: bool | Literal["changes"] | dict[str, Any] = False
    """An observation after the last step that ran, failed or not; ``changes`` for what the steps have changed."""
    timeout_ms: int | None = milliseconds()


@attrs.frozen(kw_only=True)
class ActResult:
    """Result of the sequence; ``failed_at`` is the first step that failed."""

    completed: int
    total: int
    success: bool
    results: list[StepResult]
    duration_ms: int = attrs.field(metadata=constraints(wire="duration"))
    failed_at: int | None = None
    pre_observation: Any = None
    post_observation: Any = None
    post_observation_error: dict[str, Any] | None = None
    """The reason why a requested observation is missing; the steps' results are reported anyway."""


@composite("agent/act", ActParams, scope=Scope.STANDARD)
async def act(call: "Call", params: ActParams) -> ActResult:
    """Run the steps one after another, once all of them have been checked. [trio]

    A step that the scope or the URL rules refuse fails in its turn, like any other failure of a step.

    Raises:
      InvalidParams: a step does not fit; the path names it.
    """
    jobs = [_checked(call, index, step) for index, step in enumerate(params.steps)]
    pre_job = _observation(call, params.pre_observe, "preObserve")
    post_job = _observation(call, params.post_observe, "postObserve")
    sequence = Sequence(call=call, params=params, jobs=jobs)
    before = after = missing = None
    with trio.move_on_after(call.clock_s(params.timeout_ms)) as clock:
        call = sequence.call = call.under(clock)
        before = await call.run(pre_job) if pre_job else None
        await sequence.run()
        after, missing = await _look(call, post_job)
    if clock.cancelled_caught:
        sequence.interrupted()
        missing = sequence.timeout_error("there was no time left to observe") if post_job else None
    if after and shows_changes(after):
        sequence.withhold_no_effect()
    return ActResult(
        **sequence.summary(),
        pre_observation=before,
        post_observation=after,
        post_observation_error=missing.to_wire() if missing else None,
    )


async def _look(call: "Call", job: "Job | None") -> tuple[Any, AgentBrowserError | None]:
    """Return the requested observation, or the error that prevented it. [trio]"""
    try:
        return await call.run(job) if job else None, None
    except AgentBrowserError as error:
        return None, error


def _checked(call: "Call", index: int, step: ExecutionStep) -> "Job | RefusedStep":
    try:
        job = call.prepare(step.action, step.params, step=True)
    except (ScopeDenied, DomainNotAllowed) as error:
        return RefusedStep(error)
    except AgentBrowserError as error:
        if {"url", "reason"} <= error.details.keys():  # the URL rules refuse it
            return RefusedStep(error)
        error.with_subject(f"steps[{index}]")  # an index, as in its path: results and people count differently
        if "path" not in error.details:
            raise error.with_details(path=f"steps[{index}].action") from None
        paths = {name: error.details.get(name) for name in ("path", "nearest")}
        inner = {name: f"steps[{index}].params.{path}" for name, path in paths.items() if path}
        raise error.with_details(**inner) from None
    if step.expect is not None:
        _check_expectation(f"steps[{index}].expect", step.expect, job)
    return job


def _check_expectation(path: str, expect: Expectation, job: "Job") -> None:
    invalid = expect.invalid_field(has_element=element_of(job) is not None)
    if invalid is not None:
        inner, expected, got = invalid
        path = f"{path}.{inner}" if inner else path
        raise InvalidParams.at(path, expected, got)
    try:
        globs.check(expect.url or "")
    except InvalidParams as error:
        raise error.with_details(path=f"{path}.url") from None


def _observation(call: "Call", requested: bool | Literal["changes"] | dict[str, Any], path: str) -> "Job | None":
    if requested is False:
        return None
    try:
        params = CHANGES if requested == "changes" else {} if requested is True else requested
        return call.prepare("agent/observe", params)
    except InvalidParams as error:
        raise error.with_details(path=f"{path}.{error.details.get('path', '')}") from None
