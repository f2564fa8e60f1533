"""Lists: which of the repeated things on a page are meant, which of their values are which, and the items."""

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import attrs

from agentbrowser.browser.extraction.assignment import pair
from agentbrowser.browser.extraction.candidates import Group, Series
from agentbrowser.browser.extraction.fit import looks, named, worth
from agentbrowser.browser.extraction.typed import Reader
from agentbrowser.browser.extraction.wishes import Wish
from agentbrowser.browser.extraction.words import Words, likeness, plain, words

LEAST: Final = 0.14
_TRIED: Final = 8
_WIDER: Final = 0.15
_CALLED: Final = 0.5
_MAX_COLUMNS: Final = 60
_MOSTLY: Final = 0.3
_NEARLY: Final = 0.8
_LONG: Final = 400
_TOTALS: Final = frozenset(("total", "subtotal", "tax", "shipping"))


@attrs.frozen
class Origin:
    """Where a value is from: the element by its number, and what was read there."""

    path: tuple[str | int, ...]
    spot: int
    text: str


@attrs.frozen
class Item:
    """One thing of a list."""

    row: int
    data: Any
    origins: tuple[Origin, ...]
    is_whole: bool
    """Whether it has every required value."""


@attrs.frozen
class Plan:
    """A group with the series that each wish gets from it."""

    group: Group
    pairs: tuple[tuple[Wish, Series | None, float], ...]
    score: float

    @property
    def paired(self) -> list[tuple[Wish, Series, float]]:
        """The pairs with a series."""
        return [(wish, series, fit) for wish, series, fit in self.pairs if series is not None]


def plans(wishes: Sequence[Wish], groups: Sequence[Group], about: Words, *, is_table: bool = False) -> list[Plan]:
    """Return how the groups would serve the wishes, the best first."""
    made = [plan(wishes, group, about, is_table=is_table) for group in groups if group.total > 0]
    ranked = sorted((one for one in made if one.paired), key=lambda one: -one.score)
    return _widened(ranked, about)


def _widened(ranked: list[Plan], about: Words) -> list[Plan]:
    """Put a group first that has all that the best one has and more, unless the best is what is called as asked."""
    if not ranked:
        return ranked
    best = ranked[0]
    for other in ranked[1:_TRIED]:
        is_near = other.score > best.score - _WIDER and context_fit(best.group, about) < _CALLED
        if is_near and _things(other) > _things(best) and _covers(other, best):
            best = other
    return [best, *(one for one in ranked if one is not best)]


def _things(plan_: Plan) -> int:
    """Return how many rows have most of the values."""
    rows = Counter(row for _, series, _ in plan_.paired for row in set(series.rows))
    return sum(count * 2 > len(plan_.paired) for count in rows.values())


def _covers(wide: Plan, narrow: Plan) -> bool:
    """Tell whether every value of one plan is in the other, for the same wish."""
    for (_, one, _), (_, other, _) in zip(wide.pairs, narrow.pairs, strict=True):
        if other is not None and (one is None or not _reaches(one, other)):
            return False
    return True


def _reaches(wide: Series, narrow: Series) -> bool:
    is_alike = wide.kind == narrow.kind and wide.is_many == narrow.is_many and wide.filled > narrow.filled / 2
    return is_alike and set(narrow.spots) <= set(wide.spots)


def plan(wishes: Sequence[Wish], group: Group, about: Words, *, is_table: bool = False) -> Plan:
    """Return the best pairing of the wishes with the series of one group."""
    series = [one for one in group.series[: _MAX_COLUMNS * 2] if one.rows][:_MAX_COLUMNS]
    table = [[_worth(wish, one) for one in series] for wish in wishes]
    chosen = pair([[max(0.0, value) for value in row] for row in table]) if series else [-1] * len(wishes)
    taken = [column if column >= 0 and row[column] >= LEAST else -1 for column, row in zip(chosen, table, strict=True)]
    fits = [row[column] if column >= 0 else 0.0 for column, row in zip(taken, table, strict=True)]
    eliminate(wishes, series, taken, fits)
    pairs = [
        (wish, series[column] if column >= 0 else None, fit)
        for wish, column, fit in zip(wishes, taken, fits, strict=True)
    ]
    return Plan(group, tuple(pairs), _score(pairs, group, about, is_table=is_table))


