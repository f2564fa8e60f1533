"""Refs of a page's elements: what the client has seen of them, and what has changed since."""

import asyncio
import contextlib
import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

import attrs
from playwright.async_api import Frame

from agentbrowser.browser.background_tasks import beside_loop
from agentbrowser.browser.observe import text
from agentbrowser.browser.observe.budget import Observation
from agentbrowser.browser.observe.cursor import Cursor, cursor_after, lost_cursor
from agentbrowser.browser.observe.diff import Change, Comparison, Diff
from agentbrowser.browser.observe.frame_answers import ChosenElements, FrameAnswers, choose_elements
from agentbrowser.browser.observe.look.blocks import Block, Omitted, are_many, listed_blocks
from agentbrowser.browser.observe.look.document import Document, max_tokens
from agentbrowser.browser.observe.look.order import Unit, units_of
from agentbrowser.browser.observe.look.repeats import KnownLook
from agentbrowser.browser.observe.look.rests import Rests
from agentbrowser.browser.observe.memory import Delivery, Gone, PageMemory
from agentbrowser.browser.observe.pictures.annotations import MarkedElement, marked_screenshot
from agentbrowser.browser.observe.plan import ObservationPlan, StartPosition
from agentbrowser.browser.observe.surface import ObserveSurface
from agentbrowser.browser.page import frame_tree
from agentbrowser.browser.page.frame_tree import (
    FrameObservation,
    JsonObject,
    depth_first,
    ref_prefix_of,
)
from agentbrowser.protocol.codec import structure
from agentbrowser.protocol.errors import ElementChanged, ElementNotFound
from agentbrowser.protocol.types.element import (
    AgentObserveResult,
    InteractiveElement,
    ObserveMetadata,
    Screenshot,
    SeenState,
)
from agentbrowser.protocol.types.observe import (
    AccessibilityOptions,
    ScreenshotOptions,
)
from agentbrowser.protocol.types.page import Dialog
from agentbrowser.protocol.types.selector import Ref, describe

if TYPE_CHECKING:
    from agentbrowser.methods.agent_observe import ObserveParams

_MAX_TOKENS_ON_LOOP: Final = 8000
"""Token limit up to which the estimate takes less than 20 ms."""


