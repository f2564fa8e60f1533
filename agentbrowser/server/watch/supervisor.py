"""What watches over the browser's side: its thread is replaced when it dies, and told on when it stands still."""

from typing import Final

import attrs
import structlog
import trio

from agentbrowser.browser.engine.engine import Backoff, Engine, EngineState
from agentbrowser.browser.portal import Portal, PortalClosed
from agentbrowser.protocol.errors import BrowserNotLaunched
from agentbrowser.server.gate.http import ServerStatus

log = structlog.get_logger("agentbrowser.server")

BLOCKED_S: Final = 1.0
"""How long the browser thread may do one thing."""
_ATTEMPTS: Final = 2


class ThreadLost(Exception):
    """The browser thread has died and can't be had again; the text is one line that says why."""


@attrs.define(eq=False)
class Supervisor:
    """Keeps one server able to work."""

    portal: Portal
    engine: Engine
    status: ServerStatus
    backoff: Backoff = attrs.field(factory=Backoff, init=False)
    """The deaths of the thread."""

    def __attrs_post_init__(self) -> None:
        self.portal.cleanup = self.engine.abandon
        self.engine.recovery.on_state = lambda state: self.portal.call_in_trio(self._note, state)

    def _note(self, state: EngineState) -> None:
        """Have /health say how the browser is. [trio]"""
        if self.status.state in ("ready", "browser"):
            self.status.state = "ready" if state == "ready" else "browser"

    async def run(self) -> None:
        """Watch until cancelled. [trio]

        Raises:
          ThreadLost: the browser thread can't be had again.
        """
        while True:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._watch)
                await self.portal.wait_dead()
                nursery.cancel_scope.cancel()
            self._note("broken")
            await self._pause()
            await self._begin_anew()
            self._note("ready")

    async def _pause(self) -> None:
        """Wait, the longer the more often it has died."""
        self.backoff.count_failure()
        if self.backoff.has_given_up:
            raise ThreadLost("the browser thread has died again and again")
        await trio.sleep(self.backoff.pause_s)

    async def _begin_anew(self) -> None:
        failure: Exception | None = None
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                if not self.portal.alive:  # it may be just the browser that could not be had in it
                    await self.portal.reopen()
                await self.portal.run(self.engine.start)
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
