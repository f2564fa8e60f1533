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
    """The decision: ``approve`` is ``approve-once``; ``approve-session`` approves all later requests under the rule."""

    request_id: str = attrs.field(metadata=constraints(minimum=1, maximum=128))
    decision: Decision
    reason: str | None = field(default=None, maximum=1000)
    """Reported to the requester if the request is denied."""


@attrs.frozen(kw_only=True)
class RespondResult:
    """True if the request was waiting; false if it was answered already, or its time is over."""

    acknowledged: bool


@composite("approval/respond", RespondParams, scope=Scope.PRIVILEGED, free=True)
async def respond(call: "Call", params: RespondParams) -> RespondResult:
    """Decide on a request that waits for approval. [trio]

    A connection of a lower scope may decide on its own request if the rule allows that.

    Raises:
      InvalidParams: no such request was made.
      ScopeDenied: only others may decide on the caller's own request.
    """
    approvals = call.session.approvals
    acknowledged = approvals.respond(call.session, params.request_id, params.decision, params.reason)
    return RespondResult(acknowledged=acknowledged)
