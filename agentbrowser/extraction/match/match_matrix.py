"""What each wish may get from a group of repeated things, and what they get together."""

import math
import operator
from bisect import insort
from collections.abc import Sequence
from functools import partial
from typing import Final, Protocol

import attrs

from agentbrowser.extraction.cached import lazy
from agentbrowser.extraction.candidates import Group, Series
from agentbrowser.extraction.match.assignment import pair, undisputed
from agentbrowser.extraction.match.bounds import Bounds, bounds_of
from agentbrowser.extraction.match.column_fields import Field, fields_of
from agentbrowser.extraction.model.features import ALONE, AMONG, Bounded, Option, Traits, alone, among, bounded
from agentbrowser.extraction.model.trees import fitted, is_settled, reviewed
from agentbrowser.extraction.model.weights import FITTED, added
from agentbrowser.extraction.schema.schema_fields import Wish, subject_of
from agentbrowser.extraction.schema.value_types import together

_MAX_COLUMNS: Final = 60
LEAST: Final = 0.2
"""How sure a value must be to be given at all."""
_TRUSTED: Final = 0.8
_NAMED: Final = 0.3
"""What is called by less is not called so."""
_INAPT: Final = -1.0
"""How well nothing goes together with a wish."""


@attrs.define(eq=False, slots=False)
class Plan:
    """A group with the series that each wish gets from it."""

    group: Group
    pairs: tuple[tuple[Wish, Series | None, float], ...]
    score: float
    traits: tuple[float, ...] = ()
    called: tuple[float, float, float] = (0.5, 0.5, 0.0)
    """How far series are called what is wished, at a mean and at best, and how well the two go together."""
    otherwise: float = 0.0
    """The share of the wishes that get what the page says is something else."""

    @lazy
    def paired(self) -> list[tuple[Wish, Series, float]]:
        """The pairs with a series."""
        return [(wish, series, fit) for wish, series, fit in self.pairs if series is not None]


_There = Sequence[tuple[Field, float] | None]
"""The field that each wish has, and how likely that is right."""


class _Worths(Protocol):
    """Returns what the options for a wish are worth, of those that matter to it alone or of all that may."""

    def __call__(self, wish: int, most: Bounded, *, is_all: bool) -> list[float]: ...


