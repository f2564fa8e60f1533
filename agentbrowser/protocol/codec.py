"""Plain data of the wire <-> typed values: the cattrs converters, and the only keeper of wire names.

Structuring is strict (``7`` is no string, ``true`` no number; an integral ``5.0`` is an integer, as in JSON Schema),
takes ``null`` for an absent optional field and text for a selector, and reports in wire names which value is invalid.
Unknown fields are refused in params, and ignored elsewhere: a newer server may add fields to its results.
"""

import functools
import re
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin

import attrs
import cattrs

from agentbrowser.protocol.invalid_values import InvalidValue, UnknownField, shown
from agentbrowser.protocol.types import fields
from agentbrowser.protocol.types.selector import MAX_SELECTOR_LENGTH, Css, parse_selector
from agentbrowser.protocol.wire import kind_of

T = TypeVar("T")
_Hook = Callable[[Any, Any], Any]

_ATOMS: Final = frozenset({str, int, float, bool, type(None)})

_SELECTOR: Final = 'a selector: "@ref", CSS, or an object with a type'

_lenient: Final = cattrs.Converter(detailed_validation=False)
_strict: Final = cattrs.Converter(detailed_validation=False)
"""Converter of params, which refuses unknown fields."""


def structure(kind: Callable[..., T], value: Any) -> T:
    """Return plain data as a value of that class; unknown fields are ignored.

    Raises:
      InvalidParams: the value is invalid; ``details`` holds path, expected and got, in wire names.
    """
    return _structured(_lenient, kind, value)


def structure_params(kind: Callable[..., T], value: Any) -> T:
    """Return the params of a request as a value of their class; unknown fields are refused at every level.

    Raises:
      InvalidParams: the value is invalid; ``details`` holds path, expected, got and the nearest known field.
    """
    return _structured(_strict, kind, value)


def _structured(converter: cattrs.Converter, kind: Callable[..., T], value: Any) -> T:
    try:
        structured: T = converter.structure(value, kind)  # type: ignore[arg-type]
    except InvalidValue as invalid:
        raise invalid.to_error() from None
    return structured


def _register(wanted: Callable[[Any], bool], factory: Callable[..., _Hook]) -> None:
    """Register the structuring of types in both converters; the factory's hook uses the same converter inside."""
    for each in (_lenient, _strict):
        each.register_structure_hook_factory(wanted, functools.partial(factory, converter=each))


def unstructure(value: Any) -> Any:
    """Return a typed value as plain data in wire names, without the fields that are None."""
    return value if type(value) in _ATOMS else _lenient.unstructure(value)


def wire_fields(kind: type) -> dict[str, "attrs.Attribute[Any]"]:
    """Return the attributes of a protocol class by their wire names, annotations resolved."""
    attrs.resolve_types(kind)
    return {fields.wire_name(attribute): attribute for attribute in attrs.fields(kind)}


def marked_fields(params: object, mark: str) -> tuple[tuple[str, str], ...]:
    """Return the wire name and the name of each field of params that has a mark."""
    kind: Any = type(params)
    return _marked(kind, mark)


@functools.cache
def _marked(kind: Any, mark: str) -> tuple[tuple[str, str], ...]:
    return tuple((wire, one.name) for wire, one in wire_fields(kind).items() if one.metadata.get(mark))


# Scalars


def _scalar(expected: str, fits: Callable[[Any], bool], convert: Callable[[Any], Any] = lambda value: value) -> _Hook:
    def take(value: Any, _: Any) -> Any:
        if not fits(value):
            raise InvalidValue(expected, kind_of(value))
        return convert(value)

    return take


def _is_integer(value: Any) -> bool:
    return type(value) is int or (type(value) is float and value.is_integer())


for _each in (_lenient, _strict):
    _each.register_structure_hook(str, _scalar("a string", lambda value: type(value) is str))
    _each.register_structure_hook(bool, _scalar("a boolean", lambda value: type(value) is bool))
    _each.register_structure_hook(int, _scalar("an integer", _is_integer, int))
    _each.register_structure_hook(float, _scalar("a number", lambda value: type(value) in (int, float), float))
    _each.register_structure_hook(type(None), _scalar("null", lambda value: value is None))


