"""Match matrix of a group: the columns that each field may have, and the best assignment of them."""

import math
import operator
from bisect import insort
from collections.abc import Sequence
from functools import partial
from typing import Final, Protocol

import attrs

from agentbrowser.extraction.caching import cached
from agentbrowser.extraction.columns.column import Column, Group
from agentbrowser.extraction.match.assignment import assignment_without_rivals, best_assignment
from agentbrowser.extraction.match.candidate_columns import CandidateColumn, candidates_of
from agentbrowser.extraction.match.column_fit import shape_log_odds, value_similarity
from agentbrowser.extraction.match.form_evidence import proof
from agentbrowser.extraction.match.headers import is_headed_as
from agentbrowser.extraction.match.pair_features import (
    Bounded,
    ColumnOption,
    bounded,
    column_options,
    relation_features,
)
from agentbrowser.extraction.match.score_bounds import ScoreBounds, bounds_of
from agentbrowser.extraction.model.features import PAIR, FeatureVector, GroupFeatures, RelationFeatures
from agentbrowser.extraction.model.trees import TREES, is_settled, reviewed
from agentbrowser.extraction.model.weights import WEIGHTS, added, probability
from agentbrowser.extraction.schema.schema_fields import SchemaField, subject_of

_MAX_COLUMNS: Final = 60
_MIN_PROBABILITY: Final = 0.2
"""Least probability of a column that a field gets."""
_MIN_LABEL_TRUST: Final = 0.8
"""Least trust in a label that may name another property."""
_MIN_NAME_SIMILARITY: Final = 0.3
"""Least similarity of a name that counts as a name for the field."""
_PROVEN_SCORE: Final = 0.4
"""Score of a column that its form proves to be the field's, if the weights find none."""
_HEADED_CERTAINTY: Final = 0.5
"""Certainty of a text's column whose header is exactly its name: the weights find none of few values, all alike."""
_NO_COLUMN_FIT: Final = -1.0
"""Fit of shapes for a field without a column."""
_RELATION_COUNT: Final = len(RelationFeatures._fields)


@attrs.define(eq=False, slots=False)
class GroupMatch:
    """A group with the column that each field gets from it."""

    group: Group
    pairs: tuple[tuple[SchemaField, Column | None, float], ...]
    """Each field with its column and the probability that the column is right."""
    score: float
    features: GroupFeatures | None = None
    naming: tuple[float, float, float] = (0.5, 0.5, 0.0)
    """Mean and best similarity of the columns' names to their fields, and mean fit of their shapes."""
    otherwise: float = 0.0
    """Share of the fields whose column the page names as something else."""

    @cached
    def paired(self) -> list[tuple[SchemaField, Column, float]]:
        """Return the pairs with a column."""
        return [(field, column, fit) for field, column, fit in self.pairs if column is not None]

    @cached
    def subject(self) -> tuple[SchemaField, Column | None, float]:
        """Return the pair of the field that names the items."""
        return self.pairs[subject_of([field for field, _, _ in self.pairs])]


def _proof(option: ColumnOption) -> float:
    """Return how certain an option is by the form of its values, or by the header of a text."""
    field, column = option.field, option.candidate.column
    if field.is_text and field.format is None and option.match.look >= 0 and is_headed_as(field, column):
        return _HEADED_CERTAINTY
    name = value_similarity(field, column) if field.type == "boolean" else option.match.name
    return proof(field, column, name, option.match.look)


Assignment = Sequence[tuple[int, float] | None]
"""The place of each field's column among the candidates, with its probability."""
_Context = Sequence[tuple[CandidateColumn, float] | None]
"""The column of each field, with its probability."""


class _Scores(Protocol):
    """Function from a field to the scores of its options: all, or only those that can be the field's best."""

    def __call__(self, field: int, most: Bounded, *, is_all: bool) -> list[float]: ...


