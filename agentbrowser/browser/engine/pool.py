"""Pool of engines: each owner's clients have a browser and a driver of their own."""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable
from typing import Final
from weakref import WeakSet, WeakValueDictionary

import attrs
import structlog

from agentbrowser.browser.capacity import Capacity, CapacityExceeded
from agentbrowser.browser.engine.engine import Engine
from agentbrowser.browser.engine.proxy_check import ProxyCheck
from agentbrowser.browser.engine.recovery import EngineState
from agentbrowser.browser.engine.slots import EngineSlots
from agentbrowser.browser.engine.warm_contexts import WarmSupply
from agentbrowser.config import Config, Isolation
from agentbrowser.protocol.errors import AgentBrowserError

log = structlog.get_logger("agentbrowser.browser")

_IDLE_LIMITS_S: Final[dict[Isolation, float]] = {"shared": float("inf"), "owner": 300.0, "session": 10.0}
"""Time without contexts after which an engine is ended."""


@attrs.define(eq=False)
class EnginePool:
    """The engines of one server. They share its limits, and nothing else.

    Owners are keys: a token's has its digest, since another token may get the same name. All clients without a token
    have the empty text.
    """

    config: Config
    proxy_check: ProxyCheck | None = None
    slots: EngineSlots = attrs.field(
        default=attrs.Factory(
            lambda pool: EngineSlots(Capacity.of(pool.config), pool.config.max_engines), takes_self=True
        ),
        init=False,
    )
    on_state: Callable[[EngineState], object] = attrs.field(default=lambda state: None, init=False)
    """Called in the browser thread with ``ready``, or with a broken engine's state if none is ready."""
    warm: WarmSupply | None = None
    """Supply of the warm contexts that each engine keeps; None for none."""
    _by_owner: dict[Hashable, Engine] = attrs.field(factory=dict, init=False)
    _resting: WeakValueDictionary[Hashable, Engine] = attrs.field(factory=WeakValueDictionary, init=False)
    """Engines that were ended for being idle, as long as a session of their owner exists."""
    _spares: deque[Engine] = attrs.field(factory=deque, init=False)
    """Started engines without an owner."""
    _all: WeakSet[Engine] = attrs.field(factory=WeakSet, init=False)
    _lock: threading.Lock = attrs.field(factory=threading.Lock, init=False)
    """Guards `_all`, which both threads use."""

    @property
    def capacity(self) -> Capacity:
        """Counts and limits of the open pages and contexts of all clients."""
        return self.slots.capacity

    @property
    def warm_taken(self) -> int:
        """Number of clients that have taken a warm context."""
        return self.warm.taken if self.warm else 0

    def of_owner(self, owner: Hashable) -> Engine:
        """Return the engine for a new session of an owner. [trio]"""
        if self.config.isolation == "session":
            return self._assign()
        key = owner if self.config.isolation == "owner" else ""
        engine = self._by_owner.get(key) or self._resting.get(key) or self._assign()
        self._by_owner[key] = engine
        return engine

    async def start(self) -> None:
        """Check that there is a browser to launch, and start one driver. [asyncio]

        Raises:
          BrowserNotLaunched: there is no browser, or its driver does not start.
        """
        owned = next(iter(self._by_owner.values()), None)
        if owned is not None:
            await owned.start()
            return owned.warm_contexts.refill()
        spare = self._make()
        await spare.start()
        spare.warm_contexts.refill()
        self._spares.append(spare)

    async def tend(self) -> None:
        """Recycle and end engines whose time has come, and refill the spare ones. [asyncio]"""
        for engine in self.slots.holders:
            if self._is_recycling_due(engine) and await engine.retire():
                engine.warm_contexts.refill()
            elif len(self.slots.holders) > 1 + self.config.warm_engines and self._is_idle_for_long(engine):
                await engine.release()
        self._rest()
        await self._refill_spares()

    async def close(self) -> None:
        """End all engines. [asyncio]

        Cancel: the end goes on in the background.
        """
        await asyncio.gather(*(engine.close() for engine in self._everything()))

    async def abandon(self) -> None:
        """Kill all engines, since their event loop ends; `start` begins again in another. [asyncio]"""
        self._spares.clear()
        await asyncio.gather(*(engine.abandon() for engine in self._everything()))
        self.slots.reset()

    def _rest(self) -> None:
        """Keep no engine of an owner that has had no browser for long, and may have no token any more."""
        for owner, engine in tuple(self._by_owner.items()):
            if not engine.is_running and engine.recovery.state == "ready" and self._is_idle_for_long(engine):
                self._resting[owner] = engine  # first: `of_owner` looks for it in another thread
                del self._by_owner[owner]

    def _everything(self) -> Iterable[Engine]:
        with self._lock:
            return tuple(self._all)

    def _assign(self) -> Engine:
        """Return a spare engine, or another one."""
        try:
            return self._spares.popleft()
        except IndexError:
            return self._make()

    def _make(self) -> Engine:
        engine = Engine(self.config, proxy_check=self.proxy_check, slots=self.slots)
        engine.recovery.on_state = self._report_state
        engine.warm_contexts.supply = self.warm
        with self._lock:
            self._all.add(engine)
        return engine

    def _report_state(self, state: EngineState) -> None:
        is_any_ready = any(engine.recovery.state == "ready" for engine in self.slots.holders)
        self.on_state("ready" if is_any_ready else state)

    def _is_recycling_due(self, engine: Engine) -> bool:
        """Return True if the browser has reached its limit of age, uses or memory."""
        config, age_s = self.config, time.monotonic() - engine.launched_s
        return engine.uses > 0 and (  # a browser that was just launched is about to be used
            0 < config.recycle_age_s <= age_s
            or 0 < config.recycle_uses <= engine.uses
            or 0 < (config.recycle_memory_bytes or 0) <= self.capacity.memory_bytes
        )

    def _is_idle_for_long(self, engine: Engine) -> bool:
        idle_s = time.monotonic() - engine.capacity.idle_since_s
        return engine.capacity.is_idle and engine not in self._spares and idle_s > _IDLE_LIMITS_S[self.config.isolation]

    async def _refill_spares(self) -> None:
        """Have as many launched browsers without an owner as configured."""
        missing = self.config.warm_engines - len(self._spares)
        self._spares.extend(self._make() for _ in range(missing))
        for spare in tuple(self._spares)[: self.config.warm_engines]:
            if not spare.is_running and not self.slots.has_room:
                return
            try:
                await spare.launch()
            except CapacityExceeded:
                return  # an owner was quicker
            except AgentBrowserError as error:
                log.warning("spare_engine_failed", error=error.message)
                return
