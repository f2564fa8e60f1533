"""Numbered events of a session with an id; the latest are kept and replayed to a returning client."""

from collections import deque
from typing import Any, Final

import attrs

from agentbrowser.protocol import wire

MAX_KEPT: Final = 1000
MAX_BYTES: Final = 1024 * 1024


@attrs.frozen
class BacklogEvent:
    """Event as sent, or as it will be sent to a returning client."""

    seq: int
    kind: str
    params: dict[str, Any]
    size: int


@attrs.define(eq=False)
class EventBacklog:
    """Latest events, bounded in number and in bytes, with consecutive numbers."""

    seq: int = attrs.field(default=0, init=False)
    """Number of the latest event; 0 before the first."""
    _kept: deque[BacklogEvent] = attrs.field(factory=deque, init=False)
    _bytes: int = attrs.field(default=0, init=False)

    def add(self, kind: str, params: dict[str, Any]) -> dict[str, Any]:
        """Keep an event, and return its params with its number."""
        self.seq += 1
        numbered = {**params, "seq": self.seq}
        size = len(wire.dump(numbered))
        self._kept.append(BacklogEvent(self.seq, kind, numbered, size))
        self._bytes += size
        while len(self._kept) > MAX_KEPT or self._bytes > MAX_BYTES:
            self._bytes -= self._kept.popleft().size
        return numbered

    def next(self, seq: int) -> BacklogEvent | None:
        """Return the first kept event after that number; None if there is none."""
        if not self._kept or seq >= self.seq:
            return None
        return self._kept[max(0, seq + 1 - self._kept[0].seq)]

    def missed(self, seq: int) -> int:
        """Return the number of events after that one that are no longer kept."""
        return max(0, self.seq - len(self._kept) - seq)
