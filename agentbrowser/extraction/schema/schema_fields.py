"""What is asked for: the schema, flattened into single wishes with the words that describe them."""

import operator
import re
from collections.abc import Sequence
from typing import Any, Final, Literal

import attrs

from agentbrowser.extraction.caching import cached, memoize
from agentbrowser.extraction.schema.topics import Topic
from agentbrowser.extraction.text.words import Words, words
from agentbrowser.protocol import wire
from agentbrowser.protocol.types.extract import ExtractionSchema

_ISO: Final = re.compile(r"\biso\b|yyyy|8601|machine|\btimestamp\b|\bdatetime\b|\btime element")
_ATTRIBUTE: Final = re.compile(r"\bat+ribut|属性")
_SHOWN: Final = re.compile(r"\b(?:shown|displayed|display|visible|angezeigt|affichée?|mostrad[ao]|visad|vist)\b")
_UNIT_NAMES: Final = frozenset((
    "unit", "units", "uom", "einheit", "unité", "unidad", "unità", "unidade", "eenheid", "jednostka", "enhed", "enhet",
    "yksikkö", "jednotka", "birim",
))  # fmt: skip
Scalar = Literal["string", "number", "integer", "boolean"]


@attrs.frozen(kw_only=True, slots=False, eq=False)
class SchemaField:
    """One scalar, or one list of scalars, that is asked for; ``path`` is where it goes in its item."""

    path: tuple[str, ...]
    type: Scalar
    name: Words
    hint: Words
    is_many: bool = False
    is_required: bool = False
    called: str = ""
    """Its name, in lower case words."""
    said: str = ""
    """Name and description together, in lower case."""
    format: str | None = None
    choices: tuple[str, ...] = ()
    is_subject: bool = False
    """Whether it is what its thing is called, for want of a property that says so."""
    outer: Words | None = None
    """What the object that it belongs to is called."""

    @cached
    def concepts(self) -> frozenset[str]:
        """What its name may stand for; its description's where the name says nothing."""
        return self.name.concepts or self.hint.concepts

    @cached
    def wants_image(self) -> bool:
        """Whether the address of an image is asked for."""
        return self.type == "string" and "image" in self.concepts and "count" not in self.concepts

    @cached
    def wants_link(self) -> bool:
        """Whether an address is asked for that is not of an image."""
        is_link = "link" in self.name.concepts or self.format in ("uri", "url") or self.called in ("download", "pdf")
        return self.type == "string" and is_link and not self.wants_image

    @cached
    def is_address(self) -> bool:
        """Whether it speaks of addresses."""
        return self.type == "string" and not self.concepts.isdisjoint(("link", "image"))

    @cached
    def is_text(self) -> bool:
        """Whether it is a text, and not an address."""
        return self.type == "string" and not self.is_address

    @cached
    def is_number(self) -> bool:
        """Whether it is a number of some sort."""
        return self.type in ("number", "integer")

    @cached
    def is_unit(self) -> bool:
        """Whether it is what something is measured in, and not the price of so much."""
        return self.called in _UNIT_NAMES

    @cached
    def is_per(self) -> bool:
        """Whether it is for so much of something: a price per litre."""
        return "unit" in self.concepts or " per " in f" {self.said} "

    @cached
    def wants_iso(self) -> bool:
        """Whether a date is asked for as machines write it."""
        return self.format in ("date", "date-time") or _ISO.search(self.said) is not None

    @cached
    def wants_markup(self) -> bool:
        """Whether what an attribute says is asked for."""
        return _ATTRIBUTE.search(self.said) is not None

    @cached
    def wants_shown(self) -> bool:
        """Whether what the page shows is asked for."""
        return _SHOWN.search(self.said) is not None


@attrs.frozen(kw_only=True)
class ListField:
    """A list of objects that is asked for."""

    path: tuple[str, ...]
    fields: Sequence[SchemaField]
    topic: Topic
    is_required: bool = False


@attrs.frozen(kw_only=True)
class ExtractionQuery:
    """The whole of what is asked for."""

    schema: ExtractionSchema
    is_list: bool
    item: ExtractionSchema
    topic: Topic
    fields: Sequence[SchemaField]
    lists: Sequence[ListField]


_WHOLE: Final = ()
_ASKED: Final[dict[bytes, ExtractionQuery]] = {}
"""What was read of the schemas that were asked for."""
_MOST_ASKED: Final = 100
_LONGEST: Final = 10_000
"""What takes more than so many bytes to ask for is not remembered."""
_MOST: Final = 1000
_KNOWN: Final[dict[tuple[Any, ...], SchemaField]] = {}
_PARTS: Final = operator.attrgetter(*(part.name for part in attrs.fields(SchemaField)))


