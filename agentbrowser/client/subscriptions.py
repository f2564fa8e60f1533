"""Subscriptions to notifications: events, approval requests, and changes of the connection itself."""

import contextlib
import logging
from collections import Counter
from typing import Any, Final

import attrs
import trio

from agentbrowser import methods
from agentbrowser.client.connection.transport import ConnectionLost
from agentbrowser.client.typed import structure
from agentbrowser.protocol.errors import InvalidParams

logger = logging.getLogger("agentbrowser.client")
"""Log of the library in its user's program, not that of a server."""

MAX_UNREAD_EVENTS: Final = 10_000
CONNECTION_CHANGES: Final = "connection/changed"
"""Local name of the notifications about connection changes; no server sends it."""
APPROVALS: Final = "approval/required"
_EVENT_PREFIX: Final = "notifications/"
_DROPPED: Final = "notifications/dropped"


@attrs.define(eq=False)
class Subscription:
    """Queue of the events that one listener has not read yet; a full queue drops new events."""

    names: frozenset[str]
    _send: trio.MemorySendChannel[Any] = attrs.field(init=False)
    _receive: trio.MemoryReceiveChannel[Any] = attrs.field(init=False)
    _close_reason: ConnectionLost | None = attrs.field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self._send, self._receive = trio.open_memory_channel[Any](MAX_UNREAD_EVENTS)

    def put(self, event: Any) -> bool:
        """Add an event; return False if the queue is full."""
        try:
            self._send.send_nowait(event)
        except trio.WouldBlock:
            return False
        return True

    async def receive(self) -> Any:
        """Return the next event; None at the end. [trio]

        Raises:
          ConnectionLost: the connection is lost for good; a subscription to its changes gets None instead.
        """
        try:
            return await self._receive.receive()
        except (trio.EndOfChannel, trio.ClosedResourceError):
            if self._close_reason is not None and CONNECTION_CHANGES not in self.names:
                raise self._close_reason.copy() from None
            return None

    async def unread(self) -> list[Any]:
        """Return the queued events without waiting. [trio]"""
        await trio.lowlevel.checkpoint()
        events = []
        with contextlib.suppress(trio.WouldBlock, trio.EndOfChannel, trio.ClosedResourceError):
            while True:
                events.append(self._receive.receive_nowait())
        return events

    def end(self, reason: ConnectionLost | None) -> None:
        """Accept no more events; after the queued ones `receive` raises the reason, or returns None without one."""
        self._close_reason = reason
        self._send.close()

    def close(self) -> None:
        """Drop the queued events."""
        self._send.close()
        self._receive.close()


def names_of(kinds: frozenset[str]) -> frozenset[str]:
    """Return the notification names of these event kinds."""
    return frozenset(_EVENT_PREFIX + kind for kind in kinds)


def kind_of(name: str) -> str:
    """Return the kind under which lost notifications are counted."""
    return name.rpartition("/")[2]


def kinds_of(names: frozenset[str]) -> frozenset[str]:
    """Return the event kinds that need ``events/subscribe`` for the notifications of these names."""
    return frozenset(name.removeprefix(_EVENT_PREFIX) for name in names if name.startswith(_EVENT_PREFIX))


def parse_event(name: str, params: Any) -> Any:
    """Return a notification as a typed value; None if only a newer server has it.

    Raises:
      InvalidParams: it is not what this client knows under that name.
    """
    declared = methods.find_event(name)
    return None if declared is None else structure(declared.params, params)


@attrs.define(eq=False)
class EventReader:
    """Reader of notifications. One that can't be read is counted, and logged if it is the first of its kind."""

    dropped: Counter[str]
    _logged: set[str] = attrs.field(factory=set, init=False)

    def read(self, name: str, params: Any) -> Any:
        """Return a notification as a typed value.

        None if it can't be read, if only a newer server has it, or if it reports lost events, which are added to
        `dropped`.
        """
        try:
            event = parse_event(name, params)
        except InvalidParams as error:
            self.dropped[kind_of(name)] += 1
            if name not in self._logged:
                self._logged.add(name)
                path, expected = error.details.get("path"), error.details.get("expected")  # its values may be secret
                logger.warning(
                    "%s is dropped, since it is not what this client knows: %s is not %s", name, path, expected
                )
            return None
        if name == _DROPPED:
            self.dropped[event.event_kind] += event.count
            return None
        return event
