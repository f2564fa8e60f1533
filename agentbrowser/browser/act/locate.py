"""Resolution of a selector to one element."""

import asyncio
import contextlib
import re
from typing import Any, Final, Literal

import attrs
from playwright.async_api import ElementHandle, Error, Frame, Locator

from agentbrowser.browser import faults, selectors
from agentbrowser.browser.act import element_probe
from agentbrowser.browser.act.surface import ActSurface
from agentbrowser.browser.background_tasks import in_thread
from agentbrowser.browser.deadline import Deadline
from agentbrowser.browser.page.frame_tree import depth_first
from agentbrowser.browser.semantic import resolve
from agentbrowser.browser.semantic.features import ElementFeatures
from agentbrowser.browser.semantic.query_guard import guard_search, is_guarded
from agentbrowser.protocol.errors import (
    ElementNotFound,
    ElementNotVisible,
    ExecutionContextDestroyed,
    SelectorAmbiguous,
)
from agentbrowser.protocol.types.action import Point
from agentbrowser.protocol.types.selector import (
    Coordinates,
    Css,
    Label,
    Placeholder,
    Ref,
    Role,
    Selector,
    Semantic,
    TestId,
    Text,
    XPath,
    describe,
)

_WORDS: Final = re.compile(r"[^\W_]+([ '’][^\W_]+)+|[^\W\da-z_][^\W_]*")
"""Several words, or one that begins with a capital: a label rather than CSS."""
_ROW: Final = "row"
_BOXES: Final = frozenset({"generic", "grid", "group", "list", "none", "presentation", "table", "treegrid"})
"""Roles of parts of a page that handle the clicks on all that is in them; their names are their texts."""
_FOCUS: Final = ":focus"
_FRAMES_S: Final = 1.0
_TEXT_AFTER_MS: Final = 1000
"""A button of the same words may come a moment after its heading."""
_WORDS_HINT: Final = (
    "A selector that is a text is read as CSS. Describe an element in words by a semantic selector, in Python "
    'page[Semantic("the words")].'
)

_PARTS: Final[tuple[Literal["region", "list", "listbox", "group"], ...]] = ("region", "list", "listbox", "group")
_COLUMN: Final = " | ".join(
    f"self::h{level}/ancestor::*[count(.//h{level})=1]"
    f"[preceding-sibling::*[.//h{level}] or following-sibling::*[.//h{level}]][1]"
    for level in range(1, 7)
)
"""XPath from a heading to the part of the page that it is the title of, beside another one of its kind."""
_LIST_BELOW: Final = "following-sibling::*[1][self::ul or self::ol or @role='list' or @role='listbox']"
"""XPath from a heading to the list right below it."""


@attrs.frozen
class LocatedElement:
    """One element in its frame; ``position`` is the requested point in it, for coordinates.

    ``pinned`` is the element of a ref itself: after a re-render, its path can lead to another one. ``meant`` is what a
    description in words was resolved to.
    """

    frame: Frame
    locator: Locator
    position: Point | None = None
    pinned: ElementHandle | None = None
    meant: ElementFeatures | None = None

    @property
    def target(self) -> Locator | ElementHandle:
        """Return what Playwright acts on."""
        return self.pinned or self.locator


