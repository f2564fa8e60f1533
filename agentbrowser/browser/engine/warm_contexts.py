"""Contexts that are made before anybody needs them, so that a client's first page costs little.

A spare has a way out of its own that nobody serves, a context behind it, and a blank page. It belongs to nobody until
one client takes it, and is never put back.
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

from agentbrowser.browser.engine.proxy_check import through
from agentbrowser.browser.events.console import ConsoleThrottle

log = structlog.get_logger("agentbrowser.browser")

_REST_S: Final = 0.25
"""How long the client that took the last spare has the machine for itself."""


@attrs.frozen
class WarmContext:
    """One context that waits for a client."""

    listener: socket.socket
    """Its way out, closed until the client's door is opened with it."""
    console_throttle: ConsoleThrottle
    context: BrowserContext
    page: PlaywrightPage


@attrs.define(eq=False)
class WarmContexts:
    """The contexts that wait. Used in the browser thread.

    Args:
      new_context: makes a context, with the options of Playwright's ``Browser.new_context``.
      has_room: tells whether there is room for one more page.
    """

    new_context: Callable[..., Awaitable[BrowserContext]]
    has_room: Callable[[], bool]
    _wanted: int = attrs.field(default=0, init=False)
    _listen: Callable[[], socket.socket] = attrs.field(init=False)
    _discard: Callable[[socket.socket], object] = attrs.field(init=False)
    taken: int = attrs.field(default=0, init=False)
    """How many clients were spared the making."""
    _ready: list[WarmContext] = attrs.field(factory=list, init=False)
    _refilling: asyncio.Task[None] | None = attrs.field(default=None, init=False)

    def keep_ready(
        self, number: int, listen: Callable[[], socket.socket], discard: Callable[[socket.socket], object]
    ) -> None:
        """Have so many made, now and whenever one is taken.

        Args:
          listen: makes a listener for a way out, in any thread.
          discard: closes one that nobody has taken.
        """
        self._wanted, self._listen, self._discard = number, listen, discard
        self.refill()

    def __len__(self) -> int:
        return len(self._ready)

    def take(self) -> WarmContext | None:
        """Return a spare for good, if there is one, and have another one made in its place."""
        self.refill(after_s=_REST_S)
        while self._ready:
            spare = self._ready.pop(0)
            if not spare.page.is_closed():
                self.taken += 1
                return spare
            self._discard(spare.listener)
        return None

    def refill(self, after_s: float = 0.0) -> None:
        """Have as many made as are wanted, in the background."""
        if self._wanted and (self._refilling is None or self._refilling.done()):
            self._refilling = asyncio.create_task(self._refill(after_s))

    async def empty(self) -> None:
        """Close those that wait, and make no more. [asyncio]"""
        if self._refilling is not None:
            self._refilling.cancel()
            await asyncio.wait({self._refilling})
        ready, self._ready = self._ready, []
        for spare in ready:
            self._discard(spare.listener)
            with contextlib.suppress(Error):
                await spare.context.close()

    def lose(self) -> None:
        """Forget those that wait: their browser is gone."""
        ready, self._ready = self._ready, []
        for spare in ready:
            self._discard(spare.listener)

    async def _refill(self, after_s: float) -> None:
        await asyncio.sleep(after_s)
        while len(self._ready) < self._wanted and self.has_room():
            try:
                self._ready.append(await self._make())
            except Exception as error:  # noqa: BLE001 - clients make their own, and hear what is wrong
                log.warning("spare_failed", error=type(error).__name__)
                return

    async def _make(self) -> WarmContext:
        listener, console_throttle = self._listen(), ConsoleThrottle()
        context: BrowserContext | None = None
        try:
            options: dict[str, Any] = {"accept_downloads": True, "proxy": through(int(listener.getsockname()[1]))}
            context = await self.new_context(**options)
            await context.add_init_script(console_throttle.script)
            return WarmContext(listener, console_throttle, context, await context.new_page())
        except BaseException:
            self._discard(listener)
            if context is not None:
                with contextlib.suppress(Error):
                    await context.close()
            raise
