"""A nursery for context managers that have background tasks, which their users need not know of."""

import contextlib
from collections.abc import AsyncIterator

import trio


@contextlib.asynccontextmanager
async def open_quiet_nursery() -> AsyncIterator[trio.Nursery]:
    """Open a nursery that lets the block's own exception out as it is; Trio's puts it into a group. [trio]

    Raises:
      ExceptionGroup: background tasks have failed, too.
    """
    own: BaseException | None = None
    try:
        async with trio.open_nursery() as nursery:
            try:
                yield nursery
            except BaseException as error:
                own = error
                raise
    except BaseExceptionGroup as group:
        if own is not None and group.exceptions == (own,):
            raise own from own.__cause__
        raise
