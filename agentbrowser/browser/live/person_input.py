"""Input of a person to a page: mouse, wheel, touch, keys, composed text, files. Nothing of it is kept or logged."""

import asyncio
import base64
import binascii
import contextlib
import itertools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import attrs
from playwright.async_api import CDPSession, Error, FileChooser, FilePayload

from agentbrowser.browser import faults
from agentbrowser.browser.engine import vendor
from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.policy.filenames import safe_name
from agentbrowser.protocol.errors import ActionFailed, AgentBrowserError, InvalidParams

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab

_MAX_PENDING: Final = 200
"""Input without an answer of the page, which may be busy; further input is dropped."""
_MAX_PENDING_MOVES: Final = 10
_MAX_TEXT: Final = 100_000
_MAX_FILES: Final = 20
_MAX_SIDE: Final = 20_000.0
_BUTTONS: Final = ("none", "left", "middle", "right", "back", "forward")
_MOUSE: Final = {"down": "mousePressed", "up": "mouseReleased", "move": "mouseMoved"}
_TOUCH: Final = {"start": "touchStart", "move": "touchMove", "end": "touchEnd", "cancel": "touchCancel"}
_CONTROL_OR_META: Final = 2 | 4
_SHIFT: Final = 8
_V: Final = 86
_INSERT: Final = 45
_KEY: Final = {"down": "keyDown", "up": "keyUp"}

_NUMBERS: Final = itertools.count(1)
"""Numbers of requests for files; those of another takeover never come again."""

Command = tuple[str, dict[str, Any]]
"""CDP command and its params."""


@attrs.frozen
class FilesWanted:
    """Request of a page for files."""

    number: int
    """Number that the answer has: any frame may ask in the meantime, and would get the files of the one before."""
    origin: str
    """Origin of the document that asks, ``null`` for one that is sandboxed."""
    is_multiple: bool


