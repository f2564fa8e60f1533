"""Restarts of a lost browser: at once, then after growing pauses, then not for a while."""

import asyncio
import math
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final, Literal

import attrs
import structlog

from agentbrowser.browser.portal import remaining_s
from agentbrowser.protocol.errors import AgentBrowserError, BrowserNotLaunched

log = structlog.get_logger("agentbrowser.browser")

EngineState = Literal["starting", "ready", "broken", "restarting"]
"""``broken``: lost, and waiting for the next attempt."""

MAX_FAILURES: Final = 5
WINDOW_S: Final = 60.0
FIRST_PAUSE_S: Final = 0.5
LONGEST_PAUSE_S: Final = 30.0


@attrs.define
class Backoff:
    """Exponential backoff by the failures of the last minute: no pause after the first, the longest after the fifth."""

    clock: Callable[[], float] = time.monotonic
    _failed_s: deque[float] = attrs.field(factory=lambda: deque(maxlen=MAX_FAILURES), init=False)
    _too_many: bool = attrs.field(default=False, init=False)

    def count_failure(self) -> None:
        """Count a failure."""
        self._forget_old()
        self._failed_s.append(self.clock())
        self._too_many = len(self._failed_s) >= MAX_FAILURES

    @property
    def has_given_up(self) -> bool:
        """True if there were so many failures that nothing is tried during the pause."""
        return self._too_many and self.pause_s > 0

    @property
    def pause_s(self) -> float:
        """Seconds until the next attempt."""
        if len(self._failed_s) < 2:
            return 0.0
        pause_s = LONGEST_PAUSE_S if self._too_many else FIRST_PAUSE_S * 2.0 ** (len(self._failed_s) - 2)
        return max(0.0, self._failed_s[-1] + min(pause_s, LONGEST_PAUSE_S) - self.clock())

    def _forget_old(self) -> None:
        while self._failed_s and self._failed_s[0] <= self.clock() - WINDOW_S:
            self._failed_s.popleft()


@attrs.define(eq=False)
class Recovery:
    """Restarts of one browser, and the wait of requests for them. Everything runs in the browser thread.

    Args:
      restart: starts the browser again, or raises the reason why it can't.
      on_state: called with every new state.
    """

    restart: Callable[[], Awaitable[object]]
    on_state: Callable[[EngineState], object] = lambda state: None
    state: EngineState = attrs.field(default="starting", init=False)
    restarts: int = attrs.field(default=0, init=False)
    """Number of successful restarts."""
    backoff: Backoff = attrs.field(factory=Backoff)
    _cause: BaseException | None = attrs.field(default=None, init=False)
    _task: asyncio.Task[None] | None = attrs.field(default=None, init=False)
    _changed: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)
    _retry_requested: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)

    @property
    def is_under_way(self) -> bool:
        """True while the browser is being restarted."""
        return self._task is not None

    def mark_ready(self) -> None:
        """Note that the browser runs, unless a restart is under way."""
        if self._task is None:
            self._cause = None
            self._set_state("ready")

    def lost(self) -> None:
        """Restart the browser in the background after an unexpected loss."""
        self._fail(None)
        if self._task is None:
            self._start()

    def failed(self, error: BrowserNotLaunched) -> None:
        """Note that a start for a request has failed; the next request may try again."""
        if self._task is None:
            log.warning("launch_failed", error=error.message)
            self._fail(error)

    def retry_now(self) -> None:
        """Make the next attempt now, after any number of failures: a client asks for it."""
        if self.state == "broken":
            self._retry_requested.set()

    async def wait_until_ready(self) -> None:
        """Wait for the end of a restart. [asyncio]

        Raises:
          BrowserNotLaunched: the restart takes longer than the request has time, or is not tried for a while.
        """
        if self._task is None and self.backoff.has_given_up and not self._retry_requested.is_set():
            raise self._refusal()
        while self._task is not None and self._task is not asyncio.current_task():
            if self.state == "broken" and not self._retry_requested.is_set() and self._is_too_late():
                raise self._refusal()
            await self._changed.wait()

    async def stop(self) -> None:
        """Stop restarting. [asyncio]"""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    def _is_too_late(self) -> bool:
        return self.backoff.has_given_up or self.backoff.pause_s >= remaining_s()

    def _refusal(self) -> BrowserNotLaunched:
        wait_ms = max(100, math.ceil(self.backoff.pause_s * 1000))
        cause = self._cause if isinstance(self._cause, BrowserNotLaunched) else None
        reason = f" {cause.message}" if cause else ""
        has_given_up = self.backoff.has_given_up
        what = "was lost too often and is left alone for a while" if has_given_up else "is being restarted"
        refusal = BrowserNotLaunched(
            f"The browser {what}.{reason}",
            retryable=True,
            retry_after_ms=wait_ms,
            hint="Wait, or call browser/launch to have it tried at once.",
        )
        refusal.details |= cause.details if cause else {}
        return refusal

    def _fail(self, error: BaseException | None) -> None:
        self._cause = error or self._cause
        self.backoff.count_failure()
        self._set_state("broken")
        if self.backoff.has_given_up:
            log.error("browser_restarts_paused", failures=MAX_FAILURES, pause_s=self.backoff.pause_s)

    def _set_state(self, state: EngineState) -> None:
        self.state = state
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
        self.on_state(state)

    def _start(self) -> None:
        self._task = asyncio.create_task(self._recover())
        self._task.add_done_callback(self._recovered)

    async def _recover(self) -> None:
        while self.state != "ready":
            await self._pause()
            self._set_state("restarting")
            try:
                await self.restart()
            except Exception as error:  # noqa: BLE001 - any error is logged, and the start tried again
                known = error if isinstance(error, AgentBrowserError) else None
                log.warning("restart_failed", error=known.message if known else repr(error))
                self._fail(known)
            else:
                if self.state == "restarting":  # the browser was not lost again meanwhile
                    self.restarts += 1
                    self._cause = None
                    self._set_state("ready")

    async def _pause(self) -> None:
        try:
            async with asyncio.timeout(self.backoff.pause_s):
                await self._retry_requested.wait()
        except TimeoutError:
            pass
        self._retry_requested.clear()

    def _recovered(self, task: asyncio.Task[None]) -> None:
        self._task = None
        self._changed.set()
        if task.cancelled():
            return
        task.result()
        if self.state == "broken":  # the browser was lost again after the last check
            self._start()
