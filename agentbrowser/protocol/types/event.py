"""Events of the server. ``kind`` is the name under which a client subscribes to an event."""

import time
from typing import ClassVar, Final, Literal

import attrs

from agentbrowser.protocol.types.fields import constraints, field

EventKind = Literal["page", "console", "network", "dialog", "download", "frame"]
Level = Literal["debug", "info", "warning", "error"]
DownloadState = Literal["started", "completed", "canceled", "failed"]
DEFAULT_KINDS: Final[frozenset[str]] = frozenset({"console", "dialog"})


def now_ms() -> int:
    """Return the wall-clock time in milliseconds, for an event's timestamp."""
    return time.time_ns() // 1_000_000


@attrs.frozen(kw_only=True)
class NumberedEvent:
    """Common field of all events."""

    seq: int | None = None
    """Consecutive number of the event in the session; only in a session with an id."""


@attrs.frozen(kw_only=True)
class PageEvent(NumberedEvent):
    """A change of a page as a whole."""

    kind: ClassVar[EventKind] = "page"
    type: Literal["load", "domcontentloaded", "navigated", "created", "crashed", "close", "error"]
    page_id: str
    url: str | None = None
    opener: str | None = None
    """For type ``created``: the page that has opened it, if one has."""
    reason: str | None = None
    """For type ``error``: what the server did to the page or to its popup, and the reason."""
    timestamp: int = attrs.field(factory=now_ms)


@attrs.frozen(kw_only=True)
class PageError:
    """An uncaught error of a page's script."""

    name: str
    """Its type, such as ``TypeError``."""
    message: str
    stack: str


@attrs.frozen(kw_only=True)
class ConsoleEvent(NumberedEvent):
    """A console message of a page, or an uncaught error (type ``error``)."""

    kind: ClassVar[EventKind] = "console"
    page_id: str
    type: str
    text: str
    level: Level
    url: str | None = None
    line: int | None = None
    column: int | None = None
    error: PageError | None = None
    """The uncaught error, or whatever else the script threw, which has no name."""
    timestamp: int = attrs.field(factory=now_ms)


@attrs.frozen(kw_only=True)
class DialogEvent(NumberedEvent):
    """A dialog that a page opened."""

    kind: ClassVar[EventKind] = "dialog"
    page_id: str
    type: str
    message: str
    default_value: str | None = None
    timestamp: int = attrs.field(factory=now_ms)


@attrs.frozen(kw_only=True)
class NetworkEvent(NumberedEvent):
    """A request of a page, its response, or its failure; the events of one request share ``request_id``.

    An ``intercepted`` request of a page that is still opening has an empty ``page_id``.
    """

    kind: ClassVar[EventKind] = "network"
    type: Literal["request", "response", "failed", "intercepted"]
    request_id: str
    page_id: str
    url: str
    """URL without secrets; the other fields have none either."""
    method: str
    resource_type: str
    status: int | None = None
    headers: dict[str, str] | None = None
    """Headers of the request; for type ``response``, those of the response."""
    post_data: str | None = None
    """``[REDACTED]`` if the request has a body."""
    error: str | None = None
    timing: dict[str, float] | None = None
    """``startTime`` in milliseconds since 1970, and the completed phases in milliseconds after it."""
    timestamp: int = attrs.field(factory=now_ms)


@attrs.frozen(kw_only=True)
class FrameEvent(NumberedEvent):
    """A frame that was attached, navigated or detached."""

    kind: ClassVar[EventKind] = "frame"
    type: Literal["attached", "navigated", "detached"]
    page_id: str
    frame_id: str
    url: str | None = None
    name: str | None = None
    timestamp: int = attrs.field(factory=now_ms)


@attrs.frozen(kw_only=True)
class DownloadEvent(NumberedEvent):
    """The start or end of a download."""

    kind: ClassVar[EventKind] = "download"
    download_id: str
    page_id: str
    url: str
    suggested_filename: str
    """File name without folders."""
    state: DownloadState
    size: int | None = None
    """Size in bytes, once completed."""
    error: str | None = None
    """Reason of the failure."""
    timestamp: int = attrs.field(factory=now_ms)


PublicEvent = PageEvent | ConsoleEvent | NetworkEvent | DialogEvent | DownloadEvent | FrameEvent


@attrs.frozen(kw_only=True)
class Dropped(NumberedEvent):
    """Lost events: the client read too slowly, or the rate limit was exceeded."""

    kind: ClassVar[str] = "dropped"
    event_kind: str = attrs.field(metadata=constraints(wire="kind"))
    count: int


Report = PublicEvent | Dropped


@attrs.frozen(kw_only=True)
class Queued:
    """A request that waits because the server is full; sent at each change of its position."""

    kind: ClassVar[str] = "queued"
    position: int
    """Position in the queue; 1 is next."""
    id: int | str | None = None
    """Id of the request."""


@attrs.frozen(kw_only=True)
class EventFilter:
    """Filter of events: all given fields must match. A field that an event kind lacks is ignored."""

    page_id: str | None = field(default=None, maximum=128)
    url_pattern: str | None = field(default=None, maximum=1000)
    types: list[str] | None = field(default=None, maximum=50)
    level: Level | None = None
    """Lowest level."""
