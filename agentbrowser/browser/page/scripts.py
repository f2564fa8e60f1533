"""Scripts of the client in a page, and the recovery of pages that a script blocks."""

import asyncio
import contextlib
import re
from typing import TYPE_CHECKING, Any, Final, Literal

import attrs
from playwright.async_api import CDPSession, Error

from agentbrowser.browser import faults
from agentbrowser.browser.engine.heartbeat import MAX_TIMEOUTS, ThreadLoad
from agentbrowser.browser.page.isolated_world import SERIALISER
from agentbrowser.browser.scripts.bundle import PROGRAMS
from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import (
    ActionFailed,
    AgentBrowserError,
    ResourceLimitExceeded,
)

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab

WorldName = Literal["isolated", "main"]

MAX_RESULT_BYTES: Final = 8 * 1024 * 1024
_WORLD: Final = "agentbrowser-script"
_ANSWER_TIMEOUT_S: Final = 0.3
_GRACE_S: Final = 0.25
"""Time that a cancelled request waits, so that commands already sent reach the page."""
_STEP_TIMEOUT_S: Final = 1.0
_UNBLOCK_TIMEOUT_S: Final = 1.0
_MAY_MISS: Final = re.compile("ReferenceError: |TypeError: .* (?:of undefined|is not a (?:function|constructor))")
"""Errors of a script that uses a variable of the page's scripts, which the isolated world does not have."""
_MAIN_WORLD: Final = 'If it is a variable of the page\'s scripts, evaluate with world "main".'


@attrs.frozen(eq=False)
class Scripts:
    """Scripts of the client in one tab's selected frame."""

    tab: "Tab"

    async def evaluate(self, source: str, argument: Any, *, awaits: bool, world: WorldName) -> Any:
        """Run a script and return its value as JSON that `wire.dump` includes; see `wire.as_encoded`. [asyncio]

        Args:
          source: an expression, a function that takes the argument, or statements.
          awaits: True to wait for a promise.
          world: ``isolated`` from the page's scripts, or in the ``main`` world with them. Only Chromium can isolate it.

        Raises:
          ActionFailed: the script threw, or its value is not JSON.
          ResourceLimitExceeded: the value is larger than 8 MB.
          ExecutionContextDestroyed: the page has navigated to another document.

        Cancel: `unblock` ends a script that still runs.
        """
        call = _call(
            source, wire.dump(argument).decode(), awaits, MAX_RESULT_BYTES, SERIALISER if world == "main" else ""
        )
        if not self.tab.is_chromium:
            return _value(await self._run_in_page(call))
        return _value(await self._run(call, world), is_isolated=world == "isolated")

    async def _run(self, call: str, world: WorldName) -> Any:
        # With a user gesture, as a console has it: copying to the clipboard and opening windows need one.
        command: dict[str, Any] = {"expression": call, "awaitPromise": True, "returnByValue": True, "userGesture": True}
        with faults.mapped(action="script/evaluate"):
            frame_session = await self.tab.frame_sessions.find(self.tab.frame)
            if world == "isolated":
                context: int | None = await frame_session.isolated_world(_WORLD)
            elif (context := await frame_session.main_world()) is not None:
                self.tab.isolated_worlds.forget(frame_session.session)  # `main_world` has removed their bindings
            if world == "main":  # right before the script, since the page's scripts could use what is lent, too
                await self.tab.isolated_worlds.of(self.tab.frame).call("lendSerialiser")
            if context is not None:
                command["contextId"] = context
            answer = await frame_session.session.send("Runtime.evaluate", command)
        if "exceptionDetails" in answer:
            # Our wrapper catches what the client's script throws; only a termination from outside gets past it.
            raise _failed("the script was ended", retryable=True)
        return answer["result"].get("value")

    async def _run_in_page(self, call: str) -> Any:
        with faults.mapped(action="script/evaluate"):
            return await self.tab.frame.evaluate(call)


def _call(*arguments: Any) -> str:
    return f"{PROGRAMS['evaluate']}(...{wire.dump(arguments).decode()})"


