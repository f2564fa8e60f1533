"""The sign of life that the browser is asked for: one that is stopped or hangs fails no call, and would hold up all."""

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
_PATIENCE: Final = 6
"""How many times the limit one may take that is busy, and no more, for it may also spin for ever."""
_BUSY: Final = 0.5


@attrs.define(eq=False)
class ThreadLoad:
    """How much of the time the threads that an answer goes through have worked, or waited for a processor.

    Args:
      pids: those of the processes, whose first threads are meant; the present thread is one more.
    """

    pids: tuple[int, ...]
    _own: int = attrs.field(factory=threading.get_native_id, init=False)
    _seen_s: float = attrs.field(factory=time.monotonic, init=False)
    _wanted_s: dict[int, float] = attrs.field(factory=dict, init=False)

    def is_great(self) -> bool:
        """Tell whether one of them had no rest in most of the time since this was asked last; False if unknown."""
        now_s, wanted_s = time.monotonic(), {tid: _wanted_s(tid) for tid in (*self.pids, self._own)}
        passed_s, before_s = now_s - self._seen_s, self._wanted_s
        self._seen_s, self._wanted_s = now_s, wanted_s
        return any(after_s - before_s.get(tid, after_s) > _BUSY * passed_s for tid, after_s in wanted_s.items())


def _wanted_s(tid: int) -> float:
    with contextlib.suppress(OSError, ValueError):  # it has ended, or this is not Linux
        ran_ns, waited_ns, _ = Path(f"/proc/{tid}/schedstat").read_text(encoding="ascii").split()
        return (int(ran_ns) + int(waited_ns)) / 1e9
    return 0.0


@attrs.define(eq=False)
class Heartbeat:
    """Asks the browser a cheap question now and again.

    Args:
      limit_s: how long the answer may take, unless there is too much to do.
      pids: the processes that it goes through.
    """

    limit_s: float
    pids: tuple[int, ...] = ()
    _session: CDPSession | None = attrs.field(default=None, init=False)

    async def until_it_stops(self, browser: Browser) -> bool:
        """Return True when the browser gives no answer in time, False when it is gone. [asyncio]"""
        try:
            while await self._answers(lambda: self._ask(browser)):  # noqa: ASYNC110 - it is no event that is waited for
                await asyncio.sleep(self.limit_s)
        except Error:
            return False
        return True

    async def _answers(self, ask: Callable[[], Awaitable[object]]) -> bool:
        answer = asyncio.ensure_future(ask())
        effort = ThreadLoad(self.pids)
        effort.is_great()
        try:
            # In halves, since all of us may have been stopped, and the clock has run on: one of them is real time.
            for half in range(1, _HALVES * _PATIENCE + 1):
                await asyncio.wait({answer}, timeout=self.limit_s / _HALVES)
                is_busy = effort.is_great()
                if answer.done() or (half >= _HALVES and not is_busy):
                    break
            if answer.done():
                answer.result()
            return answer.done()
        finally:
            answer.cancel()

    async def _ask(self, browser: Browser) -> None:
        if self._session is None:
            self._session = await browser.new_browser_cdp_session()
        await self._session.send("Browser.getVersion")
