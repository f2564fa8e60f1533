"""How the browser comes back that was lost: at once, then after ever longer pauses, and then not for a while."""

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
"""``broken``: lost, and not tried again just now."""

MAX_FAILURES: Final = 5
WINDOW_S: Final = 60.0
FIRST_PAUSE_S: Final = 0.5
LONGEST_PAUSE_S: Final = 30.0


@attrs.define
class Backoff:
    """The failures of the last minute. The first costs no pause, the fifth the longest."""

    clock: Callable[[], float] = time.monotonic
    _failed_s: deque[float] = attrs.field(factory=lambda: deque(maxlen=MAX_FAILURES), init=False)
    _too_many: bool = attrs.field(default=False, init=False)

    def note(self) -> None:
        """Count a failure."""
        self._forget_old()
        self._failed_s.append(self.clock())
        self._too_many = len(self._failed_s) >= MAX_FAILURES

    @property
    def has_given_up(self) -> bool:
        """Whether there were so many that nothing is tried until the pause is over."""
        return self._too_many and self.pause_s > 0

    @property
    def pause_s(self) -> float:
        """The seconds that are left until the next attempt."""
        if len(self._failed_s) < 2:
            return 0.0
        whole = LONGEST_PAUSE_S if self._too_many else FIRST_PAUSE_S * 2.0 ** (len(self._failed_s) - 2)
        return max(0.0, self._failed_s[-1] + min(whole, LONGEST_PAUSE_S) - self.clock())

    def _forget_old(self) -> None:
        while self._failed_s and self._failed_s[0] <= self.clock() - WINDOW_S:
            self._failed_s.popleft()


@attrs.define(eq=False)
class Recovery:
    """Brings back what was lost, and says meanwhile who may wait for it. Everything runs in the browser thread.

    Args:
      restart: makes it anew; raises what stands in the way.
      on_state: called with every new state.
    """

    restart: Callable[[], Awaitable[object]]
    on_state: Callable[[EngineState], object] = lambda state: None
    state: EngineState = attrs.field(default="starting", init=False)
    restarts: int = attrs.field(default=0, init=False)
    """How often it has come back."""
    backoff: Backoff = attrs.field(factory=Backoff)
    _cause: BaseException | None = attrs.field(default=None, init=False)
    _task: asyncio.Task[None] | None = attrs.field(default=None, init=False)
    _turned: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)
    _urged: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)

    def worked(self) -> None:
        """Take note that it runs, unless it is still being brought back."""
        if self._task is None:
            self._cause = None
            self._become("ready")

    def lost(self) -> None:
        """Bring back, in the background, what has gone without being asked to."""
        self._fail(None)
        if self._task is None:
            self._start()

    def failed(self, error: BaseException) -> None:
        """Take note that a request could not have it started, which the next one may try again."""
        if self._task is None:
            self._fail(error)

    def urge(self) -> None:
        """Have the next attempt made now, however often it has failed: somebody asks for it."""
        if self.state == "broken":
            self._urged.set()

    async def admit(self) -> None:
        """Wait until what was lost is back. [asyncio]

        Raises:
          BrowserNotLaunched: that would take longer than the request has time, or is not tried for a while.
        """
        if self._task is None and self.backoff.has_given_up and not self._urged.is_set():
            raise self._refusal()
        while self._task is not None and self._task is not asyncio.current_task():
            if self.state == "broken" and not self._urged.is_set() and self._is_too_far_off():
                raise self._refusal()
            await self._turned.wait()

    async def stop(self) -> None:
        """Bring nothing back any more. [asyncio]"""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    def _is_too_far_off(self) -> bool:
        return self.backoff.has_given_up or self.backoff.pause_s >= remaining_s()

    def _refusal(self) -> BrowserNotLaunched:
        wait_ms = max(100, math.ceil(self.backoff.pause_s * 1000))
        cause = self._cause if isinstance(self._cause, BrowserNotLaunched) else None
        said = f" {cause.message}" if cause else ""
        has_given_up = self.backoff.has_given_up
        happens = "was lost too often and is left alone for a while" if has_given_up else "is being restarted"
        refusal = BrowserNotLaunched(
            f"The browser {happens}.{said}",
            retryable=True,
            retry_after_ms=wait_ms,
            hint="Wait, or call browser/launch to have it tried at once.",
        )
        refusal.details |= cause.details if cause else {}
        return refusal

    def _fail(self, error: BaseException | None) -> None:
        self._cause = error or self._cause
        self.backoff.note()
        self._become("broken")
        if self.backoff.has_given_up:
            log.error("browser_given_up", failures=MAX_FAILURES, pause_s=self.backoff.pause_s)

    def _become(self, state: EngineState) -> None:
        self.state = state
        turned, self._turned = self._turned, asyncio.Event()
        turned.set()
        self.on_state(state)

    def _start(self) -> None:
        self._task = asyncio.create_task(self._recover())
        self._task.add_done_callback(self._recovered)

    async def _recover(self) -> None:
        while self.state != "ready":
            await self._pause()
            self._become("restarting")
            try:
                await self.restart()
            except Exception as error:  # noqa: BLE001 - whatever it is, it is logged, and tried again
                known = error if isinstance(error, AgentBrowserError) else None
                log.warning("restart_failed", error=known.message if known else repr(error))
                self._fail(known)
            else:
                if self.state == "restarting":  # and was not lost again meanwhile
                    self.restarts += 1
                    self._cause = None
                    self._become("ready")

    async def _pause(self) -> None:
        try:
            async with asyncio.timeout(self.backoff.pause_s):
                await self._urged.wait()
        except TimeoutError:
            pass
        self._urged.clear()

    def _recovered(self, task: asyncio.Task[None]) -> None:
        self._task = None
        self._turned.set()
        if task.cancelled():
            return
        task.result()
        if self.state == "broken":  # it was lost again between the last look and now
            self._start()
