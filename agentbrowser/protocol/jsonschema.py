"""JSON Schema of the protocol's types, equal to what the codec accepts and returns."""

import ast
import functools
import importlib
import inspect
import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal, get_args, get_origin

import attrs

from agentbrowser.protocol.codec import is_union, tag_of, unstructure, wire_fields
from agentbrowser.protocol.types import fields
from agentbrowser.protocol.types.selector import MAX_SELECTOR_LENGTH, SELECTORS

Schema = dict[str, Any]

_ATOMS: Final[dict[Any, str]] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
}
_BOUNDS: Final = {
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "integer": ("minimum", "maximum"),
    "number": ("minimum", "maximum"),
}
_PYTHON_NAME: Final = re.compile(r"(?<=`)[a-z]+(?:_[a-z]+)+(?=`)")
_SELECTOR_NOTES: Final = {
    "Selector": "What to act on or look at. Text is a ref if it begins with `@`, and CSS otherwise; the `type` of an "
    "object says how it is pointed out.",
    "SelectorObject": "A selector in a result; `type` says how it is pointed out.",
}
_METHODS: Final = "agentbrowser.methods."
_UNGROUPED: Final = "Lifecycle"


@attrs.define(eq=False)
class SchemaBuilder:
    """Builder of schemas that refer to each other: each class has one in ``definitions``, under its name."""

    definitions: dict[str, Schema] = attrs.field(factory=dict, init=False)
    _kinds: dict[str, type] = attrs.field(factory=dict, init=False)
    _accepts_text: bool = attrs.field(default=False, init=False)

    def of(self, kind: Any) -> Schema:
        """Return the schema of a type; for a class, a reference to its definition.

        Raises:
          TypeError: the type has no JSON counterpart.
        """
        if kind is Any:
            return {}
        if kind in _ATOMS:
            return {"type": _ATOMS[kind]}
        if attrs.has(kind):
            return self._refer(kind)
        return self._compound(kind)

    def _compound(self, kind: Any) -> Schema:
        arguments = get_args(kind)
        if is_union(kind):
            return self._union([member for member in arguments if member is not type(None)])
        origin = get_origin(kind)
        if origin is Literal:
            return {"type": "boolean" if isinstance(arguments[0], bool) else "string", "enum": list(arguments)}
        if origin in (list, tuple):
            return {"type": "array", "items": self.of(arguments[0])}
        if origin is dict:
            return {"type": "object", "additionalProperties": self.of(arguments[1])}
        raise TypeError(f"there is no schema for {kind!r}")

    def _union(self, members: list[Any]) -> Schema:
        # None is left out: for an optional field, null means the same as absence.
        parts = [self.of(member) for member in members if member not in SELECTORS]
        if any(member in SELECTORS for member in members):
            parts.insert(0, self._selector())
        return parts[0] if len(parts) == 1 else {"anyOf": parts}

    def _selector(self) -> Schema:
        """Return a reference to the selector union, which has a name because it is used everywhere.

        A field with a converter is one of params, where a selector may be text.
        """
        name = "Selector" if self._accepts_text else "SelectorObject"
        if name not in self.definitions:
            choice = [self.of(kind) for kind in SELECTORS]
            if self._accepts_text:
                choice.insert(0, {"type": "string", "minLength": 1, "maxLength": MAX_SELECTOR_LENGTH})
            self.definitions[name] = {"description": _SELECTOR_NOTES[name], "oneOf": choice}
        return _reference(name)

    def close(self, returned: set[str]) -> None:
        """Refuse unknown fields in selectors, and in all definitions but those of results and events."""
        for name in self.definitions.keys() - returned | set(map(schema_name, SELECTORS)):
            if "properties" in self.definitions.get(name, ()):
                self.definitions[name]["additionalProperties"] = False

    def reached_from(self, names: Iterable[str]) -> set[str]:
        """Return the names of these definitions, and of all that they refer to."""
        reached: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting += references_in(self.definitions[name])
        return reached

    def _refer(self, kind: type) -> Schema:
        name = schema_name(kind)
        if self._kinds.setdefault(name, kind) is not kind:
            raise TypeError(f"{kind!r} and {self._kinds[name]!r} are both {name}")
        if name not in self.definitions:
            self.definitions[name] = {}  # for a class that contains itself
            self.definitions[name] = self._define(kind)
        return _reference(name)

    def _define(self, kind: type) -> Schema:
        attributes = wire_fields(kind)
        tag, descriptions = tag_of(kind), _field_descriptions(kind)
        properties = {"type": {"const": tag}} if tag else {}
        required = ["type"] if tag else []
        schema: Schema = {"type": "object", "description": summary_of(kind), "properties": properties}
        for name, attribute in attributes.items():
            properties[name] = self._field(attribute) | descriptions.get(attribute.name, {})
            also = attribute.metadata.get(fields.ALSO)
            if also:
                properties[also] = properties[name]
            if attribute.default is attrs.NOTHING:
                required += [] if also else [name]
                schema |= {"anyOf": [{"required": [one]} for one in (name, also)]} if also else {}
        if kind.__dict__.get("refuses_unknown"):
            schema["additionalProperties"] = False
        return schema | ({"required": required} if required else {})

    def _field(self, attribute: "attrs.Attribute[Any]") -> Schema:
        outer, self._accepts_text = self._accepts_text, attribute.converter is not None
        schema = _bounded(self.of(attribute.type), attribute.metadata)
        self._accepts_text = outer
        if (pattern := attribute.metadata.get(fields.PATTERN)) is not None:
            schema["pattern"] = f"^(?:{pattern.pattern})$"
        if fields.NAVIGABLE in attribute.metadata:
            schema["format"] = "uri"
        default = _default(attribute)
        return schema if default is None else schema | {"default": default}


