"""Order of a page's texts and elements: what has moved since the client's last look, as a sorted table does."""

import itertools
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Final

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
    stays = longest_increasing(order)
    moved = [place for place in range(len(common)) if place not in stays]
    all_moved = {common[place] for place in moved}
    moved = [place for place in moved if holders.get(common[place]) not in all_moved]

    elements = {holder: str(ref) for ref, holder in reversed(holders.items())}

    def name(unit: Unit) -> str:
        """Return the first words of a text; of one that has only signs, such as stars, its first element."""
        if isinstance(unit, str):
            return unit
        head = _head(words.get(unit, ""))
        return quoted(head) if _has_words(head) or unit not in elements else elements[unit]

    def beside(place: int) -> str:
        """Return the new neighbour, if possible of its kind: the next list begins behind the last text of this one."""
        words_before = (unit for unit in reversed(common[:place]) if holders.get(unit) not in places)
        behind = next(words_before, None)
        ahead = next((common[other] for other in range(place + 1, len(common)) if other in stays), None)
        near = [("behind", behind), ("before", ahead)]
        near.sort(key=lambda pair: type(pair[1]) is not type(common[place]))
        return next((f"{word} {name(unit)}" for word, unit in near if unit is not None), "elsewhere")

    if len(moved) <= _MAX_MOVES:
        return f"~ moved: {', '.join(f'{name(common[place])} {beside(place)}' for place in moved)}"
    others = [place for place, (one, other) in enumerate(zip(order, sorted(order), strict=True)) if one != other]
    listed = [unit for unit in common[others[0] : others[-1] + 1] if unit not in holders or holders[unit] not in places]
    more = [f"… {len(listed) - _MAX_LISTED} more"] if len(listed) > _MAX_LISTED else []
    return f"~ order now: {', '.join([*map(name, listed[:_MAX_LISTED]), *more])}"


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
