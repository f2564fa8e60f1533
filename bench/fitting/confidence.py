"""Fitting of confidence: of the value of each field, and of an answer as a whole.

Each answer is of tables that were not fitted to its author, so that it is as good as those to users.
"""

import functools
import statistics
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

import attrs

from agentbrowser.extraction.columns.page_data import PageData
from agentbrowser.extraction.extract import extract
from agentbrowser.extraction.match.evidence import odds
from agentbrowser.extraction.model.confidence_features import (
    AnswerConfidenceFeatures,
    FactConfidenceFeatures,
    FieldConfidenceFeatures,
    ListConfidenceFeatures,
)
from agentbrowser.extraction.model.features import WEIGHT_TABLES, signs
from agentbrowser.extraction.model.trees import TREES, Forest
from agentbrowser.extraction.model.weights import WEIGHTS, answer_confidence, share_right
from agentbrowser.extraction.output.extraction import Extraction
from bench.examples import Example
from bench.extract import author_of
from bench.field_scores import agreement, field_scores, leaves
from bench.fitting import boosting, solver
from bench.fitting.processes import Beside
from bench.fitting.tables import Asked, Tables, is_in

_DECAY: Final = 3e-3
_STEPS: Final = 600
_LEAST: Final = 0.5
"""Least confidence of a value, by default."""
_SHARE: Final = FieldConfidenceFeatures._fields.index("share")
_MAX_ITEMS: Final = 500
_SURE: Final = 9.0
_INVENTED_WEIGHS: Final = 3.0
"""Weight of a value that the page lacks; that of another value is 1."""
_FIELD_TREES: Final[boosting.Growth] = {"count": 200, "leaves": 8, "least": 40}
_TABLES: Final = ("list_confidence", "fact_confidence", "field_confidence", "answer_confidence")
_Row: TypeAlias = tuple[solver.Row, float, float]
"""Features, the share that is right, and the weight."""


@attrs.frozen
class _Answer:
    """An answer to an example, with the weight of the example."""

    example: Example
    outcome: Extraction
    weight: float

    @property
    def data(self) -> Any:
        """Return the data; None without an answer."""
        return self.outcome.data if self.outcome.why_not is None else None

    @property
    def f1(self) -> float:
        """Return the F1 of all values; 1 where nothing was expected and nothing found."""
        size = leaves(self.data) + leaves(self.example.data)
        return 2 * agreement(self.example.data, self.data) / size if size else 1.0

    def fields(self) -> Iterator[_Row]:
        """Yield the given fields, with those that the page has no value for."""
        scores = field_scores(self.example.data, self.data)
        is_list = self.outcome.items is not None
        for one in self.outcome.evidence:
            if one.source is not None and one.path in scores:
                features = list(one.features)
                if is_list:
                    features[_SHARE] = odds(share_right(self.outcome.features, is_list=True))
                score = scores[one.path]
                yield features, score.share, self.weight * (1.0 if score.expected else _INVENTED_WEIGHS)


def fit(asked: Sequence[Asked], models: Sequence[Tables]) -> None:
    """Fit the share of right values of lists and objects, then the confidence of fields, then that of answers.

    Each task is answered by the model that was not fitted to its author.
    """
    for name in _TABLES:
        setattr(WEIGHTS, name, (0.0,) * (1 + len(WEIGHT_TABLES[name])))
    TREES.field_confidence = Forest(())
    # With this confidence no list is withheld while the share of its right values is fitted.
    WEIGHTS.list_confidence = (_SURE, *WEIGHTS.list_confidence[1:])
    answers = _answers(asked, models, 0.0)
    given = [one for one in answers if one.outcome.why_not is None]
    lists = [(one.outcome.features, one.f1, one.weight) for one in given if one.outcome.items is not None]
    objects = [(one.outcome.features, one.f1, one.weight) for one in given if one.outcome.items is None]
    WEIGHTS.list_confidence = _likely(lists, ListConfidenceFeatures)
    WEIGHTS.fact_confidence = _likely(objects, FactConfidenceFeatures)
    fields = [row for one in answers for row in one.fields()]
    WEIGHTS.field_confidence = _likely(fields, FieldConfidenceFeatures)
    sides = list(signs(FieldConfidenceFeatures))
    TREES.field_confidence = boosting.corrected(fields, WEIGHTS.field_confidence, sides, **_FIELD_TREES)
    # Without the copies: whole answers are right as often as they are to users.
    answers = _answers([one for one in asked if one.is_own], models, _LEAST)
    rows = [(one.outcome.answer_features, float(one.f1 == 1), 1.0) for one in answers if one.outcome.why_not is None]
    WEIGHTS.answer_confidence = _likely(rows, AnswerConfidenceFeatures)
    _show(answers)


def _answers(asked: Sequence[Asked], models: Sequence[Tables], least: float) -> list[_Answer]:
    found = []
    for model in models:
        model.use()
        there = [one for one in asked if is_in(one.example.page, model.fold)]
        others = Beside(functools.partial(_outcomes, there[1::2], least))
        outcomes = [*_outcomes(there[::2], least), *others.result()]
        pairs = zip([*there[::2], *there[1::2]], outcomes, strict=True)
        found += [_Answer(one.example, outcome, one.weight) for one, outcome in pairs]
    return found


def _outcomes(asked: Sequence[Asked], least: float) -> list[Extraction]:
    return [answer(one.example, least) for one in asked]


def _show(answers: Sequence[_Answer]) -> None:
    """Print the quality of the answers to each author, at the default confidence."""
    by_author: dict[str, list[float]] = {}
    for one in answers:
        by_author.setdefault(author_of(one.example.page), []).append(one.f1)
    for author, scores in by_author.items():
        print(f"{author:8} left out: {len(scores)} tasks, mean F1 {statistics.mean(scores):.3f}")


def _likely(rows: Sequence[_Row], group: type[Any]) -> list[float]:
    return solver.likely(rows, (0, *signs(group)), decay=_DECAY, steps=_STEPS)


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
    return 0.0 if outcome.why_not is not None else answer_confidence(outcome.answer_features)
