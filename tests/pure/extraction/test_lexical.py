"""Lexical base: word boundaries, accents, English endings."""

import unicodedata

import pytest

from agentbrowser.extraction.text import lexical


@pytest.mark.parametrize(
    ("text", "words", "parts"),
    [
        ("startDate", "start Date", "start Date"),
        ("HTMLElement", "HTML Element", "HTML Element"),
        ("address2Line", "address2Line", "address 2 Line"),
        ("x2", "x2", "x2"),
        ("Start date", "Start date", "Start date"),
    ],
)
def test_camel_case_is_split_at_words_and_optionally_at_digits(text: str, words: str, parts: str) -> None:
    assert lexical.split_camel_case(text) == words
    assert lexical.split_camel_case(text, digits=True) == parts


def test_accents_are_stripped_and_other_marks_only_on_request() -> None:
    assert lexical.strip_marks("Größe café") == "Große cafe"
    assert unicodedata.normalize("NFC", lexical.strip_marks("が")) == "が"
    assert lexical.strip_marks("が", unicodedata.combining) == "か"


@pytest.mark.parametrize(
    ("plural", "singular"),
    [
        ("cities", "city"),
        ("ties", "tie"),
        ("boxes", "box"),
        ("addresses", "address"),
        ("dates", "date"),
        ("status", "status"),
        ("basis", "basis"),
        ("glass", "glass"),
        ("bus", "bus"),
        ("tea", "tea"),
    ],
)
def test_a_plural_loses_its_ending(plural: str, singular: str) -> None:
    assert lexical.singular(plural) == singular


@pytest.mark.parametrize(("root", "verb"), [("shipp", "ship"), ("roll", "roll"), ("pass", "pass"), ("book", "book")])
def test_a_doubled_consonant_is_dropped_unless_it_belongs_to_the_verb(root: str, verb: str) -> None:
    assert lexical.undouble(root) == verb
