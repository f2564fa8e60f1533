"""trace/*: recordings of a context for Playwright's trace viewer."""

from typing import TYPE_CHECKING

import attrs

from agentbrowser.protocol.registry import Scope, composite
from agentbrowser.protocol.types.fields import field, milliseconds
from agentbrowser.protocol.types.page import Nothing

if TYPE_CHECKING:
    from agentbrowser.browser.contexts import Context
    from agentbrowser.server.corridor.dispatch import Call


@attrs.frozen(kw_only=True)
class TraceParams:
    """The context: by its id, else that of the page, else that of the active page."""

    context_id: str | None = None
    page_id: str | None = None
    timeout_ms: int | None = milliseconds()


@attrs.frozen(kw_only=True)
class StartParams(TraceParams):
    """Parts to record besides calls and network."""

    name: str | None = field(default=None, minimum=1, maximum=200)
    """The title that the viewer shows."""
    screenshots: bool = True
    snapshots: bool = True
    """The document before and after each action."""
    sources: bool = False
    """Has no effect: the sources of the calls would be the server's own."""


@composite("trace/start", StartParams, scope=Scope.FULL)
async def start(call: "Call", params: StartParams) -> Nothing:
    """Start recording a trace of the context. [trio]

    Raises:
      ActionFailed: a trace is being recorded already, or a secret has been used in this session.
    """

    async def work(context: "Context") -> None:
        await context.tracing.start(title=params.name, screenshots=params.screenshots, snapshots=params.snapshots)

    await call.in_context(params.context_id, work)
    return Nothing()


@attrs.frozen(kw_only=True)
class StopResult:
    """The recording: a zip file in base64."""

    data: str = attrs.field(repr=False)


@composite("trace/stop", TraceParams, scope=Scope.FULL)
async def stop(call: "Call", params: TraceParams) -> StopResult:
    """Stop recording and return the trace. [trio]

    Raises:
      ActionFailed: nothing is being recorded.
      ResourceLimitExceeded: the trace is larger than 50 MB; it is discarded.
    """

    return StopResult(data=await call.in_context(params.context_id, lambda context: context.tracing.stop()))
