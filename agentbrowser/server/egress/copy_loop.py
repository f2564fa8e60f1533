"""Copy loop that serves many sockets in one task: to wake a task for each chunk costs three times the copy."""

import os
import selectors
from collections.abc import Callable
from typing import Final

import attrs
import trio
from outcome import Error, Outcome, Value

from agentbrowser.server.gate.byte_stream import RECEIVE_BYTES

_MAX_POLLS: Final = 8
"""Number of polls before other tasks may run."""


@attrs.define(eq=False)
class _Direction:
    """One direction of a connection between two non-blocking sockets."""

    source: int
    sink: int
    count: Callable[[int], None]
    task: trio.lowlevel.Task

    def copy_chunk(self) -> Outcome[bytes] | None:
        """Copy a chunk; return the outcome if the copy ends: error, end of stream, or unsent bytes."""
        try:
            data = os.read(self.source, RECEIVE_BYTES)
            self.count(len(data))
            unsent = data[_write(self.sink, data) :]
        except BlockingIOError:
            return None
        except OSError as error:
            return Error(_broken(error))
        except Exception as refused:  # noqa: BLE001 - the task in `copy` raises it
            return Error(refused)
        return Value(unsent) if unsent or not data else None


def _broken(cause: OSError) -> trio.BrokenResourceError:
    error = trio.BrokenResourceError(str(cause))
    error.__cause__ = cause
    return error


def _write(sink: int, data: bytes) -> int:
    try:
        return os.write(sink, data) if data else 0
    except BlockingIOError:
        return 0


@attrs.define(eq=False)
class CopyLoop:
    """Copy loop for the connections of one session proxy. Must be closed after all its users have ended."""

    _ready: selectors.BaseSelector = attrs.field(factory=lambda: selectors.DefaultSelector(), init=False)

    def __enter__(self) -> "CopyLoop":
        return self

    def __exit__(self, *_: object) -> None:
        self._ready.close()

    @property
    def _can_wait(self) -> bool:
        """Return True if the system can wait for all sockets at once; on Windows each chunk wakes its own task."""
        return hasattr(self._ready, "fileno")

    async def run(self) -> None:
        """Copy until cancelled. [trio]"""
        while self._can_wait:
            await trio.lowlevel.wait_readable(self._ready)  # type: ignore[arg-type]  # a selector has a descriptor
            self._poll()

    def _poll(self) -> None:
        for _ in range(_MAX_POLLS):
            keys = self._ready.select(0)
            if not keys:
                return
            for key, _ in keys:
                direction: _Direction = key.data
                if (end := direction.copy_chunk()) is not None:
                    self._ready.unregister(direction.source)
                    trio.lowlevel.reschedule(direction.task, end)

    async def copy(self, source: trio.SocketStream, sink: trio.SocketStream, count: Callable[[int], None]) -> bytes:
        """Copy from one stream to the other until the source ends or the sink has no room. [trio]

        Args:
          count: called with the size of each chunk before it is sent; its exceptions end the copy.

        Returns: the bytes that were received and not sent; empty at the end of the stream.

        Raises:
          BrokenResourceError: one of the streams is broken.
        """
        if not self._can_wait:
            data = bytes(await source.receive_some(RECEIVE_BYTES))
            count(len(data))
            return data
        direction = _Direction(source.socket.fileno(), sink.socket.fileno(), count, trio.lowlevel.current_task())
        self._ready.register(direction.source, selectors.EVENT_READ, direction)

        def abort(_: trio.lowlevel.RaiseCancelT) -> trio.lowlevel.Abort:
            self._ready.unregister(direction.source)
            return trio.lowlevel.Abort.SUCCEEDED

        unsent: bytes = await trio.lowlevel.wait_task_rescheduled(abort)
        return unsent
