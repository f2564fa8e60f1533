"""Boosting of trees that correct the weights where features matter together."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import lightgbm
import numpy as np
from numpy.typing import NDArray

from agentbrowser.extraction.model.trees import Forest, Tree
from agentbrowser.extraction.model.weights import weighed
from bench.fitting import SEEDS
from bench.fitting.solver import Choice, bounded

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
_LEAST_STEEP: Final = 1e-3
_Array = NDArray[np.float64]


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
        return (shares - good) * weight, np.maximum(shares * (1 - shares), _LEAST_STEEP) * weight

    return Forest(_boosted(rows, before, slope, {"num_leaves": leaves, "min_data_in_leaf": least}, count))


def _boosted(rows: _Array, before: _Array, slope: Callable[..., Any], shape: dict[str, int], count: int) -> list[Tree]:
    table = lightgbm.Dataset(rows, init_score=before)
    model = lightgbm.train({**_PARAMS, **shape, "objective": slope}, table, count)
    return [_tree(one["tree_structure"]) for one in model.dump_model()["tree_info"]]


def _tree(node: dict[str, Any]) -> Any:
    if "leaf_value" in node:
        return round(node["leaf_value"], 4)
    return [node["split_feature"], round(node["threshold"], 5), _tree(node["left_child"]), _tree(node["right_child"])]
