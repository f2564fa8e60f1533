"""trace/*: recordings of a context for Playwright's trace viewer."""

from typing import TYPE_CHECKING

import attrs

from agentbrowser.protocol.registry import Scope, composite
from agentbrowser.protocol.types.fields import field, milliseconds
from agentbrowser.protocol.types.page import Nothing

if TYPE_CHECKING:
    from agentbrowser.browser.page.tracing import Tracing
    from agentbrowser.browser.tabs import Tabs
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

    async def work(tabs: "Tabs") -> None:
        trace = await _resolve_tracing(tabs, call, params)
        await trace.start(title=params.name, screenshots=params.screenshots, snapshots=params.snapshots)

    await call.browse(work)
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

    async def work(tabs: "Tabs") -> str:
        return await (await _resolve_tracing(tabs, call, params)).stop()

    return StopResult(data=await call.browse(work))


async def _resolve_tracing(tabs: "Tabs", call: "Call", params: TraceParams) -> "Tracing":
    page_id = None if call.page_id == call.session.fresh else call.page_id
    return (await tabs.resolve_context(params.context_id, page_id)).tracing