@attrs.define(eq=False)
class Refs:
    """Observer of one page: looks at its frames, remembers what the client has received, and resolves refs."""

    tab: ObserveSurface
    _memory: PageMemory = attrs.field(factory=PageMemory, init=False)
    _rests: Rests = attrs.field(factory=Rests, init=False)
    _seen: KnownLook = attrs.field(factory=KnownLook, init=False)
    _forgetting: asyncio.Future[Any] | None = attrs.field(default=None, init=False)

    def copy_from(self, replaced: "Refs") -> None:
        """Copy the memory of the page that this one replaces."""
        self._memory = replaced._memory.copy()

    async def observe(self, params: "ObserveParams") -> AgentObserveResult:
        """Observe the page with all its frames. [asyncio]

        Raises:
          InvalidParams: the cursor belongs to another document.

        Cancel:
          The in-page scripts are made to forget this observation, in the background.
        """
        if self.tab.dialog is not None:
            return await self._observe_behind_dialog(self.tab.dialog, params)
        if not (params.include_interactive_elements or params.incremental or params.marks):
            metadata = self._metadata(await self.tab.isolated_worlds.of(self.tab.frame).call("about"))
            result = AgentObserveResult(metadata=metadata if params.include_metadata else None)
            page_observation = _PageObservation(observed=Observation(result=result), metadata=metadata)
            return (await self._result(page_observation, params))[0]
        frames = list(depth_first(self.tab.frame))
        try:
            page_observation = await self._observe_frames(params)
            answer, delivery = await self._result(page_observation, params)
        except BaseException:
            self._forgetting = asyncio.gather(*(self._forget_states(frame, None) for frame in frames))
            await asyncio.sleep(0)  # the calls are sent, and so precede whatever is called next
            raise
        has_words = not isinstance(page_observation.observed, Observation) and page_observation.has_words
        self._memory.remember(
            page_observation.states,
            page_observation.gone,
            delivery,
            page_observation.documents,
            has_words=has_words,
        )
        self._memory.metadata, self._memory.focus = page_observation.metadata, page_observation.focus
        self._memory.order = page_observation.order or self._memory.order
        self._seen = self._seen.after(page_observation.look, delivery)
        return answer

    async def _result(
        self, page_observation: "_PageObservation", params: "ObserveParams"
    ) -> tuple[AgentObserveResult, Delivery]:
        """Return the result within the token budget, and what of the page is in it."""
        observed = await self._with_tree(page_observation.observed, params)
        is_long = page_observation.is_long or (max_tokens(params) or 0) > _MAX_TOKENS_ON_LOOP
        answer, delivery = await beside_loop(is_long, observed.within_budget, params)
        listed = page_observation.states.keys() - set(delivery.left_out)
        has_cursor = answer.next_cursor is not None
        unlisted = itertools.groupby(sorted(page_observation.described - listed, key=ref_prefix_of), key=ref_prefix_of)
        await asyncio.gather(
            *[
                self._forget_states(page_observation.frames[part], list(group), is_passed=has_cursor)
                for part, group in unlisted
            ]
        )
        return await self._with_screenshot(
            answer, params, [mark for mark in page_observation.marked if mark.ref in listed]
        ), delivery

    async def _forget_states(self, frame: Frame, refs: list[str] | None, *, is_passed: bool = False) -> None:
        """Have the scripts forget the states of elements that the client does not receive; of all if None.

        Args:
          is_passed: a cursor leads to them, so that they are not news to the next observation.
        """
        with contextlib.suppress(*frame_tree.FRAME_UNAVAILABLE):  # refs of frames that are gone are invalid anyway
            async with asyncio.timeout(frame_tree.FRAME_TIMEOUT_S):
                await self.tab.isolated_worlds.of(frame).call(
                    "revertObservation", {"refs": refs, "isPassed": is_passed}
                )

    async def resolve(self, ref: str) -> str:
        """Return a CSS selector that matches only the element of a ref in its frame, also in shadow roots. [asyncio]

        Raises:
          ElementNotFound: the ref was never assigned, or its element is gone.
          ElementChanged: the element has changed since it was observed.
        """
        frame = self.tab.frame_tree.frame_of(ref)
        answer = await self.tab.isolated_worlds.of(frame).call("locate", {"ref": ref})
        if answer["state"] == "here":
            return str(answer["css"])
        if answer["state"] == "changed":
            before, after = answer["before"], answer["after"]
            raise ElementChanged(f"{ref} is not what it was when observed.", ref=ref, before=before, after=after)
        if answer["state"] == "replaced":
            before, alike = answer["before"], answer["alike"]
            several = f"{alike} elements have" if alike > 1 else "another element has"
            message = f"{ref} has left the page; {several} its role and name, but none is surely the same."
            raise ElementChanged(message, ref=ref, before=before, after=answer.get("after"))
        # An element that has left may be put back; any other ref needs a new observation.
        is_gone = answer["state"] == "gone"
        message = f"The element {ref} has left the page."
        if is_unknown := not is_gone:
            message = f"No element was observed as {ref}."
            if self._memory.is_of_earlier_document(ref, answer["document"]):
                message, is_unknown = f"The page has gone to another document since {ref} was observed.", False
        missing = ElementNotFound(message, selector=describe(Ref(ref)), retryable=is_gone)
        missing.is_unknown_ref = is_unknown
        raise missing

    def _position(self, params: "ObserveParams") -> StartPosition:
        """Return the position where the observation continues.

        Raises:
          InvalidParams: the cursor is of another document, or too old.
        """
        if not params.cursor or not params.cursor.startswith("w"):
            return StartPosition(Cursor.parse(params.cursor) if params.cursor else None)
        rest = self._rests.get(params.cursor)
        if rest is None:
            raise lost_cursor(params.cursor)
        return StartPosition(Cursor.parse(rest.behind) if rest.behind else None, rest)

    async def _observe_frames(self, params: "ObserveParams") -> "_PageObservation":
        answers = await self._ask_frames(params)
        chosen = await choose_elements(answers, self._memory.states)
        gone = self._memory.gone(answers.observations, self._silent_frames(answers), self.tab.frame_tree)
        metadata = self._metadata(answers.observations[0].answer["metadata"], answers.missed)
        if any(observation.answer["metadata"].get("tooDeep") for observation in answers.observations):
            metadata = attrs.evolve(metadata, too_deep=True)
        has_words = answers.plan.is_document
        is_long, blocks, omitted = has_words and are_many(answers.observations), list[Block](), Omitted()
        if has_words:
            refs = chosen.elements.keys()
            blocks, omitted = await beside_loop(is_long, listed_blocks, answers.observations, answers.prefix_of, refs)
        observed: Observation | Document | Diff
        if answers.is_diff:
            comparison = Comparison(self._memory, gone, chosen.states, chosen.elements)
            changes = await beside_loop(is_long, comparison.changes, blocks)
            observed = self._diff(answers, chosen, metadata, comparison, changes)
        elif has_words:
            observed = self._document(answers, chosen, metadata, blocks, omitted)
        else:
            observed = self._listing(answers, chosen, metadata)
        marked = (MarkedElement.of(plain, one.geometry) for one, plain in chosen.listed) if params.marks else ()
        return _PageObservation(
            observed=observed,
            metadata=metadata,
            states=chosen.states,
            marked=[mark for mark in marked if mark],
            described={plain["ref"] for one in answers.observations for plain in one.answer["elements"]},
            gone=gone,
            focus=chosen.focus,
            has_words=has_words,
            frames={part: observation.frame for part, observation in answers.by_part.items()},
            documents=answers.documents,
            look=KnownLook(metadata.url, blocks, chosen.elements) if has_words else KnownLook(),
            is_long=is_long,
            order=[] if answers.plan.position.rest else await beside_loop(is_long, units_of, blocks),
        )

    async def _ask_frames(self, params: "ObserveParams") -> FrameAnswers:
        """Return the answers of the selected frame and of those inside it.

        Raises:
          InvalidParams: the cursor leads nowhere any more.
        """
        root, tree, missed = self.tab.frame, self.tab.frame_tree, list[Frame]()
        prefixes = list(map(tree.ref_prefix, depth_first(root)))
        plan = ObservationPlan(params, self._position(params), prefixes, self._memory)
        observations = await tree.observe(root, plan.arguments_for(tree, root), missed.append)
        by_part = {tree.ref_prefix(observation.frame): observation for observation in observations}
        answers = FrameAnswers(plan=plan, root=root, observations=observations, by_part=by_part, missed=missed)
        if answers.is_lost:
            raise lost_cursor(params.cursor)
        return answers

    def _silent_frames(self, answers: FrameAnswers) -> set[Frame]:
        """Return the frames that were not asked, or did not answer."""
        inside = set(depth_first(answers.root))
        outside = {frame for frame in self.tab.page.frames if frame not in inside}
        return outside.union(*map(depth_first, answers.missed))

    def _diff(
        self,
        answers: FrameAnswers,
        chosen: ChosenElements,
        metadata: ObserveMetadata,
        comparison: Comparison,
        changes: list[Change],
    ) -> Diff:
        focus = chosen.focus
        return Diff(
            changes=changes,
            words=comparison.words,
            metadata=metadata if answers.plan.params.include_metadata else None,
            new_frames=self._frame_labels([one for one in answers.observations if not one.answer["isIncremental"]]),
            seen_metadata=self._memory.metadata,
            later=chosen.rest,
            focus=None if focus in (None, self._memory.focus) else chosen.states[focus],
        )

    def _document(
        self,
        answers: FrameAnswers,
        chosen: ChosenElements,
        metadata: ObserveMetadata,
        blocks: list[Block],
        omitted: Omitted,
    ) -> Document:
        position, documents = answers.plan.position, answers.documents
        return Document(
            result=self._full_result(answers, metadata),
            blocks=blocks,
            elements=chosen.elements,
            folds=answers.folds(),
            frames=self._frame_labels(answers.observations),
            omitted=omitted,
            before=self._seen.known_at(metadata.url, answers.plan.params),
            is_continued=position.rest is not None,
            cursor=lambda shown: self._rests.after(position.rest, shown, documents, position.fold),
        )

    def _listing(self, answers: FrameAnswers, chosen: ChosenElements, metadata: ObserveMetadata) -> Observation:
        is_behind_fold = answers.plan.position.fold is not None
        return Observation(
            result=self._full_result(answers, metadata),
            elements=list(chosen.elements.values()),
            folds=answers.folds(),
            frames=self._frame_labels(answers.observations),
            rest=chosen.rest,
            cursor=lambda count: cursor_after(chosen.listed[:count], is_behind_fold),
        )

    def _full_result(self, answers: FrameAnswers, metadata: ObserveMetadata) -> AgentObserveResult:
        """Return the parts of a full observation that do not depend on the number of elements in it."""
        params, observations = answers.plan.params, answers.observations
        is_listed = params.include_interactive_elements or params.is_diff
        total = sum(observation.answer["total"] for observation in observations) if is_listed else None
        return AgentObserveResult(
            metadata=metadata if params.include_metadata else None,
            interactive_elements=[] if is_listed else None,
            total_interactive_elements=total,
            full=self._why_full(observations[0], params) if params.is_diff else None,
        )

    def _why_full(self, root: FrameObservation, params: "ObserveParams") -> Literal["first", "document", "refreshed"]:
        if params.refresh_refs:
            return "refreshed"
        return "document" if self._memory.documents else "first"

    def _frame_labels(self, observations: list[FrameObservation]) -> dict[str, str]:
        """Return the labels of the frames in text, by their ids."""
        return {
            self.tab.frame_id(observation.frame): text.frame_label(
                observation.frame.name, observation.answer["metadata"]["url"]
            )
            for observation in observations
        }

    def _metadata(self, plain: JsonObject, missed: Sequence[Frame] = ()) -> ObserveMetadata:
        frame = self.tab.frame
        frame_id = self.tab.frame_id(frame) if frame.parent_frame is not None else None
        ids = list(map(self.tab.frame_id, missed))
        return attrs.evolve(structure(ObserveMetadata, plain), frame_id=frame_id, unseen_frames=ids or None)

    async def _with_tree(
        self, observed: Observation | Document | Diff, params: "ObserveParams"
    ) -> Observation | Document | Diff:
        if params.response_tier != "full" or not params.include_accessibility:
            return observed
        tree = await self.tab.accessibility.tree(AccessibilityOptions())
        return observed.with_accessibility(tree)

    async def _with_screenshot(
        self, result: AgentObserveResult, params: "ObserveParams", marked: list[MarkedElement]
    ) -> AgentObserveResult:
        if params.response_tier != "full":
            return result
        if params.marks:
            image = await self.tab.screenshots.screenshot(ScreenshotOptions(format="png"), None)
            screenshot, annotations = await marked_screenshot(image, marked, params.marks)
            return attrs.evolve(result, screenshot=screenshot, annotation_map=annotations)
        if params.include_screenshot:
            image = await self.tab.screenshots.screenshot(ScreenshotOptions(), None)
            result = attrs.evolve(result, screenshot=Screenshot(**attrs.asdict(image)))
        return result

    async def _observe_behind_dialog(self, dialog: Dialog, params: "ObserveParams") -> AgentObserveResult:
        """Return what is known without the page's scripts, which an open dialog blocks."""
        page, seen = await self.tab.describe(), self._memory.metadata
        metadata = ObserveMetadata(url=page.url, title=page.title, viewport=page.viewport, dialog=dialog)
        if params.is_diff and seen is not None and seen.url == page.url:
            metadata = attrs.evolve(seen, dialog=dialog)
            return Diff(metadata=metadata, seen_metadata=seen).within_budget(params)[0]
        elements: list[InteractiveElement] | None = [] if params.include_interactive_elements else None
        result = AgentObserveResult(metadata=metadata, interactive_elements=elements)
        return Observation(result=result).within_budget(params)[0]


@attrs.frozen(kw_only=True)
class _PageObservation:
    """One observation before it is sent: the result, the states of its elements, and their annotations."""

    observed: Observation | Document | Diff
    metadata: ObserveMetadata
    states: dict[str, SeenState] = attrs.field(factory=dict)
    marked: list[MarkedElement] = attrs.field(factory=list)
    described: set[str] = attrs.field(factory=set)
    """Refs of all elements that the scripts have described."""
    gone: Gone = Gone()
    focus: str | None = None
    has_words: bool = False
    is_long: bool = False
    """True if its words are too many for the loop."""
    frames: dict[str, Frame] = attrs.field(factory=dict)
    """Frames by the prefix of their refs."""
    documents: dict[str, str] = attrs.field(factory=dict)
    look: KnownLook = attrs.field(factory=KnownLook)
    order: list[Unit] = attrs.field(factory=list)
