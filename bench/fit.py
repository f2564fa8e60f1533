"""Fit the weights of agent/extract to the development half of the corpus, and say how well such weights do elsewhere.

Run: python -m bench.fit [--folds 5] [--write]

Pages that were used while building are nearly all read right, which teaches little about others. So each page is also
taken with a part of its labels, heads and class names away; and the confidence is fitted to what comes out of pages
that the weights it is reckoned with have not seen: a part of the pages after the other is left out (cross-validation).
"""

import argparse
import hashlib
import random
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import attrs
import trio

from agentbrowser.browser.extraction import confidence, plans, traits, weights
from agentbrowser.browser.extraction.engine import Material, extract
from agentbrowser.browser.extraction.weights import FITTED
from bench import fitting
from bench.examples import Example, Listed, alike, examples, listed, poorer, rightness, said, told
from bench.extract import agreement, leaves
from bench.fitting import Choice, sparse

_COPIES: Final = ((1.0, 1.0), (0.6, 0.6), (0.2, 0.4))
"""How much of what names the values is left, and what a page weighs so."""
_WRONG_WEIGHS: Final = 0.3
_LEAST_RIGHT: Final = 0.5
_NOTHING_FITS: Final = 0.3
_NEVER: Final = 1e-4
_DECAY: Final = 1e-3
_STEPS: Final = 240
_SIGNS: Final = {"+": 1, "-": -1, "~": 0}
_FIRST: Final = (0, *(_SIGNS[name[0]] for name in traits.ALONE))
_SECOND: Final = (*_FIRST, *(_SIGNS[name[0]] for name in traits.AMONG))
_FILE: Final = Path(weights.__file__)
_MAX_ITEMS: Final = 500


@attrs.frozen(eq=False)
class _Case:
    """One board of a list with how right each option is, and what it weighs for each wish."""

    board: plans.Board
    right: Sequence[Sequence[float]]
    has: Sequence[bool]
    is_good: bool
    weight: float


