"""Incremental observations: what has changed since the client's last look.

In text, each change is a line::

    changes
    ~ @search value "" → "shoes"
    + @clear button "Clear"
    - @hint link "How to search"
    ... 3 more changes; look again
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs

from agentbrowser.browser.observe import text
from agentbrowser.browser.observe.token_count import estimate
from agentbrowser.protocol import wire
from agentbrowser.protocol.codec import unstructure
from agentbrowser.protocol.types.element import (
    AgentObserveResult,
    Changes,
    InteractiveElement,
    ObserveMetadata,
    SeenState,
)
from agentbrowser.protocol.types.observe import AccessibilityResult

if TYPE_CHECKING:
    from agentbrowser.methods.agent_observe import ObserveParams

_FIELDS: Final = tuple(field.name for field in attrs.fields(SeenState) if field.name != "ref")
_STATES: Final = tuple(name for name in _FIELDS if name not in ("role", "name"))
_MAX_NAME: Final = 80
_UPDATED, _ADDED, _REMOVED = range(3)


def state_of(plain: Mapping[str, Any]) -> SeenState:
    """Return the state of an element from the scripts' answer."""
    known: dict[str, Any] = {name: plain.get(name) for name in _FIELDS}
    return SeenState(ref=plain["ref"], **known)


@attrs.frozen(kw_only=True)
class _Change:
    """One change. Updated elements come first within a token budget, then new ones, then removed ones."""

    kind: int
    before: SeenState | None
    state: SeenState | None
    element: InteractiveElement | None

    @property
    def ref(self) -> str:
        """The ref of the element."""
        known = self.before or self.state
        assert known is not None
        return known.ref


@attrs.frozen(kw_only=True)
class Diff:
    """Changes of a page since the client's last look, before they are cut to the token budget."""

    metadata: ObserveMetadata | None
    seen_metadata: ObserveMetadata | None
    """Metadata that the client has seen last."""
    accessibility: AccessibilityResult | None = None
    new_frames: Mapping[str, str] = attrs.field(factory=dict)
    """Labels of frames whose document the client has not seen, by their ids."""
    changes: Sequence[_Change] = ()
    later: int = 0
    """Number of new elements beyond ``maxElements``."""

    @classmethod
    def of(
        cls,
        seen: Mapping[str, SeenState],
        gone: Iterable[str],
        states: Mapping[str, SeenState],
        elements: Mapping[str, InteractiveElement],
        **rest: Any,
    ) -> "Diff":
        """Compare what the client has seen with what there is.

        Args:
          gone: refs whose elements are no longer there.
          states: states of the elements that there are, in reading order.
        """
        removed = set(gone)
        changes = []
        for ref, state in states.items():
            before = None if ref in removed else seen.get(ref)
            if before != state:
                kind = _ADDED if before is None else _UPDATED
                changes.append(_Change(kind=kind, before=before, state=state, element=elements[ref]))
        changes += [
            _Change(kind=_REMOVED, before=state, state=None, element=None)
            for ref, state in seen.items()
            if ref in removed
        ]
        return cls(changes=changes, **rest)

    def with_accessibility(self, tree: AccessibilityResult) -> "Diff":
        """Return the changes with the accessibility tree."""
        return attrs.evolve(self, accessibility=tree)

    def within_budget(self, params: "ObserveParams") -> tuple[AgentObserveResult, set[str]]:
        """Return the result within the token budget, and the refs of the changes that are not in it.

        It contains at least one change, however small ``max_tokens`` is.
        """
        form = self._as_text if params.format == "text" else self._as_json
        kept = list(self.changes)
        while len(kept) > 1 and params.max_tokens is not None:
            excess = _size(form(kept)) - params.max_tokens
            if excess <= 0:
                break
            kept = self._without(kept, excess, params)
        left_out = {change.ref for change in self.changes} - {change.ref for change in kept}
        return form(kept), left_out

    def _without(self, kept: list[_Change], excess: int, params: "ObserveParams") -> list[_Change]:
        """Leave out the changes of least worth, until about so many tokens are saved."""
        dropped = set()
        for index, change in sorted(enumerate(kept), key=lambda entry: (-entry[1].kind, -entry[0]))[: len(kept) - 1]:
            dropped.add(index)
            excess -= estimate(_line(change) if params.format == "text" else _json_of(change.element or change.before))
            if excess <= 0:
                break
        return [change for index, change in enumerate(kept) if index not in dropped]

    def _as_json(self, kept: Sequence[_Change]) -> AgentObserveResult:
        before = [change.before for change in kept if change.before]
        changes = Changes(
            added=[change.element for change in kept if change.kind == _ADDED and change.element],
            updated=[change.element for change in kept if change.kind == _UPDATED and change.element],
            removed=[change.ref for change in kept if change.kind == _REMOVED],
            before=before or None,
            remaining=self._remaining(kept) or None,
        )
        is_same = text.is_same_page(self.seen_metadata, self.metadata)
        return AgentObserveResult(
            metadata=None if is_same else self.metadata, changes=changes, accessibility=self.accessibility
        )

    def _as_text(self, kept: Sequence[_Change]) -> AgentObserveResult:
        lines = text.changed_page_lines(self.seen_metadata, self.metadata)
        frame = None
        for change in kept:
            if change.element and change.element.frame_id != frame:
                frame = change.element.frame_id
                lines += [f"frame {self.new_frames[frame]}"] if frame and frame in self.new_frames else []
            lines.append(_line(change))
        if remaining := self._remaining(kept):
            lines.append(f"... {remaining} more change{'s' if remaining != 1 else ''}; look again")
        whole = "\n".join(["changes", *lines]) if lines else "no changes"
        return AgentObserveResult(text=whole, accessibility=self.accessibility)

    def _remaining(self, kept: Sequence[_Change]) -> int:
        return len(self.changes) - len(kept) + self.later


def _line(change: _Change) -> str:
    if change.kind == _ADDED:
        assert change.element is not None
        return f"+ {text.element_line(change.element)}"
    before, after = change.before, change.state
    assert before is not None
    if after is None:
        return f"- {before.ref} {_named(before)}"
    words = [f"~ {after.ref}"]
    if (before.role, before.name) != (after.role, after.name):
        words.append(f"{_named(after)} was {_named(before)}")
    changed = [name for name in _STATES if getattr(before, name) != getattr(after, name)]
    words.append(", ".join(f"{name} {_shown(before, name)} → {_shown(after, name)}" for name in changed))
    return " ".join(filter(None, words))


def _named(state: SeenState) -> str:
    name = state.name and state.name[:_MAX_NAME]
    return f"{state.role} {text.quoted(name)}" if name else state.role


def _shown(state: SeenState, name: str) -> str:
    """Return a value in quotes, since it is the page's, or a state as a word of ours."""
    value = getattr(state, name)
    if name == "value":
        return text.quoted(value or "")
    return "none" if value is None else str(value).lower()


def _size(result: AgentObserveResult) -> int:
    return estimate(result.text) if result.text is not None else estimate(_json_of(result))


def _json_of(value: Any) -> str:
    return wire.dump(unstructure(value)).decode()
