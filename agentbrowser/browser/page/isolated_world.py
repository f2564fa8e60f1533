"""The in-page scripts in the isolated worlds of a page's frames, where the page can neither see nor change them."""

import asyncio
import contextlib
import secrets
from collections import deque
from collections.abc import Callable
from typing import Any, Final
from weakref import WeakKeyDictionary, WeakSet

import attrs
import structlog
from playwright.async_api import Browser, CDPSession, ElementHandle, Error, Frame, Locator

from agentbrowser.browser import faults
from agentbrowser.browser.engine import vendor
from agentbrowser.browser.events.clipboard import SessionClipboard
from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.browser.page.frame_sessions import FrameSession
from agentbrowser.browser.page.surface import PageSurface
from agentbrowser.browser.scripts.bundle import PROGRAMS
from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import (
    AgentBrowserError,
    ExecutionContextDestroyed,
    FrameNotFound,
    InternalError,
    TargetClosed,
)

log = structlog.get_logger("agentbrowser.browser")

NAME: Final = "agentbrowser"
_ATTEMPTS: Final = 5

# The scripts add one symbol to the globals. It is a secret: after a change of process, the number of an isolated world
# can belong to a world of the page's, in which no function of ours, nor a forged one, may be found.
KEY: Final = f"Symbol.for('agentbrowser {secrets.token_hex(16)}')"
# Events ask the page's listeners; their name is a secret too.
_CHANNEL: Final = f"agentbrowser {secrets.token_hex(16)}"
SERIALISER: Final = f"{_CHANNEL} serialiser"
# The page's own world gets these programs, which answer by events of that name.
_PAGE_SOURCE: Final = (
    f"{PROGRAMS['page_listeners']}('{_CHANNEL}');\n{PROGRAMS['activity']}('{_CHANNEL} activity');\n"
    f"{PROGRAMS['copies']}('{_CHANNEL} copies');\n{PROGRAMS['serialiser']}('{SERIALISER}')"
)
# Installs them in all frames of a session: now and, where it has the page enabled, before the scripts of new documents.
_PAGE_PROGRAMS: Final[dict[str, Any]] = {"source": _PAGE_SOURCE, "includeCommandLineAPI": True, "runImmediately": True}
# Function of the browser's, by which an isolated world sends notices; the program removes it from the globals.
_BINDING: Final = f"agentbrowser{secrets.token_hex(16)}"
_INSTALL: Final = f"{PROGRAMS['isolated_world']}({KEY}, '{_CHANNEL}', '{_BINDING}')"
_IS_INSTALLED: Final = f"globalThis[{KEY}] !== undefined"
_ABSENT: Final = "absent"
_products: Final[WeakKeyDictionary[Browser, str]] = WeakKeyDictionary()
"""Names of the browsers, with their versions."""
# After its second document, a page gets the installer in each new one as it is made: to send it at its first use
# takes a third of a first look. The engine keeps what it has compiled of a function, which it would not of a text. To
# parse the function takes 10 ms in each process, which pages of one document need not spend.
_STORED: Final = f"Symbol.for('agentbrowser {secrets.token_hex(16)}')"
_STORE_INSTALLER: Final[dict[str, Any]] = {"source": f"globalThis[{_STORED}] = () => {_INSTALL};", "worldName": NAME}
_RUN_STORED_INSTALLER: Final = f"globalThis[{_STORED}]?.() ?? '{_ABSENT}'"
_STORED_FROM: Final = 2
"""Number of the document after which the installer is stored in the next ones."""
# The engine compiles each argument as a script of its own: compiling a string literal is cheaper than its parsed value.
_CALL: Final = f"function (request) {{ return globalThis[{KEY}]?.(request, this) ?? '{_ABSENT}'; }}"
_CALL_WITH_ALL: Final = f"([request, element]) => globalThis[{KEY}](request, element)"

# Chromium's messages if the document went away before the function ran, so that it can be called again.
_STALE: Final = (
    *("Cannot find context with specified id", "Cannot find execution context", "Execution context is detached"),
    *("No frame for given id found", "No frame with given id", "Document is already detached", "Frame is detached"),
    *("Could not find object with given id", "Node with given id does not belong to the document"),
)


# More notices than this are never awaited at once.
_KEPT_NOTICES: Final = 64
# A notice is sent before the page handles its input, so that it is here long before the page's answer.
_NOTICE_TIMEOUT_S: Final = 0.5
_COPIED: Final = "copied "
_COOKIES_CHANGED: Final = "cookies changed"


