"""Digit forms: texts that differ in digits only are analysed once, with the result of each by itself."""

import random
import re
from typing import Any

import attrs
import pytest

from agentbrowser.extraction.columns import value_reader
from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.value_reader import numbers_read
from agentbrowser.extraction.text.digit_forms import digit_form
from agentbrowser.extraction.text.kinds import kinds_of
from agentbrowser.extraction.text.truth import truth
from tests.pure.extraction.test_evidence_rules import field

_TEXTS = (
    "12:30", "12:30 pm", "at 9.45 am", "kl 14", "um 9", "3h", "45m", "2 h 15 min", "90 min", "1h 5m 10s", "12/2024",
    "05.2024", "1.5.2024", "2024-03-18", "03/18/24", "12 May 2024", "May 12, 2024", "2019 - 2024", "1875", "1999",
    "2024", "3400", "19th century", "4.5 out of 5", "8/10", "5 stars", "7 of 10", "3 / 5", "$12.50", "1,234.56 EUR",
    "12 kr", "49,-", "15 %", "+49 30 1234567", "(030) 123456", "0049 30 12345", "555-123-4567", "1-555-123-4567",
    "06 12 34 56 78", "v1.2.3", "Version 10.4", "2.0.1-beta", "#A-1234", "AB12345", "12 Main Street",
    "4 Hill Rd 12345", "1.234.567", "12,345", "-12", "(12.50)", "a1", "p3", "0 left", "10 left", "only 3 left",
    "12 in stock", "3 days ago", "2 hours ago", "vor 5 Tagen", "page 3 of 12", "12.4 kg", "120 x 80 cm", "3 beds",
    "12 reviews", "/thing/1234", "Thing 1234", "1480m", "412 m", "1.2m", "5k", "12 million", "PT5M", "1:05:09",
    "10-12", "12", "007", "0.5", "00:15", "Room 101", "M4", "img-0417.jpg", "5°C",
)  # fmt: skip
_SIZES = (0, 0, 0, 1, 2, 3, 4, 5, 6)
"""Lengths of runs of digits; 0 for the length in the text."""


def _varied(text: str, dice: random.Random) -> str:
    """Return a text with other digits, and with runs of another length here and there."""

    def run(found: "re.Match[str]") -> str:
        return "".join(dice.choices("0123456789", k=dice.choice(_SIZES) or len(found[0])))

    return re.sub(r"\d+", run, text)


def _column(*texts: str) -> Column:
    return Column("p text", "text", "p", len(texts), list(range(len(texts))), list(texts), range(len(texts)))


@pytest.mark.parametrize("seed", range(3))
def test_digits_that_a_form_leaves_out_decide_nothing(seed: int) -> None:
    dice = random.Random(seed)
    for text in (_varied(text, dice) for text in _TEXTS * 20):
        form = digit_form(text)
        assert len(form) == len(text)
        assert kinds_of(form) == kinds_of(text), text
        assert truth(form) is truth(text), text


def test_prices_and_addresses_have_few_forms_and_years_hours_and_codes_keep_theirs() -> None:
    assert len({digit_form(f"/thing/{number}?ref=home") for number in range(100, 1000)}) == 1
    assert len({digit_form(f"{number}.50 EUR") for number in range(2100, 9000)}) == 1
    assert digit_form("2024") != digit_form("1850") != digit_form("4024") != digit_form("2024")
    assert digit_form("12:30") != digit_form("12:75")
    assert digit_form("００７ 1234") == "００７ 1234"


@pytest.mark.parametrize("name", ["price", "rating", "year", "durationMinutes", "pageCount", "area_m2", "total"])
@pytest.mark.parametrize("kind", ["number", "integer"])
def test_lone_numbers_are_read_as_without_a_form(monkeypatch: pytest.MonkeyPatch, name: str, kind: str) -> None:
    dice, asked = random.Random(name), field(name, kind)
    texts = [_varied(text, dice) for text in _TEXTS * 6]
    read = numbers_read(asked, _column("1.5", "2.5"))
    found = list(map(read, texts))
    monkeypatch.setattr(value_reader, "_LONE_NUMBER", re.compile("(?!)"))
    without_forms = numbers_read(attrs.evolve(asked), _column("1.5", "2.5"))
    assert found == list(map(without_forms, texts))


def test_hundreds_of_new_prices_are_analysed_as_a_few_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    analysed: list[str] = []
    number = value_reader._number

    def counted(text: str, *args: Any, **kwargs: Any) -> float | int | None:
        analysed.append(text)
        return number(text, *args, **kwargs)

    monkeypatch.setattr(value_reader, "_number", counted)
    texts = [f"{number}.50 of gold" for number in range(100, 1000)]
    read = numbers_read(attrs.evolve(field("price", "number")), _column(*texts))
    assert list(map(read, texts)) == [number + 0.5 for number in range(100, 1000)]
    assert len(analysed) == 1
