"""Values in prose that a field requests: numbers with a unit or a counted noun, dates and times, names beside a role.

A number in a sentence belongs to a field if its unit, its currency or the noun behind it fits, and the words of the
field's name are in the same sentence. Without such words it belongs to none, however alone it stands.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import attrs

from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.page_names import HEADINGS
from agentbrowser.extraction.schema.concepts import DATES, DURATIONS, MEASURES, MONEY, PEOPLE, TIMES
from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.text.kinds import CURRENCY, DATE, TIME
from agentbrowser.extraction.text.units import IN_NAMES, UNIT_OF, unit_of
from agentbrowser.extraction.text.words import Word, Words, coverage, words
from agentbrowser.long_work import give_way

PROSE: Final = "prose"
"""Key of a value from a sentence."""
_SHORTEST: Final = 24
_LONGEST: Final = 1200
_MANY: Final = 60
"""Greatest number of texts that are read."""
_SENTENCES: Final = re.compile(r"(?<=[^\W\d_]{3}[.!?])\s+(?=[^\W\d_a-z])|(?<=[\d%)”\"][.!?])\s+(?=[A-ZÀ-Ž“\"])|\s·\s")
_CLAUSES: Final = re.compile(r";\s|:\s|\s[–—]\s")
_NUMBER: Final = re.compile(
    rf"(?P<before>{CURRENCY}\s?)?(?<![\w.,/:-])(?P<digits>\d{{1,3}}(?:[.,\s'’]\d{{3}})+(?:[.,]\d{{1,2}})?|\d+(?:[.,]\d+)?)"
    rf"(?P<scale>\s?(?:k|m|bn|million|millions|billion|millionen|mio\.?|mrd\.?|mln)\b)?"
    rf"(?P<after>\s?(?:{CURRENCY}|%))?(?![\w/:]|-(?![^\W\d_]{{2}})|[.,]\d)",
    re.IGNORECASE,
)
_NAME: Final = re.compile(
    r"(?:(?:Dr|Prof|Sir|Dame|Mr|Mrs|Ms)\.?\s)?[A-ZÀ-Ž][\w’'-]+(?:\s(?:(?:de|van|von|der|la|di|da|af)\s)?[A-ZÀ-Ž][\w’'-]+){1,3}"
)
_APPOSED: Final = re.compile(r",\s((?:[^\W\d_][^\s,.;:]*\s?){1,3})")
"""The role that follows a name: "Nives Tomasi, sommelier of the house"."""
_WORD: Final = re.compile(r"[^\W_]+(?:[’'-][^\W_]+)*|°[CF]?|[%²]")
_COUNT: Final = re.compile(
    r"(?<![\w.,/:-])(?<!\d\s)(\d{1,3}(?:[.,\s'’]\d{3})+|\d+)(?!\s?[-–/]\s?\d)\s+([^\W\d_]+(?:[’'-][^\W\d_]+)*)"
)
"""A number with the word that follows it."""
_LINE: Final = 80
"""Length of the longest line that counts something."""
_EXACTLY: Final = 0.93
_COUNTING: Final = frozenset(("count", "total", "number", "quantity"))
_IN_PHRASES: Final = "count"
"""End of phrases that are one word of a name: comment count."""
_YEAR: Final = re.compile(r"(?:1[5-9]|20)\d\d")
_COST: Final = MONEY | {"cost", "deposit", "old"}
_GENERAL: Final = frozenset((
    "count", "price", "fee", "amount", "percent", "minimum", "maximum", "average", "name", "id", "date", "year", "time",
))  # fmt: skip
"""Concepts that say nothing about which number or name it is."""
_LIKE: Final = 0.6
"""Least similarity of a word in a sentence to a word of a field."""
_SAME: Final = 0.75
"""Least similarity of the word before a name to a role."""
_NEXT: Final = 2
"""Number of words before a name that must be the role."""
_BY: Final = frozenset((
    "by", "par", "von", "di", "da", "de", "por", "door", "av", "af", "przez", "the", "a", "an", "la", "le", "il", "el",
    "der", "die", "das", "het", "den", "is", "ist", "est", "es", "è", "är", "er",
))  # fmt: skip
"""Words between a role and a name."""
_LEAST: Final = 0.6
"""Least share of a field's words in the sentence."""
_PLAIN: Final = 3
"""Least number of words in lower case in a clause: fewer make a label or a line of a card."""
_QUANTITIES: Final = MEASURES | DURATIONS
_DATED: Final = DATES | {"start", "end", "expected", "scheduled"}
_TIMED: Final = TIMES | {"open", "closed", "checkin", "checkout"}
_CALENDAR: Final = frozenset(("date", "time", "year", "month", "weekday"))
"""Concepts that say nothing about which date or time it is."""
_EVENTS: Final = frozenset(("built", "construct", "erect", "establish"))
"""Words that say which year it is, though their concept is the year."""
_CLOSE: Final = 3
"""Number of words behind a number that may name what it counts."""
_BESIDE: Final = 0.5
"""Least nearness of the words for a measure to a number with a unit: "a mean speed of 2.6 metres"."""
_BEFORE: Final = 6
"""Number of words before a number that may name it."""
_SURE: Final = 0.95
"""Greatest evidence of a sentence."""
_BY_HINT: Final = 0.85
"""Share of the evidence that words of a description make."""
_FIRST: Final = 4
"""Number of words before a name that may state its role."""


