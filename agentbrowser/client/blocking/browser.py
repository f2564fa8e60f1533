# Generated from agentbrowser/client/browser.py: python -m agentbrowser.protocol.generate --write
"""A browser at a server: typed calls, pages, events."""

import base64
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar, Unpack, get_args, overload

import attrs

from agentbrowser import methods
from agentbrowser.client.connection.reconnect import ConnectionChange, ConnectionState
from agentbrowser.client.blocking.feed import Feed, PendingApproval
from agentbrowser.client.blocking.interfaces import ConnectionInterface
from agentbrowser.client.subscriptions import APPROVALS, CONNECTION_CHANGES, names_of
from agentbrowser.client.typed import require, require_method, structure, unstructure
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.registry import Method

if TYPE_CHECKING:
    from agentbrowser.client.blocking.download import FileDownload
    from agentbrowser.client.options import PageKeywords
    from agentbrowser.client.blocking.page import Page
    from agentbrowser.methods.lifecycle import InitializeResult
    from agentbrowser.protocol.types.event import (
        ConsoleEvent,
        DialogEvent,
        DownloadEvent,
        EventFilter,
        EventKind,
        FrameEvent,
        NetworkEvent,
        PageEvent,
        PublicEvent,
    )

P = ParamSpec("P")
ResultT = TypeVar("ResultT")