def _value(result: Any, *, is_isolated: bool = False) -> Any:
    """Return the script's value as JSON. In the main world, the page may have changed the answer in any way."""
    match result:
        case {"json": str(text)}:
            try:
                return wire.as_encoded(text)
            except (ValueError, RecursionError):
                raise _failed("its value is no JSON, or is nested too deeply") from None
        case {"exceeded": int(size)}:
            message = f"The script's value is {size} bytes of JSON; it may have {MAX_RESULT_BYTES}."
            raise ResourceLimitExceeded(message, resource="result", limit=MAX_RESULT_BYTES, current=size)
        case {"thrown": str(reason)}:
            raise _failed(reason, hint=_MAIN_WORLD if is_isolated and _MAY_MISS.match(reason) else None)
    raise _failed("the page has spoilt its answer")


def _failed(reason: str, *, retryable: bool = False, hint: str | None = None) -> ActionFailed:
    message = f"The script failed: {reason.rstrip('.')}."
    return ActionFailed(message, retryable=retryable, hint=hint, action="script/evaluate", reason=reason)


@attrs.define(eq=False)
class Unblocker:
    """Unblocking of one tab. A cancelled request waits briefly for it, and the next request until its end."""

    tab: "Tab"
    _running: asyncio.Task[None] | None = attrs.field(default=None, init=False)

    async def start(self) -> None:
        """Start unblocking, unless it runs already; a responsive page then has handled earlier commands. [asyncio]"""
        if self._running is None or self._running.done():
            self._running = self.tab.tabs.run_in_background(unblock(self.tab))
        await asyncio.wait({self._running}, timeout=_GRACE_S)

    async def wait(self) -> None:
        """Wait until it is done. [asyncio]"""
        if self._running is not None:
            await asyncio.wait({self._running})
            self._running = None


async def unblock(tab: "Tab") -> None:
    """Make a page respond again after a cancelled request: end the running script, then stop loading. [asyncio]

    Takes no time for a responsive page. Leaves an open dialog alone, which blocks the page for its own time. A page
    that does not respond within the heartbeat's timeout is treated as crashed.
    """
    if not tab.is_chromium or tab.dialog is not None or tab.crash_signal.is_set:
        return
    with contextlib.suppress(Error, AgentBrowserError, TimeoutError):  # the page is gone
        async with asyncio.timeout(_UNBLOCK_TIMEOUT_S):
            session = await tab.cdp()
        if not await _make_responsive(session):
            tab.tabs.run_in_background(_wait_or_give_up(tab, session))
        elif (frame := tab.frame).parent_frame is not None:
            async with asyncio.timeout(_UNBLOCK_TIMEOUT_S):
                await _make_responsive((await tab.frame_sessions.session(frame))[0])


async def _make_responsive(session: CDPSession) -> bool:
    """Return True if the page responds, possibly after its script or its loading was stopped. [asyncio]"""
    for command in ("Runtime.terminateExecution", "Page.stopLoading"):
        if await _responds(session, _ANSWER_TIMEOUT_S):
            return True
        # The browser refuses a command while it goes from one document to the next, as it does behind a dialog that
        # nobody can answer any more: that is no answer of the page.
        with contextlib.suppress(Error, TimeoutError):
            async with asyncio.timeout(_STEP_TIMEOUT_S):
                await session.send(command)
    return await _responds(session, _ANSWER_TIMEOUT_S)


async def _wait_or_give_up(tab: "Tab", session: CDPSession) -> None:
    """Treat a page as crashed, unless it is only slow, or its driver, its browser or our loop is. [asyncio]"""
    engine = tab.tabs.engine
    load = ThreadLoad(engine.pids)
    for _ in range(MAX_TIMEOUTS):
        load.is_high()
        if await _responds(session, tab.tabs.config.heartbeat_timeout_s) or tab.dialog is not None:
            return
        if not load.is_high() and not engine.pipe.is_slowed:
            break
    await tab.close_unresponsive()


async def _responds(session: CDPSession, timeout_s: float) -> bool:
    try:
        async with asyncio.timeout(timeout_s):
            await session.send("Runtime.evaluate", {"expression": "0"})
    except TimeoutError:
        return False
    except Error:  # it has no page any more
        return True
    return True
