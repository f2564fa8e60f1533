"""Supervisor of the browser thread: replaces a dead thread and logs a blocked one."""

from typing import Final

import attrs
import structlog
import trio

from agentbrowser.browser.engine.pool import EnginePool
from agentbrowser.browser.engine.recovery import Backoff, EngineState
from agentbrowser.browser.portal import Portal, PortalClosed
from agentbrowser.protocol.errors import BrowserNotLaunched
from agentbrowser.server.gate.http import ServerStatus

log = structlog.get_logger("agentbrowser.server")

BLOCKED_S: Final = 1.0
"""Time without an answer after which the browser thread counts as blocked."""
_ATTEMPTS: Final = 2


class ThreadLost(Exception):
    """Death of a browser thread that can't be replaced; the text is one line with the reason."""


@attrs.define(eq=False)
class Supervisor:
    """Supervisor of one server's browser thread."""

    portal: Portal
    engines: EnginePool
    status: ServerStatus
    backoff: Backoff = attrs.field(factory=Backoff, init=False)
    """Backoff between restarts of the thread."""

    def __attrs_post_init__(self) -> None:
        self.portal.cleanup = self.engines.abandon
        self.engines.on_state = lambda state: self.portal.call_in_trio(self._set_browser_state, state)

    def _set_browser_state(self, state: EngineState) -> None:
        """Set the browser's state for /health. [trio]"""
        if self.status.state in ("ready", "browser"):
            self.status.state = "ready" if state == "ready" else "browser"

    async def run(self) -> None:
        """Supervise the thread until cancelled. [trio]

        Raises:
          ThreadLost: the browser thread can't be replaced.
        """
        while True:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._watch)
                await self.portal.wait_dead()
                nursery.cancel_scope.cancel()
            self._set_browser_state("broken")
            await self._wait_backoff()
            await self._restart_thread()
            self._set_browser_state("ready")

    async def _wait_backoff(self) -> None:
        """Wait, longer after each death of the thread."""
        self.backoff.count_failure()
        if self.backoff.has_given_up:
            raise ThreadLost("the browser thread has died again and again")
        await trio.sleep(self.backoff.pause_s)

    async def _restart_thread(self) -> None:
        failure: Exception | None = None
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                if not self.portal.alive:  # only the browser may have failed to launch in it
                    await self.portal.reopen()
                await self.portal.run(self.engines.start)
            except (PortalClosed, BrowserNotLaunched) as error:
                log.error("thread_not_replaced", attempt=attempt, error=str(error))
                failure = error
            else:
                log.warning("thread_replaced")
                return
        raise ThreadLost(f"the browser thread has died and can't be replaced: {failure}")

    async def _watch(self) -> None:
        while True:
            echo = trio.Event()
            asked_s = trio.current_time()
            self.portal.call_in_asyncio(self.portal.call_in_trio, echo.set)
            with trio.move_on_after(BLOCKED_S):
                await echo.wait()
            if not echo.is_set():
                log.error("thread_blocked", limit_s=BLOCKED_S, stack=self.portal.thread_stack())
                await echo.wait()
                log.warning("thread_goes_on", blocked_s=round(trio.current_time() - asked_s, 1))
            await trio.sleep(BLOCKED_S)
