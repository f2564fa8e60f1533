"""Fit the weights of agent/extract to the development half of the corpus, and say how well such weights do elsewhere.

Run: python -m bench.fit [--write], with the extra "bench"

Pages that were used while building are nearly all read right, which teaches little about others. So each page is also
taken with a part of its labels, heads and class names away; and the confidence is fitted to what comes out of pages
by authors that the weights it is reckoned with have not seen: some after the other are left out (cross-validation).
"""

import argparse
import math
import random
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeAlias, TypedDict

import attrs
import trio

from agentbrowser.extraction.columns import value_shapes
from agentbrowser.extraction.columns.page_data import PageData
from agentbrowser.extraction.extract import LIST_TRAITS, extract
from agentbrowser.extraction.match import group_matches as match_groups
from agentbrowser.extraction.match import pair_features as features
from agentbrowser.extraction.match.match_matrix import MatchMatrix
from agentbrowser.extraction.model import weights
from agentbrowser.extraction.model.trees import Forest, fitted
from agentbrowser.extraction.model.weights import FITTED
from agentbrowser.extraction.schema import value_types
from bench.examples import Example, Listed, alike, examples, listed, poorer, rightness, said, told
from bench.extract import agreement, author_of, leaves
from bench.fitting import boosting, solver
from bench.fitting.solver import Choice

Option: TypeAlias = tuple[int, features.FeatureVector]


class _Growth(TypedDict):
    """How trees are grown."""

    count: int
    leaves: int
    least: int


_COPIES: Final = ((1.0, 1.0), (0.3, 0.4))
"""How much of what names the values is left, and what a page weighs so."""
_WRONG_WEIGHS: Final = 0.3
_LEAST_RIGHT: Final = 0.5
_NOTHING_FITS: Final = 0.3
_SURE: Final = 9.0
_MOST_SAID: Final = 2.0
"""What a shape says at most for a sort or against it."""
_EVEN: Final = 8.0
"""How many values, of all shapes alike, each sort is taken to have had before."""
_NEVER: Final = 1e-4
_DECAY: Final = 1e-3
_LIGHTLY: Final = 2e-4
"""How weights fade where few of them speak at a time."""
_STEPS: Final = 240
_FOLDS: Final = (
    ("first",),
    ("oak", "pine", "birch", "rowan"),
    ("elm", "fir", "larch", "maple"),
    ("yew", "ash", "cedar", "hazel", "willow"),
)
"""Authors whose pages are left out together."""
_SIGNS: Final = {"+": 1, "-": -1, "~": 0}
_FIRST: Final = (0, *(_SIGNS[name[0]] for name in features.ALONE))
_SECOND: Final = (*_FIRST, *(_SIGNS[name[0]] for name in features.AMONG))
_SERIES_TREES: Final[_Growth] = {"count": 450, "leaves": 31, "least": 10}
_GROUP_TREES: Final[_Growth] = {"count": 220, "leaves": 8, "least": 15}
_FILE: Final = Path(weights.__file__)
_MAX_ITEMS: Final = 500


@attrs.frozen(eq=False)
class _Case:
    """One board of a list with how right each option is, and what it weighs for each wish."""

    page: str
    matrix: MatchMatrix
    right: Sequence[Sequence[float]]
    has: Sequence[bool]
    is_good: bool
    weight: float


