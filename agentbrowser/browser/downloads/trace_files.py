"""Files of the traces of an engine, which Playwright keeps until the browser ends, and their limit.

Playwright never writes the same response or picture of a context twice. So files can be deleted only once no open
context needs them for its next trace.
"""

import asyncio
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import attrs

from agentbrowser.protocol.errors import ResourceLimitExceeded

MAX_BYTES: Final = 200 * 1024 * 1024
"""Disk space of an engine's traces while they are recorded, and of those that its open contexts have recorded."""
_EMPTYING_PAUSES_S: Final = (0.0, 0.2, 1.0, 5.0)
"""Pauses before the directory is emptied, and emptied again: the driver may still write the rest of a trace."""
_POLL_S: Final = 0.2
"""Pause between two measurements; a page fills the disk with its responses meanwhile."""


@attrs.define(eq=False)
class TraceFiles:
    """Directory of an engine's traces. A user of it is a context that has recorded one, until it is closed."""

    _folder: Path | None = attrs.field(default=None, init=False)
    _users: dict[object, None] = attrs.field(factory=dict, init=False)
    _emptying: "asyncio.Task[None] | None" = attrs.field(default=None, init=False)
    """Kept only because the loop does not keep its tasks."""
    _lock: asyncio.Lock = attrs.field(factory=asyncio.Lock, init=False)
    """Held while files are deleted."""

    def begin(self, folder: Path) -> None:
        """Use another directory, that of a new driver, which may run in another event loop."""
        self._folder, self._lock = folder, asyncio.Lock()
        self._users.clear()

    async def join(self, user: object) -> None:
        """Count with a user that begins to record. [asyncio]

        Raises:
          ResourceLimitExceeded: the traces of the engine have the whole space.
        """
        self._users[user] = None
        async with self._lock:  # what is being deleted is not counted
            pass
        if (size := await self.size()) > MAX_BYTES:
            raise too_large(size)

    def leave(self, user: object) -> None:
        """Count with a user no longer; the last one leaves an empty directory."""
        if user in self._users:
            del self._users[user]
            if not self._users and self._folder is not None:
                self._emptying = asyncio.create_task(self._keep_empty(self._folder))

    async def _keep_empty(self, folder: Path) -> None:
        for pause_s in _EMPTYING_PAUSES_S:
            await asyncio.sleep(pause_s)
            async with self._lock:
                if self._users:
                    return
                await asyncio.to_thread(_empty, folder)

    async def until_exceeded(self) -> int:
        """Wait until the traces have more than their space, and return their size. [asyncio]"""
        while (size := await self.size()) <= MAX_BYTES:  # noqa: ASYNC110 - the driver writes them
            await asyncio.sleep(_POLL_S)
        return size

    async def size(self) -> int:
        """Return the number of bytes in the directory; 0 for a browser that another program has started. [asyncio]"""
        return 0 if self._folder is None else await asyncio.to_thread(_measure, self._folder)


def too_large(size: int) -> ResourceLimitExceeded:
    """Return the error for traces that have the whole space."""
    return ResourceLimitExceeded(
        f"The traces of this browser have {size} bytes on the disk; they may have {MAX_BYTES}.",
        resource="trace files",
        limit=MAX_BYTES,
        current=size,
        hint="Record less, or without snapshots, in another context, and close those that have recorded.",
    )


def _measure(folder: Path) -> int:
    return sum(size for size in map(_size_of, _files(folder)))


def _files(folder: Path) -> Iterator[str]:
    for path, _, names in os.walk(folder):
        yield from (os.path.join(path, name) for name in names)


def _size_of(path: str) -> int:
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0


def _empty(folder: Path) -> None:
    """Delete what is in the directory."""
    for path in list(folder.iterdir()) if folder.exists() else ():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
