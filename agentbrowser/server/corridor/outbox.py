"""What waits to be written to one client: replies wait for room, notifications do not."""

from collections import Counter, deque
from collections.abc import Callable
from typing import Final

import attrs
import trio

from agentbrowser.protocol.wire import Notification, encode

MAX_MESSAGES: Final = 16
MAX_EVENTS: Final = 1000
"""Messages beyond which notifications are dropped; they come in batches, as large as the loading of a page."""
MAX_BYTES: Final = 16 * 1024 * 1024


@attrs.define(eq=False)
class Outbox:
    """A queue of encoded messages, bounded in number and in bytes; a message larger than the bound goes alone."""

    _queue: deque[bytes] = attrs.field(factory=deque, init=False)
    _bytes: int = attrs.field(default=0, init=False)
    _room: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot, init=False)
    _mail: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot, init=False)
    dropped: Counter[str] = attrs.field(factory=Counter, init=False)
    on_drop: Callable[[str, int], object] = attrs.field(default=lambda kind, count: None, kw_only=True)
    """Hears the kinds of the notifications that are dropped, and how many."""

    def __len__(self) -> int:
        return len(self._queue)

    async def put(self, message: bytes) -> None:
        """Queue a message, waiting for room."""
        while not self._fits(message, MAX_MESSAGES):
            await self._room.park()
        self._append(message)

    async def trickle(self, message: bytes) -> None:
        """Queue a message once nothing else waits, so that it keeps the room from no other.

        Cancel: the message is not queued.
        """
        await trio.lowlevel.checkpoint_if_cancelled()
        while self._queue:
            await self._room.park()
            await trio.lowlevel.checkpoint_if_cancelled()  # it may be cancelled in the very turn that woke it
        self._append(message)

    def offer(self, kind: str, message: bytes) -> bool:
        """Queue a notification if there is room, else count it as dropped and return False; never waits."""
        fits = self._fits(message, MAX_EVENTS)
        if fits:
            self._append(message)
        else:
            self.drop(kind)
        return fits

    def drop(self, kind: str, count: int = 1) -> None:
        """Count notifications as dropped; the client is told of it later."""
        self.dropped[kind] += count
        self.on_drop(kind, count)

    async def take(self) -> bytes:
        """Return the next message to write; the client is told of dropped notifications as soon as there is room."""
        while not self._queue:
            await self._mail.park()
        message = self._queue.popleft()
        self._bytes -= len(message)
        self._tell_dropped()
        self._room.unpark_all()
        return message

    def _fits(self, message: bytes, limit: int) -> bool:
        return not self._queue or (len(self._queue) < limit and self._bytes + len(message) <= MAX_BYTES)

    def _append(self, message: bytes) -> None:
        self._queue.append(message)
        self._bytes += len(message)
        self._mail.unpark()

    def _tell_dropped(self) -> None:
        while self.dropped and len(self._queue) < MAX_MESSAGES:
            kind, count = self.dropped.popitem()
            self._append(encode(Notification("notifications/dropped", {"kind": kind, "count": count})))