@attrs.define(eq=False)
class LandingNotices:
    """Notices of landed inputs and of changed cookies. They arrive even if the input replaces its document."""

    clipboard: SessionClipboard = attrs.field(factory=SessionClipboard, init=False)
    """Clipboard of the session, which notes what the page copies."""
    on_cookies_changed: Callable[[], object] = attrs.field(default=lambda: None, init=False)
    """Called at a change of a document's cookies; the tab sets it."""
    _landed: deque[str] = attrs.field(factory=lambda: deque(maxlen=_KEPT_NOTICES), init=False)
    _changed: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)
    _sessions: WeakSet[CDPSession] = attrs.field(factory=WeakSet, init=False)

    def listen(self, session: CDPSession) -> None:
        """Receive the notices of a session's frames."""
        if session not in self._sessions:
            self._sessions.add(session)
            session.on("Runtime.bindingCalled", safe_listener(self._receive))

    async def has_landed(self, notice: str) -> bool:
        """Return True if the input of that notice has landed, as far as is known within a moment. [asyncio]"""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_NOTICE_TIMEOUT_S):
                while notice not in self._landed:
                    self._changed.clear()
                    await self._changed.wait()
        return notice in self._landed

    def _receive(self, event: dict[str, Any]) -> None:
        if event["name"] != _BINDING:
            return
        if event["payload"].startswith(_COPIED):
            self.clipboard.note(event["payload"].removeprefix(_COPIED))
        elif event["payload"] == _COOKIES_CHANGED:
            self.on_cookies_changed()
        else:
            self._landed.append(event["payload"])
            self._changed.set()


class _Stale(Exception):
    """The world is gone with its document; nothing has run."""


@attrs.define(eq=False)
class IsolatedWorld:
    """Isolated world of one frame. The scripts are installed once in each document, on first use."""

    tab: PageSurface
    frame: Frame
    _notices: LandingNotices
    _session: FrameSession | None = None
    _context: int | None = None
    _times_sent: int = 0

    async def call(self, function: str, argument: Any = None) -> Any:
        """Call a function by its name and return its result; both ways as JSON. [asyncio]

        Raises:
          ExecutionContextDestroyed: the frame has navigated to another document.
          FrameNotFound: the frame is gone.
          TargetClosed: the page is gone.
        """
        return wire.load(await self.call_for_json(function, argument))

    async def call_for_json(self, function: str, argument: Any) -> str:
        """Call a function and return its result as JSON, which may take long to parse. [asyncio]

        Raises:
          As for `call`.
        """
        return await self._call_with_retry(function, argument, None)

    async def copy(self, text: str) -> bool:
        """Put a text on the clipboard, and return True if it is there. [asyncio]

        Raises:
          As for `call`.
        """
        return await self._call_with_retry("copyText", text, None, userGesture=True) == "true"

    async def call_with_owner(self, child: Frame, function: str, argument: Any) -> Any:
        """Call a function on the element that embeds a child of this frame. [asyncio]

        Raises:
          As for `call`; FrameNotFound also if the child is gone.
        """
        return wire.load(await self._call_with_retry(function, argument, child))

    def forget(self, session: CDPSession) -> None:
        """Install the scripts anew on their next use if they are in this session."""
        if self._session is not None and self._session.session is session:
            self._context = None

    async def origin(self) -> str:
        """Return the origin of the frame's document, ``null`` for one that is sandboxed. [asyncio]"""
        return str((await self.call("originHere"))["origin"])

    async def hold(self, locator: Locator | ElementHandle, timeout_ms: float) -> str:
        """Have the scripts hold an element of the frame, and return the name that they use for it. [asyncio]"""
        # An event with an unguessable name crosses the worlds without a trace on the element.
        name = f"agentbrowser-{secrets.token_hex(8)}"
        await self.call("hold", name)
        if isinstance(locator, ElementHandle):
            await locator.dispatch_event(name)
        else:
            await locator.dispatch_event(name, timeout=timeout_ms)
        return name

    async def unbuffer(self) -> None:
        """Deliver mouse moves to the frame at once, instead of with the next frame that is drawn. [asyncio]"""
        if self._session is not None:
            await self.tab.frame_sessions.unbuffer(self._session.session)

    async def _call_with_retry(self, function: str, argument: Any, child: Frame | None, **options: Any) -> str:
        request = wire.dump([function, argument, self.tab.secrets.masks.active]).decode()
        for _ in range(_ATTEMPTS):
            try:
                return await self._call_once(request, child, options)
            except _Stale:
                if self._context is None:  # otherwise only the document has changed, and the session is still right
                    self._session = None
                self._context = None
                if self.frame.is_detached():
                    raise FrameNotFound("The frame is gone.") from None
        raise ExecutionContextDestroyed("The page keeps going on to other documents.")

    async def _call_once(self, request: str, child: Frame | None, options: dict[str, Any]) -> str:
        if not self.tab.is_chromium:
            with faults.mapped():
                return await self._in_main_world(request, child)
        context = self._context or await self._install()
        if child is None:
            target: dict[str, Any] = {"executionContextId": context}
        else:
            target = {"objectId": await self._owner_object_id(child, context)}
        call = {**target, "functionDeclaration": _CALL, "arguments": [{"value": request}], "awaitPromise": True}
        answer = await self._run("callFunctionOn", **call, **options)
        if answer == _ABSENT:
            raise _Stale
        return answer

    async def _install(self) -> int:
        """Create the world in the current document and install the scripts in it."""
        try:
            found = await self._frame_session()
            context = await found.isolated_world(NAME)
        except Error as error:
            raise self._translate_error(error) from error
        self._notices.listen(found.session)
        binding = self._send("Runtime.addBinding", name=_BINDING, executionContextId=context)
        installing = self._run("evaluate", contextId=context, expression=_RUN_STORED_INSTALLER)
        _, answer = await asyncio.gather(binding, installing)  # their order is kept
        if answer == _ABSENT:
            answer = await self._run("evaluate", contextId=context, expression=_INSTALL)
            self._times_sent += 1
            if found.is_root and self._times_sent == _STORED_FROM:
                await self._send("Page.addScriptToEvaluateOnNewDocument", **_STORE_INSTALLER)
        if answer != "True":
            await self._send("Page.addScriptToEvaluateOnNewDocument", **_PAGE_PROGRAMS)
        self._context = context
        return context

    async def _frame_session(self) -> FrameSession:
        """Return the session and the id of the frame. Both outlive its documents, and the id its process. [asyncio]"""
        if self._session is None:
            self._session = await self.tab.frame_sessions.find(self.frame)
        return self._session

    async def _owner_object_id(self, child: Frame, context: int) -> str:
        with faults.mapped():
            found = await self.tab.isolated_worlds.of(child)._frame_session()
        owner = await self._send("DOM.getFrameOwner", frameId=found.frame_id)
        arguments = {"backendNodeId": owner["backendNodeId"], "executionContextId": context}
        return str((await self._send("DOM.resolveNode", **arguments))["object"]["objectId"])

    async def _run(self, command: str, **params: Any) -> str:
        result = await self._send(f"Runtime.{command}", **params, returnByValue=True, silent=True)
        if "exceptionDetails" in result:
            raise _script_error(result["exceptionDetails"])
        return str(result["result"].get("value"))

    async def _send(self, method: str, **params: Any) -> dict[str, Any]:
        if self._session is None:
            raise _Stale
        try:
            return await vendor.send(self._session.session, method, params)
        except Error as error:
            raise self._translate_error(error) from error

    def _translate_error(self, error: Error) -> Exception:
        # A frame that has moved to another process still exists, but not in its earlier session.
        has_moved = faults.is_closed(error) and self.frame.parent_frame is not None and not self.tab.page.is_closed()
        return _Stale() if has_moved else _translate_error(error)

    async def _in_main_world(self, request: str, child: Frame | None) -> str:
        if not await self.frame.evaluate(_IS_INSTALLED):
            await self.frame.evaluate(_INSTALL)
        owner = await child.frame_element() if child else None
        return str(await self.frame.evaluate(_CALL_WITH_ALL, [request, owner]))


