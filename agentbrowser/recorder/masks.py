"""Masks of a recording: the parts of requests and results that it may hold. Pure.

The text that an action types is kept only if the page has reported the field's value, which it never does for
password-like fields. So is the value that a step expects. Storage, files and values of scripts are left out.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from agentbrowser.policy.redaction import REDACTED, redact_address, redact_text
from agentbrowser.policy.secrets import names_in

MAX_PARAMS_BYTES: Final = 65_536
MAX_RESULT_BYTES: Final = 262_144
_NAMES_ONLY: Final = ("storage/", "network/", "download/", "recording/", "trace/")
"""Areas whose params and results are state or files."""
_NO_RESULT: Final = frozenset({"initialize", "script/evaluate", "observe/dom", "observe/content", "observe/pdf"})
_NO_PARAMS: Final = frozenset({"initialize", "context/create"})
_TYPED: Final[Mapping[str, str]] = {"action/fill": "value", "action/type": "text"}
_TYPING_KEY: Final = re.compile(
    r"(?:Shift\+)*(?:.|Key[A-Z]|Digit\d|Numpad(?!Enter).+|Space|Minus|Equal|Bracket\w+|(?:Intl)?Backslash"
    r"|Semicolon|Quote|Backquote|Comma|Period|Slash)",
    re.DOTALL,
)
"""Key that types a character: a password can be pressed key by key."""
_FILES: Final = "files"
"""Files of an upload; the recording has their number."""
_URLS: Final = frozenset({"url", "referer"})
_DROPPED: Final = frozenset({"storageState", "idempotencyKey", "httpCredentials"})
_IMAGE: Final = "data"


def recorded_params(method: str, params: Any, result: Any, size: int) -> dict[str, Any]:
    """Return the recordable params of an accepted request.

    Args:
      result: its result as plain data; None if it failed.
      size: size of the request in bytes.
    """
    if not isinstance(params, dict):
        return {}
    if method in _NO_PARAMS or method.startswith(_NAMES_ONLY) or size > MAX_PARAMS_BYTES:
        return omitted(params)
    kept = _kept(params)
    if method == "agent/act":
        kept["steps"] = _recorded_steps(params.get("steps"), result)
    recorded: dict[str, Any] = _plain(_with_masked_text(method, kept, result))
    return recorded


def omitted(params: Any) -> dict[str, Any]:
    """Return the names of params that are not recorded; a mark without names for a request that has none."""
    return {"omitted": sorted(name[:100] for name in map(str, params))[:20] if isinstance(params, dict) else []}


def has_recordable_result(method: str, size: int) -> bool:
    """Return True if the recording may hold the method's results, of that size in bytes."""
    return method not in _NO_RESULT and not method.startswith(_NAMES_ONLY) and size <= MAX_RESULT_BYTES


def recorded_result(value: Any) -> Any:
    """Return a result or an error without images, and without secrets in its texts."""
    return _plain(value)


def _recorded_steps(steps: Any, result: Any) -> list[Any]:
    results = result.get("results", []) if isinstance(result, dict) else []
    outcomes = {one.get("step"): one for one in results if isinstance(one, dict)}
    recorded = []
    for index, step in enumerate(steps if isinstance(steps, list) else []):
        if isinstance(step, dict) and isinstance(params := step.get("params", {}), dict):
            outcome = outcomes.get(index, {})
            masked = _with_masked_text(str(step.get("action")), _kept(params), outcome.get("result"))
            shown = step if outcome.get("success") else _with_masked_value(step, "expect")
            recorded.append({**shown, "params": masked})
    return recorded


def _with_masked_value(holder: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a step or details without the expected value: a step that has failed may name the password of a field."""
    expected = holder.get(name)
    if isinstance(expected, dict) and "value" in expected:
        return {**holder, name: {**expected, "value": REDACTED}}
    return holder


def _kept(params: dict[str, Any]) -> dict[str, Any]:
    """Return params without state and files."""
    kept = {name: value for name, value in params.items() if name not in (*_DROPPED, _FILES)}
    if isinstance(files := params.get(_FILES), list):
        kept[_FILES] = [REDACTED] * len(files)
    return kept


def _with_masked_text(method: str, params: dict[str, Any], result: Any) -> dict[str, Any]:
    """Return params without the text that may have reached a password-like field."""
    has_value = isinstance(result, dict) and result.get("value") is not None
    name = _TYPED.get(method)
    if name is not None and name in params and not has_value and not _is_placeholder(params[name]):
        return {**params, name: REDACTED}
    if method == "action/press" and _TYPING_KEY.fullmatch(str(params.get("key", ""))):
        return {**params, "key": REDACTED}
    if method == "action/select" and result is None and "values" in params:
        return {**params, "values": REDACTED}
    if method == "dialog/handle" and params.get("promptText"):
        return {**params, "promptText": REDACTED}
    return params


def _is_placeholder(text: Any) -> bool:
    """Return True if a text is the name of a secret and nothing else."""
    return isinstance(text, str) and [f"{{{{secret:{name}}}}}" for name in names_in(text)] == [text]


def _plain(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        shown = _with_masked_value(value, "expected") if key == "details" else value
        return {name: _plain(item, str(name)) for name, item in shown.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, key) for item in value]
    if not isinstance(value, str):
        return value
    if _is_placeholder(value):
        return value
    if key == _IMAGE and len(value) > 1000:
        return f"[{len(value)} bytes of base64]"
    return redact_address(value) if key in _URLS else redact_text(value)
