"""File of the fitted model: a header that identifies the fit, the weights and the trees."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import attrs

from agentbrowser.extraction.model.features import TREE_TABLES, WEIGHT_TABLES

FILE: Final = Path(__file__).with_name("model.json")
"""Written by ``python -m bench.fit --write``; not edited by hand."""
_HASH_LENGTH: Final = 16


class StaleModel(Exception):
    """A model file that does not fit the features of the code."""


@attrs.frozen(kw_only=True)
class ModelFile:
    """Content of a model file."""

    header: dict[str, Any]
    """Hashes of the feature names of each table, hash of the corpus, library versions, date, seed."""
    weights: dict[str, list[float]]
    trees: dict[str, list[Any]]

    def text(self) -> str:
        """Return the content as JSON, a table or a tree per line."""
        weights = ",\n".join(f'"{name}": {json.dumps(table)}' for name, table in self.weights.items())
        trees = ",\n".join(f'"{name}": [\n{_lines(table)}\n]' for name, table in self.trees.items())
        header = json.dumps(self.header, indent=1)
        return f'{{"header": {header},\n"weights": {{\n{weights}\n}},\n"trees": {{\n{trees}\n}}}}\n'


def _lines(trees: Sequence[Any]) -> str:
    return ",\n".join(json.dumps(tree, separators=(",", ":")) for tree in trees)


def names_hash(names: Sequence[str]) -> str:
    """Return the hash of feature names in their order."""
    return hashlib.sha256("\n".join(names).encode()).hexdigest()[:_HASH_LENGTH]


def feature_hashes() -> dict[str, str]:
    """Return the hash of the feature names of each table."""
    tables = [("weights", WEIGHT_TABLES), ("trees", TREE_TABLES)]
    return {f"{part}.{name}": names_hash(names) for part, table in tables for name, names in table.items()}


def weight_count(table: str) -> int:
    """Return the number of weights of a table: one per feature, and the bias in all but ``type_shape``."""
    return len(WEIGHT_TABLES[table]) + (table != "type_shape")


def read_model(path: Path, expected: Mapping[str, str]) -> ModelFile:
    """Return the content of a model file.

    Args:
      expected: the hash of the feature names of each table.

    Raises:
      StaleModel: the file was fitted to other features, or a table has not one weight per feature.
    """
    content = json.loads(path.read_bytes())
    fitted = content["header"]["features"]
    if changed := sorted(name for name in {*fitted, *expected} if fitted.get(name) != expected.get(name)):
        raise StaleModel(
            f"{path.name} was fitted to other features than the code has: {', '.join(changed)}. "
            "Undo the change of the features, or fit the model anew: python -m bench.fit --write"
        )
    model = ModelFile(**content)
    for name, table in model.weights.items():
        if len(table) != (count := weight_count(name)):
            raise StaleModel(f"{path.name} has {len(table)} weights for {name}; the features need {count}.")
    return model


@cache
def fitted_model() -> ModelFile:
    """Return the model of the package, read at the first use.

    Raises:
      StaleModel: it does not fit the features of the code.
    """
    return read_model(FILE, feature_hashes())
