"""Reader of typed values: from a text of the page to a value of a field's type."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

import attrs

from agentbrowser.extraction.caching import cached, memoize
from agentbrowser.extraction.columns.code_values import CODES, bare_code
from agentbrowser.extraction.columns.column import LABELLED, Column
from agentbrowser.extraction.columns.number_choice import chosen_number, year_in, zero_of
from agentbrowser.extraction.schema.concepts import PEOPLE
from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.text import kinds
from agentbrowser.extraction.text.bare_values import bare_agent, bare_date, bare_duration, bare_person, bare_time
from agentbrowser.extraction.text.commands import is_command
from agentbrowser.extraction.text.days import names_no_day
from agentbrowser.extraction.text.durations import duration_in, is_unclear_clock
from agentbrowser.extraction.text.numerals import Mark, Number, counted, numbers_in, stars
from agentbrowser.extraction.text.profiles import LONGEST_EMPTY, WRITTEN, is_empty
from agentbrowser.extraction.text.states import is_denial, states_of, truth_of_state
from agentbrowser.extraction.text.truth import is_plain, truth, truth_of_class
from agentbrowser.extraction.text.words import coverage, likeness, plain, words

_EMAIL: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE: Final = re.compile(r"(?:\+|\(?\d)[\d\s()/.\u2010-\u2013-]{5,}\d")
_LABELS_END: Final = (":", "：")
"""Ends of labels, which are not values themselves."""
_CODES: Final = {
    "€": "EUR",
    "$": "USD",
    "£": "GBP",
    "¥": "JPY",
    "zł": "PLN",
    "₹": "INR",
    "kr": "SEK",
    "fr.": "CHF",
    "円": "JPY",
}
_AS_IT_IS: Final = re.compile(
    r"\bas (?:it is )?(?:shown|written|displayed|printed|stated)\b|\bverbatim\b|\bas the page"
)
_TIMED: Final = frozenset(("start", "end", "join", "opened", "closed", "founded", "delivered", "shipped", "available"))
_GLUED: Final = re.compile(r"[^\W\d_]+\d+")
"""A number glued to the letters before it: p95."""
_CLOCKED: Final = frozenset(("time", "open", "checkin", "checkout"))
"""Concepts of times of day."""
_ENDS_IN_DATE: Final = re.compile(r"\bdate$")
_COMPANIES: Final = frozenset(("brand", "company", "publisher", "seller"))
_DATED: Final = frozenset(("date", "published", "updated", "due", "birth"))
_BETWEEN: Final = (" · ", " • ", " | ", " / ", ";", ",")
_FALLING: Final = re.compile(r"\s*[▼▽▾↓⬇🔻]")
_COMMA: Final = re.compile(r",(?!\d)|(?<!\d),")
"""A comma between two values, not within a number."""
_ARROWS: Final = ("»", "›", "→", "▸", "►")
_AROUND: Final = " \u00a0|·•,"
_IN_BRACKETS: Final = re.compile(r"\([^()]+\)|\[[^\[\]]+\]")
_LABEL: Final = 0.6
"""Least similarity of a label to a field's name."""
_LEAST_PHONE_DIGITS: Final = 3
"""Least number of digits of a telephone number."""
_DECIMAL: Final = re.compile(r"\d+[.,]\d{1,2}")
_PART_OF_NAME: Final = re.compile(r"(?:first|last|given|family|middle) ?name|surname|forename")
_NO_NAME: Final = re.compile(r"[@\d]")
_OWN_LABEL: Final = 0.9
"""Least similarity of a name within a value that is the field's own."""
_LONGEST_NAME: Final = 40
"""Length of the longest text that can be the name of a field."""
NEARLY_ALL: Final = 0.9
"""Least share of filled rows in a column of yes and no: in another one, no text is the opposite of its only mark."""
_CALLED: Final = frozenset(("name", "title", "text", "code"))
"""Concepts whose values may be in brackets."""
_MOST_NUMBERS: Final = 5_000
"""Greatest number of cached texts per reader of numbers."""
_LONE_NUMBER: Final = re.compile(r"[^0-9]{0,60}((?:0|[1-9][0-9]{0,8})(?:[.,][0-9]{1,2})?)[^0-9]{0,60}")
"""A text with one number. The words and signs around it decide how it is read, and no digit does: so texts that differ
in digits only are analysed once.
"""
_THOUSANDS: Final = {mark: re.compile(rf"(?<![\d.,])\d{{1,3}}\{mark}\d{{3}}(?![\d.,])") for mark in (".", ",")}
"""Digits that are thousands in a whole number, whatever the mark of decimals: 72.000 km."""
_SEVENS: Final = str.maketrans("0123456789", "7777777777")


