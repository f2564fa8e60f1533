"""Incremental observations: what has changed since the client's last look.

In text, each change is a line::

    changes
    + alert "Wrong password."
    + alert "Wrong password." again
    + "All changes saved" again
    ~ "3 items | $20" → "4 items | $25"
    ~ moved: @cheapest before @newest
    ~ @search value "" → "shoes"
    + @clear button "Clear"
    - @hint link "How to search"
    - @row7 @row8 and 24 more texts
    + back as before: @name @email and 23 more elements
    ... 3 more changes; look again
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs

from agentbrowser.browser.observe import text
from agentbrowser.browser.observe.budget import tokens_of
from agentbrowser.browser.observe.look.blocks import NEW_LIVE, Block
from agentbrowser.browser.observe.look.change_folds import folded
from agentbrowser.browser.observe.look.document import max_tokens
from agentbrowser.browser.observe.look.lines import line_of, mark_of, words_of
from agentbrowser.browser.observe.look.order import order_line
from agentbrowser.browser.observe.memory import BlockKey, Delivery, Gone, PageMemory
from agentbrowser.browser.observe.token_count import estimate
from agentbrowser.protocol import wire
from agentbrowser.protocol.codec import unstructure
from agentbrowser.protocol.types.element import (
    AgentObserveResult,
    Changes,
    InteractiveElement,
    ObserveMetadata,
    SeenState,
    WordsChange,
)
from agentbrowser.protocol.types.observe import AccessibilityResult

if TYPE_CHECKING:
    from agentbrowser.methods.agent_observe import ObserveParams

_STATES: Final = tuple(field.name for field in attrs.fields(SeenState) if field.name not in ("ref", "role", "name"))
_MAX_NAME: Final = 80
_MIN_CUT: Final = 40
"""Number of unchanged characters that are worth leaving out."""
_MAX_CONTEXT: Final = 60
"""Number of characters of an unchanged sentence or cell that are kept around what changed in it."""
_BOUNDARY: Final = re.compile(r" \| |[.!?…;:] ")
_REPEATED_KINDS: Final = ("alert", "status")
"""Kinds of live regions in which the same message, shown again, is a change."""
_LISTED_KINDS: Final = ("row", "item")
_MAX_HEAD: Final = 40
_UPDATED, _ADDED, _REMOVED_WORDS, _REMOVED = 2.5, 4.5, 8.0, 8.5
"""Ranks of changes of elements among the ranks of blocks; see ``scripts/observe/look/blocks.js``."""


@attrs.frozen(kw_only=True, eq=False)
class Change:
    """One change. Those of the least rank come first within a token budget."""

    rank: float
    line: str
    added: Sequence[InteractiveElement] = ()
    updated: InteractiveElement | None = None
    removed: str | None = None
    before: SeenState | None = None
    words: WordsChange | None = None
    key: BlockKey | None = None
    """The block whose words it reports."""
    block: BlockKey | None = None
    """The block that its element is in."""
    is_renamed: bool = False
    """True if only the name of its element is another one."""
    is_back: bool = False
    """True for what had left the page, and is again as it was."""
    frame_id: str | None = None

    @property
    def refs(self) -> set[str]:
        """Return the refs of the elements that it reports."""
        known = {element.ref for element in self.added}
        return known | {self.before.ref} if self.before else known


@attrs.frozen(kw_only=True)
class Diff:
    """Changes of a page since the client's last look, before they are cut to the token budget."""

    metadata: ObserveMetadata | None
    seen_metadata: ObserveMetadata | None
    """Metadata that the client has seen last."""
    accessibility: AccessibilityResult | None = None
    new_frames: Mapping[str, str] = attrs.field(factory=dict)
    """Labels of frames whose document the client has not seen, by their ids."""
    changes: Sequence[Change] = ()
    words: Mapping[BlockKey, str] = attrs.field(factory=dict)
    """Words of all blocks that were compared."""
    later: int = 0
    """Number of changes that the scripts have left to the next look."""
    focus: SeenState | None = None
    """The focused element, if the client has seen another one, or none, as focused."""

    def with_accessibility(self, tree: AccessibilityResult) -> "Diff":
        """Return the changes with the accessibility tree."""
        return attrs.evolve(self, accessibility=tree)

    def within_budget(self, params: "ObserveParams") -> tuple[AgentObserveResult, Delivery]:
        """Return the result within the token budget, and what of the changes is in it.

        It contains at least one change, however small the budget is.
        """
        form = {"json": self._as_json, "text": self._as_text, "both": self._as_both}[params.format]
        kept, limit = list(self.changes), max_tokens(params)
        while len(kept) > 1 and limit is not None:
            excess = tokens_of(form(kept)) - limit
            if excess <= 0:
                break
            kept = _without(kept, excess, is_text=params.is_text)
        chosen = set(map(id, kept))
        dropped = [change for change in self.changes if id(change) not in chosen]
        dropped_keys = {change.key for change in dropped if change.key}
        return form(kept), Delivery(
            left_out={ref for change in dropped for ref in change.refs},
            words={key: words for key, words in self.words.items() if key not in dropped_keys},
            kept_blocks=dropped_keys,
        )

    def _as_json(self, kept: Sequence[Change]) -> AgentObserveResult:
        changes = Changes(
            added=[element for change in kept for element in change.added],
            updated=[change.updated for change in kept if change.updated],
            removed=[change.removed for change in kept if change.removed],
            before=[change.before for change in kept if change.before] or None,
            words=[change.words for change in kept if change.words] or None,
            remaining=self._remaining(kept) or None,
        )
        is_same = text.is_same_page(self.seen_metadata, self.metadata)
        return AgentObserveResult(
            metadata=None if is_same else self.metadata, changes=changes, accessibility=self.accessibility
        )

    def _as_text(self, kept: Sequence[Change]) -> AgentObserveResult:
        lines = text.changed_page_lines(self.seen_metadata, self.metadata)
        frame = None
        for change in folded(kept):
            if change.frame_id != frame:
                frame = change.frame_id
                lines += [f"frame {self.new_frames[frame]}"] if frame and frame in self.new_frames else []
            lines.append(change.line)
        if remaining := self._remaining(kept):
            lines.append(f"... {remaining} more change{'s' if remaining != 1 else ''}; look again")
        whole = "\n".join(["changes", *lines]) if lines else f"no changes{self._moved_focus()}"
        return AgentObserveResult(text=whole, accessibility=self.accessibility)

    def _moved_focus(self) -> str:
        """Return the line of the focus: of the key Tab it is all that there is to see."""
        if self.focus is None:
            return ""
        return f"\nfocus is on {self.focus.ref} {_named(self.focus)}"

    def _as_both(self, kept: Sequence[Change]) -> AgentObserveResult:
        return attrs.evolve(self._as_json(kept), text=self._as_text(kept).text)

    def _remaining(self, kept: Sequence[Change]) -> int:
        return len(self.changes) - len(kept) + self.later


