"""Look that follows an action in the same request."""

import functools
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final, Protocol

import attrs
import trio

from agentbrowser.methods.agent_observe import CHANGES, ObserveParams, shows_changes
from agentbrowser.protocol.errors import AgentBrowserError, Timeout
from agentbrowser.protocol.types.action import ActionResult, Download
from agentbrowser.protocol.types.element import AgentObserveResult

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab
    from agentbrowser.server.corridor.job import Job

_MARGIN_S: Final = 0.5
"""Time before the end of the request in which an unfinished look is given up, so that the result is still sent."""


class Look(Protocol):
    """Function that runs a handler on the page of the action."""

    def __call__(self, handler: Callable[["Tab", Any], Awaitable[Any]], params: Any) -> Awaitable[Any]:
        """Return the result of the handler."""
        ...


def is_followed_by_look(job: "Job") -> bool:
    """Return True if a job asks for a look at its page once it is done."""
    return getattr(job.params, "observe", None) is not None


async def with_look(
    job: "Job", result: Any, serve: Look, began_s: float, explain: Callable[[Exception], AgentBrowserError]
) -> Any:
    """Return the result of a job with the look that it asks for, or with the reason why there is none. [trio]

    Args:
      began_s: begin of the job on the monotonic clock; a download since then is the action's.
      explain: returns the wire error of an exception.

    Cancel: the client has cancelled the request, or has gone; no result is of use to it.
    """
    asked = job.params.observe
    params = ObserveParams(**CHANGES) if asked == "changes" else asked
    left_s = trio.current_effective_deadline() - trio.current_time()
    try:
        with trio.move_on_after(max(left_s / 2, left_s - _MARGIN_S)):
            observe = functools.partial(_observe, began_s=began_s)
            observation, download = await serve(observe, attrs.evolve(params, page_id=job.page_id))
            if isinstance(result, ActionResult):
                seen = None if shows_changes(observation) else result.no_effect
                result = attrs.evolve(result, download=result.download or download, no_effect=seen)
            return attrs.evolve(result, observation=observation)
        raise Timeout("There was no time left to observe.", method=job.method.name)
    except Exception as error:  # noqa: BLE001 - the result says why the look is missing
        return attrs.evolve(result, observation_error=explain(error).to_wire())


async def _observe(tab: "Tab", params: ObserveParams, *, began_s: float) -> tuple[AgentObserveResult, Download | None]:
    """Return the look, and the first download since the action began: it may have begun while the look waited."""
    return await tab.observe(params), tab.tabs.downloads.first_since(tab.id, began_s)
