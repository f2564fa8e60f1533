"""Format and size of an observation: JSON or text, within the client's token budget."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from agentbrowser.browser.observe import text
from agentbrowser.browser.observe.memory import Delivery
from agentbrowser.browser.observe.token_count import estimate
from agentbrowser.protocol import wire
from agentbrowser.protocol.codec import unstructure
from agentbrowser.protocol.types.element import AgentObserveResult, InteractiveElement
from agentbrowser.protocol.types.fold import Fold
from agentbrowser.protocol.types.observe import AccessibilityResult

if TYPE_CHECKING:
    from agentbrowser.methods.agent_observe import ObserveParams


@attrs.frozen(kw_only=True)
class Observation:
    """An observation of a page before it is cut to the token budget."""

    result: AgentObserveResult
    elements: Sequence[InteractiveElement] = ()
    folds: Sequence[Fold] = ()
    frames: Mapping[str, str] = attrs.field(factory=dict)
    """Labels of the frames in text, by their ids."""
    rest: int = 0
    """Number of further elements that are neither listed nor in one of the folds."""
    cursor: Callable[[int], str] = str
    """Function that returns the cursor after so many elements."""

    def with_accessibility(self, tree: AccessibilityResult) -> "Observation":
        """Return the observation with the accessibility tree."""
        return attrs.evolve(self, result=attrs.evolve(self.result, accessibility=tree))

    def within_budget(self, params: "ObserveParams") -> tuple[AgentObserveResult, Delivery]:
        """Return the result within the token budget, and what of the page is in it.

        It contains at least one element, however small ``max_tokens`` is: otherwise no client could reach the next one.
        """
        form = self._as_text if params.is_text else self._as_json
        count = len(self.elements)
        if params.max_tokens is not None and count:
            count = self._count_within_budget(lambda count: form(count, params), params)
        return form(count, params), Delivery(left_out={element.ref for element in self.elements[count:]})

    def _count_within_budget(self, form: Callable[[int], AgentObserveResult], params: "ObserveParams") -> int:
        limit = params.max_tokens or 0
        base = tokens_of(form(0))
        sums = list(itertools.accumulate(self._costs(params)))
        count = max(1, sum(base + cost <= limit for cost in sums))
        while count > 1 and (excess := tokens_of(form(count)) - limit) > 0:
            count = max(1, count - max(1, excess * len(sums) // max(1, sums[-1])))
        return count

    def _costs(self, params: "ObserveParams") -> list[int]:
        """Return a low estimate of the tokens for each element, with the folds that follow it."""
        if params.is_text:
            return [estimate(block) for block in text.blocks(self.elements, self.folds, self.frames)]
        is_listed = self.result.interactive_elements is not None
        after = {fold.anchor: _cost(fold) for fold in self.folds}
        return [_cost(element) * is_listed + after.get(element.ref, 0) for element in self.elements]

    def _as_json(self, count: int, params: "ObserveParams") -> AgentObserveResult:
        kept = self.elements[:count]
        folds, rest = self._folds(count)
        is_listed = self.result.interactive_elements is not None
        return attrs.evolve(
            self.result,
            interactive_elements=list(kept) if is_listed else None,
            folded=folds or None if is_listed else None,
            next_cursor=self.cursor(count) if rest and count else None,
        )

    def _as_text(self, count: int, params: "ObserveParams") -> AgentObserveResult:
        result = self._as_json(count, params)
        folds, rest = self._folds(count)
        lines = text.page_lines(result.metadata) if result.metadata else []
        if result.interactive_elements is not None:
            lines += text.blocks(result.interactive_elements, folds, self.frames)
        if result.next_cursor:
            lines.append(text.remainder_line(rest, result.next_cursor))
        listed = result.interactive_elements if params.format == "both" else None
        return attrs.evolve(result, text="\n".join(lines), interactive_elements=listed, folded=None)

    def _folds(self, count: int) -> tuple[list[Fold], int]:
        """Return the folds of the first elements, and the number of elements that come after both."""
        refs = {element.ref for element in self.elements[:count]}
        kept = [fold for fold in self.folds if fold.anchor in refs]
        hidden = sum((fold.count - fold.shown) * len(fold.template) for fold in self.folds if fold not in kept)
        return kept, self.rest + len(self.elements) - count + hidden


def tokens_of(result: AgentObserveResult) -> int:
    """Return the estimated size of a result: of its text, or as JSON without its screenshot, which no model reads."""
    if result.text is not None:
        return estimate(result.text)
    return estimate(wire.dump(unstructure(attrs.evolve(result, screenshot=None, annotation_map=None))).decode())


def _cost(part: InteractiveElement | Fold) -> int:
    return estimate(wire.dump(unstructure(part)).decode())
