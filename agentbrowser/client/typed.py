"""Conversion between typed values and plain data, as `agentbrowser.protocol.codec` does it.

The codec is imported at its first use: cattrs takes a third of the time that the client takes to import.
"""

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


def structure(kind: Callable[..., T], value: Any) -> T:
    """Return plain data as a value of that class.

    Raises:
      InvalidParams: it does not fit; ``details`` holds path, expected and got, in wire names.
    """
    from agentbrowser.protocol import codec

    return codec.structure(kind, value)


def structure_params(kind: Callable[..., T], value: Any) -> T:
    """Return plain data of the caller as a value of that class; unknown fields are refused, as the server does.

    Raises:
      InvalidParams: it does not fit; ``details`` holds path, expected and got, in wire names.
    """
    from agentbrowser.protocol import codec

    return codec.structure_params(kind, value)


def unstructure(value: Any) -> Any:
    """Return a typed value as plain data in wire names, without the fields that are None."""
    from agentbrowser.protocol import codec

    return codec.unstructure(value)