@attrs.define(eq=False)
class PersonInput:
    """Input of the person who holds a tab.

    Args:
      on_files_wanted: receives each request for files, and None once it is over.
    """

    tab: "Tab"
    session: CDPSession
    on_files_wanted: Callable[[FilesWanted | None], object]
    _pending: set[asyncio.Task[Any]] = attrs.field(factory=set, init=False)
    _pressed: dict[str, Command] = attrs.field(factory=dict, init=False)
    """Commands that release what is pressed, by button or key."""
    _chooser: FileChooser | None = attrs.field(default=None, init=False)
    _chooser_number: int = attrs.field(default=0, init=False)
    _listen: Callable[[FileChooser], None] = attrs.field(init=False)

    def start(self) -> None:
        """Start listening for file choosers."""
        self._listen = safe_listener(self._on_chooser)
        self.tab.page.on("filechooser", self._listen)

    def stop(self) -> None:
        """Stop listening for file choosers, and release what is pressed."""
        self.tab.page.remove_listener("filechooser", self._listen)
        self._chooser = None
        if self._pressed:
            self.tab.tabs.run_in_background(self._release(list(self._pressed.values())))
            self._pressed.clear()

    async def _release(self, commands: list[Command]) -> None:
        """Release what the person has left pressed: the agent would drag what is below the pointer. [asyncio]"""
        with contextlib.suppress(Error, AgentBrowserError):  # the page is gone
            session = await self.tab.cdp()  # the person's own ends
            for method, params in commands:
                await vendor.send(session, method, params)

    def send(self, given: Mapping[str, Any]) -> None:
        """Send an input event to the page, without waiting: an event may open a dialog, and has no answer then.

        Raises:
          InvalidParams: there is no such input.
        """
        method, params = command_for(given)
        limit = _MAX_PENDING_MOVES if params.get("type") in ("mouseMoved", "touchMove") else _MAX_PENDING
        if len(self._pending) >= limit:
            return
        self._note(method, params)
        task = asyncio.ensure_future(vendor.send(self.session, method, params))
        self._pending.add(task)
        task.add_done_callback(self._done)

    def _note(self, method: str, params: dict[str, Any]) -> None:
        """Note what an input presses or releases, and where the pointer is."""
        kind, button, key = params.get("type"), f"button {params.get('button')}", f"key {params.get('code')}"
        for _, release in self._pressed.values():
            if "clickCount" in release and "clickCount" in params:
                release |= {"x": params["x"], "y": params["y"]}
        match kind:
            case "mousePressed":
                self._pressed[button] = method, {**params, "type": "mouseReleased", "buttons": 0}
            case "keyDown" | "rawKeyDown":
                up = {name: value for name, value in params.items() if name not in ("text", "unmodifiedText")}
                self._pressed[key] = method, {**up, "type": "keyUp", "modifiers": 0}
            case "touchStart":
                self._pressed["touch"] = method, {"type": "touchCancel", "touchPoints": []}
            case "mouseReleased" | "keyUp":
                self._pressed.pop(button if kind == "mouseReleased" else key, None)
            case "touchEnd" | "touchCancel":
                self._pressed.pop("touch", None)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._pending.discard(task)
        if not task.cancelled():
            task.exception()  # the page may have gone meanwhile

    def _on_chooser(self, chooser: FileChooser) -> None:
        self._chooser = chooser
        self._chooser_number = next(_NUMBERS)
        self.on_files_wanted(None)  # the one before is over
        self.tab.tabs.run_in_background(self._ask(self._chooser_number, chooser))

    async def _ask(self, number: int, chooser: FileChooser) -> None:
        """Ask the person for files, with the site that gets them. [asyncio]"""
        with contextlib.suppress(Error, AgentBrowserError):  # the document is gone
            frame = await chooser.element.owner_frame()
            if frame is not None:
                origin = await self.tab.isolated_worlds.of(frame).origin()
                if chooser is self._chooser:
                    self.on_files_wanted(FilesWanted(number, origin, chooser.is_multiple()))

    async def choose_files(self, number: int, files: list[Any]) -> None:
        """Give the page the files that it has asked for; none cancels the choice. [asyncio]

        Args:
          number: that of the request which the person has answered.

        Raises:
          ActionFailed: that request is over.
          InvalidParams: a file has no name or no contents in base64.
        """
        chooser = self._chooser
        if chooser is None or number != self._chooser_number:
            if files:
                reason = "the request for them is over, or another one has taken its place"
                raise ActionFailed(f"Nobody has got the files: {reason}.", action="files", reason=reason)
            return
        self._chooser = None
        self.on_files_wanted(None)
        if not files:
            return
        payloads = [_payload(one) for one in files[:_MAX_FILES]]
        with faults.mapped():
            await chooser.set_files(payloads if chooser.is_multiple() else payloads[:1])


def command_for(given: Mapping[str, Any]) -> Command:
    """Return the CDP command of an input event.

    Raises:
      InvalidParams: there is no such input.
    """
    match given.get("kind"):
        case "mouse":
            return "Input.dispatchMouseEvent", {
                "type": _word(given, "type", _MOUSE),
                **_point(given),
                "button": _BUTTONS[_number(given, "button", 0, len(_BUTTONS) - 1)],
                "buttons": _number(given, "buttons", 0, 31),
                "clickCount": _number(given, "clicks", 0, 3),
                **_modifiers(given),
            }
        case "wheel":
            deltas = {name: _real(given, name, -_MAX_SIDE, _MAX_SIDE) for name in ("deltaX", "deltaY")}
            return "Input.dispatchMouseEvent", {
                "type": "mouseWheel",
                **_point(given),
                **deltas,
                "pointerType": "mouse",
                **_modifiers(given),
            }
        case "touch":
            points = given.get("points")
            if not isinstance(points, list) or len(points) > 10 or not all(isinstance(one, dict) for one in points):
                raise _bad("points", "a list of at most 10 positions")
            touches = [{**_point(one), "id": _number(one, "id", 0, 2**31 - 1)} for one in points]
            return "Input.dispatchTouchEvent", {
                "type": _word(given, "type", _TOUCH),
                "touchPoints": touches,
                **_modifiers(given),
            }
        case "key":
            return "Input.dispatchKeyEvent", _key(given)
        case "text":
            return "Input.insertText", {"text": _text(given, "text")}
        case "compose":
            text = _text(given, "text")
            at = len(text.encode("utf-16-le")) // 2
            return "Input.imeSetComposition", {"text": text, "selectionStart": at, "selectionEnd": at}
    raise _bad("kind", "mouse, wheel, touch, key, text or compose")


