"""A way to a server that is cut again and again, at chosen points."""

import contextlib
from collections.abc import AsyncIterator
from typing import Final, Literal

import attrs
import trio

Point = Literal["before it", "after it", "before the answer"]
_POINTS: Final[tuple[Point, ...]] = ("before it", "after it", "before the answer")


@attrs.define(eq=False)
class Relay:
    """Carries bytes between clients and a server; every ``every``-th chunk of a client its connection is cut."""

    every: int
    to_port: int = attrs.field(default=0, init=False)
    cuts: list[Point] = attrs.field(factory=list, init=False)
    """Where it was cut: before the chunk, after it, or before what the server answers."""
    port: int = attrs.field(default=0, init=False)
    _chunks: int = attrs.field(default=0, init=False)
    _held: trio.Event | None = attrs.field(default=None, init=False)
    """Set once the answer is there that is not to be carried."""

    async def carry(self, client: trio.SocketStream) -> None:
        """Carry what a client and the server say until one of them ends, or it is cut."""
        async with client, await trio.open_tcp_stream("127.0.0.1", self.to_port) as server:
            answered = trio.Event()
            async with trio.open_nursery() as nursery:
                with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                    nursery.start_soon(self._back, server, client, answered)
                    await self._forth(client, server, answered)
                nursery.cancel_scope.cancel()

    async def _forth(self, client: trio.SocketStream, server: trio.SocketStream, answered: trio.Event) -> None:
        async for chunk in client:
            self._chunks += 1
            if self._chunks % self.every:
                await server.send_all(chunk)
                continue
            point = _POINTS[len(self.cuts) % len(_POINTS)]
            self.cuts.append(point)
            if point != "before it":
                await server.send_all(chunk)
            if point == "before the answer":
                self._held = answered
                await answered.wait()
            return

    async def _back(self, server: trio.SocketStream, client: trio.SocketStream, answered: trio.Event) -> None:
        with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            async for chunk in server:
                if self._held is answered:
                    answered.set()
                    return
                await client.send_all(chunk)
            await client.send_eof()


@contextlib.asynccontextmanager
async def open_relay(every: int) -> AsyncIterator[Relay]:
    """Listen for clients of a server, whose port is still to be said, for as long as the block lasts."""
    relay = Relay(every)
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    relay.port = listener.socket.getsockname()[1]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, relay.carry, [listener])
        yield relay
        nursery.cancel_scope.cancel()
