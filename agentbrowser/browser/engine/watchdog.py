"""Watchdog of one browser: detects that it died, hangs or floods, and that the driver does not report its end."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any, Final

import attrs
import structlog
from playwright.async_api import Browser

from agentbrowser.browser.engine.driver import Driver
from agentbrowser.browser.engine.heartbeat import Heartbeat
from agentbrowser.browser.engine.processes import set_session_nice, wait_until, watch

log = structlog.get_logger("agentbrowser.browser")

_REPORT_TIMEOUT_S: Final = 0.5
"""Limit for the driver to report the death of its browser."""
_FLOODING_NICE: Final = 5
"""Nice value of a browser that floods. With 3, others still wait too long."""
_CALM_S: Final = 5.0
"""A browser has its normal priority back when so long a time has passed without a flood."""


@attrs.define(eq=False, kw_only=True)
class Watchdog:
    """A watch over one browser, from `start` to `stop`.

    Args:
      timeout_s: the longest time that the browser may take for a heartbeat.
      is_lost: returns True once the engine knows of the loss.
      on_driver_death: called when the driver counts as dead.
      spawn: runs work in the background.
    """

    driver: Driver
    browser: Browser
    pid: int | None
    timeout_s: float
    is_lost: Callable[[], bool]
    on_driver_death: Callable[[], None]
    spawn: Callable[[Coroutine[Any, Any, None]], object]
    _stops: contextlib.ExitStack = attrs.field(factory=contextlib.ExitStack, init=False)
    _calm_at_s: float = attrs.field(default=0.0, init=False)
    _yielding: asyncio.Task[None] | None = attrs.field(default=None, init=False)

    def start(self) -> None:
        """Start to watch, and record the processes for the clean-up after a crash of ours."""
        self.driver.record(self.pid)
        self._stops.callback(watch(self.pid, self._kill_later))
        self.driver.pipe.on_slowed = self._yield
        self._stops.callback(self._end_yielding)
        if self.browser.browser_type.name == "chromium":
            self._stops.callback(asyncio.create_task(self._watch_heartbeat()).cancel)

    def stop(self) -> None:
        """Stop watching."""
        self._stops.close()

    def _yield(self) -> None:
        """Have the browser yield to the server and to other browsers: it floods its pipe while others run.

        Where Linux shares the processor between sessions, a browser counts as much as all of the server: next to one
        page that flooded, the server's loops waited up to 14 s for the processor.
        """
        self._calm_at_s = asyncio.get_running_loop().time() + _CALM_S
        if self.pid is not None and self._yielding is None:
            self._yielding = asyncio.create_task(self._yield_until_calm(self.pid))

    async def _yield_until_calm(self, pid: int) -> None:
        await set_session_nice(pid, _FLOODING_NICE)
        while (left_s := self._calm_at_s - asyncio.get_running_loop().time()) > 0:  # noqa: ASYNC110 - each flood moves it
            await asyncio.sleep(left_s)
        await set_session_nice(pid, 0)
        self._yielding = None

    def _end_yielding(self) -> None:
        self.driver.pipe.on_slowed = lambda: None
        if self._yielding is not None:
            self._yielding.cancel()

    async def _watch_heartbeat(self) -> None:
        pids = tuple(pid for pid in (self.pid, self.driver.pid) if pid is not None)
        if await Heartbeat(self.timeout_s, pids).run_until_missed(self.browser):
            log.error("browser_unresponsive", pid=self.pid, limit_s=self.timeout_s)
            self._kill_later()

    def _kill_later(self) -> None:
        self.spawn(self._kill())

    async def _kill(self) -> None:
        """Kill the browser, and its driver too if that does not report the loss."""
        if self.is_lost():  # the driver may have started another browser since
            return
        for kill in (self.driver.kill_browsers, self.driver.kill, self.on_driver_death):
            kill()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_REPORT_TIMEOUT_S):
                    await wait_until(self.is_lost)
                return