class Reader:
    """Reader of the values of one column for one field."""

    def __init__(self, field: SchemaField, column: Column) -> None:
        self.field = field
        self.column = column
        self.read: Callable[[str], Any] = self._reading()
        """Function from a text to its value; None for a text without one of the type."""

    @cached
    def manner(self) -> "_Manner":
        """Return the rules for texts."""
        return _Manner.of(self.field)

    def all(self, text: str) -> list[Any]:
        """Return the values of a text: several if the field has several values and the column one text per row."""
        value = self.read(text)
        if value is None:
            return []
        return parted(value) if self.field.is_many and not self.column.is_many else [value]

    def _reading(self) -> Callable[[str], Any]:
        kind = self.column.kind
        if self.field.is_number:
            return numbers_read(self.field, self.column)
        if self.field.type == "boolean":
            return self._truth
        is_plain = self.manner.is_plain and not self.column.is_labelled
        read = self._string if not is_plain else self.manner.bared if kind in WRITTEN else _unlinked
        if kind == "text" and self.column.is_clickable and not self.field.takes_commands:
            return lambda text: None if is_command(text) else read(text)
        return read

    def _truth(self, text: str) -> bool | None:
        if self.column.kind != "class" and (named := self._named(text)) is not None:
            return named
        value = truth_of_class(text) if self.column.kind == "class" else self._said(text)
        value = self._opposites.get(text) if value is None else value
        if self.column.kind == "disabled" and value is not None:
            value = not value
        is_direct = value is None or self.column.kind in ("checked", "json") or is_plain(text)
        return value if is_direct else value is not self._is_negated

    def _named(self, text: str) -> bool | None:
        """Return True for the field's name or state, False for what denies or excludes it, None for another text."""
        if (state := truth_of_state(self.field.plain_name, text)) is not None:
            return state
        is_other = not self._has_own_word(text) if states_of(self.field.plain_name) else truth(text) is not None
        if is_other or not is_name_of(text, self.field) or any(map(str.isdigit, text)):
            return None
        return not is_denial(text) or is_denial(self.field.plain_name)

    def _has_own_word(self, text: str) -> bool:
        """Return True if a text has a word of the field's name, and not only one of similar meaning."""
        own = {word.stem for word in self.field.name.all}
        return any(word.stem in own for word in words(text).all)

    def _said(self, text: str) -> bool | None:
        """Return yes or no as a text says it; a state that says nothing about the field's is neither."""
        return None if states_of(self.field.plain_name) and not is_plain(text) else truth(text)

    @cached
    def _is_negated(self) -> bool:
        """True if the field is for the negative: sold out, or unavailable."""
        return truth(self.field.plain_name) is False

    @cached
    def _opposites(self) -> dict[str, bool]:
        """Return the meaning of the unknown one of two values: the opposite of the known one."""
        values = set(self.column.texts) if self.field.type == "boolean" and self.column.kind != "class" else set()
        said = {text: named if (named := self._named(text)) is not None else self._said(text) for text in values}
        known = {text: value for text, value in said.items() if value is not None}
        if len(values) != 2 or len(known) != 1 or self.column.filled < NEARLY_ALL:
            return {}
        (value,) = known.values()
        return dict.fromkeys(values - known.keys(), not value)

    def _string(self, text: str) -> str | None:
        manner = self.manner
        if text.endswith(_LABELS_END) or (manner.is_moment and names_no_day(text, manner.has_date_format)):
            return None
        if (unlinked := _unlinked(text)) != text:
            return unlinked
        if (labelled := LABELLED.match(text)) and likeness(self.field.name, words(labelled[1])) > _OWN_LABEL:
            text = labelled[2]
        for pattern in manner.patterns:
            if found := pattern.search(text):
                return found[0]
        if manner.is_phone and (sum(map(str.isdigit, text)) < _LEAST_PHONE_DIGITS or _DECIMAL.fullmatch(text)):
            return None
        if manner.is_part_of_name and _NO_NAME.search(text):
            return None
        if manner.currency:
            written = kinds.currency_in(text)
            if written is None:
                return text if text.isalpha() else None
            return _CODES.get(written, written) if manner.currency == "code" else written
        if self.column.kind in WRITTEN:
            text = manner.bared(text) or text
        if manner.is_verbatim:
            return text
        if manner.is_agent and self.column.kind not in ("href", "src"):
            text = bare_agent(text, self.field.name)
            text = bare_person(text, is_author=manner.is_author) if manner.is_person else text
        if manner.is_dated:
            text = bare_date(text, self.field.name)
        if manner.is_timed:
            text = bare_time(text, self.field.name)
        if manner.is_duration:
            text = bare_duration(text, self.field.name)
        if manner.is_coded:
            text = bare_code(text, self.field)
        return _chosen(text, self.field.choices) if self.field.choices else text


