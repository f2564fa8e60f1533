"""approval/respond, and the approval request that it answers."""

from typing import TYPE_CHECKING

import attrs

from agentbrowser.protocol.registry import Scope, composite, event
from agentbrowser.protocol.types.approval import ApprovalRequest, Decision
from agentbrowser.protocol.types.fields import constraints, field

if TYPE_CHECKING:
    from agentbrowser.server.corridor.dispatch import Call

event("approval/required")(ApprovalRequest)


@attrs.frozen(kw_only=True)
class RespondParams:
    """The decision: ``approve`` is ``approve-once``, and ``approve-session`` holds for all that the rule would ask."""

    request_id: str = attrs.field(metadata=constraints(minimum=1, maximum=128))
    decision: Decision
    reason: str | None = field(default=None, maximum=1000)
    """Reported to the requester if the request is denied."""


@attrs.frozen(kw_only=True)
class RespondResult:
    """Whether the request was waiting; it is not if it was answered already, or its time is over."""

    acknowledged: bool


@composite("approval/respond", RespondParams, scope=Scope.PRIVILEGED, free=True)
async def respond(call: "Call", params: RespondParams) -> RespondResult:
    """Decide on a request that waits for approval. [trio]

    A connection of a lower scope may do so while a request of its own waits that its rule lets it decide.

    Raises:
      ScopeDenied: the request is the caller's own, and is for others to decide.
    """
    approvals = call.session.approvals
    acknowledged = approvals.respond(call.session, params.request_id, params.decision, params.reason)
    return RespondResult(acknowledged=acknowledged)
