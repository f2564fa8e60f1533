"""frame/*: the frames of a page, and the choice of the one for actions and observations."""

from typing import TYPE_CHECKING

import attrs

from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.registry import Scope, page_method
from agentbrowser.protocol.types.fields import field, milliseconds
from agentbrowser.protocol.types.frame import FrameInfo
from agentbrowser.protocol.types.selector import Selector, parse_optional_selector

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab


@attrs.frozen(kw_only=True)
class FrameListParams:
    """A page."""

    page_id: str | None = None


@attrs.frozen(kw_only=True)
class FrameListResult:
    """The page's frames, each after its parent."""

    frames: list[FrameInfo]


@page_method("frame/list", FrameListParams, scope=Scope.READONLY)
async def list_frames(tab: "Tab", params: FrameListParams) -> FrameListResult:
    """List the frames of a page. [asyncio]"""
    return FrameListResult(frames=tab.frames.all())


@attrs.frozen(kw_only=True)
class SwitchParams:
    """Exactly one of: a frame's id, an element that shows it, its URL or a part of that."""

    frame_id: str | None = field(default=None, minimum=1, maximum=100)
    selector: Selector | None = attrs.field(default=None, converter=parse_optional_selector)
    url: str | None = field(default=None, minimum=1, maximum=10_000)
    page_id: str | None = None
    timeout_ms: int | None = milliseconds()

    def check(self) -> None:
        """Reject any number of targets but one."""
        given = [name for name in ("frame_id", "selector", "url") if getattr(self, name) is not None]
        if len(given) != 1:
            expected = "exactly one of frameId, selector and url"
            raise InvalidParams(
                f"frame/switch takes {expected}.", path="frameId", expected=expected, got=f"{len(given)} of them"
            )


@attrs.frozen(kw_only=True)
class SwitchResult:
    """The frame of later actions and observations."""

    frame_id: str
    url: str


@page_method("frame/switch", SwitchParams, scope=Scope.STANDARD)
async def switch(tab: "Tab", params: SwitchParams) -> SwitchResult:
    """Send actions and observations of the page to a frame, until frame/main or the frame is gone. [asyncio]

    Raises:
      FrameNotFound: no frame fits.
    """
    frames = tab.frames
    if params.selector is not None:
        frame = await frames.switch_into(params.selector, params.timeout_ms)
    else:
        frame = frames.switch_to(params.frame_id) if params.frame_id else frames.switch_to_url(params.url or "")
    return SwitchResult(frame_id=frame.frame_id, url=frame.url)


@attrs.frozen(kw_only=True)
class MainParams:
    """A page."""

    page_id: str | None = None


@attrs.frozen(kw_only=True)
class MainResult:
    """The main frame."""

    frame_id: str


@page_method("frame/main", MainParams, scope=Scope.STANDARD)
async def main(tab: "Tab", params: MainParams) -> MainResult:
    """Send following actions and observations of the page to its main frame again. [asyncio]"""
    return MainResult(frame_id=tab.frames.main().frame_id)