def _literal(kind: Any, converter: cattrs.Converter) -> _Hook:
    choices, expected = get_args(kind), _choices(kind)

    def take(value: Any, _: Any) -> Any:
        if any(type(value) is type(choice) and value == choice for choice in choices):
            return value
        raise InvalidValue(expected, shown(value))

    return take


def _choices(kind: Any) -> str:
    return " or ".join(f'"{choice}"' if type(choice) is str else str(choice).lower() for choice in get_args(kind))


_register(lambda kind: get_origin(kind) is Literal, _literal)

# Collections


def _list(kind: Any, converter: cattrs.Converter) -> _Hook:
    (inner, *_) = get_args(kind)
    into = tuple if get_origin(kind) is tuple else list

    def take(value: Any, _: Any) -> Any:
        if type(value) is not list:
            raise InvalidValue("an array", kind_of(value))
        return into(_items(enumerate(value), inner, "[{}]", converter))

    return take


def _dict(kind: Any, converter: cattrs.Converter) -> _Hook:
    _, inner = get_args(kind)

    def take(value: Any, _: Any) -> Any:
        if type(value) is not dict:
            raise InvalidValue("an object", kind_of(value))
        return dict(zip(value, _items(value.items(), inner, "{}", converter), strict=True))

    return take


def _items(pairs: Iterable[tuple[Any, Any]], inner: Any, step: str, converter: cattrs.Converter) -> Iterable[Any]:
    hook = converter.get_structure_hook(inner)
    for key, item in pairs:
        try:
            yield hook(item, inner)
        except InvalidValue as invalid:
            raise invalid.under(step.format(key)) from None


_register(lambda kind: get_origin(kind) in (list, tuple), _list)
_register(lambda kind: get_origin(kind) is dict, _dict)

# Unions


def is_union(kind: Any) -> bool:
    """Return True if an annotation is a union."""
    return get_origin(kind) in (Union, types.UnionType)


def tag_of(kind: Any) -> str | None:
    """Return the tag of a member of a tagged union; None for a class without one."""
    tag = kind.__dict__.get("type") if attrs.has(kind) else None
    return tag if isinstance(tag, str) else None  # not a field of that name


def _union(kind: Any, converter: cattrs.Converter) -> _Hook:
    members = get_args(kind)
    tagged = {tag: member for member in members if (tag := tag_of(member))}
    others = [member for member in members if not tag_of(member)]

    def take(value: Any, _: Any) -> Any:
        if type(value) is str and Css in members:
            return _selector_of(value)
        if tagged and type(value) is dict and ("type" in value or not any(map(attrs.has, others))):
            return _tagged(tagged, value, converter)
        return _first_fit(others, value, _SELECTOR if tagged else None, converter)

    return take


def _selector_of(text: str) -> Any:
    if not text.strip():
        raise InvalidValue(_SELECTOR, "an empty string" if not text else "blanks")
    if len(text) > MAX_SELECTOR_LENGTH:
        raise InvalidValue(f"at most {MAX_SELECTOR_LENGTH} characters", f"{len(text)} characters")
    return parse_selector(text)


def _tagged(members: Mapping[str, Any], value: dict[str, Any], converter: cattrs.Converter) -> Any:
    tag = value.get("type")
    member = members.get(tag) if type(tag) is str else None
    if member is None:
        expected = "one of " + ", ".join(f'"{name}"' for name in members)
        raise InvalidValue(expected, shown(tag) if "type" in value else "nothing").under("type")
    return converter.structure(value, member)


def _first_fit(members: list[Any], value: Any, also: str | None, converter: cattrs.Converter) -> Any:
    expected = [also] if also else []
    if type(value) is dict:  # of several objects, the one that has such fields
        members = [one for one in members if attrs.has(one) and value.keys() & wire_fields(one)] or members
    for member in members:
        try:
            return converter.structure(value, member)
        except InvalidValue as invalid:
            if invalid.path:  # the right type with an invalid member
                raise
            expected.append(invalid.expected)
    raise InvalidValue(" or ".join(word for word in expected if word != "null"), shown(value))


_register(is_union, _union)

# attrs classes


