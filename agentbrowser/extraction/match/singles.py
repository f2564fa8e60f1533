"""Assignment of a page's facts to the fields of a single object."""

from collections.abc import Sequence
from typing import Final

import attrs

from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.match.assignment import pair
from agentbrowser.extraction.match.context_features import NEUTRAL, ValuePosition, context_features
from agentbrowser.extraction.match.field_names import PLAIN_LABELS, FieldNames, NameMatch, name_match
from agentbrowser.extraction.match.sequence import FactChoice, with_sequence
from agentbrowser.extraction.match.single_features import PageFacts, fact_features
from agentbrowser.extraction.model.features import FACT, ContextFeatures, signs
from agentbrowser.extraction.model.trees import TREES, reviewed
from agentbrowser.extraction.model.weights import WEIGHTS, probability, weighed
from agentbrowser.extraction.schema.schema_fields import SchemaField, interned

_TITLE, _UNNAMED, _LOOK = (FACT.index(name) for name in ("title", "unnamed", "look"))
_ABOUT: Final = ContextFeatures._fields.index("about_the_others")
_CONTEXT_SIGNS: Final = tuple(signs(ContextFeatures))
_SHORTLIST: Final = 14


@attrs.frozen
class FactOption:
    """A fact that a field may have, with its features."""

    fact: Column
    place: int
    """Place of the fact on the page."""
    outer: tuple[str, ...]
    """Path of the object that the field belongs to."""
    features: tuple[float, ...]


def choose(fields: Sequence[SchemaField], facts: Sequence[Column]) -> list[FactChoice]:
    """Return the best fact of each field with its probability; no fact serves two fields."""
    ranked = _ranked(fields, facts)
    shortlist = list({id(fact): fact for best in ranked for _, fact in best}.values())
    places = {id(fact): place for place, fact in enumerate(shortlist)}
    table = [[0.0] * len(shortlist) for _ in fields]
    for row, best in zip(table, ranked, strict=True):
        for score, fact in best:
            row[places[id(fact)]] = score
    chosen = pair(table) if shortlist else [-1] * len(fields)
    picked: list[FactChoice] = []
    for field, place, row in zip(fields, chosen, table, strict=True):
        is_fit = place >= 0 and row[place] > 0
        picked.append((field, shortlist[place] if is_fit else None, probability(row[place]) if is_fit else 0.0))
    return with_sequence(picked, facts)


def options(fields: Sequence[SchemaField], facts: Sequence[Column]) -> list[list[FactOption]]:
    """Return the facts that each field may have."""
    field_names = [
        FieldNames(interned(attrs.evolve(field, is_subject=False)), is_subject=field.is_subject) for field in fields
    ]
    page = PageFacts(facts, fields)
    names = [[name_match(one, fact) for fact in facts] for one in field_names]
    found = []
    firsts, seconds = _best_names(names)
    for at, one in enumerate(field_names):
        row = []
        for place, fact in enumerate(facts):
            own = names[at][place]
            rival = firsts[place] if own.best < firsts[place] else seconds[place]
            features = fact_features(one, fact, place, page, own, rival)
            if features is not None:
                row.append(FactOption(fact, place, one.field.path[:-1], features))
        found.append(row)
    return found


def with_context(rows: Sequence[Sequence[FactOption]], weights: Sequence[float]) -> list[list[FactOption]]:
    """Return the options with context features, given the best options of the other fields by some weights."""
    positions = [position for field, row in enumerate(rows) if (position := _position(field, row, weights)) is not None]
    return [[_with_context(option, field, positions) for option in row] for field, row in enumerate(rows)]


def _with_context(option: FactOption, field: int, positions: Sequence[ValuePosition]) -> FactOption:
    """Return an option with its context; a title is above everything, so that its context never opposes it."""
    context = context_features(field, option.outer, option.place, option.fact, positions)
    if option.features[_TITLE]:
        context = tuple(
            min(here, neutral) if sign < 0 else max(here, neutral)
            for sign, here, neutral in zip(_CONTEXT_SIGNS, context, NEUTRAL, strict=True)
        )
    by_place_alone = context[_ABOUT] * option.features[_UNNAMED] * (option.features[_LOOK] <= 0)
    return attrs.evolve(option, features=(*option.features, *context, by_place_alone))


def _position(field: int, row: Sequence[FactOption], weights: Sequence[float]) -> ValuePosition | None:
    score, at = max(((weighed(weights, one.features), -at) for at, one in enumerate(row)), default=(0.0, 0))
    best = row[-at] if row else None
    return ValuePosition(field, best.place, best.fact, probability(score), best.outer) if best and score > 0 else None


def _best_names(names: Sequence[Sequence[NameMatch]]) -> tuple[list[float], list[float]]:
    """Return the best and the second best similarity of each fact's names to any field."""
    columns = [sorted([one.best for one in column]) for column in zip(*names, strict=True)]
    return [column[-1] for column in columns], [column[-2] if len(column) > 1 else 0.0 for column in columns]


def _ranked(fields: Sequence[SchemaField], facts: Sequence[Column]) -> list[list[tuple[float, Column]]]:
    """Return the facts that each field may have, with their scores in context, the best first."""
    rows = with_context(options(fields, facts), WEIGHTS.fact)
    return [sorted(_positive(row), key=lambda one: -one[0])[:_SHORTLIST] for row in rows]


def _positive(row: Sequence[FactOption]) -> list[tuple[float, Column]]:
    """Return the options with a positive score."""
    weights = [weighed(WEIGHTS.fact_in_context, one.features) for one in row]
    scores = reviewed(weights, TREES.fact_in_context, lambda at: row[at].features)
    return [(score, one.fact) for score, one in zip(scores, row, strict=True) if score > 0]


def has_own_name(fact: Column) -> bool:
    """Return True if the page names a fact by a plain label."""
    return any(label[0] in PLAIN_LABELS for label in fact.labels)
