"""Pauses between the agent's actions on one page, in which the live view does what would slow an action down."""

import asyncio
from collections.abc import Callable
from typing import Final

import attrs

from agentbrowser.browser.live.hold import PageHold

_REST_S: Final = 0.1
_SLOW_S: Final = 0.5


@attrs.define(eq=False)
class AgentPauses:
    """Pauses of the agent on one page. All methods run in the browser thread.

    Args:
      rest_s: rest after an action, after which a pause begins: the next action of a fast agent comes sooner.
      slow_s: time after which an action counts as a pause, since a slow one waits for the page most of the time.
    """

    hold: PageHold
    rest_s: float = _REST_S
    slow_s: float = _SLOW_S
    pause: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)
    """Set during a pause."""
    work: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)
    """Set between two pauses."""
    on_work: Callable[[], object] = attrs.field(default=lambda: None, init=False)
    """Called when a pause ends."""
    _timer: asyncio.TimerHandle | None = attrs.field(default=None, init=False)

    def start(self) -> None:
        """Begin to follow the agent's actions; the first pause begins now."""
        self.pause.set()
        self.hold.listeners.append(self._on_action)

    def stop(self) -> None:
        """Follow them no longer."""
        if self._on_action in self.hold.listeners:
            self.hold.listeners.remove(self._on_action)
        if self._timer is not None:
            self._timer.cancel()

    def _on_action(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        is_running = self.hold.is_acted_on
        if is_running and self.pause.is_set():
            self.pause.clear()
            self.work.set()
            self.on_work()
        delay_s = self.slow_s if is_running else self.rest_s
        self._timer = asyncio.get_running_loop().call_later(delay_s, self._begin)

    def _begin(self) -> None:
        self.work.clear()
        self.pause.set()


async def happens(event: asyncio.Event, timeout_s: float | None) -> bool:
    """Wait for an event; return False if it has not happened in time. [asyncio]

    Args:
      timeout_s: time limit; None: none.
    """
    try:
        async with asyncio.timeout(timeout_s):
            await event.wait()
    except TimeoutError:
        return False
    return True
