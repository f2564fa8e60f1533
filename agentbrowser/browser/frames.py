"""Frames of a page, and the current frame, which actions and observations use."""

from typing import TYPE_CHECKING

import attrs
from playwright.async_api import Frame

from agentbrowser.browser import faults
from agentbrowser.browser.act.locate import ElementSearch
from agentbrowser.browser.deadline import Deadline
from agentbrowser.protocol.errors import FrameNotFound, InvalidParams
from agentbrowser.protocol.types.frame import MAX_NAME_LENGTH, FrameInfo
from agentbrowser.protocol.types.selector import Selector, describe

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab


@attrs.define(eq=False)
class Frames:
    """Frames of one tab."""

    tab: "Tab"
    _current: Frame | None = attrs.field(default=None, init=False)

    @property
    def current(self) -> Frame:
        """The current frame: the main frame, unless the client has switched to another.

        Raises:
          FrameNotFound: the current frame is gone; from now on the main frame is current.
        """
        frame = self._current
        if frame is None or not frame.is_detached():
            return frame or self.tab.page.main_frame
        self._current = None
        raise FrameNotFound(
            "The frame that was switched to is gone; the main frame is meant again.",
            identifier=self.tab.frame_id(frame),
        )

    def all(self) -> list[FrameInfo]:
        """Return all frames, each after its parent."""
        return [self._info(frame) for frame in self.tab.page.frames]

    def main(self) -> FrameInfo:
        """Switch back to the main frame."""
        self._current = None
        return self._info(self.tab.page.main_frame)

    def switch_to(self, frame_id: str) -> FrameInfo:
        """Switch to the frame with that id."""
        return self._switch([frame for frame in self.tab.page.frames if self.tab.frame_id(frame) == frame_id], frame_id)

    def switch_to_url(self, url: str) -> FrameInfo:
        """Switch to the frame with that URL, or to the only one whose URL contains it."""
        frames = self.tab.page.frames
        exact = [frame for frame in frames if frame.url == url]
        shown = self.tab.secrets.masks.text  # a part of a secret fits nothing
        return self._switch(exact or [frame for frame in frames if url in shown(frame.url)], url)

    async def switch_into(self, selector: Selector, timeout_ms: int | None) -> FrameInfo:
        """Switch to the frame in an element of the current frame, or of the main one if that is gone. [asyncio]

        Raises:
          ElementNotFound: there is no such element.
          FrameNotFound: the element contains no frame.
        """
        if self._current is not None and self._current.is_detached():
            self._current = None  # the client is choosing anew: an error would only cost it a repeat
        with faults.mapped(selector=describe(selector)):
            deadline = Deadline.of_request(timeout_ms)
            found = await ElementSearch(self.tab, selector).locate(deadline)
            frame = await (await found.locator.element_handle(timeout=deadline.left_ms)).content_frame()
        return self._switch([frame] if frame else [], str(describe(selector)))

    def _switch(self, frames: list[Frame], identifier: str) -> FrameInfo:
        if not frames:
            raise FrameNotFound("No frame fits.", identifier=identifier)
        if len(frames) > 1:
            raise InvalidParams(
                f"{len(frames)} frames fit.", path="url", expected="the URL of one frame", got=identifier
            )
        self._current = None if frames[0].parent_frame is None else frames[0]
        return self._info(frames[0])

    def _info(self, frame: Frame) -> FrameInfo:
        parent = frame.parent_frame
        return FrameInfo(
            frame_id=self.tab.frame_id(frame),
            name=frame.name[:MAX_NAME_LENGTH],
            url=frame.url,
            parent_frame_id=self.tab.frame_id(parent) if parent else None,
            is_main=parent is None,
        )
