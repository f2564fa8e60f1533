"""Fit what values of single things are chosen by, and say how well that does on pages of authors it was not fitted to.

Run: python -m bench.fit_singles [--write]

One author after the other is left out; the confidence is fitted to the answers that come out so.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import attrs
import trio

from agentbrowser.browser.extraction import single_weights, singles
from agentbrowser.browser.extraction.engine import Material, extract
from agentbrowser.browser.extraction.single_traits import TRAITS
from agentbrowser.browser.extraction.typed import Reader
from agentbrowser.browser.extraction.weights import weighed
from bench import fitting
from bench.examples import Example, at, author_of, examples, plain, poorer
from bench.extract import agreement, leaves
from bench.fitting import Choice

_COPIES: Final = ((1.0, 1.0), (0.6, 0.3))
"""How much of what names the values is left, and what a page weighs so."""
_DECAY: Final = 3e-3
_STEPS: Final = 240
_SIGNS: Final = (0, *({"+": 1, "-": -1, "~": 0}[name[0]] for name in TRAITS))
_NEVER: Final = 1e-6
_MAX_ITEMS: Final = 500
_FEATURES: Final = 5
_FILE: Final = Path(single_weights.__file__)


@attrs.frozen
class _Asked:
    """One value that is asked for on a page: the options, which are right, and whether there is one."""

    author: str
    has: bool
    choice: Choice
    is_whole: bool
    """Whether the page has all its names."""


def main() -> None:
    """Fit, and print or write what came out."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true", help="write the weights into the extractor")
    options = parser.parse_args()
    found = [(author_of(one.page), one) for one in trio.run(examples) if not one.asked.is_list]
    asked = [one for author, example in found for one in _values(author, example)]
    rows = []
    for author in dict.fromkeys(author for author, _ in found):
        weights = _fitted([one for one in asked if one.author != author])
        _show(author, weights, [one for one in asked if one.author == author and one.is_whole])
        single_weights.CHOSEN = weights
        rows += [answer for there, example in found if there == author for answer in _answers(example)]
    sure = fitting.likely(rows, (0, *(1 for _ in range(_FEATURES))), decay=_DECAY, steps=2 * _STEPS)
    if options.write:
        _write(CHOSEN=_fitted(asked), SURE=sure)


def _values(author: str, example: Example) -> Iterator[_Asked]:
    dice = random.Random(example.page)
    wishes = [wish for wish in example.asked.wishes if not wish.is_many]
    for kept, weight in _COPIES:
        facts = Material.of(poorer(example.gathered[0], kept, dice)).facts
        for wish, options in zip(wishes, singles.options(wishes, facts), strict=True):
            if not options:
                continue
            wanted = at(example.data, wish.path)
            said = [plain(Reader(wish, fact).read(fact.texts[0])) for _, fact in options]
            right = tuple(float(wanted is not None and one == plain(wanted)) + _NEVER for one in said)
            none = float(wanted is None or max(right) < 1) + _NEVER
            choice = Choice(tuple(told for told, _ in options), right, none, weight)
            yield _Asked(author, wanted is not None, choice, kept == 1)


def _fitted(asked: Sequence[_Asked]) -> list[float]:
    return fitting.chosen([one.choice for one in asked], _SIGNS, decay=_DECAY, steps=_STEPS)


def _show(author: str, weights: Sequence[float], asked: Sequence[_Asked]) -> None:
    right = found = 0.0
    for one in asked:
        worths = [weighed(weights, row) for row in one.choice.options]
        best = max(range(len(worths)), key=lambda place: worths[place])
        if worths[best] > 0:
            found += 1
            right += round(one.choice.right[best])
    wanted = sum(one.has for one in asked)
    print(f"{author:8} left out: {wanted} values, F1 {2 * right / max(1, found + wanted):.3f}")


def _answers(example: Example) -> Iterator[tuple[fitting.Row, float, float]]:
    outcome = extract(example.asked, Material.of(example.gathered[0]), max_items=_MAX_ITEMS)
    if outcome.why_not is None:
        size = leaves(outcome.data) + leaves(example.data)
        yield outcome.features, 2 * agreement(example.data, outcome.data) / size if size else 1.0, 1.0


def _write(**tables: Sequence[float]) -> None:
    text = _FILE.read_text()
    for name, table in tables.items():
        before, _, rest = text.partition(f"{name}: Sequence[float] = (\n")
        text = f"{before}{name}: Sequence[float] = (\n{fitting.written(table, '    ')}){rest.partition(')')[2]}"
    _FILE.write_text(text)


if __name__ == "__main__":
    main()
