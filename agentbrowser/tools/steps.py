"""Steps of browser_act as steps of agent/act."""

import contextlib
import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.tools.arguments import MAX_JSON

REF_MARK: Final = "@"
CSS_MARK: Final = "css="
URL_MARK: Final = "url:"
_DIALOG: Final = "dialog"
_DIRECTIONS: Final = ("up", "down", "left", "right")
_ENDS: Final = {"top": "up", "bottom": "down"}
_MOST_PX: Final = 1_000_000
_MAX_GOT: Final = 200
_PIXELS: Final = re.compile(r"-?\d{1,7}")
_UNTIL_GONE: Final = "gone"
_TIME: Final = re.compile(r"(\d{1,5}(?:\.\d{1,3})?) ?(ms|s)")
_LONGEST_WAIT_MS: Final = 20_000
_AT: Final = re.compile(r"at (\d{1,5})(?:px)?,? ?(\d{1,5})(?:px)?")
_BY: Final = re.compile(r"by ([+-]?\d{1,5})(?:px)?,? ?([+-]?\d{1,5})(?:px)?")
_PRESSED: Final = (
    "body, iframe, frame, button, a, [role=button], [type=button], [type=submit], [type=checkbox], [type=radio]"
)
_FOCUSED: Final = f":focus:not({_PRESSED})"
_WITH_ON: Final = (
    *("click", "dblclick", "rightclick", "hover", "fill", "type", "clear", "press", "select", "check", "uncheck"),
    *("scroll", "drag", "upload", "wait"),
)
_WITH_VALUE: Final = (
    *("click", "dblclick", "rightclick", "hover", "fill", "type", "press", "select", "scroll", "drag", "upload"),
    *("dialog", "wait", "goto"),
)
Step = Mapping[str, Any]


def selector_of(words: str) -> dict[str, Any]:
    """Return the selector of an element: a ref, CSS after ``css=``, or a description in words."""
    if words.startswith(REF_MARK):
        return {"type": "ref", "value": words.split(maxsplit=1)[0]}
    if words.startswith(CSS_MARK):
        return {"type": "css", "value": words.removeprefix(CSS_MARK)}
    return {"type": "semantic", "description": words}


def part_of(words: str) -> dict[str, Any]:
    """Return the selector of a part of the page: a ref, or CSS."""
    return selector_of(words if words.startswith((REF_MARK, CSS_MARK)) else CSS_MARK + words)


def wire_step(index: int, step: Step) -> dict[str, Any]:
    """Return a step of agent/act; a dialog is answered otherwise.

    Raises:
      InvalidParams: the step lacks its element or its value, or has one that its verb does not take; the path names it.
    """
    verb = step["do"]
    _refuse_unused(index, step)
    method, params = _PARAMS[verb](_Fields(index, step))
    made: dict[str, Any] = {"action": method, "params": params}
    if expect := step.get("expect"):
        url = expect.removeprefix(URL_MARK).strip()
        made["expect"] = {"url": url} if expect.startswith(URL_MARK) and url else {"text": expect}
    return made


def is_dialog(index: int, step: Step) -> bool:
    """Return True for a step that answers a dialog.

    Raises:
      InvalidParams: it has an element, or an expectation, which only the step behind it could have.
    """
    if step["do"] != _DIALOG:
        return False
    _refuse_unused(index, step)
    if step.get("expect"):
        path = f"steps[{index}].expect"
        hint = "Put what you expect into a step with do: wait behind it."
        raise InvalidParams(f"{path} does not fit a dialog.", path=path, expected="no expect", hint=hint)
    return True


def _refuse_unused(index: int, step: Step) -> None:
    """Refuse a field that the verb would ignore: the model takes it for done."""
    for name, verbs in (("on", _WITH_ON), ("value", _WITH_VALUE)):
        if step.get(name) and step["do"] not in verbs:
            path, hint = f"steps[{index}].{name}", f"{name} is for {', '.join(verbs)}."
            raise InvalidParams(f"{path} does not fit {step['do']}.", path=path, expected=f"no {name}", hint=hint)


