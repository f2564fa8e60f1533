"""Housekeeping of a running server: measures memory, and recycles the browser when it is due."""

import contextlib
import time
from typing import Final

import attrs
import structlog
import trio

from agentbrowser.browser.capacity import Capacity
from agentbrowser.browser.engine.engine import Engine
from agentbrowser.browser.portal import Portal, PortalClosed
from agentbrowser.config import Config
from agentbrowser.server.corridor.admission import Admission
from agentbrowser.server.watch.memory_usage import MemoryUsage, can_measure, measure

log = structlog.get_logger("agentbrowser.upkeep")

_ROUND_S: Final = 1.0


@attrs.define(eq=False, kw_only=True)
class Housekeeping:
    """Periodic tasks of a server, once a second."""

    config: Config
    engine: Engine
    portal: Portal
    admission: Admission

    @property
    def _census(self) -> Capacity:
        return self.engine.capacity

    @property
    def _weighs(self) -> bool:
        config = self.config
        return can_measure() and bool(config.max_memory_bytes or config.recycle_memory_bytes)

    async def run(self) -> None:
        """Look after the server for ever. [trio]"""
        if (self.config.max_memory_bytes or self.config.recycle_memory_bytes) and not can_measure():
            log.warning("memory_not_measured", hint="limits on memory need /proc, and do not hold on this system")
        while True:
            await self.look()
            await trio.sleep(_ROUND_S)

    async def look(self) -> None:
        """Go round once. [trio]"""
        if self._weighs:
            await self._measure()
            self.admission.look()
        if self._is_due and not self._census.contexts:
            with contextlib.suppress(PortalClosed):
                await self.portal.run(_renew, self.engine)

    async def _measure(self) -> None:
        try:
            self._census.memory_bytes = (await self.weigh()).total
        except OSError as error:  # no descriptor is left; what was measured last holds
            log.warning("memory_not_measured", error=error.strerror)

    async def weigh(self) -> MemoryUsage:
        """Measure the memory that is taken now; nothing where the system does not say. [trio]"""
        return await trio.to_thread.run_sync(measure) if can_measure() else MemoryUsage()

    @property
    def _is_due(self) -> bool:
        """Whether the browser has done its share."""
        config, age_s = self.config, time.monotonic() - self.engine.launched_s
        return self.engine.uses > 0 and (  # one that was just launched is about to be used
            0 < config.recycle_age_s <= age_s
            or 0 < config.recycle_uses <= self.engine.uses
            or 0 < (config.recycle_memory_bytes or 0) <= self._census.memory_bytes
        )


async def _renew(engine: Engine) -> None:
    if await engine.retire():
        engine.warm_contexts.refill()
