"""Assignment of columns to fields with the greatest total score."""

from collections.abc import Sequence
from typing import Final

from agentbrowser.long_work import give_way

_INFINITY: Final = float("inf")


def best_assignment(scores: Sequence[Sequence[float]]) -> list[int]:
    """Return the column of each row in the assignment with the greatest total score.

    Args:
      scores: rows of equal length; there may be fewer or more columns than rows.

    Returns:
      A column for each row, -1 for a row without one.

    Source: the Hungarian method with potentials, O(rows² · columns) (Kuhn 1955, Jonker and Volgenant 1987).
    """
    if (chosen := assignment_without_rivals(scores)) is not None:
        return chosen
    rows = len(scores)
    width = len(scores[0]) if rows else 0
    columns = max(width, rows)
    cost = [[-value for value in row] + [0.0] * (columns - width) for row in scores]
    owner = _solve(cost, rows, columns)
    chosen = [-1] * rows
    for column in range(1, width + 1):
        if owner[column]:
            chosen[owner[column] - 1] = column - 1
    return chosen


def assignment_without_rivals(scores: Sequence[Sequence[float]]) -> list[int] | None:
    """Return the best column of each row; None if two rows have the same one."""
    most = [max(row, default=0.0) for row in scores]
    if any(best < 0 or (best > 0 and row.count(best) > 1) for row, best in zip(scores, most, strict=True)):
        return None
    chosen = [row.index(best) if best > 0 else -1 for row, best in zip(scores, most, strict=True)]
    taken = [column for column in chosen if column >= 0]
    return chosen if len(set(taken)) == len(taken) else None


def _solve(cost: list[list[float]], rows: int, columns: int) -> list[int]:
    """Return the row of each column, counted from 1; 0 for none."""
    by_row, by_column = [0.0] * (rows + 1), [0.0] * (columns + 1)
    owner, way = [0] * (columns + 1), [0] * (columns + 1)
    for row in range(1, rows + 1):
        owner[0] = row
        last = _extend(cost, columns, (by_row, by_column), owner, way)
        while last:
            owner[last] = owner[way[last]]
            last = way[last]
    return owner


def _extend(
    cost: list[list[float]],
    columns: int,
    potentials: tuple[list[float], list[float]],
    owner: list[int],
    way: list[int],
) -> int:
    """Grow a tree of cheapest steps from column 0 to a free column, and return that column."""
    by_row, by_column = potentials
    least, is_seen = [_INFINITY] * (columns + 1), [False] * (columns + 1)
    column = 0
    while True:
        give_way()
        is_seen[column] = True
        row, step, nearest = owner[column], _INFINITY, 0
        for other in range(1, columns + 1):
            if is_seen[other]:
                continue
            reduced = cost[row - 1][other - 1] - by_row[row] - by_column[other]
            if reduced < least[other]:
                least[other], way[other] = reduced, column
            if least[other] < step:
                step, nearest = least[other], other
        for other in range(columns + 1):
            if is_seen[other]:
                by_row[owner[other]] += step
                by_column[other] -= step
            else:
                least[other] -= step
        column = nearest
        if owner[column] == 0:
            return column