def parted(value: Any) -> list[Any]:
    """Return the parts of a text that is a list."""
    mark = next((mark for mark in _BETWEEN if mark in value), None) if isinstance(value, str) else None
    parts = [value] if mark is None else _COMMA.split(value) if mark == "," else value.split(mark)
    return [part.strip() for part in parts if part.strip()] if len(parts) > 1 else [value]


def is_name_of(text: str, field: SchemaField) -> bool:
    """Return True if a text is the name of a field: "Members only" of membersOnly."""
    return len(text) < _LONGEST_NAME and likeness(field.name, words(text)) >= _LABEL


@attrs.frozen
class _Manner:
    """Rules for the texts of a field."""

    patterns: Sequence[re.Pattern[str]]
    """Patterns of the value within a text."""
    currency: str
    """Form of a requested currency: "written" or "code"; "" for other fields."""
    is_verbatim: bool
    """True if the schema requests the text as the page has it."""
    is_agent: bool
    """True for a person or a company."""
    is_person: bool
    is_author: bool
    is_dated: bool
    """True for a date or time, mostly behind a label: "Updated 3 May"."""
    is_timed: bool
    """True for a time of day, mostly behind a label: "Opens at 9 AM"."""
    is_phone: bool
    is_part_of_name: bool
    """True for a first or last name of a person."""
    is_moment: bool
    """True for a day or a time by its name or format."""
    has_date_format: bool
    is_duration: bool
    is_coded: bool
    """True for a code, mostly behind a label: "Ref. 44-1207"."""
    is_plain: bool
    """True if no rule but `bared` applies."""
    bared: Callable[[str], str | None]
    """Function from a text to the text without separators, and mostly brackets, around it."""

    @classmethod
    @lru_cache(maxsize=1000)
    def of(cls, field: SchemaField) -> "_Manner":
        """Return the rules for a field of texts."""
        concepts, name = field.concepts, field.plain_name
        is_currency = "currency" in concepts and bool(field.name.concepts & concepts)
        wants_code = "iso" in field.full_text or "code" in field.full_text
        patterns = [pattern for concept, pattern in (("email", _EMAIL), ("phone", _PHONE)) if concept in concepts]
        flags = {
            "is_verbatim": bool(_AS_IT_IS.search(field.full_text)),
            "is_person": bool(concepts & PEOPLE),
            "is_agent": bool(concepts & (PEOPLE | _COMPANIES)),
            "is_author": "author" in concepts,
            "is_dated": not concepts & PEOPLE
            and bool((concepts | field.hint.concepts) & _DATED or concepts & _TIMED or _ENDS_IN_DATE.search(name)),
            "is_timed": bool(concepts & _CLOCKED),
            "is_phone": "phone" in concepts and "email" not in concepts,
            "is_part_of_name": _PART_OF_NAME.fullmatch(field.plain_name) is not None,
            "is_moment": field.is_moment,
            "has_date_format": field.format in ("date", "date-time"),
            "is_duration": "duration" in concepts,
            "is_coded": bool(concepts & CODES),
        }
        return cls(
            patterns=patterns,
            currency=("code" if wants_code else "written") if is_currency else "",
            **flags,
            is_plain=not (patterns or is_currency or any(flags.values()) or field.choices),
            bared=_bared if field.name.concepts & _CALLED else _unbracketed,
        )


