"""Tables of the model that are fitted without some authors, and put in its place to answer these."""

from collections.abc import Sequence
from typing import Final

import attrs

from agentbrowser.extraction.model.trees import TREES, Forest
from agentbrowser.extraction.model.weights import WEIGHTS
from bench.examples import Example
from bench.extract import author_of

FOLDS: Final = (
    ("first", "oak", "pine", "clover", "banyan", "baobab"),
    ("willow", "rowan", "birch", "aspen", "alder", "beech", "walnut", "acacia", "ginkgo"),
    ("hazel", "larch", "fir", "elm", "juniper", "spruce", "cherry", "sequoia", "hickory"),
    ("cedar", "maple", "ash", "yew", "poplar", "linden", "hawthorn", "mulberry", "jacaranda"),
    (),
)
"""Authors that are left out together; the last leaves out nobody."""


@attrs.frozen
class Asked:
    """A task, with its weight."""

    example: Example
    weight: float
    is_own: bool = False
    """True for a task as its author wrote it."""


def is_in(page: str, fold: Sequence[str]) -> bool:
    """Return True if a page's author is in a fold."""
    return author_of(page) in fold


@attrs.frozen(eq=False)
class Tables:
    """Tables for the pages of a fold, whose authors they were not fitted to."""

    fold: Sequence[str]
    weights: dict[str, Sequence[float]] = attrs.field(factory=dict)
    trees: dict[str, Forest] = attrs.field(factory=dict)

    def keep(self, weights: Sequence[str], trees: Sequence[str] = ()) -> None:
        """Keep tables of the model as they are now."""
        self.weights.update({name: getattr(WEIGHTS, name) for name in weights})
        self.trees.update({name: getattr(TREES, name) for name in trees})

    def use(self) -> None:
        """Make these the tables of the model."""
        for held, tables in ((WEIGHTS, self.weights), (TREES, self.trees)):
            for name, table in tables.items():
                setattr(held, name, table)
