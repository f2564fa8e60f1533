"""Fitting of the tables and trees for lists.

Nearly all pages that were used while building are read right, which teaches little about others. So each page is also
fitted without a part of its labels, headers and class names, and once more with fields that it lacks.
"""

import math
import random
from collections.abc import Sequence
from typing import Final, TypeAlias

import attrs

from agentbrowser.extraction.columns import value_shapes
from agentbrowser.extraction.match import group_matches
from agentbrowser.extraction.match.match_matrix import MatchMatrix
from agentbrowser.extraction.model.features import PAIR_GROUPS, WEIGHT_TABLES, FeatureVector, RelationFeatures, signs
from agentbrowser.extraction.model.trees import TREES
from agentbrowser.extraction.model.weights import WEIGHTS
from agentbrowser.extraction.schema import value_types
from bench.examples import (
    ListExample,
    f1_of,
    f1_of_values,
    list_examples,
    requested_values,
    values_of,
)
from bench.fitting import SEEDS, boosting, solver
from bench.fitting.solver import Choice
from bench.fitting.tables import Asked, Tables, is_in

Option: TypeAlias = tuple[int, FeatureVector]


_COPIES: Final = ((1.0, 1.0), (0.3, 0.4))
"""Share of the names that each copy of a page keeps, and the weight of that copy."""
_WRONG_WEIGHS: Final = 0.3
_LEAST_RIGHT: Final = 0.5
_NOTHING_FITS: Final = 0.3
_MAX_LOG_ODDS: Final = 2.0
"""Greatest absolute log odds of a shape for a type of value."""
_EVEN: Final = 8.0
"""Number of values, equally of all shapes, in the prior of each type of value."""
_NEVER: Final = 1e-4
_DECAY: Final = 1e-3
_LIGHT_DECAY: Final = 2e-4
"""Decay of weights where few features are not 0 at a time."""
_STEPS: Final = 240
_PAIR_SIGNS: Final = (0, *signs(*PAIR_GROUPS))
_CONTEXT_SIGNS: Final = (*_PAIR_SIGNS, *signs(RelationFeatures))
_COLUMN_TREES: Final[boosting.Growth] = {"count": 150, "leaves": 15, "least": 20}
_GROUP_TREES: Final[boosting.Growth] = {"count": 220, "leaves": 8, "least": 15}


@attrs.frozen(eq=False)
class _Case:
    """Match matrix of a list, with the F1 of each option."""

    page: str
    matrix: MatchMatrix
    right: Sequence[Sequence[float]]
    has: Sequence[bool]
    is_good: bool
    is_whole: bool
    """True for a page with all of its names."""
    weight: float


def fit(asked: Sequence[Asked], models: Sequence[Tables]) -> None:
    """Fit the weights and the trees of choices to tasks, once without each fold.

    Trees are too good on pages that they were grown on. So the tables that are fitted to choices made with trees, of
    the probability of a choice and of the group, learn from pages that the trees have not seen. The tables that only
    make features for others, of shapes and of columns by themselves, are the same in all models.
    """
    dice = random.Random(SEEDS["lists"])
    wanted = [
        (one.weight * part, copy)
        for one in asked
        for kept, part in (_COPIES if one.is_own else _COPIES[:1])
        for copy in list_examples(one.example, kept, dice)
    ]
    cases = [case for weight, one in wanted for case in _cases(one, weight)]
    WEIGHTS.type_shape = _type_shapes(cases)  # before any features, which depend on it
    good = [case for case in cases if case.is_good]
    firsts = [case.matrix.options for case in good]
    WEIGHTS.pair = solver.chosen(_choices(good, firsts), _PAIR_SIGNS, decay=_DECAY, steps=_STEPS)
    seconds = [case.matrix.in_context(case.matrix.first()) for case in good]
    judged: dict[Tables, list[tuple[solver.Row, float, float]]] = {}
    sets: dict[Tables, list[Choice]] = {}
    for model in models:
        kept_at = [at for at, case in enumerate(good) if not is_in(case.page, model.fold)]
        choices = _choices([good[at] for at in kept_at], [seconds[at] for at in kept_at])
        WEIGHTS.pair_in_context = solver.chosen(choices, _CONTEXT_SIGNS, decay=_DECAY, steps=_STEPS)
        TREES.pair_in_context = boosting.grown(choices, WEIGHTS.pair_in_context, **_COLUMN_TREES)
        model.keep(("type_shape", "pair", "pair_in_context"), ("pair_in_context",))
        judged[model] = [row for case in cases if is_in(case.page, model.fold) for row in _judged(case)]
    for model in models:
        model.use()
        rows = [row for other in models if other is not model for row in judged[other]]
        WEIGHTS.choice = solver.likely(rows, (*_CONTEXT_SIGNS, 1), decay=_LIGHT_DECAY, steps=_STEPS)
        model.keep(("choice",))
        ranked = (_ranked(one, weight) for weight, one in wanted if is_in(one.page, model.fold))
        sets[model] = [one for one in ranked if one]
    for model in models:
        found = [one for other in models if other is not model for one in sets[other]]
        WEIGHTS.group = solver.best(found, (0,) * (1 + len(WEIGHT_TABLES["group"])), decay=0.0, steps=_STEPS)
        better = [attrs.evolve(one, right=tuple(solver.preferred(one.right))) for one in found]
        TREES.group = boosting.grown(better, WEIGHTS.group, **_GROUP_TREES, must=True)
        model.keep(("group",), ("group",))


