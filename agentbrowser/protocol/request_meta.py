"""Metadata of requests: ``_meta`` in the params of any method, with the trace that the request belongs to."""

from typing import Any, Final

from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.wire import kind_of

META: Final = "_meta"
_TRACEPARENT: Final = "traceparent"


def split_meta(params: Any) -> tuple[Any, str | None]:
    """Return params without their metadata, and the ``traceparent`` in it; one that is no text counts as none.

    Other metadata is ignored, as in MCP.

    Raises:
      InvalidParams: the metadata is not an object.
    """
    if not isinstance(params, dict) or META not in params:
        return params, None
    meta = params[META]
    if not isinstance(meta, dict | None):
        raise InvalidParams.at(META, "an object", kind_of(meta))
    parent = (meta or {}).get(_TRACEPARENT)
    own = {name: value for name, value in params.items() if name != META}
    return own, parent if isinstance(parent, str) else None
