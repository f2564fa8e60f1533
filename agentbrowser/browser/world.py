"""Our own scripts in a page, in a world of their own: the page can neither see nor spoil them."""

import secrets
from pathlib import Path
from typing import Any, Final, Protocol

import attrs
import structlog
from playwright.async_api import CDPSession, Error, Frame

from agentbrowser import wire
from agentbrowser.browser import faults
from agentbrowser.errors import ExecutionContextDestroyed, InternalError, TargetClosed

log = structlog.get_logger("agentbrowser.browser")

NAME: Final = "agentbrowser"
_ATTEMPTS: Final = 5
_FOLDER: Final = Path(__file__).parent / "js"
_FILES: Final = (
    *("dom", "roles", "names", "states", "scan", "selectors", "refs", "observe"),
    *("measure", "hidden", "html", "prose", "markdown", "content", "element", "outline", "discover"),
)

# One symbol is all that is added to the globals. It is a secret, since the number of a world may have gone to another
# one of the page's, after a change of process: there no function of ours, nor one that pretends to be, may be found.
KEY: Final = f"Symbol.for('agentbrowser {secrets.token_hex(16)}')"
_INSTALL: Final = "(() => {{ {source}\nglobalThis[{key}] ??= call; }})()".format(
    source="\n".join((_FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in _FILES), key=KEY
)
_IS_INSTALLED: Final = f"globalThis[{KEY}] !== undefined"
_ABSENT: Final = "absent"
_CALL: Final = f"function (name, argument) {{ return globalThis[{KEY}]?.(name, argument) ?? '{_ABSENT}'; }}"
_CALL_WITH_PAIR: Final = f"([name, argument]) => globalThis[{KEY}](name, argument)"

# What the browser says when the document went away before our function ran, and while it ran.
_STALE: Final = ("Cannot find context with specified id", "No frame for given id found", "No frame with given id")
_TORN: Final = ("Execution context was destroyed", "Inspected target navigated or closed")


class Surface(Protocol):
    """What a world needs of a tab."""

    @property
    def frame(self) -> Frame:
        """The frame that is looked at."""
        ...

    @property
    def is_chromium(self) -> bool:
        """Whether the engine speaks CDP."""
        ...

    async def cdp(self) -> CDPSession:
        """Return the page's session."""
        ...


class _Stale(Exception):
    """The world has gone with its document; nothing has run."""


@attrs.define(eq=False)
class World:
    """The functions of ``js/observe.js`` in a page's main frame; installed once in each document, on first need."""

    tab: Surface
    _context: int | None = None

    async def call(self, function: str, argument: Any = None) -> Any:
        """Call a function by its name and return what it returns, both ways as JSON. [asyncio]

        Raises:
          ExecutionContextDestroyed: the page went on to another document.
          TargetClosed: the page went away.
        """
        for _ in range(_ATTEMPTS):
            try:
                return wire.load(await self._answer(function, argument))
            except _Stale:
                self._context = None
        raise ExecutionContextDestroyed("The page keeps going on to other documents.")

    async def _answer(self, function: str, argument: Any) -> str:
        # The page's session does not reach into frames of other processes: those are looked at from their own world.
        if not self.tab.is_chromium or self.tab.frame.parent_frame is not None:
            with faults.mapped():
                return await self._in_main_world(function, argument)
        call = {"executionContextId": self._context or await self._enter(), "functionDeclaration": _CALL}
        answer = await self._run("callFunctionOn", **call, arguments=[{"value": function}, {"value": argument}])
        if answer == _ABSENT:
            raise _Stale
        return answer

    async def _enter(self) -> int:
        """Make the world in the document that is there now, and put the script in it."""
        tree = await self._send("Page.getFrameTree")
        frame_id = tree["frameTree"]["frame"]["id"]
        made = await self._send("Page.createIsolatedWorld", frameId=frame_id, worldName=NAME)
        context: int = made["executionContextId"]
        await self._run("evaluate", contextId=context, expression=_INSTALL)
        self._context = context
        return context

    async def _run(self, command: str, **params: Any) -> str:
        result = await self._send(f"Runtime.{command}", **params, returnByValue=True, silent=True)
        if "exceptionDetails" in result:
            raise _failed(result["exceptionDetails"])
        return str(result["result"].get("value"))

    async def _send(self, method: str, **params: Any) -> dict[str, Any]:
        session = await self.tab.cdp()
        try:
            answer: dict[str, Any] = await session.send(method, params)
        except Error as error:
            raise _meaning(error) from error
        return answer

    async def _in_main_world(self, function: str, argument: Any) -> str:
        frame = self.tab.frame
        if not await frame.evaluate(_IS_INSTALLED):
            await frame.evaluate(_INSTALL)
        return str(await frame.evaluate(_CALL_WITH_PAIR, [function, argument]))


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
    incident = secrets.token_hex(4)
    log.error("script_failed", incident=incident, line=details.get("lineNumber"), text=details.get("text"))
    return InternalError("A script of ours failed in the page; the server's log has more.", incident=incident)
