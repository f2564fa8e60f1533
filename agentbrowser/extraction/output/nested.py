"""Nested lists: the dishes of each course, the legs of each journey."""

import bisect
import operator
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

import attrs

from agentbrowser.extraction.columns.column import Column, Group
from agentbrowser.extraction.match.group_matches import ranked, rows_by_spot, without_excluded
from agentbrowser.extraction.match.match_matrix import GroupMatch, MatchMatrix
from agentbrowser.extraction.output.items import Cell, Items, items_of, put_at
from agentbrowser.extraction.schema.schema_fields import ListField

_TRIED: Final = 4
"""Number of outer matches to try."""
_WORTH: Final = 8.0
"""Greatest bonus of the inner lists for an outer match."""
_HOLDS: Final = 0.4
"""Least mean fit of a list that shows which items are the outer ones."""
_INSIDE: Final = 0.8


@attrs.frozen
class NestedList:
    """An inner list: its match, and the outer row that contains each of its rows."""

    listed: ListField
    group_match: GroupMatch
    owners: dict[int, int]

    @property
    def fit(self) -> float:
        """Return its mean fit, 0 to 1."""
        return sum(fit for _, _, fit in self.group_match.pairs) / len(self.group_match.pairs)


def nested(
    listed: Sequence[ListField], outer: Sequence[GroupMatch], groups: Sequence[Group]
) -> tuple[list[GroupMatch], list[NestedList]]:
    """Return the outer matches, the best with lists in its rows first, and those lists."""
    matrices = [
        [
            (group, MatchMatrix.of(field.fields, _bare(group)))
            for group in without_excluded(groups, field.topic)
            if field.fields and group.total
        ]
        for field in listed
    ]
    tried = [(group_match, _nests(listed, matrices, group_match)) for group_match in outer[:_TRIED]]
    best, nests = max(tried, key=lambda pair: _worth(pair[0], pair[1], len(listed)))
    return [best, *(group_match for group_match in outer if group_match is not best)], nests


def _worth(outer: GroupMatch, nests: Sequence[NestedList], count: int) -> tuple[bool, float]:
    """Return the worth of an outer match: one whose rows hold a requested list goes before all others."""
    holds = any(nest.fit >= _HOLDS and nest.owners for nest in nests)
    return holds, outer.score + _WORTH * sum(nest.fit for nest in nests) / count


def without_inner(groups: Sequence[Group]) -> list[Group]:
    """Return the groups without the columns of items inside their own: the texts of replies are not the comments'."""
    rows = [rows_by_spot(group.columns) for group in groups]
    firsts = [_firsts(places) for places in rows]
    return [
        _outermost(
            group, first, [places for other, places in zip(groups, rows, strict=True) if other.total > group.total]
        )
        for group, first in zip(groups, firsts, strict=True)
    ]


def _firsts(places: dict[int, int]) -> dict[int, int]:
    """Return the first element of each row."""
    return {row: spot for spot, row in sorted(places.items(), reverse=True) if spot >= 0}


def _outermost(group: Group, firsts: dict[int, int], wider: Sequence[dict[int, int]]) -> Group:
    for places in wider:
        own = {row: places[spot] for row, spot in firsts.items() if spot in places}
        if len(own) == len(firsts) == len(set(own.values())) and len(own) > 1:
            inner = [column for column in group.columns if _is_inner(column, own, places)]
            kept = [column for column in group.columns if column not in inner]
            return attrs.evolve(group, columns=kept, inner=inner) if inner and kept else group
    return group


def _is_inner(column: Column, own: dict[int, int], places: dict[int, int]) -> bool:
    """Return True if most values of a column are in another row of a wider group than their own."""
    cells = [(row, places[spot]) for row, spot in zip(column.rows, column.spots, strict=True) if spot in places]
    return bool(cells) and sum(own.get(row) != there for row, there in cells) * 2 > len(cells)


def _bare(group: Group) -> Group:
    """Return a group without the columns above its rows: these belong to the outer items."""
    return attrs.evolve(group, columns=[column for column in group.columns if not column.is_over])


def _nests(
    listed: Sequence[ListField], matrices: Sequence[Sequence[tuple[Group, MatchMatrix]]], outer: GroupMatch
) -> list[NestedList]:
    found = []
    spans = _Spans(outer.group)
    for field, options in zip(listed, matrices, strict=True):
        inside = [
            (matrix, owners)
            for group, matrix in options
            if not _is_same(group, outer.group) and (owners := spans.owners(group))
        ]
        # Of lists inside, those in most of the rows: the hours of all shops, not of the first.
        most = max([len(set(owners.values())) for _, owners in inside], default=0)
        inside = [(matrix, owners) for matrix, owners in inside if len(set(owners.values())) * 2 > most]
        best = next(iter(ranked([matrix for matrix, _ in inside], field.topic)), None)
        if best is not None:
            owners = next(owners for matrix, owners in inside if matrix.group is best.group)
            found.append(NestedList(field, best, _without_outer(owners, best, outer)))
    return found