@attrs.frozen
class MatchMatrix:
    """Options of each field in a group, with their features."""

    fields: Sequence[SchemaField]
    group: Group
    candidates: Sequence[CandidateColumn]
    rows: Sequence[Sequence[ColumnOption]]
    subject: int
    """Place of the field that names the item."""
    bounded: dict[ScoreBounds, Sequence[Bounded]] = attrs.field(factory=dict)
    """Upper bounds of the options' scores, by the bounds of the weights."""

    @classmethod
    def of(cls, fields: Sequence[SchemaField], group: Group) -> "MatchMatrix":
        """Return the matrix of a group."""
        candidates = candidates_of(group, _MAX_COLUMNS, fields)
        return cls(fields, group, candidates, column_options(fields, candidates, group.unfilled), subject_of(fields))

    @property
    def options(self) -> list[list[tuple[int, FeatureVector]]]:
        """Return the places of the columns that each field may have, with the features of each pair by itself."""
        return [[(option.place, option.features) for option in row] for row in self.rows]

    def first(self) -> Assignment:
        """Return the best assignment by each pair by itself."""
        return self._assigned(self._first_scores)

    def second(self, chosen: Assignment) -> Assignment:
        """Return the best assignment, given a first one as context."""
        context = self._context(chosen)
        return self._assigned(partial(self._second_scores, context))

    def _first_scores(self, field: int, most: Bounded, *, is_all: bool) -> list[float]:
        weights, best = WEIGHTS.pair, 0.0
        scores = [-math.inf] * len(most)
        for bound, at in most:
            if bound < best:
                break
            scores[at] = weights[0] + added(weights, self.rows[field][at].sparse_features)
            best = 0.0 if is_all else max(best, scores[at])
        return scores

    def _second_scores(self, context: _Context, field: int, most: Bounded, *, is_all: bool) -> list[float]:
        relation_weights = WEIGHTS.pair_in_context[-_RELATION_COUNT:]
        most_of_context = sum([weight for weight in relation_weights if weight > 0])
        scores, known = [-math.inf] * len(most), list[float]()
        for bound, at in most:
            if is_settled(known, bound + most_of_context) and (not is_all or bound + most_of_context <= 0):
                break
            scores[at] = self._score(field, self.rows[field][at], context, relation_weights, most_of_context)
            insort(known, scores[at])
        return reviewed(
            scores, TREES.pair_in_context, lambda at: self._in_context(field, self.rows[field][at], context)
        )

    def _score(
        self, field: int, option: ColumnOption, context: _Context, relation_weights: Sequence[float], most: float
    ) -> float:
        bias, value = WEIGHTS.pair_in_context[0], added(WEIGHTS.pair_in_context, option.sparse_features)
        if value + (bias + most) <= 0:  # in any context
            return value + (bias + most)
        relations = relation_features(field, option.candidate, context, option.features, self.subject)
        return bias + sum(map(operator.mul, relation_weights, relations), value)

    def in_context(self, chosen: Assignment) -> "list[list[tuple[int, FeatureVector]]]":
        """Return the options with the features of each pair in the context of an assignment."""
        context = self._context(chosen)
        return [
            [(option.place, self._in_context(field, option, context)) for option in row]
            for field, row in enumerate(self.rows)
        ]

    def _context(self, chosen: Assignment) -> _Context:
        return [(self.candidates[choice[0]], choice[1]) if choice else None for choice in chosen]

    def _in_context(self, field: int, option: ColumnOption, context: _Context) -> FeatureVector:
        features = option.features
        return [*features, *relation_features(field, option.candidate, context, features, self.subject)]

    def _assigned(self, scores: _Scores) -> Assignment:
        """Return the assignment by the best option of each field; by all options where fields compete for a column."""
        table = self._table(scores, is_all=False)
        if (chosen := assignment_without_rivals(table)) is None:
            table = self._table(scores, is_all=True)
            chosen = best_assignment(table)
        return [
            (place, probability(row[place])) if place >= 0 and row[place] > 0 else None
            for place, row in zip(chosen, table, strict=True)
        ]

    def _table(self, scores: _Scores, *, is_all: bool) -> list[list[float]]:
        table = [[0.0] * len(self.candidates) for _ in self.fields]
        for field, (row, options, most) in enumerate(zip(table, self.rows, self._bounds(), strict=True)):
            for option, value in zip(options, scores(field, most, is_all=is_all), strict=True):
                if value > 0:
                    row[option.place] = value
            if not any(row) and (place := self._certain(field)) is not None:
                row[place] = _PROVEN_SCORE
        return table

    def _certain(self, field: int) -> int | None:
        """Return the column that its form or its header alone proves to be the field's: stars for a rating."""
        proofs = [(_proof(option), -option.place) for option in self.rows[field]]
        best, place = max(proofs, default=(0.0, 0))
        return -place if best > 0 else None

    def _bounds(self) -> Sequence[Bounded]:
        bounds = bounds_of(PAIR, WEIGHTS.pair, WEIGHTS.pair_in_context)
        if (most := self.bounded.get(bounds)) is None:
            candidate_bounds = list(map(bounds.candidate, self.candidates))
            most = self.bounded[bounds] = [bounded(row, bounds, candidate_bounds) for row in self.rows]
        return most

    def group_match(self, chosen: Assignment) -> GroupMatch:
        """Return the match of an assignment, without its final score."""
        context = self._context(chosen)
        sures = [self._sure(field, choice, context) if choice else 0.0 for field, choice in enumerate(chosen)]
        least = min(_MIN_PROBABILITY, max(sures, default=0.0))
        pairs: list[tuple[SchemaField, Column | None, float]] = [
            (field, self.candidates[choice[0]].column, sure) if choice and sure >= least else (field, None, 0.0)
            for field, choice, sure in zip(self.fields, chosen, sures, strict=True)
        ]
        names = [
            self.candidates[choice[0]].name_scores[field] if choice and pairs[field][1] else 0.0
            for field, choice in enumerate(chosen)
        ]
        shape_fits = [
            shape_log_odds(field, self.candidates[choice[0]].shape) if choice else _NO_COLUMN_FIT
            for field, choice in zip(self.fields, chosen, strict=True)
        ]
        otherwise = [
            choice is not None and pairs[field][1] is not None and self._is_named_otherwise(field, choice[0])
            for field, choice in enumerate(chosen)
        ]
        return GroupMatch(
            self.group,
            tuple(pairs),
            sum([fit for _, _, fit in pairs]) / len(pairs),
            naming=(sum(names) / len(names), max(names), sum(shape_fits) / len(shape_fits)),
            otherwise=sum(otherwise) / len(otherwise),
        )

    def _sure(self, field: int, choice: tuple[int, float], context: _Context) -> float:
        """Return the probability that a choice is right."""
        place, likely = choice
        option = next(option for option in self.rows[field] if option.place == place)
        relations = relation_features(field, option.candidate, context, option.features, self.subject)
        others = map(operator.mul, WEIGHTS.choice[1 + len(PAIR) :], [*relations, likely])
        return probability(WEIGHTS.choice[0] + sum(others, added(WEIGHTS.choice, option.sparse_features)))

    def _is_named_otherwise(self, field: int, candidate: int) -> bool:
        """Return True if the page names a column by known words that mean another field."""
        concepts, column = self.fields[field].concepts, self.candidates[candidate].column
        if not concepts or self.candidates[candidate].name_scores[field] >= _MIN_NAME_SIMILARITY:
            return False
        meanings = [phrase.concepts for phrase, trust in column.sources.labels if trust >= _MIN_LABEL_TRUST]
        return any(meaning and meaning.isdisjoint(concepts) for meaning in meanings)
