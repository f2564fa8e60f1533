"""Interface of a client's transports, and the error of one that has ended."""

import re
from typing import Final, Protocol
from urllib.parse import urlsplit

from agentbrowser.protocol.errors import AgentBrowserError, InvalidParams

_HEADER_VALUE: Final = re.compile(r"[!-~]+")


class ConnectionLost(AgentBrowserError):
    """The connection to the server ended, or failed; ``retryable`` is true if reconnecting may help.

    Details: code and reason of the close, or the HTTP status; waitedMs of a first connection; attempts to reconnect;
    method, for a request that was under way, and mayHaveActed if that may be.
    """

    retryable = True

    def copy(self) -> "ConnectionLost":
        """Return a copy of the error, to be raised again."""
        error = ConnectionLost(self.message, retryable=self.retryable, hint=self.recovery_hint)
        error.details = dict(self.details)
        return error


class Transport(Protocol):
    """Whole text messages in both directions, in order."""

    async def receive(self) -> str:
        """Return the next message.

        Raises:
          ConnectionLost: the transport has ended.
        """
        ...

    async def send(self, message: bytes) -> None:
        """Send a message.

        Raises:
          ConnectionLost: the transport has ended.
        """


def check_address(url: str, token: str | None) -> None:
    """Check that the URL can name a server, and that the token fits into a header.

    Raises:
      InvalidParams: one does not.
    """
    try:
        parts = urlsplit(url)
        is_good = parts.scheme in ("ws", "wss") and bool(parts.hostname) and parts.port != 0
    except (ValueError, TypeError, AttributeError):  # urlsplit raises the last one for a number
        is_good = False
    if not is_good:
        raise _invalid_address("url", "ws:// or wss://, a host and perhaps a port, such as ws://127.0.0.1:9222")
    try:
        is_good = not token or _HEADER_VALUE.fullmatch(token) is not None
    except TypeError:  # it is no text
        is_good = False
    if not is_good:
        raise _invalid_address("token", "printable ASCII without spaces (has a line end been read with it?)")


def _invalid_address(path: str, expected: str) -> InvalidParams:
    return InvalidParams(f"{path} must be {expected}.", path=path, expected=expected)
