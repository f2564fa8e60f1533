"""Byte streams of connections, plain and encrypted, with their peer address, orderly end and abort."""

import contextlib
import socket
import ssl
import struct
from typing import Final

import attrs
import trio

RECEIVE_BYTES: Final = 65536

STREAM_LOST: Final = (trio.BrokenResourceError, trio.ClosedResourceError)
"""Exceptions that Trio raises when the peer, or another task of ours, has ended the stream."""

_NO_LINGER: Final = struct.pack("ii", 1, 0)


@attrs.frozen
class _HalfCloser(trio.abc.Stream):
    """TCP stream below the encryption; a close ends our side only, so that the peer's bytes can be discarded."""

    tcp: trio.SocketStream

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self.tcp.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self.tcp.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        return await self.tcp.receive_some(max_bytes)

    async def aclose(self) -> None:
        await self.tcp.send_eof()


class TlsStream(trio.abc.HalfCloseableStream):
    """Encrypted stream with the socket below it, for everything that the gate asks of a connection."""

    def __init__(self, tcp: trio.SocketStream, context: ssl.SSLContext) -> None:
        self._tcp = tcp
        self._tls = trio.SSLStream(_HalfCloser(tcp), context, server_side=True)
        self._eof_sent = False

    @property
    def socket(self) -> trio.socket.SocketType:
        """Return the socket."""
        return self._tcp.socket

    def setsockopt(self, level: int, option: int, value: int | bytes) -> None:
        """Set an option of the socket."""
        self._tcp.setsockopt(level, option, value)

    async def do_handshake(self) -> None:
        """Agree on the encryption.

        Raises:
          trio.BrokenResourceError: the peer does not, or has disconnected.
        """
        await self._tls.do_handshake()

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send bytes."""
        await self._tls.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        """Wait until a send may succeed without waiting."""
        await self._tls.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Receive bytes; after `send_eof`, what arrives is to be discarded, and it stays encrypted."""
        return bytes(await (self._tcp if self._eof_sent else self._tls).receive_some(max_bytes))

    async def send_eof(self) -> None:
        """Send the alert that ends our side, and close the sending side of the socket."""
        self._eof_sent = True
        await self._tls.aclose()

    async def aclose(self) -> None:
        """Close the stream and the socket."""
        try:
            if not self._eof_sent:
                await self.send_eof()
        finally:
            await self._tcp.aclose()


ClientStream = trio.SocketStream | TlsStream
"""Stream of one connection at the gate."""


def peer_address(stream: ClientStream) -> tuple[str, int]:
    """Return the address and port of the peer; ``("unknown", 0)`` if it has already disconnected."""
    try:
        host, port, *_ = stream.socket.getpeername()
    except OSError:
        return "unknown", 0
    return host, port


async def peek(stream: trio.SocketStream) -> bytes:
    """Return the first byte to come, which the next read returns again; nothing at the end of the stream. [trio]

    Raises:
      trio.BrokenResourceError: the peer has reset the connection.
    """
    try:
        return await stream.socket.recv(1, socket.MSG_PEEK)
    except OSError as error:
        raise trio.BrokenResourceError(str(error)) from error


def limit_unread(stream: ClientStream, timeout_s: float) -> None:
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
    if isinstance(stream, ClientStream):
        with contextlib.suppress(OSError, trio.ClosedResourceError):
            stream.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_LINGER, _NO_LINGER)
    await trio.aclose_forcefully(stream)
