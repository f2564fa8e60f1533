"""Assignment of a page's facts to the fields of a single object."""

from collections.abc import Sequence
from typing import Final, TypeAlias

import attrs

from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.page_names import HEADINGS
from agentbrowser.extraction.columns.spans import agree_on_part, ends, is_part, paired_ends
from agentbrowser.extraction.columns.value_reader import Reader
from agentbrowser.extraction.match.assignment import best_assignment
from agentbrowser.extraction.match.context_features import NEUTRAL, ValuePosition, context_features
from agentbrowser.extraction.match.field_names import FieldNames, NameMatch, name_match
from agentbrowser.extraction.match.form_evidence import is_certain, is_for_contact
from agentbrowser.extraction.match.headers import is_unfilled
from agentbrowser.extraction.match.single_features import STRUCK, WRITTEN_KINDS, PageFacts, fact_features
from agentbrowser.extraction.model.features import FACT, ContextFeatures, signs
from agentbrowser.extraction.model.trees import TREES, reviewed
from agentbrowser.extraction.model.weights import WEIGHTS, probability, weighed
from agentbrowser.extraction.schema.schema_fields import SchemaField, interned
from agentbrowser.extraction.text.truth import is_plain, truth

_TITLE, _UNNAMED, _LOOK, _BEST, _ALONE = (FACT.index(name) for name in ("title", "unnamed", "look", "best", "alone"))
_ABOUT_THE_OTHERS: Final = ContextFeatures._fields.index("about_the_others")
_CONTEXT_SIGNS: Final = tuple(signs(ContextFeatures))
FactChoice: TypeAlias = tuple[SchemaField, Column | None, float, float]
"""A field with its fact, the probability that the fact is right, and the lead of its score over another text's."""
_SHORTLIST_LENGTH: Final = 14
MACHINE_TAGS: Final = frozenset(("json", "meta"))
"""Tags of facts from data for machines, which the page does not show."""
_LEAST_VISIBLE: Final = -4.0
"""Least score of a visible value that goes before one for machines."""
_MIN_VISIBLE_FIT: Final = 0.5
"""Least likelihood of the form, or similarity of the name, of a visible value that goes before one for machines."""
_MIN_ASIDE_SIMILARITY: Final = 0.8
"""Least similarity of the name in a sidebar, where only a heading with the field's own name counts."""
_MAX_STATE_LENGTH: Final = 40
"""Length of the longest state."""
_MAX_BARE_LENGTH: Final = 16
"""Length of the longest text that is a number and nothing more."""
_LEAD_OF_FIRST: Final = 0.01
_MIN_DATA_SIMILARITY: Final = 0.7
_PROVEN_SCORE: Final = 1.0
"""Score of a fact that its form proves to be the field's."""
_OWN_NAME_SIMILARITY: Final = 0.9
"""Least similarity of a name that is the field's own."""


@attrs.frozen
class FactOption:
    """A fact that a field may have, with its features."""

    fact: Column
    place: int
    """Place of the fact on the page."""
    outer: tuple[str, ...]
    """Path of the object that the field belongs to."""
    is_state: bool
    """True for the badge with the state that the field is for."""
    features: tuple[float, ...]


def choose(fields: Sequence[SchemaField], facts: Sequence[Column], unfilled: Sequence[str] = ()) -> list[FactChoice]:
    """Return the best fact of each field with its probability; no fact serves two fields.

    Args:
      unfilled: names on the page without a value; a field of such a name has none.
    """
    ranked = [
        [] if unfilled and _is_unfilled(field, best, unfilled) else best
        for field, best in zip(fields, _ranked(fields, facts), strict=True)
    ]
    shortlist = list({id(fact): fact for best in ranked for _, fact in best}.values())
    places = {id(fact): place for place, fact in enumerate(shortlist)}
    scores = [[0.0] * len(shortlist) for _ in fields]
    for row, best in zip(scores, ranked, strict=True):
        for score, fact in best:
            row[places[id(fact)]] = score
    assigned = best_assignment(scores) if shortlist else [-1] * len(fields)
    choices: list[FactChoice] = []
    for field, place, row, best in zip(fields, assigned, scores, ranked, strict=True):
        if place < 0 or row[place] <= 0:
            choices.append((field, None, 0.0, 0.0))
            continue
        fact = shortlist[place]
        runner_up = max([score for score, other in best if other.texts[0] != fact.texts[0]], default=0.0)
        choices.append((field, fact, probability(row[place]), row[place] - max(0.0, runner_up)))
    return choices


