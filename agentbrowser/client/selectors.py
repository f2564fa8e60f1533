"""Shorthands for selectors, steps and uploads."""

import base64
import mimetypes
from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, ParamSpec

from agentbrowser.client.typed import require_method, structure_params, unstructure
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.registry import Method
from agentbrowser.protocol.types.action import ActionOptions, FileUpload
from agentbrowser.protocol.types.idempotency import KEY
from agentbrowser.protocol.types.selector import Selector, parse_selector
from agentbrowser.protocol.types.sequence import ExecutionStep

P = ParamSpec("P")
Upload = str | PathLike[str] | tuple[str, bytes] | FileUpload
"""A file to upload: a path on this machine, or a name and contents."""


def at(selector: str | Selector) -> Selector:
    """Return a selector: text such as ``@submit`` is a ref, any other text is CSS."""
    return parse_selector(selector)


def step(method: Method[P, Any], *args: P.args, **kwargs: P.kwargs) -> ExecutionStep:
    """Return a step for ``page.act``: ``step(action.fill, selector="@name", value="Ada")``.

    Add a label, a condition and other fields with ``attrs.evolve``.
    """
    require_method(method)
    return ExecutionStep(action=method.name, params=unstructure(method.params(*args, **kwargs)))


def parse_step(index: int, given: ExecutionStep | Mapping[str, Any]) -> ExecutionStep:
    """Return a step, which may be given in its wire form.

    Raises:
      InvalidParams: it does not fit.
    """
    if isinstance(given, ExecutionStep):
        return given
    plain: Any = given  # programs without a type checker give anything
    if not isinstance(plain, Mapping):
        raise InvalidParams.at(f"steps[{index}]", "a step, or an object with action", type(plain).__name__)
    return structure_params(ExecutionStep, dict(plain), f"steps[{index}]")


def upload_of(file: Upload) -> FileUpload:
    """Return a file as an upload: one of this machine by its path, or contents with a name.

    Raises:
      OSError: the file can't be read.
      InvalidParams: it is none of these.
    """
    match file:
        case FileUpload():
            return file
        case str() | PathLike():
            name, contents = Path(file).name, Path(file).read_bytes()
        case (str(name), bytes() | bytearray() | memoryview() as contents):
            pass
        case _:
            raise InvalidParams.at("files", "a path, (name, bytes) or a FileUpload", type(file).__name__)
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return FileUpload(name=name, mime_type=kind, buffer=base64.b64encode(contents).decode())


def with_extras(params: dict[str, Any], *, idempotency_key: str | None) -> dict[str, Any]:
    """Return the params of a request with its key, where given."""
    return params if idempotency_key is None else params | {KEY: idempotency_key}


def action_params(
    method: Method[..., Any], options: Callable[..., ActionOptions], keywords: Mapping[str, Any], **params: Any
) -> dict[str, Any]:
    """Return the params of an action as plain data; the keywords are its options, `idempotency_key` and `observe`."""
    own = {name: value for name, value in keywords.items() if name not in ("idempotency_key", "observe")}
    typed = method.params(options=options(**own), observe=keywords.get("observe"), **params)
    return with_extras(unstructure(typed), idempotency_key=keywords.get("idempotency_key"))