def main() -> None:
    """Fit, and print or write what came out."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--folds", type=int, default=5, help="parts of the pages that are left out in turn")
    parser.add_argument("--write", action="store_true", help="write the weights into the extractor")
    options = parser.parse_args()
    found = trio.run(examples)
    seen = _confidences(found, options.folds)
    _use(found)
    if options.write:
        _write(seen)


def _confidences(found: Sequence[Example], folds: int) -> list[tuple[str, list[float]]]:
    """Return the weights of the confidences, fitted to pages that the other weights have not seen."""
    rows: list[tuple[bool, Sequence[float], float, float, Example]] = []
    for fold in range(folds):
        _use([one for one in found if _fold(one.page, folds) != fold])
        for one in found:
            if _fold(one.page, folds) == fold:
                rows += _answers(one)
    _show(rows)
    result = []
    for is_list in (True, False):
        chosen = [(sparse(features), right, weight) for kind, features, right, weight, _ in rows if kind is is_list]
        width = max(max(place for place, _ in row) for row, _, _ in chosen) + 1
        result.append(
            (
                "list" if is_list else "single",
                fitting.likely([row for row in chosen if row[2]], (0,) * width, decay=_DECAY, steps=_STEPS * 2),
            )
        )
    for name, fitted in result:
        print(name, [round(weight, 2) for weight in fitted])
    return result


def _answers(example: Example) -> list[tuple[bool, Sequence[float], float, float, Example]]:
    """Return for a page and its poorer copies what tells the confidence, and how right the answer is."""
    dice = random.Random(example.page)
    rows = []
    for kept, weight in _COPIES:
        best: tuple[float, Sequence[float], float] | None = None
        for gathered in example.gathered:
            outcome = extract(example.asked, Material.of(poorer(gathered, kept, dice)), max_items=_MAX_ITEMS)
            if outcome.why_not is not None:
                continue
            size = leaves(outcome.data) + leaves(example.data)
            right = 2 * agreement(example.data, outcome.data) / size if size else 1.0
            sure = confidence.confidence(outcome.features, is_list=example.asked.is_list)
            best = max(best or (-1.0, (), 0.0), (sure, outcome.features, right))
        if best is not None:
            rows.append((example.asked.is_list, best[1], best[2], weight, example))
        elif kept == 1:
            rows.append((example.asked.is_list, (), float(not leaves(example.data)), 0.0, example))
    return rows


def _show(rows: Sequence[tuple[bool, Sequence[float], float, float, Example]]) -> None:
    for name, is_list in (("lists", True), ("single things", False)):
        whole = [right for kind, _, right, weight, _ in rows if kind is is_list and weight in (0.0, 1.0)]
        poor = [right for kind, _, right, weight, _ in rows if kind is is_list and 0 < weight < 1]
        print(f"unseen {name}: mean F1 {statistics.mean(whole):.4f}, poorer copies {statistics.mean(poor):.4f}")


def _fold(page: str, folds: int) -> int:
    return int(hashlib.md5(page.encode()).hexdigest(), 16) % folds


def _use(found: Sequence[Example]) -> None:
    """Fit the weights of choices to examples, and let the extractor use them."""
    dice = random.Random(3)
    wanted = [(weight, one) for example in found for kept, weight in _COPIES for one in listed(example, kept, dice)]
    cases = [case for weight, one in wanted for case in _cases(one, weight)]
    good = [case for case in cases if case.is_good]
    firsts = [case.board.options for case in good]
    FITTED.alone = tuple(fitting.chosen(_choices(good, firsts), _FIRST, decay=_DECAY, steps=_STEPS))
    seconds = [case.board.related(case.board.first()) for case in good]
    FITTED.among = tuple(fitting.chosen(_choices(good, seconds), _SECOND, decay=_DECAY, steps=_STEPS))
    judged = [row for case in cases for row in _judged(case)]
    FITTED.sure = tuple(fitting.likely(judged, _SECOND, decay=_DECAY, steps=_STEPS))
    sets = [one for weight, wish in wanted if (one := _ranked(wish, weight))]
    FITTED.group = tuple(fitting.best(sets, (0,) * (1 + len(plans.TRAITS)), decay=2 * _DECAY, steps=_STEPS))


def _cases(one: Listed, weight: float) -> list[_Case]:
    has = [bool(told(wish, one.data)) for wish in one.wishes]
    cases = []
    for places, part in ((one.good, 1.0), (one.wrong, _WRONG_WEIGHS)):
        for at in places:
            board, is_good = one.boards[at], places is one.good
            right = [
                [alike(told(wish, one.data), said(wish, board.fields[at].series)) * is_good for at, _ in options]
                for wish, options in zip(board.wishes, board.options, strict=True)
            ]
            share = weight * part / len(places) / len(one.wishes)
            cases.append(_Case(board, right, [is_good and it for it in has], is_good, share))
    return cases


def _choices(cases: Sequence[_Case], options: Sequence[Sequence[Sequence[tuple[int, traits.Traits]]]]) -> list[Choice]:
    choices = []
    for case, rows in zip(cases, options, strict=True):
        for row, right, has in zip(rows, case.right, case.has, strict=True):
            if row:
                most = max(right)
                fits = tuple((one if one > _LEAST_RIGHT else 0.0) + _NEVER for one in right)
                none = (1.0 if not has else 0.5 if most < _NOTHING_FITS else 0.0) + _NEVER
                choices.append(Choice(tuple(sparse(told) for _, told in row), fits, none, case.weight))
    return choices


def _judged(case: _Case) -> list[tuple[fitting.Sparse, float, float]]:
    """Return what is chosen in the end, and how right that is."""
    board = case.board
    chosen = board.second(board.first())
    rows = []
    for choice, row, right in zip(chosen, board.related(chosen), case.right, strict=True):
        for (place, found), fit in zip(row, right, strict=True):
            if choice is not None and place == choice[0]:
                rows.append((sparse(found), fit, case.weight))
    return rows


def _ranked(one: Listed, weight: float) -> Choice | None:
    made = plans.considered(one.boards, one.about, is_table=one.is_table)
    if not made:
        return None
    rows = tuple(sparse(plan.traits) for plan in made)
    return Choice(rows, tuple(rightness(plan, one.data) for plan in made), 0.0, weight)


def _write(seen: Sequence[tuple[str, Sequence[float]]]) -> None:
    lines = _FILE.read_text().splitlines(keepends=True)
    start = next(at for at, line in enumerate(lines) if line.startswith("FITTED")) + 1
    end = next(at for at, line in enumerate(lines) if at > start and line.startswith(")"))
    for name, fitted in seen:
        setattr(FITTED, name, fitted)
    text = "".join(_table(name, table) for name, table in attrs.asdict(FITTED, recurse=False).items())
    _FILE.write_text("".join(lines[:start]) + text + "".join(lines[end:]))


def _table(name: str, table: Sequence[float]) -> str:
    said = [f"{weight:.3f}," for weight in table]
    rows = [" ".join(said[at : at + 14]) for at in range(0, len(said), 14)]
    return f"    {name}=(\n" + "".join(f"        {row}\n" for row in rows) + "    ),\n"


if __name__ == "__main__":
    main()
