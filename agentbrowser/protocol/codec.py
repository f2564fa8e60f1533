"""Plain data of the wire <-> typed values: the one cattrs converter, and the only keeper of wire names.

Structuring is strict (``7`` is no string, ``true`` no number; an integral ``5.0`` is an integer, as in JSON Schema),
takes ``null`` for an absent optional field, and reports in wire names which value is invalid.
"""

import re
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin

import attrs
import cattrs

from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.types import fields
from agentbrowser.protocol.wire import kind_of

T = TypeVar("T")
_Hook = Callable[[Any, Any], Any]

_ATOMS: Final = frozenset({str, int, float, bool, type(None)})
_SHOWN_LENGTH: Final = 60

converter: Final = cattrs.Converter(detailed_validation=False)


class InvalidValue(ValueError):
    """A value does not match its type; the path to it grows while the error propagates."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(expected, got)
        self.expected = expected
        self.got = got
        self.path = ""

    def under(self, step: str) -> "InvalidValue":
        """Prepend a step (a name, or ``[3]``) to the path, and return the error itself."""
        joint = "" if not self.path or self.path.startswith("[") else "."
        self.path = f"{step}{joint}{self.path}"
        return self


def structure(kind: Callable[..., T], value: Any) -> T:
    """Return plain data as a value of that class.

    Raises:
      InvalidParams: the value is invalid; ``details`` holds path, expected and got, in wire names.
    """
    try:
        structured: T = converter.structure(value, kind)  # type: ignore[arg-type]
    except InvalidValue as invalid:
        path = invalid.path or "params"
        message = f"{path} must be {invalid.expected}, got {invalid.got}."
        raise InvalidParams(message, path=path, expected=invalid.expected, got=invalid.got) from None
    return structured


def unstructure(value: Any) -> Any:
    """Return a typed value as plain data in wire names, without the fields that are None."""
    return value if type(value) in _ATOMS else converter.unstructure(value)


def wire_fields(kind: type) -> dict[str, "attrs.Attribute[Any]"]:
    """Return the attributes of a protocol class by their wire names, annotations resolved."""
    attrs.resolve_types(kind)
    return {fields.wire_name(attribute): attribute for attribute in attrs.fields(kind)}


# Scalars


def _scalar(expected: str, fits: Callable[[Any], bool], convert: Callable[[Any], Any] = lambda value: value) -> _Hook:
    def take(value: Any, _: Any) -> Any:
        if not fits(value):
            raise InvalidValue(expected, kind_of(value))
        return convert(value)

    return take


def _is_integer(value: Any) -> bool:
    return type(value) is int or (type(value) is float and value.is_integer())


converter.register_structure_hook(str, _scalar("a string", lambda value: type(value) is str))
converter.register_structure_hook(bool, _scalar("a boolean", lambda value: type(value) is bool))
converter.register_structure_hook(int, _scalar("an integer", _is_integer, int))
converter.register_structure_hook(float, _scalar("a number", lambda value: type(value) in (int, float), float))
converter.register_structure_hook(type(None), _scalar("null", lambda value: value is None))


def _literal(kind: Any) -> _Hook:
    choices = get_args(kind)
    expected = " or ".join(f'"{choice}"' if type(choice) is str else str(choice).lower() for choice in choices)

    def take(value: Any, _: Any) -> Any:
        if any(type(value) is type(choice) and value == choice for choice in choices):
            return value
        raise InvalidValue(expected, shown(value))

    return take


def shown(value: Any) -> str:
    """Return a value for an error message: a short string in quotes, a number as it is, else its JSON type."""
    if type(value) is str:
        return f'"{value}"' if len(value) <= _SHOWN_LENGTH else "a longer string"
    return str(value) if type(value) in (int, float) else kind_of(value)


converter.register_structure_hook_factory(lambda kind: _origin(kind) is Literal, _literal)

# Collections


def _list(kind: Any) -> _Hook:
    (inner, *_) = get_args(kind)
    into = tuple if _origin(kind) is tuple else list

    def take(value: Any, _: Any) -> Any:
        if type(value) is not list:
            raise InvalidValue("an array", kind_of(value))
        return into(_items(enumerate(value), inner, "[{}]"))

    return take


def _dict(kind: Any) -> _Hook:
    _, inner = get_args(kind)

    def take(value: Any, _: Any) -> Any:
        if type(value) is not dict:
            raise InvalidValue("an object", kind_of(value))
        return dict(zip(value, _items(value.items(), inner, "{}"), strict=True))

    return take


def _items(pairs: Iterable[tuple[Any, Any]], inner: Any, step: str) -> Iterable[Any]:
    hook = converter.get_structure_hook(inner)
    for key, item in pairs:
        try:
            yield hook(item, inner)
        except InvalidValue as invalid:
            raise invalid.under(step.format(key)) from None


converter.register_structure_hook_factory(lambda kind: _origin(kind) in (list, tuple), _list)
converter.register_structure_hook_factory(lambda kind: _origin(kind) is dict, _dict)

# Unions


def _origin(kind: Any) -> Any:
    return get_origin(kind)


def is_union(kind: Any) -> bool:
    """Return True if an annotation is a union."""
    return _origin(kind) in (Union, types.UnionType)


def _tag(kind: Any) -> str | None:
    tag = kind.__dict__.get("type") if attrs.has(kind) else None
    return tag if isinstance(tag, str) else None  # not a field of that name


def _union(kind: Any) -> _Hook:
    members = get_args(kind)
    tagged = {tag: member for member in members if (tag := _tag(member))}
    others = [member for member in members if not _tag(member)]

    def take(value: Any, _: Any) -> Any:
        if tagged and type(value) is dict and ("type" in value or not any(map(attrs.has, others))):
            return _tagged(tagged, value)
        return _first_fit(others, value, "a selector object" if tagged else None)

    return take


def _tagged(members: Mapping[str, Any], value: dict[str, Any]) -> Any:
    tag = value.get("type")
    member = members.get(tag) if type(tag) is str else None
    if member is None:
        expected = "one of " + ", ".join(f'"{name}"' for name in members)
        raise InvalidValue(expected, shown(tag) if "type" in value else "nothing").under("type")
    return converter.structure(value, member)


def _first_fit(members: list[Any], value: Any, also: str | None) -> Any:
    expected = [also] if also else []
    for member in members:
        try:
            return converter.structure(value, member)
        except InvalidValue as invalid:
            if invalid.path:  # the right type with an invalid member
                raise
            expected.append(invalid.expected)
    raise InvalidValue(" or ".join(word for word in expected if word != "null"), shown(value))


converter.register_structure_hook_factory(is_union, _union)

# attrs classes


def _class(kind: Any) -> _Hook:
    specs = [_spec(name, attribute) for name, attribute in wire_fields(kind).items()]
    known = {spec.name for spec in specs} if kind.__dict__.get("refuses_unknown") else None

    def take(value: Any, _: Any) -> Any:
        if type(value) is not dict:
            raise InvalidValue("an object", kind_of(value))
        if known is not None and (unknown := sorted(value.keys() - known)):
            raise InvalidValue("one of " + ", ".join(sorted(known)), "an unknown parameter").under(unknown[0])
        return kind(**_arguments(value, specs))

    return take


@attrs.frozen
class _FieldSpec:
    """Structuring of one field of a class, prepared once."""

    name: str
    also: str | None
    """Second wire name."""
    alias: str
    """Name of the constructor's argument."""
    kind: Any
    is_optional: bool
    hook: _Hook
    checks: list[Callable[[Any], None]]
    expected: str
    """Expected value, for the error of a missing field."""