def _key(given: Mapping[str, Any]) -> dict[str, Any]:
    kind, key, typed = _word(given, "type", _KEY), _text(given, "key"), _text(given, "text")
    code = _number(given, "keyCode", 0, 255)
    modifiers = _modifiers(given)
    if kind == "keyDown" and _pastes(key, code, modifiers["modifiers"]):
        raise _bad("key", "one that does not paste: the text to paste comes from the person, as kind text")
    params = {
        "type": "rawKeyDown" if kind == "keyDown" and not typed else kind,
        "key": key,
        "code": _text(given, "code"),
        "windowsVirtualKeyCode": code,
        "nativeVirtualKeyCode": code,
        "location": _number(given, "location", 0, 3),
        "autoRepeat": given.get("repeat") is True,
        **modifiers,
    }
    if typed and kind == "keyDown":
        params |= {"text": typed, "unmodifiedText": typed}
    return params


def _pastes(key: str, code: int, modifiers: int) -> bool:
    """Return True if a key pastes from the browser's clipboard, as Chromium judges it.

    It may hold a used secret that a page has shown, which goes into documents of its origins only, or a text that
    another session has copied. No person needs such a key: the live view sends what the person pastes as text.
    """
    pastes = modifiers & _CONTROL_OR_META and (key.lower() == "v" or code == _V)
    inserts = modifiers & _SHIFT and (key == "Insert" or code == _INSERT)
    return bool(pastes or inserts or key == "Paste")


def _point(given: Mapping[str, Any]) -> dict[str, float]:
    return {name: _real(given, name, 0, _MAX_SIDE) for name in ("x", "y")}


def _modifiers(given: Mapping[str, Any]) -> dict[str, int]:
    """Return the pressed modifiers: Alt 1, Control 2, Meta 4, Shift 8."""
    return {"modifiers": _number(given, "modifiers", 0, 15)}


def _real(given: Mapping[str, Any], name: str, low: float, high: float) -> float:
    value = given.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise _bad(name, f"a number from {low:g} to {high:g}")
    return float(value)


def _number(given: Mapping[str, Any], name: str, low: int, high: int) -> int:
    value = given.get(name, 0)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise _bad(name, f"a whole number from {low} to {high}")
    return value


def _text(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name, "")
    if not isinstance(value, str) or len(value) > _MAX_TEXT:
        raise _bad(name, f"a text of at most {_MAX_TEXT} characters")
    return value


def _word(given: Mapping[str, Any], name: str, words: Mapping[str, str]) -> str:
    value = given.get(name)
    if not isinstance(value, str) or value not in words:
        raise _bad(name, "one of " + ", ".join(words))
    return words[value]


def _payload(given: Any) -> FilePayload:
    try:
        name, data = str(given["name"]), base64.b64decode(given["data"], validate=True)
        kind = str(given.get("type") or "application/octet-stream")
        return {"name": safe_name(name), "mimeType": kind, "buffer": data}
    except (KeyError, TypeError, AttributeError, binascii.Error):
        raise _bad("files", "a list of {name, type, data in base64}") from None


def _bad(path: str, expected: str) -> InvalidParams:
    """Return the error for bad input, which does not repeat it."""
    return InvalidParams(f"{path} must be {expected}.", path=path, expected=expected)