def references_in(value: Any) -> Iterator[str]:
    """Yield the names of the definitions that a schema refers to."""
    if isinstance(value, dict) and isinstance(value.get("$ref"), str):
        yield referenced_name(value)
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from references_in(item)


def referenced_name(schema: Schema) -> str:
    """Return the name of the definition that a schema is a reference to."""
    return str(schema["$ref"]).rpartition("/")[2]


def schema_name(kind: type) -> str:
    """Return the name of a class in the contract: its ``schema_name``, or its own, with its group for a method's."""
    if "schema_name" in kind.__dict__:
        return str(kind.__dict__["schema_name"])
    if not kind.__module__.startswith(_METHODS):
        return kind.__name__
    group = kind.__module__.removeprefix(_METHODS).partition("_")[0].capitalize()
    named = group == _UNGROUPED or kind.__name__.startswith(group)
    return kind.__name__ if named else group + kind.__name__


def _reference(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def summary_of(documented: object) -> str:
    """Return the first paragraph of the docstring as Markdown in one line."""
    return to_markdown((inspect.getdoc(documented) or "").partition("\n\n")[0])


def to_markdown(docstring: str) -> str:
    """Return docstring text as Markdown in one line, with wire names instead of Python names."""
    text = " ".join(docstring.replace("``", "`").split())
    return _PYTHON_NAME.sub(lambda name: fields.camel(name[0]), text)


def _field_descriptions(kind: type) -> dict[str, Schema]:
    """Return the docstrings of the fields of a class and its bases, as schemas."""
    descriptions: dict[str, Schema] = {}
    for one in reversed(kind.__mro__):
        descriptions |= _module_descriptions(one.__module__).get(one.__qualname__, {})
    return descriptions


@functools.cache
def _module_descriptions(module: str) -> dict[str, dict[str, Schema]]:
    """Return the field descriptions of a module's classes; none if its source is missing."""
    try:
        tree = ast.parse(inspect.getsource(importlib.import_module(module)))
    except (OSError, TypeError):
        return {}
    return {node.name: dict(_descriptions_of(node)) for node in tree.body if isinstance(node, ast.ClassDef)}


def _descriptions_of(node: ast.ClassDef) -> Iterator[tuple[str, Schema]]:
    for field, below in itertools.pairwise(node.body):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(note))):
                yield name, {"description": to_markdown(note)}


def _bounded(schema: Schema, metadata: Any) -> Schema:
    low, high = metadata.get(fields.MINIMUM), metadata.get(fields.MAXIMUM)
    if "anyOf" in schema:
        return {"anyOf": [_bounded(member, metadata) for member in schema["anyOf"]]}
    if schema.get("type") not in _BOUNDS or "enum" in schema:
        return schema
    bounds = zip(_BOUNDS[schema["type"]], (low, high), strict=True)
    return schema | {name: bound for name, bound in bounds if bound is not None}


def _default(attribute: "attrs.Attribute[Any]") -> Any:
    """Return the default of a field, if it is a plain value."""
    default: Any = attribute.default
    if hasattr(default, "takes_self"):  # an attrs.Factory
        default = default.factory() if default.factory is list else None  # others may depend on the clock
    return unstructure(default) if isinstance(default, bool | int | float | str | list) else None
