"""Shapes that the published clients declare for results and events, where they differ from ours."""

from collections.abc import Iterator
from typing import Any, Final

OURS: Final = "notifications"
"""Dialect of a client that is none of the published ones."""
PYTHON: Final = "event"
TYPESCRIPT: Final = "events"

_LEVELS: Final = {"debug": "debug", "info": "info", "warning": "warn", "error": "error", "assert": "error"}
_RESOURCE_TYPES: Final = frozenset(
    {
        *("document", "stylesheet", "image", "media", "font", "script", "texttrack", "xhr", "fetch", "eventsource"),
        *("websocket", "manifest", "other"),
    }
)
"""Those that the published clients declare; ours has `ping` and `prefetch` too."""
_LOOKS: Final = ("observation", "preObservation", "postObservation")


def reshape_result(method: str, result: Any, dialect: str) -> Any:
    """Return plain data in the shape that the client declares for it; the data is changed in place."""
    if dialect == OURS:
        return result
    if method == "observe/accessibility" and dialect == TYPESCRIPT:  # one node, where that for Python has a list
        result["tree"] = result["tree"][0] if result["tree"] else {"role": "none"}
    elif method.startswith(("agent/", "page/", "action/")):
        if method == "page/navigate" and dialect == TYPESCRIPT:  # it declares both, also where nothing was fetched
            result.setdefault("status", 0)
            result.setdefault("headers", {})
        for selector in _selectors(result):
            if selector.get("type") == "ref":
                selector["ref"] = selector["value"]
    return result


def reshape_event(kind: str, params: dict[str, Any], dialect: str) -> dict[str, Any] | None:
    """Return an event in the shape that the client declares for it; None for one that it does not know."""
    if kind == "console" and dialect != OURS:
        return {**params, "level": _LEVELS.get(params["type"], "log")}
    if kind == "network" and dialect != OURS:
        params = dict(params)
        if params["resourceType"] not in _RESOURCE_TYPES:
            params["resourceType"] = "other"
        if (
            dialect == TYPESCRIPT
        ):  # it declares durations, the download's too, which has not begun; its server sends none
            params.pop("timing", None)
        return params
    if dialect != TYPESCRIPT:
        return params
    if kind == "page" and params["type"] == "created":
        return None
    if kind == "page" and params["type"] in ("crashed", "error"):
        return {**params, "type": "error", "error": params.get("reason", "The page has crashed.")}
    return params


def _selectors(result: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Return the selectors of the elements in a result and its looks; the results of its steps were reshaped before."""
    changes = result.get("changes") or {}
    listed = (result.get("interactiveElements"), changes.get("added"), changes.get("updated"), result.get("sources"))
    yield from (one["selector"] for some in listed for one in some or () if "selector" in one)
    for look in filter(None, map(result.get, _LOOKS)):
        yield from _selectors(look)
