"""Headers of a table that are exactly a field's name: these decide, whatever the values look like."""

from collections.abc import Sequence
from itertools import chain
from typing import Final, Protocol, TypeVar

import attrs

from agentbrowser.extraction.caching import memoize
from agentbrowser.extraction.columns.column import Column, Group
from agentbrowser.extraction.columns.page_names import Relation
from agentbrowser.extraction.match.form_evidence import form_evidence
from agentbrowser.extraction.schema.concepts import DATES, PEOPLE, TIMES
from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.text.words import Words, likeness, words

_ADDRESS_KINDS: Final = frozenset(("href", "src"))
_SHOWN_KINDS: Final = frozenset(("text", "own"))
_NAME_CONCEPTS: Final = frozenset(("name", "title"))
_HEADLESS_KINDS: Final = frozenset(("table", "rows", "repeat"))
_MIN_HEADERS: Final = 2
_MAX_KEYS: Final = 16
"""Number of a column's texts that are compared with the names of fields."""
_SAME_NAME_LIKENESS: Final = 0.93
"""Least similarity of a name without a value that is the field's own, as synonyms have."""
_MOMENT_CONCEPTS: Final = frozenset(("due", "published", "updated", "birth", "founded", "death"))
"""Concepts of dates of which one is never another."""
_PLACE_CONCEPTS: Final = frozenset(("venue", "stadium", "location", "city", "country", "hall", "address", "status"))
"""Concepts of names whose values are never people."""
_FEW_ITEMS: Final = 3
_MIN_PLAIN_TRUST: Final = 0.8
"""Least trust in a label that names a column plainly."""
_MIN_NAME_TRUST: Final = 0.5
"""Least trust in a name that says which person a column names."""
_MIN_KIND_SIMILARITY: Final = 0.5
"""Least similarity of a name that may be the field's though it means another kind of person or moment."""
_MIN_NAME_SIMILARITY: Final = 0.3
"""Least similarity of a name that counts as a name for the field."""
_MIN_LETTERS: Final = 3
"""Least length of the words of a label that means something: "P" may be points or played."""
_MIN_NAMED_SHARE: Final = 0.5
"""Least share of the fields that a row of headers names."""


def is_headed(field: SchemaField, column: Column) -> bool:
    """Return True if the header of a column is exactly the field's name."""
    return bool(column.heads) and _name(field) in (_folded(" ".join(column.heads)), _folded(column.heads[-1]))


def is_headed_as(field: SchemaField, column: Column) -> bool:
    """Return True if a column's header is exactly the field's name, and it has links only if the field is for these.

    The links of a column's texts may be those of another field, for the addresses of the items.
    """
    return is_headed(field, column) and (field.is_address or column.kind not in _ADDRESS_KINDS)


def lists_properties(fields: Sequence[SchemaField], group: Group) -> bool:
    """Return True if the rows of a group are the properties of items: a column's texts are names of the fields.

    A column with such a name of its own is one of items, as in a table of parameters called "name" and "type".
    """
    names = set(map(_name, fields))
    texts = [set(map(_folded, column.texts[:_MAX_KEYS])) for column in group.columns if column.kind in _SHOWN_KINDS]
    if len(names) < _MIN_HEADERS or max((len(names & keys) for keys in texts), default=0) < _MIN_HEADERS:
        return False
    labels = chain.from_iterable([*column.heads, *(label.text for label in column.labels)] for column in group.columns)
    return names.isdisjoint(map(_folded, labels))


class _Named(Protocol):
    """A match of a field with a column."""

    @property
    def name(self) -> float:
        """The similarity of the column's names to the field's."""
        ...


_T = TypeVar("_T", bound=_Named)


