"""The browser that all clients share: launched on first need, launched again when lost, and closed without a trace."""

import asyncio
import contextlib
import math
import os
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, Literal, TypeVar

import attrs
import structlog
from playwright.async_api import Browser, BrowserContext, BrowserType, Error

from agentbrowser.browser import faults
from agentbrowser.browser.capacity import Capacity
from agentbrowser.browser.engine import chromium_flags, driver_dirs, launch_errors, proxy_check
from agentbrowser.browser.engine.driver import Driver, ends
from agentbrowser.browser.engine.find_browser import Executable, find_browser
from agentbrowser.browser.engine.processes import is_dead, kill_group
from agentbrowser.browser.engine.proxy_check import ProxyCheck as ProxyCheck
from agentbrowser.browser.engine.recovery import Backoff as Backoff
from agentbrowser.browser.engine.recovery import EngineState as EngineState
from agentbrowser.browser.engine.recovery import Recovery
from agentbrowser.browser.engine.warm_contexts import WarmContexts
from agentbrowser.browser.engine.watchdog import Watchdog
from agentbrowser.config import BrowserName, Config
from agentbrowser.protocol.errors import BrowserNotLaunched, TargetClosed

MadeT = TypeVar("MadeT")
Loss = Literal["browser", "driver", "thread"]
"""What is gone, and with it all that was open."""

log = structlog.get_logger("agentbrowser.browser")

_LAUNCH_TIMEOUT_S: Final = 30.0
_START_TIMEOUT_S: Final = 40.0
"""How long a browser may take until it has stood its trial."""
_CLOSE_TIMEOUT_S: Final = 5.0
_FINISH_TIMEOUT_S: Final = 0.5

# Only what Playwright does not set by itself.
_CHROMIUM_ARGS: Final = (*proxy_check.CHROMIUM_ARGS, *chromium_flags.CHROMIUM_ARGS)


