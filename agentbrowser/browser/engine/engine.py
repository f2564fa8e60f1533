"""Engine: one browser and its driver, launched on first need, relaunched when lost, and closed without leftovers."""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import Context
from typing import Any, Final, Literal, TypeVar

import attrs
import structlog
from playwright.async_api import Browser, BrowserContext, BrowserType, Error

from agentbrowser.browser import faults
from agentbrowser.browser.background_tasks import discard_result, finish_tasks
from agentbrowser.browser.capacity import Capacity, EngineShare
from agentbrowser.browser.downloads.disk_guard import DiskGuard
from agentbrowser.browser.engine import driver_dirs, launch_errors
from agentbrowser.browser.engine.chromium_flags import open_browser
from agentbrowser.browser.engine.driver import Driver, ends_within
from agentbrowser.browser.engine.find_browser import Executable, find_browser
from agentbrowser.browser.engine.processes import is_dead, kill_group
from agentbrowser.browser.engine.proxy_check import ProxyCheck
from agentbrowser.browser.engine.recovery import Recovery
from agentbrowser.browser.engine.slots import EngineSlots
from agentbrowser.browser.engine.warm_contexts import WarmContexts
from agentbrowser.browser.engine.watchdog import Watchdog
from agentbrowser.browser.events.driver_pipe import PipeMeter
from agentbrowser.config import BrowserName, Config
from agentbrowser.protocol.errors import BrowserNotLaunched, TargetClosed

MadeT = TypeVar("MadeT")
Loss = Literal["browser", "driver", "thread"]
"""The lost part; everything that was open is lost with it."""

log = structlog.get_logger("agentbrowser.browser")

_LAUNCH_TIMEOUT_S: Final = 30.0
_START_TIMEOUT_S: Final = 40.0
"""Limit for a launch and its proxy check."""
_CLOSE_TIMEOUT_S: Final = 5.0


