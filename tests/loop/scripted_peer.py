"""A server made of words: the client's lines end here, and a test says what comes back on each."""

import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import attrs
import trio

from agentbrowser.client import Browser, ConnectionLost, Reconnect, SessionKey, Transport
from agentbrowser.client.connection.connection import ClientConnection
from agentbrowser.client.connection.dial import run_connection
from agentbrowser.client.connection.handshake import Handshake
from agentbrowser.server.gate.memory_transport import MemoryPeer, memory_pair
from agentbrowser.server.gate.socket import PeerGone

LIMIT_S = 1000.0
"""Virtual seconds: the clock jumps."""


@attrs.define(eq=False)
class Call:
    """One connection, seen from the server."""

    peer: MemoryPeer
    after_s: float
    """How long after the one before it came."""

    async def hear(self) -> dict[str, Any]:
        """Return the next message of the client."""
        heard: dict[str, Any] = json.loads(await self.peer.receive())
        return heard

    async def hear_call(self, method: str) -> dict[str, Any]:
        """Return the next message, which is to call that method."""
        heard = await self.hear()
        assert heard["method"] == method, heard
        return heard

    async def say(self, **message: Any) -> None:
        """Send a message."""
        await self.peer.send(json.dumps({"jsonrpc": "2.0", **message}).encode())

    async def answer(self, request: dict[str, Any], **result: Any) -> None:
        """Send the result of a request."""
        await self.say(id=request["id"], result=result)

    async def refuse(self, request: dict[str, Any], code: int, message: str = "No.", **data: Any) -> None:
        """Send the error of a request."""
        await self.say(id=request["id"], error={"code": code, "message": message, "data": data})

    async def tell(self, name: str, **params: Any) -> None:
        """Send a notification."""
        await self.say(method=name, params=params)

    async def welcome(self, **result: Any) -> dict[str, Any]:
        """Answer the client's handshake, and return its params."""
        request = await self.hear_call("initialize")
        await self.answer(request, sessionSecret="s3cret", **result)
        params: dict[str, Any] = request["params"]
        return params

    async def hang_up(self) -> None:
        """Lose the connection."""
        await self.peer.close(1006)

    async def gone(self) -> bool:
        """Wait until the client has left."""
        with contextlib.suppress(PeerGone), trio.fail_after(LIMIT_S):
            while True:
                await self.peer.receive()
        return True


@attrs.define(eq=False)
class Switchboard:
    """Where the client's connections arrive."""

    refusals: list[ConnectionLost] = attrs.field(factory=list)
    """What the next attempts to connect come to."""
    attempts_s: list[float] = attrs.field(factory=list)
    """When there were attempts, in virtual seconds."""
    _calls: Any = attrs.field(factory=lambda: trio.open_memory_channel[Call](100))

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[Transport]:
        """Connect, as the client does."""
        now = trio.current_time()
        after_s = now - self.attempts_s[-1] if self.attempts_s else 0.0
        self.attempts_s.append(now)
        if self.refusals:
            raise self.refusals.pop(0)
        peer, transport = memory_pair()
        await self._calls[0].send(Call(peer, after_s))
        try:
            yield transport
        finally:
            with trio.CancelScope(shield=True):
                await transport.close()

    async def call(self) -> Call:
        """Return the next connection."""
        with trio.fail_after(LIMIT_S):
            call: Call = await self._calls[1].receive()
        return call

    @contextlib.asynccontextmanager
    async def client(
        self, reconnect: Reconnect | None = None, session: SessionKey | None = None, **welcome: Any
    ) -> AsyncIterator[tuple[Browser, Call]]:
        """Give a client that is connected, and the server's side of its connection."""
        handshake = Handshake(session=session or SessionKey(id="me"), ends_session=False)
        connection = ClientConnection(open=self.open, handshake=handshake, reconnect=reconnect or Reconnect())
        first: list[Call] = []

        async def receive() -> None:
            first.append(await self.call())
            await first[0].welcome(**welcome)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(receive)
            async with run_connection(connection):
                yield Browser(connection), first[0]
            nursery.cancel_scope.cancel()

    @property
    def waits_s(self) -> list[float]:
        """The times between the attempts."""
        return [round(b - a, 6) for a, b in zip(self.attempts_s, self.attempts_s[1:], strict=False)]