def dialog_params(step: Step) -> dict[str, Any]:
    """Return the params of dialog/handle."""
    value = step.get("value")
    if value == "dismiss":
        return {"action": "dismiss"}
    return {"action": "accept"} | ({} if value in (None, "", "accept") else {"promptText": value})


class _Fields:
    """The fields of a step, which its verb needs or not."""

    def __init__(self, index: int, step: Step) -> None:
        self._path, self._step = f"steps[{index}]", step

    @property
    def element(self) -> str:
        return self._needed("on")

    @property
    def selector(self) -> dict[str, Any]:
        return selector_of(self.element)

    @property
    def value(self) -> str:
        return self._needed("value")

    @property
    def text(self) -> str:
        """Return the value, which may be empty, but not left out: a model that forgot it would empty the field."""
        if (value := self.get("value")) is None:
            raise self.wrong("value", 'given ("" empties the field)')
        return value

    def get(self, name: str) -> str | None:
        return self._step.get(name)

    def wrong(self, name: str, expected: str) -> InvalidParams:
        path, got = f"{self._path}.{name}", (self._step.get(name) or "nothing")[:_MAX_GOT]
        return InvalidParams(
            f"{path} of {self._step['do']} must be {expected}, got {got}.", path=path, expected=expected
        )

    def _needed(self, name: str) -> str:
        value = self._step.get(name)
        if not value:
            raise self.wrong(name, "given")
        return str(value)


def _on_element(method: str) -> Callable[[_Fields], tuple[str, dict[str, Any]]]:
    return lambda step: (method, {"selector": step.selector})


def _at_point(method: str, **options: Any) -> Callable[[_Fields], tuple[str, dict[str, Any]]]:
    """Return the maker of the params of an action on the middle of an element, or on the point ``at 30,40`` in it."""

    def params(step: _Fields) -> tuple[str, dict[str, Any]]:
        chosen = dict(options)
        if value := step.get("value"):
            if (point := _AT.fullmatch(value.strip())) is None:
                raise step.wrong("value", "left out, or a point in the element such as at 9,9")
            chosen["position"] = {"x": int(point[1]), "y": int(point[2])}
        return method, {"selector": step.selector} | ({"options": chosen} if chosen else {})

    return params


def _fill(step: _Fields) -> tuple[str, dict[str, Any]]:
    return "action/fill", {"selector": step.selector, "value": step.text}


def _type(step: _Fields) -> tuple[str, dict[str, Any]]:
    """Return the params of typing: into the element, else into what has the focus, but for what letters would press."""
    selector = step.selector if step.get("on") else {"type": "css", "value": _FOCUSED}
    return "action/type", {"selector": selector, "text": step.value}


def _press(step: _Fields) -> tuple[str, dict[str, Any]]:
    return "action/press", {"key": step.value, **({"selector": step.selector} if step.get("on") else {})}


def _scroll(step: _Fields) -> tuple[str, dict[str, Any]]:
    """Return the params of a scroll: ``down``, ``600``, ``up 600``, ``bottom``, or the element alone.

    A direction alone means a page: with the protocol's 300 pixels, a model needs several times as many calls.
    """
    options: dict[str, Any] = {}
    for word in (step.get("value") or "")[:_MAX_GOT].lower().removesuffix("px").split():
        if word in _DIRECTIONS:
            options["direction"] = word
        elif word in _ENDS:
            options |= {"direction": _ENDS[word], "amount": _MOST_PX}
        elif word == "page" or _PIXELS.fullmatch(word):
            options["amount"] = word if word == "page" else abs(int(word))
            if word.startswith("-"):
                options.setdefault("direction", "up")
        else:
            raise step.wrong("value", "up, down, left or right, perhaps with a number of pixels, or top or bottom")
    if "amount" in options or not step.get("on"):
        options.setdefault("direction", "down")
    if "direction" in options:
        options.setdefault("amount", "page")
    selector = {"selector": step.selector} if step.get("on") else {}
    return "action/scroll", selector | ({"options": options} if options else {})


