"""Single things: which of the facts on a page is which of the values that are asked for."""

import math
from collections.abc import Sequence
from typing import Final

import attrs

from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.match.assignment import pair
from agentbrowser.extraction.match.context_features import CONTEXT, OF_ONE, ValuePosition, context_features
from agentbrowser.extraction.match.field_names import PLAIN, FieldNames, NameMatch, called
from agentbrowser.extraction.match.sequence import filled
from agentbrowser.extraction.match.single_features import TRAITS, PageFacts, features
from agentbrowser.extraction.model import single_weights
from agentbrowser.extraction.model.trees import fitted, reviewed
from agentbrowser.extraction.model.weights import weighed
from agentbrowser.extraction.schema.schema_fields import SchemaField, known

_TITLE, _UNNAMED, _LOOK = (TRAITS.index(name) for name in ("+title", "-unnamed", "+look"))
_ABOUT: Final = CONTEXT.index("+about the others")
TOGETHER: Final = (*TRAITS, *CONTEXT, "-by its place alone")
"""What is told of a value once it is known where the others seem to be."""
_SHORTLIST: Final = 14


@attrs.frozen
class FactOption:
    """A fact that can be what is asked for, its place on the page, and what is told of the two."""

    fact: Column
    place: int
    outer: tuple[str, ...]
    """What the object that is asked for is called, where the wish is for a property of one within the whole."""
    features: tuple[float, ...]


def choose(fields: Sequence[SchemaField], facts: Sequence[Column]) -> list[tuple[SchemaField, Column | None, float]]:
    """Return for each wish the fact that serves it best and how likely that is right, no fact serving two."""
    ranked = _ranked(fields, facts)
    shortlist = list({id(fact): fact for best in ranked for _, fact in best}.values())
    places = {id(fact): place for place, fact in enumerate(shortlist)}
    table = [[0.0] * len(shortlist) for _ in fields]
    for row, best in zip(table, ranked, strict=True):
        for value, fact in best:
            row[places[id(fact)]] = value
    chosen = pair(table) if shortlist else [-1] * len(fields)
    picked = []
    for field, column, row in zip(fields, chosen, table, strict=True):
        is_fit = column >= 0 and row[column] > 0
        picked.append((field, shortlist[column] if is_fit else None, _share(row[column]) if is_fit else 0.0))
    return filled(picked, facts)


def options(fields: Sequence[SchemaField], facts: Sequence[Column]) -> list[list[FactOption]]:
    """Return for each wish the facts that can be it."""
    names_of_fields = [
        FieldNames(known(attrs.evolve(field, is_subject=False)), is_subject=field.is_subject) for field in fields
    ]
    page = PageFacts(facts, fields)
    names = [[called(names_of_field, fact) for fact in facts] for names_of_field in names_of_fields]
    found = []
    firsts, seconds = _leads(names)
    for at, names_of_field in enumerate(names_of_fields):
        row = []
        for place, fact in enumerate(facts):
            own = names[at][place]
            rival = firsts[place] if own.best < firsts[place] else seconds[place]
            these = features(names_of_field, fact, place, page, own, rival)
            if these is not None:
                row.append(FactOption(fact, place, names_of_field.field.path[:-1], these))
        found.append(row)
    return found


def with_context(rows: Sequence[Sequence[FactOption]], weights: Sequence[float]) -> list[list[FactOption]]:
    """Return the options with what is told of them by where the best for the other wishes are."""
    positions = [position for asked, row in enumerate(rows) if (position := _position(asked, row, weights)) is not None]
    return [[_with_context(one, asked, positions) for one in row] for asked, row in enumerate(rows)]


def _with_context(one: FactOption, asked: int, positions: Sequence[ValuePosition]) -> FactOption:
    """Return an option with its company; what the page is called by stands above all, wherever the others are."""
    told = context_features(asked, one.outer, one.place, one.fact, positions)
    if one.features[_TITLE]:
        told = tuple(
            min(here, usual) if name[0] == "-" else max(here, usual)
            for name, here, usual in zip(CONTEXT, told, OF_ONE, strict=True)
        )
    by_place_alone = told[_ABOUT] * one.features[_UNNAMED] * (one.features[_LOOK] <= 0)
    return attrs.evolve(one, features=(*one.features, *told, by_place_alone))


def _position(asked: int, row: Sequence[FactOption], weights: Sequence[float]) -> ValuePosition | None:
    score, at = max(((weighed(weights, one.features), -at) for at, one in enumerate(row)), default=(0.0, 0))
    return ValuePosition(asked, row[-at].place, row[-at].fact, _share(score), row[-at].outer) if score > 0 else None


def _leads(names: Sequence[Sequence[NameMatch]]) -> tuple[list[float], list[float]]:
    """Return how far each fact is called what the wish asks for that it is called most, and the one after that."""
    columns = [sorted([one.best for one in column]) for column in zip(*names, strict=True)]
    return [column[-1] for column in columns], [column[-2] if len(column) > 1 else 0.0 for column in columns]


def _ranked(fields: Sequence[SchemaField], facts: Sequence[Column]) -> list[list[tuple[float, Column]]]:
    """Return for each wish the facts that speak for themselves and with the others, the best first."""
    rows = with_context(options(fields, facts), single_weights.ALONE)
    return [sorted(_positive(row), key=lambda one: -one[0])[:_SHORTLIST] for row in rows]


def _positive(row: Sequence[FactOption]) -> list[tuple[float, Column]]:
    weights = [weighed(single_weights.CHOSEN, one.features) for one in row]
    scores = reviewed(weights, fitted().single, lambda at: row[at].features)
    return [(value, one.fact) for value, one in zip(scores, row, strict=True) if value > 0]


def _share(value: float) -> float:
    return 1 / (1 + math.exp(-min(30.0, value)))


def has_own_name(fact: Column) -> bool:
    """Tell whether the page names it plainly."""
    return any(label[0] in PLAIN for label in fact.labels)
