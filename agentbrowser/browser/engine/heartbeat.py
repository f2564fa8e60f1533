"""Heartbeat of one browser: a browser that hangs raises no error, so it is polled."""

import asyncio
import contextlib
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import attrs
from playwright.async_api import Browser, CDPSession, Error

_HALVES: Final = 2
MAX_TIMEOUTS: Final = 6
"""Timeouts that a busy browser has, since a busy loop may never end either."""
_HIGH_LOAD: Final = 0.5


@attrs.define(eq=False)
class ThreadLoad:
    """Load of the threads that an answer passes: the time that each has run, or waited for a processor.

    Args:
      pids: the processes whose main threads are measured, besides the current thread.
    """

    pids: tuple[int, ...]
    _own_tid: int = attrs.field(factory=threading.get_native_id, init=False)
    _measured_s: float = attrs.field(factory=time.monotonic, init=False)
    _runnable_s: dict[int, float] = attrs.field(factory=dict, init=False)

    def is_high(self) -> bool:
        """Return True if one thread was busy for most of the time since the last call; False if unknown."""
        now_s, runnable_s = time.monotonic(), {tid: _runnable_s(tid) for tid in (*self.pids, self._own_tid)}
        passed_s, before_s = now_s - self._measured_s, self._runnable_s
        self._measured_s, self._runnable_s = now_s, runnable_s
        return any(after_s - before_s.get(tid, after_s) > _HIGH_LOAD * passed_s for tid, after_s in runnable_s.items())


def _runnable_s(tid: int) -> float:
    with contextlib.suppress(OSError, ValueError):  # the thread has ended, or this is not Linux
        ran_ns, waited_ns, _ = Path(f"/proc/{tid}/schedstat").read_text(encoding="ascii").split()
        return (int(ran_ns) + int(waited_ns)) / 1e9
    return 0.0


@attrs.define(eq=False)
class Heartbeat:
    """Periodic poll of a browser with a cheap command.

    Args:
      timeout_s: the longest time for an answer, unless the machine is busy.
      pids: the processes that an answer passes.
    """

    timeout_s: float
    pids: tuple[int, ...] = ()
    _session: CDPSession | None = attrs.field(default=None, init=False)

    async def run_until_missed(self, browser: Browser) -> bool:
        """Poll until an answer is missing, and return True; return False when the browser is gone. [asyncio]"""
        try:
            while await self._answers(lambda: self._poll(browser)):  # noqa: ASYNC110 - no event reports it
                await asyncio.sleep(self.timeout_s)
        except Error:
            return False
        return True

    async def _answers(self, poll: Callable[[], Awaitable[object]]) -> bool:
        answer = asyncio.ensure_future(poll())
        load = ThreadLoad(self.pids)
        load.is_high()
        try:
            # In halves: after a suspension of the whole machine, the first ends at once, and the second is real time.
            for half in range(1, _HALVES * MAX_TIMEOUTS + 1):
                await asyncio.wait({answer}, timeout=self.timeout_s / _HALVES)
                is_busy = load.is_high()
                if answer.done() or (half >= _HALVES and not is_busy):
                    break
            if answer.done():
                answer.result()
            return answer.done()
        finally:
            answer.cancel()

    async def _poll(self, browser: Browser) -> None:
        if self._session is None:
            self._session = await browser.new_browser_cdp_session()
        await self._session.send("Browser.getVersion")
