"""The sign of life that the browser is asked for: one that is stopped or hangs fails no call, and would hold up all."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import attrs
from playwright.async_api import Browser, CDPSession, Error

_HALVES: Final = 2


@attrs.define(eq=False)
class Pulse:
    """Asks the browser a cheap question now and again.

    Args:
      limit_s: how long the answer may take.
    """

    limit_s: float
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
        try:
            # In halves, since all of us may have been stopped, and the clock has run on: one of them is real time.
            for _ in range(_HALVES):
                await asyncio.wait({answer}, timeout=self.limit_s / _HALVES)
            if answer.done():
                answer.result()
            return answer.done()
        finally:
            answer.cancel()

    async def _ask(self, browser: Browser) -> None:
        if self._session is None:
            self._session = await browser.new_browser_cdp_session()
        await self._session.send("Browser.getVersion")