@attrs.frozen
class ElementSearch:
    """Search for the element of a selector."""

    tab: ActSurface
    selector: Selector
    action: str | None = None
    """Action on the element. Of elements that fit a description equally well, one that takes this action is chosen."""

    async def locate(self, deadline: Deadline) -> LocatedElement:
        """Return the one element of the selector, waiting for it to exist. [asyncio]

        An element that a description fits only in its sense is meant once the page rests, or after a second. Words
        that fit no interactive element for a second mean the element of which they are the whole text, such as a
        cell whose clicks its table handles. A caller that does not wait gets interactive elements only.

        Raises:
          ElementNotFound: there is none before the deadline.
          SelectorAmbiguous: there are several, or at the deadline none that a description fits clearly.
          InvalidParams: the selector can't be read.
        """
        is_text_tried = False
        while True:
            found, count = await self._count(deadline)
            if found is not None and count == 1:
                if await self._is_early(found, deadline) and await deadline.pause():
                    continue
                await self._record_locator(found.frame)
                return found
            if found is not None and count > 1:
                raise await ambiguous(found.frame, self.selector, found.locator, count)
            is_over = isinstance(self.selector, Coordinates) or not await deadline.pause()
            is_late = deadline.waited_ms > min(_TEXT_AFTER_MS, deadline.left_ms)  # the action itself needs time, too
            is_due = is_over or (is_late and not is_text_tried)
            if is_due and isinstance(self.selector, Semantic) and deadline.timeout_s != 0:
                is_text_tried = True
                if text := await _whole_text(self.tab, self.selector.description):
                    return text
            if is_over:
                raise await self._covered() or await self._unmatched(deadline)

    async def locate_pinned(self, deadline: Deadline) -> LocatedElement:
        """Return the one element of the selector; that of a ref as a handle on the element itself. [asyncio]

        So is that of a selector that may ask for masked values: Playwright would look for it in later documents, too.

        Raises:
          As for `locate`.
        """
        while True:
            found = await self.locate(deadline)
            if is_guarded(self.tab, self.selector):
                with contextlib.suppress(Error):  # the page navigates
                    handles = await found.locator.element_handles()
                    await guard_search(self.tab, self.selector)
                    if len(handles) == 1:
                        return attrs.evolve(found, pinned=handles[0])
            elif not isinstance(self.selector, Ref):
                return found
            else:
                handle = await found.locator.element_handle(timeout=deadline.left_ms)
                probe = element_probe.ElementProbe(self.tab.isolated_worlds.of(found.frame), handle)
                with contextlib.suppress(ElementNotFound):  # it has left since, and `locate` reports what became of it
                    if await probe.has_ref(self.selector.value):
                        return attrs.evolve(found, pinned=handle)
            if not await deadline.pause():
                raise not_found(self.selector, deadline)

    async def find_all(self) -> LocatedElement | None:
        """Return all elements of the selector, without waiting. [asyncio]"""
        match self.selector:
            case Coordinates(x=x, y=y):
                return await _element_at(self.tab.page.main_frame, Point(x=x, y=y))
            case Semantic():
                best = await self.best_match(self.selector)
                if best is None or isinstance(best, LocatedElement):
                    return best
                found = await ElementSearch(self.tab, best.selector).find_all()
                return found and attrs.evolve(found, meant=best)
            case Ref(value=ref):
                frame = self.tab.frame_of(ref)
                return LocatedElement(frame, frame.locator(selectors.css(await self.tab.resolve_ref(ref))))
            case Css(value=value) if value.startswith(_FOCUS) and (focused := await self._in_focused_frame()):
                return focused
            case _:
                await guard_search(self.tab, self.selector)
                return LocatedElement(self.tab.frame, to_locator(self.tab.frame, self.selector))

    async def _in_focused_frame(self) -> LocatedElement | None:
        """Return the element if it has the focus in a frame below the selected one. [asyncio]"""
        if is_guarded(self.tab, self.selector):
            return None
        with contextlib.suppress(TimeoutError):  # a frame does not answer
            async with asyncio.timeout(_FRAMES_S):
                for frame in list(depth_first(self.tab.frame))[1:]:
                    found = LocatedElement(frame, to_locator(frame, self.selector))
                    with contextlib.suppress(Error):  # it is gone
                        if await found.locator.count():
                            return found
        return None

    async def best_match(self, selector: Semantic) -> ElementFeatures | LocatedElement | None:
        """Return the interactive element that a description means, or a text in it; None if there is none.

        An element that has only some of the words is not meant where they are a text of the page: "File" for "Drop
        files here". A row or a box around a table is not meant where they are the text of one cell, which a click in
        its middle would miss.
        [asyncio]

        Raises:
          SelectorAmbiguous: several fit about as well.
        """
        words = selector.description
        best = await in_thread(resolve.best_element, words, await self.tab.interactive(), selector, self.action)
        if best is None or resolve.is_whole_name(words, best) or resolve.is_input_for(self.action, best):
            return best
        is_around = best.role == _ROW or (best.derived and best.role in _BOXES)
        if is_around or resolve.lacks_words(words, best):
            text = await _whole_text(self.tab, words)
            return (text if is_around else None) if text else best
        return best

    async def _is_early(self, found: LocatedElement, deadline: Deadline) -> bool:
        """Return True if the element that a description names may be about to come.

        Another element fits in its sense, as "Close" does for "Cancel", and the page still loads or changes. [asyncio]
        """
        if found.meant is None or not isinstance(self.selector, Semantic) or deadline.timeout_s == 0:
            return False
        if deadline.waited_ms > min(_TEXT_AFTER_MS, deadline.left_ms):
            return False
        is_named = resolve.has_words(self.selector.description, found.meant)
        return not is_named and not await self.tab.settler.is_at_rest()

    async def _record_locator(self, frame: Frame) -> None:
        if self.tab.target_facts(self.selector)["isRecorded"]:
            question = {"selector": describe(self.selector), "question": "locator", "argument": None}
            answer = await self.tab.isolated_worlds.of(frame).call("question", question)
            self.tab.note_target(self.selector, {"located": answer.get("answer")})

    async def _count(self, deadline: Deadline) -> tuple[LocatedElement | None, int]:
        try:
            found = await self.find_all()
            count = await found.locator.count() if found else 0
            if count:  # perhaps in a later document
                await guard_search(self.tab, self.selector)
            return found, count
        except Error as error:
            fault = faults.translate(error, selector=describe(self.selector))
            if isinstance(fault, ExecutionContextDestroyed) and deadline.left_s > 0:
                return None, 0  # the page navigates: look in the next document
            raise fault from None

    async def _covered(self) -> ElementNotVisible | None:
        """Return the error for a description of an element behind a modal, which no look shows. [asyncio]"""
        tab, selector = self.tab, self.selector
        if not isinstance(selector, Semantic):
            return None
        with contextlib.suppress(SelectorAmbiguous, Error):
            shown = {element.selector for element in await tab.interactive()}
            elements = await tab.interactive(is_whole=True)
            best = await in_thread(resolve.best_element, selector.description, elements, selector)
            hidden = best if best and best.selector not in shown else None
            found = await ElementSearch(tab, hidden.selector).find_all() if hidden else None
            if found is not None and await found.locator.count() == 1:
                probe = element_probe.ElementProbe(tab.isolated_worlds.of(found.frame), found.locator)
                cover = (await probe.obstacle(None)).covered_by  # None for an element outside the viewport
                by: dict[str, Any] = {"covered_by": {"type": Css.type, **cover}} if cover else {}
                message = "The element is covered by a dialog, or by another layer over the whole page."
                return ElementNotVisible(message, selector=describe(selector), **by)
        return None

    async def _unmatched(self, deadline: Deadline) -> SelectorAmbiguous | ElementNotFound:
        """Return the error for a selector without a match; that of words names what is most like it. [asyncio]"""
        selector, missing = self.selector, not_found(self.selector, deadline)
        if not isinstance(selector, Semantic):
            return missing
        elements = await self.tab.interactive()
        if weak := await in_thread(resolve.partial_match_error, selector.description, elements, selector):
            return weak
        offered = await in_thread(resolve.fallback_candidates, selector.description, elements, self.action)
        return missing.with_details(candidates=offered) if offered else missing


