"""The same client for scripts and notebooks: ``with agentbrowser.client.blocking.connect() as browser:``.

Its objects are made from those of the Trio client (``python -m agentbrowser.schema --write``) by leaving out ``async``
and ``await``. The line lives in a Trio thread; several threads may use a browser at once.
"""

import contextlib
from collections.abc import Iterator

from agentbrowser.client.blocking.browser import Browser as Browser
from agentbrowser.client.blocking.element import Element as Element
from agentbrowser.client.blocking.feed import Feed as Feed
from agentbrowser.client.blocking.feed import Question as Question
from agentbrowser.client.blocking.line import BlockingLine, result_of
from agentbrowser.client.blocking.page import Page as Page
from agentbrowser.client.dial import DEFAULT_URL, make_line
from agentbrowser.client.hello import SessionKey
from agentbrowser.client.reconnect import Reconnect
from agentbrowser.client.thread import LineThread


@contextlib.contextmanager
def connect(
    url: str = DEFAULT_URL,
    *,
    token: str | None = None,
    reconnect: Reconnect | None = None,
    session: SessionKey | None = None,
) -> Iterator[Browser]:
    """Connect to a server and speak to it, as `agentbrowser.connect` does.

    Raises:
      ConnectionLost: nobody answers, or the server refuses.
      InvalidParams: the session is no more, or the secret is not its.
    """
    thread = LineThread(make_line(url, token=token, reconnect=reconnect, session=session))
    try:
        result_of(thread.start(), thread.cancel)
        yield Browser(BlockingLine(thread))
    finally:
        thread.leave()
        thread.over.result()
