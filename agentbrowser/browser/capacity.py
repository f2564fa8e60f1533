"""Capacity of the server: counts of all open pages and contexts, and their limits.

The browser thread counts, and reserves room before it creates anything. The server's thread reads, and lets requests
that found no room try again in turn.
"""

import contextlib
import contextvars
from collections.abc import Callable, Iterator
from typing import Final

import attrs

from agentbrowser.protocol.errors import ResourceLimitExceeded, ServerBusy

_ON_ADMITTED: Final = contextvars.ContextVar[Callable[[], object] | None]("agentbrowser_on_admitted", default=None)


class CapacityExceeded(ServerBusy):
    """The server is full, and nothing has been done. Details: resource, limit, current."""


@contextlib.contextmanager
def in_turn(on_admitted: Callable[[], object]) -> Iterator[None]:
    """Let the block pass the queue, since it is its turn; call ``on_admitted`` once it has its room."""
    token = _ON_ADMITTED.set(on_admitted)
    try:
        yield
    finally:
        _ON_ADMITTED.reset(token)


def too_many_pages(subject: str, limit: int, current: int) -> ResourceLimitExceeded:
    """Return the error for a page beyond a limit; its text begins with the subject and its verb."""
    message = f"{subject} {limit} pages; close one first."
    return ResourceLimitExceeded(message, resource="pages", limit=limit, current=current)


@attrs.define(eq=False)
class PageQuota:
    """Limit on the open pages of all clients of one token; they share one object."""

    max_pages: int | None = None
    pages: int = 0

    @property
    def is_used_up(self) -> bool:
        """True if there is no room for a new page."""
        return self.max_pages is not None and self.pages >= self.max_pages

    @contextlib.contextmanager
    def reserved(self) -> Iterator[None]:
        """Reserve room for the page that the block creates and counts.

        Raises:
          ResourceLimitExceeded: there is no room.
        """
        if self.is_used_up:
            raise too_many_pages("The clients of this token already have", self.max_pages or 0, self.pages)
        self.pages += 1
        try:
            yield
        finally:
            self.pages -= 1


@attrs.define(eq=False, kw_only=True)
class Capacity:
    """Pages and contexts of all clients, and the memory of these and of the server."""

    max_pages: int
    max_contexts: int
    max_memory_bytes: int | None = None
    pages: int = attrs.field(default=0, init=False)
    contexts: int = attrs.field(default=0, init=False)
    contexts_made: int = attrs.field(default=0, init=False)
    memory_bytes: int = attrs.field(default=0, init=False)
    """Last measurement; 0 where there is none."""
    waiting: int = attrs.field(default=0, init=False)
    """Number of requests that wait for room; new requests do not overtake them."""
    _reserved_pages: int = attrs.field(default=0, init=False)
    _reserved_contexts: int = attrs.field(default=0, init=False)
    on_room_freed: Callable[[], object] = lambda: None
    """Called in the browser thread when there is room again and a request waits for it."""

    @property
    def is_full(self) -> bool:
        """True if there is no room for a new page."""
        return self.exhausted() is not None

    @property
    def has_contexts(self) -> bool:
        """True if there is a context, or one is being created."""
        return self.contexts + self._reserved_contexts > 0

    def exhausted(self, *, context: bool = False) -> tuple[str, int, int] | None:
        """Return the exhausted resource, its limit and its current value; None if there is room for a page.

        Args:
          context: check the room for a context instead.
        """
        if self.max_memory_bytes is not None and self.memory_bytes >= self.max_memory_bytes:
            return "memory", self.max_memory_bytes, self.memory_bytes
        if context and (contexts := self.contexts + self._reserved_contexts) >= self.max_contexts:
            return "contexts", self.max_contexts, contexts
        if not context and (pages := self.pages + self._reserved_pages) >= self.max_pages:
            return "pages", self.max_pages, pages
        return None

    def check(self, *, context: bool = False) -> None:
        """Check that there is room for one more page, or one more context.

        Raises:
          CapacityExceeded: there is no room, or other requests wait for it.
        """
        exhausted = self.exhausted(context=context)
        if exhausted is None and self.waiting and _ON_ADMITTED.get() is None:
            exhausted = "queue", self.waiting, self.waiting
        if exhausted is not None:
            resource, limit, current = exhausted
            raise CapacityExceeded("The server is full.", resource=resource, limit=limit, current=current)

    @contextlib.contextmanager
    def reserved(self, *, context: bool = False) -> Iterator[None]:
        """Reserve room for the page or context that the block creates and counts.

        Raises:
          CapacityExceeded: there is no room, or other requests wait for it.
        """
        self.check(context=context)
        self._reserve(context, +1)
        try:
            yield
        finally:
            self._reserve(context, -1)
            self._notify_room()

    def _reserve(self, context: bool, change: int) -> None:
        if context:
            self._reserved_contexts += change
        else:
            self._reserved_pages += change

    def count(self, *, pages: int = 0, contexts: int = 0) -> None:
        """Count opened pages and contexts; negative numbers count closed ones."""
        self.pages += pages
        self.contexts += contexts
        self.contexts_made += max(0, contexts)
        if (pages > 0 or contexts > 0) and (on_admitted := _ON_ADMITTED.get()) is not None:
            on_admitted()
        if pages < 0 or contexts < 0:
            self._notify_room()

    def _notify_room(self) -> None:
        if self.waiting:
            self.on_room_freed()
