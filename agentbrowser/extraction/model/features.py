"""Named features that the model weighs, in frozen groups whose field order is the order of the vector.

A field's type is the sign that its weight may have. The names of all fields are hashed into the header of the model
file (`agentbrowser.extraction.model.model_file`): renaming, adding or moving a field requires a new fit.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeVar, get_type_hints

from agentbrowser.extraction.columns.value_shapes import SHAPES
from agentbrowser.extraction.model.confidence_features import (
    AnswerConfidenceFeatures,
    FactConfidenceFeatures,
    FieldConfidenceFeatures,
    ListConfidenceFeatures,
)
from agentbrowser.extraction.model.feature_signs import Negative, Positive, Signed
from agentbrowser.extraction.schema.value_types import VALUE_TYPES

FeatureVector = Sequence[float]


class ShapeFeatures(NamedTuple):
    """Shape of a column's values, for one field."""

    goes_together: Positive
    cut: Signed
    cleaned: Signed


class SourceFeatures(NamedTuple):
    """Similarity of a field's name to the names of a column, by the source of each."""

    labels: Positive
    near: Positive
    classes: Positive
    form: Positive


class ComparisonFeatures(NamedTuple):
    """Comparison of a column with the best column of its group, and doubts about its values."""

    better_named: Negative
    better_looks: Negative
    tiny: Negative
    same_everywhere: Negative
    to_title: Positive
    known_by_class: Negative
    number_asked_long: Negative
    repeated_title: Negative


class NameFeatures(NamedTuple):
    """Similarity of a field's name to the best name of a column."""

    named: Positive
    well_named: Positive
    plainly_named: Positive
    unnamed: Negative
    unnamed_but_known: Negative
    rival: Negative
    named_otherwise: Negative
    odd_names: Negative
    unmatched: Negative
    surplus: Negative
    required: Positive


class LookFeatures(NamedTuple):
    """Likelihood of the written form of a column's values, for one field."""

    looks: Positive
    looks_wrong: Negative
    looks_unnamed: Positive
    described: Positive
    own_form: Positive
    foreign_form: Negative


class KindFeatures(NamedTuple):
    """Source of a column's values in the markup."""

    own: Negative
    part: Negative
    machine: Signed
    alt: Negative
    aria: Negative
    data: Negative
    value: Signed


class FillFeatures(NamedTuple):
    """Share of the rows that have a value, and of equal values."""

    filled: Positive
    constant: Negative


class StateFeatures(NamedTuple):
    """Roles of a column besides holding a value."""

    crowded: Negative
    composite: Negative
    label: Signed
    section: Negative


class WritingFeatures(NamedTuple):
    """Written form of a column's values."""

    many: Positive
    some_of_many: Negative
    composite_cell: Signed
    foreign: Negative
    numeric_text: Negative
    wordy_number: Negative
    long: Negative
    counting: Signed
    counting_unasked: Negative
    rare: Negative
    very_rare: Negative
    machine_date_asked: Positive
    machine_date: Negative


class PositionFeatures(NamedTuple):
    """Position of a column among the others of its group."""

    title_first: Positive
    heading: Negative
    title_link: Positive
    fragment: Negative
    place: Negative
    narrow: Negative
    badged: Negative
    action: Negative
    per_asked: Positive


class RelationFeatures(NamedTuple):
    """Relation of a column to the columns that the other fields have."""

    others_named: Positive
    agrees: Positive
    agrees_unnamed: Positive
    clash: Negative
    same_spot: Negative
    next: Positive
    link_of_subject: Positive
    link_of_another: Negative


class ChoiceFeatures(NamedTuple):
    """Probability of a choice before its confidence is estimated."""

    probability: Positive


class GroupFeatures(NamedTuple):
    """Match of a whole group with a schema."""

    fit: Signed
    least_fit: Signed
    required_fit: Signed
    unpaired: Signed
    filled: Signed
    rows: Signed
    few: Signed
    context: Signed
    context_elsewhere: Signed
    context_names: Signed
    table_asked: Signed
    json: Signed
    rows_without_heads: Signed
    run: Signed
    sideways: Signed
    order: Signed
    fewer_things: Signed
    aside: Signed
    crowded: Signed
    constant: Signed
    named: Signed
    best_named: Signed
    goes_together: Signed
    context_not_meant: Signed
    aside_asked: Signed
    cards_asked: Signed
    table_named: Signed
    named_otherwise: Signed
    shared_subject: Signed


class FactNameFeatures(NamedTuple):
    """Similarity of a field's name to the names of a fact, by the source of each."""

    label: Positive
    plain_label: Positive
    near: Positive
    after: Positive
    markup: Positive
    tag: Positive
    data: Positive
    unit: Positive
    best: Positive
    well: Positive


class FactLookFeatures(NamedTuple):
    """Doubts about the name of a fact, and the likelihood of its written form."""

    unnamed: Negative
    unnamed_but_known: Negative
    otherwise: Negative
    otherwise_known: Negative
    rival: Negative
    look: Positive
    odd: Negative
    look_unnamed: Positive
    look_named: Positive
    required: Positive


