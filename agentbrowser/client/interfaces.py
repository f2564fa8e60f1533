"""Interfaces of a connection and of an event subscription, which each flavour of the client implements."""

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from agentbrowser.client.connection.reconnect import ConnectionState

if TYPE_CHECKING:
    from agentbrowser.protocol.types.event import EventFilter


class SubscriptionInterface(Protocol):
    """Events that one listener has not read yet."""

    async def receive(self) -> Any:
        """Return the next event; None at the end.

        Raises:
          ConnectionLost: the connection is lost for good.
        """
        ...

    async def unread(self) -> list[Any]:
        """Return the events that have arrived, without waiting."""
        ...


class ConnectionInterface(Protocol):
    """A connection to a server, which reconnects."""

    @property
    def state(self) -> ConnectionState:
        """Return the state of the connection."""
        ...

    @property
    def dropped(self) -> Counter[str]:
        """Return the number of lost events by kind, on the server and in the client."""
        ...

    @property
    def server_info(self) -> Any:
        """Return the result of ``initialize`` as plain data; None without a handshake."""
        ...

    async def request(self, method: str, params: Mapping[str, Any] | None = None, timeout_ms: int | None = None) -> Any:
        """Call a method by its wire name with plain data, and return plain data; cancel it after the timeout."""
        ...

    async def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Send a notification."""
        ...

    async def subscribe(self, names: frozenset[str], filter: "EventFilter | None" = None) -> SubscriptionInterface:
        """Subscribe to the notifications of these names."""
        ...

    async def unsubscribe(self, subscription: Any) -> None:
        """End a subscription."""
        ...
