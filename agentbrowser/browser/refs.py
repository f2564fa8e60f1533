"""What a client has seen of a page: the elements by their refs, and what has become of them since."""

import contextlib
import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Protocol

import attrs
from playwright.async_api import Frame

from agentbrowser.browser import panes, prompt
from agentbrowser.browser.cursor import Cursor, behind, holds, listed
from agentbrowser.browser.marks import Marked, marked_screenshot
from agentbrowser.browser.panes import Pane, Panes, Plain, Sight, depth_first, part_of
from agentbrowser.browser.telling import Sighted
from agentbrowser.codec import structure, wire_fields
from agentbrowser.errors import AgentBrowserError, ElementChanged, ElementNotFound, InvalidParams
from agentbrowser.types.element import AgentObserveResult, Changes, InteractiveElement, ObserveMetadata, Screenshot
from agentbrowser.types.fold import Fold
from agentbrowser.types.observe import (
    AccessibilityOptions,
    AccessibilityResult,
    BoundingBox,
    ScreenshotOptions,
    ScreenshotResult,
)
from agentbrowser.types.page import Dialog, Page
from agentbrowser.types.selector import SELECTORS, Ref, Selector, describe

if TYPE_CHECKING:
    from agentbrowser.methods.agent_observe import ObserveParams

_WATCHED: Final = ("name", "value", "checked", "disabled", "expanded", "selected")
_MINIMAL: Final = ("ref", "selector", "role", "name", "tag_name")
_NAMES: Final = {name: attribute.name for name, attribute in wire_fields(InteractiveElement).items()}
_KINDS: Final[dict[str, Callable[..., Selector]]] = {kind.type: kind for kind in SELECTORS}


class Camera(Protocol):
    """What pictures a page."""

    async def screenshot(self, options: ScreenshotOptions, selector: Selector | None) -> ScreenshotResult:
        """Picture the page."""
        ...


class Outline(Protocol):
    """What knows a page's accessibility tree."""

    async def tree(self, options: AccessibilityOptions) -> AccessibilityResult:
        """Return the tree."""
        ...


class Surface(panes.Surface, Protocol):
    """What observing needs of a tab."""

    @property
    def frame(self) -> Frame:
        """The frame that is looked at, with all in it."""
        ...

    @property
    def panes(self) -> Panes:
        """The page's frames as one picture."""
        ...

    @property
    def capture(self) -> Camera:
        """What pictures the page."""
        ...

    @property
    def accessibility(self) -> Outline:
        """What knows the page's tree."""
        ...

    @property
    def dialog(self) -> Dialog | None:
        """The dialog that holds the page up, if any."""
        ...

    async def describe(self) -> Page:
        """Return the page's facts without asking the page."""
        ...


