"""Playwright driver: a Node process in a session of its own, watched, and ended by force if necessary."""

import asyncio
import contextlib
import os
import shlex
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Self

import attrs
import playwright as playwright_package
import structlog
from playwright.async_api import Browser, Playwright

from agentbrowser.browser.downloads.disk_guard import DiskGuard
from agentbrowser.browser.engine import vendor
from agentbrowser.browser.engine.chromium_flags import SERVER_SETTINGS
from agentbrowser.browser.engine.driver_dirs import DriverDir, compiled_code_dir
from agentbrowser.browser.engine.launch_errors import DOCTOR_HINT
from agentbrowser.browser.engine.processes import Process, exists, is_dead, kill, kill_group, wait_until, watch
from agentbrowser.browser.events.driver_pipe import PipeMeter
from agentbrowser.protocol.errors import BrowserNotLaunched

log = structlog.get_logger("agentbrowser.browser")

_NODE: Final = "PLAYWRIGHT_NODEJS_PATH"
_COMPILE_CACHE: Final = "NODE_COMPILE_CACHE"
_ENVIRONMENT: Final = threading.Lock()  # os.environ belongs to the process, which may run several servers
_LOOP_TURN_S: Final = 0.005
_START_TIMEOUT_S: Final = 30.0
_STOP_TIMEOUT_S: Final = 1.0
_CLOSE_TIMEOUT_S: Final = 5.0


@attrs.define(eq=False)
class Driver:
    """A running driver. Made by `start`.

    Args:
      directory: the private directory for the temporary files of driver and browser; removed at the end.
      pid: the driver's process; None where it is unknown (Windows).
      pipe: measures of its pipe.
      guard: guard of the directory's downloads.
    """

    playwright: Playwright
    directory: DriverDir
    pid: int | None
    pipe: PipeMeter = attrs.field(factory=PipeMeter)
    guard: DiskGuard = attrs.field(factory=DiskGuard)
    _process: Process | None = attrs.field(
        default=attrs.Factory(lambda driver: driver.pid and Process.of(driver.pid), takes_self=True), init=False
    )
    _unwatch: Callable[[], None] = attrs.field(default=lambda: None, init=False)

    @classmethod
    async def start(
        cls, on_death: Callable[[], None], pipe: PipeMeter | None = None, guard: DiskGuard | None = None
    ) -> Self:
        """Start a driver. [asyncio]

        Args:
          on_death: called when the process dies before `stop`. Playwright has no event for that, and reports the
            browser as connected for ever. Never called outside Linux, where a process can't be watched.
          pipe: measures the driver's pipe.
          guard: limits what the browser downloads.

        Raises:
          BrowserNotLaunched: the driver does not start.
        """
        try:
            directory = DriverDir.make()
        except OSError as error:
            message = f"There is no room for temporary files: {error.strerror}."
            raise BrowserNotLaunched(message, hint="Free some, or name another directory by TMPDIR.") from error
        pipe = pipe or PipeMeter()
        try:
            playwright = await _start_playwright(directory.path, pipe)
            driver = cls(playwright, directory, _read_pid(directory.path), pipe, guard or DiskGuard())
        except BaseException:
            await _kill_and_reap(_read_pid(directory.path))
            directory.remove()
            raise
        directory.record(driver.pid)
        driver.guard.watch(directory.downloads)
        driver.guard.traces.begin(directory.traces)
        driver._unwatch = watch(driver.pid, on_death)
        return driver

    @property
    def has_died(self) -> bool:
        """True if the process has ended, even if that is not reported yet."""
        return self.pid is not None and is_dead(self.pid)

    def record(self, browser_pid: int | None) -> None:
        """Record the processes, for the clean-up after a crash of ours."""
        self.directory.record(self.pid, browser_pid)

    def children(self) -> list[int]:
        """Return the processes that the driver has started: browsers, each the leader of its group. Linux only."""
        if self._process is None or not self._process.is_alive():  # the number may belong to another process by now
            return []
        lists = Path(f"/proc/{self.pid}/task").glob("*/children")
        return [int(pid) for children in lists for pid in _read(children).split()]

    def newest_child(self) -> int | None:
        """Return the process that the driver started last, or None."""
        children = self.children()
        return children[-1] if children else None

    def kill_browsers(self) -> None:
        """Kill the browsers that the driver has started: one that is stopped or hangs obeys nothing else."""
        for pid in self.children():
            kill_group(pid)

    def kill(self) -> None:
        """Kill the driver and its browsers: a process that hangs obeys nothing else."""
        self.kill_browsers()
        if self._process is not None and self._process.is_alive():
            kill(self.pid)

    async def close_browser(self, browser: Browser) -> None:
        """Close a browser, by force if necessary. [asyncio]"""
        if not await ends_within(asyncio.create_task(browser.close()), _CLOSE_TIMEOUT_S):
            self.kill_browsers()

    async def stop(self) -> None:
        """End the driver, by force if necessary, and remove its files. [asyncio]"""
        self._unwatch()
        stopping = asyncio.create_task(self.playwright.stop())
        if not await ends_within(stopping, _STOP_TIMEOUT_S):
            log.warning("driver_killed", pid=self.pid)
            self.kill()
            await ends_within(stopping, _STOP_TIMEOUT_S)
        self.guard.unwatch(self.directory.downloads)
        self.directory.remove()


