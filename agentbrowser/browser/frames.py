"""The frames of a page, and the one of them that actions and observations go to."""

from typing import TYPE_CHECKING

import attrs
from playwright.async_api import Frame

from agentbrowser.browser import faults
from agentbrowser.browser.act.locate import locate
from agentbrowser.browser.deadline import Deadline
from agentbrowser.protocol.errors import FrameNotFound, InvalidParams
from agentbrowser.protocol.types.frame import FrameInfo
from agentbrowser.protocol.types.selector import Selector, describe

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab


@attrs.define(eq=False)
class Frames:
    """The frames of one tab."""

    tab: "Tab"
    _chosen: Frame | None = attrs.field(default=None, init=False)

    @property
    def chosen(self) -> Frame:
        """The frame that is meant now: the main one, unless another was switched to.

        Raises:
          FrameNotFound: the frame that was switched to is gone; from now on the main one is meant again.
        """
        frame = self._chosen
        if frame is None or not frame.is_detached():
            return frame or self.tab.page.main_frame
        self._chosen = None
        raise FrameNotFound(
            "The frame that was switched to is gone; the main frame is meant again.",
            identifier=self.tab.frame_id(frame),
        )

    def all(self) -> list[FrameInfo]:
        """Return all frames, each after its parent."""
        return [self._info(frame) for frame in self.tab.page.frames]

    def main(self) -> FrameInfo:
        """Switch back to the main frame."""
        self._chosen = None
        return self._info(self.tab.page.main_frame)

    def switch_to(self, frame_id: str) -> FrameInfo:
        """Switch to the frame with that id."""
        return self._choose([frame for frame in self.tab.page.frames if self.tab.frame_id(frame) == frame_id], frame_id)

    def switch_to_url(self, url: str) -> FrameInfo:
        """Switch to the frame with that URL, or to the only one whose URL holds it."""
        frames = self.tab.page.frames
        exact = [frame for frame in frames if frame.url == url]
        return self._choose(exact or [frame for frame in frames if url in frame.url], url)

    async def switch_into(self, selector: Selector, timeout_ms: int | None) -> FrameInfo:
        """Switch to the frame that an element of the current one shows. [asyncio]

        Raises:
          ElementNotFound: there is no such element.
          FrameNotFound: it shows no frame.
        """
        with faults.mapped(selector=describe(selector)):
            found = await locate(self.tab, selector, Deadline.of(timeout_ms))
            frame = await (await found.locator.element_handle()).content_frame()
        return self._choose([frame] if frame else [], str(describe(selector)))

    def _choose(self, frames: list[Frame], identifier: str) -> FrameInfo:
        if not frames:
            raise FrameNotFound("No frame fits.", identifier=identifier)
        if len(frames) > 1:
            raise InvalidParams(
                f"{len(frames)} frames fit.", path="url", expected="the URL of one frame", got=identifier
            )
        self._chosen = None if frames[0].parent_frame is None else frames[0]
        return self._info(frames[0])

    def _info(self, frame: Frame) -> FrameInfo:
        parent = frame.parent_frame
        return FrameInfo(
            frame_id=self.tab.frame_id(frame),
            name=frame.name,
            url=frame.url,
            parent_frame_id=self.tab.frame_id(parent) if parent else None,
            is_main=parent is None,
        )