@attrs.define(eq=False)
class IsolatedWorlds:
    """Isolated worlds of all frames of a page."""

    tab: PageSurface
    notices: LandingNotices = attrs.field(factory=LandingNotices)
    _worlds: WeakKeyDictionary[Frame, IsolatedWorld] = attrs.field(factory=WeakKeyDictionary)

    def of(self, frame: Frame) -> IsolatedWorld:
        """Return the isolated world of a frame."""
        world = self._worlds.get(frame)
        if world is None:
            world = self._worlds[frame] = IsolatedWorld(self.tab, frame, self.notices)
        return world

    def forget(self, session: CDPSession) -> None:
        """Install the scripts of a session's frames anew on their next use: their bindings are gone."""
        for world in list(self._worlds.values()):
            world.forget(session)

    async def install_page_programs(self, *, has_window: bool = True) -> None:
        """Install the programs of the page's own world, before the scripts of the next document. [asyncio]

        Args:
          has_window: False for a browser whose dialogs nobody sees.
        """
        with contextlib.suppress(Error, AgentBrowserError):  # the page is gone already
            session = await self.tab.cdp()
            # Their order is kept.
            enabling = session.send("Page.enable")
            installing = session.send("Page.addScriptToEvaluateOnNewDocument", _PAGE_PROGRAMS)
            await asyncio.gather(enabling, installing, *([] if has_window else [self._hide_passkey_dialogs(session)]))

    async def _hide_passkey_dialogs(self, session: CDPSession) -> None:
        """Ask nobody for a passkey: beneath the dialog of full Chromium, the page takes no input any more. [asyncio]"""
        browser = self.tab.page.context.browser
        if browser is not None and browser not in _products:
            _products[browser] = (await session.send("Browser.getVersion"))["product"]
        if browser is not None and not _products[browser].startswith("Headless"):  # the shell has none, and says so
            await session.send("WebAuthn.enable", {"enableUI": False})


def _translate_error(error: Error) -> Exception:
    """Return the error that a failed command means for the caller."""
    text = str(error)
    if any(sign in text for sign in _STALE):
        return _Stale()
    if "Target crashed" in text:
        return TargetClosed("The page has crashed.", target="page")
    return faults.translate(error)


def _script_error(details: dict[str, Any]) -> InternalError:
    incident, line = secrets.token_hex(4), int(details.get("lineNumber", 0))
    source = _INSTALL.split("\n")[line : line + 1]
    log.error("script_failed", incident=incident, line=line, source=source, text=details.get("text"))
    return InternalError("A script of ours failed in the page; the server's log has more.", incident=incident)
