"""Extraction schemas from Python classes, and instances from the extracted data. Pure."""

import ast
import dataclasses
import enum
import inspect
import textwrap
import types
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import attrs

from agentbrowser.client import typed
from agentbrowser.client.failures import ExtractionFailed
from agentbrowser.protocol.types.extract import ExtractionSchema

T = TypeVar("T")

_SCALARS: Final[Mapping[Any, Literal["string", "number", "integer", "boolean"]]] = {
    str: "string",
    float: "number",
    int: "integer",
    bool: "boolean",
}


@attrs.frozen
class _Field:
    """A field of an attrs class or a dataclass."""

    name: str
    kind: Any
    description: str | None
    default: bool


def schema_of(kind: Any) -> ExtractionSchema:
    """Return the extraction schema of a type, or one that is given as a mapping.

    Raises:
      InvalidParams: the mapping is no schema.
      TypeError: the type has no schema.
    """
    if isinstance(kind, Mapping):
        return typed.structure_params(ExtractionSchema, dict(kind), "schema")
    return _schema(kind, None)


def to_instance(kind: type[T] | Mapping[str, Any], data: Any) -> T:
    """Return extracted data as a value of the type; for a schema, as it is.

    Raises:
      ExtractionFailed: a required value is missing.
    """
    value: T = data if isinstance(kind, Mapping) else _to_instance(_unwrap(kind), data)
    return value


def _to_instance(kind: Any, data: Any) -> Any:
    if data is None:
        return None
    if get_origin(kind) is list:
        (item,) = get_args(kind)
        return [_to_instance(_unwrap(item), one) for one in data]
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return kind(data)
    if not _is_class(kind):
        return float(data) if kind is float else data
    known = {field.name: _to_instance(_unwrap(field.kind), data.get(field.name)) for field in _fields(kind)}
    for field in _fields(kind):
        if known[field.name] is None and field.default:
            del known[field.name]
        elif known[field.name] is None and not _may_be_none(field.kind):
            raise ExtractionFailed(f"The page does not say {field.name}.", missing=field.name)
    return kind(**known)


def _schema(kind: Any, description: str | None) -> ExtractionSchema:
    for note in get_args(kind)[1:] if get_origin(kind) is Annotated else ():
        description = note if isinstance(note, str) else description
    bare = _unwrap(kind)
    if any(bare is one for one in _SCALARS):  # some values have no hash
        return ExtractionSchema(type=_SCALARS[bare], description=description)
    if get_origin(bare) is Literal or (isinstance(bare, type) and issubclass(bare, enum.Enum)):
        choices = [one for one in get_args(bare) or [one.value for one in bare] if one is not None]
        kinds = {_SCALARS.get(type(one)) for one in choices}
        if len(kinds) != 1 or None in kinds:
            raise TypeError(f"{kind!r} can't be extracted: its values are to be of one kind, str, int, float or bool")
        return ExtractionSchema(type=_SCALARS[type(choices[0])], enum=choices, description=description)
    if get_origin(bare) is list:
        return ExtractionSchema(type="array", items=_schema(get_args(bare)[0], None), description=description)
    if _is_class(bare):
        return _object(bare, description)
    raise TypeError(
        f"{kind!r} can't be extracted: use str, int, float, bool, Literal, list[…], an attrs class or dataclass"
    )


def _object(kind: type, description: str | None) -> ExtractionSchema:
    fields = list(_fields(kind))
    required = [field.name for field in fields if not field.default and not _may_be_none(field.kind)]
    return ExtractionSchema(
        type="object",
        properties={field.name: _schema(field.kind, field.description) for field in fields},
        required=required or None,
        description=description or _summary(kind),
    )


def _unwrap(kind: Any) -> Any:
    """Return a type without ``Annotated`` and without None."""
    if get_origin(kind) is Annotated:
        return _unwrap(get_args(kind)[0])
    if get_origin(kind) in (Union, types.UnionType):
        others = [one for one in get_args(kind) if one is not type(None)]
        return _unwrap(others[0]) if len(others) == 1 else kind
    return kind


def _may_be_none(kind: Any) -> bool:
    if get_origin(kind) is Annotated:
        return _may_be_none(get_args(kind)[0])
    return get_origin(kind) in (Union, types.UnionType) and type(None) in get_args(kind)


def _is_class(kind: Any) -> bool:
    return isinstance(kind, type) and (attrs.has(kind) or dataclasses.is_dataclass(kind))


def _fields(kind: Any) -> Iterator[_Field]:
    hints = get_type_hints(kind, include_extras=True)
    notes = _docstrings(kind)
    for one in attrs.fields(kind) if attrs.has(kind) else dataclasses.fields(kind):
        if not one.init:
            continue
        missing = attrs.NOTHING if isinstance(one, attrs.Attribute) else dataclasses.MISSING
        has_default = one.default is not missing or getattr(one, "default_factory", missing) is not missing
        name = one.alias if isinstance(one, attrs.Attribute) else one.name
        yield _Field(
            name or one.name, hints[one.name], one.metadata.get("description") or notes.get(one.name), has_default
        )


def _docstrings(kind: type) -> dict[str, str]:
    """Return the docstrings below the fields of a class, if its source is available."""
    try:
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return {}
    assert isinstance(tree, ast.ClassDef)
    notes = {}
    for field, note in zip(tree.body, tree.body[1:], strict=False):
        match field, note:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                notes[name] = inspect.cleandoc(text)
    return notes


def _summary(kind: type) -> str | None:
    text = (kind.__doc__ or "").strip()
    # A dataclass without a docstring is given its signature as one.
    return None if not text or text.startswith(f"{kind.__name__}(") else inspect.cleandoc(text).partition("\n\n")[0]
