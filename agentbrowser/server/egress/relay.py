"""Carrying bytes between two streams, both ways, within bounds."""

import attrs
import trio

from agentbrowser.server.egress.copy_loop import CopyLoop


class Overspent(Exception):
    """More bytes were carried than there is a budget for."""


@attrs.define
class Budget:
    """Bytes that may still be carried; a budget can be a part of another one."""

    left: int
    whole: "Budget | None" = None

    def spend(self, count: int) -> None:
        """Take the bytes from the budget, and from the one that it is a part of.

        Raises:
          Overspent: there are not as many left.
        """
        self.left -= count
        if self.left < 0:
            raise Overspent
        if self.whole is not None:
            self.whole.spend(count)


@attrs.define(eq=False, kw_only=True)
class Relay:
    """Two streams and what is between them: at most one piece of each direction is held at any time.

    Args:
      idle_s: how long no byte may pass before both are given up, to a hundredth.
      linger_s: the same once one direction has ended.
    """

    near: trio.SocketStream
    far: trio.SocketStream
    copy_loop: CopyLoop
    budget: Budget
    idle_s: float
    linger_s: float
    _clock: trio.CancelScope = attrs.field(factory=trio.CancelScope, init=False)
    _due_s: float = attrs.field(default=0.0, init=False)
    """When the clock is to be put forward again, at the earliest: each piece is no reason to."""

    async def run(self) -> None:
        """Carry until both directions have ended, or nothing passes any more. [trio]

        Raises:
          ExceptionGroup: of Overspent, when the budget is used up; of what Trio raises when a side has broken off.
        """
        self._reset_deadline()
        with self._clock:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._copy, self.near, self.far)
                await self._copy(self.far, self.near)

    async def _copy(self, source: trio.SocketStream, sink: trio.SocketStream) -> None:
        while left := await self.copy_loop.copy(source, sink, self._count):
            await sink.send_all(left)
        await sink.send_eof()
        self.idle_s = min(self.idle_s, self.linger_s)
        self._reset_deadline()

    def _count(self, count: int) -> None:
        self.budget.spend(count)
        if trio.current_time() >= self._due_s:
            self._reset_deadline()

    def _reset_deadline(self) -> None:
        now = trio.current_time()
        self._clock.deadline, self._due_s = now + self.idle_s, now + self.idle_s / 100
