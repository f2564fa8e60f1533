"""Metadata of protocol fields: wire name, bounds, and policy."""

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

MAX_TYPED_TEXT: Final = 1_000_000
"""Length of a text for a field. Playwright encodes it on the loop: 9 MB take 100 ms."""

AddressKind = Literal["url", "origin", "domain", "cookies"]
InvalidField = tuple[str, str, str]
"""An invalid field: its wire name, the expected value, and the given one."""


def camel(name: str) -> str:
    """Return the wire name of a Python name by the rule: ``page_id`` is ``pageId``."""
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def wire_name(attribute: "attrs.Attribute[Any]") -> str:
    """Return the wire name of an attrs attribute."""
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
    """Return the metadata of a field.

    A required field is ``attrs.field(metadata=constraints(…))``, so that type checkers see that it is required. Use
    `field` for optional ones.

    Args:
      wire: the wire name, if it differs from the camel-case rule, or if Python adds a unit (``timeout_ms``).
      also: a second wire name, which is read if the first is absent.
      minimum: the least number, or the least length of a string or list (inclusive).
      maximum: the greatest number, or the greatest length (inclusive).
      pattern: a regular expression that a string must match in full.
      fits: a predicate of valid strings, where a pattern would be hard to read.
      expected: the description of the valid strings of ``fits``, for the error: "a color".
    """
    metadata = {
        WIRE: wire,
        ALSO: also,
        MINIMUM: minimum,
        MAXIMUM: maximum,
        PATTERN: re.compile(pattern) if pattern else None,
        FITS: (expected, fits) if fits else None,
    }
    return {key: value for key, value in metadata.items() if value is not None}


def field(*, default: Any = attrs.NOTHING, factory: Callable[[], Any] | None = None, **metadata: Any) -> Any:
    """Declare an optional field, with the arguments of `constraints`.

    Raises:
      TypeError: the field has no default, which type checkers would not notice.
    """
    if factory is not None:
        return attrs.field(factory=factory, metadata=constraints(**metadata))
    if default is attrs.NOTHING:
        raise TypeError("a required field is attrs.field(metadata=constraints(…))")
    return attrs.field(default=default, metadata=constraints(**metadata))


def navigable() -> dict[str, Any]:
    """Mark a URL that the browser navigates to: the dispatcher checks it by the URL policy first."""
    return {NAVIGABLE: True}


def url_checked(kind: AddressKind, **metadata: Any) -> dict[str, Any]:
    """Mark an address, or a list of them, without navigation: the dispatcher checks it by the URL policy, too.

    Args:
      kind: a URL that is requested, an origin with storage, the domain of a cookie, or a URL with cookies; each http
        or https only.
      metadata: the arguments of `constraints`.
    """
    return {URL_CHECKED: kind, **constraints(**metadata)}


def typed_text() -> dict[str, Any]:
    """Mark text for a field, in which ``{{secret:name}}`` stands for a secret of the operator."""
    return {HOLDS_SECRETS: True, **constraints(maximum=MAX_TYPED_TEXT)}


def uploadable() -> dict[str, Any]:
    """Mark a list of uploads: the dispatcher reads the files that are given by path."""
    return {UPLOADABLE: True, **constraints(maximum=1000)}


def milliseconds() -> Any:
    """Declare an optional timeout in milliseconds, ``timeout`` on the wire."""
    return field(default=None, wire="timeout", minimum=1, maximum=300_000)
