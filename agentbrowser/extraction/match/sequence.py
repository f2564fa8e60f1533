"""Assignment by order: values without known names stand where the schema has their field."""

from collections.abc import Sequence
from typing import Final

from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.markup_names import HEADINGS
from agentbrowser.extraction.columns.value_reader import Reader
from agentbrowser.extraction.match.column_fit import NEVER, looks
from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.text.words import Words, likeness, words

FactChoice = tuple[SchemaField, Column | None, float]

_WORTH: Final = 0.3
"""Probability of a value that only its place supports."""
_ANCHOR: Final = 0.6
_FURTHEST: Final = 40
_LEAST_SIMILARITY: Final = 0.7
_TINY: Final = 3
_LIKE: Final = 0.35
_MOST: Final = 6
_LONGEST: Final = 160
_LONGEST_NUMBER: Final = 24
_CONTROLS: Final = frozenset(("input", "select", "textarea"))
_NAMED_BY: Final = frozenset("kq")
_NO_VALUES: Final = HEADINGS | {"button", "label", "legend", "nav", "th", "dt"}


def with_sequence(choices: Sequence[FactChoice], facts: Sequence[Column]) -> list[FactChoice]:
    """Return the choices, with gaps between two others filled from the facts between these."""
    places = {id(fact): place for place, fact in enumerate(facts)}
    names = {label[1:] for fact in facts for label in fact.labels if label[0] in _NAMED_BY}
    result = list(choices)
    for begin, end in _gaps(choices):
        before, after = choices[begin - 1], choices[end]
        span = _between(before, after, facts, places)
        fields = [field for field, _, _ in choices[begin:end]]
        result[begin:end] = _filled(fields, _free(span, choices, names)) or result[begin:end]
    return _with_rest(result, facts, places, names)


def _with_rest(
    choices: list[FactChoice], facts: Sequence[Column], places: dict[int, int], names: set[str]
) -> list[FactChoice]:
    """Fill missing fields at the end from the named values left under the same heading, if the numbers agree."""
    begin = len(choices)
    while begin and choices[begin - 1][1] is None:
        begin -= 1
    last = choices[begin - 1][1] if 0 < begin < len(choices) else None
    if last is None:
        return choices
    after = [fact for fact in facts[places[id(last)] + 1 :] if fact.section == last.section and fact.total == 1]
    named = [fact for fact in _free(after[:_FURTHEST], choices, names) if _name(fact)]
    fields = [field for field, _, _ in choices[begin:]]
    if len(named) != len(fields) or len(fields) > _MOST or not all(map(_serves, fields, named)):
        return choices
    return [*choices[:begin], *((field, fact, _WORTH) for field, fact in zip(fields, named, strict=True))]


def _gaps(choices: Sequence[FactChoice]) -> list[tuple[int, int]]:
    gaps = []
    begin = 0
    for place, (_, fact, _) in enumerate(choices):
        if fact is None:
            continue
        if 0 < begin < place:
            gaps.append((begin, place))
        begin = place + 1
    return gaps


def _between(
    before: FactChoice, after: FactChoice, facts: Sequence[Column], places: dict[int, int]
) -> Sequence[Column]:
    first, last = places[id(before[1])], places[id(after[1])]
    if min(before[2], after[2]) < _ANCHOR or not 0 < last - first <= _FURTHEST:
        return ()
    return facts[first + 1 : last]


def _free(span: Sequence[Column], choices: Sequence[FactChoice], names: set[str]) -> list[Column]:
    """Return the values that no field has and that are no parts of those that a field has."""
    taken = [fact.texts[0] for _, fact, _ in choices if fact]
    spots = {fact.spots[0] for _, fact, _ in choices if fact}
    split = {fact.spots[0] for fact in span if fact.kind == "part" and _name(fact)}
    free: dict[tuple[str, str], Column] = {}
    for fact in span:
        text = fact.texts[0]
        is_value = (
            fact.kind in ("text", "part", "checked")
            and not fact.is_aside
            and (fact.tag in _CONTROLS or not fact.tags & _NO_VALUES)
        )
        is_own = not (fact.is_label or fact.is_composite) and len(text) <= _LONGEST
        is_known = text in names or fact.spots[0] in spots or (fact.kind == "text" and fact.spots[0] in split)
        if is_value and is_own and not is_known and (_name(fact) or not any(_overlap(text, other) for other in taken)):
            free.setdefault((text, fact.kind) if fact.kind != "checked" else (text, fact.key), fact)
    return list(free.values())


def _overlap(one: str, two: str) -> bool:
    short, long = sorted((one, two), key=len)
    return one == two or (len(short) > _TINY and short in long)


def _filled(fields: Sequence[SchemaField], free: Sequence[Column]) -> list[FactChoice]:
    """Return a value for each field, in order; nothing if there are more values, or fewer."""
    named = [fact for fact in free if _name(fact)]
    for these in (named, free):
        fitting = [fact for fact in these if any(_serves(field, fact) for field in fields)]
        if len(fitting) == len(fields) <= _MOST and all(map(_serves, fields, fitting)):
            return [(field, fact, _WORTH) for field, fact in zip(fields, fitting, strict=True)]
    return _by_look(fields, free)


def _by_look(fields: Sequence[SchemaField], free: Sequence[Column]) -> list[FactChoice]:
    """Return a value for each field, in order, by its written form; None for a field without one."""
    result: list[FactChoice] = []
    begin = 0
    for field in fields:
        looking = [
            at
            for at, fact in enumerate(free)
            if at >= begin and _serves(field, fact) and field.type == "string" and looks(field, fact) >= _LIKE
        ]
        result.append((field, free[looking[0]], _WORTH) if looking else (field, None, 0.0))
        begin = looking[0] + 1 if looking else begin
    return result


def run(field: SchemaField, facts: Sequence[Column]) -> tuple[list[Column], float]:
    """Return consecutive values of one markup under a heading, and the heading's similarity to the field's name."""
    runs: dict[tuple[str, ...], list[Column]] = {}
    for fact in facts:
        if fact.kind == "text" and fact.section and not fact.is_composite and not fact.tags & _NO_VALUES:
            markup = sorted(hint for hint in fact.hints if hint[0] in "ct")
            runs.setdefault((fact.section, fact.tag, *markup), []).append(fact)
    fits = [(likeness(field.name, words(key[0])), these) for key, these in runs.items() if len(these) > 1]
    fit, these = max(fits, key=lambda fit: fit[0], default=(0.0, []))
    return (these, fit) if fit > _LEAST_SIMILARITY else ([], 0.0)


def _name(fact: Column) -> Words | None:
    return next((words(label[1:]) for label in fact.labels if label[0] in _NAMED_BY), None)


def _serves(field: SchemaField, fact: Column) -> bool:
    """Return True if a value has the field's type and no name of something else."""
    text = fact.texts[0]
    if (fact.kind == "checked" and field.type != "boolean") or field.is_many:
        return False
    if field.type in ("number", "integer") and len(text) > _LONGEST_NUMBER:
        return False
    if looks(field, fact) <= NEVER / 4 or Reader(field, fact).read(text) is None:
        return False
    name = _name(fact)
    if name is None or not name.concepts or not field.concepts:
        return True
    return max(likeness(field.name, name), likeness(field.hint, name)) > 0
