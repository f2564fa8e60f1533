"""Features of a schema field with a column of a group."""

import math
import re
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

import attrs

from agentbrowser.extraction.caching import cached
from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.spans import agree_on_part, is_part
from agentbrowser.extraction.columns.value_reader import Reader
from agentbrowser.extraction.match.candidate_columns import TRIED, CandidateColumn, is_of_another, overlap_with, shared
from agentbrowser.extraction.match.column_fit import (
    form_likelihood,
    name_similarity,
    shape_log_odds,
    surplus_share,
    unmatched_share,
    value_similarity,
)
from agentbrowser.extraction.match.form_evidence import contradicts, form_evidence
from agentbrowser.extraction.match.headers import decide_by_headers, look_under_header
from agentbrowser.extraction.match.score_bounds import ScoreBounds
from agentbrowser.extraction.match.text_fit import NEVER, is_division
from agentbrowser.extraction.model.features import (
    PAIR,
    ComparisonFeatures,
    FeatureVector,
    FillFeatures,
    LookFeatures,
    NameFeatures,
    PositionFeatures,
    RelationFeatures,
    ShapeFeatures,
    WritingFeatures,
    vector_function,
)
from agentbrowser.extraction.model.weights import Sparse, sparse
from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.text.words import coverage

_OTHER_SHAPES: Final = ("money", "percent", "date", "ago", "time", "duration", "rating", "email", "phone", "url")
_MACHINE_KINDS: Final = frozenset(("datetime", "content"))
_MACHINE_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_FOREIGN_SHARE_OF_MANY: Final = 0.1
_FOREIGN_SHARE: Final = 0.5
"""Share of values of other forms above which a column is of another form, for fields of many texts and of one."""
_DOUBTFUL_LOOK: Final = 0.2
"""Values that look no better than this may be something else."""
_RARE_SHARE: Final = 0.4
_OPTIONAL_SHARE: Final = 0.8
"""Share of filled rows that a column of an optional concept counts as having at least."""
_PLAIN_NAME_SIMILARITY: Final = 0.92
_OPTIONAL_CONCEPTS: Final = frozenset(("old", "regular", "discount", "sale"))
"""Concepts that few items have: a column with few values neither supports nor opposes them."""
_ALONE_NAMED: Final = 0.3
"""Similarity of the other fields' names where there are no other fields."""
_MIN_NAME_SIMILARITY: Final = 0.15
"""Least similarity of a name that counts as a name for the field."""
_UNNAMED_PLACE: Final = PAIR.index("unnamed")

_shape_features = vector_function(ShapeFeatures)
_comparison_features = vector_function(ComparisonFeatures)
_name_features = vector_function(NameFeatures)
_look_features = vector_function(LookFeatures)
_fill_features = vector_function(FillFeatures)
_writing_features = vector_function(WritingFeatures)
_position_features = vector_function(PositionFeatures)
_relation_features = vector_function(RelationFeatures)

Bounded: TypeAlias = Sequence[tuple[float, int]]
"""Upper bounds of the scores of options, each with the option's place, the greatest first."""


class _Match(NamedTuple):
    """Similarity of a field's name to a column's names, and likelihood of the column's written form."""

    name: float
    look: float
    by_source: Sequence[float] = ()
    """Similarity by source, in the order of `SourceFeatures`."""


@attrs.define(eq=False, slots=False)
class ColumnOption:
    """A column that a field may have. Its features are computed at the first use: most options need none."""

    field: SchemaField
    place: int
    """Place of the column among the candidates."""
    candidate: CandidateColumn
    match: _Match
    best: _Match
    """Best name and best look of all options of the field."""
    rival: float
    """Best similarity of the column's names to another field."""
    position: float
    """Position of the field in the schema, 0 to 1."""

    @cached
    def features(self) -> FeatureVector:
        """Return the features of the pair by itself."""
        return _pair_features(self.field, self.candidate, self.match, self.best, self.rival, self.position)

    @cached
    def sparse_features(self) -> Sparse:
        """Return the features that are not 0."""
        return sparse(self.features)


