"""Collectors of a client's events and notifications."""

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

COLLECT_TIMEOUT_S = 20.0


@attrs.define(eq=False)
class EventCollector:
    """Events of one client in the order of arrival."""

    events: list[Any] = attrs.field(factory=list)
    _arrival: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot)

    async def collect(self, events: AsyncIterator[PublicEvent]) -> None:
        async for event in events:
            self.events.append(event)
            self._arrival.unpark_all()

    async def until(self, matches: Callable[[Any], bool], count: int = 1) -> list[Any]:
        """Wait for that many matching events, and return them."""
        with trio.fail_after(COLLECT_TIMEOUT_S):
            while len(found := self.all(matches)) < count:
                await self._arrival.park()
        return found

    def all(self, matches: Callable[[Any], bool]) -> list[Any]:
        """Return the matching events so far."""
        return [event for event in self.events if matches(event)]

    def types(self, kind: str) -> list[str]:
        """Return the types of one kind of events, in order."""
        return [event.type for event in self.events if event.kind == kind]


@contextlib.asynccontextmanager
async def collect_events(browser: Browser, *kinds: EventKind) -> AsyncIterator[EventCollector]:
    """Subscribe to kinds of events, and collect them for the duration of the block."""
    collector = EventCollector()
    async with browser.events(*kinds) as events, trio.open_nursery() as nursery:
        nursery.start_soon(collector.collect, events)
        yield collector
        nursery.cancel_scope.cancel()


@attrs.define(eq=False)
class NotificationClient:
    """A client that keeps every notification unparsed, including those of dropped events."""

    transport: MemoryTransport
    notifications: list[dict[str, Any]] = attrs.field(factory=list)
    _answers: dict[int, dict[str, Any]] = attrs.field(factory=dict)
    _arrival: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot)
    _last_id: int = 0

    async def run(self) -> None:
        with contextlib.suppress(ConnectionLost):
            while True:
                message = json.loads(await self.transport.receive())
                if "id" in message:
                    self._answers[message["id"]] = message
                else:
                    self.notifications.append(message)
                self._arrival.unpark_all()

    async def get(self, method: str, **params: Any) -> Any:
        """Send a request and return its result."""
        self._last_id += 1
        id_ = self._last_id
        request = {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}
        await self.transport.send(json.dumps(request).encode())
        while id_ not in self._answers:
            await self._arrival.park()
        return self._answers.pop(id_)["result"]

    def named(self, name: str) -> list[dict[str, Any]]:
        """Return the params of the notifications of that name."""
        return [message["params"] for message in self.notifications if message["method"] == f"notifications/{name}"]


@contextlib.asynccontextmanager
async def notification_client(server: Server) -> AsyncIterator[NotificationClient]:
    """Connect to a server in memory."""
    peer, transport = memory_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(server.serve, peer, Grant(server.config.scope, "memory"))
        client = NotificationClient(transport)
        nursery.start_soon(client.run)
        yield client
        await transport.close()
