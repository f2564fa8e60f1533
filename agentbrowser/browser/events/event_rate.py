"""How many events of a kind are told in a second: too many are counted, and far too many not even heard."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Final

import attrs

_SECOND_S: Final = 1.0


@attrs.frozen
class EventLimits:
    """Events in a second."""

    sent_per_page: int
    """Of one page, told to the client."""
    received_per_context: int
    """Of all pages of a context together, before it is listened to no more."""


@attrs.define(eq=False)
class EventRate:
    """The count of a kind's events in the current second, which begins with the first event after the last one.

    Args:
      on_second_end: called at the end of a second, with how many of its events were not told.
    """

    limits: EventLimits
    on_second_end: Callable[[int], object]
    _counts: Counter[str] = attrs.field(factory=Counter, init=False)
    _dropped: int = attrs.field(default=0, init=False)
    _clock: asyncio.TimerHandle | None = attrs.field(default=None, init=False)

    def admits(self, page_id: str) -> bool:
        """Count an event of that page, and tell whether the client is told of it."""
        self._start()
        self._counts[page_id] += 1
        return self._counts[page_id] <= self.limits.sent_per_page

    def add_dropped(self, count: int) -> None:
        """Count events that were not even sent to us."""
        self._start()
        self._dropped += count

    @property
    def is_flooded(self) -> bool:
        """Whether this second has brought so many events that listening on would hold up other clients."""
        return self._counts.total() >= self.limits.received_per_context

    def stop(self) -> None:
        """Forget the current second."""
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
