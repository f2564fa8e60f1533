"""Values in sentences, with the words around them as labels."""

import pytest

from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.page_names import Relation
from agentbrowser.extraction.columns.sentence_values import with_sentence_values


def _fact(text: str, *, kind: str = "text", is_repeated: bool = False) -> Column:
    return Column(key="", kind=kind, tag="p", total=1, rows=[0], texts=[text], spots=[7], is_repeated=is_repeated)


@pytest.mark.parametrize(
    ("text", "value", "labels"),
    [
        ("Versandkosten 5,90 €, ab heute wieder.", "5,90 €", [(Relation.BEFORE, "Versandkosten")]),
        ("Call 01632 960 808, Tuesday to Saturday.", "01632 960 808", [(Relation.BEFORE, "Call")]),
        (
            "Write to ann.b@club.example before you come.",
            "ann.b@club.example",
            [(Relation.BEFORE, "Write to"), (Relation.BETWEEN, "before you come.")],
        ),
        ("Updated on 21/11/2026 23:40. Any questions?", "21/11/2026 23:40", [(Relation.BEFORE, "Updated on")]),
        (
            "Houses from £20,000 near the old harbour",
            "£20,000",
            [(Relation.BEFORE, "Houses from"), (Relation.BETWEEN, "near the old")],
        ),
    ],
)
def test_values_in_sentences_are_found(text: str, value: str, labels: list[tuple[Relation, str]]) -> None:
    """A price, a number of a telephone, an address, a date."""
    sentence, found = with_sentence_values([_fact(text)])
    assert sentence.texts == [text]
    assert (found.kind, found.texts, found.spots, list(found.labels)) == ("part", [value], [7], labels)


@pytest.mark.parametrize("text", ["5,90 €", "from 20,000 euros to go", "There is room for 24 boats and 9 cars here."])
def test_nothing_is_found_in_a_text_that_is_a_value_itself(text: str) -> None:
    """A value with its unit is no sentence."""
    assert len(with_sentence_values([_fact(text)])) == 1


def test_nothing_is_found_in_repeated_texts_or_twice() -> None:
    """A value in an element of its own is a fact already; repeated texts are not searched."""
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
def test_a_full_stop_at_the_end_of_a_sentence_is_removed(text: str, ended: str) -> None:
    """A part that ends a sentence goes without its full stop, but not a word that is cut short."""
    assert with_sentence_values([_fact(text, kind="part")])[0].texts == [ended]
