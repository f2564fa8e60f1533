"""Fitting of confidence: of the value of each field, and of an answer as a whole.

The examples are of authors that no other table was fitted to, so that the answers are as good as those to users.
"""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from agentbrowser.extraction.columns.page_data import PageData
from agentbrowser.extraction.extract import extract
from agentbrowser.extraction.model.confidence_features import AnswerConfidenceFeatures, FieldConfidenceFeatures
from agentbrowser.extraction.model.features import signs
from agentbrowser.extraction.model.weights import WEIGHTS, answer_confidence
from agentbrowser.extraction.output.extraction import Extraction
from bench.examples import Example
from bench.field_scores import agreement, field_scores, leaves
from bench.fitting import solver

_DECAY: Final = 3e-3
_STEPS: Final = 600
_LEAST: Final = 0.5
"""Least confidence of a value, by default."""
_MAX_ITEMS: Final = 500
_Rows: TypeAlias = list[tuple[solver.Row, float, float]]


def fit(found: Sequence[Example]) -> None:
    """Fit the confidence of fields, then that of answers without doubtful fields."""
    for name, group in (("field_confidence", FieldConfidenceFeatures), ("answer_confidence", AnswerConfidenceFeatures)):
        setattr(WEIGHTS, name, (0.0,) * (1 + len(group._fields)))
    rows = [row for one in found for row in _fields(one)]
    WEIGHTS.field_confidence = tuple(
        round(weight, 3)
        for weight in solver.likely(rows, (0, *signs(FieldConfidenceFeatures)), decay=_DECAY, steps=_STEPS)
    )
    answers = [row for one in found for row in _answers(one)]
    WEIGHTS.answer_confidence = tuple(
        round(weight, 3)
        for weight in solver.likely(answers, (0, *signs(AnswerConfidenceFeatures)), decay=_DECAY, steps=_STEPS)
    )
    print(f"confidence: {len(rows)} fields, {len(answers)} answers")


def answer(example: Example, least: float) -> Extraction:
    """Return the answer to an example, as the server gives it: that of the best frame."""
    best: Extraction | None = None
    for gathered in example.gathered:
        outcome = extract(example.query, PageData.of(gathered), max_items=_MAX_ITEMS, min_confidence=least)
        if best is None or _sure(outcome) > _sure(best):
            best = outcome
    assert best is not None
    return best


def _sure(outcome: Extraction) -> float:
    return 0.0 if outcome.why_not is not None else answer_confidence(outcome.whole)


def _fields(example: Example) -> Iterator[tuple[solver.Row, float, float]]:
    outcome = answer(example, 0.0)
    scores = field_scores(example.data, outcome.data if outcome.why_not is None else None)
    for one in outcome.evidence:
        if one.source is not None and one.path in scores:
            yield one.features, scores[one.path].share, 1.0


def _answers(example: Example) -> Iterator[tuple[solver.Row, float, float]]:
    outcome = answer(example, _LEAST)
    if outcome.why_not is None:
        size = leaves(outcome.data) + leaves(example.data)
        is_right = 2 * agreement(example.data, outcome.data) == size
        yield outcome.whole, float(is_right), 1.0