@attrs.frozen
class _Number:
    """A number of a sentence."""

    text: str
    """The number with its currency, scale and unit."""
    unit: str
    is_money: bool
    is_year: bool
    before: Sequence[str]
    after: Sequence[str]
    clause: Words


def prose_value(field: SchemaField, texts: Sequence[Column]) -> Column | None:
    """Return the value that sentences of a page have for a field, with its evidence as its name; None without one.

    Args:
      texts: the page's prose, from `prose_of`.
    """
    give_way()
    if field.is_many or field.type == "boolean" or not field.path:
        return None
    finders = (_numbers_for,) if field.is_number else (_names_for, _moments_for)
    found: dict[str, tuple[float, Column]] = {}
    for fact in texts:
        for text, score in (scored for find in finders for scored in find(field, fact.texts[0])):
            if score > found.get(text, (0.0, fact))[0]:
                found[text] = score, fact
    best = sorted(found, key=lambda text: -found[text][0])
    if not best or (len(best) > 1 and found[best[1]][0] >= found[best[0]][0]):
        return None
    score, fact = found[best[0]]
    return attrs.evolve(
        fact, key=PROSE, kind="part", texts=[best[0]], labels={}, hints=[], names=[(field.plain_name, score)]
    )


def counted_value(field: SchemaField, facts: Sequence[Column]) -> Column | None:
    """Return the number that the page's lines count a field's things by: "1,287 reviews"; None without one.

    Args:
      facts: the page's facts; lines of repeated items are ignored, since they count things of one item.
    """
    wanted = _counted(field)
    if not wanted:
        return None
    found: dict[str, Column] = {}
    for fact in facts:
        if fact.kind == "text" and len(fact.texts[0]) <= _LINE and not (fact.is_repeated or fact.is_aside):
            for match in _COUNT.finditer(fact.texts[0]):
                if _share(wanted, words(match[2]), _EXACTLY) == 1:
                    found.setdefault("".join(filter(str.isdigit, match[1])), attrs.evolve(fact, texts=[match[1]]))
    if len(found) != 1:
        return None
    (fact,) = found.values()
    return attrs.evolve(fact, key=PROSE, kind="part", labels={}, hints=[], names=[(field.plain_name, _SURE)])


def _counted(field: SchemaField) -> list[Word]:
    """Return the words for what a field counts: reviews of reviewCount; none for other fields."""
    if not field.is_number or field.is_many or field.outer is not None:
        return []
    name = field.name.all
    rest = [word for word in name if not (word.concepts & _COUNTING and word.concepts <= _COUNTING)]
    counts = len(rest) < len(name) or any(word.stem.endswith(_IN_PHRASES) for word in rest)
    return rest if counts else []


def prose_of(facts: Sequence[Column]) -> list[Column]:
    """Return the facts that are prose: not headings, and not texts that several items repeat."""
    found = (fact for fact in facts if fact.kind == "text" and _SHORTEST <= len(fact.texts[0]) <= _LONGEST)
    return [
        fact
        for fact in found
        if not (fact.is_repeated or fact.is_aside or (fact.is_composite and fact.tag != "p") or fact.tags & HEADINGS)
    ][:_MANY]


def _specific(phrase: Words) -> list[Word]:
    """Return the words that say which of all numbers or names it is."""
    return [
        word
        for word in phrase.all
        if word.weight > 0.4
        and (any(map(word.stem.__contains__, _EVENTS)) or not (word.concepts and word.concepts <= _GENERAL))
        and word.stem not in IN_NAMES
    ]


def _share(wanted: Sequence[Word], there: Words, least: float = _LIKE) -> float:
    """Return the share of words that others contain."""
    if not wanted or not there.all:
        return 0.0
    return sum(coverage(Words((word,)), there) >= least for word in wanted) / len(wanted)


def _fit(field: SchemaField, there: Words) -> float:
    """Return the share of a field's words in a sentence, by its name or its description."""
    name = _share(_specific(field.name), there)
    hint = _share(_specific(field.hint), there) if field.hint.all else 0.0
    return max(name, _BY_HINT * hint)


def _numbers_for(field: SchemaField, text: str) -> Iterator[tuple[str, float]]:
    unit, concepts = unit_of(field.plain_name, field.full_text), field.concepts
    is_cost = bool(concepts & _COST) or bool(field.name.last.concepts & _COST)
    is_year = not unit and not {"year", *DATES}.isdisjoint(concepts | field.hint.concepts)
    for number in _numbers(text):
        if (number.unit == "percent") != (unit == "percent") or number.is_year != is_year:
            continue
        if number.is_money != (is_cost and unit != "percent"):  # a service charge of 12.5 %
            continue
        fit = _fit(field, number.clause)
        if unit and number.unit != unit:
            continue
        if fit < _LEAST and not (unit and unit != "percent" and fit > 0):
            continue
        near = _nearness(field, number)
        is_measured = fit == 1 and near > _BESIDE and not concepts.isdisjoint(_QUANTITIES)
        if not (unit or is_cost or is_year) and (not near or (number.unit and not is_measured)):
            continue
        yield number.text, 0.6 + 0.2 * fit + 0.15 * near


