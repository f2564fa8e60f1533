"""What a client wants to be told: kinds of events, each with a filter. Pure; both threads ask it."""

from collections.abc import Iterable, Mapping
from typing import Final, Self

import attrs

from agentbrowser.policy import globs
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.types.event import (
    DEFAULT_KINDS,
    Dropped,
    EventFilter,
    Level,
    NetworkEvent,
    PublicEvent,
    Report,
)

_LEVELS: Final[tuple[Level, ...]] = ("debug", "info", "warning", "error")
_EVERYTHING: Final = EventFilter()


@attrs.frozen
class Subscriptions:
    """Kinds of events, and which of them."""

    filters: Mapping[str, EventFilter]

    @classmethod
    def of(cls, kinds: Iterable[str], filter: EventFilter = _EVERYTHING) -> Self:
        """Subscribe to these kinds only.

        Raises:
          InvalidParams: the filter's URL pattern means nothing.
        """
        if filter.url_pattern is not None:
            try:
                globs.compiled(filter.url_pattern)
            except InvalidParams as refused:
                raise refused.with_details(path="filter.urlPattern") from None
        return cls(dict.fromkeys(kinds, filter))

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds subscribed to."""
        return frozenset(self.filters)

    def plus(self, others: Self) -> Self:
        """Return these and the others; of one kind the others' filter holds."""
        return attrs.evolve(self, filters={**self.filters, **others.filters})

    def minus(self, kinds: Iterable[str]) -> Self:
        """Return these without some kinds."""
        left = self.kinds.difference(kinds)
        return attrs.evolve(self, filters={kind: self.filters[kind] for kind in self.filters if kind in left})

    def wants(self, event: Report) -> bool:
        """Tell whether the client is to be told."""
        if isinstance(event, Dropped):
            return event.event_kind in self.filters
        if isinstance(event, NetworkEvent) and event.type == "intercepted":
            return True  # network/intercept asked for it
        filter = self.filters.get(event.kind)
        return filter is not None and _fits(filter, event)


DEFAULT: Final = Subscriptions.of(DEFAULT_KINDS)


def _fits(filter: EventFilter, event: PublicEvent) -> bool:
    url: str | None = getattr(event, "url", "")
    return (
        filter.page_id in (None, event.page_id)
        and (filter.types is None or getattr(event, "type", filter.types) in (filter.types, *filter.types))
        and (filter.level is None or _rank(getattr(event, "level", "error")) >= _rank(filter.level))
        and (filter.url_pattern is None or not hasattr(event, "url") or globs.matches(filter.url_pattern, url or ""))
    )


def _rank(level: Level) -> int:
    return _LEVELS.index(level)
