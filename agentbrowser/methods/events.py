"""events/* and the notifications themselves."""

from typing import TYPE_CHECKING

import attrs

from agentbrowser.registry import Scope, composite, event
from agentbrowser.types.event import ConsoleEvent, DialogEvent, Dropped, EventKind, PageEvent
from agentbrowser.types.fields import field

if TYPE_CHECKING:
    from agentbrowser.server.dispatch import Call

for _kind in (PageEvent, ConsoleEvent, DialogEvent):
    event(f"notifications/{_kind.kind}")(_kind)
event("notifications/dropped")(Dropped)


@attrs.frozen(kw_only=True)
class SubscribeParams:
    """Kinds of events."""

    events: list[EventKind] = field(minimum=1, maximum=20)


@attrs.frozen(kw_only=True)
class SubscribeResult:
    """All the kinds that the client is told of now."""

    subscribed: list[str]


@composite("events/subscribe", SubscribeParams, scope=Scope.READONLY, free=True)
async def subscribe(call: "Call", params: SubscribeParams) -> SubscribeResult:
    """Be told of these kinds of events as well. [trio]"""
    return await _want(call, call.session.kinds | set(params.events))


@composite("events/unsubscribe", SubscribeParams, scope=Scope.READONLY, free=True)
async def unsubscribe(call: "Call", params: SubscribeParams) -> SubscribeResult:
    """Be told of these kinds of events no more. [trio]"""
    return await _want(call, call.session.kinds - set(params.events))


async def _want(call: "Call", kinds: frozenset[str]) -> SubscribeResult:
    await call.session.want(kinds)
    return SubscribeResult(subscribed=sorted(kinds))