@attrs.define(eq=False)
class Engine:
    """One browser process and its Playwright driver. Made in any thread, used in the browser thread.

    Args:
      name: the browser, if not the configured one.
      slots: the slots that the server's engines share; by default, this engine is the only one.
    """

    config: Config
    proxy_check: ProxyCheck | None = attrs.field(default=None, kw_only=True)
    """A check that every new browser has to pass."""
    name: BrowserName = attrs.field(default=attrs.Factory(lambda engine: engine.config.browser, takes_self=True))
    slots: EngineSlots = attrs.field(
        default=attrs.Factory(lambda engine: EngineSlots(Capacity.of(engine.config)), takes_self=True), kw_only=True
    )
    capacity: EngineShare = attrs.field(init=False)
    """Counts of its open pages and contexts, within the limits of the server."""
    warm_contexts: WarmContexts = attrs.field(init=False)
    """Contexts made in advance; none unless the server asks for some."""
    launches: int = attrs.field(default=0, init=False)
    """Number of browsers launched so far."""
    _made_before: int = attrs.field(default=0, init=False)
    """Number of contexts made before the current browser was launched."""
    launched_s: float = attrs.field(default=math.inf, init=False)
    """Launch time of the current browser, on the monotonic clock."""
    version: str = attrs.field(default="", init=False)
    """The browser's version; empty before the first launch."""
    pid: int | None = attrs.field(default=None, init=False)
    """The browser's process, which leads its process group; None without a browser, and outside Linux."""
    _driver: Driver | None = attrs.field(default=None, init=False)
    _browser: Browser | None = attrs.field(default=None, init=False)
    _lock: asyncio.Lock = attrs.field(factory=asyncio.Lock, init=False)
    _tasks: set[asyncio.Task[Any]] = attrs.field(factory=set, init=False)
    _closing: asyncio.Task[None] | None = attrs.field(default=None, init=False)
    _listeners: list[Callable[[Loss], object]] = attrs.field(factory=list, init=False)
    _had_browser: bool = attrs.field(default=False, init=False)
    _watchdog: Watchdog | None = attrs.field(default=None, init=False)
    pipe: PipeMeter = attrs.field(init=False)
    """Measures of its driver's pipe."""
    disk_guard: DiskGuard = attrs.field(factory=DiskGuard, init=False)
    """Guard of the disk space for downloads."""
    recovery: Recovery = attrs.field(init=False)
    """State of the browser, and its restarts."""

    def __attrs_post_init__(self) -> None:
        self.recovery = Recovery(self._restart)
        self.capacity = EngineShare(self.slots.capacity)
        self.pipe = PipeMeter(lambda: self.slots.are_others_used(self))
        self.warm_contexts = WarmContexts(self.new_context, has_room=lambda: not self.slots.capacity.is_full)

    @property
    def is_running(self) -> bool:
        """True if its driver runs."""
        return self._driver is not None

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes that every answer passes: driver and browser."""
        return tuple(pid for pid in (self._driver and self._driver.pid, self.pid) if pid)

    @property
    def uses(self) -> int:
        """Number of contexts that clients have had in the current browser."""
        return 0 if self._browser is None else self.capacity.contexts_made - self._made_before

    def on_lost(self, listener: Callable[[Loss], object]) -> Callable[[], None]:
        """Call ``listener`` in the browser thread when the browser is lost, with all that was open.

        Returns: a function that removes the listener.
        """
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def has_lost(self, browser: Browser | None) -> bool:
        """Return True if a browser is gone, even if Playwright has not reported it yet."""
        return browser is not self._browser or (self.pid is not None and is_dead(self.pid))

    async def start(self) -> None:
        """Check that there is a browser to launch, and start the driver. [asyncio]

        Raises:
          BrowserNotLaunched: there is no browser.
        """
        if self.config.browser_url is None:
            self._find()
        self._spawn(asyncio.to_thread(driver_dirs.remove_leftovers))
        await self._uninterrupted(self._prepare())

    async def launch(self) -> None:
        """Launch the browser, if it does not run. [asyncio]

        Raises:
          BrowserNotLaunched: the browser is missing, or does not start.
          CapacityExceeded: the server has no room for another browser.
        """
        await self._uninterrupted(self._ensure_browser())

    async def new_context(self, **options: Any) -> BrowserContext:
        """Make a context, in a newly launched browser if there is none. [asyncio]

        Args:
          options: those of Playwright's ``Browser.new_context``.

        Raises:
          BrowserNotLaunched: the browser is missing, does not start, or was lost and is not restarted yet.
          TargetClosed: the engine is closed.
          CapacityExceeded: the server has no room for another browser.

        Cancel: returns at once; the context is closed as soon as it is made.
        """
        return await self._uninterrupted(self._new_context(options), BrowserContext.close)

    async def retire(self) -> bool:
        """Close the browser if nobody uses it, and return True if so; the next request launches another. [asyncio]

        Cancel: the closing goes on in the background.
        """
        return self._browser is not None and await self._uninterrupted(self._retire(with_driver=False))

    async def release(self) -> bool:
        """Close browser and driver if nobody uses them, and return True if so; the next request starts both. [asyncio]

        Cancel: the closing goes on in the background.
        """
        return await self._uninterrupted(self._retire(with_driver=True))

    async def _retire(self, *, with_driver: bool) -> bool:
        async with self._lock:  # a request that has just received this browser finds it closed, and gets the next one
            browser, driver = self._browser, self._driver
            if driver is None or not self.capacity.is_idle or self._closing is not None or self.recovery.is_under_way:
                return False
            if browser is not None:
                await self.warm_contexts.close_all()
                self._had_browser = False
                self._forget()
                await driver.close_browser(browser)
            if with_driver:
                self._driver = None
                await driver.stop()
                self.slots.give_back(self)
        log.info("browser_retired", with_driver=with_driver)
        return True

    async def close(self) -> None:
        """Close browser and driver; kill them after 5 s. [asyncio]

        Cancel: the closing goes on in the background.
        """
        if self._closing is None:
            self._closing = asyncio.create_task(self._close())
        await asyncio.shield(self._closing)

    async def abandon(self) -> None:
        """Kill everything, since its event loop ends; `start` begins again in another loop. [asyncio]"""
        await self.recovery.stop()
        driver, self._driver = self._driver, None
        self._forget()
        self.warm_contexts.discard_all()
        if driver is not None:
            driver.kill()
            await driver.stop()
        await finish_tasks(self._tasks)
        self.slots.give_back(self)
        # A lock that tasks have waited for belongs to their loop.
        self._lock, self._tasks = asyncio.Lock(), set()
        self.capacity.reset()
        self.recovery = Recovery(self._restart, self.recovery.on_state, self.recovery.backoff)
        self._notify("thread")

    async def _uninterrupted(
        self, creation: Coroutine[Any, Any, MadeT], discard: Callable[[MadeT], Awaitable[object]] | None = None
    ) -> MadeT:
        """Run a creation to its end: Playwright loses an object whose creation is cancelled."""
        task = self._spawn(creation)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if discard is not None and not task.cancelled():
                self._spawn(discard_result(task, discard))
            raise

    def _spawn(self, work: Coroutine[Any, Any, MadeT]) -> asyncio.Task[MadeT]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _prepare(self) -> None:
        async with self._lock:
            await self._ensure_driver()
        self.recovery.mark_ready()

    async def _restart(self) -> None:
        if self._had_browser:
            await self._ensure_browser()
        else:
            async with self._lock:
                await self._ensure_driver()

    async def _new_context(self, options: dict[str, Any]) -> BrowserContext:
        if self._closing is None:
            await self.recovery.wait_until_ready()
        browser = await self._ensure_browser()
        try:
            return await browser.new_context(**options)
        except Error as error:
            if not faults.is_closed(error):
                raise
        self._handle_dead(browser)  # Playwright has not reported it
        return await (await self._ensure_browser()).new_context(**options)

    async def _ensure_browser(self) -> Browser:
        async with self._lock:
            if self._browser is None:
                try:
                    driver = await self._ensure_driver()
                    self._browser = await self._launch_within_limit(driver)
                except BrowserNotLaunched as error:
                    self.recovery.failed(error)
                    raise
                self._had_browser = True
                self.warm_contexts.refill()
                self._watch(driver, self._browser)
                self.recovery.mark_ready()
            return self._browser

    async def _ensure_driver(self) -> Driver:
        if self._closing is not None:
            raise TargetClosed("The server is closing its browser.", target="browser")
        if self._driver is not None and self._driver.has_died:
            self._driver_died()  # each launch would fail, and count as another failure
        if self._driver is None:
            await self.slots.take(self)
            try:
                self._driver = await Driver.start(lambda: Context().run(self._driver_died), self.pipe, self.disk_guard)
            except BaseException:
                self.slots.give_back(self)
                raise
        return self._driver

    async def _launch_within_limit(self, driver: Driver) -> Browser:
        """Launch a browser, and kill it if it hangs: no watchdog watches it yet."""
        launching = self._spawn(self._launch(driver))
        await asyncio.wait({launching}, timeout=_START_TIMEOUT_S)
        if not launching.done():
            log.error("launch_timed_out", limit_s=_START_TIMEOUT_S)
            driver.kill()
        return await launching

    async def _launch(self, driver: Driver) -> Browser:
        began_s = time.perf_counter()
        kind: BrowserType = getattr(driver.playwright, self.name)
        path = self.config.browser_url or self._find().path
        with launch_errors.mapped(path):
            browser = await open_browser(kind, path, self.config, driver.directory, _LAUNCH_TIMEOUT_S)
        # A loss has a context of its own, as elsewhere: its log lines are not about the request that has launched this.
        browser.on("disconnected", lambda gone: Context().run(self._browser_died, gone))
        self.version, self.pid = browser.version, driver.newest_child()
        if self.proxy_check is not None:
            await self._check_proxy(driver, browser, self.proxy_check, path)
        self.slots.restarts += self.launches > 0
        self.launches, self.launched_s = self.launches + 1, time.monotonic()
        self._made_before = self.capacity.contexts_made
        duration_ms = round((time.perf_counter() - began_s) * 1000)
        log.info("browser_launched", path=path, version=self.version, pid=self.pid, duration_ms=duration_ms)
        return browser

    async def _check_proxy(self, driver: Driver, browser: Browser, check: ProxyCheck, path: str) -> None:
        try:
            async with self.slots.checking:
                with launch_errors.mapped(path):
                    await check.run(browser)
        except BaseException:
            self.pid = None
            await driver.close_browser(browser)
            raise

    def _find(self) -> Executable:
        return find_browser(self.name, self.config.executable_path, headless=self.config.headless)

    def _handle_dead(self, browser: Browser) -> None:
        if browser is not self._browser:
            return
        # Playwright never changes this after the death of its driver.
        self._driver_died() if browser.is_connected() else self._lose("browser")

    def _browser_died(self, browser: Browser) -> None:
        if browser is self._browser:
            self._lose("browser")

    def _driver_died(self) -> None:
        if self._driver is not None:
            self._spawn(self._driver.stop())
            self._driver = None
            self._lose("driver")

    def _lose(self, what: Loss) -> None:
        had_browser, pid = self._browser is not None, self.pid
        self._forget()
        self.warm_contexts.discard_all()
        if pid is not None:
            kill_group(pid)  # its other processes end when their pipe breaks, but not while they are stopped
        if self._closing is not None:
            return
        log.warning("browser_lost", what=what)
        if had_browser or what == "driver":
            self.recovery.lost()
        if had_browser:
            self._notify(what)

    def _forget(self) -> None:
        if self._watchdog is not None:
            self._watchdog.stop()
        self._browser = self.pid = self._watchdog = None
        self.launched_s = math.inf

    def _notify(self, what: Loss) -> None:
        for listener in tuple(self._listeners):
            try:
                listener(what)
            except Exception:  # Playwright would raise it in the next call, whichever that is
                log.exception("listener_failed", listener=repr(listener))

    def _watch(self, driver: Driver, browser: Browser) -> None:
        self._watchdog = Watchdog(
            driver=driver,
            browser=browser,
            pid=self.pid,
            timeout_s=self.config.heartbeat_timeout_s,
            is_lost=lambda: browser is not self._browser,
            on_driver_death=self._driver_died,
            spawn=self._spawn,
        )
        Context().run(self._watchdog.start)

    async def _close(self) -> None:
        await self.recovery.stop()
        if self._watchdog is not None:
            self._watchdog.stop()
        if not await ends_within(asyncio.create_task(self._close_browser()), _CLOSE_TIMEOUT_S):
            log.warning("browser_killed", pid=self.pid)
            if self._driver is not None:
                self._driver.kill_browsers()
        await finish_tasks(self._tasks)
        if self._driver is not None:
            await self._driver.stop()
        self.slots.give_back(self)

    async def _close_browser(self) -> None:
        """Close the browser after everything that is still being created or closed."""
        await self.warm_contexts.close_all()
        while self._tasks:
            await asyncio.wait(self._tasks)
        if self._browser is not None:
            await self._browser.close()
