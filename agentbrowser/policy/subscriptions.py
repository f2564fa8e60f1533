"""Event subscriptions of a client: kinds of events, each with a filter. Pure; used in both threads."""

from collections.abc import Callable, Iterable, Mapping
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
_MAX_TYPE: Final = 100
_NO_FILTER: Final = EventFilter()


@attrs.frozen
class Subscriptions:
    """Subscribed event kinds with their filters."""

    filters: Mapping[str, EventFilter]
    dialog_timeout_ms: int | None = None
    """Time for which a dialog stays open for the client; None: that of the server."""

    @classmethod
    def of(cls, kinds: Iterable[str], filter: EventFilter = _NO_FILTER, dialog_timeout_ms: int | None = None) -> Self:
        """Return subscriptions to these kinds only.

        Raises:
          InvalidParams: the URL pattern of the filter is invalid, or a type is too long.
        """
        if any(len(one) > _MAX_TYPE for one in filter.types or ()):
            expected = f"a list of texts of at most {_MAX_TYPE} characters"
            raise InvalidParams(f"filter.types must be {expected}.", path="filter.types", expected=expected)
        if filter.url_pattern is not None:
            try:
                globs.check(filter.url_pattern)
            except InvalidParams as refused:
                raise refused.with_details(path="filter.urlPattern") from None
        return cls(dict.fromkeys(kinds, filter), dialog_timeout_ms)

    @property
    def kinds(self) -> frozenset[str]:
        """Return the subscribed kinds."""
        return frozenset(self.filters)

    def plus(self, others: Self) -> Self:
        """Return the union; for a common kind, the filter of the others applies."""
        asked = (timeout for timeout in (others.dialog_timeout_ms, self.dialog_timeout_ms) if timeout is not None)
        return attrs.evolve(self, filters={**self.filters, **others.filters}, dialog_timeout_ms=next(asked, None))

    def minus(self, kinds: Iterable[str]) -> Self:
        """Return the subscriptions without some kinds."""
        left = self.kinds.difference(kinds)
        return attrs.evolve(self, filters={kind: self.filters[kind] for kind in self.filters if kind in left})

    def wants(self, event: Report, mask: Callable[[str], str] = str) -> bool:
        """Return True if the client has subscribed to an event.

        Args:
          mask: returns a text as the client sees it: a filter finds no part of a secret.
        """
        if isinstance(event, Dropped):
            return event.event_kind in self.filters
        if isinstance(event, NetworkEvent) and event.type == "intercepted":
            return True  # network/intercept asked for it
        filter = self.filters.get(event.kind)
        return filter is not None and _matches(filter, event, mask)


DEFAULT: Final = Subscriptions.of(DEFAULT_KINDS)


def _matches(filter: EventFilter, event: PublicEvent, mask: Callable[[str], str]) -> bool:
    url: str | None = getattr(event, "url", "")
    return (
        filter.page_id in (None, event.page_id)
        and (filter.types is None or getattr(event, "type", filter.types) in (filter.types, *filter.types))
        and (filter.level is None or _rank(getattr(event, "level", "error")) >= _rank(filter.level))
        and (
            filter.url_pattern is None
            or not hasattr(event, "url")
            or globs.matches(filter.url_pattern, mask(url or ""))
        )
    )


def _rank(level: Level) -> int:
    return _LEVELS.index(level)
