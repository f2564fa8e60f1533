"""Slots for engines: the number of browsers that run at once, within the server's memory."""

import asyncio
from typing import TYPE_CHECKING, Final

import attrs

from agentbrowser.browser.capacity import Capacity, CapacityExceeded

if TYPE_CHECKING:
    from agentbrowser.browser.engine.engine import Engine

_NEW_ENGINE_BYTES: Final = 200 * 1024 * 1024
"""Memory that a started engine counts with until the next measurement."""


@attrs.define(eq=False)
class EngineSlots:
    """Slots of the engines that run, or are about to. Everything runs in the browser thread.

    Args:
      limit: the number of slots; None: as many as the memory allows.
    """

    capacity: Capacity
    limit: int | None = None
    checking: asyncio.Lock = attrs.field(factory=asyncio.Lock, init=False)
    """Held during a proxy check: what reaches the canaries then comes from the browser under check."""
    restarts: int = attrs.field(default=0, init=False)
    """Number of browsers launched after the first one of their engine."""
    _holders: dict["Engine", None] = attrs.field(factory=dict, init=False)

    @property
    def holders(self) -> tuple["Engine", ...]:
        """The engines that have a slot, in the order of taking it."""
        return tuple(self._holders)

    def are_others_used(self, engine: "Engine") -> bool:
        """Return True if another engine has a client."""
        return any(other is not engine and not other.capacity.is_idle for other in self._holders)

    @property
    def has_room(self) -> bool:
        """True if another engine may start without ending one."""
        return self._exhausted() is None

    async def take(self, engine: "Engine") -> None:
        """Give an engine a slot, if necessary by ending an engine that nobody uses. [asyncio]

        Raises:
          CapacityExceeded: all slots are in use, or there is no memory for another engine.
        """
        if engine in self._holders:
            return
        while (exhausted := self._exhausted()) is not None:
            if not await self._release_idle():
                resource, limit, current = exhausted
                message = "The server has no room for another browser."
                raise CapacityExceeded(message, resource=resource, limit=limit, current=current)
        self._holders[engine] = None
        self.capacity.expect(_NEW_ENGINE_BYTES)

    def give_back(self, engine: "Engine") -> None:
        """Take the slot of an engine that has ended back."""
        self._holders.pop(engine, None)

    def reset(self) -> None:
        """Forget what belongs to an event loop that has ended."""
        self.checking = asyncio.Lock()

    def _exhausted(self) -> tuple[str, int, int] | None:
        """Return what prevents another engine, its limit and its current value."""
        if self.limit is not None and len(self._holders) >= self.limit:
            return "engines", self.limit, len(self._holders)
        # The first engine may start however little memory there is: without it, no request could be answered.
        return self.capacity.exhausted_memory() if self._holders else None

    async def _release_idle(self) -> bool:
        """End the engine that has been idle for the longest time; return False if there is none."""
        idle = [engine for engine in self._holders if engine.capacity.is_idle and engine.is_running]
        for engine in sorted(idle, key=lambda engine: engine.capacity.idle_since_s):
            if await engine.release():
                return True
        return False
