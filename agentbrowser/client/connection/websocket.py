"""Transport over a WebSocket, by trio-websocket. Imported when a client connects, with wsproto and h11."""

import contextlib
import errno
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Final, cast
from urllib.parse import SplitResult, urlsplit

import attrs
import h11
import trio
import trio_websocket
from wsproto.utilities import LocalProtocolError

from agentbrowser.client.connection.cookies import ProxyCookies
from agentbrowser.client.connection.transport import ConnectionLost
from agentbrowser.nursery import open_quiet_nursery

CONNECT_TIMEOUT_S: Final = 10.0
PING_INTERVAL_S: Final = 20.0
PONG_TIMEOUT_S: Final = 20.0
"""Deadline of a pong, after which the connection counts as lost."""
TOKEN_HEADER: Final = b"X-AGENT-Token"
MAX_MESSAGE_BYTES: Final = 256 * 1024 * 1024
_MAX_REASON_BYTES: Final = 300
_START: Final = "Start one with `agentbrowser serve`, or see that host and port are right."
_TRUST: Final = "Name the authority of the server's certificate: ca_file=…"
_PLAIN: Final = "Use ws://, or start the server with --tls-cert."
_NO_TLS: Final = "WRONG_VERSION_NUMBER"
"""Reason that OpenSSL gives for an answer in plain HTTP."""

SocketStream = trio.SocketStream | trio.SSLStream[trio.SocketStream]


FINAL_CODES: Final = frozenset({1008, 4001, 4002})
"""Close codes after which reconnecting is pointless: policy violation, replaced, expired."""
FINAL_STATUSES: Final = frozenset({401, 403})
_GOING_AWAY: Final = 1001
_UNAVAILABLE: Final = 503


@attrs.frozen
class WebSocketTransport:
    """A transport over an open trio-websocket connection."""

    connection: trio_websocket.WebSocketConnection
    cookies: ProxyCookies

    async def receive(self) -> str:
        """Return the next message."""
        try:
            return str(await self.connection.get_message())
        except trio_websocket.ConnectionClosed as error:
            raise self._lost(error) from error

    async def send(self, message: bytes) -> None:
        """Send a message."""
        try:
            await self.connection.send_message(message.decode())
        except trio_websocket.ConnectionClosed as error:
            raise self._lost(error) from error

    def _lost(self, error: trio_websocket.ConnectionClosed) -> ConnectionLost:
        lost = _closed_error(error)
        if lost.details.get("code") == _GOING_AWAY:
            self.cookies.clear()
        return lost


@contextlib.asynccontextmanager
async def open_websocket(
    url: str, token: str | None, tls: ssl.SSLContext | None = None, cookies: ProxyCookies | None = None
) -> AsyncIterator[WebSocketTransport]:
    """Connect to a server; the token travels in a header, never in the URL.

    Args:
      tls: the encryption of ``wss://``; by default, certificates that the system trusts are accepted.
      cookies: cookies of earlier connections to the URL, which are sent, and updated.

    Raises:
      ConnectionLost: no server answers, or it refuses the connection (``details`` holds the HTTP status).
    """
    cookies = ProxyCookies() if cookies is None else cookies
    try:
        async with contextlib.AsyncExitStack() as stack, open_quiet_nursery() as nursery:
            with _no_server_as_lost(url), trio.fail_after(CONNECT_TIMEOUT_S):
                stream = await _open_stream(urlsplit(url), tls)
                await stack.enter_async_context(stream)
                connection = await _upgrade(nursery, stream, urlsplit(url), token, cookies)
            cookies.accept(connection.handshake_headers)
            nursery.start_soon(_ping_regularly, connection, stream)
            try:
                yield WebSocketTransport(connection, cookies)
            finally:
                with trio.CancelScope(shield=True), trio.move_on_after(1):
                    await connection.aclose()
                nursery.cancel_scope.cancel()
    except BaseExceptionGroup as group:  # trio-websocket raises a refusal in its reader task
        refused = group.subgroup(trio_websocket.ConnectionRejected)
        if refused is None:
            raise
        error = _rejection_error(refused)
        if error.details.get("status") == _UNAVAILABLE:
            cookies.clear()
        raise error from None


async def _ping_regularly(connection: trio_websocket.WebSocketConnection, stream: SocketStream) -> None:
    """Ping the server to detect a dead connection, such as one to a crashed machine. [trio]"""
    with contextlib.suppress(trio_websocket.ConnectionClosed):
        while True:
            await trio.sleep(PING_INTERVAL_S)
            with trio.move_on_after(PONG_TIMEOUT_S) as timeout_scope:
                await connection.ping()
            if timeout_scope.cancelled_caught:
                await trio.aclose_forcefully(stream)
                return


