"""live/link: a link to the live view for the operator."""

from typing import TYPE_CHECKING

import attrs

from agentbrowser.protocol.errors import ActionFailed
from agentbrowser.protocol.registry import Scope, composite
from agentbrowser.protocol.types.fields import field

if TYPE_CHECKING:
    from agentbrowser.server.corridor.dispatch import Call


@attrs.frozen(kw_only=True)
class LiveLinkParams:
    """The id or the number of the session to show; all sessions when absent."""

    session: str | None = field(default=None, minimum=1, maximum=200)


@attrs.frozen(kw_only=True)
class LiveLinkResult:
    """A URL that opens the live view once, within ten minutes."""

    url: str = attrs.field(repr=False)


@composite("live/link", LiveLinkParams, scope=Scope.PRIVILEGED, free=True)
async def link(call: "Call", params: LiveLinkParams) -> LiveLinkResult:
    """Return a link to the live view. [trio]

    Raises:
      InvalidParams: there is no such session.
      ActionFailed: the server listens on no port.
    """
    url = call.session.handoffs.create_link(call.session, params.session)
    if url is None:
        reason = "this server listens on no port"
        raise ActionFailed(f"There is no live view: {reason}.", action="link", reason=reason)
    return LiveLinkResult(url=url)
