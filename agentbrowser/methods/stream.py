"""stream/*: results that are larger than the client's message limit."""

from typing import TYPE_CHECKING

import attrs

from agentbrowser.protocol.registry import Scope, composite, event
from agentbrowser.protocol.types.fields import constraints
from agentbrowser.protocol.types.stream import StreamChunk, StreamEnd

if TYPE_CHECKING:
    from agentbrowser.server.corridor.dispatch import Call

event("stream/chunk")(StreamChunk)
event("stream/end")(StreamEnd)


@attrs.frozen(kw_only=True)
class CancelParams:
    """The stream, as the result named it."""

    stream_id: str = attrs.field(metadata=constraints(minimum=1, maximum=128))


@attrs.frozen(kw_only=True)
class CancelResult:
    """Confirmation that the stream was stopped."""

    cancelled: bool


@composite("stream/cancel", CancelParams, scope=Scope.READONLY, free=True)
async def cancel(call: "Call", params: CancelParams) -> CancelResult:
    """Stop a stream; neither a chunk nor the end of it follows this answer. [trio]

    Raises:
      StreamNotFound: there is no such stream, or it has ended.
    """
    call.session.streams.cancel(params.stream_id)
    return CancelResult(cancelled=True)
