"""What each wish may get from a group of repeated things, and what they get together."""

import math
import operator
from bisect import insort
from collections.abc import Sequence
from functools import partial
from typing import Final, Protocol

import attrs

from agentbrowser.extraction.caching import cached
from agentbrowser.extraction.columns.column import Column, Group
from agentbrowser.extraction.match.assignment import pair, undisputed
from agentbrowser.extraction.match.candidate_columns import CandidateColumn, candidates_of
from agentbrowser.extraction.match.column_fit import together
from agentbrowser.extraction.match.pair_features import (
    ALONE,
    AMONG,
    Bounded,
    ColumnOption,
    FeatureVector,
    alone,
    among,
    bounded,
)
from agentbrowser.extraction.match.score_bounds import ScoreBounds, bounds_of
from agentbrowser.extraction.model.trees import fitted, is_settled, reviewed
from agentbrowser.extraction.model.weights import FITTED, added
from agentbrowser.extraction.schema.schema_fields import SchemaField, subject_of

_MAX_COLUMNS: Final = 60
LEAST: Final = 0.2
"""How sure a value must be to be given at all."""
_TRUSTED: Final = 0.8
_NAMED: Final = 0.3
"""What is called by less is not called so."""
_INAPT: Final = -1.0
"""How well nothing goes together with a wish."""


@attrs.define(eq=False, slots=False)
class GroupMatch:
    """A group with the series that each wish gets from it."""

    group: Group
    pairs: tuple[tuple[SchemaField, Column | None, float], ...]
    score: float
    features: tuple[float, ...] = ()
    called: tuple[float, float, float] = (0.5, 0.5, 0.0)
    """How far series are called what is wished, at a mean and at best, and how well the two go together."""
    otherwise: float = 0.0
    """The share of the wishes that get what the page says is something else."""

    @cached
    def paired(self) -> list[tuple[SchemaField, Column, float]]:
        """The pairs with a series."""
        return [(field, column, fit) for field, column, fit in self.pairs if column is not None]


_There = Sequence[tuple[CandidateColumn, float] | None]
"""The field that each wish has, and how likely that is right."""


class _Scores(Protocol):
    """Returns what the options for a wish are worth, of those that matter to it alone or of all that may."""

    def __call__(self, field: int, most: Bounded, *, is_all: bool) -> list[float]: ...