def _without(kept: list[Change], excess: int, *, is_text: bool) -> list[Change]:
    """Leave out the changes of least worth, until about so many tokens are saved."""
    dropped = set()
    ranked = sorted(enumerate(kept), key=lambda entry: (-entry[1].rank, -entry[0]))
    for index, change in ranked[: len(kept) - 1]:
        dropped.add(index)
        parts = [*change.added, change.updated, change.before, change.words]
        excess -= estimate(
            change.line if is_text else wire.dump([unstructure(part) for part in parts if part]).decode()
        )
        if excess <= 0:
            break
    return [change for index, change in enumerate(kept) if index not in dropped]


@attrs.define(eq=False)
class Comparison:
    """Comparison of a page with what its client has received."""

    memory: PageMemory
    gone: Gone
    states: Mapping[str, SeenState]
    """States of the elements that there are, in reading order."""
    elements: Mapping[str, InteractiveElement]
    words: dict[BlockKey, str] = attrs.field(factory=dict, init=False)
    """Words of the compared blocks."""
    _rendered_again: set[BlockKey] = attrs.field(factory=set, init=False)
    """Blocks that are gone, in whose place there are others with the same words."""
    _reported: set[str] = attrs.field(factory=set, init=False)
    _earlier: dict[BlockKey, BlockKey] = attrs.field(factory=dict, init=False)
    """Keys that blocks had at the last look, of those that were rendered again."""

    def changes(self, blocks: Sequence[Block]) -> list[Change]:
        """Return the changes in reading order, and then what is gone."""
        lost: dict[str, list[BlockKey]] = {}
        for key in self.gone.blocks:
            lost.setdefault(self.memory.words[key], []).append(key)
        changes = [change for block in blocks for change in self._of_block(block, lost)]
        changes += [change for ref in self.states for change in self._of_element(ref)]
        received = [unit for unit in self.memory.order if unit in self.memory.words or unit in self.memory.states]
        if line := order_line(received, blocks, self._earlier, self.memory.words):
            changes.append(Change(rank=_UPDATED, line=line))
        for key, words in self.memory.words.items():
            if words and key in self.gone.blocks and key not in self._rendered_again:
                removed = WordsChange(kind="removed", before=words)
                changes.append(Change(rank=_REMOVED_WORDS, line=_removed_line(words), words=removed, key=key))
        for ref, state in self.memory.states.items():
            if ref in self.gone.refs:
                line = f"- {ref} {_named(state)}"
                changes.append(Change(rank=_REMOVED, line=line, removed=ref, before=state))
        return changes

    def _of_block(self, block: Block, lost: dict[str, list[BlockKey]]) -> Iterator[Change]:
        key, words = (block.prefix, block.id), words_of(block.content)
        before = self.memory.words.get(key)
        self.words[key] = words
        is_known, is_again = before is not None or block.is_old, block.is_again
        if before is None and words and lost.get(words):
            self._earlier[key] = lost[words].pop(0)
            self._rendered_again.add(self._earlier[key])
            is_known = is_again = True
        if words and is_again and block.content.kind in _REPEATED_KINDS and before in (None, words):
            repeated = WordsChange(kind="repeated", block=block.content)
            line = f'+ {mark_of(block.content)}"{text.escaped(words)}" again'
            yield Change(rank=NEW_LIVE, line=line, words=repeated, key=key, frame_id=block.content.frame_id)
        elif words and block.is_back and before == words:
            back = WordsChange(kind="repeated", block=block.content)
            line = f"+ {line_of(block.content, self.elements)} again"
            yield Change(rank=_UPDATED, line=line, words=back, key=key, frame_id=block.content.frame_id)
        elif not is_known and words:
            new = [self.elements[ref] for ref in block.refs if self._is_new(ref)]
            self._reported |= {element.ref for element in new}
            added = WordsChange(kind="added", block=block.content)
            line = f"+ {line_of(block.content, self.elements)}"
            is_back = self.memory.departed_words.get(key) == words and all(map(self._is_back, new))
            yield Change(
                rank=block.rank,
                line=line,
                added=new,
                words=added,
                key=key,
                is_back=is_back,
                frame_id=block.content.frame_id,
            )
        elif before is not None and before != words:
            old, new_words = _differing(before, words)
            if block.content.kind in _REPEATED_KINDS:
                new_words = words  # a message is new as a whole
            elif new_words.startswith("…") and block.content.kind in _LISTED_KINDS:
                new_words = f"{_head(words)} {new_words}"  # which row has changed
            line = _words_line(mark_of(block.content), old, new_words)
            updated = WordsChange(kind="updated", before=before, block=block.content)
            rank = min(block.rank, _UPDATED)
            yield Change(rank=rank, line=line, words=updated, key=key, frame_id=block.content.frame_id)
        for ref in block.refs:
            for change in self._of_element(ref):
                yield attrs.evolve(change, block=key)

    def _is_new(self, ref: str) -> bool:
        return ref in self.gone.refs or ref not in self.memory.states

    def _is_back(self, element: InteractiveElement) -> bool:
        return self.memory.departed_states.get(element.ref) == self.states[element.ref] and not element.focused

    def _of_element(self, ref: str) -> Iterator[Change]:
        """Yield the change of an element, once."""
        if ref in self._reported:
            return
        self._reported.add(ref)
        element, state = self.elements[ref], self.states[ref]
        before = None if ref in self.gone.refs else self.memory.states.get(ref)
        if before is None:
            line = f"+ {text.element_line(element)}"
            is_back = self._is_back(element)
            yield Change(rank=_ADDED, line=line, added=[element], is_back=is_back, frame_id=element.frame_id)
        elif before != state:
            line, is_renamed = _updated_line(before, state), attrs.evolve(before, name=state.name) == state
            yield Change(
                rank=_UPDATED,
                line=line,
                updated=element,
                before=before,
                is_renamed=is_renamed,
                frame_id=element.frame_id,
            )


