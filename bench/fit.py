"""Fit the model of agent/extract to the corpus but its held-back half, or check that the fit can be reproduced.

Run: python -m bench.fit [--write | --check], with the extra "bench"

``--check`` compares all weights, all trees and the header but its date.

The corpus is gathered once, in a browser. Lists (`bench.fitting.lists`) and single objects (`bench.fitting.singles`)
are fitted in two processes, once without each fold of authors and once to all. The confidence
(`bench.fitting.confidence`) is fitted to the answers to each author by the model that has not seen that author, and
their quality is printed.
"""

import argparse
import datetime
import hashlib
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import trio

from agentbrowser.extraction.model import model_file
from agentbrowser.extraction.model.features import TREE_TABLES, WEIGHT_TABLES
from agentbrowser.extraction.model.model_file import ModelFile, feature_hashes
from agentbrowser.extraction.model.trees import TREES, Forest
from agentbrowser.extraction.model.weights import WEIGHTS
from bench.examples import Example, examples
from bench.extract import author_of
from bench.fitting import SEEDS, absent, confidence, lists, singles
from bench.fitting.processes import Beside
from bench.fitting.tables import FOLDS, Asked, Tables

_CORPUS: Final = Path(__file__).parent / "corpus"
_PARTS: Final = ("dev", "calibration")
_HASH_LENGTH: Final = 16


def main() -> None:
    """Fit the model, and print, write or compare it."""
    parser = argparse.ArgumentParser()
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--write", action="store_true", help="write the model into the package")
    action.add_argument("--check", action="store_true", help="compare the model with the one in the package")
    options = parser.parse_args()
    model = fitted([one for part in _PARTS for one in trio.run(examples, part)])
    if options.write:
        model_file.FILE.write_text(model.text())
    if options.check and (differences := list(_differences(model))):
        sys.exit("\n".join(["The model in the package differs from this fit:", *differences]))


def fitted(found: Sequence[Example]) -> ModelFile:
    """Return the model that is fitted to examples. It depends on nothing that was fitted before.

    Raises:
      ValueError: an author is in no fold.
    """
    for name in WEIGHT_TABLES:
        setattr(WEIGHTS, name, (0.0,) * model_file.weight_count(name))
    for name in TREE_TABLES:
        setattr(TREES, name, Forest(()))
    if homeless := {author_of(one.page) for one in found}.difference(*FOLDS):
        raise ValueError(f"no fold leaves out {', '.join(sorted(homeless))}")
    asked = absent.with_copies(found)
    objects = Beside(lambda: _tables(singles.fit, asked))
    models = _tables(lists.fit, asked)
    for model, other in zip(models, objects.result(), strict=True):
        model.weights.update(other.weights)
        model.trees.update(other.trees)
    confidence.fit(asked, models)
    models[-1].use()
    weights = {name: list(getattr(WEIGHTS, name)) for name in WEIGHT_TABLES}
    return ModelFile(
        header=_header(), weights=weights, trees={name: getattr(TREES, name).trees for name in TREE_TABLES}
    )


def _tables(fit: Callable[[Sequence[Asked], Sequence[Tables]], None], asked: Sequence[Asked]) -> Sequence[Tables]:
    models = [Tables(fold) for fold in FOLDS]
    fit(asked, models)
    return models


def _header() -> dict[str, Any]:
    return {
        "features": feature_hashes(),
        "corpus": {part: corpus_hash(part) for part in _PARTS},
        "versions": {"python": platform.python_version(), **{name: version(name) for name in ("lightgbm", "numpy")}},
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "seeds": SEEDS,
    }


def corpus_hash(part: str) -> str:
    """Return the hash of the names and the bytes of a part of the corpus."""
    digest = hashlib.sha256()
    for path in sorted((_CORPUS / part).iterdir()):
        digest.update(f"{path.name}\n".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:_HASH_LENGTH]


def _differences(model: ModelFile) -> Iterator[str]:
    """Yield the differences between a model and the one in the package, except the date."""
    known = model_file.fitted_model()
    for key, value in model.header.items():
        if key != "date" and known.header.get(key) != value:
            yield f"header: {key} {known.header.get(key)} in the package, {value} here"
    for name, table in model.weights.items():
        if count := sum(here != there for here, there in zip(table, known.weights[name], strict=True)):
            yield f"weights of {name}: {count} of {len(table)} differ"
    for name, trees in model.trees.items():
        others = known.trees[name]
        if trees != others:
            count = sum(here != there for here, there in zip(trees, others, strict=False))
            yield f"trees of {name}: {count} differ, of {len(others)} in the package and {len(trees)} here"


if __name__ == "__main__":
    main()