@attrs.frozen
class MatchMatrix:
    """What each wish may get from a group: for each the fields that can serve it, with their traits."""

    fields: Sequence[SchemaField]
    group: Group
    candidates: Sequence[CandidateColumn]
    rows: Sequence[Sequence[ColumnOption]]
    subject: int
    """The place of what things are called by."""
    bounded: dict[ScoreBounds, Sequence[Bounded]] = attrs.field(factory=dict)
    """What options are worth at most, by the bounds of the weights."""

    @classmethod
    def of(cls, fields: Sequence[SchemaField], group: Group) -> "MatchMatrix":
        """Return the options that a group has."""
        candidates = candidates_of(group, _MAX_COLUMNS, fields)
        return cls(fields, group, candidates, alone(fields, candidates), subject_of(fields))

    @property
    def options(self) -> list[list[tuple[int, FeatureVector]]]:
        """The places of the fields that can serve each wish, with all that is told of the two by themselves."""
        return [[(option.place, option.features) for option in row] for row in self.rows]

    def first(self) -> "list[tuple[int, float] | None]":
        """Return the field of each wish, and how likely it is, by what each pair is in itself."""
        return self._settled(self._first)

    def second(self, chosen: "Sequence[tuple[int, float] | None]") -> "list[tuple[int, float] | None]":
        """Return the same, given what the others have."""
        there = self._there(chosen)
        return self._settled(partial(self._second, there))

    def _first(self, field: int, most: Bounded, *, is_all: bool) -> list[float]:
        weights, best = FITTED.alone, 0.0
        scores = [-math.inf] * len(most)
        for bound, at in most:
            if bound < best:
                break
            scores[at] = weights[0] + added(weights, self.rows[field][at].told)
            best = 0.0 if is_all else max(best, scores[at])
        return scores

    def _second(self, there: _There, field: int, most: Bounded, *, is_all: bool) -> list[float]:
        others = FITTED.among[-len(AMONG) :]
        beside = sum([weight for weight in others if weight > 0])
        scores, known = [-math.inf] * len(most), list[float]()
        for bound, at in most:
            if is_settled(known, bound + beside) and (not is_all or bound + beside <= 0):
                break
            scores[at] = self._score(field, self.rows[field][at], there, others, beside)
            insort(known, scores[at])
        return reviewed(scores, fitted().among, lambda at: self._related(field, self.rows[field][at], there))

    def _score(self, field: int, option: ColumnOption, there: _There, others: Sequence[float], most: float) -> float:
        none, value = FITTED.among[0], added(FITTED.among, option.told)
        if value + (none + most) <= 0:  # whatever the others have
            return value + (none + most)
        beside = among(field, option.candidate, there, option.features, self.subject)
        return none + sum(map(operator.mul, others, beside), value)

    def related(self, chosen: "Sequence[tuple[int, float] | None]") -> "list[list[tuple[int, FeatureVector]]]":
        """Return the options with how they stand to what the others have."""
        there = self._there(chosen)
        return [
            [(option.place, self._related(field, option, there)) for option in row]
            for field, row in enumerate(self.rows)
        ]

    def _there(self, chosen: "Sequence[tuple[int, float] | None]") -> _There:
        return [(self.candidates[choice[0]], choice[1]) if choice else None for choice in chosen]

    def _related(self, field: int, option: ColumnOption, there: _There) -> FeatureVector:
        return [*option.features, *among(field, option.candidate, there, option.features, self.subject)]

    def _settled(self, scores: _Scores) -> "list[tuple[int, float] | None]":
        """Return what the wishes get: by what matters to each alone, or by all where several want the same."""
        table = self._table(scores, is_all=False)
        if (chosen := undisputed(table)) is None:
            table = self._table(scores, is_all=True)
            chosen = pair(table)
        return [
            (place, _share(row[place])) if place >= 0 and row[place] > 0 else None
            for place, row in zip(chosen, table, strict=True)
        ]

    def _table(self, scores: _Scores, *, is_all: bool) -> list[list[float]]:
        table = [[0.0] * len(self.candidates) for _ in self.fields]
        for field, (row, options, most) in enumerate(zip(table, self.rows, self._most(), strict=True)):
            for option, value in zip(options, scores(field, most, is_all=is_all), strict=True):
                if value > 0:
                    row[option.place] = value
        return table

    def _most(self) -> Sequence[Bounded]:
        bounds = bounds_of(ALONE, FITTED.alone, FITTED.among)
        if (most := self.bounded.get(bounds)) is None:
            candidate_scores = list(map(bounds.candidate, self.candidates))
            most = self.bounded[bounds] = [bounded(row, bounds, candidate_scores) for row in self.rows]
        return most

    def group_match(self, chosen: "Sequence[tuple[int, float] | None]") -> GroupMatch:
        """Return the choice as a plan, its worth not yet told."""
        there = self._there(chosen)
        sures = [self._sure(field, choice, there) if choice else 0.0 for field, choice in enumerate(chosen)]
        least = min(LEAST, max(sures, default=0.0))
        pairs: list[tuple[SchemaField, Column | None, float]] = [
            (field, self.candidates[choice[0]].column, sure) if choice and sure >= least else (field, None, 0.0)
            for field, choice, sure in zip(self.fields, chosen, sures, strict=True)
        ]
        called = [
            self.candidates[choice[0]].called[field] if choice and pairs[field][1] else 0.0
            for field, choice in enumerate(chosen)
        ]
        apt = [
            together(field, self.candidates[choice[0]].shape) if choice else _INAPT
            for field, choice in zip(self.fields, chosen, strict=True)
        ]
        otherwise = [
            choice is not None and pairs[field][1] is not None and self._is_otherwise(field, choice[0])
            for field, choice in enumerate(chosen)
        ]
        return GroupMatch(
            self.group,
            tuple(pairs),
            sum([fit for _, _, fit in pairs]) / len(pairs),
            called=(sum(called) / len(called), max(called), sum(apt) / len(apt)),
            otherwise=sum(otherwise) / len(otherwise),
        )

    def _sure(self, field: int, choice: tuple[int, float], there: _There) -> float:
        """Return how likely a choice is right."""
        candidate, likely = choice
        option = next(option for option in self.rows[field] if option.place == candidate)
        beside = among(field, option.candidate, there, option.features, self.subject)
        others = map(operator.mul, FITTED.sure[1 + len(ALONE) :], [*beside, likely])
        return _share(FITTED.sure[0] + sum(others, added(FITTED.sure, option.told)))

    def _is_otherwise(self, field: int, candidate: int) -> bool:
        """Tell whether the page names a field, in words that are known, what it is not wished for."""
        asked, it = self.fields[field].concepts, self.candidates[candidate]
        told = [said.concepts for said, trust in it.column.sources["told"] if trust >= _TRUSTED]
        return it.called[field] < _NAMED and bool(asked) and any(one and not one & asked for one in told)


def _share(value: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, value))))
