"""What the objects of the client stand on: a line to a server, in whatever flavour."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Protocol

from agentbrowser.client.connection.reconnect import LineState
from agentbrowser.protocol.types.event import EventFilter


class Ears(Protocol):
    """What hears the news."""

    async def receive(self) -> Any:
        """Return the next of the news; None once there will be no more.

        Raises:
          ConnectionLost: the line is lost for good.
        """
        ...


class Lines(Protocol):
    """A line to a server."""

    @property
    def state(self) -> LineState:
        """Whether there is a connection."""
        ...

    @property
    def dropped(self) -> Counter[str]:
        """How many events of each kind were lost, here or on the way."""
        ...

    @property
    def told(self) -> Any:
        """What the server has said of itself, as plain data; None where it was not asked."""
        ...

    async def request(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Call a method by its wire name with plain data, and return plain data."""
        ...

    async def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Send a notification."""
        ...

    async def hear(self, names: frozenset[str], filter: EventFilter | None = None) -> Ears:
        """Return what hears the news of these names."""
        ...

    async def unhear(self, ear: Any) -> None:
        """Let go of what hears."""
        ...
