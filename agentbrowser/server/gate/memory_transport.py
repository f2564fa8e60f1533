"""In-process connection without a socket."""

from typing import Final

import attrs
import trio

from agentbrowser.client.connection.transport import ConnectionLost, Transport
from agentbrowser.server.gate.frame_meter import Intake
from agentbrowser.server.gate.socket import Peer, PeerGone

_BUFFERED_MESSAGES: Final = 16


@attrs.define(eq=False)
class MemoryPeer(Peer):
    """Server's end of an in-process connection."""

    _inbox: trio.MemoryReceiveChannel[str]
    _outbox: trio.MemorySendChannel[str]
    remote: str = "memory"
    intake: Intake = attrs.field(factory=Intake)

    async def receive(self) -> str:
        """Return the next text message."""
        try:
            return await self._inbox.receive()
        except (trio.EndOfChannel, trio.ClosedResourceError):
            raise PeerGone(None, "the client has left") from None

    async def send(self, message: bytes) -> None:
        """Send one text message."""
        try:
            await self._outbox.send(message.decode())
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise PeerGone(None, "the client has left") from None

    async def close(self, code: int, reason: str = "") -> None:
        """End the connection."""
        self._inbox.close()
        self._outbox.close()
        await trio.lowlevel.checkpoint()


@attrs.define(eq=False)
class MemoryTransport(Transport):
    """Client's end of an in-process connection."""

    _inbox: trio.MemoryReceiveChannel[str]
    _outbox: trio.MemorySendChannel[str]

    async def receive(self) -> str:
        """Return the next message."""
        try:
            return await self._inbox.receive()
        except (trio.EndOfChannel, trio.ClosedResourceError):
            raise ConnectionLost("The server closed the connection.") from None

    async def send(self, message: bytes) -> None:
        """Send a message."""
        try:
            await self._outbox.send(message.decode())
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise ConnectionLost("The server closed the connection.") from None

    async def close(self) -> None:
        """Close the connection."""
        self._inbox.close()
        self._outbox.close()
        await trio.lowlevel.checkpoint()


def memory_pair(remote: str = "memory") -> tuple[MemoryPeer, MemoryTransport]:
    """Return the two ends of a new connection; ``remote`` names the client in the log."""
    to_server, from_client = trio.open_memory_channel[str](_BUFFERED_MESSAGES)
    to_client, from_server = trio.open_memory_channel[str](_BUFFERED_MESSAGES)
    return MemoryPeer(from_client, to_client, remote), MemoryTransport(from_server, to_server)