class FactKindFeatures(NamedTuple):
    """Source of a fact in the page."""

    part: Negative
    aria: Negative
    attribute: Negative
    data_attribute: Negative
    json: Signed
    meta: Signed
    classes: Signed
    value: Signed
    aside: Negative
    aside_unnamed: Negative
    repeated: Negative
    repeated_unnamed: Negative
    label_itself: Negative
    composite: Negative


class FactPositionFeatures(NamedTuple):
    """Position of a fact in the page, above all relative to its title."""

    heading: Negative
    title: Positive
    section: Negative
    title_taken: Negative
    subtitle: Positive
    struck: Negative
    action: Negative
    late: Negative
    far_unnamed: Negative
    long: Negative
    beside_title: Positive


class FactTextFeatures(NamedTuple):
    """Text of a fact, for one field."""

    address_of_contact: Negative
    repeats_the_name: Negative
    alone: Positive
    outer: Positive
    outer_unmatched: Negative
    described: Positive
    wordy_number: Negative
    number: Positive
    foreign: Negative
    link_unnamed: Negative


class FactMarkupFeatures(NamedTuple):
    """Markup of a fact, for one field."""

    head: Negative
    iso_asked: Positive
    iso: Negative
    name_unnamed: Negative
    hidden: Negative
    address: Positive
    of_a_span: Negative
    outside: Negative
    outside_unnamed: Negative


class ContextFeatures(NamedTuple):
    """Position of a fact relative to the facts that the other fields seem to have."""

    near_its_own: Positive
    near_the_others: Positive
    about_the_others: Positive
    far_from_all: Negative
    under_one_heading: Positive
    of_similar_markup: Positive
    in_order: Positive
    next_to_its_neighbours: Positive
    with_its_neighbours: Positive


class PlaceFeatures(NamedTuple):
    """Lack of any support for a fact but its place."""

    by_place_alone: Negative


_Group = TypeVar("_Group", bound=tuple[Any, ...])


def vector_function(group: type[_Group]) -> type[_Group]:
    """Return a function from a group's fields, as keywords, to their tuple in the group's order.

    The function returns a plain tuple: building the class itself takes three times as long, for every pair of a field
    and a column. To type checkers it is the class, so that they compare the keywords with its fields.
    """
    names = ", ".join(_fields(group))
    scope: dict[str, Any] = {}
    exec(f"def vector({names}):\n    return ({names},)", scope)  # as collections.namedtuple builds its classes
    vector: type[_Group] = scope["vector"]
    return vector


def _fields(group: type[_Group]) -> tuple[str, ...]:
    fields: tuple[str, ...] = group._fields  # type: ignore[attr-defined]  # of every NamedTuple
    return fields


def _names(*groups: type[_Group]) -> tuple[str, ...]:
    return tuple(name for group in groups for name in _fields(group))


PAIR_GROUPS: Final = (
    ShapeFeatures, SourceFeatures, ComparisonFeatures, NameFeatures, LookFeatures, KindFeatures, FillFeatures,
    StateFeatures, WritingFeatures, PositionFeatures,
)  # fmt: skip
"""Features of a field with a column by themselves."""
FACT_GROUPS: Final = (
    FactNameFeatures, FactLookFeatures, FactKindFeatures, FactPositionFeatures, FactTextFeatures, FactMarkupFeatures,
)  # fmt: skip
"""Features of a field with a fact by themselves."""
PAIR: Final = _names(*PAIR_GROUPS)
PAIR_IN_CONTEXT: Final = (*PAIR, *_names(RelationFeatures))
FACT: Final = _names(*FACT_GROUPS)
FACT_IN_CONTEXT: Final = (*FACT, *_names(ContextFeatures, PlaceFeatures))

WEIGHT_TABLES: Final[dict[str, tuple[str, ...]]] = {
    "type_shape": tuple(f"{value_type}: {shape}" for value_type in VALUE_TYPES for shape in SHAPES),
    "pair": PAIR,
    "pair_in_context": PAIR_IN_CONTEXT,
    "choice": (*PAIR_IN_CONTEXT, *_names(ChoiceFeatures)),
    "group": _names(GroupFeatures),
    "list_confidence": _names(ListConfidenceFeatures),
    "fact": FACT,
    "fact_in_context": FACT_IN_CONTEXT,
    "fact_confidence": _names(FactConfidenceFeatures),
    "field_confidence": _names(FieldConfidenceFeatures),
    "answer_confidence": _names(AnswerConfidenceFeatures),
}
"""Names of the features of each table of weights, in their order."""
TREE_TABLES: Final[dict[str, tuple[str, ...]]] = {
    "pair_in_context": PAIR_IN_CONTEXT,
    "group": _names(GroupFeatures),
    "fact_in_context": FACT_IN_CONTEXT,
    "field_confidence": _names(FieldConfidenceFeatures),
}
"""Names of the features of each kind of trees, in their order."""


def signs(*groups: type[_Group]) -> Iterator[int]:
    """Yield the sign that the weight of each feature may have: 1, -1, or 0 for either."""
    for group in groups:
        hints = get_type_hints(group, include_extras=True)
        yield from (hints[name].__metadata__[0] for name in _fields(group))