def column_options(
    fields: Sequence[SchemaField], candidates: Sequence[CandidateColumn], unfilled: Sequence[str] = ()
) -> list[list[ColumnOption]]:
    """Return the columns that each field may have.

    Args:
      unfilled: headers of columns without values.
    """
    matches = [[_match(field, place, candidate) for candidate in candidates] for place, field in enumerate(fields)]
    columns = [candidate.column for candidate in candidates]
    if any(column.heads for column in columns):
        decide_by_headers(fields, columns, matches, unfilled)
    for field, row in zip(fields, matches, strict=True):
        if field.wants_link and not field.wants_shown:
            _prefer_links(candidates, row)
    return [_options_of(place, fields, matches, candidates) for place in range(len(fields))]


def _prefer_links(candidates: Sequence[CandidateColumn], row: list[_Match | None]) -> None:
    """Leave a field for addresses no texts that are links themselves: the page shows a short form of the address."""
    linked = {
        candidate.column.spots[0]
        for candidate, match in zip(candidates, row, strict=True)
        if match is not None and candidate.column.kind == "href"
    }
    for at, candidate in enumerate(candidates):
        if candidate.column.kind != "href" and candidate.column.spots[0] in linked:
            row[at] = None


def _match(field: SchemaField, place: int, candidate: CandidateColumn) -> _Match | None:
    """Return the match of a field with a column; None if the column cannot hold the field's values."""
    column = candidate.column
    by_source = [name_similarity(field, column, phrases) if phrases else 0.0 for phrases in column.sources]
    name = candidate.name_scores[place] = max(by_source)
    can_be = (
        column.is_many <= field.is_many
        and (not candidate.is_caption or (field.type == "boolean" and candidate.is_mark_of_truth))
        and (
            candidate.is_for_any
            or agree_on_part(field, column, is_span=candidate.is_span, is_moment=candidate.is_moment)
        )
    )
    look = look_under_header(field, column, form_likelihood(field, column)) if can_be else NEVER
    if look > NEVER and (
        contradicts(field, column)
        or (name < _MIN_NAME_SIMILARITY and form_evidence(field, column) <= NEVER)
        or is_of_another(field, candidate, name)
    ):
        return None  # in the form or the unit of another property, or under its label
    return _Match(name, look, by_source) if look > NEVER and _is_readable(field, column) else None


def _options_of(
    place: int,
    fields: Sequence[SchemaField],
    matches: Sequence[Sequence[_Match | None]],
    candidates: Sequence[CandidateColumn],
) -> list[ColumnOption]:
    field = fields[place]
    rivals = [other for other, it in enumerate(fields) if other != place and it.is_address == field.is_address]
    found = [match for match in matches[place] if match is not None]
    best = _Match(max([match.name for match in found], default=0.0), max([match.look for match in found], default=0.0))
    position = place / (len(fields) - 1) if len(fields) > 1 else 0.0
    return [
        ColumnOption(
            field,
            at,
            candidate,
            match,
            best,
            max([candidate.name_scores[other] for other in rivals], default=0.0),
            position,
        )
        for at, (match, candidate) in enumerate(zip(matches[place], candidates, strict=True))
        if match is not None
    ]


def bounded(row: Sequence[ColumnOption], bounds: ScoreBounds, candidate_bounds: Sequence[float]) -> Bounded:
    """Return upper bounds of a field's options, with or without context but for the relation features."""
    if not row:
        return []
    field, best = row[0].field, row[0].best.name
    of_field = bounds.field(field) + bounds.most["better_named"] * max(0.0, best - _MIN_NAME_SIMILARITY)
    is_first, is_boolean = field.is_text and row[0].position == 0, field.type == "boolean"
    found = []
    for at, option in enumerate(row):
        name, look, _ = option.match
        bound = math.inf
        if name < _MIN_NAME_SIMILARITY and not is_boolean:
            bound = of_field + candidate_bounds[option.place]
            bound += bounds.pair(shape_log_odds(field, option.candidate.shape), name, option.rival, look)
            bound += bounds.title(_title_look(option.candidate)) if is_first else 0.0
        found.append((bound, at))
    return sorted(found, reverse=True)


