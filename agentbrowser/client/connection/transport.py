"""How a client's messages travel: over a WebSocket, or through memory."""

import contextlib
import re
from collections.abc import AsyncIterator, Iterator
from typing import Final, Protocol
from urllib.parse import SplitResult, urlsplit

import attrs
import trio
import trio_websocket

from agentbrowser.nursery import open_quiet_nursery
from agentbrowser.protocol.errors import AgentBrowserError, InvalidParams

CONNECT_TIMEOUT_S: Final = 10.0
PING_INTERVAL_S: Final = 20.0
PONG_TIMEOUT_S: Final = 20.0
"""How long a server may take to show that it is there, before the connection counts as lost."""
TOKEN_HEADER: Final = b"X-AGENT-Token"
MAX_MESSAGE_BYTES: Final = 256 * 1024 * 1024
_HEADER_VALUE: Final = re.compile(r"[!-~]+")
_MAX_REASON_BYTES: Final = 300
_START: Final = "Start one with `agentbrowser serve`, or see that host and port are right."

Stream = trio.SocketStream | trio.SSLStream[trio.SocketStream]


FINAL_CODES: Final = frozenset({1008, 4001, 4002})
"""Close codes after which connecting again would come to the same: against policy, replaced, expired."""
FINAL_STATUSES: Final = frozenset({401, 403})


class ConnectionLost(AgentBrowserError):
    """The connection to the server ended, or could not be made; ``retryable`` says if connecting again makes sense.

    Details: code and reason of the close, or the HTTP status; attempts that were made to connect again; mayHaveActed,
    where a request was under way that can't be repeated.
    """

    retryable = True

    def again(self) -> "ConnectionLost":
        """Return the same error, to be raised once more."""
        error = ConnectionLost(self.message, retryable=self.retryable, hint=self.recovery_hint)
        error.details = dict(self.details)
        return error


class Transport(Protocol):
    """Whole text messages in both directions, in order."""

    async def receive(self) -> str:
        """Return the next message.

        Raises:
          ConnectionLost: there will be none.
        """
        ...

    async def send(self, message: bytes) -> None:
        """Send a message.

        Raises:
          ConnectionLost: nobody is there to get it.
        """


@attrs.frozen
class WebSocketTransport:
    """A transport over an open trio-websocket connection."""

    connection: trio_websocket.WebSocketConnection

    async def receive(self) -> str:
        """Return the next message."""
        try:
            return str(await self.connection.get_message())
        except trio_websocket.ConnectionClosed as error:
            raise _lost(error) from error

    async def send(self, message: bytes) -> None:
        """Send a message."""
        try:
            await self.connection.send_message(message.decode())
        except trio_websocket.ConnectionClosed as error:
            raise _lost(error) from error


def check_address(url: str, token: str | None) -> None:
    """See that there can be a server, and that the token can travel in a header.

    Raises:
      InvalidParams: it can't.
    """
    try:
        parts = urlsplit(url)
        is_good = parts.scheme in ("ws", "wss") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_good = False
    if not is_good:
        raise _unfit("url", "No server can be there", "ws:// or wss://, a host and perhaps a port: ws://127.0.0.1:9222")
    if token and not _HEADER_VALUE.fullmatch(token):
        raise _unfit("token", "It can't be sent (has a line end been read with it?)", "printable ASCII without spaces")


def _unfit(path: str, why: str, expected: str) -> InvalidParams:
    return InvalidParams(f"{why}: {path} is to be {expected}.", path=path, expected=expected)


