"""Parts of postal addresses that a field requests: street, town, postal code, region and country."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.page_names import Relation
from agentbrowser.extraction.columns.prose_values import PROSE
from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.text.kinds import date_in
from agentbrowser.extraction.text.words import Words, coverage, words

_LONGEST: Final = 200
_LONGEST_PIECE: Final = 60
_FOLLOWING: Final = 14
"""Number of facts after a text that may be its lines."""
_SURE: Final = 0.9
"""Evidence of a part: the form of its address proves it."""
_LIKE: Final = 0.6
"""Least share of the words of an object's name in the label of its address."""
_PARTS: Final = ("street", "city", "postcode", "region", "country")
_PLAIN: Final = frozenset(("address", "postcode", "city", "region", "country", "name", "code", "location"))
_STREET: Final = frozenset(("street", "address1", "line1", "road", "strasse", "straße", "rue", "calle", "via"))
_OF_STREET: Final = frozenset((*_STREET, "line", "1", "one", "address", "name", "number", "and"))
_GENERAL: Final = frozenset(("address", "location", "headquarters", "venue", "contact"))
"""Concepts of objects that are the address itself."""
_LABEL: Final = re.compile(r"^[^\W\d_]+\s?[:：]\s+")
_SIDES: Final = (
    frozenset(("shipping", "delivery", "delivered", "shipped", "recipient")),
    frozenset(("buyer", "invoice", "customer", "payment")),
)
"""Concepts of the two addresses of an order."""
_BEHIND: Final = frozenset((Relation.AFTER, Relation.BETWEEN))
"""Relations of labels behind an address, which do not name it."""
_NUMBERED: Final = re.compile(r"\d")
_COUNTRY: Final = re.compile(r"[^\W\d_]{2,}(?:[ -][^\W\d_]+){0,3}")
_PIECES: Final = re.compile(r",\s+|\s+·\s+|\n+")
_TOWN: Final = r"(?P<city>[^\W\d_][^\d,;:]{1,40}?)"
_FORMS: Final = tuple(
    re.compile(form)
    for form in (
        rf"{_TOWN},?\s(?P<region>[A-Z]{{2}})\s(?P<postcode>\d{{5}}(?:-\d{{4}})?)",
        r"(?P<region>[A-Z]{2})\s(?P<postcode>\d{5}(?:-\d{4})?)",
        rf"(?:{_TOWN},?\s)?(?P<postcode>[A-Z]{{1,2}}\d[A-Z\d]?\s?\d[A-Z]{{2}}|[A-Z]\d[\dW]\s[A-Z\d]{{4}})",
        rf"(?:{_TOWN},?\s)?(?:(?P<region>[A-Z]{{2}})\s)?(?P<postcode>[A-Z]\d[A-Z]\s?\d[A-Z]\d)",
        rf"(?:[A-Z]{{1,2}}-)?(?P<postcode>\d{{5}}|\d{{4}}(?:\s[A-Z]{{2}})?|\d{{3}}\s\d\d|\d\d-\d{{3}})\s{_TOWN}",
    )
)
"""Lines with a postal code: American, British and Irish, Canadian, continental."""


@attrs.frozen
class _Address:
    """An address of the page, by its parts, with the text before it."""

    parts: dict[str, str]
    fact: Column
    label: str


def address_value(field: SchemaField, facts: Sequence[Column]) -> Column | None:
    """Return the part of the page's address that a field requests; None without one, or if several may be meant.

    Args:
      facts: the page's facts; addresses that items repeat are of none.
    """
    part = _part_of(field)
    if part is None:
        return None
    found = [one for one in _addresses(facts) if field.outer is not None or not one.fact.is_repeated]
    if field.outer is not None and not field.outer.concepts <= _GENERAL:
        found = [one for one in found if _belongs(one, field.outer)]
    values = {one.parts[part]: one for one in found if part in one.parts}
    if len(values) != 1 or len({_key(one) for one in found}) != 1:
        return None
    ((text, one),) = values.items()
    names = [(field.plain_name, _SURE)]
    return attrs.evolve(one.fact, key=PROSE, kind="part", texts=[text], labels={}, hints=[], names=names)


def _belongs(address: _Address, owner: Words) -> bool:
    """Return True if the label of an address names its object: "Delivering to" for a shipping address."""
    label = words(address.label)
    is_alike = any(side & owner.concepts and side & label.concepts for side in _SIDES)
    specific = tuple(word for word in owner.all if not word.concepts & _GENERAL)
    return is_alike or (bool(specific) and coverage(Words(specific), label) >= _LIKE)


def _key(address: _Address) -> str:
    return address.parts["postcode"] + address.parts.get("street", "")


def _part_of(field: SchemaField) -> str | None:
    """Return the part that a field is for; None for another field: a town of birth is not the address's."""
    if field.type != "string" or field.is_many or not field.path:
        return None
    name_words = field.plain_name.split()
    if not _STREET.isdisjoint(name_words):
        return "street" if _OF_STREET.issuperset(name_words) else None
    if not all(word.concepts & _PLAIN for word in field.name.all) or name_words[:1] in (["to"], ["from"]):
        return None
    return next((part for part in _PARTS if part in field.name.last.concepts), None)


def _addresses(facts: Sequence[Column]) -> Iterator[_Address]:
    for at, fact in enumerate(facts):
        if fact.kind != "text" or len(fact.texts[0]) > _LONGEST or not _NUMBERED.search(fact.texts[0]):
            continue
        lines = _lines(fact, facts, at)
        if (parts := _parts(lines)) is not None:
            before = fact.texts[0].partition(parts.get("street", parts["postcode"]))[0]
            labels = " ".join(text for relation, text in fact.labels if relation not in _BEHIND)
            yield _Address(parts, fact, f"{fact.section} {labels} {before}")


def _lines(fact: Column, facts: Sequence[Column], at: int) -> list[str]:
    """Return the lines of an address, which the page breaks or which commas separate."""
    following = facts[at + 1 : at + _FOLLOWING]
    parts = [other.texts[0] for other in following if other.spots[0] == fact.spots[0] and other.kind == "part"]
    parts = [text for text in parts if text in fact.texts[0]]
    broken = [text for text in parts if not any(text != other and text in other for other in parts)]
    if len(broken) > 1:
        return broken
    return [piece for piece in _PIECES.split(fact.texts[0].strip(" .")) if piece]


def _parts(lines: Sequence[str]) -> dict[str, str] | None:
    """Return the parts of an address by its line with a postal code, which a street must precede."""
    pieces = [line.strip(" .,") for line in lines]
    if len(pieces) == 1 or all(len(piece) > _LONGEST_PIECE for piece in pieces):
        return None
    for at, piece in enumerate(pieces):
        match = next((match for form in _FORMS if (match := form.fullmatch(piece))), None)
        if match is None or date_in(piece):
            continue
        parts = {name: text for name, text in match.groupdict().items() if text}
        before = pieces[:at]
        if "city" not in parts and before and not _NUMBERED.search(before[-1]):
            parts["city"] = before.pop()
        street = _street(before)
        if street is None or not parts.get("city", "")[:1].isupper():
            continue
        parts["street"] = street
        if at + 1 < len(pieces) and _COUNTRY.fullmatch(pieces[at + 1]):
            parts["country"] = pieces[at + 1]
        return parts
    return None


def _street(before: Sequence[str]) -> str | None:
    """Return the line before the town, which has a number."""
    if not before or len(before[-1]) > _LONGEST_PIECE or date_in(before[-1]):
        return None
    street = _LABEL.sub("", before[-1])
    return street if _NUMBERED.search(street) else None
