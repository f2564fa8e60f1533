"""Our own scripts in the frames of a page, in worlds of their own: the page can neither see nor spoil them."""

import secrets
from typing import Any, Final
from weakref import WeakKeyDictionary

import attrs
import structlog
from playwright.async_api import Error, Frame, Locator

from agentbrowser.browser import faults
from agentbrowser.browser.engine import vendor
from agentbrowser.browser.page.frame_sessions import FrameSession
from agentbrowser.browser.page.surface import PageSurface
from agentbrowser.browser.scripts.bundle import PROGRAMS
from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import ExecutionContextDestroyed, FrameNotFound, InternalError, TargetClosed

log = structlog.get_logger("agentbrowser.browser")

NAME: Final = "agentbrowser"
_ATTEMPTS: Final = 5

# One symbol is all that is added to the globals. It is a secret, since the number of a world may have gone to another
# one of the page's, after a change of process: there no function of ours, nor one that pretends to be, may be found.
KEY: Final = f"Symbol.for('agentbrowser {secrets.token_hex(16)}')"
# The page's listeners are asked by events, whose name is a secret too.
_CHANNEL: Final = f"'agentbrowser {secrets.token_hex(16)}'"
_PAGE_LISTENERS: Final = f"{PROGRAMS['page_listeners']}({_CHANNEL})"
_INSTALL: Final = f"{PROGRAMS['isolated_world']}({KEY}, {_CHANNEL})"
_IS_INSTALLED: Final = f"globalThis[{KEY}] !== undefined"
_ABSENT: Final = "absent"
# The engine compiles each argument as a script of its own, which for a text is cheaper than for what the text says.
_CALL: Final = f"function (asked) {{ return globalThis[{KEY}]?.(asked, this) ?? '{_ABSENT}'; }}"
_CALL_WITH_ALL: Final = f"([asked, element]) => globalThis[{KEY}](asked, element)"

# What the browser says when the document went away before our function ran, and while it ran.
_STALE: Final = (
    *("Cannot find context with specified id", "No frame for given id found", "No frame with given id"),
    "Could not find object with given id",
)
_TORN: Final = ("Execution context was destroyed", "Inspected target navigated or closed")


class _Stale(Exception):
    """The world has gone with its document; nothing has run."""


