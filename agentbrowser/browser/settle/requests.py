"""Requests that a page began after the client's actions, and that the in-page scripts can't report."""

import asyncio
from typing import Any, Final

import attrs
from playwright.async_api import Error, Frame, Page, Request

from agentbrowser.browser.events.page_listeners import PageListeners
from agentbrowser.policy.redaction import redact_address

LOADED_TYPES: Final = frozenset({"script", "stylesheet", "document"})
"""Types of requests that no script has to send."""
SENT_TYPES: Final = frozenset({"fetch", "xhr"})
"""Types of requests that scripts send; the in-page program reports them where it is installed."""
_MAX_ROUNDS: Final = 2
"""Number of times that a request may be repeated since the action; more is polling."""
_LISTENING_S: Final = 10.0
_MAX_REQUESTS: Final = 200
_MAX_LABEL: Final = 200


@attrs.define(eq=False)
class RequestTracker:
    """Unfinished requests of one page. It listens only while it is started."""

    page: Page
    navigated: bool = attrs.field(default=False, init=False)
    """True once the page has committed another document since the start; its listeners ask for it."""
    changed: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)
    """Set by every event that may end a wait."""
    is_started: bool = attrs.field(default=False, init=False)
    """True while it listens."""
    _listeners: PageListeners = attrs.field(init=False)
    _end_s: float = attrs.field(default=0.0, init=False)
    """Time on the loop's clock after which it stops listening with the next event."""
    _requests: dict[Request, str] = attrs.field(factory=dict, init=False)
    """Labels of the unfinished requests."""
    _rounds: dict[str, int] = attrs.field(factory=dict, init=False)
    """Number of requests by label that began when no other one of that label was unfinished."""

    def __attrs_post_init__(self) -> None:
        self._listeners = PageListeners(self.page)

    def start(self) -> None:
        """Listen for some seconds more."""
        self._end_s = asyncio.get_running_loop().time() + _LISTENING_S
        if not self.is_started and not self.page.is_closed():
            self.navigated, self.is_started = False, True
            self._listeners.add(self)

    def stop(self) -> None:
        """Stop listening, and forget all requests."""
        self._requests.clear()
        self._rounds.clear()
        if self.is_started:
            self.is_started = False
            self._listeners.remove(self)

    def pending(self, types: frozenset[str]) -> list[str]:
        """Return the labels of the unfinished requests of these types."""
        return [label for request, label in self._requests.items() if request.resource_type in types]

    def receive(self, event: str, value: Any) -> None:
        """Record an event of the page."""
        if asyncio.get_running_loop().time() > self._end_s:
            self.stop()  # events cost time, and this client does not look
            return
        match event:
            case "request":
                self._begin(value)
            case "requestfinished" | "requestfailed":
                self._requests.pop(value, None)
            case "framedetached":
                self._forget(value)
            case "framenavigated":
                self._committed(value)
            case "close" | "crash":
                self._requests.clear()
        if event != "request":
            self.changed.set()

    def _begin(self, request: Request) -> None:
        if request.resource_type not in LOADED_TYPES | SENT_TYPES or len(self._requests) >= _MAX_REQUESTS:
            return
        label = _label(request)
        if label not in self._requests.values():
            self._rounds[label] = self._rounds.get(label, 0) + 1
        if self._rounds[label] <= _MAX_ROUNDS:
            self._requests[request] = label

    def _committed(self, frame: Frame) -> None:
        if not self._has_requested(frame):
            return  # it moved within its document, as by `pushState`: what it has requested is still to come
        if frame is self.page.main_frame:
            self.navigated = True
            self.stop()  # the new document sends many requests, and reports by itself when it has loaded
        else:
            self._forget(frame)

    def _has_requested(self, frame: Frame) -> bool:
        """Return True if the document that a frame shows was requested since the start."""
        url = frame.url.partition("#")[0]
        documents = (request for request in self._requests if request.resource_type == "document")
        return any(one.url.partition("#")[0] == url and _frame_of(one) is frame for one in documents)

    def _forget(self, frame: Frame) -> None:
        for request in [request for request in self._requests if _frame_of(request) is frame]:
            del self._requests[request]


def _label(request: Request) -> str:
    """Return method and address without the query, in printable characters of ASCII."""
    address = redact_address(request.url).partition("?")[0].partition("#")[0]
    return printable(f"{request.method} {address}")


def printable(text: str) -> str:
    """Return a short text of the page on one line, in printable characters of ASCII."""
    return "".join(character if " " <= character <= "~" else "?" for character in text[:_MAX_LABEL])


def _frame_of(request: Request) -> Frame | None:
    try:
        return request.frame
    except Error:  # for a document that has no frame yet
        return None
