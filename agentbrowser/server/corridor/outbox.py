"""Outbox of one client: replies wait for room, notifications are dropped without it."""

from collections import Counter, deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import attrs
import trio

from agentbrowser.protocol.wire import Notification, encode
from agentbrowser.server.sessions.idempotency_records import OwnerAnswers

if TYPE_CHECKING:
    from agentbrowser.server.sessions.session import Session
    from agentbrowser.server.watch.metrics import Metrics

MAX_MESSAGES: Final = 16
MAX_EVENTS: Final = 1000
"""Limit beyond which notifications are dropped; the loading of a page sends large batches."""
MAX_BYTES: Final = 16 * 1024 * 1024
MAX_OWNER_BYTES: Final = 64 * 1024 * 1024
"""Bytes that wait for all clients of an owner. Beyond it, one that has yet to take an answer gets no other."""
MAX_OWNER_IN_FLIGHT: Final = 1024
"""Requests of an owner that run. Beyond it, each of its connections has eight: every request is some 60 objects, and a
collection of garbage goes through all of them in one step."""
MAX_IN_A_CROWD: Final = 8
_PER_TURN: Final = 8
"""Turns that an owner takes in the same turn of the loop, such as for messages to read; others come between."""


@attrs.define(eq=False)
class OwnerShare:
    """Share of one owner, with all its connections, in turns of the loop, running requests and memory for answers."""

    answers: OwnerAnswers = attrs.field(factory=OwnerAnswers, init=False)
    """Those that its sessions keep for repeats."""
    waiting_bytes: int = attrs.field(default=0, init=False)
    """Bytes that its clients have yet to take."""
    in_flight: int = attrs.field(default=0, init=False)
    """Requests that run on all its connections."""
    _taken: int = attrs.field(default=0, init=False)
    """Turns that were taken in this turn of the loop."""
    _later: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot, init=False)

    def most_in_flight(self, limit: int) -> int:
        """Return how many requests may run on one of its connections, given the limit of one alone."""
        return min(limit, MAX_IN_A_CROWD) if self.in_flight >= MAX_OWNER_IN_FLIGHT else limit

    async def take_turn(self) -> None:
        """Wait for a turn of the loop in which little was done for the owner yet. [trio]"""
        if self._taken >= _PER_TURN or self._later:
            await self._later.park()
            return
        self._taken += 1
        if self._taken == 1:
            trio.lowlevel.current_trio_token().run_sync_soon(self._next_turn)

    def _next_turn(self) -> None:
        self._taken = len(self._later.unpark(count=_PER_TURN))
        if self._taken:
            trio.lowlevel.current_trio_token().run_sync_soon(self._next_turn)


@attrs.define(eq=False)
class Outbox:
    """Queue of encoded messages, bounded in number and in bytes; a larger message is queued alone."""

    share: OwnerShare = attrs.field(factory=OwnerShare, kw_only=True)
    _queue: deque[bytes] = attrs.field(factory=deque, init=False)
    _bytes: int = attrs.field(default=0, init=False)
    _room: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot, init=False)
    _mail: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot, init=False)
    dropped: Counter[str] = attrs.field(factory=Counter, init=False)
    on_drop: Callable[[str, int], object] = attrs.field(default=lambda kind, count: None, kw_only=True)
    """Receives the kind and the number of dropped notifications."""

    def __len__(self) -> int:
        return len(self._queue)

    async def put(self, message: bytes) -> None:
        """Queue a message, waiting for room."""
        self.share.waiting_bytes += len(message)  # it takes memory while it waits, too
        try:
            while not self._fits(message, MAX_MESSAGES):
                await self._room.park()
        finally:
            self.share.waiting_bytes -= len(message)
        self._append(message)

    async def wait_for_memory(self) -> None:
        """Wait until another answer may be made: the client has taken its own, or its owner's have memory. [trio]"""
        while self._queue and self.share.waiting_bytes > MAX_OWNER_BYTES:
            await self._room.park()

    def close(self) -> None:
        """Forget the messages of a client that has left."""
        self.share.waiting_bytes -= self._bytes
        self._queue.clear()
        self._bytes = 0

    async def put_when_idle(self, message: bytes) -> None:
        """Queue a message once the queue is empty, so that it delays no other.

        Cancel: the message is not queued.
        """
        await trio.lowlevel.checkpoint_if_cancelled()
        while self._queue:
            await self._room.park()
            await trio.lowlevel.checkpoint_if_cancelled()  # a cancellation may come in the same turn as the wake-up
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
        """Count notifications as dropped; `take` reports them to the client."""
        self.dropped[kind] += count
        self.on_drop(kind, count)

    async def take(self) -> bytes:
        """Return the next message to write, and report dropped notifications once there is room."""
        while not self._queue:
            await self._mail.park()
        message = self._queue.popleft()
        self._count(-len(message))
        self._report_dropped()
        self._room.unpark_all()
        return message

    def _fits(self, message: bytes, limit: int) -> bool:
        return not self._queue or (len(self._queue) < limit and self._bytes + len(message) <= MAX_BYTES)

    def _append(self, message: bytes) -> None:
        self._queue.append(message)
        self._count(len(message))
        self._mail.unpark()

    def _count(self, size: int) -> None:
        self._bytes += size
        self.share.waiting_bytes += size

    def _report_dropped(self) -> None:
        while self.dropped and len(self._queue) < MAX_MESSAGES:
            kind, count = self.dropped.popitem()
            self._append(encode(Notification("notifications/dropped", {"kind": kind, "count": count})))


def open_outbox(session: "Session", metrics: "Metrics | None") -> Outbox:
    """Return the outbox of a session's connection, which shares turns and memory with its owner's others."""
    return Outbox(share=session.share) if metrics is None else Outbox(share=session.share, on_drop=metrics.dropped)
