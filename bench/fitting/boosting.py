"""Boosting of trees that correct the weights where features matter together."""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypedDict

import attrs
import lightgbm
import numpy as np
from numpy.typing import NDArray

from agentbrowser.extraction.model.trees import Forest, Tree
from agentbrowser.extraction.model.weights import weighed
from bench.fitting import SEEDS
from bench.fitting.solver import Choice, Row, bounded

_PARAMS: Final = {
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "deterministic": True,
    "feature_fraction": 0.5,
    "force_col_wise": True,  # else LightGBM times both ways of adding up, and the sums differ in their last digits
    "lambda_l2": 5.0,
    "learning_rate": 0.1,
    "num_threads": 1,
    "seed": SEEDS["trees"],
    "verbosity": -1,
}
_SLOW: Final = 0.05
"""Learning rate for few rows."""
_LEAST_STEEP: Final = 1e-3
_DIGITS: Final = 9
"""Decimals of slopes: libraries for other processors add up in another order, which changes the last digits."""
_FOREMOST: Final = 10
"""Number of options of a choice that trees are grown on."""
_Array = NDArray[np.float64]


class Growth(TypedDict):
    """Parameters of boosting."""

    count: int
    leaves: int
    least: int


def grown(
    choices: Sequence[Choice], weights: Sequence[float], *, count: int, leaves: int, least: int, must: bool = False
) -> Forest:
    """Return trees that make the right options of choices likelier than the weights alone do.

    Args:
      leaves: the greatest number of leaves of a tree.
      least: the least number of options per leaf.
      must: True if one of the options has to be chosen.

    Source: LightGBM (Ke et al. 2017), for the likelihood that `bench.fitting.solver.chosen` climbs.
    """
    choices = [_foremost(one, weights) for one in choices]
    rows = np.array([row for one in choices for row in one.options])
    before = np.array([weighed(weights, row) for row in rows])
    place = np.repeat(np.arange(len(choices)), [len(one.options) for one in choices])
    right = np.array([right for one in choices for right in one.right])
    none = np.array([0.0 if must else one.none for one in choices])
    weight = np.array([one.weight for one in choices])
    weight = (weight / weight.mean())[place]

    def slope(values: _Array, _: Any) -> tuple[_Array, _Array]:
        shares = np.exp(bounded(values))
        good = shares * right / (np.bincount(place, shares * right, len(choices)) + none)[place]
        shares /= (np.bincount(place, shares, len(choices)) + (not must))[place]
        steep = np.maximum(shares * (1 - shares), _LEAST_STEEP)
        return np.round((shares - good) * weight, _DIGITS), np.round(steep * weight, _DIGITS)

    return Forest(_boosted(rows, before, slope, {"num_leaves": leaves, "min_data_in_leaf": least}, count))


def corrected(
    rows: Sequence[tuple[Row, float, float]],
    weights: Sequence[float],
    signs: Sequence[int],
    *,
    count: int,
    leaves: int,
    least: int,
) -> Forest:
    """Return trees that predict the shares of rows better than the weights of a logistic regression do alone.

    Args:
      rows: features, the share, and the weight of each.
      signs: the sign of each feature's effect, as in `bench.fitting.solver.likely`, without that of the bias.
    """
    table = lightgbm.Dataset(
        np.array([features for features, _, _ in rows], dtype=float),
        label=[share for _, share, _ in rows],
        weight=[weight for _, _, weight in rows],
        init_score=[weighed(weights, features) for features, _, _ in rows],
    )
    shape = {"num_leaves": leaves, "min_data_in_leaf": least, "learning_rate": _SLOW}
    params = {**_PARAMS, **shape, "objective": "cross_entropy", "boost_from_average": False}
    model = lightgbm.train({**params, "monotone_constraints": list(signs)}, table, count)
    return Forest([_tree(one["tree_structure"]) for one in model.dump_model()["tree_info"]])


def _foremost(choice: Choice, weights: Sequence[float]) -> Choice:
    """Return a choice of its best options by the weights: trees never score others (`reviewed`)."""
    scores = [weighed(weights, row) for row in choice.options]
    best = sorted(sorted(range(len(scores)), key=scores.__getitem__, reverse=True)[:_FOREMOST])
    right = tuple(choice.right[at] for at in best)
    return attrs.evolve(choice, options=tuple(choice.options[at] for at in best), right=right)


def _boosted(rows: _Array, before: _Array, slope: Callable[..., Any], shape: dict[str, int], count: int) -> list[Tree]:
    table = lightgbm.Dataset(rows, init_score=before)
    model = lightgbm.train({**_PARAMS, **shape, "objective": slope}, table, count)
    return [_tree(one["tree_structure"]) for one in model.dump_model()["tree_info"]]


def _tree(node: dict[str, Any]) -> Any:
    if "leaf_value" in node:
        return round(node["leaf_value"], 4)
    return [node["split_feature"], round(node["threshold"], 5), _tree(node["left_child"]), _tree(node["right_child"])]
