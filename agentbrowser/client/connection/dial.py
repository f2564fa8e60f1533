"""How a client comes to its browser: over a WebSocket, or over a transport that is open already. [trio]"""

import contextlib
from collections.abc import AsyncIterator
from functools import partial

from agentbrowser.client.browser import Browser
from agentbrowser.client.connection.connection import Line
from agentbrowser.client.connection.handshake import Hello, SessionKey
from agentbrowser.client.connection.reconnect import Reconnect
from agentbrowser.client.connection.transport import Transport, check_address, open_websocket
from agentbrowser.nursery import open_quiet_nursery

DEFAULT_URL = "ws://127.0.0.1:9222"


@contextlib.asynccontextmanager
async def hold(line: Line) -> AsyncIterator[Line]:
    """Keep a line for as long as the block lasts. [trio]"""
    async with open_quiet_nursery() as nursery:
        await nursery.start(line.run)
        try:
            yield line
        finally:
            await line.leave()
            nursery.cancel_scope.cancel()


@contextlib.asynccontextmanager
async def over(transport: Transport) -> AsyncIterator[Browser]:
    """Speak to a server over a transport that is open already; once it is lost, it is lost. [trio]"""

    def there() -> contextlib.nullcontext[Transport]:
        return contextlib.nullcontext(transport)

    async with hold(Line(open=there)) as line:
        yield Browser(line)


@contextlib.asynccontextmanager
async def connect(
    url: str = DEFAULT_URL,
    *,
    token: str | None = None,
    reconnect: Reconnect | None = None,
    session: SessionKey | None = None,
) -> AsyncIterator[Browser]:
    """Connect to a server and speak to it: ``async with agentbrowser.connect(url, token=…) as browser:``. [trio]

    Args:
      url: ``ws://`` or ``wss://``; the server of this machine when absent.
      token: what the server asks of its clients, if it does.
      reconnect: when to connect again after a connection was lost; 5 attempts after 1, 2, 4, 8 and 16 s when absent.
      session: a session to come back to; it is not over when the block is left. Without it the session is a new one,
        and is over then.

    Raises:
      ConnectionLost: nobody answers, or the server refuses.
      InvalidParams: the URL or the token can't be one, the session is no more, or the secret is not its.
    """
    async with hold(make_line(url, token=token, reconnect=reconnect, session=session)) as line:
        yield Browser(line)


def make_line(
    url: str, *, token: str | None = None, reconnect: Reconnect | None = None, session: SessionKey | None = None
) -> Line:
    """Return a line over WebSockets that is not open yet.

    Raises:
      InvalidParams: the URL or the token can't be one.
    """
    check_address(url, token)
    hello = Hello(session=session or SessionKey(), ends_session=session is None)
    return Line(open=partial(open_websocket, url, token), hello=hello, reconnect=reconnect or Reconnect())
