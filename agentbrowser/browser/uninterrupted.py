"""Work that must not be cut in half, since half a creation can't be taken back."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from agentbrowser.protocol.errors import AgentBrowserError

ResultT = TypeVar("ResultT")


async def keep(_: object) -> None:
    """Leave what was made as it is. [asyncio]"""


async def whole(work: Coroutine[Any, Any, ResultT], undo: Callable[[ResultT], Awaitable[None]]) -> ResultT:
    """Await work that must not be cut in half; if its caller is cancelled, undo what it made. [asyncio]"""
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        with contextlib.suppress(AgentBrowserError):  # then there is nothing to undo
            await undo(await task)
        raise
