"""What the order of things tells: values whose names say nothing stand where the schema has their property."""

from collections.abc import Sequence
from typing import Final

from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.markup_names import HEADINGS
from agentbrowser.extraction.columns.value_reader import Reader
from agentbrowser.extraction.match.column_fit import NEVER, looks
from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.text.words import Words, likeness, words

Choice = tuple[SchemaField, Column | None, float]

_WORTH: Final = 0.3
"""What a value is worth that only its place speaks for."""
_ANCHOR: Final = 0.6
_FURTHEST: Final = 40
_CALLED: Final = 0.7
_TINY: Final = 3
_LIKE: Final = 0.35
_MOST: Final = 6
_LONGEST: Final = 160
_LONGEST_NUMBER: Final = 24
_CONTROLS: Final = frozenset(("input", "select", "textarea"))
_NAMED_BY: Final = frozenset("kq")
_NO_VALUES: Final = HEADINGS | {"button", "label", "legend", "nav", "th", "dt"}


def filled(choices: Sequence[Choice], facts: Sequence[Column]) -> list[Choice]:
    """Return the choices, those that are missing between two others filled with what stands between these."""
    places = {id(fact): place for place, fact in enumerate(facts)}
    names = {label[1:] for fact in facts for label in fact.labels if label[0] in _NAMED_BY}
    result = list(choices)
    for begin, end in _gaps(choices):
        before, behind = choices[begin - 1], choices[end]
        span = _between(before, behind, facts, places)
        fields = [field for field, _, _ in choices[begin:end]]
        result[begin:end] = _filled(fields, _free(span, choices, names)) or result[begin:end]
    return _with_rest(result, facts, places, names)


def _with_rest(choices: list[Choice], facts: Sequence[Column], places: dict[int, int], names: set[str]) -> list[Choice]:
    """Fill what is missing at the end with the named values that are left under the same heading, if that many are."""
    begin = len(choices)
    while begin and choices[begin - 1][1] is None:
        begin -= 1
    last = choices[begin - 1][1] if 0 < begin < len(choices) else None
    if last is None:
        return choices
    behind = [fact for fact in facts[places[id(last)] + 1 :] if fact.section == last.section and fact.total == 1]
    named = [fact for fact in _free(behind[:_FURTHEST], choices, names) if _name(fact)]
    fields = [field for field, _, _ in choices[begin:]]
    if len(named) != len(fields) or len(fields) > _MOST or not all(map(_serves, fields, named)):
        return choices
    return [*choices[:begin], *((field, fact, _WORTH) for field, fact in zip(fields, named, strict=True))]


def _gaps(choices: Sequence[Choice]) -> list[tuple[int, int]]:
    gaps = []
    begin = 0
    for place, (_, fact, _) in enumerate(choices):
        if fact is None:
            continue
        if 0 < begin < place:
            gaps.append((begin, place))
        begin = place + 1
    return gaps


def _between(before: Choice, behind: Choice, facts: Sequence[Column], places: dict[int, int]) -> Sequence[Column]:
    first, last = places[id(before[1])], places[id(behind[1])]
    if min(before[2], behind[2]) < _ANCHOR or not 0 < last - first <= _FURTHEST:
        return ()
    return facts[first + 1 : last]


def _free(span: Sequence[Column], choices: Sequence[Choice], names: set[str]) -> list[Column]:
    """Return the values that nobody has and that are no parts of those that somebody has."""
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


def _filled(fields: Sequence[SchemaField], free: Sequence[Column]) -> list[Choice]:
    """Return a value for each wish, in order; nothing where there are more values, or fewer."""
    named = [fact for fact in free if _name(fact)]
    for these in (named, free):
        fitting = [fact for fact in these if any(_serves(field, fact) for field in fields)]
        if len(fitting) == len(fields) <= _MOST and all(map(_serves, fields, fitting)):
            return [(field, fact, _WORTH) for field, fact in zip(fields, fitting, strict=True)]
    return _by_look(fields, free)


def _by_look(fields: Sequence[SchemaField], free: Sequence[Column]) -> list[Choice]:
    """Return for each wish, in order, a value that looks as such values do; none for a wish that has none."""
    result: list[Choice] = []
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
    """Return the values of one look that stand in a row under a name, and how well that is what is asked for."""
    runs: dict[tuple[str, ...], list[Column]] = {}
    for fact in facts:
        if fact.kind == "text" and fact.section and not fact.is_composite and not fact.tags & _NO_VALUES:
            looks_like = sorted(hint for hint in fact.hints if hint[0] in "ct")
            runs.setdefault((fact.section, fact.tag, *looks_like), []).append(fact)
    fits = [(likeness(field.name, words(key[0])), these) for key, these in runs.items() if len(these) > 1]
    fit, these = max(fits, key=lambda fit: fit[0], default=(0.0, []))
    return (these, fit) if fit > _CALLED else ([], 0.0)


def _name(fact: Column) -> Words | None:
    return next((words(label[1:]) for label in fact.labels if label[0] in _NAMED_BY), None)


def _serves(field: SchemaField, fact: Column) -> bool:
    """Tell whether a value is of the type that is asked for, and not named as something else."""
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
