"""What a field of a protocol type can say about itself: its wire name, its bounds, and which policy guards it."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

import attrs

_REQUIRED: Final = attrs.NOTHING

WIRE: Final = "wire"
ALSO: Final = "also"
MINIMUM: Final = "minimum"
MAXIMUM: Final = "maximum"
PATTERN: Final = "pattern"
FITS: Final = "fits"
NAVIGABLE: Final = "navigable"
UPLOADABLE: Final = "uploadable"
GUARDED: Final = "guarded"
ENTRUSTABLE: Final = "entrustable"

Place = Literal["url", "origin", "domain"]
Unfit = tuple[str, str, str]
"""Where a value does not fit (a wire name), what is expected there, and what is there."""


def camel(name: str) -> str:
    """Turn a Python name into its wire name by the one rule: ``page_id`` is ``pageId``."""
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def wire_name(attribute: "attrs.Attribute[Any]") -> str:
    """Return the name of an attrs attribute on the wire."""
    return attribute.metadata.get(WIRE) or camel(attribute.name.rstrip("_"))


def field(
    *,
    default: Any = _REQUIRED,
    factory: Callable[[], Any] | None = None,
    wire: str | None = None,
    also: str | None = None,
    minimum: float | None = None,
    maximum: float | None = None,
    pattern: str | None = None,
    fits: Callable[[str], bool] | None = None,
    expected: str = "",
    metadata: Mapping[str, Any] | None = None,
) -> Any:
    """Declare a field that the plain annotation can't say in full.

    Args:
      wire: the wire name where the camel-case rule gives the wrong one, or where Python adds a unit (``timeout_ms``).
      also: a second wire name that is read where the first is absent.
      minimum: the least number, or the least length of a string or list (inclusive).
      maximum: the greatest number, or the greatest length (inclusive).
      pattern: a regular expression that a string must match in full.
      fits: what tells whether a string will do, where a pattern would be hard to read.
      expected: what the error says for ``fits``: "a color".
    """
    said = {
        WIRE: wire,
        ALSO: also,
        MINIMUM: minimum,
        MAXIMUM: maximum,
        PATTERN: re.compile(pattern) if pattern else None,
        FITS: (expected, fits) if fits else None,
    }
    known = {key: value for key, value in said.items() if value is not None} | dict(metadata or {})
    if factory is not None:
        return attrs.field(factory=factory, metadata=known)
    return attrs.field(default=default, metadata=known)


def navigable(*, default: Any = _REQUIRED) -> Any:
    """Declare a URL that the browser will be sent to: the dispatcher passes it through `policy` first."""
    return field(default=default, metadata={NAVIGABLE: True})


def guarded(place: Place, **said: Any) -> Any:
    """Declare a place, or a list of places, that the browser is not sent to: the dispatcher judges them all the same.

    Args:
      place: a URL, an origin, or the domain of a cookie; each http or https only.
      said: what `field` takes.
    """
    return field(metadata={GUARDED: place}, **said)


def entrustable() -> Any:
    """Declare text in which ``{{secret:name}}`` stands for a secret of the operator's."""
    return field(metadata={ENTRUSTABLE: True})


def uploadable() -> Any:
    """Declare a list of files for the browser: those that are named by path, the dispatcher reads for the handler."""
    return field(metadata={UPLOADABLE: True}, maximum=1000)


def milliseconds(maximum: int = 300_000, minimum: int = 1) -> Any:
    """Declare an optional ``timeout`` of the wire, in milliseconds."""
    return field(default=None, wire="timeout", minimum=minimum, maximum=maximum)
