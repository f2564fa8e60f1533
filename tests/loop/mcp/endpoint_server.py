"""Endpoint of MCP behind a gate, for tests that need no browser."""

import contextlib
import itertools
import json
import re
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any, Final, cast

import attrs
import trio

from agentbrowser.config import Config
from agentbrowser.mcp.endpoint import open_endpoint
from agentbrowser.mcp.mount import PATH
from agentbrowser.mcp.server import ToolServer
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.gate.accept import open_gate
from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.gate.head import Refusal

if TYPE_CHECKING:
    from agentbrowser.server.app import Server

MODERN: Final = "2026-07-28"
_ids: Final = itertools.count()
_META: Final = "io.modelcontextprotocol/"


@attrs.frozen
class Offline:
    """Server with no place for a client."""

    config: Config

    def connect(self, *_: Any) -> Any:
        raise Refusal(503, "no browser")


@contextlib.asynccontextmanager
async def served(tools: type[ToolServer]) -> AsyncIterator[int]:
    """Serve the tools at /mcp, and yield the port."""
    config = Config(port=0)
    async with open_gate(config) as gate:
        server = cast("Server", Offline(config))
        async with open_endpoint(server, Grant(Scope.FULL, "test"), tools) as endpoint:
            gate.mounts[PATH] = lambda _: endpoint.answer
            gate.serve_sockets(cast("Any", None))
            yield gate.ports[0]


@contextlib.asynccontextmanager
async def called(
    port: int, tool: str, arguments: Mapping[str, Any], params: Mapping[str, Any] | None = None, **headers: str
) -> AsyncIterator[trio.SocketStream]:
    """Call a tool, and yield the connection on which the answer comes. Without headers it is a stateless call."""
    meta = {"protocolVersion": MODERN, "clientCapabilities": {"elicitation": {}}}
    if not headers:
        headers = {"Mcp-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": tool}
    content = {"name": tool, "arguments": arguments, "_meta": {_META + name: one for name, one in meta.items()}}
    async with sent(port, "tools/call", {**content, **(params or {})}, **headers) as stream:
        yield stream


@contextlib.asynccontextmanager
async def sent(port: int, method: str, params: Mapping[str, Any], **headers: str) -> AsyncIterator[trio.SocketStream]:
    """Send a request, and yield the connection on which the answer comes."""
    body = json.dumps({"jsonrpc": "2.0", "id": next(_ids), "method": method, "params": params}).encode()
    given = {
        "Host": f"127.0.0.1:{port}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "Content-Length": str(len(body)),
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    lines = ["POST /mcp HTTP/1.1", *(f"{name}: {value}" for name, value in given.items())]
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        await stream.send_all("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        yield stream


async def answer_on(stream: trio.SocketStream) -> tuple[bytes, dict[str, Any]]:
    """Return the head and the message of an answer, which is JSON or an event."""
    received = b"".join([bytes(part) async for part in stream])
    head, _, body = received.partition(b"\r\n\r\n")
    found = re.search(rb"\{.*\}", body)
    return head, json.loads(found[0]) if found else {}