@attrs.frozen
class Board:
    """What each wish may get from a group: for each the fields that can serve it, with their traits."""

    wishes: Sequence[Wish]
    group: Group
    fields: Sequence[Field]
    rows: Sequence[Sequence[Option]]
    subject: int
    """The place of what things are called by."""
    bounded: dict[Bounds, Sequence[Bounded]] = attrs.field(factory=dict)
    """What options are worth at most, by the bounds of the weights."""

    @classmethod
    def of(cls, wishes: Sequence[Wish], group: Group) -> "Board":
        """Return the options that a group has."""
        fields = fields_of(group, _MAX_COLUMNS, wishes)
        return cls(wishes, group, fields, alone(wishes, fields), subject_of(wishes))

    @property
    def options(self) -> list[list[tuple[int, Traits]]]:
        """The places of the fields that can serve each wish, with all that is told of the two by themselves."""
        return [[(option.place, option.traits) for option in row] for row in self.rows]

    def first(self) -> "list[tuple[int, float] | None]":
        """Return the field of each wish, and how likely it is, by what each pair is in itself."""
        return self._settled(self._first)

    def second(self, chosen: "Sequence[tuple[int, float] | None]") -> "list[tuple[int, float] | None]":
        """Return the same, given what the others have."""
        there = self._there(chosen)
        return self._settled(partial(self._second, there))

    def _first(self, wish: int, most: Bounded, *, is_all: bool) -> list[float]:
        weights, best = FITTED.alone, 0.0
        worths = [-math.inf] * len(most)
        for bound, at in most:
            if bound < best:
                break
            worths[at] = weights[0] + added(weights, self.rows[wish][at].told)
            best = 0.0 if is_all else max(best, worths[at])
        return worths

    def _second(self, there: _There, wish: int, most: Bounded, *, is_all: bool) -> list[float]:
        others = FITTED.among[-len(AMONG) :]
        beside = sum([weight for weight in others if weight > 0])
        worths, known = [-math.inf] * len(most), list[float]()
        for bound, at in most:
            if is_settled(known, bound + beside) and (not is_all or bound + beside <= 0):
                break
            worths[at] = self._worth(wish, self.rows[wish][at], there, others, beside)
            insort(known, worths[at])
        return reviewed(worths, fitted().among, lambda at: self._related(wish, self.rows[wish][at], there))

    def _worth(self, wish: int, option: Option, there: _There, others: Sequence[float], most: float) -> float:
        none, value = FITTED.among[0], added(FITTED.among, option.told)
        if value + (none + most) <= 0:  # whatever the others have
            return value + (none + most)
        beside = among(wish, option.field, there, option.traits, self.subject)
        return none + sum(map(operator.mul, others, beside), value)

    def related(self, chosen: "Sequence[tuple[int, float] | None]") -> "list[list[tuple[int, Traits]]]":
        """Return the options with how they stand to what the others have."""
        there = self._there(chosen)
        return [
            [(option.place, self._related(wish, option, there)) for option in row] for wish, row in enumerate(self.rows)
        ]

    def _there(self, chosen: "Sequence[tuple[int, float] | None]") -> _There:
        return [(self.fields[choice[0]], choice[1]) if choice else None for choice in chosen]

    def _related(self, wish: int, option: Option, there: _There) -> Traits:
        return [*option.traits, *among(wish, option.field, there, option.traits, self.subject)]

    def _settled(self, worths: _Worths) -> "list[tuple[int, float] | None]":
        """Return what the wishes get: by what matters to each alone, or by all where several want the same."""
        table = self._table(worths, is_all=False)
        if (chosen := undisputed(table)) is None:
            table = self._table(worths, is_all=True)
            chosen = pair(table)
        return [
            (place, _share(row[place])) if place >= 0 and row[place] > 0 else None
            for place, row in zip(chosen, table, strict=True)
        ]

    def _table(self, worths: _Worths, *, is_all: bool) -> list[list[float]]:
        table = [[0.0] * len(self.fields) for _ in self.wishes]
        for wish, (row, options, most) in enumerate(zip(table, self.rows, self._most(), strict=True)):
            for option, value in zip(options, worths(wish, most, is_all=is_all), strict=True):
                if value > 0:
                    row[option.place] = value
        return table

    def _most(self) -> Sequence[Bounded]:
        bounds = bounds_of(ALONE, FITTED.alone, FITTED.among)
        if (most := self.bounded.get(bounds)) is None:
            of_fields = list(map(bounds.field, self.fields))
            most = self.bounded[bounds] = [bounded(row, bounds, of_fields) for row in self.rows]
        return most

    def plan(self, chosen: "Sequence[tuple[int, float] | None]") -> Plan:
        """Return the choice as a plan, its worth not yet told."""
        there = self._there(chosen)
        sures = [self._sure(wish, choice, there) if choice else 0.0 for wish, choice in enumerate(chosen)]
        least = min(LEAST, max(sures, default=0.0))
        pairs: list[tuple[Wish, Series | None, float]] = [
            (wish, self.fields[choice[0]].series, sure) if choice and sure >= least else (wish, None, 0.0)
            for wish, choice, sure in zip(self.wishes, chosen, sures, strict=True)
        ]
        called = [
            self.fields[choice[0]].called[wish] if choice and pairs[wish][1] else 0.0
            for wish, choice in enumerate(chosen)
        ]
        apt = [
            together(wish, self.fields[choice[0]].shape) if choice else _INAPT
            for wish, choice in zip(self.wishes, chosen, strict=True)
        ]
        otherwise = [
            choice is not None and pairs[wish][1] is not None and self._is_otherwise(wish, choice[0])
            for wish, choice in enumerate(chosen)
        ]
        return Plan(
            self.group,
            tuple(pairs),
            sum([fit for _, _, fit in pairs]) / len(pairs),
            called=(sum(called) / len(called), max(called), sum(apt) / len(apt)),
            otherwise=sum(otherwise) / len(otherwise),
        )

    def _sure(self, wish: int, choice: tuple[int, float], there: _There) -> float:
        """Return how likely a choice is right."""
        field, likely = choice
        option = next(option for option in self.rows[wish] if option.place == field)
        beside = among(wish, option.field, there, option.traits, self.subject)
        others = map(operator.mul, FITTED.sure[1 + len(ALONE) :], [*beside, likely])
        return _share(FITTED.sure[0] + sum(others, added(FITTED.sure, option.told)))

    def _is_otherwise(self, wish: int, field: int) -> bool:
        """Tell whether the page names a field, in words that are known, what it is not wished for."""
        asked, it = self.wishes[wish].concepts, self.fields[field]
        told = [said.concepts for said, trust in it.series.sources["told"] if trust >= _TRUSTED]
        return it.called[wish] < _NAMED and bool(asked) and any(one and not one & asked for one in told)


def _share(value: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, value))))