def _type_shapes(cases: Sequence[_Case]) -> tuple[float, ...]:
    """Return the log odds of each shape in right values against others, for each type of value."""
    width = len(value_shapes.SHAPES)
    rights, others = [[0.0] * width for _ in value_types.VALUE_TYPES], [[0.0] * width for _ in value_types.VALUE_TYPES]
    for case in (case for case in cases if case.is_good and case.is_whole):
        for field, options, right in zip(case.matrix.fields, case.matrix.rows, case.right, strict=True):
            most = max(right, default=0.0)
            if most < _LEAST_RIGHT:
                continue
            value_type = value_types.value_type_of(field)
            good = [option.place for option, fit in zip(options, right, strict=True) if fit >= 0.9 * most]
            bad = [option.place for option, fit in zip(options, right, strict=True) if fit < _LEAST_RIGHT * most]
            for place in good:
                rights[value_type][case.matrix.candidates[place].shape] += 1 / len(good)
            for place in bad:
                others[value_type][case.matrix.candidates[place].shape] += 1 / len(bad)
    return tuple(value for right, other in zip(rights, others, strict=True) for value in _ratios(right, other))


def _ratios(right: Sequence[float], other: Sequence[float]) -> list[float]:
    whole, rest = sum(right) + 1, sum(other) + 1
    even = 1 / len(right)
    ratios = [
        math.log((one + _EVEN * even) / (whole + _EVEN) / ((two + _EVEN * even) / (rest + _EVEN)))
        for one, two in zip(right, other, strict=True)
    ]
    return [round(max(-_MAX_LOG_ODDS, min(_MAX_LOG_ODDS, ratio)), 2) for ratio in ratios]


def _cases(one: ListExample, weight: float) -> list[_Case]:
    has = [bool(requested_values(field, one.data)) for field in one.fields]
    cases = []
    for places, part in ((one.good, 1.0), (one.wrong, _WRONG_WEIGHS)):
        for at in places:
            matrix, is_good = one.matrices[at], places is one.good
            right = [
                [
                    f1_of_values(requested_values(field, one.data), values_of(field, option.candidate.column))
                    if is_good
                    else 0.0
                    for option in options
                ]
                for field, options in zip(matrix.fields, matrix.rows, strict=True)
            ]
            share = weight * part / len(places) / len(one.fields)
            has_of = [is_good and it for it in has]
            cases.append(_Case(one.page, matrix, right, has_of, is_good, weight == 1, share))
    return cases


def _choices(cases: Sequence[_Case], options: Sequence[Sequence[Sequence[Option]]]) -> list[Choice]:
    choices = []
    for case, rows in zip(cases, options, strict=True):
        for row, right, has in zip(rows, case.right, case.has, strict=True):
            if row:
                most = max(right)
                fits = tuple((one if one > _LEAST_RIGHT else 0.0) + _NEVER for one in right)
                none = (1.0 if not has else 0.5 if most < _NOTHING_FITS else 0.0) + _NEVER
                choices.append(Choice(tuple(features for _, features in row), fits, none, case.weight))
    return choices


def _judged(case: _Case) -> list[tuple[solver.Row, float, float]]:
    """Return the final choices with their F1."""
    matrix = case.matrix
    chosen = matrix.second(matrix.first())
    rows: list[tuple[solver.Row, float, float]] = []
    for choice, row, right in zip(chosen, matrix.in_context(chosen), case.right, strict=True):
        for (place, found), fit in zip(row, right, strict=True):
            if choice is not None and place == choice[0]:
                rows.append(([*found, choice[1]], fit, case.weight))
    return rows


def _ranked(one: ListExample, weight: float) -> Choice | None:
    made = group_matches.considered(one.matrices, one.topic)
    if not made or not one.data:  # Without data all matches are equally wrong.
        return None
    rows = tuple(group_match.features or () for group_match in made)
    return Choice(rows, tuple(f1_of(group_match, one.data) for group_match in made), 0.0, weight)
