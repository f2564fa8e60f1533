"""Parser of clients' messages that keeps large ones off the loop."""

from collections.abc import Callable
from typing import Final, TypeVar

import trio

from agentbrowser.protocol import wire

_LARGE: Final = 256 * 1024
"""Length from which a message is parsed in a thread: 10 MB take 30 to 100 ms."""
_MAX_THREADS: Final = 2
"""Threads of all clients: each takes its turns at the interpreter from the loop."""

Text = TypeVar("Text", str, bytes)
Parsed = TypeVar("Parsed")

_limiter: Final = trio.lowlevel.RunVar[trio.CapacityLimiter]("parsers of large messages")


async def parse(text: str) -> wire.Message:
    """Parse a message. [trio]

    Raises:
      BadMessage: the text is not a JSON-RPC 2.0 message; it holds the reply.
    """
    return await parse_with(wire.parse, text)


async def parse_with(parser: Callable[[Text], Parsed], text: Text) -> Parsed:
    """Return what a parser makes of a text, in a thread if it is large. [trio]"""
    if len(text) < _LARGE:
        return parser(text)
    return await trio.to_thread.run_sync(parser, text, abandon_on_cancel=True, limiter=_threads())


def _threads() -> trio.CapacityLimiter:
    try:
        return _limiter.get()
    except LookupError:
        _limiter.set(limiter := trio.CapacityLimiter(_MAX_THREADS))
        return limiter
