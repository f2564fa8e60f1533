"""Errors of values that do not match their type, with the nearest known field for an unknown one."""

import difflib
from collections.abc import Iterable, Iterator
from typing import Any, Final, get_args

import attrs

from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.types import fields
from agentbrowser.protocol.wire import kind_of

_SHOWN_LENGTH: Final = 60
_SIMILAR: Final = 0.6
_SIMILAR_INSIDE: Final = 0.85
"""Least similarity to a field of a nested object, where a chance match is likelier."""


class InvalidValue(ValueError):
    """A value does not match its type; the path to it grows while the error propagates."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(expected, got)
        self.expected = expected
        self.got = got
        self.path = ""

    def to_error(self) -> InvalidParams:
        """Return the error of the wire."""
        path = self.path or "params"
        message = f"{path} must be {self.expected}, got {self.got}."
        return InvalidParams(message, path=path, expected=self.expected, got=self.got)

    def under(self, step: str) -> "InvalidValue":
        """Prepend a step (a name, or ``[3]``) to the path, and return the error itself."""
        joint = "" if not self.path or self.path.startswith("[") else "."
        self.path = f"{step}{joint}{self.path}"
        return self


class UnknownField(InvalidValue):
    """A field that its class does not have."""

    def __init__(self, name: str, kind: type, accepted: Iterable[str]) -> None:
        known = ", ".join(accepted)
        super().__init__(f"one of {known}" if known else "no parameter", "an unknown parameter")
        self.path = name[:_SHOWN_LENGTH]
        self.nearest = nearest_field(self.path, kind)

    def under(self, step: str) -> InvalidValue:
        """Prepend a step to the paths of the field, and of the nearest known one."""
        self.nearest = self.nearest and f"{step}{'' if self.nearest.startswith('[') else '.'}{self.nearest}"
        return super().under(step)

    def to_error(self) -> InvalidParams:
        """Return the error of the wire, with the nearest known field."""
        instead = f"did you mean {self.nearest}?" if self.nearest else "no known parameter is similar."
        return InvalidParams(
            f"{self.path} is not known: {instead} Accepted: {self.expected.removeprefix('one of ')}.",
            path=self.path,
            expected=self.expected,
            got=self.got,
            nearest=self.nearest,
            hint=f"Send {self.nearest} in place of {self.path}." if self.nearest else f"Leave out {self.path}.",
        )


def shown(value: Any) -> str:
    """Return a value for an error message: a short string in quotes, a number as it is, else its JSON type."""
    if type(value) is str:
        return f'"{value}"' if len(value) <= _SHOWN_LENGTH else "a longer string"
    return str(value) if type(value) in (int, float) else kind_of(value)


def nearest_field(unknown: str, kind: type) -> str | None:
    """Return the known field that is most like the unknown one, as a path; None if no field is like it.

    The same letters come before similar ones, and the class's own fields before those of its nested objects:
    ``timeout`` is ``options.timeout``.
    """
    fields_here = dict(_named(kind))
    own = {name: _folded(name) for name in fields_here}
    inside = {
        f"{outer}.{inner}": _folded(inner)
        for outer, attribute in fields_here.items()
        for nested in _classes_in(attribute.type)
        for inner, _ in _named(nested)
    }
    searches = ((own, 1.0), (inside, 1.0), (own, _SIMILAR), (inside, _SIMILAR_INSIDE))
    return next(filter(None, (_nearest(unknown, known, least) for known, least in searches)), None)


def nearest_name(unknown: str, names: Iterable[str]) -> str | None:
    """Return the name that is much like an unknown one; None if none is like it."""
    return _nearest(unknown, {name: _folded(name) for name in names}, _SIMILAR_INSIDE)


def _nearest(unknown: str, known: dict[str, str], least: float) -> str | None:
    words = difflib.get_close_matches(_folded(unknown), known.values(), n=1, cutoff=least)
    return next((path for path, word in known.items() if words == [word]), None)


def _folded(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def _named(kind: type) -> Iterator[tuple[str, "attrs.Attribute[Any]"]]:
    attrs.resolve_types(kind)
    for attribute in attrs.fields(kind):
        yield fields.wire_name(attribute), attribute


def _classes_in(kind: Any) -> list[type]:
    """Return the untagged classes of an annotation: those of selectors are no place for a misplaced field."""
    return [one for one in (kind, *get_args(kind)) if attrs.has(one) and not isinstance(one.__dict__.get("type"), str)]
