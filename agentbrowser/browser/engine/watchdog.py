"""The watch over one browser: that it lives, that it answers, and that its end is heard of."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any, Final

import attrs
import structlog
from playwright.async_api import Browser

from agentbrowser.browser.engine.driver import Driver
from agentbrowser.browser.engine.heartbeat import Heartbeat
from agentbrowser.browser.engine.processes import until, watch

log = structlog.get_logger("agentbrowser.browser")

_NEWS_TIMEOUT_S: Final = 0.5
"""How long after the death of a browser its driver may keep that to itself."""


@attrs.define(eq=False, kw_only=True)
class Watchdog:
    """Watches from `begin` to `end`.

    Args:
      is_over: tells whether the loss has been heard of.
      driver_died: has the driver taken for dead.
      spawn: runs work in the background.
    """

    driver: Driver
    browser: Browser
    pid: int | None
    limit_s: float
    """How long the browser may take for a sign of life."""
    is_over: Callable[[], bool]
    driver_died: Callable[[], None]
    spawn: Callable[[Coroutine[Any, Any, None]], object]
    _ends: contextlib.ExitStack = attrs.field(factory=contextlib.ExitStack, init=False)

    def begin(self) -> None:
        """Start to watch, and note what there is for whoever has to clear up after us."""
        self.driver.note(self.pid)
        self._ends.callback(watch(self.pid, self._put_down_later))
        if self.browser.browser_type.name == "chromium":
            self._ends.callback(asyncio.create_task(self._until_it_hangs()).cancel)

    def end(self) -> None:
        """Watch no more."""
        self._ends.close()

    async def _until_it_hangs(self) -> None:
        pids = tuple(pid for pid in (self.pid, self.driver.pid) if pid is not None)
        if await Heartbeat(self.limit_s, pids).until_it_stops(self.browser):
            log.error("browser_hangs", pid=self.pid, limit_s=self.limit_s)
            self._put_down_later()

    def _put_down_later(self) -> None:
        self.spawn(self._put_down())

    async def _put_down(self) -> None:
        """Kill a browser that hangs or is dead already, and its driver too if that does not say that it is gone."""
        if self.is_over():  # and what the driver has started since is another one
            return
        for end in (self.driver.kill_browsers, self.driver.kill, self.driver_died):
            end()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_NEWS_TIMEOUT_S):
                    await until(self.is_over)
                return
