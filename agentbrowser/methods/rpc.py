"""rpc.discover: the machine-readable description of the protocol."""

import functools
import threading
from typing import TYPE_CHECKING, Any, Final

import attrs
import trio

from agentbrowser.methods.lifecycle import PROTOCOL_VERSION
from agentbrowser.protocol import openrpc, wire
from agentbrowser.protocol.registry import EVENTS, METHODS, Scope, composite

if TYPE_CHECKING:
    from agentbrowser.server.corridor.dispatch import Call


_MAKING: Final = threading.Lock()


@attrs.frozen(kw_only=True)
class RpcDiscoverParams:
    """No parameters."""


@composite("rpc.discover", RpcDiscoverParams, scope=Scope.READONLY, free=True)
async def discover(call: "Call", params: RpcDiscoverParams) -> dict[str, Any]:
    """Describe all methods with their scopes, notifications, types and errors, as an OpenRPC document. [trio]"""
    # As JSON, which the reply includes as it is: making it plain data again took the loop 17 ms for each request.
    return await trio.to_thread.run_sync(_document_once)


def _document_once() -> dict[str, Any]:
    with _MAKING:  # or simultaneous first requests would make it once each, in as many threads
        return _document()


@functools.cache
def _document() -> dict[str, Any]:
    return wire.encoded(openrpc.document(METHODS, EVENTS, PROTOCOL_VERSION))
