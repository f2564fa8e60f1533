"""What all clients together have open, and whether there is room for more.

The browser thread counts, and asks before it makes anything; the server's thread reads, and lets those that found no
room try again in turn.
"""

import contextlib
import contextvars
from collections.abc import Callable, Iterator
from typing import Final

import attrs

from agentbrowser.protocol.errors import ServerBusy

_CALLED: Final = contextvars.ContextVar[Callable[[], object] | None]("agentbrowser_called", default=None)


class CapacityExceeded(ServerBusy):
    """There is no room for one more; nothing has been done. Details: resource, limit, current."""


@contextlib.contextmanager
def in_turn(inside: Callable[[], object]) -> Iterator[None]:
    """Try what the block does although others wait, since it is its turn; ``inside`` is called once it has its room."""
    token = _CALLED.set(inside)
    try:
        yield
    finally:
        _CALLED.reset(token)


@attrs.define(eq=False, kw_only=True)
class Capacity:
    """The pages and contexts of all clients, and the memory that they and the server take."""

    max_pages: int
    max_contexts: int
    max_memory_bytes: int | None = None
    pages: int = attrs.field(default=0, init=False)
    contexts: int = attrs.field(default=0, init=False)
    contexts_made: int = attrs.field(default=0, init=False)
    memory_bytes: int = attrs.field(default=0, init=False)
    """As it was measured last; 0 where it is not."""
    waiting: int = attrs.field(default=0, init=False)
    """How many requests wait for room; newcomers do not overtake them."""
    _pages_to_come: int = attrs.field(default=0, init=False)
    _contexts_to_come: int = attrs.field(default=0, init=False)
    on_room_freed: Callable[[], object] = lambda: None
    """Called in the browser thread when there is room again that somebody waits for."""

    @property
    def is_full(self) -> bool:
        """Whether nobody gets a new page."""
        return self.lacking() is not None

    def lacking(self, *, context: bool = False) -> tuple[str, int, int] | None:
        """Return what there is no more room in, its limit and what it is at; None if there is room for a page.

        Args:
          context: whether it is a context that room is wanted for.
        """
        if self.max_memory_bytes is not None and self.memory_bytes >= self.max_memory_bytes:
            return "memory", self.max_memory_bytes, self.memory_bytes
        if context and (contexts := self.contexts + self._contexts_to_come) >= self.max_contexts:
            return "contexts", self.max_contexts, contexts
        if not context and (pages := self.pages + self._pages_to_come) >= self.max_pages:
            return "pages", self.max_pages, pages
        return None

    def check(self, *, context: bool = False) -> None:
        """Refuse to make one page more, or one context.

        Raises:
          CapacityExceeded: there is no room, or others wait for it.
        """
        lacking = self.lacking(context=context)
        if lacking is None and self.waiting and _CALLED.get() is None:
            lacking = "queue", self.waiting, self.waiting
        if lacking is not None:
            resource, limit, current = lacking
            raise CapacityExceeded("The server is full.", resource=resource, limit=limit, current=current)

    @contextlib.contextmanager
    def room(self, *, context: bool = False) -> Iterator[None]:
        """Keep the room for what the block makes, and counts at its end, so that nobody else takes it meanwhile.

        Raises:
          CapacityExceeded: there is none, or others wait for it.
        """
        self.check(context=context)
        self._expect(context, +1)
        try:
            yield
        finally:
            self._expect(context, -1)
            self._tell_room()

    def _expect(self, context: bool, change: int) -> None:
        if context:
            self._contexts_to_come += change
        else:
            self._pages_to_come += change

    def count(self, *, pages: int = 0, contexts: int = 0) -> None:
        """Count what was opened, or closed if it is negative."""
        self.pages += pages
        self.contexts += contexts
        self.contexts_made += max(0, contexts)
        if (pages > 0 or contexts > 0) and (inside := _CALLED.get()) is not None:
            inside()
        if pages < 0 or contexts < 0:
            self._tell_room()

    def _tell_room(self) -> None:
        if self.waiting:
            self.on_room_freed()
