"""Shorthands for selectors, steps and uploads."""

import base64
import mimetypes
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ParamSpec

from agentbrowser.client.typed import structure, unstructure
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.registry import Method
from agentbrowser.protocol.types.action import FileUpload
from agentbrowser.protocol.types.selector import Selector, parse_selector
from agentbrowser.protocol.types.sequence import ExecutionStep

P = ParamSpec("P")


def at(selector: str | Selector) -> Selector:
    """Return a selector: text such as ``@submit`` is a ref, any other text is CSS."""
    return parse_selector(selector)


def step(method: Method[P, Any], *args: P.args, **kwargs: P.kwargs) -> ExecutionStep:
    """Return a step for ``page.act``: ``step(action.fill, selector="@name", value="Ada")``.

    Add a label, a condition and other fields with ``attrs.evolve``.
    """
    return ExecutionStep(action=method.name, params=unstructure(method.params(*args, **kwargs)))


def parse_step(index: int, given: ExecutionStep | Mapping[str, Any]) -> ExecutionStep:
    """Return a step, which may be given in its wire form.

    Raises:
      InvalidParams: it does not fit.
    """
    if isinstance(given, ExecutionStep):
        return given
    try:
        return structure(ExecutionStep, dict(given))
    except InvalidParams as error:
        error.details["path"] = path = f"steps[{index}].{error.details.get('path', '')}".rstrip(".")
        raise InvalidParams(f"In {path}: {error.message}", **error.details) from None


def read_upload(path: Path) -> FileUpload:
    """Return a file as an upload, with its contents."""
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return FileUpload(name=path.name, mime_type=kind, buffer=base64.b64encode(path.read_bytes()).decode())
