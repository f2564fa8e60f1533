"""Checks of arguments, and conversion between typed values and plain data, as `agentbrowser.protocol.codec` does it.

The codec is imported at its first use: cattrs takes a third of the time that the client takes to import.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.registry import Method

T = TypeVar("T")


def require(path: str, expected: str, value: Any, *kinds: type) -> None:
    """Require an argument of one of these classes: programs without a type checker give anything.

    Raises:
      InvalidParams: it is of another one.
    """
    if not isinstance(value, kinds):
        raise InvalidParams.at(path, expected, type(value).__name__)


def require_method(method: Any) -> None:
    """Require a declared method.

    Raises:
      InvalidParams: it is something else, such as a name.
    """
    require("method", "one of agentbrowser.methods, such as page.navigate", method, Method)


def items_of(path: str, expected: str, value: Any) -> list[Any]:
    """Return the items of an argument that holds several; a text or a mapping is one.

    Raises:
      InvalidParams: it holds no items.
    """
    require(path, expected, value, Iterable)
    if isinstance(value, str | bytes | Mapping):
        raise InvalidParams.at(path, expected, type(value).__name__)
    return list(value)


def structure(kind: Callable[..., T], value: Any) -> T:
    """Return plain data as a value of that class.

    Raises:
      InvalidParams: it does not fit; ``details`` holds path, expected and got, in wire names.
    """
    from agentbrowser.protocol import codec

    return codec.structure(kind, value)


def structure_params(kind: Callable[..., T], value: Any, place: str) -> T:
    """Return plain data of the caller as a value of that class; unknown fields are refused, as the server does.

    ``place`` is the path of the data among the params.

    Raises:
      InvalidParams: it does not fit; ``details`` holds path, expected and got, in wire names.
    """
    from agentbrowser.protocol import codec

    try:
        return codec.structure_params(kind, value)
    except InvalidParams as error:
        for name in ("path", "nearest"):
            if name in error.details:
                error.details[name] = f"{place}.{error.details[name]}".rstrip(".")
        raise InvalidParams(f"In {error.details['path']}: {error.message}", **error.details) from None


def unstructure(value: Any) -> Any:
    """Return a typed value as plain data in wire names, without the fields that are None."""
    from agentbrowser.protocol import codec

    return codec.unstructure(value)