def _nearness(field: SchemaField, number: _Number) -> float:
    """Return the nearness of a field's words to a number: 1 for the noun behind it, less for words further away."""
    return _closeness([*_specific(field.name), *_specific(field.hint)], number.before, number.after)


def _closeness(wanted: Sequence[Word], before: Sequence[str], after: Sequence[str]) -> float:
    steps = [(float(at), word) for at, word in enumerate(after[:_CLOSE])]
    steps += [(at + 0.5, word) for at, word in enumerate(reversed(before[-_BEFORE:]))]
    close = [at for at, word in steps if _share(wanted, words(word))]
    return 1 - min(close) / (_BEFORE + 1) if close else 0.0


@lru_cache(maxsize=200)
def _numbers(text: str) -> Sequence[_Number]:
    return [_number(clause, match) for clause in _clauses(text) for match in _NUMBER.finditer(clause)]


def _clauses(text: str) -> Iterator[str]:
    """Yield the clauses of sentences; of scripts without capitals, every word counts as a plain one."""
    for sentence in _SENTENCES.split(text):
        for clause in _CLAUSES.split(sentence):
            plain = [word for word in _WORD.findall(clause) if word[0].isalpha() and not word[0].isupper()]
            if len(plain) >= _PLAIN:
                yield clause


def _number(clause: str, match: re.Match[str]) -> _Number:
    rest = clause[match.end() :]
    before, after = _WORD.findall(clause[: match.start()]), _WORD.findall(rest)
    sign, first = (match["after"] or "").strip(), after[0] if after else ""
    is_percent = sign == "%" or [word.lower() for word in after[:2]] == ["per", "cent"]
    unit = "percent" if is_percent else "nautical" if first == "nautical" else UNIT_OF.get(first.lower(), "")
    is_money = bool(match["before"]) or sign not in ("", "%")
    is_year = not (is_money or unit or match["scale"]) and bool(_YEAR.fullmatch(match["digits"]))
    shown = match[0] if unit in ("", "percent") else f"{match[0]}{rest[: rest.find(first) + len(first)]}"
    return _Number(shown.strip(), unit, is_money, is_year, before, after, words(clause))


def _moments_for(field: SchemaField, text: str) -> Iterator[tuple[str, float]]:
    """Yield the dates or times beside words of the field: "The next bulletin appears on 30 November"."""
    pattern = None if field.wants_iso else _moment_of(field)
    wanted = [word for word in _specific(field.name) if not (word.concepts and word.concepts <= _CALENDAR)]
    if pattern is None or not wanted:
        return
    for clause in _clauses(text):
        fit = _share(wanted, words(clause))
        for match in pattern.finditer(clause) if fit >= _LEAST else ():
            # Before a date is what happens then; what is behind it may happen on the next one.
            near = _closeness(wanted, _WORD.findall(clause[: match.start()]), ())
            if near:
                yield match[0], 0.6 + 0.2 * fit + 0.15 * near


def _moment_of(field: SchemaField) -> re.Pattern[str] | None:
    """Return the pattern of the dates or of the times that a field is for; None for another field."""
    field_words = set(field.full_text.split())
    if field.format in ("date", "date-time") or "date" in field_words:
        return DATE
    if "time" in field_words:
        return TIME
    concepts = field.name.concepts | field.hint.concepts
    return DATE if concepts & _DATED else TIME if concepts & _TIMED else None


def _names_for(field: SchemaField, text: str) -> Iterator[tuple[str, float]]:
    """Yield the names behind a role: "The chair, Edith Farrant,"."""
    concepts = field.concepts
    wanted = _specific(field.name)
    if field.wants_link or field.is_address or not wanted or (concepts and not concepts & PEOPLE):
        return
    for sentence in _SENTENCES.split(text):
        for match in _NAME.finditer(sentence):
            before = [word for word in _WORD.findall(sentence[: match.start()])[-_FIRST:] if word.lower() not in _BY]
            role = words(" ".join(before[-max(_NEXT, len(wanted)) :]))
            fit = _share(wanted, role, _SAME)
            hint = _BY_HINT * _share(_specific(field.hint), words(" ".join(before)), _SAME) if field.hint.all else 0.0
            if (apposed := _APPOSED.match(sentence, match.end())) is not None:
                fit = max(fit, _BY_HINT * _share(wanted, words(apposed[1]), _SAME))
            if max(fit, hint) >= _LEAST:
                yield match[0], min(_SURE, 0.7 + 0.25 * max(fit, hint))
