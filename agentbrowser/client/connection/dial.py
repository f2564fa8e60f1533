"""Entry points of the Trio client: connect over a WebSocket, or over an open transport. [trio]"""

import contextlib
import math
import os
import ssl
from collections.abc import AsyncIterator
from functools import partial
from types import NoneType

import trio

from agentbrowser.client.browser import Browser
from agentbrowser.client.connection.connection import ClientConnection
from agentbrowser.client.connection.handshake import Handshake, SessionKey
from agentbrowser.client.connection.reconnect import Reconnect
from agentbrowser.client.connection.transport import Transport, check_address
from agentbrowser.client.typed import require
from agentbrowser.nursery import open_quiet_nursery
from agentbrowser.protocol.errors import InvalidParams

DEFAULT_URL = "ws://127.0.0.1:9222"


@contextlib.asynccontextmanager
async def run_connection(connection: ClientConnection) -> AsyncIterator[ClientConnection]:
    """Run a connection for the length of the block. [trio]"""
    async with open_quiet_nursery() as nursery:
        await nursery.start(connection.run)
        try:
            yield connection
        finally:
            await connection.aclose()
            nursery.cancel_scope.cancel()


@contextlib.asynccontextmanager
async def over(transport: Transport) -> AsyncIterator[Browser]:
    """Use a server over an open transport, without reconnection. [trio]"""

    def open_transport() -> contextlib.nullcontext[Transport]:
        return contextlib.nullcontext(transport)

    async with run_connection(ClientConnection(open=open_transport)) as connection:
        yield Browser(connection)


@contextlib.asynccontextmanager
async def connect(
    url: str = DEFAULT_URL,
    *,
    token: str | None = None,
    reconnect: Reconnect | None = None,
    session: SessionKey | None = None,
    wait_s: float = 0.0,
    ca_file: str | os.PathLike[str] | None = None,
) -> AsyncIterator[Browser]:
    """Connect to a server: ``async with agentbrowser.connect(url, token=…) as browser:``. [trio]

    Args:
      url: ``ws://`` or ``wss://``; the default is the server of this machine.
      token: the access token, if the server requires one.
      reconnect: the schedule of reconnection; by default 5 attempts, after 1, 2, 4, 8 and 16 s.
      session: a session to resume; it stays open after the block. Without it, a new session lasts for the block.
      wait_s: seconds in which to retry while no server answers, such as one that is starting; a refusal is final.
      ca_file: for ``wss://``, certificates of authorities in PEM, instead of those that the system trusts.

    Raises:
      ConnectionLost: no server answers, or it refuses the connection.
      InvalidParams: the URL, the token, the wait or the CA file is malformed, the session has expired, or its secret is
        wrong.
      RuntimeError: the caller does not run under Trio.
    """
    if not trio.lowlevel.in_trio_run():
        raise RuntimeError("agentbrowser.connect runs under Trio; under asyncio use agentbrowser.client.aio.connect.")
    made = make_connection(url, token=token, reconnect=reconnect, session=session, wait_s=wait_s, ca_file=ca_file)
    async with run_connection(made) as connection:
        yield Browser(connection)


def make_connection(
    url: str,
    *,
    token: str | None = None,
    reconnect: Reconnect | None = None,
    session: SessionKey | None = None,
    wait_s: float = 0.0,
    ca_file: str | os.PathLike[str] | None = None,
) -> ClientConnection:
    """Return a connection over WebSockets that is not open yet.

    Raises:
      InvalidParams: the URL, the token, the wait or the CA file is malformed.
    """
    from agentbrowser.client.connection.cookies import ProxyCookies
    from agentbrowser.client.connection.websocket import open_websocket  # wsproto and h11 come with it

    check_address(url, token)
    require("reconnect", "a Reconnect", reconnect, Reconnect, NoneType)
    require("session", "a SessionKey", session, SessionKey, NoneType)
    require("wait_s", "a number of seconds, 0 or more", wait_s, int, float)
    require("ca_file", "the path of a file of certificates in PEM", ca_file, str, os.PathLike, NoneType)
    if not 0 <= wait_s < math.inf:
        expected = "a number of seconds, 0 or more"
        raise InvalidParams(f"wait_s must be {expected}, got {wait_s}.", path="wait_s", expected=expected)
    handshake = Handshake(session=session or SessionKey(), ends_session=session is None)
    return ClientConnection(
        open=partial(open_websocket, url, token, None if ca_file is None else _trusting(ca_file), ProxyCookies()),
        handshake=handshake,
        reconnect=reconnect or Reconnect(),
        wait_s=wait_s,
    )


def _trusting(ca_file: str | os.PathLike[str]) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca_file)
    except OSError as error:  # ssl.SSLError is one
        expected = "a file of certificates in PEM"
        raise InvalidParams(f"ca_file {ca_file}: expected {expected}.", path="ca_file", expected=expected) from error
