"""The blocking client, for scripts and notebooks.

A script writes ``with agentbrowser.client.blocking.connect() as browser:``. In a notebook,
``browser = agentbrowser.client.blocking.connect()`` stays open until ``browser.close()``. Several threads may use one
browser, whose connection runs in a Trio thread.

`agentbrowser.protocol.generate` makes the classes from those of the Trio client, without ``async`` and ``await``.
"""

import concurrent.futures
import os
import weakref
from types import TracebackType
from typing import Final, Self

import attrs

from agentbrowser.client.blocking.browser import Browser as Browser
from agentbrowser.client.blocking.download import FileDownload as FileDownload
from agentbrowser.client.blocking.element import Element as Element
from agentbrowser.client.blocking.feed import Feed as Feed
from agentbrowser.client.blocking.feed import PendingApproval as PendingApproval
from agentbrowser.client.blocking.connection import BlockingConnection, result_of
from agentbrowser.client.blocking.page import Page as Page
from agentbrowser.client.blocking.results import ActionOutcome as ActionOutcome
from agentbrowser.client.connection.dial import DEFAULT_URL, make_connection
from agentbrowser.client.connection.handshake import SessionKey
from agentbrowser.client.connection.reconnect import Reconnect
from agentbrowser.client.thread import ConnectionThread

Question = PendingApproval
"""Former name, for existing programs."""
_CLOSE_TIMEOUT_S: Final = 3.0


@attrs.define(eq=False)
class OwnedBrowser(Browser):
    """A browser that owns its connection: a block (``with``), or open until it is closed or garbage-collected."""

    _thread: ConnectionThread = attrs.field(repr=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connection, and the session unless `connect` got it; pending requests fail."""
        self._thread.close()
        if not self._thread.is_forked:
            self._thread.closed.result()


def connect(
    url: str = DEFAULT_URL,
    *,
    token: str | None = None,
    reconnect: Reconnect | None = None,
    session: SessionKey | None = None,
    wait_s: float = 0.0,
    ca_file: str | os.PathLike[str] | None = None,
) -> OwnedBrowser:
    """Connect to a server, as `agentbrowser.connect` does.

    Raises:
      ConnectionLost: no server answers, or it refuses the connection.
      InvalidParams: the URL, the token or the wait is malformed, the session has expired, or its secret is wrong.
    """
    made = make_connection(url, token=token, reconnect=reconnect, session=session, wait_s=wait_s, ca_file=ca_file)
    thread = ConnectionThread(made)
    try:
        result_of(thread.start(), thread.cancel)
    except BaseException:
        thread.close()
        thread.closed.result()
        raise
    connection = BlockingConnection(thread)
    weakref.finalize(connection, _close_abandoned, thread)
    return OwnedBrowser(connection, thread)


def _close_abandoned(thread: ConnectionThread) -> None:
    """Close the connection of a browser that was dropped without `close`; wait, as the program may be ending."""
    thread.close()
    if not thread.is_current and not thread.is_forked:
        concurrent.futures.wait([thread.closed], _CLOSE_TIMEOUT_S)
