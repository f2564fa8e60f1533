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
        only = group.exceptions[0]
        if block_error is not None and len(group.exceptions) == 1 and _leaves(only) <= _leaves(block_error):
            raise only from only.__cause__
        raise


def _leaves(error: BaseException) -> set[BaseException]:
    """Return the exceptions of a group: Trio replaces groups by equal ones when it takes cancellations out of them."""
    if isinstance(error, BaseExceptionGroup):
        return set().union(*map(_leaves, error.exceptions))
    return {error}
