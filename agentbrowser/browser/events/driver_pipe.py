"""Pipe from a driver: its messages have a size limit, are read with back-pressure, and are counted by page.

All engines share one event loop. A page that floods its driver fills that driver's pipe: while the pipe is read slowly,
the driver waits, and the other engines have the loop.
"""

import asyncio
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

import attrs
import structlog

from agentbrowser.protocol import wire

log = structlog.get_logger("agentbrowser.browser")

MAX_MESSAGE_BYTES: Final = 20 * 1024 * 1024
"""Limit of one message. A result of 8 MB has up to 16: JSON within JSON is escaped twice."""
TOO_LARGE: Final = "The driver's answer has {size} bytes; it may have {limit}."
"""Message of the error in the place of an answer beyond the limit; `faults` recognizes it."""

_LONG_TEXT: Final = 64 * 1024
_KEPT_TEXT: Final = 4096
_KEPT_HEADERS: Final = 200
_HEAD_BYTES: Final = 512
_PIECE_BYTES: Final = 64 * 1024
_REPLY: Final = re.compile(rb'\s*\{\s*"id"\s*:\s*"([^"\\]{1,100})"')
_CREATION: Final = re.compile(rb'"method"\s*:\s*"__')
_STORAGE_EVENT: Final = re.compile(
    rb'\s*\{\s*"guid"\s*:\s*"([^"\\]{1,100})"[^{}]{1,100}"event"[^{}]{1,100}\{\s*"method"\s*:\s*"(DOMStorage\.\w{1,60})"'
)
"""Notice of a page's change of its storage. Its values, which nobody needs, may have megabytes."""

_MAX_SHARE: Final = 0.3
"""Share of the loop's time that the events of one engine may have while others run."""
_BURST_S: Final = 0.05

FLOOD_SECONDS: Final = 5
"""A page that exceeds a limit in each of so many seconds floods. A heavy page may exceed one for a moment."""
FLOOD_LIMITS: Final[Mapping[str, tuple[str, int]]] = {
    "worker": ("workers", 25),
    "navigated": ("navigations", 50),
    "frameAttached": ("frames", 50),
    "console": ("console messages", 500),
    "pageError": ("errors", 500),
    "request": ("requests", 500),
    "": ("events", 2000),
}
"""Limits per second and page by the driver's event, with the noun for a message; the last one is for all others."""


class ByteStream(Protocol):
    """Source of the pipe's bytes."""

    async def readexactly(self, n: int) -> bytes:
        """Return exactly so many bytes. [asyncio]"""
        ...


@attrs.define(eq=False)
class PipeMeter:
    """Measures of one engine's pipe.

    Args:
      is_shared: returns True while other engines in the same loop have clients.
    """

    is_shared: Callable[[], bool] = lambda: False
    clock: Callable[[], float] = time.monotonic
    is_slowed: bool = attrs.field(default=False, init=False)
    """True while the pipe is read more slowly than it could be."""
    on_slowed: Callable[[], object] = attrs.field(default=lambda: None, init=False)
    """Called each time that the pipe is slowed."""
    page_of: Callable[[str], str | None] = attrs.field(default=lambda guid: None, init=False)
    """Returns the guid of the page to which an object belongs."""
    _listeners: dict[str, Callable[[str], object]] = attrs.field(factory=dict, init=False)
    _sessions: dict[str, str] = attrs.field(factory=dict, init=False)
    _debt_s: float = attrs.field(default=0.0, init=False)
    _paced_s: float = attrs.field(default=0.0, init=False)
    _began_s: float = attrs.field(default=0.0, init=False)
    _counts: Counter[tuple[str, str]] = attrs.field(factory=Counter, init=False)
    _streaks: dict[tuple[str, str], int] = attrs.field(factory=dict, init=False)

    def watch(self, page: str, on_flood: Callable[[str], object]) -> None:
        """Call ``on_flood`` with a reason when the page of that guid floods."""
        self._listeners[page] = on_flood

    def relate(self, session: str, page: str) -> None:
        """Count the events of a CDP session for its page, which Playwright does not relate."""
        self._sessions[session] = page

    def forget(self, page: str) -> None:
        """Stop watching a page."""
        self._listeners.pop(page, None)
        self._sessions = {session: other for session, other in self._sessions.items() if other != page}

    def note_event(self, message: Mapping[str, Any]) -> None:
        """Count an event for the object that it concerns."""
        method = str(message.get("method"))
        self._counts[_subject(message), method if method in FLOOD_LIMITS else ""] += 1
        now_s = self.clock()
        if now_s - self._began_s >= 1:
            self._end_second(now_s)

    def note_work(self, seconds: float) -> None:
        """Count the time that the loop has spent on an event."""
        self._debt_s += seconds

    async def pace(self) -> None:
        """Wait until the engine's share of the loop allows the next message. [asyncio]"""
        now_s = self.clock()
        self._debt_s = max(0.0, self._debt_s - _MAX_SHARE * (now_s - self._paced_s))
        self._paced_s = now_s
        self.is_slowed = self._debt_s > _BURST_S and self.is_shared()
        if self.is_slowed:
            self.on_slowed()
            await asyncio.sleep(_BURST_S)

    def _end_second(self, now_s: float) -> None:
        elapsed_s, counts = max(1.0, now_s - self._began_s), self._counts
        self._began_s, self._counts = now_s, Counter()
        of_pages: Counter[tuple[str, str]] = Counter()
        if counts.total() > min(limit for _, limit in FLOOD_LIMITS.values()):
            for (guid, method), count in counts.items():
                page = self._sessions.get(guid) or self.page_of(guid)
                if page is not None:
                    of_pages[page, method] += count
        exceeded = [key for key, count in of_pages.items() if count > FLOOD_LIMITS[key[1]][1] * elapsed_s]
        self._streaks = {key: self._streaks.get(key, 0) + 1 for key in exceeded}
        for page, method in [key for key, streak in self._streaks.items() if streak == FLOOD_SECONDS]:
            noun, limit = FLOOD_LIMITS[method]
            if (listener := self._listeners.get(page)) is not None:
                listener(f"it caused more than {limit} {noun} a second for {FLOOD_SECONDS} s")


