"""Order of a page's texts and elements: what has moved since the client's last look, as a sorted table does."""

import itertools
from bisect import bisect_left
from collections.abc import Container, Mapping, Sequence
from typing import Final

import attrs

from agentbrowser.browser.observe.look.blocks import Block
from agentbrowser.browser.observe.look.lines import words_of
from agentbrowser.browser.observe.memory import BlockKey
from agentbrowser.browser.observe.text import quoted

Unit = BlockKey | str
"""A block of words, or the ref of an element."""

_MAX_MOVES: Final = 3
"""Number of moves that are shown one by one; of more, the new order is."""
_MAX_LISTED: Final = 20
_MAX_HEAD: Final = 40


def units_of(blocks: Sequence[Block]) -> list[Unit]:
    """Return the texts and elements of a look in reading order; a ref stands behind the words of its block."""
    return [unit for block in blocks for unit in ([block.key] if words_of(block.content) else []) + list(block.refs)]


def order_line(
    before: Sequence[Unit], blocks: Sequence[Block], earlier: Mapping[BlockKey, BlockKey], words: Mapping[BlockKey, str]
) -> str | None:
    """Return the line of what has moved; None if the order is as before.

    Args:
      before: the units of the last look.
      earlier: the keys that blocks had then, of those that were rendered again.
      words: the words of the blocks by their earlier keys.
    """
    holders: dict[Unit, Unit] = {}
    now = list[Unit]()
    for block in blocks:
        key: Unit = earlier.get(block.key, block.key)
        has_words = bool(words_of(block.content))
        now += [key] if has_words else []
        now += block.refs
        holders |= dict.fromkeys(block.refs, key) if has_words else {}
    places = {unit: place for place, unit in enumerate(before)}
    common = [unit for unit in now if unit in places]
    order = [places[unit] for unit in common]
    if all(one < other for one, other in itertools.pairwise(order)):
        return None
    both = _CommonUnits(common, longest_increasing(order), places.keys(), holders, words)
    moved = both.moved()
    if len(moved) <= _MAX_MOVES:
        return f"~ moved: {', '.join(f'{both.name(common[place])} {both.beside(place)}' for place in moved)}"
    others = [place for place, (one, other) in enumerate(zip(order, sorted(order), strict=True)) if one != other]
    listed = [unit for unit in common[others[0] : others[-1] + 1] if both.stands_alone(unit)]
    more = [f"… {len(listed) - _MAX_LISTED} more"] if len(listed) > _MAX_LISTED else []
    return f"~ order now: {', '.join([*map(both.name, listed[:_MAX_LISTED]), *more])}"


@attrs.frozen
class _CommonUnits:
    """Units that both looks have, and their names in the lines."""

    units: Sequence[Unit]
    """In their present order."""
    stays: Container[int]
    """Places of those that need not have moved."""
    known: Container[Unit | None]
    """Units of the last look."""
    holders: Mapping[Unit, Unit]
    """The text that each element stands behind."""
    words: Mapping[BlockKey, str]

    def moved(self) -> list[int]:
        """Return the places of those that have moved, without elements that have moved with their text."""
        moved = [place for place in range(len(self.units)) if place not in self.stays]
        moved_units = {self.units[place] for place in moved}
        return [place for place in moved if self.holders.get(self.units[place]) not in moved_units]

    def stands_alone(self, unit: Unit) -> bool:
        """Return True for a text, and for an element without a text that both looks have."""
        return self.holders.get(unit) not in self.known

    def name(self, unit: Unit) -> str:
        """Return the first words of a text; of one that has only signs, such as stars, its first element."""
        if isinstance(unit, str):
            return unit
        head = _head(self.words.get(unit, ""))
        element = next((ref for ref, holder in self.holders.items() if holder == unit), None)
        return quoted(head) if _has_words(head) or element is None else str(element)

    def beside(self, place: int) -> str:
        """Return the new neighbour, if possible of its kind: the next list begins behind the last text of this one."""
        behind = next(filter(self.stands_alone, reversed(self.units[:place])), None)
        ahead = next((self.units[other] for other in range(place + 1, len(self.units)) if other in self.stays), None)
        near = [("behind", behind), ("before", ahead)]
        near.sort(key=lambda pair: type(pair[1]) is not type(self.units[place]))
        return next((f"{word} {self.name(unit)}" for word, unit in near if unit is not None), "elsewhere")


def longest_increasing(order: Sequence[int]) -> set[int]:
    """Return the indexes of a longest increasing part: what need not have moved."""
    ends, at, links = list[int](), list[int](), list[int]()
    for index, place in enumerate(order):
        length = bisect_left(ends, place)
        links.append(at[length - 1] if length else -1)
        ends[length : length + 1] = [place]
        at[length : length + 1] = [index]
    kept, index = set[int](), at[-1] if at else -1
    while index >= 0:
        kept.add(index)
        index = links[index]
    return kept


def _head(words: str) -> str:
    parts = words.split(" | ")
    first = next(filter(_has_words, parts), parts[0])  # the sign of a handle stands first, and is that of each row
    return first if len(first) <= _MAX_HEAD else f"{first[: _MAX_HEAD - 1]}…"


def _has_words(text: str) -> bool:
    return any(map(str.isalnum, text))
