"""Trees that correct the scores of the weights."""

import random
from collections.abc import Iterator, Sequence

import pytest

from agentbrowser.extraction.model.features import TREE_TABLES
from agentbrowser.extraction.model.trees import TREES, Forest, Tree, reviewed

_STEP: Tree = [1, 0.5, -1.0, [0, 2.0, 3.0, 5.0]]


@pytest.mark.parametrize(("features", "value"), [((9.0, 0.5), -1.0), ((2.0, 0.6), 3.0), ((2.1, 0.6), 5.0)])
def test_a_tree_is_followed_to_a_score(features: Sequence[float], value: float) -> None:
    assert Forest([_STEP]).score(features) == value
    assert Forest([_STEP, 0.25, _STEP]).score(features) == 2 * value + 0.25
    assert Forest([]).score(features) == 0


def test_certain_options_are_not_corrected() -> None:
    def features(at: int) -> Sequence[float]:
        raise AssertionError(at)

    assert reviewed([0.5, 4.0, -2.0], Forest([_STEP]), features) == [0.5, 4.0, -2.0]
    assert reviewed([], Forest([_STEP]), features) == []


def test_in_doubt_the_best_options_are_corrected_and_the_others_excluded() -> None:
    scores = [0.1, 1.2, -0.5, 1.1, 0.0, -3.0, 0.9]
    seen: list[int] = []

    def features(at: int) -> Sequence[float]:
        seen.append(at)
        return (0.0, 1.0) if at == 3 else (0.0, 0.0)

    assert reviewed(scores, Forest([_STEP]), features) == pytest.approx([-0.9, 0.2, 0.0, 4.1, -1.0, 0.0, -0.1])
    assert sorted(seen) == [0, 1, 3, 4, 6]


def test_a_single_option_with_a_low_score_is_in_doubt() -> None:
    assert reviewed([0.4], Forest([_STEP]), lambda at: (3.0, 1.0)) == [5.4]


def test_the_fitted_trees_use_most_of_their_features() -> None:
    for name, names in TREE_TABLES.items():
        places = {place for tree in getattr(TREES, name).trees for place, _ in _limits(tree)}
        assert places <= set(range(len(names)))
        assert len(places) > len(names) / 2


def test_a_forest_sums_the_scores_of_its_trees() -> None:
    dice = random.Random(5)
    for forest in (TREES.pair_in_context, TREES.group, TREES.fact_in_context):
        limits = [(place, limit) for tree in forest.trees for place, limit in _limits(tree)]
        for _ in range(20):
            features = [dice.choice((0.0, 1.0, dice.random())) for _ in range(100)]
            for place, limit in dice.sample(limits, 20):
                features[place] = limit
            assert forest.score(features) == sum(_followed(tree, features) for tree in forest.trees)


def _limits(tree: Tree) -> Iterator[tuple[int, float]]:
    if isinstance(tree, list):
        place, limit, *branches = tree
        yield place, limit
        for branch in branches:
            yield from _limits(branch)


def _followed(tree: Tree, features: Sequence[float]) -> float:
    while isinstance(tree, list):
        place, limit, low, high = tree
        tree = low if features[place] <= limit else high
    return tree