def _unlinked(text: str) -> str | None:
    """Return a text without the scheme and query of a mail or telephone link; None for a mark for no value."""
    is_surely_one = len(text) > LONGEST_EMPTY and text[-1].isalnum() and text.isascii()
    if not is_surely_one and (is_empty(text) or not (any(map(str.isalnum, text)) or kinds.currency_in(text))):
        return None
    return text.partition(":")[2].partition("?")[0] if text.startswith(("mailto:", "tel:")) else text


@memoize
def _bared(text: str) -> str | None:
    """Return a text without the separators around it."""
    if (unlinked := _unlinked(text)) != text:
        return unlinked
    text = text.strip(_AROUND)
    if text.startswith(_ARROWS) and "«" not in text:
        text = text.lstrip("".join(_ARROWS)).lstrip()
    return text[:-1].rstrip() if text.endswith(")") and "(" not in text else text


@memoize
def _unbracketed(text: str) -> str | None:
    """Return a text without separators and brackets around it."""
    bared = _bared(text)
    return bared[1:-1].strip() if bared and _IN_BRACKETS.fullmatch(bared) else bared


def numbers_read(field: SchemaField, column: Column) -> Callable[[str], float | int | None]:
    """Return a function from a text of a column to the number for a field."""
    return _numbers(field, column.mark, column.kind == "class")


@lru_cache(maxsize=32)
def _numbers(field: SchemaField, mark: Mark, is_class: bool) -> Callable[[str], float | int | None]:
    @memoize
    def is_as_written(form: str) -> bool:
        """Return True if the number of the texts of this form is the one that they show."""
        lone = _LONE_NUMBER.fullmatch(form)
        return lone is not None and _number(form, field, mark, is_class=False) == _written(lone)

    def number(text: str) -> float | int | None:
        lone = None if is_class or field.has_digits or not text.isascii() else _LONE_NUMBER.fullmatch(text)
        is_written = lone is not None and is_as_written(text.translate(_SEVENS))
        found = _written(lone) if lone and is_written else _number(text, field, mark, is_class=is_class)
        is_grouped = isinstance(found, int) and abs(found) < 1000 and _THOUSANDS[mark].search(text)
        if field.type == "integer" and (is_grouped or isinstance(found, float)):  # "124.500 km" of whole kilometres
            found = _number(text, field, "," if mark == "." else ".", is_class=is_class)
        return found if field.type == "number" or isinstance(found, int) else None

    return memoize(number, _MOST_NUMBERS)


def _written(lone: "re.Match[str]") -> float | int:
    return _neat(float(lone[1].replace(",", ".")))


def _number(text: str, field: SchemaField, mark: Mark, *, is_class: bool) -> float | int | None:
    if (drawn := stars(text)) is not None:
        return _neat(drawn)
    if is_class:
        count = counted(text)
        return None if count is None else _neat(count)
    if (minutes := duration_in(text, field.plain_name, field.full_text)) is not None:
        return _neat(minutes)
    if is_unclear_clock(text, field.plain_name, field.full_text):
        return None
    if (year := year_in(field, text)) is not None:
        return year
    found = numbers_in(text, mark)
    if field.has_digits:
        found = _without_name(found, text, field)
    if not found:
        zero = zero_of(field, text)
        return None if zero is None else _neat(zero)
    value = chosen_number(field, text, found, mark)
    return _neat(-value if value > 0 and "change" in field.concepts and _FALLING.match(text) else value)


def _without_name(found: Sequence[Number], text: str, field: SchemaField) -> list[Number]:
    """Return the numbers of a text that are no part of the field's name in it: "Latency p95" of ``p95Latency``."""
    own = [one.span() for one in _GLUED.finditer(text) if one[0].lower() in field.plain_name.split()]
    return [number for number in found if not any(start < number.start < end for start, end in own)]


def _neat(number: float) -> float | int:
    return int(number) if float(number).is_integer() else number


def _chosen(text: str, choices: Sequence[str]) -> str | None:
    folded = plain(text)
    exact = [choice for choice in choices if plain(choice) == folded]
    if exact:
        return exact[0]
    within = [choice for choice in choices if coverage(words(choice), words(text)) > 0.9]
    return within[0] if len(within) == 1 else None