def decide_by_headers(
    fields: Sequence[SchemaField],
    columns: Sequence[Column],
    matches: Sequence[list[_T | None]],
    unfilled: Sequence[str],
) -> None:
    """Remove the matches that the headers rule out.

    A column whose header is exactly a field's name belongs to that field alone, and the field gets no other column. A
    field whose header has no values gets none. In a table with headers, a text column without one needs another proof:
    a name, the form of its values, or a place before the first header.
    """
    headed = [[is_headed_as(field, column) for column in columns] for field in fields]
    owned = list(map(any, zip(*headed, strict=True)))
    nameless = _without_header(columns)
    for field, row, own in zip(fields, matches, headed, strict=True):
        is_named = any(own) or (bool(unfilled) and is_unfilled(field, unfilled, is_named=any(own)))
        for at, match in enumerate(row):
            if match is None or own[at]:
                continue
            is_leftover = (
                at in nameless and match.name < _MIN_NAME_SIMILARITY and not _is_known_by_form(field, columns[at])
            )
            if is_named or owned[at] or is_leftover:
                row[at] = None


def _is_known_by_form(field: SchemaField, column: Column) -> bool:
    """Return True if the form of values is the field's own. That of people's names is too common to prove one."""
    return field.concepts.isdisjoint(PEOPLE) and form_evidence(field, column) > 0


def _without_header(columns: Sequence[Column]) -> set[int]:
    """Return the places of text columns behind the first header that have none, if most text columns have one."""
    texts = [(at, column) for at, column in enumerate(columns) if column.kind == "text" and not column.is_over]
    headed = [column.order for _, column in texts if column.heads]
    if not headed or len(headed) * 2 < len(texts):
        return set()
    return {at for at, column in texts if not column.heads and column.order > min(headed)}


def look_under_header(field: SchemaField, column: Column, look: float) -> float:
    """Return the likelihood of values' form. A header that is exactly a text's name goes before a form for none.

    Words have several meanings: the "Site" of a measurement is no link, and the "Cover" of an insurance no image.
    """
    is_text = look < 0 and field.type == "string" and field.format is None and column.kind in _SHOWN_KINDS
    return 0.0 if is_text and is_headed(field, column) else look


def names_items(field: SchemaField) -> bool:
    """Return True if a field is called name or title and nothing else, of whatever the items are."""
    return (
        field.type == "string" and len(field.name.all) == 1 and not field.name.last.concepts.isdisjoint(_NAME_CONCEPTS)
    )


def is_unfilled(field: SchemaField, names: Sequence[str], *, is_named: bool) -> bool:
    """Return True if the page has the field's name, with nothing under or behind it: the value is none.

    Args:
      names: the names without values.
      is_named: True if a value of the page has exactly the field's name.
    """
    return not is_named and any(likeness(field.name, words(name)) >= _SAME_NAME_LIKENESS for name in names)


def names_another(field: SchemaField, column: Column, similarity: float) -> bool:
    """Return True if the page plainly names a column as another property: "Posted" is no closing date.

    Args:
      similarity: the similarity of the column's names to the field.
    """
    if field.is_address:
        return False
    known = field.concepts | field.hint.concepts
    if "phone" in known and "fax" not in known and _is_fax(column):
        return True
    if similarity < _MIN_KIND_SIMILARITY and not field.concepts.isdisjoint(PEOPLE):
        found = [
            phrase.concepts & PEOPLE for names in column.sources for phrase, trust in names if trust >= _MIN_NAME_TRUST
        ]
        if (others := [kinds for kinds in found if kinds]) and all(kinds.isdisjoint(known) for kinds in others):
            return True
    if similarity < _MIN_NAME_SIMILARITY and not field.concepts.isdisjoint(PEOPLE):
        found = [phrase.concepts for names in column.sources for phrase, trust in names if trust >= _MIN_NAME_TRUST]
        if (others := [kinds for kinds in found if kinds]) and all(kinds & _PLACE_CONCEPTS for kinds in others):
            return True
    labels = [phrase for phrase in _plain_labels(column) if phrase.concepts]
    if not labels:
        return False
    # Whatever its classes are called: an "Assignee" of the class "user" is no reporter.
    is_other = any(_are_of_another(field, labels, kinds) for kinds in (_MOMENT_CONCEPTS, PEOPLE))
    if is_other and max(likeness(field.name, phrase) for phrase in labels) < _MIN_KIND_SIMILARITY:
        return True
    is_clear = all(len(word.stem) >= _MIN_LETTERS for phrase in labels for word in phrase.all)
    is_dated = not known.isdisjoint(DATES)
    return (
        similarity < _MIN_NAME_SIMILARITY
        and is_clear
        and bool(known)
        and all(phrase.reach.isdisjoint(known) for phrase in labels)
        and not (is_dated and all(phrase.concepts & (DATES | TIMES) for phrase in labels))
    )


