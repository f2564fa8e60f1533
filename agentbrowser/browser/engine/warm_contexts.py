"""Warm contexts: contexts made in advance, so that a client's first page is ready at once.

A warm context has a listener for its proxy, which nobody serves yet, and a blank page. One client takes it, and it is
never returned.
"""

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable
from typing import Any, Final

import attrs
import structlog
from playwright.async_api import BrowserContext, Error
from playwright.async_api import Page as PlaywrightPage

from agentbrowser.browser.engine.proxy_check import proxy_settings
from agentbrowser.browser.events.console import ConsoleThrottle

log = structlog.get_logger("agentbrowser.browser")

_REFILL_DELAY_S: Final = 0.25
"""Pause before the next warm context, in which the client that took the last one has the machine for itself."""


@attrs.frozen
class WarmContext:
    """One context that waits for a client."""

    listener: socket.socket
    """Listener of its proxy, which is served from the time a client takes the context."""
    console_throttle: ConsoleThrottle
    context: BrowserContext
    page: PlaywrightPage


@attrs.define(eq=False)
class WarmSupply:
    """Supply of the warm contexts of all engines.

    Args:
      count: the number of contexts that each engine keeps ready.
      listen: returns a new listener for a proxy; called in any thread.
      discard: closes a listener that nobody has taken.
    """

    count: int
    listen: Callable[[], socket.socket]
    discard: Callable[[socket.socket], object]
    taken: int = attrs.field(default=0, init=False)
    """Number of clients that have taken a warm context."""


@attrs.define(eq=False)
class WarmContexts:
    """The contexts that wait in one engine. Used in the browser thread.

    Args:
      new_context: creates a context, with the options of Playwright's ``Browser.new_context``.
      has_room: returns True if there is room for one more page.
    """

    new_context: Callable[..., Awaitable[BrowserContext]]
    has_room: Callable[[], bool]
    supply: WarmSupply | None = attrs.field(default=None, init=False)
    """None: no context is kept ready."""
    _ready: list[WarmContext] = attrs.field(factory=list, init=False)
    _refilling: asyncio.Task[None] | None = attrs.field(default=None, init=False)

    def __len__(self) -> int:
        return len(self._ready)

    def take(self) -> WarmContext | None:
        """Return one of the contexts, or None if there is none, and make another in the background."""
        self.refill(after_s=_REFILL_DELAY_S)
        while self._ready and self.supply is not None:
            warm = self._ready.pop(0)
            if not warm.page.is_closed():
                self.supply.taken += 1
                return warm
            self.supply.discard(warm.listener)
        return None

    def refill(self, after_s: float = 0.0) -> None:
        """Make the missing contexts in the background."""
        if self.supply is not None and (self._refilling is None or self._refilling.done()):
            self._refilling = asyncio.create_task(self._refill(self.supply, after_s))

    async def close_all(self) -> None:
        """Close the contexts that wait, and stop making more. [asyncio]"""
        if self._refilling is not None:
            self._refilling.cancel()
            await asyncio.wait({self._refilling})
        for warm in self._forget_all():
            with contextlib.suppress(Error):
                await warm.context.close()

    def discard_all(self) -> None:
        """Forget the contexts that wait: their browser is gone."""
        self._forget_all()

    def _forget_all(self) -> list[WarmContext]:
        ready, self._ready = self._ready, []
        for warm in ready:
            assert self.supply is not None, "it has made them"
            self.supply.discard(warm.listener)
        return ready

    async def _refill(self, supply: WarmSupply, after_s: float) -> None:
        await asyncio.sleep(after_s)
        while len(self._ready) < supply.count and self.has_room():
            try:
                self._ready.append(await self._make(supply))
            except Exception as error:  # noqa: BLE001 - clients make their own context, and get the error
                log.warning("warm_context_failed", error=type(error).__name__)
                return

    async def _make(self, supply: WarmSupply) -> WarmContext:
        listener, console_throttle = supply.listen(), ConsoleThrottle()
        context: BrowserContext | None = None
        try:
            options: dict[str, Any] = {
                "accept_downloads": True,
                "proxy": proxy_settings(int(listener.getsockname()[1])),
            }
            context = await self.new_context(**options)
            await context.add_init_script(console_throttle.script)
            return WarmContext(listener, console_throttle, context, await context.new_page())
        except BaseException:
            supply.discard(listener)
            if context is not None:
                with contextlib.suppress(Error):
                    await context.close()
            raise
