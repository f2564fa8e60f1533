"""Fitting of the tables and trees for single objects, with the quality on pages of authors that a fit has not seen.

One author after the other is left out; the confidence is fitted to the answers on the pages of those left out.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Any, Final

import attrs

from agentbrowser.extraction.columns.page_data import PageData
from agentbrowser.extraction.columns.value_reader import Reader
from agentbrowser.extraction.extract import extract
from agentbrowser.extraction.match import singles
from agentbrowser.extraction.model.confidence_features import FactConfidenceFeatures
from agentbrowser.extraction.model.features import (
    FACT,
    FACT_GROUPS,
    ContextFeatures,
    PlaceFeatures,
    signs,
)
from agentbrowser.extraction.model.trees import TREES, reviewed
from agentbrowser.extraction.model.weights import WEIGHTS, weighed
from agentbrowser.extraction.schema.schema_fields import SchemaField
from bench.examples import Example, at, plain
from bench.extract import author_of
from bench.field_scores import agreement, leaves
from bench.fitting import SEEDS, boosting, solver
from bench.fitting.solver import Choice

_DECAY: Final = 3e-3
_STEPS: Final = 240
_NEVER: Final = 1e-6
_BEST: Final = FACT.index("best")
_NAMED: Final = 0.4
"""Similarity of a name above which a page may have an unrequested value."""
_OF_UNREQUESTED: Final = 0.15
"""Weight of a choice whose right answer is none."""
_TREES: Final = 300
_LEAVES: Final = 16
_LEAST: Final = 10
_MAX_ITEMS: Final = 500
_SIGNS: Final = (0, *signs(*FACT_GROUPS))
_CONTEXT_SIGNS: Final = (*_SIGNS, *signs(ContextFeatures, PlaceFeatures))


@attrs.frozen
class _Page:
    """Fields of a page, each with its options and the right ones among these."""

    author: str
    has: list[bool]
    options: list[list[singles.FactOption]]
    right: list[list[float]]
    unrequested: list[singles.FactOption]
    """Options of a field that the page has no value for."""

    def choices(self, weights: Sequence[float] | None = None) -> Iterator[Choice]:
        """Yield the choices; with weights for the positions of the values, in context."""
        rows = [*self.options, self.unrequested]
        rows = rows if weights is None else singles.with_context(rows, weights)
        if rows[-1]:
            yield Choice(tuple(one.features for one in rows[-1]), (_NEVER,) * len(rows[-1]), 1.0, _OF_UNREQUESTED)
        for has, row, right in zip(self.has, rows[:-1], self.right, strict=True):
            if row:
                none = float(not has or max(right) < 1) + _NEVER
                yield Choice(tuple(one.features for one in row), tuple(one + _NEVER for one in right), none, 1.0)


def fit(examples: Sequence[Example]) -> None:
    """Fit all tables and trees of single objects to examples, and print the quality on unseen authors."""
    found = [(author_of(one.page), one) for one in examples]
    dice = random.Random(SEEDS["singles"])
    pages = [_page(author, example, _foreign(example, dice.choice(found)[1], dice)) for author, example in found]
    rows = []
    for author in dict.fromkeys(author for author, _ in found):
        _fit_choices([one for one in pages if one.author != author])
        _show(author, [one for one in pages if one.author == author])
        rows += [answer for there, example in found if there == author for answer in _answers(example)]
    confidence = solver.likely(rows, (0, *signs(FactConfidenceFeatures)), decay=_DECAY, steps=2 * _STEPS)
    _fit_choices(pages)
    WEIGHTS.fact_confidence = tuple(confidence)


def _foreign(example: Example, other: Example, dice: random.Random) -> list[SchemaField]:
    """Return a field of another page that this page's query does not have, if there is one."""
    known = {concept for field in example.query.fields for concept in field.name.concepts}
    fields = [
        field for field in other.query.fields if not field.is_many and field.path and not field.name.concepts & known
    ]
    return [dice.choice(fields)] if fields and example.page != other.page else []


def _page(author: str, example: Example, foreign: Sequence[SchemaField]) -> _Page:
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
    return _Page(author, [value is not None for value in wanted], options, right, [] if is_named else unrequested)


def _read(field: SchemaField, option: singles.FactOption) -> Any:
    return plain(Reader(field, option.fact).read(option.fact.texts[0]))


def _fit_choices(pages: Sequence[_Page]) -> None:
    """Fit the weights without and with context, and grow the trees."""
    alone = [one for page in pages for one in page.choices()]
    WEIGHTS.fact = solver.chosen(alone, _SIGNS, decay=_DECAY, steps=_STEPS)
    chosen = [one for page in pages for one in page.choices(WEIGHTS.fact)]
    WEIGHTS.fact_in_context = solver.chosen(chosen, _CONTEXT_SIGNS, decay=_DECAY, steps=_STEPS)
    TREES.fact_in_context = boosting.grown(chosen, WEIGHTS.fact_in_context, count=_TREES, leaves=_LEAVES, least=_LEAST)


def _show(author: str, pages: Sequence[_Page]) -> None:
    wanted = sum(sum(page.has) for page in pages)
    right = found = 0
    for page in pages:
        for one in attrs.evolve(page, unrequested=[]).choices(WEIGHTS.fact):
            weights = [weighed(WEIGHTS.fact_in_context, row) for row in one.options]
            scores = reviewed(weights, TREES.fact_in_context, one.options.__getitem__)
            best = max(range(len(scores)), key=lambda place: scores[place])
            found += scores[best] > 0
            right += round(one.right[best]) if scores[best] > 0 else 0
    print(f"{author:8} left out: {wanted} values, F1 {2 * right / max(1, found + wanted):.3f}")


def _answers(example: Example) -> Iterator[tuple[solver.Row, float, float]]:
    outcome = extract(example.query, PageData.of(example.gathered[0]), max_items=_MAX_ITEMS)
    if outcome.why_not is None:
        size = leaves(outcome.data) + leaves(example.data)
        yield outcome.features, 2 * agreement(example.data, outcome.data) / size if size else 1.0, 1.0