def eliminate(wishes: Sequence[Wish], series: Sequence[Series], taken: list[int], fits: list[float]) -> None:
    """Give the wishes that nothing was called like what is left over, in the order of both."""
    _eliminate_many(wishes, series, taken, fits)
    left = [place for place, column in enumerate(taken) if column < 0 and not wishes[place].is_many]
    if not left:
        return
    free = [column for column, one in enumerate(series) if column not in taken and _is_free(one, series, taken)]
    is_settled = sum(column >= 0 for column in taken) * 3 >= len(taken)
    if not free or not (is_settled or len(free) == len(left) > 1) or len(free) > 4 * len(left) + 4:
        return
    worths = [[_left_worth(place, column, wishes, series, taken) for column in free] for place in left]
    for place, choice in zip(left, pair(worths), strict=True):
        if choice >= 0 and worths[left.index(place)][choice] > 0:
            taken[place], fits[place] = free[choice], worths[left.index(place)][choice]


def _eliminate_many(wishes: Sequence[Wish], series: Sequence[Series], taken: list[int], fits: list[float]) -> None:
    left = [place for place, column in enumerate(taken) if column < 0 and wishes[place].is_many]
    free = [
        column
        for column, one in enumerate(series)
        if one.is_many and one.kind == "text" and column not in taken and len(one.texts) > len(set(one.rows))
    ]
    if len(left) == 1 and free and len(wishes) > 1:
        taken[left[0]] = max(free, key=lambda column: len(set(series[column].texts)))
        fits[left[0]] = LEAST + 0.06


def _is_free(one: Series, series: Sequence[Series], taken: Sequence[int]) -> bool:
    """Tell whether a series may be something that nobody has named."""
    if (
        one.kind not in ("text", "whole", "own", "part", "json", "class")
        or one.is_many
        or one.is_crowded
        or one.is_composite
    ):
        return False
    if one.filled < _MOSTLY or one.is_label or len(one.texts[0]) > _LONG:
        return False
    if one.profile.distinct * min(len(one.texts), 24) <= 1 and len(one.rows) > 1:
        return False
    others = [series[column] for column in taken if column >= 0]
    return not any(_overlap(one, other) for other in others)


def _overlap(one: Series, other: Series) -> bool:
    return one.rows[0] == other.rows[0] and (one.texts[0] in other.texts[0] or other.texts[0] in one.texts[0])


def _left_worth(
    place: int, column: int, wishes: Sequence[Wish], series: Sequence[Series], taken: Sequence[int]
) -> float:
    wish, one = wishes[place], series[column]
    look = looks(wish, one)
    if look < -0.2 or _is_named_otherwise(one):
        return 0.0
    settled = [(other, where) for other, where in enumerate(taken) if where >= 0]
    agree = sum((other < place) == (series[where].order < one.order) for other, where in settled)
    order = agree / len(settled) if settled else 0.5
    return max(0.0, 0.12 + 0.2 * look + 0.12 * order + 0.2 * named(wish, one))


def _is_named_otherwise(one: Series) -> bool:
    """Tell whether the page says plainly what it is, in words that are known, and that is something else."""
    return any(trust >= 0.95 and any(word.concepts for word in said.all) for said, trust in one.evidence)


def _worth(wish: Wish, series: Series) -> float:
    fit = worth(wish, series)
    if series.total > 2 and series.profile.distinct * len(series.texts) <= 1 and len(series.rows) > 2 and fit > 0:
        said = plain(series.texts[0])
        is_label = wish.type == "string" and likeness(wish.name, words(said)) > 0.8
        return fit - (0.5 if is_label else 0.3 if named(wish, series) < 0.7 and looks(wish, series) < 0.9 else 0.05)
    return fit


def _score(pairs: Sequence[tuple[Wish, Series | None, float]], group: Group, about: Words, *, is_table: bool) -> float:
    weights = [1.5 if wish.is_required else 1.0 for wish, _, _ in pairs]
    parts = [fit * (0.5 + 0.5 * series.filled) if series else 0.0 for _, series, fit in pairs]
    fits = sum(weight * fit for weight, fit in zip(weights, parts, strict=True)) / sum(weights)
    missing = sum(weight for weight, (_, series, _) in zip(weights, pairs, strict=True) if series is None)
    score = fits - 0.15 * missing / sum(weights)
    rows = statistics.mean([len(set(series.rows)) for _, series, _ in pairs if series is not None] or [0])
    score += 0.045 * min(6.0, math.log2(rows)) if rows > 1 else 0.0
    score += 0.3 * context_fit(group, about)
    if is_table and group.kind in ("table", "sideways"):
        score += 0.1
    if group.kind in ("json", "rows"):
        score -= 0.08
    return score


