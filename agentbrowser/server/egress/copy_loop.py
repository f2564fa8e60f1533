"""Carrying what comes on many sockets in one task: to wake one for each piece costs three times what the piece does."""

import os
import selectors
from collections.abc import Callable
from typing import Final

import attrs
import trio
from outcome import Error, Outcome, Value

from agentbrowser.server.gate.byte_stream import RECEIVE_BYTES

_TURNS: Final = 8
"""How often one looks for more before the other tasks have their turn."""


@attrs.define(eq=False)
class _Direction:
    """One direction of a connection: from one socket, which never blocks, to another."""

    source: int
    sink: int
    count: Callable[[int], None]
    task: trio.lowlevel.Task

    def move(self) -> Outcome[bytes] | None:
        """Carry a piece; return what ends it, if anything does: an error, the end, or what the sink has no room for."""
        try:
            data = os.read(self.source, RECEIVE_BYTES)
            self.count(len(data))
            left = data[_write(self.sink, data) :]
        except BlockingIOError:
            return None
        except OSError as lost:
            return Error(_broken(lost))
        except Exception as refused:  # noqa: BLE001 - raised where the lane is waited for
            return Error(refused)
        return Value(left) if left or not data else None


def _broken(lost: OSError) -> trio.BrokenResourceError:
    error = trio.BrokenResourceError(str(lost))
    error.__cause__ = lost
    return error


def _write(sink: int, data: bytes) -> int:
    try:
        return os.write(sink, data) if data else 0
    except BlockingIOError:
        return 0


@attrs.define(eq=False)
class CopyLoop:
    """The lanes of one door. Must be closed after all that uses it has ended."""

    _ready: selectors.BaseSelector = attrs.field(factory=lambda: selectors.DefaultSelector(), init=False)

    def __enter__(self) -> "CopyLoop":
        return self

    def __exit__(self, *_: object) -> None:
        self._ready.close()

    @property
    def _can_wait(self) -> bool:
        """Tell whether one can wait for all sockets at once; on Windows one can't, and each piece has its own task."""
        return hasattr(self._ready, "fileno")

    async def run(self) -> None:
        """Carry for ever. [trio]"""
        while self._can_wait:
            await trio.lowlevel.wait_readable(self._ready)  # type: ignore[arg-type]  # a selector is a descriptor, too
            self._turn()

    def _turn(self) -> None:
        for _ in range(_TURNS):
            keys = self._ready.select(0)
            if not keys:
                return
            for key, _ in keys:
                lane: _Direction = key.data
                if (end := lane.move()) is not None:
                    self._ready.unregister(lane.source)
                    trio.lowlevel.reschedule(lane.task, end)

    async def copy(self, source: trio.SocketStream, sink: trio.SocketStream, count: Callable[[int], None]) -> bytes:
        """Carry from one to the other until it ends, or as much has come as the sink has no room for. [trio]

        Args:
          count: is told how many bytes come, each time before they go on; what it raises ends it.

        Returns: what has come and not gone on; nothing at the end.

        Raises:
          BrokenResourceError: a side has broken off.
        """
        if not self._can_wait:
            data = bytes(await source.receive_some(RECEIVE_BYTES))
            count(len(data))
            return data
        lane = _Direction(source.socket.fileno(), sink.socket.fileno(), count, trio.lowlevel.current_task())
        self._ready.register(lane.source, selectors.EVENT_READ, lane)

        def give_up(_: trio.lowlevel.RaiseCancelT) -> trio.lowlevel.Abort:
            self._ready.unregister(lane.source)
            return trio.lowlevel.Abort.SUCCEEDED

        left: bytes = await trio.lowlevel.wait_task_rescheduled(give_up)
        return left