@contextlib.contextmanager
def _no_server_as_lost(url: str) -> Iterator[None]:
    try:
        yield
    except (OSError, trio.TooSlowError, trio.BrokenResourceError, trio_websocket.HandshakeError) as error:
        address = url.partition("?")[0]
        if isinstance(error.__cause__, ssl.SSLCertVerificationError):
            reason = error.__cause__.verify_message
            message = f"The certificate of {address} is not trusted: {reason}."
            raise ConnectionLost(message, hint=_TRUST, retryable=False) from error
        if isinstance(error.__cause__, ssl.SSLError) and error.__cause__.reason == _NO_TLS:
            raise ConnectionLost(f"The server at {address} answers without TLS.", hint=_PLAIN) from error
        if (lack := _lack_of_descriptors(error)) is not None:
            raise ConnectionLost(f"The client could not connect: {lack.strerror}.") from error
        raise ConnectionLost(f"No agentbrowser server answers at {address}.", hint=_START) from error


def _lack_of_descriptors(error: BaseException | None) -> OSError | None:
    """Return the error of a socket that could not be made; Trio reports the attempts to connect as causes."""
    if isinstance(error, BaseExceptionGroup):
        return next((found for one in error.exceptions if (found := _lack_of_descriptors(one))), None)
    if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
        return error
    return None if error is None else _lack_of_descriptors(error.__cause__)


def _rejection_error(group: BaseException) -> ConnectionLost:
    while isinstance(group, BaseExceptionGroup):
        group = group.exceptions[0]
    status = getattr(group, "status_code", None)
    retryable = status not in FINAL_STATUSES
    reason = f": {text}" if (text := _refusal_text(group)) else "."
    return ConnectionLost(f"The server refused the connection ({status}){reason}", retryable=retryable, status=status)


def _refusal_text(refusal: BaseException) -> str:
    """Return the reason from an agentbrowser server; the body of any other server is ignored."""
    if not isinstance(refusal, trio_websocket.ConnectionRejected) or not refusal.body:
        return ""
    headers = {name.lower(): value for name, value in refusal.headers or ()}
    is_text = headers.get(b"content-type", b"").startswith(b"text/plain")
    return refusal.body[:_MAX_REASON_BYTES].decode(errors="replace").strip() if is_text else ""


async def _open_stream(url: SplitResult, tls: ssl.SSLContext | None) -> SocketStream:
    # trio-websocket's own connect leaks the stream when the server closes the connection first.
    assert url.hostname is not None
    if url.scheme == "wss":
        stream = await trio.open_ssl_over_tcp_stream(url.hostname, url.port or 443, ssl_context=tls)
        try:
            await stream.do_handshake()  # trio-websocket does not report a failed one
        except BaseException:
            await trio.aclose_forcefully(stream)
            raise
        return stream
    return await trio.open_tcp_stream(url.hostname, url.port or 80)


@attrs.frozen
class _ReaderNursery:
    """Starter of trio-websocket's reader.

    It fails on a ping that comes while the client closes the connection, and on an answer that is no HTTP, or no
    acceptance.
    """

    nursery: trio.Nursery
    stream: SocketStream
    handshake: trio.CancelScope
    """Cancelled when the reader ends: a handshake under way would wait for ever."""

    def start_soon(self, read: Callable[[], Awaitable[None]]) -> None:
        """Start the reader; when it ends, the connection is over."""
        self.nursery.start_soon(self._read, read)

    async def _read(self, read: Callable[[], Awaitable[None]]) -> None:
        try:
            await read()
        except (LocalProtocolError, h11.LocalProtocolError):
            await trio.aclose_forcefully(self.stream)
        self.handshake.cancel()


async def _upgrade(
    nursery: trio.Nursery, stream: SocketStream, url: SplitResult, token: str | None, cookies: ProxyCookies
) -> trio_websocket.WebSocketConnection:
    resource = (url.path or "/") + (f"?{url.query}" if url.query else "")
    headers = [(TOKEN_HEADER, token.encode())] if token else []
    if (kept := cookies.header()) is not None:
        headers.append((b"Cookie", kept.encode()))
    with trio.CancelScope() as handshake:
        return await trio_websocket.wrap_client_stream(
            cast("trio.Nursery", _ReaderNursery(nursery, stream, handshake)),
            stream,
            url.netloc,
            resource,
            extra_headers=headers,
            max_message_size=MAX_MESSAGE_BYTES,
        )
    raise trio.BrokenResourceError


def _closed_error(error: trio_websocket.ConnectionClosed) -> ConnectionLost:
    reason = error.reason
    if reason is None or isinstance(reason, str):
        return ConnectionLost("The connection to the server was lost.")
    code = int(reason.code)  # a number, as in JSON
    why = f": {reason.reason}" if reason.reason else ""
    message = f"The server closed the connection ({code}{why})."
    return ConnectionLost(message, retryable=code not in FINAL_CODES, code=code, reason=reason.reason)