def _pair_features(
    field: SchemaField, candidate: CandidateColumn, match: _Match, best: _Match, rival: float, position: float
) -> FeatureVector:
    """Return the features of a pair, in the order of `PAIR_GROUPS`."""
    column, look = candidate.column, match.look
    name = max(match.name, value_similarity(field, column)) if field.type == "boolean" else match.name
    good_look, bad_look = (look, 0.0) if look > 0 else (0.0, -look)
    is_unnamed = name < _MIN_NAME_SIMILARITY
    form = form_evidence(field, column)
    is_text = field.is_text
    is_doubtful = look <= _DOUBTFUL_LOOK
    filled = column.filled if field.concepts.isdisjoint(_OPTIONAL_CONCEPTS) else max(column.filled, _OPTIONAL_SHARE)
    return [
        *_shape_features(
            goes_together=shape_log_odds(field, candidate.shape),
            cut=column.is_without_prefix,
            cleaned=column.is_cleaned,
        ),
        *match.by_source,
        *_comparison_features(
            better_named=max(0.0, best.name - max(name, _MIN_NAME_SIMILARITY)),
            better_looks=max(0.0, best.look - good_look),
            tiny=is_text and candidate.is_tiny and not is_part(column),
            same_everywhere=field.type != "boolean" and candidate.is_constant and not is_part(column),
            to_title=candidate.to_title if "link" in field.concepts else 0.0,
            known_by_class=candidate.known_class if is_unnamed else 0.0,
            number_asked_long=min(1.0, column.profile.length / 60) if field.is_number else 0.0,
            repeated_title=1 - candidate.distinct if is_text and position == 0.0 else 0.0,
        ),
        *_name_features(
            named=name,
            well_named=name - 0.6 if name > 0.6 else 0.0,
            plainly_named=name > _PLAIN_NAME_SIMILARITY,
            unnamed=is_unnamed,
            unnamed_but_known=is_unnamed and bool(field.concepts),
            rival=rival - name if rival > name else 0.0,
            named_otherwise=candidate.known_name if is_unnamed else 0.0,
            odd_names=candidate.odd_name if is_unnamed and candidate.known_name < 0.5 else 0.0,
            unmatched=unmatched_share(field, column),
            surplus=surplus_share(field, column.plain_names),
            required=field.is_required,
        ),
        *_look_features(
            looks=good_look,
            looks_wrong=bad_look,
            looks_unnamed=good_look if is_unnamed else 0.0,
            described=_described(field, candidate) if field.hint.all else 0.0,
            own_form=max(0.0, form),
            foreign_form=max(0.0, -form),
        ),
        *candidate.kind_features,
        *_fill_features(
            filled=filled,
            constant=(1 - name) * max(0.0, 1 - max(0.0, look)) if candidate.is_constant else 0.0,
        ),
        *(candidate.state_features._replace(section=0.0) if is_division(field, column) else candidate.state_features),
        *_writing(field, candidate, filled=filled, is_doubtful=is_doubtful),
        *_position(field, candidate, position, is_unnamed=is_unnamed),
    ]


def _is_readable(field: SchemaField, column: Column) -> bool:
    """Return True if half of some values are of the field's type."""
    if field.is_number:  # its look has read them already
        return True
    values = list(map(Reader(field, column).read, column.sample))
    least = 1 if field.type == "boolean" else len(values) / 2
    return len(values) - values.count(None) >= least


def _described(field: SchemaField, candidate: CandidateColumn) -> float:
    """Return how much of the values occurs in the field's description: "new or used"."""
    if field.is_number:
        return 0.0
    return max([coverage(value, field.hint) for value in candidate.short_values if value.all], default=0.0)


