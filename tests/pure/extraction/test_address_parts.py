"""Parts of postal addresses: by the line with a postal code, and by the label that names whose address it is."""

from collections.abc import Sequence

import attrs
import pytest

from agentbrowser.extraction.columns.address_parts import address_value
from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.page_names import PageLabel, Relation
from agentbrowser.extraction.text.words import words
from tests.pure.extraction.test_evidence_rules import field


def lines(*texts: str, label: str = "", spot: int = 7) -> list[Column]:
    """Return the text of an address with its lines, as the page gives them."""
    names = {PageLabel(Relation.NAME, label): 1} if label else {}
    whole = Column("fact0", "text", "p", 1, [0], [" ".join(texts)], [spot], labels=names)
    parts = [Column("fact1", "part", "p", 1, [0], [text], [spot]) for text in texts] if len(texts) > 1 else []
    return [whole, *parts]


def told(facts: Sequence[Column], name: str, outer: str = "") -> str | None:
    """Return the part that a property requests; None without one."""
    asked = attrs.evolve(field(name), outer=words(outer) if outer else None)
    found = address_value(asked, facts)
    return None if found is None else found.texts[0]


LIBRARY = lines("218 Old Millrace Road", "Tannersville, OH 44099")
CLINIC = lines("14 Fernhill Road, London N6 5QX")
FLAT = lines("Erwinstraße 27, 79102 Freiburg im Breisgau, Deutschland")
SHIPPED = lines("Delivering to", "Rosalind Ott", "Flat 3, 18 Beck Lane", "Kendal", "LA9 4QT", "United Kingdom")
BILLED = lines("Billing", "Ott Ltd", "Unit 9, Mill Yard", "Kendal", "LA9 7DF", "United Kingdom", spot=8)


@pytest.mark.parametrize(
    ("facts", "name", "value"),
    [
        (LIBRARY, "street", "218 Old Millrace Road"),
        (LIBRARY, "city", "Tannersville"),
        (LIBRARY, "state", "OH"),
        (LIBRARY, "zip", "44099"),
        (CLINIC, "postcode", "N6 5QX"),
        (CLINIC, "town", "London"),
        (FLAT, "street", "Erwinstraße 27"),
        (FLAT, "city", "Freiburg im Breisgau"),
        (FLAT, "country", "Deutschland"),
        (SHIPPED, "city", "Kendal"),
        (lines("Markt 1, 5591 AB Veldhoek"), "postalCode", "5591 AB"),
    ],
)
def test_an_address_has_its_parts(facts: Sequence[Column], name: str, value: str) -> None:
    assert told(facts, name) == value


@pytest.mark.parametrize(
    ("facts", "name"),
    [
        (CLINIC, "state"),
        (CLINIC, "country"),
        (CLINIC, "birthCity"),
        (CLINIC, "cityCount"),
        (CLINIC, ""),
        (CLINIC, "__"),
        (lines("1284 argomenti, Pagina 1 di 117"), "city"),
        (lines("12 May 2024, 2024 Berlin"), "city"),
        (lines("Berlin, Germany"), "city"),
        ([*LIBRARY, *FLAT], "city"),
        ([attrs.evolve(one, is_repeated=True) for one in CLINIC], "city"),
    ],
)
def test_another_text_or_one_of_several_addresses_is_no_part(facts: Sequence[Column], name: str) -> None:
    assert told(facts, name) is None


def test_the_label_says_whose_address_it_is() -> None:
    facts = [*SHIPPED, *BILLED]
    assert told(facts, "street", "shipping address") == "Flat 3, 18 Beck Lane"
    assert told(facts, "street", "billing address") == "Unit 9, Mill Yard"
    assert told(facts, "street", "seller") is None
    assert told(LIBRARY, "street", "seller") is None
    assert told(LIBRARY, "street", "address") == "218 Old Millrace Road"
