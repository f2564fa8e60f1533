"""How a client's messages travel: over a WebSocket, or through memory."""

import contextlib
from collections.abc import AsyncIterator
from typing import Final, Protocol

import attrs
import trio
import trio_websocket

from agentbrowser.errors import AgentBrowserError

CONNECT_TIMEOUT_S: Final = 10.0
TOKEN_HEADER: Final = b"X-AGENT-Token"
MAX_MESSAGE_BYTES: Final = 256 * 1024 * 1024


class ConnectionLost(AgentBrowserError):
    """The connection to the server ended, or could not be made."""

    retryable = True


class Transport(Protocol):
    """Whole text messages in both directions, in order."""

    async def receive(self) -> str:
        """Return the next message.

        Raises:
          ConnectionLost: there will be none.
        """

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


@contextlib.asynccontextmanager
async def open_websocket(url: str, token: str | None) -> AsyncIterator[WebSocketTransport]:
    """Connect to a server; the token travels in a header, never in the URL.

    Raises:
      ConnectionLost: nobody answers, or the server refuses (``details`` holds the HTTP status).
    """
    headers = [(TOKEN_HEADER, token.encode())] if token else []
    async with trio.open_nursery() as nursery:
        try:
            with trio.fail_after(CONNECT_TIMEOUT_S):
                connection = await trio_websocket.connect_websocket_url(
                    nursery, url, extra_headers=headers, max_message_size=MAX_MESSAGE_BYTES
                )
        except trio_websocket.ConnectionRejected as error:
            raise ConnectionLost(
                f"The server refused the connection ({error.status_code}).", status=error.status_code
            ) from error
        except (OSError, trio.TooSlowError, trio_websocket.HandshakeError) as error:
            raise ConnectionLost(f"No agentbrowser server answers at {url.partition('?')[0]}.") from error
        try:
            yield WebSocketTransport(connection)
        finally:
            with trio.CancelScope(shield=True), trio.move_on_after(1):
                await connection.aclose()
            nursery.cancel_scope.cancel()


def _lost(error: trio_websocket.ConnectionClosed) -> ConnectionLost:
    reason = error.reason
    if reason is None or isinstance(reason, str):
        return ConnectionLost("The connection to the server was lost.")
    return ConnectionLost(f"The server closed the connection ({reason.code}).", code=reason.code, reason=reason.reason)