def line(wish: Wish, group: Group) -> Plan | None:
    """Return a plan that takes the main text of each thing, for a list of plain values."""
    texts = [
        one for one in group.series if one.kind in ("text", "json", "own") and not one.is_many and not one.is_composite
    ]
    main = max(
        (one for one in texts if one.filled > _NEARLY), key=lambda one: (worth(wish, one), -one.order), default=None
    )
    if main is None or worth(wish, main) <= -0.3:
        return None
    fit = max(0.0, worth(wish, main))
    return Plan(group, ((wish, main, fit),), fit)


def context_fit(group: Group, about: Words) -> float:
    """Return how well what stands over a group is what is asked for, 0 to 1."""
    return max((trust * likeness(about, said) for said, trust in group.about), default=0.0)


def items(plan_: Plan) -> list[Item]:
    """Return the items of a plan, typed; rows that hold hardly anything are left out."""
    readers = [(wish, series, Reader(wish, series)) for wish, series, _ in plan_.paired]
    values: dict[int, dict[int, list[tuple[Any, Origin]]]] = {}
    for place, (wish, series, reader) in enumerate(readers):
        for row, text, spot in zip(series.rows, series.texts, series.spots, strict=True):
            if (value := reader.read(text)) is not None:
                values.setdefault(row, {}).setdefault(place, []).append((value, Origin(wish.path, spot, text)))
    _fill_absent(plan_, readers, values)
    wishes = [wish for wish, _, _ in plan_.pairs]
    made = [_item(row, values[row], [wish for wish, _, _ in readers], wishes) for row in sorted(values)]
    return _without_strays(made, [len(values[item.row]) for item in made], plan_)


def _fill_absent(plan_: Plan, readers: Sequence[Any], values: dict[int, dict[int, list[tuple[Any, Origin]]]]) -> None:
    """Take a mark that some rows have, and others not, for yes and no."""
    for place, (wish, series, _) in enumerate(readers):
        if wish.type != "boolean" or series.kind == "checked" or len(series.rows) == series.total:
            continue
        said = {value for row in values.values() for value, _ in row.get(place, [])}
        if len(said) == 1:
            for row in values.values():
                row.setdefault(place, [(not next(iter(said)), Origin(wish.path, -1, ""))])


def _item(row: int, found: dict[int, list[tuple[Any, Origin]]], paired: Sequence[Wish], wishes: Sequence[Wish]) -> Item:
    data: Any = {}
    origins: list[Origin] = []
    for place, wish in enumerate(paired):
        if place not in found:
            continue
        given = found[place]
        if wish.is_many:
            _put(data, wish.path, [value for value, _ in given])
            origins += [attrs.evolve(origin, path=(*wish.path, at)) for at, (_, origin) in enumerate(given)]
        elif not wish.path:
            data, origins = given[0][0], [given[0][1]]
        else:
            _put(data, wish.path, given[0][0])
            origins.append(given[0][1])
    have = {wish.path for place, wish in enumerate(paired) if place in found}
    is_whole = all(wish.path in have for wish in wishes if wish.is_required)
    return Item(row, data, tuple(origin for origin in origins if origin.spot >= 0), is_whole)


def _put(data: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    for step in path[:-1]:
        data = data.setdefault(step, {})
    data[path[-1]] = value


def _without_strays(made: list[Item], counts: list[int], plan_: Plan) -> list[Item]:
    if len(made) < 3:
        return made
    usual = statistics.median(counts)
    least = usual * 0.4 if len(plan_.pairs) > 2 else 0
    return [
        item for item, count in zip(made, counts, strict=True) if count >= least and not _is_total(item, count, usual)
    ]


def _is_total(item: Item, count: int, usual: float) -> bool:
    if count >= usual or not item.origins:
        return False
    first = words(item.origins[0].text)
    return bool(first.all) and len(first.all) <= 3 and all(word.concepts & _TOTALS for word in first.all)
