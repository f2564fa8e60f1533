# Generated from agentbrowser/client/browser.py: python -m agentbrowser.protocol.generate --write
"""The client's side of the corridor: typed calls, pages as objects, errors as the same classes, events as they come."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, ParamSpec, TypeVar, Unpack, get_args

import attrs

from agentbrowser.client.connection.reconnect import LineChange, LineState
from agentbrowser.client.blocking.feed import Feed, Question
from agentbrowser.client.blocking.interfaces import Lines
from agentbrowser.client.options import Opening
from agentbrowser.client.blocking.page import Page
from agentbrowser.client.subscriptions import CHANGES, QUESTIONS, names_of
from agentbrowser.methods import page
from agentbrowser.methods.lifecycle import InitializeResult
from agentbrowser.protocol.codec import structure, unstructure
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.registry import Method
from agentbrowser.protocol.types.event import EventFilter, EventKind, PublicEvent

P = ParamSpec("P")
ResultT = TypeVar("ResultT")


@attrs.define(eq=False)
class Browser:
    """A browser at a server. Calls may overlap; those on one page happen in the order they were made."""

    line: Lines = attrs.field(repr=False)

    @property
    def state(self) -> LineState:
        """Whether there is a connection now."""
        return self.line.state

    @property
    def dropped(self) -> Counter[str]:
        """How many events of each kind were lost, here or on the way."""
        return self.line.dropped

    @property
    def server(self) -> InitializeResult | None:
        """What the server has said of itself: its limits, and what this client may do; None if it was not asked."""
        return None if self.line.told is None else structure(InitializeResult, self.line.told)

    def call(self, method: Method[P, ResultT], *args: P.args, **kwargs: P.kwargs) -> ResultT:
        """Call a method with its params as keywords: ``browser.call(page.navigate, url="https://…")``.

        Raises:
          AgentBrowserError: what the server answered, as the class of its code.
          ConnectionLost: the connection ended before the answer came, and the request could not be repeated.

        Cancel: the server is told to cancel the request.
        """
        return structure(method.result, self.request(method.name, unstructure(method.params(*args, **kwargs))))

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Call a method by its wire name with plain data, and return plain data.

        Raises:
          AgentBrowserError: what the server answered, as the class of its code.
          ConnectionLost: the connection ended before the answer came, and the request could not be repeated.

        Cancel: the server is told to cancel the request.
        """
        return self.line.request(method, params)

    def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Send a notification; nothing answers it."""
        self.line.notify(method, params)

    # Pages

    @property
    def page(self) -> Page:
        """The active page, whichever that is when something is asked of it; the first need opens one."""
        return Page(self)

    def new_page(self, url: str | None = None, **options: Unpack[Opening]) -> Page:
        """Open a page, which becomes the active one, and go to its URL if it has one.

        Raises:
          ResourceLimitExceeded: the client has as many pages as it may have.
          NavigationFailed: the URL could not be loaded; the page is closed again.
        """
        made = self.call(page.create, url=url, **options)
        return Page(self, made.id)

    def pages(self) -> list[Page]:
        """Return the pages that are open, those that pages have opened among them."""
        listed = self.call(page.list_pages)
        return [Page(self, one.id) for one in listed.pages]

    # News

    def events(self, *kinds: EventKind, filter: EventFilter | None = None) -> Feed[PublicEvent]:
        """Tell what happens: ``for event in browser.events("console", "network"):``.

        A filter holds for these kinds wherever they are listened to, until another is set.
        To miss nothing that follows from the next request, begin with ``with browser.events(…) as events:``.

        Raises:
          InvalidParams: no kind is named.
        """
        if not kinds:
            expected = f"at least one of {', '.join(get_args(EventKind))}"
            raise InvalidParams(f"No kind of events is named: expected {expected}.", path="kinds", expected=expected)
        return Feed(self.line, names_of(frozenset(kinds)), filter=filter)

    def approvals(self) -> Feed[Question]:
        """Tell what waits for an approver: ``for question in browser.approvals():``."""
        return Feed(self.line, frozenset({QUESTIONS}), lambda asked: Question(self.line, asked))

    def changes(self) -> Feed[LineChange]:
        """Tell what becomes of the connection: that it is lost, made again, or given up."""
        return Feed(self.line, frozenset({CHANGES}))