def _is_unfilled(field: SchemaField, ranked: Sequence[tuple[float, Column]], unfilled: Sequence[str]) -> bool:
    """Return True if the page has the field's name without a value, and none of the field's facts has that name."""
    names = FieldNames(field)
    return is_unfilled(
        field, unfilled, is_named=any(name_match(names, fact).best >= _OWN_NAME_SIMILARITY for _, fact in ranked)
    )


def options(fields: Sequence[SchemaField], facts: Sequence[Column]) -> list[list[FactOption]]:
    """Return the facts that each field may have."""
    field_names = [
        FieldNames(interned(attrs.evolve(field, is_subject=False)), is_subject=field.is_subject) for field in fields
    ]
    paired = paired_ends(fields)
    facts = _with_ends(facts) if paired else facts
    page = PageFacts(facts, fields)
    links = {fact.spots[0] for fact in facts if fact.kind == "href"}
    matches = [[name_match(names, fact) for fact in facts] for names in field_names]
    rows = []
    firsts, seconds = _best_names(matches)
    for names, field_matches in zip(field_names, matches, strict=True):
        row, field = [], names.field
        is_linked = field.wants_link and not field.wants_shown
        for place, (fact, match) in enumerate(zip(facts, field_matches, strict=True)):
            if is_linked and fact.kind in WRITTEN_KINDS and fact.spots[0] in links:
                continue  # a short form of the address that the link itself has
            if is_part(fact) and not (field.path in paired and agree_on_part(field, fact, is_span=False)):
                continue
            rival = firsts[place] if match.best < firsts[place] else seconds[place]
            features = fact_features(names, fact, place, page, match, rival)
            if features is not None:
                row.append(FactOption(fact, place, field.path[:-1], page.is_state(field, fact), features))
        rows.append(row)
    return rows


def _with_ends(facts: Sequence[Column]) -> list[Column]:
    """Return the facts with the two ends of each span behind it: "1 May – 30 September"."""
    return [one for fact in facts for one in (fact, *(() if fact.is_composite else ends(fact)))]


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
    by_place_alone = context[_ABOUT_THE_OTHERS] * option.features[_UNNAMED] * (option.features[_LOOK] <= 0)
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
    return [
        sorted(_positive(field, row), key=lambda one: -one[0])[:_SHORTLIST_LENGTH]
        for field, row in zip(fields, rows, strict=True)
    ]


def _positive(field: SchemaField, row: Sequence[FactOption]) -> list[tuple[float, Column]]:
    """Return the options with a positive score."""
    weights = [weighed(WEIGHTS.fact_in_context, one.features) for one in row]
    scores = reviewed(weights, TREES.fact_in_context, lambda at: row[at].features)
    if field.is_number:
        scores = _visible_first(field, row, scores)
    elif field.type == "string":
        scores = _shown_first(field, row, _title_first(row, scores))
    found = [(score, one.fact) for score, one in zip(scores, row, strict=True) if score > 0]
    certain = next((one.fact for one in row if is_certain(field, one.fact)), None)
    if certain is None and not found and is_for_contact(field):  # in a footer, which the fit holds against it
        certain = next((one.fact for one in row if one.features[_ALONE] and one.fact.kind in WRITTEN_KINDS), None)
    if certain is None and not found:
        certain = next((one.fact for one in row if one.is_state), None)
    if certain is None or (found and field.type == "boolean"):
        return found
    return [(_PROVEN_SCORE, certain)]


def _visible_first(field: SchemaField, row: Sequence[FactOption], scores: list[float]) -> list[float]:
    """Return the scores with a visible number first, if the page shows another than its data for machines.

    Data for machines is often stale: a price of last week. It stays the best where nothing visible is like it.
    """
    if (best := _best_for_machines(row, scores)) is None:
        return scores
    visible = [at for at, one in enumerate(row) if _may_replace(one)]
    value = _value(field, row[best].fact)
    if any(_value(field, row[at].fact) == value for at in visible):
        return scores
    return _with_first(scores, best, max(visible, key=scores.__getitem__, default=None))


