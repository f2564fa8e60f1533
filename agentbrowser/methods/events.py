"""events/*: subscriptions, and the declarations of the notifications."""

from typing import TYPE_CHECKING

import attrs

from agentbrowser.policy.subscriptions import Subscriptions
from agentbrowser.protocol.registry import Scope, composite, event
from agentbrowser.protocol.types.event import (
    ConsoleEvent,
    DialogEvent,
    DownloadEvent,
    Dropped,
    EventFilter,
    EventKind,
    FrameEvent,
    NetworkEvent,
    PageEvent,
    Queued,
)
from agentbrowser.protocol.types.fields import constraints, field

if TYPE_CHECKING:
    from agentbrowser.server.corridor.dispatch import Call

for _kind in (PageEvent, ConsoleEvent, NetworkEvent, DialogEvent, DownloadEvent, FrameEvent):
    event(f"notifications/{_kind.kind}")(_kind)
event("notifications/dropped")(Dropped)
event("notifications/queued")(Queued)


@attrs.frozen(kw_only=True)
class UnsubscribeParams:
    """Kinds of events."""

    events: list[EventKind] = attrs.field(metadata=constraints(minimum=1, maximum=20))


@attrs.frozen(kw_only=True)
class SubscribeParams(UnsubscribeParams):
    """Kinds of events, and a filter, which replaces an earlier one for these kinds."""

    filter: EventFilter = EventFilter()
    dialog_timeout: int | None = field(default=None, minimum=10, maximum=60_000)
    """Milliseconds for which a dialog stays open for this client, instead of the server's ``--dialog-timeout``."""


@attrs.frozen(kw_only=True)
class SubscribeResult:
    """All the kinds that the client is subscribed to now."""

    subscribed: list[str]


@composite("events/subscribe", SubscribeParams, scope=Scope.READONLY, free=True, in_session=True)
async def subscribe(call: "Call", params: SubscribeParams) -> SubscribeResult:
    """Subscribe to these kinds of events as well. [trio]"""
    more = Subscriptions.of(params.events, params.filter, params.dialog_timeout)
    return await _set_subscriptions(call, call.session.subscriptions.plus(more))


@composite("events/unsubscribe", UnsubscribeParams, scope=Scope.READONLY, free=True, in_session=True)
async def unsubscribe(call: "Call", params: UnsubscribeParams) -> SubscribeResult:
    """Unsubscribe from these kinds of events. [trio]"""
    return await _set_subscriptions(call, call.session.subscriptions.minus(params.events))


async def _set_subscriptions(call: "Call", subscriptions: Subscriptions) -> SubscribeResult:
    await call.session.set_subscriptions(subscriptions)
    return SubscribeResult(subscribed=sorted(subscriptions.kinds))
