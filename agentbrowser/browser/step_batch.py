"""Steps of a sequence that nothing is to come between, one after another in one call to the browser thread."""

import functools
import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import attrs

from agentbrowser.browser.portal import is_called_off, within
from agentbrowser.protocol.registry import Method
from agentbrowser.protocol.types.action import ActionResult
from agentbrowser.protocol.types.lookahead import COMING, Coming

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab
    from agentbrowser.browser.tabs import Tabs


@attrs.define(eq=False, kw_only=True)
class BatchStep:
    """One step on its way: what is to be done in which time, and what became of it."""

    method: Method[..., Any]
    params: Any
    page_id: str | None
    timeout_s: float
    coming: Coming | None = None
    """The step behind it, if it may look for it."""
    started_s: float = attrs.field(default=math.inf, init=False)
    """By the clock of the run; never, until then."""
    started_at_s: float = attrs.field(default=0.0, init=False)
    """The time of day."""
    ended_s: float | None = attrs.field(default=None, init=False)
    result: Any = attrs.field(default=None, init=False)
    error: Exception | None = attrs.field(default=None, init=False)
    was_refused: bool = attrs.field(default=False, init=False)
    """Whether a page was kept from going somewhere meanwhile."""

    def fail(self, error: Exception, now_s: float) -> None:
        """Note that it has failed."""
        self.error, self.ended_s = error, now_s


@attrs.define(eq=False, kw_only=True)
class StepBatch:
    """The steps, and how far they are: the browser thread writes that, and Trio reads it at any time."""

    steps: list[BatchStep]
    clock: Callable[[], float]
    """Tells Trio's time in any thread."""
    _taken: int = attrs.field(default=0, init=False)

    @property
    def current(self) -> BatchStep | None:
        """The first leg that is not over, if there is one."""
        return next((leg for leg in self.steps if leg.ended_s is None), None)

    def take(self) -> BatchStep | None:
        """Return each leg that is over once; None when there are no more."""
        leg = self.steps[self._taken] if self._taken < len(self.steps) else None
        if leg is None or leg.ended_s is None:
            return None
        self._taken += 1
        return leg

    def fail(self, error: Exception) -> None:
        """Note what has ended the call, of the leg that it was at."""
        if (leg := self.current) is not None:
            leg.fail(error, self.clock())

    async def serve(self, tabs: "Tabs") -> None:
        """Run the steps until one fails, takes the page elsewhere, or tries to. [asyncio]

        Cancel: the leg that is under way is cancelled, and none follows.
        """
        foreseen = None
        for leg in self.steps:
            refusals = tabs.blocked_navigations
            await self._serve(tabs, leg, foreseen)
            foreseen = leg.coming
            leg.was_refused = tabs.blocked_navigations != refusals
            if not _stays(leg) or is_called_off():
                return

    async def _serve(self, tabs: "Tabs", leg: BatchStep, foreseen: Coming | None) -> None:
        leg.started_at_s, leg.started_s = time.time(), self.clock()
        before = COMING.set(leg.coming)
        try:
            with within(leg.timeout_s):
                handler = functools.partial(_do, leg, foreseen)
                leg.result = await tabs.serve(handler, leg.params, None, leg.method.tab_state)
        except Exception as error:  # noqa: BLE001 - it is raised where the leg's outcome is asked for
            leg.error = error
        finally:
            COMING.reset(before)
        leg.ended_s = self.clock()  # last, for then it counts as over


async def _do(leg: BatchStep, foreseen: Coming | None, tab: "Tab", params: Any) -> Any:
    if foreseen is None:
        return await leg.method.handler(tab, params)
    try:
        await tab.actions.hasten(foreseen)
        return await leg.method.handler(tab, params)
    finally:
        tab.actions.relent()


def _stays(leg: BatchStep) -> bool:
    """Tell whether the page is where it was, with nothing new about it that Trio would have to know first."""
    told = leg.result
    if not isinstance(told, ActionResult) or leg.was_refused:
        return False
    return not (told.navigated or told.new_pages or told.dialog or told.download)
