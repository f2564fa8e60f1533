"""Metadata of requests: ``_meta`` in the params of any method, with the trace that the request belongs to."""

from typing import Any, Final

from agentbrowser.protocol.errors import InvalidParams

META: Final = "_meta"
_TRACEPARENT: Final = "traceparent"


def split_meta(params: Any) -> tuple[Any, str | None]:
    """Return params without their metadata, and the ``traceparent`` in it. Other metadata is ignored, as in MCP.

    Raises:
      InvalidParams: the metadata is not an object, or the ``traceparent`` no text.
    """
    if not isinstance(params, dict) or META not in params:
        return params, None
    meta = params[META]
    if not isinstance(meta, dict):
        raise _invalid(META, "an object", meta)
    parent = meta.get(_TRACEPARENT)
    if not isinstance(parent, str | None):
        raise _invalid(f"{META}.{_TRACEPARENT}", "a string", parent)
    return {name: value for name, value in params.items() if name != META}, parent


def _invalid(path: str, expected: str, value: Any) -> InvalidParams:
    got = type(value).__name__ if value is not None else "null"
    return InvalidParams(f"{path} must be {expected}, got {got}.", path=path, expected=expected, got=got)
