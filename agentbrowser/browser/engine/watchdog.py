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
from agentbrowser.browser.engine.processes import (
    is_dead,
    network_service_of,
    processor_s,
    set_session_nice,
    set_session_processors,
    usable_processors,
    wait_until,
    watch,
)

log = structlog.get_logger("agentbrowser.browser")

_REPORT_TIMEOUT_S: Final = 0.5
"""Limit for the driver to report the death of its browser."""
_SHARED_NICE: Final = 5
"""Nice value of a browser while others run. With 3, the server still waits too long."""
_FLOODING_NICE: Final = 10
"""Nice value of a browser whose pages flood its pipe while others run."""
_FLOODING_SHARE: Final = 0.75
"""Share of a processor's time that driver and browser take, without the pages' processes, while a page floods them."""
_CALM_S: Final = 5.0
"""A browser floods no longer when so long a time has passed without it."""
_LOOK_INTERVAL_S: Final = 1.0
"""Interval of looking whether other browsers run: no event reports it."""


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
    _flood: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)
    _used: tuple[float, float] = attrs.field(default=(0.0, 0.0), init=False)
    """Time of the last look, and the processor time that driver and browser had used, in s."""

    def start(self) -> None:
        """Start to watch, and record the processes for the clean-up after a crash of ours."""
        self.driver.record(self.pid)
        self._stops.callback(watch(self.pid, self._kill_later))
        self._stops.callback(watch(network_service_of(self.pid), self._end_without_network))
        self.driver.pipe.on_slowed = self._note_flood
        self._stops.callback(asyncio.create_task(self._keep_priority()).cancel)
        if self.browser.browser_type.name == "chromium":
            self._stops.callback(asyncio.create_task(self._watch_heartbeat()).cancel)

    def stop(self) -> None:
        """Stop watching."""
        self._stops.close()

    def _note_flood(self) -> None:
        self._calm_at_s = asyncio.get_running_loop().time() + _CALM_S
        self._flood.set()

    async def _keep_priority(self) -> None:
        """Have the browser yield to the server while others run, and to the others while it floods.

        Where Linux shares the processor between sessions, a browser counts as much as all of the server: next to one
        page that flooded, the server's loops waited up to 14 s for the processor. Its processes wake each other so
        often that they kept the server from all processors, whatever their nice value: so it gets a half of them.
        """
        nice: dict[int, int] = {}
        was_flooding = False
        while True:
            is_shared = self.driver.pipe.is_shared()
            if self._takes_processor() and is_shared:
                self._note_flood()
            is_flooding = asyncio.get_running_loop().time() < self._calm_at_s
            wanted = _FLOODING_NICE if is_flooding else _SHARED_NICE if is_shared else 0
            for pid in self._pids():
                if nice.get(pid) != wanted and set_session_nice(pid, wanted):
                    nice[pid] = wanted
                if is_flooding or was_flooding:  # again while it does: a process may just have been started
                    set_session_processors(pid, self._processors(is_flooding=is_flooding))
            was_flooding = is_flooding
            if is_flooding:
                await asyncio.sleep(_LOOK_INTERVAL_S)
                self._flood.clear()
                continue
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_INTERVAL_S):
                    await self._flood.wait()

    def _takes_processor(self) -> bool:
        """Return True if driver and browser have used most of a processor since the last call."""
        now_s, used_s = asyncio.get_running_loop().time(), sum(map(processor_s, self._pids()))
        before_s, used_before_s = self._used
        self._used = now_s, used_s
        return used_s - used_before_s > _FLOODING_SHARE * max(_LOOK_INTERVAL_S, now_s - before_s)

    @staticmethod
    def _processors(*, is_flooding: bool) -> set[int]:
        """Return the processors that the browser may use."""
        usable = sorted(usable_processors())
        return set(usable[len(usable) // 2 :] if is_flooding else usable)

    def _pids(self) -> tuple[int, ...]:
        return tuple(pid for pid in (self.pid, self.driver.pid) if pid is not None)

    async def _watch_heartbeat(self) -> None:
        if await Heartbeat(self.timeout_s, self._pids()).run_until_missed(self.browser):
            log.error("browser_unresponsive", pid=self.pid, limit_s=self.timeout_s)
            self._kill_later()

    def _end_without_network(self) -> None:
        """Kill the browser after its network service: the next one has neither the contexts' proxies nor cookies."""
        if self.pid is not None and not is_dead(self.pid):
            log.error("network_service_lost", pid=self.pid)
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
