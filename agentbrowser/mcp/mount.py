"""MCP at ``/mcp`` on the server's own port, behind its gate. The SDK is imported at the first request."""

import contextlib
import importlib.util
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import attrs
import structlog
import trio

from agentbrowser.nursery import open_quiet_nursery
from agentbrowser.server.gate.accept import Gate
from agentbrowser.server.gate.auth import Grant, Owner

if TYPE_CHECKING:
    from agentbrowser.mcp.endpoint import Endpoint
    from agentbrowser.server.app import Server

log = structlog.get_logger("agentbrowser.mcp")

PATH: Final = b"/mcp"

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]


@attrs.define(eq=False)
class McpMount:
    """Endpoints of a server, one for each owner: no session of one is known to that of another."""

    _nursery: trio.Nursery
    _server: "Server | None" = attrs.field(default=None, init=False)
    _is_ready: trio.Event = attrs.field(factory=trio.Event, init=False)
    _endpoints: "dict[Owner, Endpoint]" = attrs.field(factory=dict, init=False)
    _lock: trio.Lock = attrs.field(factory=trio.Lock, init=False)

    def serve(self, server: "Server") -> None:
        """Answer requests with this server; earlier ones wait."""
        self._server = server
        self._is_ready.set()

    def app_of(self, grant: Grant) -> Callable[[Any, Receive, Send], Awaitable[None]]:
        """Return the ASGI application for the requests of a grant."""
        return partial(self._answer, grant)

    async def _answer(self, grant: Grant, scope: Any, receive: Receive, send: Send) -> None:
        endpoint = await self._endpoint(grant)
        await endpoint.answer(scope, receive, send)

    async def _endpoint(self, grant: Grant) -> "Endpoint":
        """Return the endpoint of a grant; a changed grant has another one. [trio]"""
        async with self._lock:
            known = self._endpoints.get(grant.owner)
            if known is not None and known.grant is grant:
                return known
            opened: Endpoint = await self._nursery.start(self._run, grant)
            return opened

    async def _run(self, grant: Grant, *, task_status: "trio.TaskStatus[Endpoint]") -> None:
        """Run an endpoint until its grant ends. [trio]"""
        opened = None
        try:
            open_endpoint = await trio.to_thread.run_sync(_load_endpoint)
            await self._is_ready.wait()
            assert self._server is not None
            async with open_endpoint(self._server, grant) as opened:
                self._endpoints[grant.owner] = opened
                task_status.started(opened)
                await _wait_ended(grant)
        except Exception:
            if opened is None:
                raise
            log.exception("endpoint_failed", grant=grant.name)
        finally:
            if opened is not None and self._endpoints.get(grant.owner) is opened:
                del self._endpoints[grant.owner]


@contextlib.asynccontextmanager
async def open_mount(gate: Gate) -> AsyncIterator[McpMount | None]:
    """Mount the endpoint on a gate, and run it until the block ends; None if the SDK is not installed. [trio]

    ``async with open_gate(config) as gate, open_mount(gate) as mount, open_behind(gate) as server:``, and then
    ``mount.serve(server)``.
    """
    if importlib.util.find_spec("mcp") is None:
        yield None
        return
    async with open_quiet_nursery() as nursery:
        mount = McpMount(nursery)
        gate.mounts[PATH] = mount.app_of
        try:
            yield mount
        finally:
            del gate.mounts[PATH]
            nursery.cancel_scope.cancel()


async def _wait_ended(grant: Grant) -> None:
    """Wait until a grant expires or is withdrawn. [trio]"""
    async with trio.open_nursery() as nursery:

        async def first(wait: Callable[[], Awaitable[None]]) -> None:
            await wait()
            nursery.cancel_scope.cancel()

        nursery.start_soon(first, grant.wait_expired)
        nursery.start_soon(first, grant.withdrawn.wait)


def _load_endpoint() -> "Callable[[Server, Grant], contextlib.AbstractAsyncContextManager[Endpoint]]":
    """Import the SDK, which takes a second or two, while the loop serves others."""
    from agentbrowser.mcp.endpoint import open_endpoint

    return open_endpoint
