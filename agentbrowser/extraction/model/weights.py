"""Weights of the features, as fitted to pages."""

import math
import operator
from collections.abc import Sequence
from typing import Final, TypeAlias

from agentbrowser.extraction.model.features import WEIGHT_TABLES
from agentbrowser.extraction.model.model_file import fitted_model

Sparse: TypeAlias = Sequence[tuple[int, float]]
"""The features that are not 0, each with its place: most are 0."""
_LARGEST: Final = 30.0
"""The largest score whose exponential matters."""


class Weights:
    """Tables of weights: the bias, then the weight of each feature. Read from the model file at the first use."""

    type_shape: Sequence[float]
    """Log odds of each type of value that a field asks for with each shape of values; without a bias."""
    pair: Sequence[float]
    """A field with a column, by themselves."""
    pair_in_context: Sequence[float]
    """A field with a column, given the probable columns of the other fields."""
    choice: Sequence[float]
    """The probability that a chosen column is right."""
    group: Sequence[float]
    """A group being the one that the query asks for."""
    list_confidence: Sequence[float]
    """The share of a list's values that is right."""
    fact: Sequence[float]
    """A field with a fact, before the positions of the other facts are known."""
    fact_in_context: Sequence[float]
    """A field with a fact, given the probable facts of the other fields: below 0, no value is better."""
    fact_confidence: Sequence[float]
    """The share of an object's values that is right."""
    field_confidence: Sequence[float]
    """The value of a field being right."""
    answer_confidence: Sequence[float]
    """All values of an answer being right, and none missing."""

    def __getattr__(self, name: str) -> Sequence[float]:
        """Return a table that is not in memory yet. Tables in memory are plain attributes, at no extra cost."""
        if name not in WEIGHT_TABLES:
            raise AttributeError(name)
        self.__dict__.update(fitted_model().weights)
        table: Sequence[float] = self.__dict__[name]
        return table


WEIGHTS: Final = Weights()


def sparse(features: Sequence[float]) -> Sparse:
    """Return the features that are not 0, each with its place."""
    return [(place, value) for place, value in enumerate(features, 1) if value]


def added(weights: Sequence[float], features: Sparse) -> float:
    """Return the weighted sum of features, without the bias."""
    return sum([weights[place] * value for place, value in features])


def weighed(weights: Sequence[float], features: Sequence[float]) -> float:
    """Return the bias plus the weighted sum of features."""
    if len(weights) != len(features) + 1:
        raise ValueError(f"{len(weights)} weights for {len(features)} features")
    added: float = sum(map(operator.mul, weights[1:], features))
    return weights[0] + added


def probability(score: float) -> float:
    """Return the probability for a score: the logistic function."""
    return 1 / (1 + math.exp(-max(-_LARGEST, min(_LARGEST, score))))


def answer_confidence(features: Sequence[float]) -> float:
    """Return the probability that an extraction is right as a whole, 0 to 1.

    Source: logistic regression, fitted by ``python -m bench.fit`` to answers on pages of authors that the other
    weights had not seen.
    """
    return round(probability(weighed(WEIGHTS.answer_confidence, features)), 3)


def share_right(features: Sequence[float], *, is_list: bool) -> float:
    """Return the share of an extraction's values that is probably right, 0 to 1.

    Source: logistic regression, fitted by ``python -m bench.fit`` to answers on pages of authors that the other
    weights had not seen; the target is the F1 of the values.
    """
    return round(probability(weighed(WEIGHTS.list_confidence if is_list else WEIGHTS.fact_confidence, features)), 3)
