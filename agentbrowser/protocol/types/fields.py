"""What a field of a protocol type can say about itself: its wire name, its bounds, and which policy guards it."""

import re
from collections.abc import Callable
from typing import Any, Final, Literal

import attrs

WIRE: Final = "wire"
ALSO: Final = "also"
MINIMUM: Final = "minimum"
MAXIMUM: Final = "maximum"
PATTERN: Final = "pattern"
FITS: Final = "fits"
NAVIGABLE: Final = "navigable"
UPLOADABLE: Final = "uploadable"
URL_CHECKED: Final = "url_checked"
HOLDS_SECRETS: Final = "holds_secrets"

AddressKind = Literal["url", "origin", "domain"]
InvalidField = tuple[str, str, str]
"""Where a value does not fit (a wire name), what is expected there, and what is there."""


def camel(name: str) -> str:
    """Turn a Python name into its wire name by the one rule: ``page_id`` is ``pageId``."""
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def wire_name(attribute: "attrs.Attribute[Any]") -> str:
    """Return the name of an attrs attribute on the wire."""
    return attribute.metadata.get(WIRE) or camel(attribute.name.rstrip("_"))


def constraints(
    *,
    wire: str | None = None,
    also: str | None = None,
    minimum: float | None = None,
    maximum: float | None = None,
    pattern: str | None = None,
    fits: Callable[[str], bool] | None = None,
    expected: str = "",
) -> dict[str, Any]:
    """Return, as the metadata of a field, what its annotation can't say.

    A required field is ``attrs.field(metadata=says(…))``, which type checkers know to be one; `field` is for others.

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
    return {key: value for key, value in said.items() if value is not None}


def field(*, default: Any = attrs.NOTHING, factory: Callable[[], Any] | None = None, **said: Any) -> Any:
    """Declare a field with a default, and with what `constraints` takes.

    Raises:
      TypeError: it has no default, which type checkers would not notice.
    """
    if factory is not None:
        return attrs.field(factory=factory, metadata=constraints(**said))
    if default is attrs.NOTHING:
        raise TypeError("a required field is attrs.field(metadata=says(…))")
    return attrs.field(default=default, metadata=constraints(**said))


def navigable() -> dict[str, Any]:
    """Say that it is a URL that the browser will be sent to: the dispatcher passes it through `policy` first."""
    return {NAVIGABLE: True}


def url_checked(place: AddressKind, **said: Any) -> dict[str, Any]:
    """Say that it is a place, or a list, that the browser is not sent to: the dispatcher judges them all the same.

    Args:
      place: a URL, an origin, or the domain of a cookie; each http or https only.
      said: what `constraints` takes.
    """
    return {URL_CHECKED: place, **constraints(**said)}


def holds_secrets() -> dict[str, Any]:
    """Say that it is text in which ``{{secret:name}}`` stands for a secret of the operator's."""
    return {HOLDS_SECRETS: True}


def uploadable() -> dict[str, Any]:
    """Say that it is a list of files for the browser: those named by path, the dispatcher reads for the handler."""
    return {UPLOADABLE: True, **constraints(maximum=1000)}


def milliseconds(maximum: int = 300_000, minimum: int = 1) -> Any:
    """Declare an optional ``timeout`` of the wire, in milliseconds."""
    return field(default=None, wire="timeout", minimum=minimum, maximum=maximum)
