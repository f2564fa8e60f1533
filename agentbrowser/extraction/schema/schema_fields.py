"""Extraction query: the schema, flattened into fields with the words that name and describe them."""

import operator
import re
from collections.abc import Sequence
from typing import Any, Final, Literal

import attrs

from agentbrowser.extraction.caching import cached, memoize
from agentbrowser.extraction.schema.concepts import PROSE
from agentbrowser.extraction.schema.topics import QueryTopic
from agentbrowser.extraction.text.words import Words, words
from agentbrowser.protocol import wire
from agentbrowser.protocol.types.extract import ExtractionSchema

_TITLES: Final = PROSE | {"name", "title"}
_FOR_COMMANDS: Final = frozenset(("action", "actions", "button", "buttons", "command", "cta", "label", "link", "links"))
_ISO: Final = re.compile(r"\biso\b|yyyy|8601|machine|\btimestamp\b|\bdatetime\b|\btime element")
_ATTRIBUTE: Final = re.compile(r"\bat+ribut|属性")
_SHOWN: Final = re.compile(r"\b(?:shown|displayed|display|visible|angezeigt|affichée?|mostrad[ao]|visad|vist)\b")
_MOMENT: Final = re.compile(
    r"\bdate$|\btimestamp$|^last (?:login|active|seen|used|run|sync|synced|updated|modified|changed)$|"
    r"\b(?:added|blocked|canceled|cancelled|changed|completed|created|delivered|due|ended|expires?|expired|finished|"
    r"issued|joined|modified|opened|paid|posted|published|received|registered|reported|sent|shipped|signed|started|"
    r"submitted|updated) (?:on|at|since|until)$"
)
_UNIT_NAMES: Final = frozenset((
    "unit", "units", "uom", "einheit", "unité", "unidad", "unità", "unidade", "eenheid", "jednostka", "enhed", "enhet",
    "yksikkö", "jednotka", "birim",
))  # fmt: skip
Scalar = Literal["string", "number", "integer", "boolean"]


@attrs.frozen(kw_only=True, slots=False, eq=False)
class SchemaField:
    """One requested scalar, or list of scalars; ``path`` is its place in its item."""

    path: tuple[str, ...]
    type: Scalar
    name: Words
    hint: Words
    is_many: bool = False
    is_required: bool = False
    plain_name: str = ""
    """Its name in lower-case words."""
    full_text: str = ""
    """Its name and description in lower case."""
    format: str | None = None
    choices: tuple[str, ...] = ()
    is_subject: bool = False
    """True if it names its item, for want of a field called so."""
    outer: Words | None = None
    """Name of the object that it belongs to."""

    @cached
    def concepts(self) -> frozenset[str]:
        """Return the concepts of its name; of its description if the name has none."""
        return self.name.concepts or self.hint.concepts

    @cached
    def wants_image(self) -> bool:
        """True if it is for the address of an image."""
        return self.type == "string" and "image" in self.concepts and "count" not in self.concepts

    @cached
    def wants_link(self) -> bool:
        """True if it is for an address other than of an image."""
        is_link = (
            "link" in self.name.concepts or self.format in ("uri", "url") or self.plain_name in ("download", "pdf")
        )
        return self.type == "string" and is_link and not self.wants_image

    @cached
    def is_address(self) -> bool:
        """True if its name or description mentions addresses."""
        return self.type == "string" and not self.concepts.isdisjoint(("link", "image"))

    @cached
    def is_text(self) -> bool:
        """True if it is for a text other than an address."""
        return self.type == "string" and not self.is_address

    @cached
    def is_number(self) -> bool:
        """True if it is for a number."""
        return self.type in ("number", "integer")

    @cached
    def has_digits(self) -> bool:
        """True if its name has digits: "p95 latency"."""
        return any(map(str.isdigit, self.plain_name))

    @cached
    def is_unit(self) -> bool:
        """True if it is for a unit of measurement, and not for a price per unit."""
        return self.plain_name in _UNIT_NAMES

    @cached
    def is_per(self) -> bool:
        """True if it is for an amount per unit: a price per litre."""
        return "unit" in self.concepts or " per " in f" {self.full_text} "

    @cached
    def wants_iso(self) -> bool:
        """True if it is for a date in ISO form."""
        return self.format in ("date", "date-time") or _ISO.search(self.full_text) is not None

    @cached
    def is_moment(self) -> bool:
        """True if its name or format says that it is for a day or a time: "expiresOn", "lastLogin"."""
        return self.type == "string" and (
            self.format in ("date", "date-time") or _MOMENT.search(self.plain_name) is not None
        )

    @cached
    def takes_commands(self) -> bool:
        """True if its values may read like commands: the words of buttons, and titles, such as that of a task."""
        return bool(self.concepts & _TITLES) or not _FOR_COMMANDS.isdisjoint(self.plain_name.split())

    @cached
    def wants_markup(self) -> bool:
        """True if it is for the value of an attribute."""
        return _ATTRIBUTE.search(self.full_text) is not None

    @cached
    def wants_shown(self) -> bool:
        """True if it is for the text that the page shows."""
        return _SHOWN.search(self.full_text) is not None


