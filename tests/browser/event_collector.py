"""A client's ears: what a server tells unasked, taken in as it comes."""

import contextlib
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import attrs
import trio

from agentbrowser.client import Browser
from agentbrowser.client.connection.transport import ConnectionLost
from agentbrowser.protocol.types.event import EventKind, PublicEvent
from agentbrowser.server.app import Server
from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.gate.memory_transport import MemoryTransport, memory_pair

HEARING_S = 20.0


@attrs.define(eq=False)
class Ears:
    """The events of one client in the order in which they came."""

    heard: list[Any] = attrs.field(factory=list)
    _news: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot)

    async def listen(self, events: AsyncIterator[PublicEvent]) -> None:
        async for event in events:
            self.heard.append(event)
            self._news.unpark_all()

    async def until(self, fits: Callable[[Any], bool], count: int = 1) -> list[Any]:
        """Wait until that many events fit, and return those that do."""
        with trio.fail_after(HEARING_S):
            while len(found := self.all(fits)) < count:
                await self._news.park()
        return found

    def all(self, fits: Callable[[Any], bool]) -> list[Any]:
        """Return the events that fit so far."""
        return [event for event in self.heard if fits(event)]

    def types(self, kind: str) -> list[str]:
        """Return the types of one kind of events, in order."""
        return [event.type for event in self.heard if event.kind == kind]


@contextlib.asynccontextmanager
async def hearing(browser: Browser, *kinds: EventKind) -> AsyncIterator[Ears]:
    """Subscribe to kinds of events and take them in for as long as the block lasts."""
    ears = Ears()
    async with browser.events(*kinds) as events, trio.open_nursery() as nursery:
        nursery.start_soon(ears.listen, events)
        yield ears
        nursery.cancel_scope.cancel()


@attrs.define(eq=False)
class Plain:
    """A client that keeps every notification as it came, those of dropped events too."""

    transport: MemoryTransport
    told: list[dict[str, Any]] = attrs.field(factory=list)
    _answers: dict[int, dict[str, Any]] = attrs.field(factory=dict)
    _news: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot)
    _last_id: int = 0

    async def run(self) -> None:
        with contextlib.suppress(ConnectionLost):
            while True:
                message = json.loads(await self.transport.receive())
                if "id" in message:
                    self._answers[message["id"]] = message
                else:
                    self.told.append(message)
                self._news.unpark_all()

    async def get(self, method: str, **params: Any) -> Any:
        """Send a request and return its result."""
        self._last_id += 1
        id_ = self._last_id
        request = {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}
        await self.transport.send(json.dumps(request).encode())
        while id_ not in self._answers:
            await self._news.park()
        return self._answers.pop(id_)["result"]

    def named(self, name: str) -> list[dict[str, Any]]:
        """Return the params of the notifications of that name."""
        return [message["params"] for message in self.told if message["method"] == f"notifications/{name}"]


@contextlib.asynccontextmanager
async def plain_client(server: Server) -> AsyncIterator[Plain]:
    """Connect to a server in memory."""
    peer, transport = memory_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(server.serve, peer, Grant(server.config.scope, "memory"))
        client = Plain(transport)
        nursery.start_soon(client.run)
        yield client
        await transport.close()
