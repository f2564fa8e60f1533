"""Processes that run for the length of a block."""

import contextlib
import os
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import trio

from agentbrowser.nursery import open_quiet_nursery

_START_S: Final = 30.0
_END_S: Final = 5.0


@contextlib.asynccontextmanager
async def running(
    command: Sequence[str], *, home: Path, piped: bool = False, env: Mapping[str, str] | None = None
) -> AsyncIterator[trio.Process]:
    """Run a program in a directory, and wait for its end. [trio]

    Args:
      piped: whether its standard input and output are ours.
      env: what it has in its environment besides ours.
    """
    ours = subprocess.PIPE if piped else subprocess.DEVNULL
    streams = {"stdin": ours, "stdout": ours, "stderr": subprocess.DEVNULL}
    run = partial(trio.run_process, command, **streams, cwd=home, env={**os.environ, **(env or {})}, check=False)
    async with open_quiet_nursery() as nursery:
        process: trio.Process = await nursery.start(run)
        try:
            yield process
        finally:
            with trio.move_on_after(_END_S) as scope:
                scope.shield = True
                if process.stdin is not None:
                    await process.stdin.aclose()
                else:
                    process.terminate()
                await process.wait()
            nursery.cancel_scope.cancel()


async def until(ready: Callable[[], Awaitable[bool]]) -> None:
    """Wait for a condition in another process. [trio]"""
    with trio.fail_after(_START_S):
        while not await ready():  # noqa: ASYNC110 - another process can't set an event
            await trio.sleep(0.02)