async def locate_drop_target(tab: ActSurface, target: Selector, deadline: Deadline) -> LocatedElement:
    """Return the element to drop on: that of the selector, or the part of the page that the words are the title of.

    The words must be the whole text of one heading, or else of one element, or the whole name of one list or region; an
    interactive element of that name comes first. [asyncio]

    Raises:
      As for `ElementSearch.locate`.
    """
    if not isinstance(target, Semantic):
        return await ElementSearch(tab, target).locate(deadline)
    named = [element for element in await tab.interactive() if resolve.is_whole_name(target.description, element)]
    try:
        part = None if named else await _titled_part(tab, target.description)
    except Error as error:
        raise faults.translate(error, selector=describe(target)) from None
    return part or await ElementSearch(tab, target).locate(deadline)


async def _titled_part(tab: ActSurface, title: str) -> LocatedElement | None:
    """Return the column of a board, or the list, that has a title; the title itself where it stands for neither."""
    words = re.escape(title.strip())
    whole = re.compile(rf"^\s*{words}\s*$", re.IGNORECASE)
    counted = re.compile(rf"^\s*{words}(?:\s+|\s*[(\[])\d+[)\]]?\s*$", re.IGNORECASE)  # "Done 2": of its cards
    headings = tab.frame.get_by_role("heading", name=whole)
    others = [tab.frame.get_by_role(role, name=whole) for role in _PARTS]
    others.append(tab.frame.get_by_text(title.strip(), exact=True))
    for titles in (headings, *others, tab.frame.get_by_role("heading", name=counted)):
        shown = titles.filter(visible=True)
        if await shown.count() != 1:
            continue
        for part in (_COLUMN, _LIST_BELOW) if titles not in others else ():
            if await (column := shown.locator(f"xpath={part}").filter(visible=True)).count() == 1:
                return LocatedElement(tab.frame, column)
        return LocatedElement(tab.frame, shown)
    return None


