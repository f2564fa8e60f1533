"""Fit what values of single things are chosen by, and say how well that does on pages of authors it was not fitted to.

Run: python -m bench.fitting.singles [--write], with the extra "bench"

One author after the other is left out; the confidence is fitted to the answers that come out so.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
import trio

from agentbrowser.extraction.columns.page_data import PageData
from agentbrowser.extraction.columns.value_reader import Reader
from agentbrowser.extraction.extract import extract
from agentbrowser.extraction.match import singles
from agentbrowser.extraction.match.single_features import TRAITS
from agentbrowser.extraction.model import single_weights
from agentbrowser.extraction.model.trees import fitted, reviewed
from agentbrowser.extraction.model.weights import weighed
from agentbrowser.extraction.schema.schema_fields import SchemaField
from bench.examples import Example, at, examples, plain
from bench.extract import agreement, author_of, leaves
from bench.fitting import boosting, solver
from bench.fitting.solver import Choice

_DECAY: Final = 3e-3
_STEPS: Final = 240
_NEVER: Final = 1e-6
_BEST: Final = TRAITS.index("+best")
_NAMED: Final = 0.4
"""What a page calls something by more than that it may speak of."""
_OF_UNASKED: Final = 0.15
"""What a choice weighs that is of nothing."""
_TREES: Final = 300
_LEAVES: Final = 16
_LEAST: Final = 10
_MAX_ITEMS: Final = 500
_FEATURES: Final = 5
_FILE: Final = Path(single_weights.__file__)


@attrs.frozen
class _Page:
    """What is asked for on a page, each with whether there is one, its options, and which of these are right."""

    author: str
    has: list[bool]
    options: list[list[singles.FactOption]]
    right: list[list[float]]
    unasked: list[singles.FactOption]
    """What could be taken for something that the page does not speak of."""

    def choices(self, weights: Sequence[float] | None = None) -> Iterator[Choice]:
        """Yield what is to be chosen from; with the weights that say where each seems to be, also by that."""
        rows = [*self.options, self.unasked]
        rows = rows if weights is None else singles.with_context(rows, weights)
        if rows[-1]:
            yield Choice(tuple(one.features for one in rows[-1]), (_NEVER,) * len(rows[-1]), 1.0, _OF_UNASKED)
        for has, row, right in zip(self.has, rows[:-1], self.right, strict=True):
            if row:
                none = float(not has or max(right) < 1) + _NEVER
                yield Choice(tuple(one.features for one in row), tuple(one + _NEVER for one in right), none, 1.0)


def main() -> None:
    """Fit, and print or write what came out."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true", help="write the weights into the extractor")
    options = parser.parse_args()
    found = [(author_of(one.page), one) for one in trio.run(examples) if not one.asked.is_list]
    dice = random.Random(1)
    pages = [_page(author, example, _foreign(example, dice.choice(found)[1], dice)) for author, example in found]
    rows = []
    for author in dict.fromkeys(author for author, _ in found):
        _use([one for one in pages if one.author != author])
        _show(author, [one for one in pages if one.author == author])
        rows += [answer for there, example in found if there == author for answer in _answers(example)]
    sure = solver.likely(rows, (0, *(1 for _ in range(_FEATURES))), decay=_DECAY, steps=2 * _STEPS)
    if options.write:
        _use(pages)
        _write(ALONE=single_weights.ALONE, CHOSEN=single_weights.CHOSEN, SURE=sure)
        boosting.write(single=fitted().single)


def _foreign(example: Example, other: Example, dice: random.Random) -> list[SchemaField]:
    """Return a wish of another page that is for nothing that is asked for on this one, if there is one."""
    known = {concept for field in example.asked.fields for concept in field.name.concepts}
    fields = [
        field for field in other.asked.fields if not field.is_many and field.path and not field.name.concepts & known
    ]
    return [dice.choice(fields)] if fields and example.page != other.page else []


def _page(author: str, example: Example, foreign: Sequence[SchemaField]) -> _Page:
    fields = [field for field in example.asked.fields if not field.is_many]
    *options, unasked = singles.options([*fields, *foreign], PageData.of(example.gathered[0]).facts) + [[]] * (
        not foreign
    )
    is_named = any(one.features[_BEST] > _NAMED for one in unasked)
    wanted = [at(example.data, field.path) for field in fields]
    right = [
        [float(value is not None and _read(field, one) == plain(value)) for one in row]
        for field, row, value in zip(fields, options, wanted, strict=True)
    ]
    return _Page(author, [value is not None for value in wanted], options, right, [] if is_named else unasked)


def _read(field: SchemaField, option: singles.FactOption) -> Any:
    return plain(Reader(field, option.fact).read(option.fact.texts[0]))


def _use(pages: Sequence[_Page]) -> None:
    """Fit the weights of what is told of values alone, and of that with what the others tell, and grow the trees."""
    alone = [one for page in pages for one in page.choices()]
    single_weights.ALONE = solver.chosen(alone, _signs(TRAITS), decay=_DECAY, steps=_STEPS)
    chosen = [one for page in pages for one in page.choices(single_weights.ALONE)]
    single_weights.CHOSEN = solver.chosen(chosen, _signs(singles.TOGETHER), decay=_DECAY, steps=_STEPS)
    fitted().single = boosting.grown(chosen, single_weights.CHOSEN, count=_TREES, leaves=_LEAVES, least=_LEAST)


def _signs(names: Sequence[str]) -> list[int]:
    return [0, *({"+": 1, "-": -1, "~": 0}[name[0]] for name in names)]


def _show(author: str, pages: Sequence[_Page]) -> None:
    wanted = sum(sum(page.has) for page in pages)
    right = found = 0
    for page in pages:
        for one in attrs.evolve(page, unasked=[]).choices(single_weights.ALONE):
            weights = [weighed(single_weights.CHOSEN, row) for row in one.options]
            scores = reviewed(weights, fitted().single, one.options.__getitem__)
            best = max(range(len(scores)), key=lambda place: scores[place])
            found += scores[best] > 0
            right += round(one.right[best]) if scores[best] > 0 else 0
    print(f"{author:8} left out: {wanted} values, F1 {2 * right / max(1, found + wanted):.3f}")


def _answers(example: Example) -> Iterator[tuple[solver.Row, float, float]]:
    outcome = extract(example.asked, PageData.of(example.gathered[0]), max_items=_MAX_ITEMS)
    if outcome.why_not is None:
        size = leaves(outcome.data) + leaves(example.data)
        yield outcome.features, 2 * agreement(example.data, outcome.data) / size if size else 1.0, 1.0


def _write(**tables: Sequence[float]) -> None:
    text = _FILE.read_text()
    for name, table in tables.items():
        before, _, rest = text.partition(f"{name}: Sequence[float] = (\n")
        text = f"{before}{name}: Sequence[float] = (\n{solver.written(table, '    ')}){rest.partition(')')[2]}"
    _FILE.write_text(text)


if __name__ == "__main__":
    main()
