"""Arguments of a tool call, checked against the tool's schema. Models are forgiven what is unambiguous."""

import difflib
import json
import math
from collections.abc import Mapping
from typing import Any, Final

from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.wire import kind_of
from agentbrowser.tools.table import Tool

_IN_OTHER_TOOLS: Final = {
    "text": ("value",),
    "key": ("value",),
    "url": ("value",),
    "ref": ("on", "of"),
    "selector": ("on", "of"),
    "element": ("on", "of"),
    "target": ("on", "of"),
    "on": ("of",),
    "action": ("do",),
    "script": ("expression",),
    "full_page": ("full",),
    "fullPage": ("full",),
}
"""Names that models bring from other tools, and ours, of which a tool has one."""
_LEAST_LIKENESS: Final = 0.75
_MAX_NAME: Final = 100
"""Characters of an unknown name that is compared with ours: one of 4 MB held the server's loop for a second."""
_MAX_ITEMS: Final = 1000
MAX_JSON: Final = 256 * 1024
"""Characters of JSON as a text, which is parsed on the loop, and no limit of a message applies to it."""
_KINDS: Final[dict[str, tuple[type, ...]]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "array": (list,),
    "object": (dict,),
}
_NO_NUMBERS: Final = (math.inf, -math.inf)
_WORDS: Final = {"true": True, "false": False}
_MAY_BE_EMPTY: Final = ("value",)
"""Arguments that mean something when empty: such a value empties a field, where a forgotten one must not."""


def checked(tool: Tool, arguments: Mapping[str, Any] | str | None) -> dict[str, Any]:
    """Return the arguments of a call, which may be JSON text, without those that are null or empty.

    An empty ``value`` of a step stays.

    Raises:
      InvalidParams: they do not fit; ``details`` holds path and expected.
    """
    if isinstance(arguments, str):
        arguments = _parsed(arguments or "{}")
    value: dict[str, Any] = _checked(tool.schema, dict(arguments or {}), "")
    return value


def _parsed(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise _wrong("arguments", "a JSON object", "text that is no JSON") from None
    if not isinstance(value, dict):
        raise _wrong("arguments", "a JSON object", kind_of(value))
    return value


def _checked(schema: Mapping[str, Any], given: Any, path: str) -> Any:
    kind = schema["type"]
    value = _converted(kind, given)
    if kind == "array" and schema["items"]["type"] == "object" and isinstance(value, dict):
        return _checked(schema, [value], path)  # one step
    if not _is_of(kind, value):
        raise _wrong(path or "arguments", f"of type {kind}", kind_of(value))
    if (allowed := schema.get("enum")) and value not in allowed:
        raise _wrong(path, f"one of {', '.join(allowed)}", str(value))
    if kind == "array":
        if not 1 <= len(value) <= _MAX_ITEMS:
            raise _wrong(
                path, f"at most {_MAX_ITEMS} items" if value else "at least one item", str(len(value) or "none")
            )
        return [_checked(schema["items"], item, f"{path}[{index}]") for index, item in enumerate(value)]
    return _checked_object(schema, value, path) if kind == "object" else value


def _is_of(kind: str, value: Any) -> bool:
    if kind in ("integer", "number") and (isinstance(value, bool) or value in _NO_NUMBERS or value != value):
        return False
    return isinstance(value, _KINDS[kind])


def _checked_object(schema: Mapping[str, Any], value: Mapping[str, Any], path: str) -> dict[str, Any]:
    properties, prefix = schema["properties"], f"{path}." if path else ""
    given = {name: item for name, item in value.items() if not _is_left_out(name, item)}
    if given.get("do") == "select" and isinstance(given.get("value"), list):
        given["value"] = json.dumps(given["value"])  # a list of options, which the schema has as text
    for name in given:
        if name not in properties:
            ours = [known for known in _IN_OTHER_TOOLS.get(name, ()) if known in properties]
            name = name[:_MAX_NAME]
            near = ours or difflib.get_close_matches(name, properties, 1, _LEAST_LIKENESS)
            raise _wrong(f"{prefix}{name}", f"one of the arguments {', '.join(properties)}", "an unknown one", *near)
    for name in schema.get("required", ()):
        if name not in given and value.get(name) == []:
            raise _wrong(f"{prefix}{name}", "at least one item", "none")
        if name not in given:
            raise _wrong(f"{prefix}{name}", f"of type {properties[name]['type']}", "nothing")
    return {name: _checked(properties[name], item, f"{prefix}{name}") for name, item in given.items()}


def _is_left_out(name: str, value: Any) -> bool:
    return value is None or value == [] or (value == "" and name not in _MAY_BE_EMPTY)


def _converted(kind: str, value: Any) -> Any:
    """Return a value as the type of the schema, where some models send text, and others numbers."""
    if kind == "string" and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or kind == "string":
        return value
    if kind == "boolean":
        return _WORDS.get(value.lower(), value)
    try:
        return json.loads(value) if len(value) <= MAX_JSON else value
    except (ValueError, RecursionError):
        return [value] if kind == "array" else value


def _wrong(path: str, expected: str, got: str, *near: str) -> InvalidParams:
    hint = f"Did you mean {near[0]}?" if near else None
    return InvalidParams(f"{path} must be {expected}, got {got}.", hint=hint, path=path, expected=expected)
