"""A client's ears: what a server tells unasked, taken in as it comes."""

import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import attrs
import trio

from agentbrowser.client import Browser
from agentbrowser.types.event import PublicEvent

HEARING_S = 20.0


@attrs.define(eq=False)
class Ears:
    """The events of one client in the order in which they came."""

    heard: list[Any] = attrs.field(factory=list)
    _news: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot)

    async def listen(self, events: AsyncIterator[PublicEvent]) -> None:
        async for event in events:
            self.heard.append(event)
            self._news.unpark_all()

    async def until(self, fits: Callable[[Any], bool], count: int = 1) -> list[Any]:
        """Wait until that many events fit, and return those that do."""
        with trio.fail_after(HEARING_S):
            while len(found := self.all(fits)) < count:
                await self._news.park()
        return found

    def all(self, fits: Callable[[Any], bool]) -> list[Any]:
        """Return the events that fit so far."""
        return [event for event in self.heard if fits(event)]

    def types(self, kind: str) -> list[str]:
        """Return the types of one kind of events, in order."""
        return [event.type for event in self.heard if event.kind == kind]


@contextlib.asynccontextmanager
async def hearing(browser: Browser, *kinds: str) -> AsyncIterator[Ears]:
    """Subscribe to kinds of events and take them in for as long as the block lasts."""
    ears = Ears()
    async with browser.events(*kinds) as events, trio.open_nursery() as nursery:
        nursery.start_soon(ears.listen, events)
        yield ears
        nursery.cancel_scope.cancel()
