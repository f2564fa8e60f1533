"""Values that sentences hold are found with the words around them; what stands for itself is not found twice."""

import pytest

from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.sentence_values import with_sentence_values


def _fact(text: str, *, kind: str = "text", is_repeated: bool = False) -> Column:
    return Column(key="", kind=kind, tag="p", total=1, rows=[0], texts=[text], spots=[7], is_repeated=is_repeated)


@pytest.mark.parametrize(
    ("text", "value", "labels"),
    [
        ("Versandkosten 5,90 €, ab heute wieder.", "5,90 €", ["bVersandkosten"]),
        ("Call 01632 960 808, Tuesday to Saturday.", "01632 960 808", ["bCall"]),
        ("Write to ann.b@club.example before you come.", "ann.b@club.example", ["bWrite to", "wbefore you come."]),
        ("Updated on 21/11/2026 23:40. Any questions?", "21/11/2026 23:40", ["bUpdated on"]),
        ("Houses from £20,000 near the old harbour", "£20,000", ["bHouses from", "wnear the old"]),
    ],
)
def test_values_of_sentences(text: str, value: str, labels: list[str]) -> None:
    """A price, a number of a telephone, an address, a date."""
    sentence, found = with_sentence_values([_fact(text)])
    assert sentence.texts == [text]
    assert (found.kind, found.texts, found.spots, list(found.labels)) == ("part", [value], [7], labels)


@pytest.mark.parametrize("text", ["5,90 €", "from 20,000 euros to go", "There is room for 24 boats and 9 cars here."])
def test_what_is_no_sentence_or_has_no_such_value(text: str) -> None:
    """Nothing is found in what is a value itself, or only counts something."""
    assert len(with_sentence_values([_fact(text)])) == 1


def test_values_of_their_own_and_repeated_texts() -> None:
    """What an element of its own holds is there already; one of many things is no place to look at."""
    text = "Shipping is 5,90 € within the country."
    assert len(with_sentence_values([_fact(text), _fact("5,90 €")])) == 2
    assert len(with_sentence_values([_fact(text, is_repeated=True)])) == 1


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        ("Rosalie Tichelaar.", "Rosalie Tichelaar"),
        ("0800 555 0199.", "0800 555 0199"),
        ("26.11.", "26.11."),
        ("b.v.", "b.v."),
    ],
)
def test_ends_of_sentences(text: str, ended: str) -> None:
    """A part that ends a sentence goes without its full stop, but not a word that is cut short."""
    assert with_sentence_values([_fact(text, kind="part")])[0].texts == [ended]