@attrs.define(eq=False)
class Browser:
    """A browser at a server. Calls may overlap; those on one page run in the order in which they were made."""

    connection: ConnectionInterface = attrs.field(repr=False)

    @property
    def state(self) -> ConnectionState:
        """Return the state of the connection."""
        return self.connection.state

    @property
    def dropped(self) -> Counter[str]:
        """Return the number of lost events by kind, on the server and in the client."""
        return self.connection.dropped

    @property
    def server(self) -> "InitializeResult | None":
        """Return the server's limits and this client's permissions; None without a handshake."""
        info = self.connection.server_info
        return None if info is None else structure(methods.lifecycle.InitializeResult, info)

    def call(self, method: Method[P, ResultT], *args: P.args, **kwargs: P.kwargs) -> ResultT:
        """Call a method with its params as keywords: ``browser.call(page.navigate, url="https://…")``.

        Raises:
          AgentBrowserError: the error of the server, as the class of its code.
          ConnectionLost: the connection ended before the answer came, and the request could not be repeated.

        Cancel: the server cancels the request.
        """
        require_method(method)
        return structure(method.result, self.request(method.name, unstructure(method.params(*args, **kwargs))))

    def request(
        self, method: str, params: Mapping[str, Any] | None = None, *, timeout_ms: int | None = None
    ) -> Any:
        """Call a method by its wire name with plain data, and return plain data.

        The timeout is the client's own: after it, the request is cancelled.

        Raises:
          AgentBrowserError: the error of the server, as the class of its code.
          InvalidParams: also if the params are no mapping, or the timeout is no number.
          ConnectionLost: the connection ended before the answer came, and the request could not be repeated.

        Cancel: the server cancels the request.
        """
        return self.connection.request(method, params, timeout_ms)

    def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Send a notification, which has no reply."""
        self.connection.notify(method, params)

    # Pages

    @property
    def page(self) -> "Page":
        """Return the active page, looked up at each request; the first request opens one if there is none."""
        from agentbrowser.client.blocking.page import Page

        return Page(self)

    def new_page(
        self, url: str | None = None, *, idempotency_key: str | None = None, **options: "Unpack[PageKeywords]"
    ) -> "Page":
        """Open a page, which becomes the active one, and load the URL if one is given.

        Raises:
          ResourceLimitExceeded: the client has reached its limit of pages.
          NavigationFailed: the URL could not be loaded; the page is closed again.
        """
        from agentbrowser.client.blocking.page import Page
        from agentbrowser.client.selectors import with_extras

        method = methods.page.create
        params = with_extras(unstructure(method.params(url=url, **options)), idempotency_key=idempotency_key)
        return Page(self, structure(method.result, self.request(method.name, params)).id)

    def pages(self, *, timeout_ms: int | None = None) -> "list[Page]":
        """Return the open pages, with the popups among them."""
        from agentbrowser.client.blocking.page import Page

        method = methods.page.list_pages
        listed = structure(method.result, self.request(method.name, timeout_ms=timeout_ms))
        return [Page(self, one.id) for one in listed.pages]

    # Downloads

    def downloads(self, *, timeout_ms: int | None = None) -> "list[FileDownload]":
        """Return the downloads that are under way or completed. Requires the scope ``full``."""
        method = methods.download.list_downloads
        listed = structure(method.result, self.request(method.name, timeout_ms=timeout_ms))
        return [self.download(one) for one in listed.downloads]

    def download(self, event: "DownloadEvent") -> "FileDownload":
        """Return the download of an event: ``browser.download(event).save_as("report.pdf")``."""
        from agentbrowser.client.blocking.download import FileDownload
        from agentbrowser.protocol.types.event import DownloadEvent

        require("event", "a DownloadEvent", event, DownloadEvent)
        return FileDownload(self, event.download_id, event.suggested_filename, event.url, event.state)

    # Recordings

    def recording(
        self, recording_id: str | None = None, *, include_trace: bool = False, timeout_ms: int | None = None
    ) -> bytes:
        """Return the recording of this session, or another one of the token, as a zip. Requires the scope ``full``.

        `agentbrowser show FILE` opens it: timeline, pictures, looks, choices and results.
        """
        exported = self.call(
            methods.recording.export, recording_id=recording_id, include_trace=include_trace, timeout_ms=timeout_ms
        )
        return base64.b64decode(exported.data)

    # Events

    @overload
    def events(self, kind: Literal["page"], /, *, filter: "EventFilter | None" = None) -> "Feed[PageEvent]": ...
    @overload
    def events(self, kind: Literal["console"], /, *, filter: "EventFilter | None" = None) -> "Feed[ConsoleEvent]": ...
    @overload
    def events(self, kind: Literal["network"], /, *, filter: "EventFilter | None" = None) -> "Feed[NetworkEvent]": ...
    @overload
    def events(self, kind: Literal["dialog"], /, *, filter: "EventFilter | None" = None) -> "Feed[DialogEvent]": ...
    @overload
    def events(self, kind: Literal["download"], /, *, filter: "EventFilter | None" = None) -> "Feed[DownloadEvent]": ...
    @overload
    def events(self, kind: Literal["frame"], /, *, filter: "EventFilter | None" = None) -> "Feed[FrameEvent]": ...
    @overload
    def events(self, *kinds: "EventKind", filter: "EventFilter | None" = None) -> "Feed[PublicEvent]": ...
    def events(self, *kinds: "EventKind", filter: "EventFilter | None" = None) -> Feed[Any]:
        """Iterate over events: ``for event in browser.events("console", "network"):``.

        Of one kind, the events are of its class: `ConsoleEvent` of ``browser.events("console")``.

        The filter of the last listener, or none, is that of all listeners of its kinds. To get every event of the next
        request, subscribe before it: ``with browser.events(…) as events:``.

        Raises:
          InvalidParams: no kind is given, or something else.
        """
        if not kinds or not all(isinstance(kind, str) for kind in kinds):
            from agentbrowser.protocol.types.event import EventKind

            expected = f"at least one of {', '.join(get_args(EventKind))}"
            raise InvalidParams.at("kinds", expected, ", ".join(map(repr, kinds)) or "none")
        return Feed(self.connection, names_of(frozenset(kinds)), filter=filter)

    def approvals(self) -> Feed[PendingApproval]:
        """Iterate over the requests that wait for an approver: ``for request in browser.approvals():``."""
        return Feed(self.connection, frozenset({APPROVALS}), lambda request: PendingApproval(self.connection, request))

    def changes(self) -> Feed[ConnectionChange]:
        """Iterate over the changes of the connection: connected, reconnecting, closed."""
        return Feed(self.connection, frozenset({CONNECTION_CHANGES}))