@attrs.define(eq=False)
class IsolatedWorld:
    """Our functions in one frame; installed once in each of its documents, on first need."""

    tab: PageSurface
    frame: Frame
    _place: FrameSession | None = None
    _context: int | None = None

    async def call(self, function: str, argument: Any = None) -> Any:
        """Call a function by its name and return what it returns, both ways as JSON. [asyncio]

        Raises:
          ExecutionContextDestroyed: the frame went on to another document.
          FrameNotFound: the frame is gone.
          TargetClosed: the page went away.
        """
        return await self._insist(function, argument, None)

    async def call_with_owner(self, child: Frame, function: str, argument: Any) -> Any:
        """Call a function with the element that shows a child of this frame. [asyncio]

        Raises:
          As `call`; FrameNotFound also for the child.
        """
        return await self._insist(function, argument, child)

    async def hold(self, locator: Locator, timeout_ms: float) -> str:
        """Have the functions hold an element of the frame, and return the name they know it by. [asyncio]"""
        # An event with a name that the page can't guess crosses the worlds without leaving a mark on the element.
        name = f"agentbrowser-{secrets.token_hex(8)}"
        await self.call("hold", name)
        await locator.dispatch_event(name, timeout=timeout_ms)
        return name

    async def unbuffer(self) -> None:
        """Have the pointer's moves reach the frame at once from now on, not with its next picture. [asyncio]"""
        if self._place is not None:
            await self.tab.frame_sessions.unbuffer(self._place.session)

    async def _insist(self, function: str, argument: Any, child: Frame | None) -> Any:
        asked = wire.dump([function, argument]).decode()
        for _ in range(_ATTEMPTS):
            try:
                return wire.load(await self._answer(asked, child))
            except _Stale:
                if self._context is None:  # else just the document is another one, and the frame is where it was
                    self._place = None
                self._context = None
                if self.frame.is_detached():
                    raise FrameNotFound("The frame is gone.") from None
        raise ExecutionContextDestroyed("The page keeps going on to other documents.")

    async def _answer(self, asked: str, child: Frame | None) -> str:
        if not self.tab.is_chromium:
            with faults.mapped():
                return await self._in_main_world(asked, child)
        context = self._context or await self._enter()
        if child is None:
            target: dict[str, Any] = {"executionContextId": context}
        else:
            target = {"objectId": await self._owner(child, context)}
        call = {**target, "functionDeclaration": _CALL, "arguments": [{"value": asked}], "awaitPromise": True}
        answer = await self._run("callFunctionOn", **call)
        if answer == _ABSENT:
            raise _Stale
        return answer

    async def _enter(self) -> int:
        """Make the world in the document that is there now, and put the script in it."""
        try:
            self._place = self._place or await self.tab.frame_sessions.find(self.frame)
            context = await self._place.isolated_world(NAME)
        except Error as error:
            raise self._meaning(error) from error
        if await self._run("evaluate", contextId=context, expression=_INSTALL) != "True":
            # In all frames of the session, now and, where it has the page enabled, before the scripts of new documents.
            answering = {"source": _PAGE_LISTENERS, "includeCommandLineAPI": True, "runImmediately": True}
            await self._send("Page.addScriptToEvaluateOnNewDocument", **answering)
        self._context = context
        return context

    async def _owner(self, child: Frame, context: int) -> str:
        with faults.mapped():
            place = await self.tab.frame_sessions.find(child)
        shown = await self._send("DOM.getFrameOwner", frameId=place.frame_id)
        wanted = {"backendNodeId": shown["backendNodeId"], "executionContextId": context}
        return str((await self._send("DOM.resolveNode", **wanted))["object"]["objectId"])

    async def _run(self, command: str, **params: Any) -> str:
        result = await self._send(f"Runtime.{command}", **params, returnByValue=True, silent=True)
        if "exceptionDetails" in result:
            raise _failed(result["exceptionDetails"])
        return str(result["result"].get("value"))

    async def _send(self, method: str, **params: Any) -> dict[str, Any]:
        if self._place is None:
            raise _Stale
        try:
            return await vendor.send(self._place.session, method, params)
        except Error as error:
            raise self._meaning(error) from error

    def _meaning(self, error: Error) -> Exception:
        # A frame that has moved to another process is still there, but not in the session it was found in.
        is_moved = faults.is_closed(error) and self.frame.parent_frame is not None and not self.tab.page.is_closed()
        return _Stale() if is_moved else _meaning(error)

    async def _in_main_world(self, asked: str, child: Frame | None) -> str:
        if not await self.frame.evaluate(_IS_INSTALLED):
            await self.frame.evaluate(_INSTALL)
        owner = await child.frame_element() if child else None
        return str(await self.frame.evaluate(_CALL_WITH_ALL, [asked, owner]))


@attrs.define(eq=False)
class IsolatedWorlds:
    """Our functions in all the frames of a page."""

    tab: PageSurface
    _known: WeakKeyDictionary[Frame, IsolatedWorld] = attrs.field(factory=WeakKeyDictionary)

    def of(self, frame: Frame) -> IsolatedWorld:
        """Return the world of a frame."""
        world = self._known.get(frame)
        if world is None:
            world = self._known[frame] = IsolatedWorld(self.tab, frame)
        return world


def _meaning(error: Error) -> Exception:
    """Return what a failed command means to the one who called."""
    text = str(error)
    if any(sign in text for sign in _STALE):
        return _Stale()
    if any(sign in text for sign in _TORN):
        return ExecutionContextDestroyed("The page went on to another document.")
    if "Target crashed" in text:
        return TargetClosed("The page has crashed.", target="page")
    return faults.translate(error)


def _failed(details: dict[str, Any]) -> InternalError:
    incident, line = secrets.token_hex(4), int(details.get("lineNumber", 0))
    source = _INSTALL.split("\n")[line : line + 1]
    log.error("script_failed", incident=incident, line=line, source=source, text=details.get("text"))
    return InternalError("A script of ours failed in the page; the server's log has more.", incident=incident)