async def _whole_text(tab: ActSurface, words: str) -> LocatedElement | None:
    """Return the only visible element of the selected frame that has the words as its whole text. [asyncio]"""
    shown = tab.frame.get_by_text(words.strip(), exact=True).filter(visible=True)
    with contextlib.suppress(Error):  # the page navigates
        if words.strip() and await shown.count() == 1:
            return LocatedElement(tab.frame, shown)
    return None


async def scroll_into_view(tab: ActSurface, found: LocatedElement, timeout_ms: float) -> None:
    """Scroll the element into view. [asyncio]"""
    await show_frames(tab, found.frame, timeout_ms)
    await found.target.scroll_into_view_if_needed(timeout=timeout_ms)


async def show_frames(tab: ActSurface, frame: Frame, timeout_ms: float) -> None:
    """Scroll a frame, and those around it, into view if they are out of view. [asyncio]

    Before Playwright scrolls to an element, it waits for two animation frames in its frame. One of another process that
    is out of view has none.
    """
    if (parent := frame.parent_frame) is None:
        return
    await show_frames(tab, parent, timeout_ms)
    owner = await frame.frame_element()
    if not await element_probe.ElementProbe(tab.isolated_worlds.of(parent), owner).is_partly_in_view():
        await owner.scroll_into_view_if_needed(timeout=timeout_ms)


def to_locator(frame: Frame, selector: Any) -> Locator:
    """Return Playwright's locator of a selector that is neither a ref, a point nor a description."""
    match selector:
        case Css(value=value):
            return frame.locator(selectors.css(value))
        case XPath(value=value):
            return frame.locator(selectors.xpath(value))
        case Role(role=role, name=name, exact=exact):
            return frame.get_by_role(selectors.role(role), name=name, exact=exact)  # type: ignore[arg-type]
        case Text(value=value, exact=exact):
            return frame.get_by_text(value, exact=exact)
        case Label(value=value, exact=exact):
            return frame.get_by_label(value, exact=exact)
        case Placeholder(value=value, exact=exact):
            return frame.get_by_placeholder(value, exact=exact)
        case TestId(value=value):
            return frame.get_by_test_id(value)
    raise TypeError(f"{selector!r} is no selector")


async def _element_at(frame: Frame, point: Point) -> LocatedElement | None:
    """Return the element under a point of the frame, through child frames."""
    hit = await element_probe.at(frame, point)
    if hit is None:
        return None
    alike = frame.locator(f"css={hit.css}")
    index = await element_probe.index_at(alike, point)
    if index < 0:
        return None
    found = LocatedElement(frame, alike.nth(index), hit.position)
    inner = await (await found.locator.element_handle()).content_frame() if hit.frame else None
    return await _element_at(inner, hit.position) if inner else found


def not_found(selector: Selector, deadline: Deadline) -> ElementNotFound:
    """Return the error for a selector without a match."""
    shown, waited_ms = describe(selector), deadline.waited_ms
    if isinstance(selector, Coordinates):
        return ElementNotFound(
            "Nothing is under that point.",
            selector=shown,
            waited_ms=waited_ms,
            hint="Use a point inside the viewport, or scroll first.",
        )
    hint = _WORDS_HINT if isinstance(selector, Css) and _WORDS.fullmatch(selector.value) else None
    rest = ", and the page is at rest" if deadline.has_rested else ""
    return ElementNotFound(
        f"No element matched within {waited_ms} ms{rest}.", selector=shown, waited_ms=waited_ms, hint=hint
    )


async def ambiguous(frame: Frame, selector: Selector, locator: Locator, count: int) -> SelectorAmbiguous:
    """Return the error for several matches, with selectors of one match each. [asyncio]"""
    candidates = [
        {"type": Css.type, **candidate}
        for candidate in await element_probe.candidates(locator)
        if await frame.locator(f"css={candidate['value']}").count() == 1
    ]
    message = f"The selector matches {count} elements."
    return SelectorAmbiguous(message, selector=describe(selector), count=count, candidates=candidates)