@contextlib.asynccontextmanager
async def open_websocket(url: str, token: str | None) -> AsyncIterator[WebSocketTransport]:
    """Connect to a server; the token travels in a header, never in the URL.

    Raises:
      ConnectionLost: nobody answers, or the server refuses (``details`` holds the HTTP status).
    """
    try:
        async with contextlib.AsyncExitStack() as stack, open_quiet_nursery() as nursery:
            with _explained(url), trio.fail_after(CONNECT_TIMEOUT_S):
                stream = await _open_stream(urlsplit(url))
                await stack.enter_async_context(stream)
                connection = await _shake_hands(nursery, stream, urlsplit(url), token)
            nursery.start_soon(_beat, connection, stream)
            try:
                yield WebSocketTransport(connection)
            finally:
                with trio.CancelScope(shield=True), trio.move_on_after(1):
                    await connection.aclose()
                nursery.cancel_scope.cancel()
    except BaseExceptionGroup as group:  # trio-websocket's reader is the one that hears of a refusal
        refused = group.subgroup(trio_websocket.ConnectionRejected)
        if refused is None:
            raise
        raise _refused(refused) from None


async def _beat(connection: trio_websocket.WebSocketConnection, stream: Stream) -> None:
    """Notice a connection that is dead and has not ended, as when a machine is gone. [trio]"""
    with contextlib.suppress(trio_websocket.ConnectionClosed):
        while True:
            await trio.sleep(PING_INTERVAL_S)
            with trio.move_on_after(PONG_TIMEOUT_S) as patience:
                await connection.ping()
            if patience.cancelled_caught:
                await trio.aclose_forcefully(stream)
                return


@contextlib.contextmanager
def _explained(url: str) -> Iterator[None]:
    try:
        yield
    except (OSError, trio.TooSlowError, trio.BrokenResourceError, trio_websocket.HandshakeError) as error:
        raise ConnectionLost(f"No agentbrowser server answers at {url.partition('?')[0]}.", hint=_START) from error


def _refused(group: BaseException) -> ConnectionLost:
    while isinstance(group, BaseExceptionGroup):
        group = group.exceptions[0]
    status = getattr(group, "status_code", None)
    retryable = status not in FINAL_STATUSES
    why = f": {said}" if (said := _said(group)) else "."
    return ConnectionLost(f"The server refused the connection ({status}){why}", retryable=retryable, status=status)


def _said(refusal: BaseException) -> str:
    """Return the words of our server's refusals; another one's pages are for others."""
    if not isinstance(refusal, trio_websocket.ConnectionRejected) or not refusal.body:
        return ""
    headers = {name.lower(): value for name, value in refusal.headers or ()}
    is_text = headers.get(b"content-type", b"").startswith(b"text/plain")
    return refusal.body[:_MAX_REASON_BYTES].decode(errors="replace").strip() if is_text else ""


async def _open_stream(url: SplitResult) -> Stream:
    # trio-websocket's own connect leaves the stream open when the server ends the connection first.
    assert url.hostname is not None
    if url.scheme == "wss":
        stream = await trio.open_ssl_over_tcp_stream(url.hostname, url.port or 443)
        try:
            await stream.do_handshake()  # trio-websocket does not tell that one fails
        except BaseException:
            await trio.aclose_forcefully(stream)
            raise
        return stream
    return await trio.open_tcp_stream(url.hostname, url.port or 80)


async def _shake_hands(
    nursery: trio.Nursery, stream: Stream, url: SplitResult, token: str | None
) -> trio_websocket.WebSocketConnection:
    resource = (url.path or "/") + (f"?{url.query}" if url.query else "")
    headers = [(TOKEN_HEADER, token.encode())] if token else []
    return await trio_websocket.wrap_client_stream(
        nursery, stream, url.netloc, resource, extra_headers=headers, max_message_size=MAX_MESSAGE_BYTES
    )


def _lost(error: trio_websocket.ConnectionClosed) -> ConnectionLost:
    reason = error.reason
    if reason is None or isinstance(reason, str):
        return ConnectionLost("The connection to the server was lost.")
    message = f"The server closed the connection ({reason.code})."
    retryable = reason.code not in FINAL_CODES
    return ConnectionLost(message, retryable=retryable, code=reason.code, reason=reason.reason)
