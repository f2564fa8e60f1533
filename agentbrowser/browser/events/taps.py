"""Taps: listeners inside the server to the events of a client's pages, whatever the client subscribes to."""

from collections.abc import Callable, Iterable

import attrs

from agentbrowser.protocol.types.event import Report


@attrs.frozen(eq=False)
class EventTap:
    """One listener, and the kinds of events that it needs."""

    kinds: frozenset[str]
    receive: Callable[[Report], object]


@attrs.define(eq=False)
class EventTaps:
    """Taps on the events of one client's pages. A tap receives every event, and those of its kinds for certain."""

    on_change: Callable[[], object]
    """Called when the kinds that are needed may have changed."""
    _taps: list[EventTap] = attrs.field(factory=list, init=False)

    @property
    def kinds(self) -> frozenset[str]:
        """Return the kinds of events that the taps need."""
        return frozenset().union(*(tap.kinds for tap in self._taps))

    def add(self, kinds: Iterable[str], receive: Callable[[Report], object]) -> Callable[[], None]:
        """Add a tap; return the function that removes it."""
        tap = EventTap(frozenset(kinds), receive)
        self._taps.append(tap)
        self.on_change()

        def remove() -> None:
            if tap in self._taps:
                self._taps.remove(tap)
                self.on_change()

        return remove

    def deliver(self, event: Report) -> None:
        """Pass an event to the taps."""
        for tap in tuple(self._taps):
            tap.receive(event)