def _title_first(row: Sequence[FactOption], scores: list[float]) -> list[float]:
    """Return the scores with the page's title first, if the best is a text for machines that the page shows nowhere."""
    if (best := _best_for_machines(row, scores)) is None:
        return scores
    text = row[best].fact.texts[0]
    title = next((at for at, one in enumerate(row) if one.features[_TITLE] and one.fact.tag not in MACHINE_TAGS), None)
    if title is not None and _is_alike(text, row[title].fact.texts[0]):
        return scores
    return _with_first(scores, best, title)


def _shown_first(field: SchemaField, row: Sequence[FactOption], scores: list[float]) -> list[float]:
    """Return the scores with a well named visible text first, if the best is a text for machines: "InStock".

    A text is requested as the page shows it, unless the field is for an address or for the ISO form.
    """
    if field.is_address or field.wants_iso or field.wants_markup:
        return scores
    if (best := _best_for_machines(row, scores)) is None:
        return scores
    text = row[best].fact.texts[0]
    visible = [at for at, one in enumerate(row) if one.fact.tag not in MACHINE_TAGS and one.fact.kind in WRITTEN_KINDS]
    if any(_is_alike(text, row[at].fact.texts[0]) for at in visible):
        return scores
    named = [
        at
        for at in visible
        if row[at].features[_BEST] >= (_MIN_ASIDE_SIMILARITY if row[at].fact.is_aside else _MIN_VISIBLE_FIT)
        or _states_stock(field, row[at].fact)
    ]
    return _with_first(scores, best, max(named, key=scores.__getitem__, default=None))


def _best_for_machines(row: Sequence[FactOption], scores: list[float]) -> int | None:
    """Return the place of the best option if it is of data for machines, else None."""
    best = max(range(len(row)), key=scores.__getitem__, default=None)
    return best if best is not None and scores[best] > 0 and row[best].fact.tag in MACHINE_TAGS else None


def _with_first(scores: list[float], best: int, first: int | None) -> list[float]:
    """Return the scores with another option before the best one, unless there is none that is likely enough."""
    if first is None or scores[first] < _LEAST_VISIBLE:
        return scores
    return [scores[best] + _LEAD_OF_FIRST if at == first else score for at, score in enumerate(scores)]


def _states_stock(field: SchemaField, fact: Column) -> bool:
    """Return True if a text says of the item whether it can be bought: "Sold out"."""
    text = fact.texts[0]
    is_said = "stock" in field.concepts and not (fact.is_aside or fact.is_repeated) and len(text) < _MAX_STATE_LENGTH
    return is_said and fact.tag not in ("a", "button") and truth(text) is not None and not is_plain(text)


def _is_alike(one: str, other: str) -> bool:
    """Return True if one of two texts contains the other: a title with the name of the site."""
    first, second = one.casefold(), other.casefold()
    return first in second or second in first


def _may_replace(option: FactOption) -> bool:
    fact = option.fact
    is_bare = fact.kind == "text" and len(fact.texts[0]) <= _MAX_BARE_LENGTH
    is_named = fact.kind in WRITTEN_KINDS and option.features[_BEST] >= _MIN_VISIBLE_FIT
    is_plain = not fact.is_aside and fact.tags.isdisjoint(STRUCK)
    return (is_bare or is_named) and is_plain and option.features[_LOOK] >= _MIN_VISIBLE_FIT


def _value(field: SchemaField, fact: Column) -> object:
    return Reader(field, fact).read(fact.texts[0])


def conflicting(field: SchemaField, chosen: Column, facts: Sequence[Column]) -> str | None:
    """Return another value that the page's data for machines has under the field's name; None without one."""
    if field.type == "boolean" or field.is_many or chosen.tag in MACHINE_TAGS:
        return None
    if not field.is_number and chosen.tags.isdisjoint(HEADINGS):
        return None
    names, value = FieldNames(field), _value(field, chosen)
    for fact in facts:
        if fact.tag in MACHINE_TAGS and name_match(names, fact).data >= _MIN_DATA_SIMILARITY:
            other = _value(field, fact)
            if (
                other is None
                or other == value
                or (isinstance(other, str) and (fact.tag == "meta" or _is_alike(other, str(value))))
            ):
                continue
            return fact.texts[0]
    return None
