"""Fitting of the tables and trees for single objects."""

import random
from collections.abc import Iterator, Sequence
from typing import Any, Final

import attrs

from agentbrowser.extraction.columns.page_data import PageData
from agentbrowser.extraction.columns.value_reader import Reader
from agentbrowser.extraction.match import singles
from agentbrowser.extraction.model.features import (
    FACT,
    FACT_GROUPS,
    ContextFeatures,
    PlaceFeatures,
    signs,
)
from agentbrowser.extraction.model.trees import TREES
from agentbrowser.extraction.model.weights import WEIGHTS
from agentbrowser.extraction.schema.schema_fields import SchemaField
from bench.examples import Example, at, plain
from bench.fitting import SEEDS, boosting, solver
from bench.fitting.solver import Choice
from bench.fitting.tables import Asked, Tables, is_in

_DECAY: Final = 3e-3
_STEPS: Final = 240
_NEVER: Final = 1e-6
_BEST: Final = FACT.index("best")
_NAMED: Final = 0.4
"""Similarity of a name above which a page may have an unrequested value."""
_OF_UNREQUESTED: Final = 0.15
"""Weight of a choice for a field of another page."""
_NONE_WEIGHS: Final = 0.5
"""Weight of a choice whose right answer is none; that of another choice is 1."""
_TREES: Final[boosting.Growth] = {"count": 300, "leaves": 16, "least": 10}
_SIGNS: Final = (0, *signs(*FACT_GROUPS))
_CONTEXT_SIGNS: Final = (*_SIGNS, *signs(ContextFeatures, PlaceFeatures))


@attrs.frozen
class _Page:
    """Fields of a page, each with its options and the right ones among these."""

    has: list[bool]
    options: list[list[singles.FactOption]]
    right: list[list[float]]
    unrequested: list[singles.FactOption]
    """Options of a field that the page has no value for."""
    weight: float

    def choices(self, weights: Sequence[float] | None = None) -> Iterator[Choice]:
        """Yield the choices; with weights for the positions of the values, in context."""
        rows = [*self.options, self.unrequested]
        rows = rows if weights is None else singles.with_context(rows, weights)
        if rows[-1]:
            yield Choice(
                tuple(one.features for one in rows[-1]),
                (_NEVER,) * len(rows[-1]),
                1.0,
                _OF_UNREQUESTED * _NONE_WEIGHS * self.weight,
            )
        for has, row, right in zip(self.has, rows[:-1], self.right, strict=True):
            if row:
                is_none = not has or max(right) < 1
                weight = self.weight * (_NONE_WEIGHS if is_none else 1.0)
                fits = tuple(one + _NEVER for one in right)
                yield Choice(tuple(one.features for one in row), fits, is_none + _NEVER, weight)


def fit(asked: Sequence[Asked], models: Sequence[Tables]) -> None:
    """Fit the weights and the trees of single objects to tasks, once without each fold."""
    dice = random.Random(SEEDS["singles"])
    asked = [one for one in asked if not one.example.query.is_list]
    examples = [one.example for one in asked if one.is_own]
    pages = [
        _page(one.example, _foreign(one.example, dice.choice(examples), dice) if one.is_own else [], one.weight)
        for one in asked
    ]
    alone = [one for page in pages for one in page.choices()]
    WEIGHTS.fact = solver.chosen(alone, _SIGNS, decay=_DECAY, steps=_STEPS)
    in_context = [list(page.choices(WEIGHTS.fact)) for page in pages]
    for model in models:
        pairs = zip(asked, in_context, strict=True)
        chosen = [choice for one, row in pairs if not is_in(one.example.page, model.fold) for choice in row]
        WEIGHTS.fact_in_context = solver.chosen(chosen, _CONTEXT_SIGNS, decay=_DECAY, steps=_STEPS)
        TREES.fact_in_context = boosting.grown(chosen, WEIGHTS.fact_in_context, **_TREES)
        model.keep(("fact", "fact_in_context"), ("fact_in_context",))


def _foreign(example: Example, other: Example, dice: random.Random) -> list[SchemaField]:
    """Return a field of another page that this page's query does not have, if there is one."""
    known = {concept for field in example.query.fields for concept in field.name.concepts}
    fields = [
        field for field in other.query.fields if not field.is_many and field.path and not field.name.concepts & known
    ]
    return [dice.choice(fields)] if fields and example.page != other.page else []


def _page(example: Example, foreign: Sequence[SchemaField], weight: float) -> _Page:
    fields = [field for field in example.query.fields if not field.is_many]
    *options, unrequested = singles.options([*fields, *foreign], PageData.of(example.gathered[0]).facts) + [[]] * (
        not foreign
    )
    is_named = any(one.features[_BEST] > _NAMED for one in unrequested)
    wanted = [at(example.data, field.path) for field in fields]
    right = [
        [float(value is not None and _read(field, one) == plain(value)) for one in row]
        for field, row, value in zip(fields, options, wanted, strict=True)
    ]
    return _Page([value is not None for value in wanted], options, right, [] if is_named else unrequested, weight)


def _read(field: SchemaField, option: singles.FactOption) -> Any:
    return plain(Reader(field, option.fact).read(option.fact.texts[0]))
