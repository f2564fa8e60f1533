"""Values in sentences: prices, dates, telephone numbers, email addresses."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.page_names import PageLabel, Relation
from agentbrowser.extraction.text.kinds import CURRENCY

_SHORTEST: Final = 24
_LONGEST: Final = 400
_WORDS_BEFORE: Final = 4
_WORDS_AFTER: Final = 3
_PLAIN_WORDS: Final = 3
"""Number of words around a value that make its text a sentence."""
_FURTHEST: Final = 12
"""Greatest distance of a text's own values behind it."""
_AMOUNT: Final = r"\d+(?:[.,\s'’]\d{3})*(?:[.,]\d{1,2})?"
_SCALE: Final = r"(?:\s?(?:thousand|million|millions|millionen|billion|milliarden|mio\.?|mrd\.?|mln|bn)(?!\w))?"
_VALUE: Final = re.compile(
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|(?<![\w/.,-])\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?![\w/-])(?:,?\s\d{1,2}:\d\d(?!\d))?"
    rf"|(?<!\w){CURRENCY}\s?{_AMOUNT}{_SCALE}(?!\w|[.,]\d)|(?<![\w.,]){_AMOUNT}{_SCALE}\s?{CURRENCY}"
    r"|(?<![\w/.,-])(?:\+|\(?0)\d[\d\s()/-]{6,}\d(?!\w)"
    r"|(?:(?<=\btel[.:]\s)|(?<=\btlf[.:]\s)|(?<=\btél[.:]\s)|(?<=\bphone\s)|(?<=\bphone:\s))\d[\d\s-]{5,}\d(?!\w)",
    re.IGNORECASE,
)
_PAUSE: Final = re.compile(r"[,;:.!?()–—]\s|[;:()–—]")
_ENDS: Final = re.compile(r"(?:[^\W\d_]{5,}|\d{3,}|[€$£%])\.$")
"""End of a sentence whose last word is no abbreviation."""


def with_sentence_values(facts: Sequence[Column]) -> list[Column]:
    """Return the facts with the values in sentences, each after its text; parts lose their final full stop."""
    found: list[Column] = []
    for at, fact in enumerate(facts):
        if fact.kind == "part" and len(fact.texts[0]) < _SHORTEST and _ENDS.search(fact.texts[0]):
            fact.texts = [fact.texts[0][:-1]]
        found.append(fact)
        is_sentence = fact.kind == "text" and _SHORTEST <= len(fact.texts[0]) <= _LONGEST
        if is_sentence and not fact.is_repeated and (values := list(_values_in(fact))):
            known = {other.texts[0] for other in facts[at + 1 : at + _FURTHEST]}
            found += [one for one in values if one.texts[0] not in known]
    return found


def _values_in(fact: Column) -> Iterator[Column]:
    text = fact.texts[0]
    for match in _VALUE.finditer(text):
        before, after = _PAUSE.split(text[: match.start()])[-1].split(), _PAUSE.split(text[match.end() :])[0].split()
        if len(before) + len(after) < _PLAIN_WORDS and len(match[0]) * 2 > len(text):
            continue
        labels = {PageLabel(Relation.BEFORE, " ".join(before[-_WORDS_BEFORE:])): 1} if before else {}
        labels |= {PageLabel(Relation.BETWEEN, " ".join(after[:_WORDS_AFTER])): 1} if after else {}
        yield attrs.evolve(fact, kind="part", texts=[match[0]], labels=labels, hints=[], names=[])
