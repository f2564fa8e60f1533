"""Relay of bytes between two streams, both ways, within a budget."""

import attrs
import trio

from agentbrowser.server.egress.copy_loop import CopyLoop


class Overspent(Exception):
    """Exceeded byte budget."""


@attrs.define
class Budget:
    """Number of bytes that may still be relayed; a budget can have a parent budget."""

    remaining_bytes: int
    parent: "Budget | None" = None

    def spend(self, count: int) -> None:
        """Subtract bytes from the budget and from its parent.

        Raises:
          Overspent: fewer bytes are left.
        """
        self.remaining_bytes -= count
        if self.remaining_bytes < 0:
            raise Overspent
        if self.parent is not None:
            self.parent.spend(count)


@attrs.define(eq=False, kw_only=True)
class Relay:
    """Relay between two streams; it buffers at most one chunk of each direction.

    Args:
      idle_s: time without a byte after which both streams are dropped, accurate to a hundredth.
      linger_s: the same after one direction has ended.
    """

    inbound: trio.SocketStream
    outbound: trio.SocketStream
    copy_loop: CopyLoop
    budget: Budget
    idle_s: float
    linger_s: float
    _idle_scope: trio.CancelScope = attrs.field(factory=trio.CancelScope, init=False)
    _next_update_s: float = attrs.field(default=0.0, init=False)
    """Earliest time of the next deadline update: one for each chunk would cost too much."""

    async def run(self) -> None:
        """Relay until both directions have ended or the idle time is over. [trio]

        Raises:
          ExceptionGroup: of Overspent if the budget is exceeded; of Trio's errors if a stream is broken.
        """
        self._reset_deadline()
        with self._idle_scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._copy, self.inbound, self.outbound)
                await self._copy(self.outbound, self.inbound)

    async def _copy(self, source: trio.SocketStream, sink: trio.SocketStream) -> None:
        while unsent := await self.copy_loop.copy(source, sink, self._count):
            await sink.send_all(unsent)
        await sink.send_eof()
        self.idle_s = min(self.idle_s, self.linger_s)
        self._reset_deadline()

    def _count(self, count: int) -> None:
        self.budget.spend(count)
        if trio.current_time() >= self._next_update_s:
            self._reset_deadline()

    def _reset_deadline(self) -> None:
        now = trio.current_time()
        self._idle_scope.deadline, self._next_update_s = now + self.idle_s, now + self.idle_s / 100