def known(field: SchemaField) -> SchemaField:
    """Return the same object for the same wish, which is found at once in what is remembered by it."""
    if len(_KNOWN) >= _MOST:
        _KNOWN.clear()
    return _KNOWN.setdefault(_PARTS(field), field)


def asked(schema: ExtractionSchema, mode: str | None, instruction: str | None) -> ExtractionQuery:
    """Return what a schema asks for, in the way that the mode says: of many pages mostly the same."""
    told = wire.dump([schema, mode, instruction])
    if (read := _ASKED.get(told)) is None:
        read = _read(schema, mode, instruction)
        if len(told) <= _LONGEST:
            if len(_ASKED) >= _MOST_ASKED:
                _ASKED.clear()
            _ASKED[told] = read
    return read


def _read(schema: ExtractionSchema, mode: str | None, instruction: str | None) -> ExtractionQuery:
    is_array = schema.type == "array"
    item = (schema.items or ExtractionSchema(type="string")) if is_array else schema
    is_list = is_array or mode in ("list", "table")
    described = item.description if is_array else None
    topic = Topic.of(instruction, schema.description, described, is_table=mode == "table")
    flat, lists = _flatten(item, _WHOLE, topic.about)
    fields = list(map(known, flat))
    return ExtractionQuery(schema=schema, is_list=is_list, item=item, topic=topic, fields=fields, lists=lists)


def _flatten(
    schema: ExtractionSchema, path: tuple[str, ...], about: Words
) -> tuple[list[SchemaField], list[ListField]]:
    if schema.type != "object":
        field = _wish(schema, path, "", is_required=True)
        return [attrs.evolve(field, name=about, said=field.said or " ".join(word.stem for word in about.all))], []
    fields: list[SchemaField] = []
    lists: list[ListField] = []
    for name, inner in (schema.properties or {}).items():
        is_required = name in (schema.required or ())
        here = (*path, name)
        if inner.type == "object" and inner.properties:
            deeper, more = _flatten(inner, here, about)
            outer = words(name)
            fields += [
                attrs.evolve(field, outer=outer, is_required=field.is_required and is_required) for field in deeper
            ]
            lists += [attrs.evolve(one, is_required=one.is_required and is_required) for one in more]
        elif inner.type == "array" and inner.items is not None and inner.items.type == "object":
            below, _ = _flatten(inner.items, (), about)
            called = Topic.of(_spaced(name), inner.description)
            lists.append(ListField(path=here, fields=list(map(known, below)), topic=called, is_required=is_required))
        else:
            fields.append(_wish(inner, here, name, is_required=is_required))
    return _with_subject(fields), lists


_SUBJECTS: Final = frozenset(("name", "title", "thing", "job", "question", "term"))
_ASIDES: Final = frozenset(
    ("link", "image", "date", "time", "price", "email", "phone", "id", "rank", "currency", "departure", "version")
)


def _with_subject(fields: list[SchemaField]) -> list[SchemaField]:
    """Take the first text that is asked for to be the name of the thing, where none is called so."""
    texts = [field for field in fields if field.type == "string" and not field.is_many]
    if any(field.concepts & _SUBJECTS for field in texts):
        return fields
    first = next((field for field in texts if not field.concepts & _ASIDES), None)
    return [attrs.evolve(field, is_subject=True) if field is first else field for field in fields]


def subject_of(fields: Sequence[SchemaField]) -> int:
    """Return the place of what things are called by: the first text that is, else the first of all."""
    is_subject = (
        field.is_subject or (field.type == "string" and bool(field.name.concepts & _SUBJECTS)) for field in fields
    )
    return next((place for place, it in enumerate(is_subject) if it), 0)


def _wish(schema: ExtractionSchema, path: tuple[str, ...], name: str, *, is_required: bool) -> SchemaField:
    is_many = schema.type == "array"
    kind: Any = (schema.items.type if schema.items else "string") if is_many else schema.type
    if kind in ("object", "array"):
        kind = "string"
    described = " ".join(filter(None, (schema.description, schema.items.description if schema.items else None)))
    return SchemaField(
        path=path,
        type=kind,
        name=words(name),
        hint=words(described),
        is_many=is_many,
        is_required=is_required,
        called=_spaced(name).lower(),
        said=f"{_spaced(name)} {described}".lower(),
        format=schema.format,
        choices=tuple(str(choice) for choice in schema.enum or ()),
    )


@memoize
def _spaced(name: str) -> str:
    return "".join(f" {mark}" if mark.isupper() else mark for mark in name).replace("_", " ")