def _writing(field: SchemaField, candidate: CandidateColumn, *, filled: float, is_doubtful: bool) -> FeatureVector:
    column, profile = candidate.column, candidate.column.profile
    wants_rank, is_counting = "rank" in field.concepts, candidate.is_counting
    is_odd = is_doubtful and field.is_text
    return _writing_features(
        many=field.is_many and column.is_many,
        some_of_many=field.is_many and not column.is_many,
        composite_cell=column.is_composite and bool(column.heads) and candidate.is_textual,
        foreign=is_odd
        and profile.share(*_OTHER_SHAPES) > (_FOREIGN_SHARE_OF_MANY if field.is_many else _FOREIGN_SHARE),
        numeric_text=profile.numeric if is_odd else 0.0,
        wordy_number=profile.wordy if field.is_number and profile.share("money") <= 0.5 else 0.0,
        long=min(2.0, profile.length / 100) if is_doubtful else 0.0,
        counting=wants_rank and is_counting,
        counting_unasked=not wants_rank and is_counting,
        rare=filled < _RARE_SHARE,
        very_rare=filled < _RARE_SHARE / 2,
        machine_date_asked=(field.wants_iso or field.wants_markup) and _is_machine(column, field),
        machine_date=1.0 + field.wants_shown if column.kind in _MACHINE_KINDS and not field.wants_iso else 0.0,
    )


def _is_machine(column: Column, field: SchemaField) -> bool:
    """Return True if values are written for machines: a requested attribute, or ISO dates."""
    if column.kind in _MACHINE_KINDS:
        return True
    is_attribute = column.kind == "title" or column.kind.startswith("data-")
    return is_attribute and (field.wants_markup or all(map(_MACHINE_DATE.match, column.texts[:TRIED])))


def _position(field: SchemaField, candidate: CandidateColumn, position: float, *, is_unnamed: bool) -> FeatureVector:
    is_text, is_link = field.is_text, candidate.column.kind == "href"
    distance = (abs(position - candidate.rank) if candidate.is_textual else 0.3) if is_unnamed else 0.0
    return _position_features(
        title_first=_title_look(candidate) if is_text and position == 0.0 else 0.0,
        heading=is_text and position > 0.0 and candidate.is_headed,
        title_link=is_link and candidate.is_headed,
        fragment=is_link and "#" in candidate.column.texts[0],
        place=distance,
        narrow=candidate.narrow,
        badged=candidate.badged,
        action=is_text and candidate.is_action,
        per_asked=candidate.per if field.is_per else 0.0,
    )


def _title_look(candidate: CandidateColumn) -> float:
    return max(-0.5, candidate.column.title_look)


def relation_features(
    place: int,
    candidate: CandidateColumn,
    chosen: Sequence[tuple[CandidateColumn, float] | None],
    features: FeatureVector,
    subject: int,
) -> FeatureVector:
    """Return the features of a column for a field, given the probable columns of all fields.

    Args:
      place: the place of the field in the schema.
      chosen: the column of each field with its probability.
      features: the features of the pair by itself.
      subject: the place of the field that names the item.
    """
    column, is_textual = candidate.column, candidate.is_textual
    names = agreed = total = clash = same_spot = near = of_subject = of_other = 0.0
    for other, choice in enumerate(chosen):
        if choice is None or other == place:
            continue
        there, sure = choice
        total += sure
        names += there.name_scores.get(other, 0.0)
        if is_textual and there.is_textual and candidate is not there:
            agreed += sure * ((other < place) == (there.column.order < column.order))
            overlap, spot = overlap_with(candidate, there)
            if sure * overlap > clash:
                clash = sure * overlap
            if sure * spot > same_spot:
                same_spot = sure * spot
        else:
            agreed += sure * 0.5
        if column.kind == "href" and there.is_textual:
            here = sure * shared(candidate, there)
            of_subject, of_other = (here, of_other) if other == subject else (of_subject, max(of_other, here))
        if is_textual and other + 1 == place and there.column.order < column.order:
            near = sure
    agree = agreed / total if total else 0.5
    return _relation_features(
        others_named=names / (len(chosen) - 1) if len(chosen) > 1 else _ALONE_NAMED,
        agrees=agree,
        agrees_unnamed=agree * features[_UNNAMED_PLACE],
        clash=clash,
        same_spot=same_spot,
        next=near,
        link_of_subject=of_subject,
        link_of_another=of_other * (1 - of_subject),
    )