@attrs.define(eq=False)
class Refs:
    """The memory of one page: the states of the elements that the client was told of, frame by frame."""

    tab: Surface
    _documents: dict[str, str] = attrs.field(factory=dict, init=False)
    """By what the refs of their frames begin with."""
    _seen: dict[str, tuple[Any, ...]] = attrs.field(factory=dict, init=False)

    async def observe(self, params: "ObserveParams") -> AgentObserveResult:
        """Look at the page, with all its frames. [asyncio]

        Raises:
          InvalidParams: the cursor is of another document.
        """
        if self.tab.dialog is not None:
            return await self._behind(self.tab.dialog, params)
        if params.include_interactive_elements or params.incremental or params.marks:
            look = await self._elements(params)
        else:
            about = await self.tab.worlds.of(self.tab.frame).call("about")
            look = _Look(seen=Sighted(result=AgentObserveResult(metadata=self._metadata(about, params))))
        answer, count = (await self._with_tree(look.seen, params)).told(params)
        told = {element.ref: look.states[element.ref] for element in look.seen.elements[:count]}
        self._seen |= told
        await self._untell([ref for ref in look.described if ref not in told])
        return await self._with_pictures(answer, params, [mark for mark in look.marked if mark.ref in told])

    async def _untell(self, refs: list[str]) -> None:
        """Have the scripts forget how elements looked that there was no room for."""
        for _, some in itertools.groupby(sorted(refs, key=part_of), key=part_of):
            together = list(some)
            with contextlib.suppress(AgentBrowserError):  # what has gone meanwhile is void anyway
                await self.tab.worlds.of(self.tab.panes.frame_of(together[0])).call("untell", {"refs": together})

    async def resolve(self, ref: str) -> str:
        """Return a CSS selector that hits just the element of the ref in its frame, shadow roots included. [asyncio]

        Raises:
          ElementNotFound: the ref was never given, or its element is gone.
          ElementChanged: the element is something else by now.
        """
        frame = self.tab.panes.frame_of(ref)
        answer = await self.tab.worlds.of(frame).call("locate", {"ref": ref})
        if answer["state"] == "here":
            return str(answer["css"])
        if answer["state"] == "changed":
            before, after = answer["before"], answer["after"]
            raise ElementChanged(f"{ref} is not what it was when observed.", ref=ref, before=before, after=after)
        raise ElementNotFound(self._why_missing(ref, answer), selector=describe(Ref(ref)))

    def _why_missing(self, ref: str, answer: Plain) -> str:
        if answer["state"] == "gone":
            return f"The element {ref} has left the page."
        if ref in self._seen and answer["document"] != self._documents.get(part_of(ref)):
            return f"The page has gone to another document since {ref} was observed."
        return f"No element was observed as {ref}."

    async def _elements(self, params: "ObserveParams") -> "_Look":
        root, unseen = self.tab.frame, list[str]()
        cursor = Cursor.parse(params.cursor) if params.cursor else None
        asked = self._asked(params, cursor, list(depth_first(root)))
        sights = await self.tab.panes.look(root, asked, lambda frame: unseen.append(self.tab.frame_id(frame)))
        if any(sight.answer.get("isLost") for sight in sights) or (
            cursor and not holds(sights, cursor, self.tab.panes)
        ):
            hint = "Observe again without a cursor."
            raise InvalidParams("The cursor is of another document.", path="cursor", got=params.cursor, hint=hint)
        told, rest = listed(sights, params.max_elements)
        elements = {plain["ref"]: self._element(plain, sight, params) for sight, plain in told}
        states = {plain["ref"]: tuple(map(plain.get, _WATCHED)) for _, plain in told}
        changes = self._compare(sights, states, elements)
        marked = [mark for sight, plain in told if (mark := _marked(plain, sight))] if params.marks else []
        is_listed = params.include_interactive_elements
        result = AgentObserveResult(
            metadata=self._metadata(sights[0].answer["metadata"], params, unseen),
            interactive_elements=[] if is_listed else None,
            total_interactive_elements=sum(sight.answer["total"] for sight in sights) if is_listed else None,
            changes=changes if params.incremental else None,
        )
        seen = Sighted(
            result=result,
            elements=list(elements.values()),
            folds=[self._fold(plain, sight) for sight in sights for plain in sight.answer["folds"]],
            frames=self._frame_words(sights),
            rest=rest,
            cursor=lambda count: behind(told[:count], bool(cursor and cursor.is_behind_fold)),
        )
        described = [plain["ref"] for sight in sights for plain in sight.answer["elements"]]
        return _Look(seen=seen, states=states, marked=marked, described=described)

    def _asked(
        self, params: "ObserveParams", cursor: Cursor | None, order: list[Frame]
    ) -> Callable[[Frame, Pane], Plain]:
        """Return what each frame is to be asked; those before the cursor's have been told of already."""
        parts = list(map(self.tab.panes.part, order))
        first = parts.index(part_of(cursor.ref)) if cursor and part_of(cursor.ref) in parts else 0
        roles = params.filter_roles
        wanted: Plain = {
            "roles": [role.strip().lower() for role in roles] if roles is not None else None,
            "viewportOnly": params.viewport_only,
            "bounds": params.include_bounds or params.marks is not None,
            "isFull": params.response_tier != "minimal" or params.marks is not None,
            "stable": params.stable_refs,
            "refresh": params.refresh_refs,
            "history": params.include_ref_history,
            "fold": (params.response_tier == "minimal") if params.fold is None else params.fold,
        }

        def asked(frame: Frame, pane: Pane) -> Plain:
            part = self.tab.panes.part(frame)
            goes_on = cursor is not None and part == part_of(cursor.ref)
            is_behind = cursor is not None and cursor.is_behind_fold
            is_told = goes_on if is_behind else part not in parts[:first]
            return wanted | {
                "prefix": f"{part}." if part else "",
                "view": pane.view and attrs.asdict(pane.view),
                "max": params.max_elements if is_told else 0,
                "isBehindFold": is_behind,
                "fold": wanted["fold"] or is_behind,
                "offset": cursor.offset if cursor and goes_on else 0,
                "after": cursor.ref if cursor and goes_on else None,
                "alternatives": params.response_tier != "minimal" and frame is self.tab.frame,
                "known": [ref for ref in self._seen if part_of(ref) == part],
            }

        return asked

    def _element(self, plain: Plain, sight: Sight, params: "ObserveParams") -> InteractiveElement:
        """Make an element of what our script has returned; checks would cost more than the page."""
        known: Plain = {_NAMES[name]: value for name, value in plain.items()}
        if params.response_tier == "minimal":
            known = {name: known[name] for name in _MINIMAL if name in known} | {"action_hints": []}
        # Other selectors are read in the frame that is looked at, where they would hit something else.
        is_own = sight.frame is self.tab.frame
        known["selector"] = _selector(known["selector"]) if is_own else Ref(plain["ref"])
        if others := known.get("alternative_selectors"):
            known["alternative_selectors"] = list(map(_selector, others))
        if (bounds := known.pop("bounds", None)) and params.include_bounds:
            known["bounds"] = sight.pane.place(BoundingBox(**bounds))
        if sight.frame.parent_frame is not None:
            known["frame_id"] = self.tab.frame_id(sight.frame)
        return InteractiveElement(**known)

    def _fold(self, plain: Plain, sight: Sight) -> Fold:
        """Make a fold of what our script has returned."""
        if sight.frame is not self.tab.frame:
            del plain["selector"]
        return structure(Fold, plain)

    def _frame_words(self, sights: list[Sight]) -> dict[str, str]:
        """Return what text calls the frames, by their ids."""
        return {
            self.tab.frame_id(sight.frame): prompt.frame_words(sight.frame.name, sight.answer["metadata"]["url"])
            for sight in sights
        }

    def _compare(
        self, sights: list[Sight], states: dict[str, tuple[Any, ...]], elements: dict[str, InteractiveElement]
    ) -> Changes:
        """Forget what is gone, and tell what is new."""
        removed = [ref for ref in self._seen if self._is_gone(ref, sights)]
        for ref in removed:
            del self._seen[ref]
        self._documents |= {self.tab.panes.part(sight.frame): sight.answer["document"] for sight in sights}
        added = [element for ref, element in elements.items() if ref not in self._seen]
        updated = [element for ref, element in elements.items() if self._seen.get(ref, states[ref]) != states[ref]]
        return Changes(added=added, updated=updated, removed=removed)

    def _is_gone(self, ref: str, sights: list[Sight]) -> bool:
        """Tell whether a ref stands for nothing that shows any more; frames that were not looked at keep theirs."""
        part = part_of(ref)
        for sight in sights:
            if self.tab.panes.part(sight.frame) == part:
                is_new = sight.answer["document"] != self._documents.get(part)
                return is_new or ref in sight.answer["missing"]
        return part not in self._elsewhere(sights)

    def _elsewhere(self, sights: list[Sight]) -> set[str]:
        """Return the parts of refs of the frames outside of the one that was looked at."""
        inside = set(depth_first(sights[0].frame))
        return {self.tab.panes.part(frame) for frame in self.tab.page.frames if frame not in inside}

    def _metadata(
        self, plain: Plain, params: "ObserveParams", unseen: list[str] | None = None
    ) -> ObserveMetadata | None:
        if not params.include_metadata:
            return None
        frame = self.tab.frame
        frame_id = self.tab.frame_id(frame) if frame.parent_frame is not None else None
        return attrs.evolve(structure(ObserveMetadata, plain), frame_id=frame_id, unseen_frames=unseen or None)

    async def _with_tree(self, seen: Sighted, params: "ObserveParams") -> Sighted:
        if params.response_tier != "full" or not params.include_accessibility:
            return seen
        tree = await self.tab.accessibility.tree(AccessibilityOptions())
        return attrs.evolve(seen, result=attrs.evolve(seen.result, accessibility=tree))

    async def _with_pictures(
        self, result: AgentObserveResult, params: "ObserveParams", marked: list[Marked]
    ) -> AgentObserveResult:
        if params.response_tier != "full":
            return result
        if params.marks:
            taken = await self.tab.capture.screenshot(ScreenshotOptions(format="png"), None)
            screenshot, annotations = await marked_screenshot(taken, marked, params.marks)
            return attrs.evolve(result, screenshot=screenshot, annotation_map=annotations)
        if params.include_screenshot:
            taken = await self.tab.capture.screenshot(ScreenshotOptions(), None)
            result = attrs.evolve(result, screenshot=Screenshot(**attrs.asdict(taken)))
        return result

    async def _behind(self, dialog: Dialog, params: "ObserveParams") -> AgentObserveResult:
        """Say what can be said while a dialog holds the page's scripts up."""
        page = await self.tab.describe()
        metadata = ObserveMetadata(url=page.url, title=page.title, viewport=page.viewport, dialog=dialog)
        elements: list[InteractiveElement] | None = [] if params.include_interactive_elements else None
        return Sighted(result=AgentObserveResult(metadata=metadata, interactive_elements=elements)).told(params)[0]


@attrs.frozen(kw_only=True)
class _Look:
    """What came of looking: what can be told, and of its elements the states and the marks."""

    seen: Sighted
    states: dict[str, tuple[Any, ...]] = attrs.field(factory=dict)
    marked: list[Marked] = attrs.field(factory=list)
    described: list[str] = attrs.field(factory=list)
    """The refs of all elements that the scripts have said anything of."""


def _marked(plain: Plain, sight: Sight) -> Marked | None:
    """Return an element as it is to be marked; None for one that does not show."""
    if plain.get("covered") or plain.get("offscreen"):
        return None
    bounds = sight.pane.shown(BoundingBox(**plain["bounds"]))
    return Marked(plain["ref"], bounds) if bounds else None


def _selector(plain: Plain) -> Selector:
    return _KINDS[plain.pop("type")](**plain)
