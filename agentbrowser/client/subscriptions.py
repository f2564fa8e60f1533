"""What hears the news of a server: events, questions of approvals, and what becomes of the line itself."""

from typing import Any, Final

import attrs
import trio

from agentbrowser.client.connection.transport import ConnectionLost
from agentbrowser.methods import EVENTS
from agentbrowser.protocol.codec import structure
from agentbrowser.protocol.errors import InvalidParams

MAX_WAITING: Final = 10_000
CHANGES: Final = "line/changed"
"""The name under which changes of the line itself are heard; no server sends anything of that name."""
QUESTIONS: Final = "approval/required"
_EVENTS: Final = "notifications/"


@attrs.define(eq=False)
class Ear:
    """What one listener has not taken yet. What comes faster than it is taken is lost."""

    names: frozenset[str]
    _send: trio.MemorySendChannel[Any] = attrs.field(init=False)
    _receive: trio.MemoryReceiveChannel[Any] = attrs.field(init=False)
    _why: ConnectionLost | None = attrs.field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self._send, self._receive = trio.open_memory_channel[Any](MAX_WAITING)

    def put(self, news: Any) -> bool:
        """Add to what is to be taken; return whether there was room."""
        try:
            self._send.send_nowait(news)
        except trio.WouldBlock:
            return False
        return True

    async def receive(self) -> Any:
        """Return the next of the news; None once there will be no more. [trio]

        Raises:
          ConnectionLost: the line is lost; who hears the line's own news has heard of it.
        """
        try:
            return await self._receive.receive()
        except (trio.EndOfChannel, trio.ClosedResourceError):
            if self._why is not None and CHANGES not in self.names:
                raise self._why.again() from None
            return None

    def end(self, why: ConnectionLost | None) -> None:
        """Let no more in; what is there can be taken, then comes why the line was lost, unless we have left."""
        self._why = why
        self._send.close()

    def close(self) -> None:
        """Let go of everything."""
        self._send.close()
        self._receive.close()


def names_of(kinds: frozenset[str]) -> frozenset[str]:
    """Return the names of the notifications that tell of these kinds of events."""
    return frozenset(_EVENTS + kind for kind in kinds)


def kinds_of(names: frozenset[str]) -> frozenset[str]:
    """Return the kinds of events that a server has to be asked for, to hear the notifications of these names."""
    return frozenset(name.removeprefix(_EVENTS) for name in names if name.startswith(_EVENTS))


def news_of(name: str, params: Any) -> Any:
    """Return a notification as a typed value; None for one of a newer server."""
    if name not in EVENTS:
        return None
    try:
        return structure(EVENTS[name].params, params)
    except InvalidParams:
        return None
