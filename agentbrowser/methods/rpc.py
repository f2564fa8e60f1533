"""rpc.discover: the machine-readable description of the protocol."""

from typing import TYPE_CHECKING, Any

import attrs

from agentbrowser.methods.lifecycle import PROTOCOL_VERSION
from agentbrowser.protocol import openrpc
from agentbrowser.protocol.registry import EVENTS, METHODS, Scope, composite

if TYPE_CHECKING:
    from agentbrowser.server.corridor.dispatch import Call


@attrs.frozen(kw_only=True)
class RpcDiscoverParams:
    """No parameters."""


@composite("rpc.discover", RpcDiscoverParams, scope=Scope.READONLY, free=True)
async def discover(call: "Call", params: RpcDiscoverParams) -> dict[str, Any]:
    """Describe all methods with their scopes, notifications, types and errors, as an OpenRPC document. [trio]"""
    return openrpc.document(METHODS, EVENTS, PROTOCOL_VERSION)