def _subject(message: Mapping[str, Any]) -> str:
    """Return the guid of the page or frame of an event, or of the object that emits it."""
    params = message.get("params") or {}
    holder = params.get("initializer") or params
    for name in ("page", "frame"):
        if isinstance(holder, dict) and isinstance(found := holder.get(name), dict) and "guid" in found:
            return str(found["guid"])
    return str(message.get("guid", ""))


@attrs.define(eq=False)
class PipeReader:
    """Reader of frames, each a length of four bytes and a message, in the place of the stream that it reads from.

    An answer beyond the limit is replaced by an error, an event by an empty message. The creation of an object passes:
    later messages refer to it. Long events of storage pass without their values: parsing these would hold up the loop.
    """

    stream: ByteStream
    meter: PipeMeter
    _left: int = attrs.field(default=0, init=False)
    """Bytes of the current message that are still in the stream."""
    _ready: bytes = attrs.field(default=b"", init=False)
    """Bytes of the current message that are no longer there."""

    async def readexactly(self, count: int) -> bytes:
        """Return the next length, or the next bytes of the current message. [asyncio]"""
        if not self._left and not self._ready:
            return await self._next_length()
        part, self._ready = self._ready[:count], self._ready[count:]
        if missing := count - len(part):
            self._left -= missing
            part += await self.stream.readexactly(missing)
        return part

    async def _next_length(self) -> bytes:
        await self.meter.pace()
        length = int.from_bytes(await self.stream.readexactly(4), "little")
        self._left = length
        if length > min(_LONG_TEXT, MAX_MESSAGE_BYTES):
            length = await self._replace(length)
        return length.to_bytes(4, "little")

    async def _replace(self, length: int) -> int:
        """Replace a long message, if need be; return the length of what is read in its place. [asyncio]"""
        head = await self.stream.readexactly(_HEAD_BYTES)
        self._left = length - _HEAD_BYTES
        reply, change = _REPLY.match(head), _STORAGE_EVENT.match(head)
        if change is None and (length <= MAX_MESSAGE_BYTES or (reply is None and _CREATION.search(head))):
            self._ready = head
            return length
        while self._left:
            size = min(self._left, _PIECE_BYTES)
            await self.stream.readexactly(size)
            self._left -= size
        if change is not None:
            event: dict[str, Any] = {"method": change[2].decode(), "params": {}}
            self._ready = wire.dump({"guid": change[1].decode(), "method": "event", "params": event})
            return len(self._ready)
        log.warning("driver_message_too_large", bytes=length, is_reply=reply is not None)
        if reply is not None:
            error = {"name": "Error", "message": TOO_LARGE.format(size=length, limit=MAX_MESSAGE_BYTES)}
            self._ready = wire.dump({"id": reply[1].decode(), "error": {"error": error}})
        else:
            self._ready = b"{}"
        return len(self._ready)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def shorten(message: dict[str, Any], size: int) -> None:
    """Cut what Playwright would keep of a large event: addresses of frames, values in console messages, and headers of
    responses, of which each takes a hundred times the work of a character."""
    if size < _LONG_TEXT or "id" in message:
        return
    params = message.get("params") or {}
    if params.get("type") == "Response":
        del params["initializer"].get("headers", [])[_KEPT_HEADERS:]
        return
    kept = {"navigated": (params, "url"), "__create__": (params.get("initializer"), "preview")}
    if params.get("type") == "Frame":
        kept["__create__"] = (params["initializer"], "url")
    holder, name = kept.get(str(message.get("method")), (None, ""))
    if isinstance(holder, dict) and len(str(holder.get(name, ""))) > _LONG_TEXT:
        holder[name] = holder[name][:_KEPT_TEXT]
