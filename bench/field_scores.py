"""Scores of an answer by field: the values that are right, given and expected, at each path of the schema."""

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import attrs

_NEAR: Final = 1e-9


def leaves(data: Any) -> int:
    """Return how many values there are."""
    if isinstance(data, dict):
        return sum(map(leaves, data.values()))
    if isinstance(data, list):
        return sum(map(leaves, data))
    return data is not None


def agreement(wanted: Any, got: Any) -> int:
    """Return how many values are the same at the same place."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        return sum(agreement(value, got[key]) for key, value in wanted.items() if key in got)
    if isinstance(wanted, list) and isinstance(got, list):
        return _aligned(wanted, got)
    return int(wanted is not None and _is_same(wanted, got))


def aligned(wanted: list[Any], got: list[Any]) -> list[tuple[Any, Any]]:
    """Return the pairs of items, in order, in which as many values as possible agree."""
    table = [[0] * (len(got) + 1) for _ in range(len(wanted) + 1)]
    for row, one in enumerate(wanted, 1):
        for place, other in enumerate(got, 1):
            both = table[row - 1][place - 1] + agreement(one, other)
            table[row][place] = max(table[row - 1][place], table[row][place - 1], both)
    pairs = []
    row, place = len(wanted), len(got)
    while row and place:
        if table[row][place] == table[row - 1][place]:
            row -= 1
        elif table[row][place] == table[row][place - 1]:
            place -= 1
        else:
            pairs.append((wanted[row - 1], got[place - 1]))
            row, place = row - 1, place - 1
    return pairs[::-1]


def _aligned(wanted: list[Any], got: list[Any]) -> int:
    above = [0] * (len(got) + 1)
    for one in wanted:
        row = [0]
        for place, other in enumerate(got):
            row.append(max(above[place + 1], row[place], above[place] + agreement(one, other)))
        above = row
    return above[-1]


def _is_same(wanted: Any, got: Any) -> bool:
    if isinstance(wanted, bool) or isinstance(got, bool):
        return wanted is got
    if isinstance(wanted, int | float) and isinstance(got, int | float):
        return math.isclose(wanted, got, rel_tol=0, abs_tol=_NEAR)
    if isinstance(wanted, str) and isinstance(got, str):
        return " ".join(wanted.split()) == " ".join(got.split())
    return False


@attrs.define
class FieldScore:
    """Number of values of one field in one answer."""

    right: int = 0
    found: int = 0
    expected: int = 0

    @property
    def share(self) -> float:
        """The F1 of the values."""
        size = self.found + self.expected
        return 2 * self.right / size if size else 1.0


def field_scores(wanted: Any, got: Any) -> dict[tuple[str, ...], FieldScore]:
    """Return the scores of the fields that an answer has or should have."""
    scores: dict[tuple[str, ...], FieldScore] = {}
    found, expected = (Counter(dict(_counts(data))) for data in (got, wanted))
    for path in {*found, *expected}:
        scores[path] = FieldScore(found=found[path], expected=expected[path])
    for path, right in _right(wanted, got, ()):
        scores[path].right += right
    return scores


def _counts(data: Any) -> Iterator[tuple[tuple[str, ...], int]]:
    counts: Counter[tuple[str, ...]] = Counter()
    _count(data, (), counts)
    yield from counts.items()


def _count(data: Any, path: tuple[str, ...], counts: Counter[tuple[str, ...]]) -> None:
    if isinstance(data, dict):
        for key, value in data.items():
            _count(value, (*path, key), counts)
    elif isinstance(data, list):
        for value in data:
            _count(value, path, counts)
    elif data is not None:
        counts[path] += 1


def _right(wanted: Any, got: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], int]]:
    if isinstance(wanted, dict) and isinstance(got, dict):
        for key in wanted.keys() & got.keys():
            yield from _right(wanted[key], got[key], (*path, key))
    elif isinstance(wanted, list) and isinstance(got, list):
        for one, other in aligned(wanted, got):
            yield from _right(one, other, path)
    elif leaves(wanted) and agreement(wanted, got):
        yield path, 1


def absent_fields(schema: dict[str, Any], wanted: Any) -> list[tuple[str, ...]]:
    """Return the paths of the fields of a schema that the right answer has no value for."""
    present = set(field_scores(wanted, None))
    return [path for path in _paths(schema, ()) if path not in present]


def _paths(schema: dict[str, Any], path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if schema.get("type") == "array":
        yield from _paths(schema.get("items") or {}, path)
    elif schema.get("properties"):
        for name, inner in schema["properties"].items():
            yield from _paths(inner, (*path, name))
    else:
        yield path
