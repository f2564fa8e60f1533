"""Housekeeping of a running server: measurement of memory and descriptors, and care for its engines."""

import contextlib
from typing import Final

import attrs
import structlog
import trio

from agentbrowser.browser.engine.pool import EnginePool
from agentbrowser.browser.portal import Portal, PortalClosed
from agentbrowser.config import Config
from agentbrowser.server.corridor.admission import Admission
from agentbrowser.server.watch.descriptors import DescriptorUsage, scarcest
from agentbrowser.server.watch.memory_usage import MemoryUsage, can_measure, measure

log = structlog.get_logger("agentbrowser.housekeeping")

_INTERVAL_S: Final = 1.0


@attrs.define(eq=False, kw_only=True)
class Housekeeping:
    """Periodic tasks of a server, once a second."""

    config: Config
    engines: EnginePool
    portal: Portal
    admission: Admission

    @property
    def _is_memory_limited(self) -> bool:
        config = self.config
        return can_measure() and bool(config.max_memory_bytes or config.recycle_memory_bytes)

    async def run(self) -> None:
        """Do the periodic tasks until cancelled. [trio]"""
        if (self.config.max_memory_bytes or self.config.recycle_memory_bytes) and not can_measure():
            log.warning("memory_not_measured", hint="limits on memory need /proc, and do not hold on this system")
        is_failing = False
        while True:
            try:
                await self.run_once()
            except Exception:  # it would end the server
                if not is_failing:
                    log.exception("housekeeping_failed")
                is_failing = True
            else:
                is_failing = False
            await trio.sleep(_INTERVAL_S)

    async def run_once(self) -> None:
        """Do the periodic tasks once. [trio]"""
        if self._is_memory_limited:
            await self._update_memory()
        await self._update_descriptors()
        if self.admission.queued:
            self.admission.wake_first()
        with contextlib.suppress(PortalClosed):
            await self.portal.run(self.engines.tend)

    async def _update_memory(self) -> None:
        try:
            self.engines.capacity.measured((await self.measure_memory()).total)
        except OSError as error:  # no file descriptor is left, so the last measurement is kept
            log.warning("memory_not_measured", error=error.strerror)

    async def _update_descriptors(self) -> None:
        pids = [pid for engine in self.engines.slots.holders for pid in engine.pids]
        try:
            usage = await trio.to_thread.run_sync(scarcest, pids)
        except OSError as error:  # no file descriptor is left to count them
            log.warning("descriptors_not_measured", error=error.strerror)
            limit = (self.engines.capacity.descriptors or (0, 0))[1]
            usage = DescriptorUsage(limit, limit) if limit else None
        if usage is not None:
            self.engines.capacity.descriptors_measured(usage.used, usage.limit)

    async def measure_memory(self) -> MemoryUsage:
        """Return the current memory usage; zeros where the system does not report it. [trio]"""
        return await trio.to_thread.run_sync(measure) if can_measure() else MemoryUsage()
