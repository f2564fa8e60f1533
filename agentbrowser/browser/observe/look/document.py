"""The document of a look, cut to the client's token budget."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal

import attrs

from agentbrowser.browser.observe import text
from agentbrowser.browser.observe.budget import tokens_of
from agentbrowser.browser.observe.look.blocks import REPEATED, Block, Omitted
from agentbrowser.browser.observe.look.lines import in_order, line_of, lines_of, rest_line, words_of
from agentbrowser.browser.observe.look.repeats import KnownLook
from agentbrowser.browser.observe.memory import BlockKey, Delivery
from agentbrowser.browser.observe.token_count import estimate
from agentbrowser.protocol import wire
from agentbrowser.protocol.codec import unstructure
from agentbrowser.protocol.types.element import AgentObserveResult, InteractiveElement
from agentbrowser.protocol.types.fold import Fold
from agentbrowser.protocol.types.observe import AccessibilityResult

if TYPE_CHECKING:
    from agentbrowser.methods.agent_observe import ObserveParams

DEFAULT_TOKENS: Final = 2000
"""Default of ``maxTokens`` in text form."""
CHARS_PER_TOKEN: Final = 6
"""Upper estimate, to bound what the frames describe."""
Form = Literal["json", "text", "both"]
_CURSOR: Final = "w9999"
"""Stands for a cursor while a result is measured."""


def _unique_in(result: AgentObserveResult, elements: Mapping[str, InteractiveElement]) -> frozenset[str]:
    """Return the refs of elements that share role and name with no other; none where more exist than are known."""
    if result.total_interactive_elements != len(elements):
        return frozenset()
    counts = Counter((element.role, element.name) for element in elements.values())
    return frozenset(ref for ref, one in elements.items() if one.name and counts[one.role, one.name] == 1)


@attrs.frozen(kw_only=True)
class Document:
    """A look as a document before it is cut to the token budget."""

    result: AgentObserveResult
    blocks: Sequence[Block]
    elements: Mapping[str, InteractiveElement]
    folds: Sequence[Fold] = ()
    frames: Mapping[str, str] = attrs.field(factory=dict)
    """Labels of the frames in text, by their ids."""
    omitted: Omitted = attrs.field(factory=Omitted)
    is_continued: bool = False
    before: KnownLook | None = None
    """The last look at the page or its site, if what it has shown is to be left out."""
    cursor: Callable[[Sequence[Block]], str]
    """Function that returns the cursor after some blocks were delivered."""
    _lines: dict[BlockKey, str] = attrs.field(factory=dict, init=False)
    """Lines that were made, by the keys of their blocks."""
    _unique: frozenset[str] = attrs.field(
        init=False, default=attrs.Factory(lambda self: _unique_in(self.result, self.elements), takes_self=True)
    )
    """Refs of the elements that need no context."""

    def with_accessibility(self, tree: AccessibilityResult) -> "Document":
        """Return the look with the accessibility tree."""
        return attrs.evolve(self, result=attrs.evolve(self.result, accessibility=tree))

    def within_budget(self, params: "ObserveParams") -> tuple[AgentObserveResult, Delivery]:
        """Return the result within the token budget, and what of the page is in it.

        It contains at least one block, however small the budget is: otherwise no client could reach the next one.
        """
        limit = max_tokens(params)
        kept, form = list(self.blocks), params.format
        result = self._form(kept, _CURSOR if self._omitted(kept) else None, form)
        if limit is not None and kept and not _fits(result, limit):
            kept = self._fitting(limit, form)
        refs = {ref for block in kept for ref in block.refs}
        if self._omitted(kept):
            result = self._form(kept, self.cursor(kept) if kept else None, form)
        return self._without_repeats(result), Delivery(
            left_out=self.elements.keys() - refs,
            words={block.key: words_of(block.content) for block in kept},
            is_continued=self.is_continued,
        )

    def _without_repeats(self, result: AgentObserveResult) -> AgentObserveResult:
        if self.before is None or result.text is None:
            return result
        lines = self.before.without_repeats(result.text.split("\n"), self._unique, self.frames)
        return result if lines is None else attrs.evolve(result, text="\n".join(lines))

    def _fitting(self, limit: int, form: Form) -> list[Block]:
        ranked = self.blocks if self.is_continued else sorted(self.blocks, key=lambda block: block.rank)
        total = tokens_of(self._form([], _CURSOR, form))
        kept: list[Block] = []
        costs: dict[int, int] = {}
        for block in ranked:
            cost = self._cost(block, is_text=form != "json")
            if kept and total + cost > limit:
                continue
            kept.append(block)
            costs[id(block)] = cost
            total += cost
        order = {id(block): number for number, block in enumerate(self.blocks)}
        while True:
            chosen = sorted(kept, key=lambda block: order[id(block)])
            result = self._form(chosen, _CURSOR if self._omitted(chosen) else None, form)
            excess = tokens_of(result) - limit
            if excess <= 0 or len(kept) <= 1:
                return chosen
            while excess > 0 and len(kept) > 1:
                excess -= costs[id(kept.pop())]

    def _cost(self, block: Block, *, is_text: bool) -> int:
        if not block.content.parts:
            return 0
        folds = [fold for fold in self.folds if fold.anchor in block.refs]
        if is_text:
            lines = [self._line_of(block), *map(text.fold_line, folds)]
            return estimate("\n".join(lines))
        plain = [block.content, *(self.elements[ref] for ref in block.refs), *folds]
        return estimate(wire.dump(list(map(unstructure, plain))).decode())

    def _line_of(self, block: Block) -> str:
        line = self._lines.get(block.key)
        if line is None:
            line = self._lines[block.key] = line_of(block.content, self.elements, self._unique)
        return line

    def _omitted(self, kept: Sequence[Block]) -> Omitted:
        chosen = set(map(id, kept))
        return self.omitted.plus(block for block in self.blocks if id(block) not in chosen)

    def _with_rows(self, kept: Sequence[Block]) -> list[Block]:
        """Return the blocks, each with the number of rows behind it that were left out: the list goes on there."""
        chosen = set(map(id, kept))
        shown: list[Block] = []
        for block in self.blocks:
            if id(block) in chosen:
                shown.append(block)
            elif shown and not self.is_continued and int(block.rank) == REPEATED:
                shown[-1] = attrs.evolve(shown[-1], rows=shown[-1].rows + 1 + block.rows)
        return shown

    def _form(self, kept: Sequence[Block], cursor: str | None, form: Form) -> AgentObserveResult:
        refs = {ref for block in kept for ref in block.refs}
        folds = [fold for fold in self.folds if fold.anchor in refs]
        shown = in_order(self._with_rows(kept))
        result = attrs.evolve(self.result, next_cursor=cursor)
        elements = [element for ref, element in self.elements.items() if ref in refs] if form != "text" else None
        if form == "json":
            content = [block.content for block in shown]
            return attrs.evolve(result, interactive_elements=elements, folded=folds or None, content=content)
        lines = text.page_lines(result.metadata) if result.metadata and not self.is_continued else []
        lines += lines_of(shown, self._line_of, folds, self.frames)
        if cursor:
            lines.append(rest_line(self._omitted(kept), cursor))
        return attrs.evolve(result, text="\n".join(lines), interactive_elements=elements, folded=None)


def _fits(result: AgentObserveResult, limit: int) -> bool:
    """Return True if a result is within a limit; no estimate is made where its length shows it."""
    if result.text is not None:
        if len(result.text) > limit * CHARS_PER_TOKEN:
            return False
        if len(result.text.encode()) <= limit:
            return True
    return tokens_of(result) <= limit


def max_tokens(params: "ObserveParams") -> int | None:
    """Return the token limit of an observation; None for no limit."""
    if params.max_tokens is None and params.is_text and params.text != "none":
        return DEFAULT_TOKENS
    return params.max_tokens