@attrs.define(eq=False)
class Engine:
    """One browser process and the Playwright driver that leads it. Made in any thread, used in the browser thread.

    Args:
      name: which browser, if not the configured one.
    """

    config: Config
    proxy_check: ProxyCheck | None = attrs.field(default=None, kw_only=True)
    """What every browser has to stand before it is used."""
    name: BrowserName = attrs.field(default=attrs.Factory(lambda engine: engine.config.browser, takes_self=True))
    capacity: Capacity = attrs.field(init=False)
    """What all clients have open."""
    warm_contexts: WarmContexts = attrs.field(init=False)
    """Contexts made beforehand; none unless its owner wants some."""
    launches: int = attrs.field(default=0, init=False)
    """How many browsers were launched so far."""
    _made_before: int = attrs.field(default=0, init=False)
    """How many contexts were made before the present one was launched."""
    launched_s: float = attrs.field(default=math.inf, init=False)
    """When the present one was launched, on the monotonic clock."""
    version: str = attrs.field(default="", init=False)
    """The browser's version; empty before the first launch."""
    pid: int | None = attrs.field(default=None, init=False)
    """The browser's process, which leads its group; None when there is none or the system can't tell (not Linux)."""
    _driver: Driver | None = attrs.field(default=None, init=False)
    _browser: Browser | None = attrs.field(default=None, init=False)
    _turn: asyncio.Lock = attrs.field(factory=asyncio.Lock, init=False)
    _work: set[asyncio.Task[Any]] = attrs.field(factory=set, init=False)
    _closing: asyncio.Task[None] | None = attrs.field(default=None, init=False)
    _listeners: list[Callable[[Loss], object]] = attrs.field(factory=list, init=False)
    _had_browser: bool = attrs.field(default=False, init=False)
    _vigil: Watchdog | None = attrs.field(default=None, init=False)
    recovery: Recovery = attrs.field(init=False)
    """How it stands, and what brings it back."""

    def __attrs_post_init__(self) -> None:
        config = self.config
        self.recovery = Recovery(self._restart)
        self.capacity = Capacity(
            max_pages=config.max_total_pages,
            max_contexts=config.max_total_contexts,
            max_memory_bytes=config.max_memory_bytes,
        )
        self.warm_contexts = WarmContexts(self.new_context, has_room=lambda: not self.capacity.is_full)

    @property
    def uses(self) -> int:
        """How many contexts clients were given in the present browser."""
        return 0 if self._browser is None else self.capacity.contexts_made - self._made_before

    def on_lost(self, listener: Callable[[Loss], object]) -> Callable[[], None]:
        """Have ``listener`` called in the browser thread when the browser is lost, and with it all that was open.

        Returns: a function that ends that.
        """
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def has_lost(self, browser: Browser | None) -> bool:
        """Tell whether a browser of ours is gone, be it that nobody has told us yet."""
        return browser is not self._browser or (self.pid is not None and is_dead(self.pid))

    async def start(self) -> None:
        """Make sure that there is a browser to launch, and start the driver. [asyncio]

        Raises:
          BrowserNotLaunched: there is no browser.
        """
        self._find()
        self._spawn(asyncio.to_thread(driver_dirs.remove_leftovers))
        await self._whole(self._ready())

    async def new_context(self, **options: Any) -> BrowserContext:
        """Make a context, in a newly launched browser if there is none. [asyncio]

        Args:
          options: those of Playwright's ``Browser.new_context``.

        Raises:
          BrowserNotLaunched: the browser is missing, does not start, or was lost and is not to be had just now.
          TargetClosed: the engine is closed.

        Cancel: the caller is let go at once; the context is closed as soon as it is made.
        """
        return await self._whole(self._new_context(options), BrowserContext.close)

    async def retire(self) -> bool:
        """Close the browser if nobody uses it, and tell whether it was; the next need launches another. [asyncio]

        Cancel: the end goes on without the caller.
        """
        return await self._whole(self._retire())

    async def _retire(self) -> bool:
        async with self._turn:  # whoever has just been given this browser finds it closed, and takes the next one
            if self._browser is None or self.capacity.contexts or self._closing is not None:
                return False
            await self.warm_contexts.empty()
            browser, self._had_browser = self._browser, False
            self._forget()
            if self._driver is not None:
                await self._driver.put_away(browser)
        log.info("browser_retired")
        return True

    async def close(self) -> None:
        """End browser and driver, within 5 s in peace and by force after that. [asyncio]

        Cancel: the end goes on without the caller.
        """
        if self._closing is None:
            self._closing = asyncio.create_task(self._end())
        await asyncio.shield(self._closing)

    async def abandon(self) -> None:
        """Let go of everything, since the loop it lives in ends; `start` begins anew, in another one. [asyncio]"""
        await self.recovery.stop()
        driver, self._driver = self._driver, None
        self._forget()
        self.warm_contexts.lose()
        if driver is not None:
            driver.kill()
            await driver.stop()
        await _finish(self._work)
        # What tasks wait in belongs to their loop.
        self._turn, self._work = asyncio.Lock(), set()
        self.recovery = Recovery(self._restart, self.recovery.on_state, self.recovery.backoff)
        self._announce("thread")

    async def _whole(
        self, making: Coroutine[Any, Any, MadeT], discard: Callable[[MadeT], Awaitable[object]] | None = None
    ) -> MadeT:
        """Await a creation that can't be cut in half, since Playwright then loses what it was making."""
        task = self._spawn(making)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if discard is not None and not task.cancelled():
                self._spawn(_discard(task, discard))
            raise

    def _spawn(self, work: Coroutine[Any, Any, MadeT]) -> asyncio.Task[MadeT]:
        task = asyncio.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        return task

    async def _ready(self) -> None:
        async with self._turn:
            await self._lead()
        self.recovery.worked()

    async def _restart(self) -> None:
        if self._had_browser:
            await self._running()
        else:
            async with self._turn:
                await self._lead()

    async def _new_context(self, options: dict[str, Any]) -> BrowserContext:
        if self._closing is None:
            await self.recovery.admit()
        browser = await self._running()
        try:
            return await browser.new_context(**options)
        except Error as error:
            if not faults.is_closed(error):
                raise
        self._found_dead(browser)  # and we have not heard of it
        return await (await self._running()).new_context(**options)

    async def _running(self) -> Browser:
        async with self._turn:
            if self._browser is None:
                try:
                    driver = await self._lead()
                    self._browser = await self._launch_in_time(driver)
                except BrowserNotLaunched as error:
                    self.recovery.failed(error)
                    raise
                self._had_browser = True
                self.warm_contexts.refill()
                self._watch(driver, self._browser)
                self.recovery.worked()
            return self._browser

    async def _lead(self) -> Driver:
        if self._closing is not None:
            raise TargetClosed("The server is closing its browser.", target="browser")
        if self._driver is None:
            self._driver = await Driver.start(self._driver_died)
        return self._driver

    async def _launch_in_time(self, driver: Driver) -> Browser:
        """Launch a browser, and kill what hangs meanwhile, which nobody watches yet."""
        launching = self._spawn(self._launch(driver))
        await asyncio.wait({launching}, timeout=_START_TIMEOUT_S)
        if not launching.done():
            log.error("launch_hangs", limit_s=_START_TIMEOUT_S)
            driver.kill()
        return await launching

    async def _launch(self, driver: Driver) -> Browser:
        began_s = time.perf_counter()
        kind: BrowserType = getattr(driver.playwright, self.name)
        executable = self._find()
        with launch_errors.explained(executable.path):
            browser = await kind.launch(
                executable_path=executable.path,
                headless=self.config.headless,
                args=_CHROMIUM_ARGS if self.name == "chromium" else (),
                chromium_sandbox=not (self.config.no_sandbox or _is_root()),
                # Their default is to end the browser on our signals, before requests under way are answered.
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
                env=_environment(),
                timeout=_LAUNCH_TIMEOUT_S * 1000,
            )
        # A function, since Playwright writes an attribute into the object of a bound method, and this one has slots.
        browser.on("disconnected", lambda gone: self._browser_died(gone))
        self.version, self.pid = browser.version, driver.newest_child()
        if self.proxy_check is not None:
            await self._try_out(driver, browser, self.proxy_check, executable.path)
        self.launches, self.launched_s = self.launches + 1, time.monotonic()
        self._made_before = self.capacity.contexts_made
        duration_ms = round((time.perf_counter() - began_s) * 1000)
        log.info("browser_launched", path=executable.path, version=self.version, pid=self.pid, duration_ms=duration_ms)
        return browser

    async def _try_out(self, driver: Driver, browser: Browser, trial: ProxyCheck, path: str) -> None:
        try:
            with launch_errors.explained(path):
                await trial.run(browser)
        except BaseException:
            self.pid = None
            await driver.put_away(browser)
            raise

    def _find(self) -> Executable:
        return find_browser(self.name, self.config.executable_path, headless=self.config.headless)

    def _found_dead(self, browser: Browser) -> None:
        if browser is not self._browser:
            return
        if browser.is_connected():  # so it says for ever when the driver is dead
            self._driver_died()
        else:
            self._lose("browser")

    def _browser_died(self, browser: Browser) -> None:
        if browser is self._browser:
            self._lose("browser")

    def _driver_died(self) -> None:
        if self._driver is None:
            return
        self._spawn(self._driver.stop())
        self._driver = None
        self._lose("driver")

    def _lose(self, what: Loss) -> None:
        had_browser, pid = self._browser is not None, self.pid
        self._forget()
        self.warm_contexts.lose()
        if pid is not None:
            kill_group(pid)  # what is left of it ends by itself when its pipe breaks, but not while it is stopped
        if self._closing is not None:
            return
        log.warning("browser_lost", what=what)
        if had_browser or what == "driver":
            self.recovery.lost()
        if had_browser:
            self._announce(what)

    def _forget(self) -> None:
        if self._vigil is not None:
            self._vigil.end()
        self._browser = self.pid = self._vigil = None
        self.launched_s = math.inf

    def _announce(self, what: Loss) -> None:
        for listener in tuple(self._listeners):
            try:
                listener(what)
            except Exception:  # Playwright would raise it in the next unrelated call
                log.exception("listener_failed", listener=repr(listener))

    def _watch(self, driver: Driver, browser: Browser) -> None:
        self._vigil = Watchdog(
            driver=driver,
            browser=browser,
            pid=self.pid,
            limit_s=self.config.heartbeat_timeout_s,
            is_over=lambda: browser is not self._browser,
            driver_died=self._driver_died,
            spawn=self._spawn,
        )
        self._vigil.begin()

    async def _end(self) -> None:
        await self.recovery.stop()
        if self._vigil is not None:
            self._vigil.end()
        if not await ends(asyncio.create_task(self._close_browser()), _CLOSE_TIMEOUT_S):
            log.warning("browser_killed", pid=self.pid)
            if self._driver is not None:
                self._driver.kill_browsers()
        await _finish(self._work)
        if self._driver is not None:
            await self._driver.stop()

    async def _close_browser(self) -> None:
        """Close the browser after all that is still being made or stopped."""
        await self.warm_contexts.empty()
        while self._work:
            await asyncio.wait(self._work)
        if self._browser is not None:
            await self._browser.close()


async def _discard(task: asyncio.Task[MadeT], discard: Callable[[MadeT], Awaitable[object]]) -> None:
    await asyncio.wait({task})
    if not task.cancelled() and task.exception() is None:
        with contextlib.suppress(Error):
            await discard(task.result())


async def _finish(tasks: set[asyncio.Task[Any]]) -> None:
    """Give the death of the browser time to end the tasks, and cancel those that it does not."""
    if not tasks:
        return
    _, stuck = await asyncio.wait(tasks, timeout=_FINISH_TIMEOUT_S)
    for task in stuck:
        task.cancel()
    if stuck:
        await asyncio.wait(stuck, timeout=_FINISH_TIMEOUT_S)


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _environment() -> dict[str, str | float | bool]:
    """Return what the browser sees of our environment: not our settings, of which the token is one."""
    return {name: value for name, value in os.environ.items() if not name.startswith("AGENT_")}