def main() -> None:
    """Fit, and print or write what came out."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true", help="write the weights into the extractor")
    options = parser.parse_args()
    found = [one for one in trio.run(examples) if one.asked.is_list or one.asked.lists]
    if homeless := {author_of(one.page) for one in found}.difference(*_FOLDS):
        raise ValueError(f"no fold leaves out {', '.join(sorted(homeless))}")
    sure = _confidence([one for one in found if one.asked.is_list])
    _use(found)
    FITTED.list = tuple(sure)
    if options.write:
        _write()
        boosting.write(among=fitted().among, group=fitted().group)


def _confidence(found: Sequence[Example]) -> list[float]:
    """Return the weights of the confidence, fitted to pages of authors that the other weights have not seen."""
    # No list is held back for being unsure while it is found out how sure to be.
    FITTED.list = (_SURE, *(0.0 for _ in LIST_TRAITS))
    rows: list[tuple[solver.Row, float, float]] = []
    unseen: list[float] = []
    for left_out in _FOLDS:
        _use([one for one in found if author_of(one.page) not in left_out])
        for one in found:
            if author_of(one.page) in left_out:
                dice = random.Random(one.page)
                answers = [(_answer(one, kept, dice), weight) for kept, weight in _COPIES]
                rows += [(*answer, weight) for answer, weight in answers if answer]
                unseen.append(answers[0][0][1] if answers[0][0] else float(not leaves(one.data)))
    print(f"lists of unseen authors: mean F1 {statistics.mean(unseen):.4f}")
    return solver.likely(rows, (0,) * (1 + len(LIST_TRAITS)), decay=_DECAY, steps=_STEPS * 2)


def _answer(example: Example, kept: float, dice: random.Random) -> tuple[solver.Row, float] | None:
    """Return what tells the confidence of the best answer, with a part of the names left, and how right it is."""
    best: tuple[float, solver.Row, float] | None = None
    for gathered in example.gathered:
        outcome = extract(example.asked, PageData.of(poorer(gathered, kept, dice)), max_items=_MAX_ITEMS)
        if outcome.why_not is None:
            size = leaves(outcome.data) + leaves(example.data)
            right = 2 * agreement(example.data, outcome.data) / size if size else 1.0
            best = max(best or (-1.0, (), 0.0), (outcome.features[0], outcome.features, right))
    return best and best[1:]


def _use(found: Sequence[Example]) -> None:
    """Fit the weights and the trees of choices to examples, and let the extractor use them.

    Trees choose too well where they were grown. What is fitted to choices made with them, how sure these are and which
    group is meant, learns from pages that the trees have not seen.
    """
    FITTED.together = _together(found)
    dice = random.Random(3)
    wanted = [(weight, one) for example in found for kept, weight in _COPIES for one in listed(example, kept, dice)]
    cases = [case for weight, one in wanted for case in _cases(one, weight)]
    good = [case for case in cases if case.is_good]
    firsts = [case.matrix.options for case in good]
    FITTED.alone = tuple(solver.chosen(_choices(good, firsts), _FIRST, decay=_DECAY, steps=_STEPS))
    seconds = [case.matrix.related(case.matrix.first()) for case in good]
    FITTED.among = tuple(solver.chosen(_choices(good, seconds), _SECOND, decay=_DECAY, steps=_STEPS))
    unseen = [(fold, _series_trees(good, seconds, without=fold)) for fold in _FOLDS]
    judged: list[tuple[solver.Row, float, float]] = []
    for fold, grown in unseen:
        fitted().among = grown
        judged += [row for case in cases if author_of(case.page) in fold for row in _judged(case)]
    FITTED.sure = tuple(solver.likely(judged, (*_SECOND, 1), decay=_LIGHTLY, steps=_STEPS))
    sets: list[Choice] = []
    for fold, grown in unseen:
        fitted().among = grown
        ranked = (_ranked(one, weight) for weight, one in wanted if author_of(one.page) in fold)
        sets += [one for one in ranked if one]
    fitted().among = _series_trees(good, seconds, without=())
    FITTED.group = tuple(solver.best(sets, (0,) * (1 + len(match_groups.TRAITS)), decay=0.0, steps=_STEPS))
    better = [attrs.evolve(one, right=tuple(solver.preferred(one.right))) for one in sets]
    fitted().group = boosting.grown(better, FITTED.group, **_GROUP_TREES, must=True)


def _series_trees(
    cases: Sequence[_Case], seconds: Sequence[Sequence[Sequence[Option]]], *, without: Sequence[str]
) -> Forest:
    """Return trees for choices of series, grown on the pages of all but some authors."""
    kept = [at for at, case in enumerate(cases) if author_of(case.page) not in without]
    choices = _choices([cases[at] for at in kept], [seconds[at] for at in kept])
    return boosting.grown(choices, FITTED.among, **_SERIES_TREES)


def _together(found: Sequence[Example]) -> tuple[float, ...]:
    """Return for each sort and shape how much more often the values that are right have it than the others do."""
    width = len(value_shapes.SHAPES)
    rights, others = [[0.0] * width for _ in value_types.VALUE_TYPES], [[0.0] * width for _ in value_types.VALUE_TYPES]
    FITTED.together = (0.0,) * (width * len(value_types.VALUE_TYPES))
    dice = random.Random(3)
    for case in (case for example in found for one in listed(example, 1.0, dice) for case in _cases(one, 1.0)):
        if not case.is_good:
            continue
        for field, options, right in zip(case.matrix.fields, case.matrix.options, case.right, strict=True):
            most = max(right, default=0.0)
            if most < _LEAST_RIGHT:
                continue
            value_type = value_types.value_type_of(field)
            good = [place for (place, _), fit in zip(options, right, strict=True) if fit >= 0.9 * most]
            bad = [place for (place, _), fit in zip(options, right, strict=True) if fit < _LEAST_RIGHT * most]
            for place in good:
                rights[value_type][case.matrix.candidates[place].shape] += 1 / len(good)
            for place in bad:
                others[value_type][case.matrix.candidates[place].shape] += 1 / len(bad)
    return tuple(value for right, other in zip(rights, others, strict=True) for value in _ratios(right, other))


def _ratios(right: Sequence[float], other: Sequence[float]) -> list[float]:
    whole, rest = sum(right) + 1, sum(other) + 1
    even = 1 / len(right)
    ratios = [
        math.log((one + _EVEN * even) / (whole + _EVEN) / ((two + _EVEN * even) / (rest + _EVEN)))
        for one, two in zip(right, other, strict=True)
    ]
    return [round(max(-_MOST_SAID, min(_MOST_SAID, ratio)), 2) for ratio in ratios]


def _cases(one: Listed, weight: float) -> list[_Case]:
    has = [bool(told(field, one.data)) for field in one.fields]
    cases = []
    for places, part in ((one.good, 1.0), (one.wrong, _WRONG_WEIGHS)):
        for at in places:
            matrix, is_good = one.matrices[at], places is one.good
            right = [
                [alike(told(field, one.data), said(field, matrix.candidates[at].column)) * is_good for at, _ in options]
                for field, options in zip(matrix.fields, matrix.options, strict=True)
            ]
            share = weight * part / len(places) / len(one.fields)
            cases.append(_Case(one.page, matrix, right, [is_good and it for it in has], is_good, share))
    return cases


def _choices(cases: Sequence[_Case], options: Sequence[Sequence[Sequence[Option]]]) -> list[Choice]:
    choices = []
    for case, rows in zip(cases, options, strict=True):
        for row, right, has in zip(rows, case.right, case.has, strict=True):
            if row:
                most = max(right)
                fits = tuple((one if one > _LEAST_RIGHT else 0.0) + _NEVER for one in right)
                none = (1.0 if not has else 0.5 if most < _NOTHING_FITS else 0.0) + _NEVER
                choices.append(Choice(tuple(told for _, told in row), fits, none, case.weight))
    return choices


def _judged(case: _Case) -> list[tuple[solver.Row, float, float]]:
    """Return what is chosen in the end, and how right that is."""
    matrix = case.matrix
    chosen = matrix.second(matrix.first())
    rows: list[tuple[solver.Row, float, float]] = []
    for choice, row, right in zip(chosen, matrix.related(chosen), case.right, strict=True):
        for (place, found), fit in zip(row, right, strict=True):
            if choice is not None and place == choice[0]:
                rows.append(([*found, choice[1]], fit, case.weight))
    return rows


def _ranked(one: Listed, weight: float) -> Choice | None:
    made = match_groups.considered(one.matrices, one.topic)
    if not made or not one.data:  # Where there is nothing, all that is wrong is as good.
        return None
    rows = tuple(group_match.features for group_match in made)
    return Choice(rows, tuple(rightness(group_match, one.data) for group_match in made), 0.0, weight)


def _write() -> None:
    lines = _FILE.read_text().splitlines(keepends=True)
    start = next(at for at, line in enumerate(lines) if line.startswith("FITTED")) + 1
    end = next(at for at, line in enumerate(lines) if at > start and line.startswith(")"))
    text = "".join(_table(name, table) for name, table in attrs.asdict(FITTED, recurse=False).items())
    _FILE.write_text("".join(lines[:start]) + text + "".join(lines[end:]))


def _table(name: str, table: Sequence[float]) -> str:
    return f"    {name}=(\n{solver.written(table, ' ' * 8)}    ),\n"


if __name__ == "__main__":
    main()