def _words_line(mark: str, before: str, after: str) -> str:
    """Return the line of changed words; of a block that had no words, or has none now, as added or removed."""
    if not after:
        return _removed_line(before)
    now = f'"{text.escaped(after)}"'
    return f'~ {mark}"{text.escaped(before)}" → {now}' if before else f"+ {mark}{now}"


def _removed_line(words: str) -> str:
    return f"- {text.quoted(words if len(words) <= _MAX_NAME else f'{words[: _MAX_NAME - 1]}…')}"


def _updated_line(before: SeenState, after: SeenState) -> str:
    words = [f"~ {after.ref}"]
    if (before.role, before.name) != (after.role, after.name):
        words.append(_renamed(before, after))
    changed = [name for name in _STATES if getattr(before, name) != getattr(after, name)]
    words.append(", ".join(f"{name} {_shown(before, name)} → {_shown(after, name)}" for name in changed))
    return " ".join(filter(None, words))


def _head(words: str) -> str:
    """Return the first words of a row."""
    first = words.partition(" | ")[0]
    return first if len(first) <= _MAX_HEAD else first[:_MAX_HEAD].rpartition(" ")[0] or first[:_MAX_HEAD]


def _renamed(before: SeenState, after: SeenState) -> str:
    """Return the new and the old role and name; of long names, such as those of rows, the words that have changed."""
    old, new = before.name or "", after.name or ""
    if max(len(old), len(new)) > _MAX_NAME:
        old, new = _differing(old, new)
        return f"{after.role} {text.quoted(new)} was {before.role} {text.quoted(old)}"
    return f"{_named(after)} was {_named(before)}"


