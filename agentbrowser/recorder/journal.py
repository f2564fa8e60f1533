"""Journal of a session: entries in order of time, bounded in bytes and in age. Safe in all threads."""

import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final

import attrs

from agentbrowser.protocol.codec import unstructure
from agentbrowser.protocol.types.event import Report
from agentbrowser.recorder.masks import recorded_result

MAX_BYTES: Final = 20 * 1024 * 1024
MAX_AGE_MS: Final = 10 * 60 * 1000
_GROWTH_BYTES: Final = 64 * 1024
"""Growth after which the owner's journals are measured together."""
_OVERHEAD_BYTES: Final = 400
"""Memory of an entry beside its texts."""


@attrs.frozen(kw_only=True, eq=False)
class Entry:
    """One entry; it is turned into plain data when it is read, off the request path."""

    time_ms: int
    kind: str
    size: int
    fields: Mapping[str, Any] = attrs.field(factory=dict)
    event: Report | None = None
    """Event of a page, whose fields are those of the entry."""
    params: bytes | None = attrs.field(default=None, repr=False)
    """Recordable params of a request, as JSON."""
    message: bytes | None = attrs.field(default=None, repr=False)
    """Reply as it was sent, with its result or error."""
    blob: bytes | None = attrs.field(default=None, repr=False)
    """Picture, or body of a response."""

    def plain(self, decode: Callable[[bytes], Any]) -> dict[str, Any]:
        """Return the entry as plain data, without its blob."""
        plain: dict[str, Any] = {"t": self.time_ms, "kind": self.kind, **self.fields}
        if self.params is not None:
            plain["params"] = decode(self.params)
        if self.event is not None:
            described = unstructure(self.event)
            described.pop("timestamp", None)
            plain |= recorded_result(described)
        if self.message is not None:
            reply = decode(self.message)
            plain |= {name: recorded_result(reply[name]) for name in ("result", "error") if name in reply}
        return plain


@attrs.define(eq=False)
class SessionJournal:
    """Bounded sequence of entries: the oldest ones leave first."""

    max_bytes: int = MAX_BYTES
    max_age_ms: int = MAX_AGE_MS
    size: int = attrs.field(default=0, init=False)
    """Estimated memory of the entries."""
    evicted: int = attrs.field(default=0, init=False)
    """Number of entries that have left."""
    on_growth: Callable[[], object] = attrs.field(default=lambda: None, init=False)
    """Measures the owner's journals together, and lets entries leave."""
    _grown: int = attrs.field(default=0, init=False)
    _entries: deque[Entry] = attrs.field(factory=deque, init=False)
    _lock: threading.Lock = attrs.field(factory=threading.Lock, init=False)

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, entry: Entry) -> None:
        """Add an entry, and let old ones leave; an entry that is larger than the journal is not kept."""
        size = entry.size + _OVERHEAD_BYTES
        with self._lock:
            if size > self.max_bytes:
                self.evicted += 1
                return
            self._entries.append(entry)
            self.size += size
            self._grown += size
            is_grown = self._grown >= _GROWTH_BYTES
            self._grown = 0 if is_grown else self._grown
            oldest_ms = entry.time_ms - self.max_age_ms
            while self._entries and (self.size > self.max_bytes or self._entries[0].time_ms < oldest_ms):
                self._evict_oldest()
        if is_grown:
            self.on_growth()

    def evict(self, count: int) -> None:
        """Let the oldest entries leave that have so many bytes together."""
        with self._lock:
            limit = self.size - count
            while self._entries and self.size > limit:
                self._evict_oldest()

    def entries(self) -> list[Entry]:
        """Return the entries in order of time."""
        with self._lock:
            entries = list(self._entries)
        return sorted(entries, key=lambda entry: entry.time_ms)

    def clear(self) -> None:
        """Remove all entries."""
        with self._lock:
            self._entries.clear()
            self.size = 0

    def _evict_oldest(self) -> None:
        self.size -= self._entries.popleft().size + _OVERHEAD_BYTES
        self.evicted += 1
