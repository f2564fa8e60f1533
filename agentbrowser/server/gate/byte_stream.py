"""Helpers for byte streams: peer address, orderly end and abort."""

import contextlib
import socket
import struct
from typing import Final

import trio

RECEIVE_BYTES: Final = 65536

STREAM_LOST: Final = (trio.BrokenResourceError, trio.ClosedResourceError)
"""Exceptions that Trio raises when the peer, or another task of ours, has ended the stream."""

_NO_LINGER: Final = struct.pack("ii", 1, 0)


def peer_address(stream: trio.SocketStream) -> tuple[str, int]:
    """Return the address and port of the peer; ``("unknown", 0)`` if it has already disconnected."""
    try:
        host, port, *_ = stream.socket.getpeername()
    except OSError:
        return "unknown", 0
    return host, port


def limit_unread(stream: trio.SocketStream, timeout_s: float) -> None:
    """Have the kernel reset a stream whose peer leaves sent bytes unread for that time.

    The send buffer holds megabytes: no send of ours waits as long as they have room there. Linux only.
    """
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        with contextlib.suppress(OSError):  # the peer is gone already
            stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, max(1, round(timeout_s * 1000)))


async def hang_up(stream: trio.abc.HalfCloseableStream, *, limit_bytes: int, limit_s: float) -> None:
    """End our side of the stream, then discard incoming bytes up to the limits.

    A TCP stream that is closed with unread bytes is reset. The reset can overtake the last bytes that we sent.
    """
    with trio.move_on_after(limit_s), contextlib.suppress(*STREAM_LOST, trio.BusyResourceError):
        await stream.send_eof()
        while limit_bytes > 0 and (data := await stream.receive_some(RECEIVE_BYTES)):
            limit_bytes -= len(data)


async def abort(stream: trio.abc.Stream) -> None:
    """Close immediately; a TCP stream is reset, so that the kernel buffers nothing for a peer that does not read."""
    if isinstance(stream, trio.SocketStream):
        with contextlib.suppress(OSError, trio.ClosedResourceError):
            stream.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_LINGER, _NO_LINGER)
    await trio.aclose_forcefully(stream)
