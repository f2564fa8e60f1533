"""The Playwright driver: a Node process, started out of reach of our signals, watched, and ended for certain."""

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
import playwright
import structlog
from playwright.async_api import Browser, Playwright, async_playwright

from agentbrowser.browser.engine.driver_dirs import DriverDir
from agentbrowser.browser.engine.processes import Process, exists, kill, kill_group, until, watch
from agentbrowser.protocol.errors import BrowserNotLaunched

log = structlog.get_logger("agentbrowser.browser")

_NODE: Final = "PLAYWRIGHT_NODEJS_PATH"
_ENVIRONMENT: Final = threading.Lock()  # os.environ is the whole process's, which may hold several servers
_TURN_S: Final = 0.005
_START_TIMEOUT_S: Final = 30.0
_STOP_TIMEOUT_S: Final = 1.0
_CLOSE_TIMEOUT_S: Final = 5.0


@attrs.define(eq=False)
class Driver:
    """A running driver. Made by `start`.

    Args:
      home: our own directory, 0700, in which driver and browser keep their temporary files; removed at the end.
      pid: the driver's process; None where it can't be told (Windows).
    """

    playwright: Playwright
    home: DriverDir
    pid: int | None
    _process: Process | None = attrs.field(
        default=attrs.Factory(lambda driver: driver.pid and Process.of(driver.pid), takes_self=True), init=False
    )
    _unwatch: Callable[[], None] = attrs.field(default=lambda: None, init=False)

    @classmethod
    async def start(cls, on_death: Callable[[], None]) -> Self:
        """Start a driver. [asyncio]

        Args:
          on_death: called when the process dies before `stop`. Playwright has no event for that, and says for ever
            that the browser is connected. Never called where the system can't watch a process (not Linux).

        Raises:
          BrowserNotLaunched: it does not start.
        """
        try:
            home = DriverDir.make()
        except OSError as error:
            raise BrowserNotLaunched(f"There is no room for temporary files: {error.strerror}.") from error
        try:
            driver = cls(await _start_playwright(home.path), home, _read_pid(home.path))
        except BaseException:
            await _put_down(_read_pid(home.path))
            home.remove()
            raise
        home.note(driver.pid)
        driver._unwatch = watch(driver.pid, on_death)
        return driver

    def note(self, browser_pid: int | None) -> None:
        """Write down what has been started, for whoever has to clear up after us."""
        self.home.note(self.pid, browser_pid)

    def children(self) -> list[int]:
        """Return the processes that the driver has started: browsers, each the leader of its group. Linux only."""
        if self._process is None or not self._process.lives():  # and its number may be another one's
            return []
        lists = Path(f"/proc/{self.pid}/task").glob("*/children")
        return [int(pid) for children in lists for pid in _read(children).split()]

    def newest_child(self) -> int | None:
        """Return the process that was started last, if there is one."""
        children = self.children()
        return children[-1] if children else None

    def kill_browsers(self) -> None:
        """Kill what the driver has started: a browser that is stopped or hangs obeys nothing else."""
        for pid in self.children():
            kill_group(pid)

    def kill(self) -> None:
        """Kill the process and all that it has started, as one that hangs obeys nothing else."""
        self.kill_browsers()
        if self._process is not None and self._process.lives():
            kill(self.pid)

    async def put_away(self, browser: Browser) -> None:
        """Close a browser that nobody watches any more, by force if need be. [asyncio]"""
        if not await ends(asyncio.create_task(browser.close()), _CLOSE_TIMEOUT_S):
            self.kill_browsers()

    async def stop(self) -> None:
        """End the process, by force if need be, and remove its files. [asyncio]"""
        self._unwatch()
        stopping = asyncio.create_task(self.playwright.stop())
        if not await ends(stopping, _STOP_TIMEOUT_S):
            log.warning("driver_killed", pid=self.pid)
            self.kill()
            await ends(stopping, _STOP_TIMEOUT_S)
        self.home.remove()


async def ends(closing: asyncio.Task[Any], timeout_s: float) -> bool:
    """Tell whether a task comes to its end in time, be it with an error; it runs on if not. [asyncio]"""
    await asyncio.wait({closing}, timeout=timeout_s)
    if closing.done() and not closing.cancelled() and (error := closing.exception()) is not None:
        log.info("close_failed", error=type(error).__name__)
    return closing.done()


async def _put_down(pid: int | None) -> None:
    """Kill a process that Playwright has started and does not speak of, and wait until asyncio has reaped it."""
    if pid is None:
        return
    kill(pid)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_STOP_TIMEOUT_S):
            await until(lambda: not exists(pid))
    await asyncio.sleep(_TURN_S)  # for the news to get from asyncio's waiting thread to its transport


async def _start_playwright(home: Path) -> Playwright:
    await until(lambda: _ENVIRONMENT.acquire(blocking=False))
    try:
        with _node(_write_starter(home)):
            async with asyncio.timeout(_START_TIMEOUT_S):
                return await async_playwright().start()
    except TimeoutError:
        raise BrowserNotLaunched("The driver did not start in time.") from None
    except OSError as error:
        raise BrowserNotLaunched(f"The driver can't be started: {error.strerror}.", retryable=False) from error
    except Exception as error:  # of no class of its own: the driver ended at once
        raise BrowserNotLaunched("The driver ended while it started.") from error
    finally:
        _ENVIRONMENT.release()


def _write_starter(home: Path) -> Path | None:
    """Write the script that stands in for Node, if the system is one where it can run.

    It leaves the process group, so that a Ctrl-C or a service manager's SIGTERM to all of us does not take the browser
    away while requests are being finished; it notes the pid, and it keeps the temporary files in our directory. Our own
    settings, of which the token is one, are not for the driver to know.
    """
    node = os.environ.get(_NODE) or str(Path(playwright.__file__).parent / "driver" / "node")
    if os.name != "posix" or not os.access(node, os.X_OK):
        return None
    alone = "setsid " if shutil.which("setsid") else ""
    settings = [name for name in os.environ if name.startswith("AGENT_") and name.isascii() and name.isidentifier()]
    unset = f"unset {' '.join(settings)}\n" if settings else ""
    starter = home / "node"
    starter.write_text(
        f"#!/bin/sh\necho $$ > {shlex.quote(str(_pid_file(home)))}\n{unset}"
        f'TMPDIR={shlex.quote(str(home))} exec {alone}{shlex.quote(node)} "$@"\n'
    )
    starter.chmod(0o700)
    return starter if os.access(starter, os.X_OK) else None  # not on a file system mounted noexec


@contextlib.contextmanager
def _node(executable: Path | None) -> Iterator[None]:
    """Have Playwright take this for Node. It reads the environment once, while it starts."""
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


def _pid_file(home: Path) -> Path:
    return home / "driver.pid"


def _read_pid(home: Path) -> int | None:
    noted = _read(_pid_file(home)).strip()
    return int(noted) if noted else None


def _read(file: Path) -> str:
    try:
        return file.read_text()
    except OSError:
        return ""