def _is_same(one: Group, other: Group) -> bool:
    """Return True if two groups have the same items: these are not inside themselves."""
    if (one.kind, one.order, one.total) != (other.kind, other.order, other.total):
        return False
    spots = {spot for column in other.columns for spot in column.spots}
    return any(spot in spots for column in one.columns for spot in column.spots)


def _without_outer(owners: dict[int, int], inner: GroupMatch, outer: GroupMatch) -> dict[int, int]:
    """Return the owners of the inner rows without the outer items themselves: a comment is none of its replies."""
    own = {spot for _, column, _ in outer.paired if not column.is_many for spot in column.spots if spot >= 0}
    spots = [(row, spot) for _, column, _ in inner.paired for row, spot in zip(column.rows, column.spots, strict=True)]
    taken = {row for row, spot in spots if spot in own} - {row for row, spot in spots if spot not in own}
    return {row: owner for row, owner in owners.items() if row not in taken}


class _Spans:
    """Range of elements of each row of a group."""

    def __init__(self, group: Group) -> None:
        self.rows = rows_by_spot([*group.columns, *group.inner])
        spots: dict[int, list[int]] = {}
        for spot, row in self.rows.items():
            if spot >= 0:
                spots.setdefault(row, []).append(spot)
        self.starts = sorted((min(held), max(held), row) for row, held in spots.items())

    def owners(self, group: Group) -> dict[int, int]:
        """Return the row that contains each row of another group, or precedes it; empty if most are in none."""
        places = _firsts(rows_by_spot(group.columns))
        others = {row: spot for row, spot in places.items() if spot not in self.rows}
        over = {
            row: self.rows[spot]
            for column in group.columns
            if column.is_over
            for row, spot in zip(column.rows, column.spots, strict=True)
            if spot >= 0 and spot in self.rows
        }
        within = {row: owner for row, spot in places.items() if (owner := self._at(spot, is_inside=True)) is not None}
        after = {row: owner for row, spot in others.items() if (owner := self._at(spot, is_inside=False)) is not None}
        tried = ((within, False), (over, False), (after, True))
        return next((owners for owners, is_all in tried if self._are_inside(owners, group, is_all=is_all)), {})

    def _at(self, spot: int, *, is_inside: bool) -> int | None:
        place = bisect.bisect_right(self.starts, (spot, float("inf"), 0)) - 1
        if place < 0:
            return None
        _, end, row = self.starts[place]
        return row if spot <= end or not is_inside else None

    def _are_inside(self, owners: dict[int, int], group: Group, *, is_all: bool) -> bool:
        """Return True if most rows have an owner, and some owners several; with ``is_all``, most owners some."""
        counts = Counter(owners.values())
        has_several = max(counts.values(), default=0) > 1
        is_usual = not is_all or (len(counts) > 1 and len(counts) > _INSIDE * len(self.starts))
        return has_several and is_usual and len(owners) >= _INSIDE * group.total


def with_nested(items: Items, listed: Sequence[ListField], nests: Iterable[NestedList]) -> Items:
    """Return the items with their nested lists."""
    by_path = {nest.listed.path: nest for nest in nests}
    for field in listed:
        nest = by_path.get(field.path)
        items = _with(items, field, _held(nest) if nest else {})
    return items


_Held = dict[int, tuple[list[Any], list[Cell]]]


def _held(nest: NestedList) -> _Held:
    """Return the part of an inner list in each outer row, with the origins of its values."""
    whole = items_of(nest.group_match).whole
    held: _Held = {}
    for row, item in zip(whole.rows, whole.data, strict=True):
        if row in nest.owners:
            data, cells = held.setdefault(nest.owners[row], ([], []))
            here: tuple[str | int, ...] = (*nest.listed.path, len(data))
            cells += [((*here, *path), spot, text) for path, spot, text in whole.cells(row)]
            data.append(item)
    return held


def _with(items: Items, listed: ListField, held: _Held) -> Items:
    for row, item in zip(items.rows, items.data, strict=True):
        if row in held:
            put_at(item, listed.path, held[row][0])
    has = [row in held for row in items.rows]
    return attrs.evolve(
        items,
        counts=list(map(operator.add, items.counts, has)),
        are_whole=list(map(operator.and_, items.are_whole, has)) if listed.is_required else items.are_whole,
        inner={**items.inner, **{row: [*items.inner.get(row, ()), *cells] for row, (_, cells) in held.items()}},
    )
