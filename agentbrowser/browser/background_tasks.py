"""Work that nobody waits for."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import attrs
import structlog

log = structlog.get_logger("agentbrowser.browser")


@attrs.define(eq=False)
class BackgroundTasks:
    """What one client's pages have going on in the background."""

    _tasks: set[asyncio.Task[None]] = attrs.field(factory=set, init=False)

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run the work; an error of it is only logged."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def cancel(self) -> None:
        """Cancel all that runs."""
        for task in list(self._tasks):
            task.cancel()

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("chore_failed", error=type(error).__name__)
