"""Batch of consecutive steps of a sequence that one call runs in the browser thread."""

import functools
import itertools
import math
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import attrs

from agentbrowser.browser.page.navigation_policy import check_judged, judging
from agentbrowser.browser.portal import is_cancelled, limited_to
from agentbrowser.policy.approvals import ApprovalRule
from agentbrowser.protocol.registry import Method, Scope, TabState
from agentbrowser.protocol.types.action import ActionResult
from agentbrowser.protocol.types.approval import ElementInfo

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab
    from agentbrowser.browser.tabs import Tabs


@attrs.define(eq=False, kw_only=True)
class BatchStep:
    """One step of a batch: its method, params and time limit, and its outcome."""

    method: Method[..., Any]
    params: Any
    page_id: str | None
    timeout_s: float
    started_s: float = attrs.field(default=math.inf, init=False)
    """Start on the clock of the batch; infinite before."""
    began_s: float = attrs.field(default=0.0, init=False)
    """Start on the monotonic clock; 0 before."""
    ended_s: float | None = attrs.field(default=None, init=False)
    result: Any = attrs.field(default=None, init=False)
    error: Exception | None = attrs.field(default=None, init=False)
    was_refused: bool = attrs.field(default=False, init=False)
    """True if the rules blocked a navigation during the step."""

    def fail(self, error: Exception, now_s: float) -> None:
        """Record a failure."""
        self.error, self.ended_s = error, now_s


@attrs.define(eq=False, kw_only=True)
class StepBatch:
    """Steps and their progress: the browser thread writes, and Trio reads at any time."""

    steps: list[BatchStep]
    clock: Callable[[], float]
    """Returns Trio's time in any thread."""
    _taken: int = attrs.field(default=0, init=False)

    @property
    def current(self) -> BatchStep | None:
        """The first unfinished step, or None."""
        return next((step for step in self.steps if step.ended_s is None), None)

    def take(self) -> BatchStep | None:
        """Return the next finished step, each once; None if there is none."""
        step = self.steps[self._taken] if self._taken < len(self.steps) else None
        if step is None or step.ended_s is None:
            return None
        self._taken += 1
        return step

    def fail(self, error: Exception) -> None:
        """Record the error that has ended the call at the current step."""
        if (step := self.current) is not None:
            step.fail(error, self.clock())

    async def serve(self, tabs: "Tabs") -> None:
        """Run the steps until one fails, navigates, or tries to. [asyncio]

        Cancel: the current step is cancelled, and no other follows.
        """
        for step, following in itertools.zip_longest(self.steps, self.steps[1:]):
            refusals = tabs.blocked_navigations
            await self._run_step(tabs, step, following)
            step.was_refused = tabs.blocked_navigations != refusals
            if not _is_page_unchanged(step) or is_cancelled():
                return

    async def _run_step(self, tabs: "Tabs", step: BatchStep, following: BatchStep | None) -> None:
        step.began_s, step.started_s = time.monotonic(), self.clock()
        try:
            with limited_to(step.timeout_s):
                handler = functools.partial(_handle, step, following)
                step.result = await tabs.serve(handler, step.params, None, step.method.tab_state)
        except Exception as error:  # noqa: BLE001 - the reader of the step's outcome raises it
            step.error = error
        step.ended_s = self.clock()  # last, since it marks the step as finished


async def _handle(step: BatchStep, following: BatchStep | None, tab: "Tab", params: Any) -> Any:
    handler = recording_handler(step.method)
    if following is None:
        return await handler(tab, params)
    with tab.actions.lookahead.offer(following.method.name, following.params):
        return await handler(tab, params)


def judged_handler(
    method: Method[..., Any],
    judged: frozenset[str] | None,
    approved: ElementInfo | None,
    slide_rules: Sequence[ApprovalRule],
) -> Callable[[Any, Any], Awaitable[Any]]:
    """Return a method's handler, which fails in documents for which the approval rules were not applied.

    Args:
      judged: the URLs of the documents for which they were; None: all.
      approved: the element as an approver was shown it; it fails on one with another role or name.
      slide_rules: those that decide whether it may move a slider.
    """
    handler = recording_handler(method)
    if (judged is None and not slide_rules) or method.tab_state is None:
        return handler
    return functools.partial(_run_judged, handler, functools.partial(judging, judged, approved, slide_rules))


async def _run_judged(
    handler: Callable[[Any, Any], Awaitable[Any]],
    judged: Callable[[], AbstractContextManager[None]],
    tab: "Tab",
    params: Any,
) -> Any:
    with judged():
        check_judged(tab.frame)
        return await handler(tab, params)


def recording_handler(method: Method[..., Any]) -> Callable[[Any, Any], Awaitable[Any]]:
    """Return a method's handler; that of an action on a page also has the next look and a snapshot show its effects."""
    if method.tab_state is None or method.scope is Scope.READONLY:
        return method.handler
    return functools.partial(_record, method)


async def _record(method: Method[..., Any], tab: "Tab", params: Any) -> Any:
    with tab.hold.interrupts():
        async with tab.settler.acting(is_replacing=method.tab_state is TabState.REVIVED):
            try:
                return await method.handler(tab, params)
            finally:
                tab.tabs.contexts.snapshots.note_action()
                tab.tabs.page_recorder.note_action(tab)


def _is_page_unchanged(step: BatchStep) -> bool:
    """Return True if the step has changed nothing that Trio has to process before the next step."""
    result = step.result
    if not isinstance(result, ActionResult) or step.was_refused:
        return False
    return not (result.navigated or result.new_pages or result.dialog or result.download)
