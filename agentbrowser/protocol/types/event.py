"""What the server tells its clients unasked. ``kind`` is the name under which a client subscribes to the event."""

import time
from typing import ClassVar, Final, Literal

import attrs

from agentbrowser.protocol.types.fields import constraints, field

EventKind = Literal["page", "console", "network", "dialog", "download", "frame"]
Level = Literal["debug", "info", "warning", "error"]
DownloadState = Literal["started", "completed", "canceled", "failed"]
DEFAULT_KINDS: Final[frozenset[str]] = frozenset({"console", "dialog"})


def now_ms() -> int:
    """Return the wall-clock time in milliseconds, for the timestamp of an event."""
    return time.time_ns() // 1_000_000


@attrs.frozen(kw_only=True)
class Numbered:
    """What every event has besides its own fields."""

    seq: int | None = None
    """Its number in the session, one more than that of the event before; only in a session that has an id."""


@attrs.frozen(kw_only=True)
class PageEvent(Numbered):
    """Something happened to a page as a whole."""

    kind: ClassVar[EventKind] = "page"
    type: Literal["load", "domcontentloaded", "navigated", "created", "crashed", "close", "error"]
    page_id: str
    url: str | None = None
    reason: str | None = None
    """Of type ``error``: what the server has done to the page, or to one that it opened, and why."""
    timestamp: int = attrs.field(factory=now_ms)


@attrs.frozen(kw_only=True)
class ConsoleEvent(Numbered):
    """A page wrote to the console, or threw an error that nobody caught (type ``error``)."""

    kind: ClassVar[EventKind] = "console"
    page_id: str
    type: str
    text: str
    level: Level
    url: str | None = None
    line: int | None = None
    column: int | None = None
    timestamp: int = attrs.field(factory=now_ms)


@attrs.frozen(kw_only=True)
class DialogEvent(Numbered):
    """A page opened a dialog."""

    kind: ClassVar[EventKind] = "dialog"
    page_id: str
    type: str
    message: str
    default_value: str | None = None
    timestamp: int = attrs.field(factory=now_ms)


@attrs.frozen(kw_only=True)
class NetworkEvent(Numbered):
    """A page has asked for something, been answered, or got no answer; all of one request have its ``request_id``.

    A request that a page makes while it opens has an empty ``page_id`` if it is ``intercepted``.
    """

    kind: ClassVar[EventKind] = "network"
    type: Literal["request", "response", "failed", "intercepted"]
    request_id: str
    page_id: str
    url: str
    """Without secrets, as all of these."""
    method: str
    resource_type: str
    status: int | None = None
    headers: dict[str, str] | None = None
    """Those of the request, or in a ``response`` those of the response."""
    post_data: str | None = None
    """Says only that there is a body."""
    error: str | None = None
    timing: dict[str, float] | None = None
    """``startTime`` in milliseconds of the clock, and the phases that are over in milliseconds after it."""
    timestamp: int = attrs.field(factory=now_ms)


@attrs.frozen(kw_only=True)
class FrameEvent(Numbered):
    """A frame has come into a page, gone to another document, or left."""

    kind: ClassVar[EventKind] = "frame"
    type: Literal["attached", "navigated", "detached"]
    page_id: str
    frame_id: str
    url: str | None = None
    name: str | None = None
    timestamp: int = attrs.field(factory=now_ms)


@attrs.frozen(kw_only=True)
class DownloadEvent(Numbered):
    """A download has begun or is over."""

    kind: ClassVar[EventKind] = "download"
    download_id: str
    page_id: str
    url: str
    suggested_filename: str
    """A name, never a path."""
    state: DownloadState
    size: int | None = None
    """Bytes, once it is completed."""
    error: str | None = None
    """Why it failed."""
    timestamp: int = attrs.field(factory=now_ms)


PublicEvent = PageEvent | ConsoleEvent | NetworkEvent | DialogEvent | DownloadEvent | FrameEvent


@attrs.frozen(kw_only=True)
class Dropped(Numbered):
    """Events were lost: the client did not take them fast enough, or there were more than it is told of."""

    kind: ClassVar[str] = "dropped"
    event_kind: str = attrs.field(metadata=constraints(wire="kind"))
    count: int


Report = PublicEvent | Dropped


@attrs.frozen(kw_only=True)
class Queued:
    """The server is full, so a request waits for room; told each time its place changes."""

    kind: ClassVar[str] = "queued"
    position: int
    """From 1 on, which is next."""
    id: int | str | None = None
    """The request's."""


@attrs.frozen(kw_only=True)
class EventFilter:
    """Which events are sent: those that fit all that is said here. What a kind of event does not have is not asked."""

    page_id: str | None = None
    url_pattern: str | None = field(default=None, maximum=1000)
    types: list[str] | None = field(default=None, maximum=50)
    level: Level | None = None
    """The least level."""
