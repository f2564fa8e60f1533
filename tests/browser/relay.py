"""A TCP relay between a client and a server, which a test can cut."""

import contextlib
import socket
from collections.abc import AsyncIterator

import attrs
import trio


@attrs.define(eq=False)
class Relay:
    """Relay of bytes in both directions; after a cut, clients use a new connection."""

    server_port: int
    port: int = 0
    cuts: int = 0
    cut_after: int | None = None
    """Number of chunks from the client before the next cut; the last one still arrives, its answer does not."""
    _both: tuple[trio.SocketStream, trio.SocketStream] | None = None

    @property
    def url(self) -> str:
        """Return the URL for clients."""
        return f"ws://127.0.0.1:{self.port}"

    async def serve(self, client: trio.SocketStream) -> None:
        async with client, await trio.open_tcp_stream("127.0.0.1", self.server_port) as server:
            self._both = client, server
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._pass, client, server, True)
                await self._pass(server, client, False)
                nursery.cancel_scope.cancel()

    async def cut(self) -> None:
        """Close the connection at both ends, without a close frame."""
        assert self._both is not None
        self.cuts += 1
        for end in self._both:
            await trio.aclose_forcefully(end)

    async def _pass(self, source: trio.SocketStream, target: trio.SocketStream, from_client: bool) -> None:
        with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            while data := await source.receive_some():
                await target.send_all(data)
                if from_client and self.cut_after is not None:
                    self.cut_after -= 1
                    if self.cut_after <= 0:
                        self.cut_after = None
                        await self.cut()
            await target.send_eof()


@contextlib.asynccontextmanager
async def run_relay(door: socket.socket, server_port: int) -> AsyncIterator[Relay]:
    """Run a relay to a server for the connections to a listening socket."""
    listener = trio.SocketListener(trio.socket.from_stdlib_socket(door))
    relay = Relay(server_port, door.getsockname()[1])
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, relay.serve, [listener])
        yield relay
        nursery.cancel_scope.cancel()
