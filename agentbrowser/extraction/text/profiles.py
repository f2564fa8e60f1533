"""Profiles of values: the shares that look like money, like a date, like yes or no."""

import itertools
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import attrs

from agentbrowser.extraction.caching import memoize
from agentbrowser.extraction.text.digit_forms import digit_form
from agentbrowser.extraction.text.kinds import kinds_of
from agentbrowser.extraction.text.numerals import spelt, stars
from agentbrowser.extraction.text.truth import truth, truth_of_class
from agentbrowser.extraction.text.words import plain

WRITTEN: Final = frozenset(("text", "own", "whole", "part"))
"""The kinds of values that a page shows as text."""
_SAMPLE: Final = 16
_TRIED: Final = 8
_EMPTY: Final = frozenset(map(plain, (
    "", "-", "–", "—", "n/a", "k.a.", "k. a.", "/", "na", "none", "null", "...", "…", "?", "--", "not provided",
    "not specified", "not given", "not stated", "not disclosed", "not applicable", "keine angabe", "nicht angegeben",
    "non renseigné", "non communiqué", "non précisé", "no especificado", "no indicado", "non specificato",
    "não informado", "niet opgegeven", "ej angivet", "ikke angitt", "ikke oplyst", "neuvedeno", "brak danych", "未設定",
    "記載なし", "not set", "not set yet", "unset", "not assigned", "not yet assigned", "unassigned", "nobody", "no one",
    "to be confirmed", "tbc", "to be announced", "tba", "to be determined", "tbd", "to be decided", "not recorded",
    "not on file", "not entered", "not yet known", "not known", "no data", "nil", "none set", "none selected",
    "none assigned", "n.a.", "n. a.", "nicht zugewiesen", "nicht festgelegt", "nicht gesetzt", "nicht hinterlegt",
    "nicht zugeordnet", "nicht bekannt", "noch offen", "non défini", "non définie", "non attribué", "non assigné",
    "à confirmer", "à définir", "aucun", "aucune", "sin asignar", "sin definir", "sin especificar", "no asignado",
    "por confirmar", "por definir", "ninguno", "ninguna", "non assegnato", "non impostato", "non definito",
    "da confermare", "da definire", "nessuno", "nessuna", "não atribuído", "não definido", "a confirmar", "a definir",
    "nenhum", "nenhuma", "niet toegewezen", "niet ingesteld", "niet bekend", "nog te bepalen", "geen",
    "nie przypisano", "nie ustawiono", "nie podano", "do ustalenia", "brak", "ej tilldelad", "ej satt",
    "ikke tildelt", "ikke angivet", "ikke satt", "ingen", "не указано", "не указан", "не назначен", "не задано",
    "нет данных", "未割り当て", "未定", "なし", "未指定", "暂无", "未设置", "未分配", "无",
)))  # fmt: skip
"""Marks for no value."""
_EMPTY_PHRASE: Final = re.compile(
    r"(none|not|nothing|no) (yet )?(applied|scheduled|assigned|selected|set|provided|specified|available|recorded|given"
    r"|entered|chosen|configured|added|on file)( yet)?"
)
LONGEST_EMPTY: Final = 24
"""Length of the longest text that says that there is no value."""


@memoize
def is_empty(text: str) -> bool:
    """Return True for a text that says that there is no value: "n/a", "Not set"."""
    folded = plain(text)
    return folded in _EMPTY or _EMPTY_PHRASE.fullmatch(folded) is not None


@attrs.define(eq=False)
class Profile:
    """Properties of a column's values; shares are 0 to 1."""

    shares: dict[str, float]
    numeric: float
    truthy: float
    length: float
    wordy: float

    def share(self, kind: str, *others: str) -> float:
        """Return the share of values that look like one of the kinds."""
        share = self.shares.get(kind, 0.0)
        return max([share, *[self.shares[other] for other in others if other in self.shares]]) if others else share


@attrs.frozen(eq=False)
class _TextProperties:
    """Properties of a text; equal ones are one object."""

    kinds: frozenset[str]
    is_numeric: bool
    is_truthy: bool
    is_wordy: bool

    @classmethod
    @lru_cache(maxsize=2000)
    def of(cls, kinds: frozenset[str], is_numeric: bool, is_truthy: bool, is_wordy: bool) -> "_TextProperties":
        """Return the object with these properties."""
        return cls(kinds, is_numeric, is_truthy, is_wordy)


@memoize
def _text_properties(text: str) -> _TextProperties:
    return _TextProperties.of(kinds_of(text), has_number(text), truth(text) is not None, any(map(str.isalpha, text)))


@memoize
def _class_properties(text: str) -> _TextProperties:
    is_truthy = truth_of_class(text) is not None
    return _TextProperties.of(kinds_of(text), spelt(text) is not None, is_truthy, any(map(str.isalpha, text)))


@memoize
def has_number(text: str) -> bool:
    """Return True if a text has a digit, or stars."""
    return any(map(str.isdigit, text)) or stars(text) is not None


def profile_of(texts: Sequence[str], *, is_class: bool) -> Profile:
    """Return the profile of a sample of texts, which may be classes."""
    step = max(1, len(texts) // _SAMPLE)
    sample = texts[::step][:_SAMPLE]
    count = len(sample) or 1
    properties = list(map(_class_properties, sample) if is_class else map(_text_properties, map(digit_form, sample)))
    length = len("".join(sample)) / count
    if properties and properties.count(properties[0]) == count:
        one = properties[0]
        shares = dict.fromkeys(one.kinds, 1.0)
        return Profile(shares, float(one.is_numeric), float(one.is_truthy), length, float(one.is_wordy))
    shapes: dict[str, int] = {}
    numeric = truthy = wordy = 0
    for one in dict.fromkeys(properties):
        seen = properties.count(one)
        numeric += seen * one.is_numeric
        truthy += seen * one.is_truthy
        wordy += seen * one.is_wordy
        for kind in one.kinds:
            shapes[kind] = shapes.get(kind, 0) + seen
    shares = {kind: seen / count for kind, seen in shapes.items()}
    return Profile(shares, numeric / count, truthy / count, length, wordy / count)


def sample_of(texts: Sequence[str]) -> Sequence[str]:
    """Return some of the texts, without marks for no value: a dash, "n/a"."""
    if not any(map(is_empty, texts[:_TRIED])):
        return texts[:_TRIED]
    return list(itertools.islice((text for text in texts if not is_empty(text)), _TRIED)) or texts[:_TRIED]
