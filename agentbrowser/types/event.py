"""What the server tells its clients unasked. ``kind`` is the name under which a client subscribes to the event."""

import time
from typing import ClassVar, Final, Literal

import attrs

from agentbrowser.types.fields import field

EventKind = Literal["page", "console", "dialog"]
DEFAULT_KINDS: Final[frozenset[str]] = frozenset({"console", "dialog"})


def now_ms() -> int:
    """Return the wall-clock time in milliseconds, for the timestamp of an event."""
    return time.time_ns() // 1_000_000


@attrs.frozen(kw_only=True)
class PageEvent:
    """Something happened to a page as a whole."""

    kind: ClassVar[EventKind] = "page"
    type: Literal["load", "domcontentloaded", "navigated", "created", "crashed", "close", "error"]
    page_id: str
    url: str | None = None
    timestamp: int = attrs.field(factory=now_ms)


@attrs.frozen(kw_only=True)
class ConsoleEvent:
    """A page wrote to the console, or threw an error that nobody caught (type ``error``)."""

    kind: ClassVar[EventKind] = "console"
    page_id: str
    type: str
    text: str
    level: Literal["debug", "info", "warning", "error"]
    url: str | None = None
    line: int | None = None
    column: int | None = None
    timestamp: int = attrs.field(factory=now_ms)


@attrs.frozen(kw_only=True)
class DialogEvent:
    """A page opened a dialog."""

    kind: ClassVar[EventKind] = "dialog"
    page_id: str
    type: str
    message: str
    default_value: str | None = None
    timestamp: int = attrs.field(factory=now_ms)


PublicEvent = PageEvent | ConsoleEvent | DialogEvent


@attrs.frozen(kw_only=True)
class Dropped:
    """Events were lost because the client did not take them fast enough."""

    event_kind: str = field(wire="kind")
    count: int