@attrs.frozen(kw_only=True)
class ListField:
    """One requested list of objects."""

    path: tuple[str, ...]
    fields: Sequence[SchemaField]
    topic: QueryTopic
    is_required: bool = False


@attrs.frozen(kw_only=True)
class ExtractionQuery:
    """Fields and lists that a client requests, and the topic of the request."""

    is_list: bool
    item: ExtractionSchema
    topic: QueryTopic
    fields: Sequence[SchemaField]
    lists: Sequence[ListField]


_QUERIES: Final[dict[bytes, ExtractionQuery]] = {}
"""Latest queries, by the bytes of the request."""
_MAX_QUERIES: Final = 100
_MAX_CACHED_BYTES: Final = 10_000
_MAX_FIELDS: Final = 1000
_INTERNED: Final[dict[tuple[Any, ...], SchemaField]] = {}
_ATTRIBUTES: Final = operator.attrgetter(*(part.name for part in attrs.fields(SchemaField)))


def interned(field: SchemaField) -> SchemaField:
    """Return the same object for equal fields, so that caches by field find it at once."""
    if len(_INTERNED) >= _MAX_FIELDS:
        _INTERNED.clear()
    return _INTERNED.setdefault(_ATTRIBUTES(field), field)


def extraction_query(schema: ExtractionSchema, mode: str | None, instruction: str | None) -> ExtractionQuery:
    """Return the query of a request. Queries are cached: clients send the same one for many pages."""
    request = wire.dump([schema, mode, instruction])
    if (query := _QUERIES.get(request)) is None:
        query = _query_of(schema, mode, instruction)
        if len(request) <= _MAX_CACHED_BYTES:
            if len(_QUERIES) >= _MAX_QUERIES:
                _QUERIES.clear()
            _QUERIES[request] = query
    return query


def _query_of(schema: ExtractionSchema, mode: str | None, instruction: str | None) -> ExtractionQuery:
    is_array = schema.type == "array"
    item = (schema.items or ExtractionSchema(type="string")) if is_array else schema
    is_list = is_array or mode in ("list", "table")
    described = item.description if is_array else None
    topic = QueryTopic.of(instruction, schema.description, described, is_table=mode == "table")
    flat, lists = _flatten(item, (), topic.about)
    fields = list(map(interned, flat))
    return ExtractionQuery(is_list=is_list, item=item, topic=topic, fields=fields, lists=lists)


def _flatten(
    schema: ExtractionSchema, path: tuple[str, ...], about: Words
) -> tuple[list[SchemaField], list[ListField]]:
    if schema.type != "object":
        field = _scalar_field(schema, path, "", is_required=True)
        return [
            attrs.evolve(field, name=about, full_text=field.full_text or " ".join(word.stem for word in about.all))
        ], []
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
            topic = QueryTopic.of(_spaced(name), inner.description)
            lists.append(ListField(path=here, fields=list(map(interned, below)), topic=topic, is_required=is_required))
        else:
            fields.append(_scalar_field(inner, here, name, is_required=is_required))
    return _with_subject(fields), lists


_SUBJECTS: Final = frozenset(("name", "title", "thing", "job", "question", "term"))
_ASIDES: Final = frozenset(
    ("link", "image", "date", "time", "price", "email", "phone", "id", "rank", "currency", "departure", "version")
)


def _with_subject(fields: list[SchemaField]) -> list[SchemaField]:
    """Mark the first text as the name of the item, if no field is called so."""
    texts = [field for field in fields if field.type == "string" and not field.is_many]
    if any(field.concepts & _SUBJECTS for field in texts):
        return fields
    first = next((field for field in texts if not field.concepts & _ASIDES), None)
    return [attrs.evolve(field, is_subject=True) if field is first else field for field in fields]


def subject_of(fields: Sequence[SchemaField]) -> int:
    """Return the place of the field that names the item: the first text that does, else the first field."""
    is_subject = (
        field.is_subject or (field.type == "string" and bool(field.name.concepts & _SUBJECTS)) for field in fields
    )
    return next((place for place, it in enumerate(is_subject) if it), 0)


def _scalar_field(schema: ExtractionSchema, path: tuple[str, ...], name: str, *, is_required: bool) -> SchemaField:
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
        plain_name=_spaced(name).lower(),
        full_text=f"{_spaced(name)} {described}".lower(),
        format=schema.format,
        choices=tuple(str(choice) for choice in schema.enum or ()),
    )


@memoize
def _spaced(name: str) -> str:
    return "".join(f" {mark}" if mark.isupper() else mark for mark in name).replace("_", " ")
