"""Nursery for context managers with background tasks that their users need not know about."""

import contextlib
from collections.abc import AsyncIterator

import trio


@contextlib.asynccontextmanager
async def open_quiet_nursery() -> AsyncIterator[trio.Nursery]:
    """Open a nursery that raises the block's own exception unwrapped; Trio's wraps it in a group. [trio]

    Raises:
      ExceptionGroup: background tasks have failed as well.
    """
    block_error: BaseException | None = None
    try:
        async with trio.open_nursery() as nursery:
            try:
                yield nursery
            except BaseException as error:
                block_error = error
                raise
    except BaseExceptionGroup as group:
        if block_error is not None and group.exceptions == (block_error,):
            raise block_error from block_error.__cause__
        raise