def _class(kind: Any, converter: cattrs.Converter) -> _Hook:
    specs = [_spec(name, attribute, converter) for name, attribute in wire_fields(kind).items()]
    accepted = sorted(spec.name for spec in specs)
    known = {*accepted, *(spec.also for spec in specs)} | ({"type"} if tag_of(kind) else set())
    is_closed = converter is _strict or kind.__dict__.get("refuses_unknown")
    expected = _shape(kind)

    def take(value: Any, _: Any) -> Any:
        if type(value) is not dict:
            raise InvalidValue(expected, kind_of(value))
        if is_closed and not value.keys() <= known:
            raise UnknownField(next(name for name in value if name not in known), kind, accepted)
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
    list_bounds: Callable[[Any], None] | None
    """Check of the length of a list."""
    checks: list[Callable[[Any], None]]
    expected: str
    """Expected value, for the error of a missing field."""


def _spec(name: str, attribute: "attrs.Attribute[Any]", converter: cattrs.Converter) -> _FieldSpec:
    return _FieldSpec(
        name=name,
        also=attribute.metadata.get(fields.ALSO),
        alias=attribute.alias or attribute.name,
        kind=attribute.type,
        is_optional=attribute.default is not attrs.NOTHING,
        hook=converter.get_structure_hook(attribute.type),
        list_bounds=_bounds_of(attribute) if _takes_list(attribute.type) else None,
        checks=_checks(attribute),
        expected=_expected(attribute.type),
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
            if spec.list_bounds is not None and type(item) is list:  # before its items, of which there may be 200,000
                spec.list_bounds(item)
            structured = spec.hook(item, spec.kind)
            for check in spec.checks:
                check(structured)
        except InvalidValue as invalid:
            raise invalid.under(spec.name) from None
        arguments[spec.alias] = structured
    return arguments


def _expected(kind: Any) -> str:
    words: dict[Any, str] = {str: "a string", int: "an integer", float: "a number", bool: "a boolean"}
    if get_origin(kind) is list:
        return "an array"
    if get_origin(kind) is Literal:
        return _choices(kind)
    if is_union(kind):
        selector = [_SELECTOR] if Css in get_args(kind) else []
        return " or ".join([*selector, *(_expected(one) for one in get_args(kind) if not tag_of(one))])
    return words.get(kind) or (_shape(kind) if attrs.has(kind) else "an object")


def _shape(kind: type) -> str:
    required = (name for name, attribute in wire_fields(kind).items() if attribute.default is attrs.NOTHING)
    return " with ".join(filter(None, ["an object", ", ".join(required)]))


def _checks(attribute: "attrs.Attribute[Any]") -> list[Callable[[Any], None]]:
    metadata = attribute.metadata
    bounds = _bounds_of(attribute)
    checks = [] if bounds is None else [bounds]
    if fields.PATTERN in metadata:
        checks.append(_pattern(metadata[fields.PATTERN]))
    if fields.FITS in metadata:
        checks.append(_fits(*metadata[fields.FITS]))
    return checks


def _takes_list(kind: Any) -> bool:
    return get_origin(kind) is list or (is_union(kind) and any(get_origin(member) is list for member in get_args(kind)))


def _bounds_of(attribute: "attrs.Attribute[Any]") -> Callable[[Any], None] | None:
    low, high = attribute.metadata.get(fields.MINIMUM), attribute.metadata.get(fields.MAXIMUM)
    return None if low is None and high is None else _bounds(low, high)


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


_register(attrs.has, _class)


def _may_be_null(attribute: "attrs.Attribute[Any]") -> bool:
    """Return True if null is a valid value: for a required field of any type."""
    return attribute.type is Any and attribute.default is attrs.NOTHING


def _plain_class(kind: Any) -> Callable[[Any], Any]:
    specs = [(name, attribute.name, _may_be_null(attribute)) for name, attribute in wire_fields(kind).items()]
    tag = {"type": tag_of(kind)} if tag_of(kind) else {}

    def to_plain(value: Any) -> dict[str, Any]:
        plain: dict[str, Any] = dict(tag)
        for wire, name, may_be_null in specs:
            item = getattr(value, name)
            if item is None:
                if may_be_null:
                    plain[wire] = None
                continue
            if type(item) is list:  # quicker than the converter's own way: most of a look is lists
                plain[wire] = [one if type(one) in _ATOMS else _lenient.unstructure(one) for one in item]
            else:
                plain[wire] = item if type(item) in _ATOMS else _lenient.unstructure(item)
        return plain

    return to_plain


_lenient.register_unstructure_hook_factory(attrs.has, _plain_class)