def _differing(before: str, after: str) -> tuple[str, str]:
    """Return two texts without the words with which both begin and end, if these are many.

    The text of now keeps the whole sentence or cell that has changed: "2" alone does not say of what.
    """
    start = _common(before, after)
    start = before.rfind(" ", 0, start) + 1 if start > _MIN_CUT else 0
    first, second = before[start:], after[start:]
    end = _common(first[::-1], second[::-1])
    end = end - 1 - first[len(first) - end :].find(" ") if end > _MIN_CUT and " " in first[len(first) - end :] else 0
    since, until = _sentence(after, start, len(after) - end)
    return _excerpt(before, start, len(before) - end), _excerpt(after, since, until)


def _sentence(words: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the sentences or cells that a span is in; of long ones, some words more."""
    if start:
        first = max(0, start - _MAX_CONTEXT)
        heads = [found.end() for found in _BOUNDARY.finditer(words, first, start)]
        start = heads[-1] if heads else words.find(" ", first, start) + 1 if first else 0
    if end < len(words):
        last = min(len(words), end + _MAX_CONTEXT)
        tail = _BOUNDARY.search(words, max(start, end - 1), last)
        end = tail.start() + 1 if tail else words.rfind(" ", end, last) if last < len(words) else last
    return start, end


def _excerpt(words: str, start: int, end: int) -> str:
    return f"{'…' if start else ''}{words[start:end]}{'…' if end < len(words) else ''}"


def _common(one: str, other: str) -> int:
    """Return the number of characters with which both texts begin."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _named(state: SeenState) -> str:
    name = state.name and (state.name if len(state.name) <= _MAX_NAME else f"{state.name[: _MAX_NAME - 1]}…")
    return f"{state.role} {text.quoted_name(name)}" if name else state.role


def _shown(state: SeenState, name: str) -> str:
    """Return a value in quotes, since it is the page's, or a state as a word of ours."""
    value: Any = getattr(state, name)
    if name == "value":
        return text.quoted(value or "")
    return "none" if value is None else str(value).lower()
