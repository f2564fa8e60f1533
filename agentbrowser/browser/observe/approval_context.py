"""Context of an approval request: the page's URL and title, a screenshot, and the element in question."""

import asyncio
import contextlib
from collections.abc import Iterator, Sequence
from typing import Any, Final

import attrs
from playwright.async_api import Frame, Locator

from agentbrowser.browser import faults
from agentbrowser.browser.act.locate import ElementSearch
from agentbrowser.browser.deadline import Deadline
from agentbrowser.browser.observe.surface import ObserveSurface
from agentbrowser.browser.page import element_handles
from agentbrowser.browser.page.frame_tree import FRAME_UNAVAILABLE, depth_first
from agentbrowser.policy.urls import place_of
from agentbrowser.protocol.errors import ElementChanged, ElementNotFound, SelectorAmbiguous
from agentbrowser.protocol.types.approval import ApprovalContext, ElementInfo
from agentbrowser.protocol.types.observe import BoundingBox, ScreenshotOptions
from agentbrowser.protocol.types.selector import Selector

_PART_TIMEOUT_S: Final = 1.0
"""Time limit for each part; a part that is not there by then is left out, because the page may be busy for ever."""
_NOT_THERE: Final = (ElementChanged, ElementNotFound, SelectorAmbiguous)


@attrs.frozen
class ApprovalContextProvider:
    """Approval context of one tab."""

    tab: ObserveSurface

    async def collect(
        self,
        selector: Selector | None,
        *,
        with_screenshot: bool,
        action: str | None = None,
        timeout_s: float | None = None,
    ) -> ApprovalContext:
        """Return the current state of the page and the element of an action, without waiting. [asyncio]

        Args:
          timeout_s: time limit for the element, beyond which it is left out.
        """
        page = await self.tab.describe()
        return ApprovalContext(
            page_url=page.url,
            page_title=page.title,
            element_info=await self.element(selector, timeout_s=timeout_s, action=action) if selector else None,
            screenshot=await self._screenshot() if with_screenshot else None,
        )

    async def addresses(
        self,
        selectors: Sequence[Selector],
        *,
        others: Sequence[Frame] = (),
        is_input: bool = False,
        is_shown: bool = False,
        action: str | None = None,
    ) -> list[str]:
        """Return the URLs of the frames that a request concerns, each with those around it, without waiting. [asyncio]

        Args:
          others: frames to which it may go as well, such as that with the focus.
          is_input: it may press the pointer anywhere in its elements, also where a frame is.
          is_shown: only the frames of elements that an approver was shown; none if a busy page does not answer.
        """
        frames = [self.tab.frame, *others]
        for selector in selectors:
            try:
                async with asyncio.timeout(_PART_TIMEOUT_S):
                    found = await ElementSearch(self.tab, selector, action).find_all()
                    frames += [found.frame] if found else []
                    frames += await _frames_at(found.locator, found.frame) if found and is_input else []
            except _NOT_THERE:
                continue
            except FRAME_UNAVAILABLE:  # a page may stay busy at will, so the element may be in any frame
                frames += [] if is_shown else self.tab.page.frames
        lineage = dict.fromkeys(ancestor for frame in frames for ancestor in _lineage(frame))
        inherited = [url for frame in lineage if not place_of(frame.url)[0] for url in await self._opened_by(frame)]
        return list(dict.fromkeys([*(frame.url for frame in lineage), *inherited]))

    async def _opened_by(self, frame: Frame) -> list[str]:
        """Return the URLs that count for a document without one of its own: those that may have opened it. [asyncio]"""
        opener = await self.tab.page.opener() if frame.parent_frame is None else None
        candidates = self.tab.page.frames if opener is None else opener.frames
        try:
            async with asyncio.timeout(_PART_TIMEOUT_S):
                origin = await self._origin(frame)
        except FRAME_UNAVAILABLE:  # a page may stay busy at will, or its origin is opaque
            return [candidate.url for candidate in candidates]
        same_origin = [candidate.url for candidate in candidates if candidate.url.startswith(f"{origin}/")]
        return [f"{origin}/", *(same_origin if opener is not None else ())]

    async def _origin(self, frame: Frame) -> str:
        if frame.parent_frame is not None or not self.tab.is_chromium:
            return await self.tab.isolated_worlds.of(frame).origin()
        # The page does not take part in this: it may be busy, or stand still behind a dialog.
        session = await self.tab.cdp()
        target = (await session.send("Target.getTargetInfo"))["targetInfo"]["targetId"]
        key = await session.send("Storage.getStorageKeyForFrame", {"frameId": target})
        return str(key["storageKey"]).partition("/^")[0].removesuffix("/")

    async def element(
        self, selector: Selector, *, timeout_s: float | None = None, action: str | None = None
    ) -> ElementInfo | None:
        """Return role, name and box of an element as they are now; None if it is not there. [asyncio]"""
        limit_s = _PART_TIMEOUT_S if timeout_s is None else timeout_s
        try:
            async with asyncio.timeout(limit_s):
                # No waiting: an element that is not there now is left out.
                found = await ElementSearch(self.tab, selector, action).locate(Deadline(0))
                handle = await element_handles.handle_of(self.tab, found, Deadline(limit_s))
                answer = await handle.call("identityOf")
        except FRAME_UNAVAILABLE:
            return None
        state = answer.get("state")
        return state and element_info(state)

    async def _screenshot(self) -> str | None:
        try:
            async with asyncio.timeout(_PART_TIMEOUT_S):
                return (await self.tab.screenshots.screenshot(ScreenshotOptions(), None)).data
        except FRAME_UNAVAILABLE:
            return None


def element_info(state: dict[str, Any]) -> ElementInfo:
    """Return the description of an element for an approver, from its state as `identityOf` returns it. Pure.

    An element without a role is `generic`, as in looks: an approval request without a role would be unreadable.
    """
    return ElementInfo(
        role=state["role"] or "generic", name=state["shownName"] or "", bounds=BoundingBox(**state["bounds"])
    )


async def _frames_at(locator: Locator, frame: Frame) -> list[Frame]:
    """Return the frames that share a pixel with the first element, with all that is in them. [asyncio]"""
    if not frame.child_frames or not await locator.count():
        return []
    box = await locator.first.bounding_box()
    found: list[Frame] = []
    for child in frame.child_frames:
        with contextlib.suppress(*faults.VENDOR_ERRORS):  # the frame is gone
            if _overlap(box, await (await child.frame_element()).bounding_box()):
                found += depth_first(child)
    return found


def _overlap(one: Any, other: Any) -> bool:
    return bool(one and other) and all(
        one[start] < other[start] + other[size] and other[start] < one[start] + one[size]
        for start, size in (("x", "width"), ("y", "height"))
    )


def _lineage(frame: Frame) -> Iterator[Frame]:
    """Yield a frame and those around it, from the inside."""
    around: Frame | None = frame
    while around is not None:
        yield around
        around = around.parent_frame
