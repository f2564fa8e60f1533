"""Memory of a page: the elements and words that its client has received."""

import itertools
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

import attrs
from playwright.async_api import Frame

from agentbrowser.browser.page.frame_tree import FrameObservation, FrameTree, ref_prefix_of
from agentbrowser.protocol.types.element import ObserveMetadata, SeenState

_FIELDS: Final = tuple(field.name for field in attrs.fields(SeenState) if field.name != "ref")

_MAX_DEPARTED: Final = 1000
"""Number of elements, of texts, and of refs of earlier documents that are remembered after they have left the page."""

T = TypeVar("T")
U = TypeVar("U")

BlockKey = tuple[str, int]
"""A block of words: the ref prefix of its frame, and its id in the frame's document."""


def state_of(plain: Mapping[str, Any]) -> SeenState:
    """Return the state of an element from the scripts' answer."""
    known: dict[str, Any] = {name: plain.get(name) for name in _FIELDS}
    return SeenState(ref=plain["ref"], **known)


@attrs.frozen(kw_only=True)
class Gone:
    """Elements and blocks that the client has received and that have left the page."""

    refs: Collection[str] = ()
    blocks: Collection[BlockKey] = ()


@attrs.frozen(kw_only=True)
class Delivery:
    """Part of an observation that reaches the client; the rest is left out of the result."""

    left_out: Collection[str] = ()
    """Refs of elements that are not in the result, or whose changes are not."""
    words: dict[BlockKey, str] = attrs.field(factory=dict)
    """Words of the blocks in the result."""
    kept_blocks: Collection[BlockKey] = ()
    """Blocks that are gone, and of which the result does not say so."""
    is_continued: bool = False
    """True for a further page of a look: its words may be the rest of a block's."""


@attrs.define(eq=False)
class PageMemory:
    """States and words of one page that the client has received, frame by frame."""

    documents: dict[str, str] = attrs.field(factory=dict)
    """Ids of the observed documents, by the ref prefix of their frames."""
    states: dict[str, SeenState] = attrs.field(factory=dict)
    """States of the elements by their refs."""
    words: dict[BlockKey, str] = attrs.field(factory=dict)
    metadata: ObserveMetadata | None = None
    word_documents: dict[str, str] = attrs.field(factory=dict)
    """Ids of the documents of which the client has received words."""
    focus: str | None = None
    """Ref of the focused element."""
    order: Sequence[BlockKey | str] = ()
    """Texts and elements of the last look with words, in reading order."""

    departed_states: dict[str, SeenState] = attrs.field(factory=dict)
    """States of elements that have left the page, and may come back: a dialog is over them."""
    departed_words: dict[BlockKey, str] = attrs.field(factory=dict)
    earlier_refs: dict[str, None] = attrs.field(factory=dict)
    """Refs of earlier documents, the latest ones last."""

    def copy(self) -> "PageMemory":
        """Return a copy, for the page that replaces a crashed one."""
        return attrs.evolve(
            self,
            documents=dict(self.documents),
            states=dict(self.states),
            words=dict(self.words),
            word_documents=dict(self.word_documents),
            departed_states=dict(self.departed_states),
            departed_words=dict(self.departed_words),
            earlier_refs=dict(self.earlier_refs),
        )

    def is_of_earlier_document(self, ref: str, document: str) -> bool:
        """Return True if the client has received a ref in another document than this one of its frame."""
        return ref in self.earlier_refs or (ref in self.states and document != self.documents.get(ref_prefix_of(ref)))

    def refs_by_frame(self) -> dict[str, list[str]]:
        """Return the refs that the client knows, by the ref prefix of their frames."""
        refs: dict[str, list[str]] = defaultdict(list)
        for ref in self.states:
            refs[ref_prefix_of(ref)].append(ref)
        return refs

    def blocks_by_frame(self) -> dict[str, list[int]]:
        """Return the ids of the blocks that the client knows, by the ref prefix of their frames."""
        ids: dict[str, list[int]] = defaultdict(list)
        for prefix, id_ in self.words:
            ids[prefix].append(id_)
        return ids

    def gone(self, observations: list[FrameObservation], silent: Iterable[Frame], tree: FrameTree) -> Gone:
        """Return what is no longer there.

        Args:
          silent: frames that were not asked or did not answer; they keep what is known of them.
        """
        kept = set(map(tree.ref_prefix, silent))
        missing: set[str] = set()
        missing_blocks: set[BlockKey] = set()
        for observation in observations:
            prefix, answer = tree.ref_prefix(observation.frame), observation.answer
            if answer["document"] == self.documents.get(prefix):
                kept.add(prefix)
            missing |= set(answer["missing"])
            missing_blocks |= {(prefix, id_) for id_ in answer.get("goneBlocks", ())}
        return Gone(
            refs={ref for ref in self.states if ref in missing or ref_prefix_of(ref) not in kept},
            blocks={key for key in self.words if key in missing_blocks or key[0] not in kept},
        )

    def remember(
        self,
        states: Mapping[str, SeenState],
        gone: Gone,
        delivery: Delivery,
        documents: Mapping[str, str],
        *,
        has_words: bool,
    ) -> None:
        """Remember what the client receives, and forget what is gone."""
        for ref in set(gone.refs).difference(delivery.left_out):
            self.departed_states[ref] = self.states.pop(ref)
        for key in set(gone.blocks).difference(delivery.kept_blocks):
            self.departed_words[key] = self.words.pop(key)
        replaced = {prefix for prefix, document in documents.items() if self.documents.get(prefix) != document}
        earlier = {ref: None for ref in self.departed_states if ref_prefix_of(ref) in replaced}
        self.earlier_refs = _latest(self.earlier_refs | earlier)
        self.departed_states = _latest(
            {ref: state for ref, state in self.departed_states.items() if ref not in earlier}
        )
        self.departed_words = _latest(
            {key: words for key, words in self.departed_words.items() if key[0] not in replaced}
        )
        self.documents |= documents
        self.word_documents |= documents if has_words else {}
        self.states |= {ref: state for ref, state in states.items() if ref not in delivery.left_out}
        self.words = delivery.words | self.words if delivery.is_continued else self.words | delivery.words


def _latest(entries: dict[T, U]) -> dict[T, U]:
    return dict(itertools.islice(entries.items(), max(0, len(entries) - _MAX_DEPARTED), None))