def _drag(step: _Fields) -> tuple[str, dict[str, Any]]:
    """Return the params of a drag: onto what the value describes, or ``by 120,-40`` pixels."""
    moved = _BY.fullmatch(step.value.strip())
    target = {"dx": int(moved[1]), "dy": int(moved[2])} if moved else selector_of(step.value)
    return "action/drag", {"source": step.selector, "target": target}


def _select(step: _Fields) -> tuple[str, dict[str, Any]]:
    """Return the params of a choice: of one option, or of those in a JSON list."""
    value: str | list[str] = step.value
    if len(step.value) <= MAX_JSON and step.value.lstrip().startswith("["):
        with contextlib.suppress(ValueError, RecursionError):
            listed = json.loads(step.value)
            if listed and all(isinstance(option, str | int) for option in listed):
                value = [str(option) for option in listed]
    return "action/select", {"selector": step.selector, "values": value}


def _upload(step: _Fields) -> tuple[str, dict[str, Any]]:
    return "action/upload", {"selector": step.selector, "files": [{"path": step.value}]}


def _wait(step: _Fields) -> tuple[str, dict[str, Any]]:
    """Return the params of a wait: for words, a URL, a ref, or for their end, for at most the time in the value.

    Without these it is a wait for that time, or until the page has settled.
    """
    on, value = step.get("on"), step.get("value")
    time_ms = _milliseconds(value) if value and value != _UNTIL_GONE else None
    if time_ms is not None and not 1 <= time_ms <= _LONGEST_WAIT_MS:
        raise step.wrong("value", f"{_UNTIL_GONE}, a time up to 20s such as 2s or 500ms, or left out")
    if on is None and value != _UNTIL_GONE:
        return "page/waitFor", {"idle": True} if time_ms is None else {"duration": time_ms}
    on, is_gone, limit = step.element, value == _UNTIL_GONE, {} if time_ms is None else {"timeout": time_ms}
    if on.startswith((REF_MARK, CSS_MARK)):
        return "page/waitFor", {"selector": selector_of(on), "state": "hidden" if is_gone else "visible", **limit}
    if not on.startswith(URL_MARK):
        return "page/waitFor", {"textGone" if is_gone else "text": on, **limit}
    if is_gone:
        raise step.wrong("value", "a time such as 2s, or left out, for a URL")
    return "page/waitFor", {"url": on.removeprefix(URL_MARK).strip(), **limit}


def _milliseconds(value: str) -> int:
    """Return a time such as ``2s`` or ``500ms``; 0 for anything else."""
    time = _TIME.fullmatch(value.strip().lower())
    return round(float(time[1]) * (1 if time[2] == "ms" else 1000)) if time else 0


_READ: Final = {"waitUntil": "domcontentloaded"}
"""The next step can act on a document that is read to its end: an image or a frame may never come."""
_PARAMS: Final[Mapping[str, Callable[[_Fields], tuple[str, dict[str, Any]]]]] = {
    "click": _at_point("action/click"),
    "dblclick": _at_point("action/dblclick"),
    "rightclick": _at_point("action/click", button="right"),
    "hover": _at_point("action/hover"),
    "fill": _fill,
    "type": _type,
    "clear": _on_element("action/clear"),
    "press": _press,
    "select": _select,
    "check": _on_element("action/check"),
    "uncheck": _on_element("action/uncheck"),
    "scroll": _scroll,
    "drag": _drag,
    "upload": _upload,
    "wait": _wait,
    "goto": lambda step: ("page/navigate", {"url": step.value, **_READ}),
    "back": lambda step: ("page/goBack", _READ),
}
