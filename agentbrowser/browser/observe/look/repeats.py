"""Repeated lines of a look: on a page that was loaded again, as after a form, or on another one of its site.

They are left out::

    page "Users" https://shop.example/users
    alert "Ada has been saved."
    ... 24 lines as before
    | "Ada | Editor" @edit4 link "Edit"
    ... 31 lines as before
    gone
    | "Eve | Author" @edit9 link "Edit"
"""

import itertools
import re
from collections import defaultdict, deque
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import attrs

from agentbrowser.browser.observe.look.blocks import Block
from agentbrowser.browser.observe.look.lines import in_order, line_of, lines_of
from agentbrowser.browser.observe.look.order import longest_increasing
from agentbrowser.browser.observe.memory import Delivery
from agentbrowser.protocol.types.element import InteractiveElement

if TYPE_CHECKING:
    from agentbrowser.methods.agent_observe import ObserveParams

_STATE: Final = re.compile(r'@\S+|\bvalue="(?:[^"\\]|\\.)*"|\([a-z, -]+\)| ')
"""Refs, values and states of elements: a line in which only these have changed is not gone."""
_MOST_PARTS: Final = 1000
"""Number of texts and elements up to which a look is remembered: its lines are made again on the loop."""
_LEAST_SHARE: Final = 0.5
"""Share of the characters that must be repeated: else the page is taken for another one."""
_LEAST_CHARS: Final = 400
"""Number of characters that must be saved: else the page is shown whole."""
_SHORT: Final = 40
"""Number of characters up to which lines are shown again."""
_SHORT_ELSEWHERE: Final = 200
"""The same on another page of the site, of which mostly the navigation is repeated."""
_MOST_GONE: Final = 5
"""Number of lines that are shown of those that are gone."""
_LONGEST_GONE: Final = 120
"""Number of characters of such a line; longer ones are counted."""


@attrs.frozen(eq=False)
class KnownLook:
    """Texts and elements that a client has seen of a page."""

    url: str = ""
    """Empty where nothing is known to be as it was seen."""
    blocks: Sequence[Block] = ()
    elements: Mapping[str, InteractiveElement] = attrs.field(factory=dict)
    is_elsewhere: bool = False
    """True if the page of the next look is another one."""

    def after(self, look: "KnownLook", delivered: Delivery) -> "KnownLook":
        """Return what the client has seen after a look of which a part was delivered; nothing if it had no words."""
        missing = set(delivered.left_out)
        blocks = [one for one in look.blocks if one.key in delivered.words and missing.isdisjoint(one.refs)]
        elements = look.elements
        if delivered.is_continued:
            blocks, elements = [*self.blocks, *blocks], {**self.elements, **elements}
        is_short = sum(len(one.content.parts) for one in blocks) <= _MOST_PARTS
        return KnownLook(look.url, blocks, elements) if is_short else KnownLook()

    def known_at(self, url: str, params: "ObserveParams") -> "KnownLook | None":
        """Return what is known of the next page, which may differ in its query; None if a look is to show it whole."""
        here, there = urlsplit(self.url), urlsplit(url)
        if not params.is_diff or params.refresh_refs or params.format != "text" or here[:2] != there[:2]:
            return None
        return attrs.evolve(self, is_elsewhere=here.path != there.path)

    def without_repeats(
        self, lines: Sequence[str], unique: Collection[str], frames: Mapping[str, str]
    ) -> list[str] | None:
        """Return the lines of a look without those that were seen; None if too little would be saved.

        Args:
          unique: refs of the elements that need no context.
          frames: labels of the frames, by their ids.
        """
        before = lines_of(
            in_order(self.blocks), lambda block: line_of(block.content, self.elements, unique), [], frames
        )
        return without_repeats(lines, before, is_elsewhere=self.is_elsewhere)


def without_repeats(lines: Sequence[str], before: Sequence[str], *, is_elsewhere: bool = False) -> list[str] | None:
    """Return lines without those that were there before, in that order; then those that are gone.

    None if too little would be saved.

    Args:
      is_elsewhere: whether this is another page, which does not show what is gone.
    """
    places = defaultdict[str, deque[int]](deque)
    for place, line in enumerate(before):
        places[line].append(place)
    found = [(index, places[line].popleft()) for index, line in enumerate(lines) if places[line]]
    stays = longest_increasing([place for _, place in found])
    same = {found[index][0] for index in stays}
    is_elsewhere |= sum(len(lines[index]) for index in same) < _LEAST_SHARE * sum(map(len, lines))
    made, saved = list[str](), 0
    for is_same, run in itertools.groupby(range(len(lines)), same.__contains__):
        there = [lines[index] for index in run]
        size = sum(map(len, there))
        if is_same and size > (_SHORT_ELSEWHERE if is_elsewhere else _SHORT):
            there, saved = [f"... {len(there)} line{'s' if len(there) > 1 else ''} as before"], saved + size
        made += there
    if saved < _LEAST_CHARS:
        return None
    return made if is_elsewhere else [*made, *_gone(lines, [line for line in before if places[line]])]


def _gone(lines: Sequence[str], lost: Sequence[str]) -> list[str]:
    there = {_STATE.sub("", line) for line in lines}
    gone = [line for line in dict.fromkeys(lost) if _STATE.sub("", line) not in there]
    shown = [line for line in gone if len(line) <= _LONGEST_GONE][:_MOST_GONE]
    more = len(gone) - len(shown)
    counted = [f"... {more} more line{'s' if more > 1 else ''}"] if more else []
    return ["gone", *shown, *counted] if gone else []