def _are_of_another(field: SchemaField, labels: Sequence[Words], kinds: frozenset[str]) -> bool:
    """Return True if all labels mean one of some kinds of moments or people, and the field another of them."""
    asked = field.name.concepts & kinds or field.hint.concepts & kinds
    found = [phrase.concepts & kinds for phrase in labels]
    return bool(asked) and all(found) and all(one.isdisjoint(asked) for one in found)


def _is_fax(column: Column) -> bool:
    """Return True if the words before a number end in "Fax": its form is that of a telephone number."""
    before = [phrase for names in (column.sources.labels, column.sources.near) for phrase, trust in names]
    return any(phrase.all and "fax" in phrase.all[-1].concepts and "phone" not in phrase.concepts for phrase in before)


def _plain_labels(column: Column) -> list[Words]:
    """Return its headers, its labels and its keys in data: not the heading of its section."""
    heads = [words(" ".join(column.heads))] if column.heads else []
    named = [name for name, trust in column.data_names if trust >= _MIN_PLAIN_TRUST]
    beside = [
        words(label.text)
        for label, count in column.labels.items()
        if label.relation == Relation.NAME and _is_usual(column, count)
    ]
    return [*heads, *beside, *named]


def _is_usual(column: Column, count: int) -> bool:
    """Return True if a label stands beside most values: another one is the name of a single item."""
    return count * 2 >= len(column.rows) and (count > 1 or column.total < _FEW_ITEMS)


def with_headers(group: Group, fields: Sequence[SchemaField]) -> Group:
    """Return a group whose first row, if it is exactly the fields' names, has become its headers.

    A name that comes again in the next rows is a label of each item.
    """
    if group.kind not in _HEADLESS_KINDS or group.total < _MIN_HEADERS or any(column.heads for column in group.columns):
        return group
    first = [
        column.texts[0]
        if column.rows
        and column.rows[0] == 0
        and not column.is_many
        and column.texts[0] not in column.texts[1:_MAX_KEYS]
        else ""
        for column in group.columns
    ]
    names = {_name(field) for field in fields}
    found = {text for text in map(_folded, filter(None, first)) if text in names}
    if len(found) < _MIN_HEADERS or len(found) < _MIN_NAMED_SHARE * len(names):
        return group
    places = {row: row - 1 for row in range(1, group.total)}
    columns = [
        attrs.evolve(without_rows(column, places), heads=[text] if text else [])
        for column, text in zip(group.columns, first, strict=True)
    ]
    return attrs.evolve(group, total=group.total - 1, columns=[column for column in columns if column.rows])


def without_rows(column: Column, places: dict[int, int]) -> Column:
    """Return a column with only some rows, at new places."""
    kept = [at for at, row in enumerate(column.rows) if row in places]
    return attrs.evolve(
        column,
        total=len(places),
        rows=[places[column.rows[at]] for at in kept],
        texts=[column.texts[at] for at in kept],
        spots=[column.spots[at] for at in kept],
        twins=[[spots[at] for at in kept] for spots in column.twins],
    )


def _name(field: SchemaField) -> str:
    """Return the folded name of a field, with the name of its object."""
    outer = "".join(word.stem for word in field.outer.all) if field.outer else ""
    return outer + _folded(field.plain_name)


@memoize
def _folded(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))
