"""Where the badge of a mark goes: close to its element, on the image, and on no other badge where there is room."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final, NamedTuple

import attrs

_CELL: Final = 32
"""The side of a square of the grid in which what lies near is found."""
_LARGE: Final = 4
"""How many badges high an element is that has room for its badge within."""
_TINY: Final = 3
"""How many badges high an element may be to be worth keeping clear."""
_STEPS: Final = 32
"""What part of a badge may hide something before the next place, further from where one looks for it, is better."""
_UNPLACED: Final = 1 << 60
"""More pixels than any image has."""


class Rect(NamedTuple):
    """Pixels of an image; right and bottom are the first that are not in it."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def height(self) -> int:
        """How many rows it has."""
        return self.bottom - self.top

    def overlap(self, other: "Rect") -> int:
        """Return how many pixels the two have in common."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return width * height if width > 0 and height > 0 else 0

    def within(self, width: int, height: int) -> "Rect":
        """Return the part that is on an image of that size; it may be empty."""
        return Rect(max(0, self.left), max(0, self.top), min(width, self.right), min(height, self.bottom))

    def grown(self, by: int) -> "Rect":
        """Return it with so many more pixels at each side."""
        return Rect(self.left - by, self.top - by, self.right + by, self.bottom + by)


NOWHERE: Final = Rect(0, 0, 0, 0)


@attrs.define(eq=False)
class _Grid:
    """Rectangles, found by the squares of a grid that they touch."""

    _cells: dict[tuple[int, int], list[Rect]] = attrs.field(factory=lambda: defaultdict(list))

    def add(self, rect: Rect) -> None:
        for cell in _touched(rect):
            self._cells[cell].append(rect)

    def overlap(self, rect: Rect) -> int:
        """Return how many pixels of a rectangle are taken, those that are taken twice counted twice."""
        left, top, right, bottom = rect
        near = {other for cell in _touched(rect) for other in self._cells.get(cell, ())}
        return sum(
            (min(right, other[2]) - max(left, other[0])) * (min(bottom, other[3]) - max(top, other[1]))
            for other in near
            if other[0] < right and left < other[2] and other[1] < bottom and top < other[3]
        )


def _touched(rect: Rect) -> Iterable[tuple[int, int]]:
    columns = range(rect.left // _CELL, -(-rect.right // _CELL))
    rows = range(rect.top // _CELL, -(-rect.bottom // _CELL))
    return ((column, row) for column in columns for row in rows)


def place(boxes: list[Rect], sizes: list[tuple[int, int]], canvas: tuple[int, int]) -> list[Rect]:
    """Return where the badges of these boxes go, each of its size, one after the other.

    A badge goes to the first place that hides no other badge and next to nothing of a small element; if there is
    none, to the one that hides least, badges first.
    """
    badges, small = _Grid(), _Grid()
    kept = [box if box.height < _TINY * height else NOWHERE for box, (_, height) in zip(boxes, sizes, strict=True)]
    for box in kept:
        small.add(box)
    placed = []
    for box, own, size in zip(boxes, kept, sizes, strict=True):
        badge = _best(_places(box, size, canvas), own, badges, small)
        badges.add(badge)
        placed.append(badge)
    return placed


def _best(places: Iterable[Rect], own: Rect, badges: _Grid, small: _Grid) -> Rect:
    best, least = NOWHERE, (_UNPLACED, 0)
    for rank, rect in enumerate(places):
        step = (rect.right - rect.left) * rect.height // _STEPS
        if least <= (0, rank * step):
            break
        over = badges.overlap(rect)
        if over > least[0]:
            continue
        # Where all is full, a badge had better hide its own element than one that it does not belong to.
        cost = over, rank * step + small.overlap(rect) - own.overlap(rect) // 2
        if cost < least:
            best, least = rect, cost
    return best


def _places(box: Rect, size: tuple[int, int], canvas: tuple[int, int]) -> Iterable[Rect]:
    """Yield the places at the corners and sides of a box, the best first: inside where that is large, else outside."""
    width, height = size
    left, top, right, bottom = box.left, box.top, box.right - width, box.bottom - height
    center, middle = (left + right) // 2, (top + bottom) // 2
    inside = [(left, top), (right, top), (left, bottom), (right, bottom), (center, top), (center, bottom)]
    above, below = box.top - height, box.bottom
    before, behind = box.left - width, box.right
    outside = [(left, above), (before, top), (right, above), (behind, top), (left, below), (right, below)]
    outside += [(before, middle), (behind, middle), (center, above), (center, below)]
    outside += [(before, above), (behind, above), (before, below), (behind, below)]
    is_large = box.height >= _LARGE * height
    ordered = inside + outside if is_large else outside + inside
    return (_on(canvas, at, size) for at in ordered)


def _on(canvas: tuple[int, int], at: tuple[int, int], size: tuple[int, int]) -> Rect:
    """Return a rectangle moved as far as it takes to be on the image."""
    left = max(0, min(at[0], canvas[0] - size[0]))
    top = max(0, min(at[1], canvas[1] - size[1]))
    return Rect(left, top, left + size[0], top + size[1])
