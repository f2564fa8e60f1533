"""Lanes: queues that run the requests on one page one at a time, in order of arrival."""

from collections import deque

import attrs
import trio


@attrs.define(eq=False)
class Turn:
    """Place of a request in the lanes of its pages, from its arrival to its end."""

    _lanes: "Lanes"
    _pages: frozenset[str]
    _before: set["Turn"] = attrs.field(factory=set)
    """Turns of other lanes whose end it waits for."""
    _followers: list["Turn"] = attrs.field(factory=list, init=False)
    _ready: trio.Event = attrs.field(factory=trio.Event, init=False)

    def __attrs_post_init__(self) -> None:
        for turn in self._before:
            turn._followers.append(self)

    async def wait(self) -> None:
        """Wait for the end of all earlier requests on these pages."""
        if not self._ready.is_set():  # saves nearly every request a checkpoint
            await self._ready.wait()

    def leave(self) -> None:
        """Leave the lanes, before or after the turn."""
        self._lanes.remove(self)

    @property
    def pages(self) -> frozenset[str]:
        """Return the pages that the request acts on."""
        return self._pages

    @property
    def is_free(self) -> bool:
        """Return True if it waits for no other lane."""
        return not self._before

    def call(self) -> None:
        """Let the request run."""
        self._ready.set()

    def release_followers(self) -> "list[Turn]":
        """Return the turns of other lanes that wait for this one, and let them wait no longer."""
        followers, self._followers = self._followers, []
        for turn in followers:
            turn._before.discard(self)
        return followers


@attrs.define(eq=False)
class Lanes:
    """Queues of one client, one per page.

    The reader takes the places, since Trio wakes tasks in no fixed order.
    """

    _queues: dict[str, deque[Turn]] = attrs.field(factory=dict, init=False)

    def take(self, pages: frozenset[str], behind: frozenset[str] = frozenset()) -> Turn:
        """Enter the lanes of all pages at once, so that no two requests deadlock.

        Args:
          behind: lanes that it does not enter, but whose present turns it waits for.
        """
        turn = Turn(self, pages, {earlier for lane in behind for earlier in self._queues.get(lane, ())})
        for page in pages:
            self._queues.setdefault(page, deque()).append(turn)
        self._call_if_first(turn)
        return turn

    def remove(self, turn: Turn) -> None:
        """Remove a place, and start the requests that are now first in all their lanes."""
        for page in turn.pages:
            queue = self._queues.get(page, deque())
            if turn in queue:
                queue.remove(turn)
            if not queue:
                self._queues.pop(page, None)
        for page in turn.pages & self._queues.keys():
            self._call_if_first(self._queues[page][0])
        for follower in turn.release_followers():
            self._call_if_first(follower)

    def _call_if_first(self, turn: Turn) -> None:
        queues = [self._queues.get(page) for page in turn.pages]  # none for a turn that has left
        if turn.is_free and all(queue and queue[0] is turn for queue in queues):
            turn.call()
