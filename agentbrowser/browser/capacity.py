"""Capacity of the server: counts of all open pages and contexts, memory and file descriptors, and their limits.

The browser thread counts, and reserves room before it creates anything. The server's thread reads, and lets requests
that found no room try again in turn.
"""

import asyncio
import contextlib
import contextvars
import time
from collections.abc import Callable, Iterator
from typing import Final, Self

import attrs

from agentbrowser.config import Config
from agentbrowser.protocol.errors import ResourceLimitExceeded, ServerBusy

_CONTEXT_DESCRIPTORS: Final = 16
"""Descriptors that a context and its first page count with in each process, until the next measurement."""
_MAX_THREADS: Final = 2
_KEPT_DESCRIPTORS: Final = 128
"""Descriptors of each process that are kept for what the open pages load, for connections and for files; a quarter of
its limit where that is less."""

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


def popup_refusal(pages: int, max_pages: int, *, is_full: bool) -> str | None:
    """Return the reason why a page that a page has opened is closed; None if it may stay."""
    if pages >= max_pages:
        return f"A page that it opened is closed, for {max_pages} pages are open."
    return "A page that it opened is closed, for the server is full." if is_full else None


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


@attrs.define(eq=False)
class EngineShare:
    """Pages, contexts and threads of one engine; the former two count in the server's capacity as well."""

    total: "Capacity"
    contexts: int = attrs.field(default=0, init=False)
    """Number of contexts, with those that are being created."""
    contexts_made: int = attrs.field(default=0, init=False)
    idle_since_s: float = attrs.field(factory=time.monotonic, init=False)
    """Time when the last context was closed, on the monotonic clock."""
    threads: asyncio.Semaphore = attrs.field(factory=lambda: asyncio.Semaphore(_MAX_THREADS), init=False)
    """Threads for long work, so that one owner's work leaves some to the others."""

    @property
    def is_idle(self) -> bool:
        """True if there is no context, and none is being created."""
        return self.contexts == 0

    def reset(self) -> None:
        """Forget what belongs to an event loop that has ended."""
        self.threads = asyncio.Semaphore(_MAX_THREADS)

    @contextlib.contextmanager
    def reserved(self, *, context: bool = False) -> Iterator[None]:
        """Reserve room for the page or context that the block creates and counts.

        Raises:
          CapacityExceeded: there is no room, or other requests wait for it.
        """
        with self.total.reserved(context=context):
            self._count_contexts(int(context))
            try:
                yield
            finally:
                self._count_contexts(-int(context))

    def count(self, *, pages: int = 0, contexts: int = 0) -> None:
        """Count opened pages and contexts; negative numbers count closed ones."""
        self._count_contexts(contexts)
        self.contexts_made += max(0, contexts)
        self.total.count(pages=pages, contexts=contexts)

    def _count_contexts(self, change: int) -> None:
        self.contexts += change
        if change < 0:
            self.idle_since_s = time.monotonic()


@attrs.define(eq=False, kw_only=True)
class Capacity:
    """Pages and contexts of all clients, and the memory of these and of the server."""

    max_pages: int
    max_contexts: int
    max_memory_bytes: int | None = None
    pages: int = attrs.field(default=0, init=False)
    contexts: int = attrs.field(default=0, init=False)
    memory_bytes: int = attrs.field(default=0, init=False)
    """Last measurement; 0 where there is none."""
    _expected_bytes: int = attrs.field(default=0, init=False)
    """Memory of what was started after the last measurement."""
    descriptors: tuple[int, int] | None = attrs.field(default=None, init=False)
    """Use and limit of the process that has the fewest descriptors left, when last measured; None where unknown."""
    _expected_descriptors: int = attrs.field(default=0, init=False)
    waiting: int = attrs.field(default=0, init=False)
    """Number of requests that wait for room; new requests do not overtake them."""
    _reserved_pages: int = attrs.field(default=0, init=False)
    _reserved_contexts: int = attrs.field(default=0, init=False)
    on_room_freed: Callable[[], object] = lambda: None
    """Called in the browser thread when there is room again and a request waits for it."""

    @classmethod
    def of(cls, config: Config) -> Self:
        """Return the capacity that the settings allow."""
        return cls(
            max_pages=config.max_total_pages,
            max_contexts=config.max_total_contexts,
            max_memory_bytes=config.max_memory_bytes,
        )

    @property
    def is_full(self) -> bool:
        """True if there is no room for a new page."""
        return self.exhausted() is not None

    def exhausted(self, *, context: bool = False) -> tuple[str, int, int] | None:
        """Return the exhausted resource, its limit and its current value; None if there is room for a page.

        Args:
          context: check the room for a context instead.
        """
        if (exhausted := self.exhausted_memory() or self._exhausted_descriptors()) is not None:
            return exhausted
        if context and (contexts := self.contexts + self._reserved_contexts) >= self.max_contexts:
            return "contexts", self.max_contexts, contexts
        if not context and (pages := self.pages + self._reserved_pages) >= self.max_pages:
            return "pages", self.max_pages, pages
        return None

    def exhausted_memory(self) -> tuple[str, int, int] | None:
        """Return ``memory``, its limit and the current value; None if there is memory left."""
        current = self.memory_bytes + self._expected_bytes
        if self.max_memory_bytes is None or current < self.max_memory_bytes:
            return None
        return "memory", self.max_memory_bytes, current

    def _exhausted_descriptors(self) -> tuple[str, int, int] | None:
        """Return ``descriptors``, the most that may be used, and the use; None if there are some left."""
        if self.descriptors is None:
            return None
        used, limit = self.descriptors
        used, most = used + self._expected_descriptors, limit - min(_KEPT_DESCRIPTORS, limit // 4)
        return ("descriptors", most, used) if used >= most else None

    def descriptors_measured(self, used: int, limit: int) -> None:
        """Note the use and the limit of the process that has the fewest descriptors left."""
        self.descriptors, self._expected_descriptors = (used, limit), 0

    def measured(self, memory_bytes: int) -> None:
        """Note a measurement of the memory."""
        self.memory_bytes, self._expected_bytes = memory_bytes, 0

    def expect(self, memory_bytes: int) -> None:
        """Count memory that will be used soon, until the next measurement."""
        self._expected_bytes += memory_bytes

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
        self._expected_descriptors += _CONTEXT_DESCRIPTORS * max(0, contexts)
        if (pages > 0 or contexts > 0) and (on_admitted := _ON_ADMITTED.get()) is not None:
            on_admitted()
        if pages < 0 or contexts < 0:
            self._notify_room()

    def _notify_room(self) -> None:
        if self.waiting:
            self.on_room_freed()
