"""Requests on the same page run one at a time, in the order in which they arrived."""

from collections import deque

import attrs
import trio


@attrs.define(eq=False)
class Turn:
    """A request's place in the lane of each page it acts on. Taken on arrival, left when the request is over."""

    _lanes: "Lanes"
    _pages: frozenset[str]
    _ready: trio.Event = attrs.field(factory=trio.Event)

    async def wait(self) -> None:
        """Wait until every request that arrived before on one of these pages is over."""
        if not self._ready.is_set():  # a checkpoint less for nearly every request
            await self._ready.wait()

    def leave(self) -> None:
        """Give up the place, reached or not."""
        self._lanes.remove(self)

    @property
    def pages(self) -> frozenset[str]:
        """The pages the request acts on."""
        return self._pages

    def call(self) -> None:
        """Let the request run."""
        self._ready.set()


@attrs.define(eq=False)
class Lanes:
    """The queues of one client, one a page.

    Places are taken in the reader, since Trio wakes tasks in no fixed order.
    """

    _queues: dict[str, deque[Turn]] = attrs.field(factory=dict, init=False)

    def take(self, pages: frozenset[str]) -> Turn:
        """Take a place at the end of each page's lane; in all at once, so that no two requests block each other."""
        turn = Turn(self, pages)
        for page in pages:
            self._queues.setdefault(page, deque()).append(turn)
        self._call_if_first(turn)
        return turn

    def remove(self, turn: Turn) -> None:
        """Take a place out, and call those who are first in all their lanes now."""
        for page in turn.pages:
            queue = self._queues.get(page, deque())
            if turn in queue:
                queue.remove(turn)
            if not queue:
                self._queues.pop(page, None)
        for page in turn.pages & self._queues.keys():
            self._call_if_first(self._queues[page][0])

    def _call_if_first(self, turn: Turn) -> None:
        if all(self._queues[page][0] is turn for page in turn.pages):
            turn.call()
