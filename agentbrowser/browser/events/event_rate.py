"""Rate limits of events: above the first limit they are only counted, above the second they are not listened to."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Final

import attrs

_SECOND_S: Final = 1.0


@attrs.frozen
class EventLimits:
    """Limits in events per second."""

    sent_per_page: int
    """Limit on the events of one page that are sent to the client."""
    received_per_context: int
    """Limit on the events of all pages of a context; above it, nothing is listened to."""


@attrs.define(eq=False)
class EventRate:
    """Counter of a kind's events in the current second, which begins with its first event.

    Args:
      on_second_end: called at the end of a second, with the number of events that were not sent.
    """

    limits: EventLimits
    on_second_end: Callable[[int], object]
    _counts: Counter[str] = attrs.field(factory=Counter, init=False)
    _dropped: int = attrs.field(default=0, init=False)
    _clock: asyncio.TimerHandle | None = attrs.field(default=None, init=False)

    def admits(self, page_id: str) -> bool:
        """Count an event of that page; return True if it may be sent to the client."""
        self._start()
        self._counts[page_id] += 1
        return self._counts[page_id] <= self.limits.sent_per_page

    def add_dropped(self, count: int) -> None:
        """Count events that the page itself dropped."""
        self._start()
        self._dropped += count

    @property
    def is_flooded(self) -> bool:
        """Return True if this second has brought so many events that listening on would block other clients."""
        return self._counts.total() >= self.limits.received_per_context

    def stop(self) -> None:
        """Reset the current second."""
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
        self._counts.clear()
        self._dropped = 0

    def _start(self) -> None:
        if self._clock is None:
            self._clock = asyncio.get_running_loop().call_later(_SECOND_S, self._end_second)

    def _end_second(self) -> None:
        unsent = self._dropped + sum(max(0, count - self.limits.sent_per_page) for count in self._counts.values())
        self.stop()
        self.on_second_end(unsent)