def _spec(name: str, attribute: "attrs.Attribute[Any]") -> _FieldSpec:
    return _FieldSpec(
        name=name,
        also=attribute.metadata.get(fields.ALSO),
        alias=attribute.alias or attribute.name,
        kind=attribute.type,
        is_optional=attribute.default is not attrs.NOTHING,
        hook=converter.get_structure_hook(attribute.type),
        checks=_checks(attribute),
        expected=_expected(attribute),
    )


def _arguments(value: Mapping[str, Any], specs: list[_FieldSpec]) -> dict[str, Any]:
    arguments = {}
    for spec in specs:
        item = value.get(spec.name)
        if item is None and spec.also is not None:
            item = value.get(spec.also)
        if item is None and spec.is_optional:
            continue
        try:
            if item is None and spec.name not in value:
                raise InvalidValue(spec.expected, "nothing")
            structured = spec.hook(item, spec.kind)
            for check in spec.checks:
                check(structured)
        except InvalidValue as invalid:
            raise invalid.under(spec.name) from None
        arguments[spec.alias] = structured
    return arguments


def _expected(attribute: "attrs.Attribute[Any]") -> str:
    words: dict[Any, str] = {str: "a string", int: "an integer", float: "a number", bool: "a boolean"}
    if _origin(attribute.type) is list:
        return "an array"
    return words.get(attribute.type, "an object")


def _checks(attribute: "attrs.Attribute[Any]") -> list[Callable[[Any], None]]:
    metadata = attribute.metadata
    checks = []
    if fields.MINIMUM in metadata or fields.MAXIMUM in metadata:
        checks.append(_bounds(metadata.get(fields.MINIMUM), metadata.get(fields.MAXIMUM)))
    if fields.PATTERN in metadata:
        checks.append(_pattern(metadata[fields.PATTERN]))
    if fields.FITS in metadata:
        checks.append(_fits(*metadata[fields.FITS]))
    return checks


def _bounds(low: float | None, high: float | None) -> Callable[[Any], None]:
    span = f"at most {high}" if low is None else f"at least {low}" if high is None else f"between {low} and {high}"

    def check(value: Any) -> None:
        if value is None:
            return
        number = value if type(value) in (int, float) else len(value)
        if (low is not None and number < low) or (high is not None and number > high):
            unit = "" if number is value else " characters" if isinstance(value, str) else " items"
            raise InvalidValue(f"{span}{unit}", f"{number}{unit}")

    return check


def _pattern(pattern: re.Pattern[str]) -> Callable[[Any], None]:
    def check(value: Any) -> None:
        if value is not None and not pattern.fullmatch(value):
            raise InvalidValue(f"of the form {pattern.pattern}", shown(value))

    return check


def _fits(expected: str, fits: Callable[[str], bool]) -> Callable[[Any], None]:
    def check(value: Any) -> None:
        if value is not None and not fits(value):
            raise InvalidValue(expected, shown(value))

    return check


converter.register_structure_hook_factory(attrs.has, _class)


def _may_be_null(attribute: "attrs.Attribute[Any]") -> bool:
    """Return True if null is a valid value: for a required field of any type."""
    return attribute.type is Any and attribute.default is attrs.NOTHING


def _plain_class(kind: Any) -> Callable[[Any], Any]:
    specs = [(name, attribute.name, _may_be_null(attribute)) for name, attribute in wire_fields(kind).items()]
    tag = {"type": _tag(kind)} if _tag(kind) else {}

    def to_plain(value: Any) -> dict[str, Any]:
        plain = dict(tag)
        for wire, name, may_be_null in specs:
            item = getattr(value, name)
            if item is not None or may_be_null:
                plain[wire] = item if type(item) in _ATOMS else converter.unstructure(item)
        return plain

    return to_plain


converter.register_unstructure_hook_factory(attrs.has, _plain_class)