async def ends_within(closing: asyncio.Task[Any], timeout_s: float) -> bool:
    """Return True if a task ends in time, with or without an error; a late task runs on. [asyncio]"""
    await asyncio.wait({closing}, timeout=timeout_s)
    if closing.done() and not closing.cancelled() and (error := closing.exception()) is not None:
        log.info("close_failed", error=type(error).__name__)
    return closing.done()


async def _kill_and_reap(pid: int | None) -> None:
    """Kill a process that Playwright has started but not returned, and wait until asyncio has reaped it."""
    if pid is None:
        return
    kill(pid)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_STOP_TIMEOUT_S):
            await wait_until(lambda: not exists(pid))
    await asyncio.sleep(_LOOP_TURN_S)  # asyncio's waiting thread reports the end to the transport


async def _start_playwright(folder: Path, pipe: PipeMeter) -> Playwright:
    await wait_until(lambda: _ENVIRONMENT.acquire(blocking=False))
    try:
        with _node_path(_write_node_wrapper(folder)):
            async with asyncio.timeout(_START_TIMEOUT_S):
                return await vendor.start_playwright(pipe)
    except TimeoutError:
        raise BrowserNotLaunched("The driver did not start in time.") from None
    except OSError as error:
        raise BrowserNotLaunched(f"The driver can't be started: {error.strerror}.", retryable=False) from error
    except Exception as error:  # Playwright has no class for a driver that ends at once
        raise BrowserNotLaunched("The driver ended while it started.", hint=DOCTOR_HINT) from error
    finally:
        _ENVIRONMENT.release()


def _write_node_wrapper(folder: Path) -> Path | None:
    """Write a script that starts Node, on systems that can run it.

    The script leaves the process group: a Ctrl-C, or a service manager's SIGTERM to the group, must not end the browser
    while requests are being finished. It records the pid, puts temporary files into our directory, and removes the
    settings of the server from the environment. The driver ignores a proxy in the environment: it would ask that for
    the browser that it joins on this machine, and take another one for it. Node begins with room for 4 MB of new
    objects: with its usual 1 MB, it collects garbage so often while it loads the driver that the start takes a twelfth
    longer. It keeps the code that it has compiled for the next start, which takes a fifth less: in our directory,
    unless the environment names one.
    """
    node = os.environ.get(_NODE) or str(Path(playwright_package.__file__).parent / "driver" / "node")
    if os.name != "posix" or not os.access(node, os.X_OK):
        return None
    setsid = "setsid " if shutil.which("setsid") else ""
    settings = [
        name for name in os.environ if name.startswith(SERVER_SETTINGS) and name.isascii() and name.isidentifier()
    ]
    unset = f"unset {' '.join(settings)}\n" if settings else ""
    compiled = None if _COMPILE_CACHE in os.environ else compiled_code_dir()
    keep = f"export {_COMPILE_CACHE}={shlex.quote(str(compiled))}\n" if compiled is not None else ""
    wrapper = folder / "node"
    wrapper.write_text(
        f"#!/bin/sh\necho $$ > {shlex.quote(str(_pid_file(folder)))}\n{unset}{keep}"
        f"no_proxy='*' "
        f'TMPDIR={shlex.quote(str(folder))} exec {setsid}{shlex.quote(node)} --min-semi-space-size=4 "$@"\n'
    )
    wrapper.chmod(0o700)
    return wrapper if os.access(wrapper, os.X_OK) else None  # not on a file system that is mounted noexec


@contextlib.contextmanager
def _node_path(executable: Path | None) -> Iterator[None]:
    """Set the path of Node for Playwright, which reads the environment once, while it starts."""
    if executable is None:
        yield
        return
    before = os.environ.get(_NODE)
    os.environ[_NODE] = str(executable)
    try:
        yield
    finally:
        os.environ.pop(_NODE)
        os.environ |= {_NODE: before} if before is not None else {}


def _pid_file(folder: Path) -> Path:
    return folder / "driver.pid"


def _read_pid(folder: Path) -> int | None:
    text = _read(_pid_file(folder)).strip()
    return int(text) if text else None


def _read(file: Path) -> str:
    try:
        return file.read_text()
    except OSError:
        return ""
