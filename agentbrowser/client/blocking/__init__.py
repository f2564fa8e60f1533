"""The same client for scripts (``with agentbrowser.client.blocking.connect() as browser:``) and notebooks, where
``browser = agentbrowser.client.blocking.connect()`` is open until ``browser.close()``.

Its objects are made from those of the Trio client by leaving out ``async`` and ``await``
(``python -m agentbrowser.protocol.generate --write``). The connection lives in a Trio thread; several threads may use
a browser at once.
"""

import concurrent.futures
import weakref
from types import TracebackType
from typing import Final, Self

import attrs

from agentbrowser.client.blocking.browser import Browser as Browser
from agentbrowser.client.blocking.element import Element as Element
from agentbrowser.client.blocking.feed import Feed as Feed
from agentbrowser.client.blocking.feed import Question as Question
from agentbrowser.client.blocking.connection import BlockingLine, result_of
from agentbrowser.client.blocking.page import Page as Page
from agentbrowser.client.connection.dial import DEFAULT_URL, make_line
from agentbrowser.client.connection.handshake import SessionKey
from agentbrowser.client.connection.reconnect import Reconnect
from agentbrowser.client.thread import LineThread

_PATIENCE_S: Final = 3.0


@attrs.define(eq=False)
class HeldBrowser(Browser):
    """A browser with a line of its own: a block (``with``), or open until it is closed or nobody has it any more."""

    _thread: LineThread = attrs.field(repr=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the session, unless it was given to `connect`, and the connection; what is under way fails."""
        self._thread.leave()
        self._thread.over.result()


def connect(
    url: str = DEFAULT_URL,
    *,
    token: str | None = None,
    reconnect: Reconnect | None = None,
    session: SessionKey | None = None,
) -> HeldBrowser:
    """Connect to a server and speak to it, as `agentbrowser.connect` does.

    Raises:
      ConnectionLost: nobody answers, or the server refuses.
      InvalidParams: the URL or the token can't be one, the session is no more, or the secret is not its.
    """
    thread = LineThread(make_line(url, token=token, reconnect=reconnect, session=session))
    try:
        result_of(thread.start(), thread.cancel)
    except BaseException:
        thread.leave()
        thread.over.result()
        raise
    line = BlockingLine(thread)
    weakref.finalize(line, _let_go, thread)
    return HeldBrowser(line, thread)


def _let_go(thread: LineThread) -> None:
    """Leave for a program that has ended, or has forgotten to; wait a moment, since it may be the last."""
    thread.leave()
    if not thread.is_current:
        concurrent.futures.wait([thread.over], _PATIENCE_S)
