"""Screencast of one page: JPEG pictures at a limited rate, shared by all watchers."""

import asyncio
import base64
import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import attrs
import structlog
from playwright.async_api import CDPSession

from agentbrowser.browser import faults
from agentbrowser.browser.background_tasks import close_quietly
from agentbrowser.browser.engine import vendor
from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.browser.live.agent_pauses import AgentPauses, happens
from agentbrowser.browser.page.frame_tree import FRAME_UNAVAILABLE
from agentbrowser.protocol.types.observe import ScreenshotOptions

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab

log = structlog.get_logger("agentbrowser.live")

MAX_SIDE: Final = 1280
"""Longest side of a picture in pixels: a larger viewport is scaled down."""
MAX_PICTURE_BYTES: Final = 2 * 1024 * 1024
_QUALITY: Final = 60
_INTERVAL_S: Final = 0.1
"""At most ten pictures a second."""
_ACTED_INTERVAL_S: Final = 0.25
"""Interval while the agent acts: the browser draws and encodes each picture in its time."""
_COVERED_INTERVAL_S: Final = 0.5
"""Interval of pictures with covered secrets: each is a screenshot, which takes time from the agent."""
_COVERED_TIMEOUT_S: Final = 2.0
_REFRESH_S: Final = 0.15
"""Rest after a change, after which the present picture is requested: the browser may have dropped the last change."""
_FRAME_TIMEOUT_S: Final = 0.5
_RETRY_S: Final = 0.5
"""Pause before a screencast that has failed starts again."""


@attrs.frozen
class Picture:
    """Picture of a page's viewport, whose size in CSS pixels maps positions on the picture to the page."""

    jpeg: bytes
    width: int
    height: int


@attrs.define(eq=False)
class Screencast:
    """Screencast of one tab, on a CDP session of its own.

    Acknowledgements are delayed, so that the browser sends no more than the rate allows. A picture beyond it replaces
    the one that waits. Once a secret of the operator was typed, screenshots that cover it take the place of frames.

    Args:
      pauses: pauses of the agent, in which pictures follow each change.
      deliver: receives each picture, in the browser thread.
      is_wanted: returns False while no watcher is ready for a picture.
    """

    tab: "Tab"
    pauses: AgentPauses
    deliver: Callable[[Picture], object]
    is_wanted: Callable[[], bool] = lambda: True
    session: CDPSession | None = attrs.field(default=None, init=False)
    _waiting: dict[str, Any] | None = attrs.field(default=None, init=False)
    """The newest frame, while it waits for its turn."""
    _unacknowledged: list[int] = attrs.field(factory=list, init=False)
    _woken: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)
    """Set by a frame, and by an action of the agent."""
    _last_data: str = attrs.field(default="", init=False)
    """Data of the last frame."""
    _is_on: bool = attrs.field(default=False, init=False)
    _is_first: bool = attrs.field(default=False, init=False)
    """True until the first frame since the start, which shows the present state: nothing was dropped before it."""
    _may_lack_last: bool = attrs.field(default=False, init=False)
    """True after a change: Chromium drops frames while two are under way, and the last change may be among them."""
    _running: asyncio.Task[None] | None = attrs.field(default=None, init=False)

    async def start(self) -> None:
        """Start sending pictures. [asyncio]"""
        self.pauses.on_work = self._woken.set
        with faults.mapped():
            self.session = await self.tab.page.context.new_cdp_session(self.tab.page)
            self.tab.tabs.engine.pipe.relate(vendor.guid_of(self.session), vendor.guid_of(self.tab.page))
            self.session.on("Page.screencastFrame", safe_listener(self._on_frame))
            await self._turn_on()
        self._running = self.tab.tabs.run_in_background(self._run())

    async def stop(self) -> None:
        """Stop sending pictures. [asyncio]"""
        if self._running is not None:
            self._running.cancel()
        if self.session is not None and not self.tab.page.is_closed():
            await close_quietly(self.session.detach())

    async def _turn_on(self) -> None:
        """Have the browser send the present picture, and a frame after each change. [asyncio]"""
        assert self.session is not None
        self._is_on = self._is_first = True
        arguments = {"format": "jpeg", "quality": _QUALITY, "maxWidth": MAX_SIDE, "maxHeight": MAX_SIDE}
        await vendor.send(self.session, "Page.startScreencast", arguments)

    async def _turn_off(self) -> None:
        """Have the browser copy and encode no more frames. [asyncio]"""
        assert self.session is not None
        self._is_on = self._may_lack_last = False
        try:
            await vendor.send(self.session, "Page.stopScreencast", {})
        finally:
            self._waiting, self._unacknowledged = None, []

    def _on_frame(self, frame: dict[str, Any]) -> None:
        self._unacknowledged.append(frame["sessionId"])
        self._waiting = frame
        self._woken.set()

    async def _run(self) -> None:
        while not self.tab.page.is_closed():
            try:
                while True:
                    await (self._follow() if self.pauses.pause.is_set() else self._stand_back())
            except faults.VENDOR_ERRORS as error:  # the page may have crashed, and another takes its place
                log.info("screencast_failed", page=self.tab.id, error=type(error).__name__)
                await asyncio.sleep(_RETRY_S)
                with contextlib.suppress(*faults.VENDOR_ERRORS):
                    await self._turn_off()

    async def _follow(self) -> None:
        """Send the next picture in a pause of the agent. [asyncio]"""
        if not self._is_on:
            await self._turn_on()
        if not await happens(self._woken, _REFRESH_S if self._may_lack_last else None):
            await self._turn_off()  # and on: the browser sends the present picture then
            return
        if not self.is_wanted():
            await happens(self.pauses.work, _INTERVAL_S)
            return
        self._woken.clear()
        if self._waiting is None:
            return
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        await self._send_waiting()
        await happens(self.pauses.work, began_s + self._interval_s - loop.time())
        await self._acknowledge()

    async def _stand_back(self) -> None:
        """Send a single picture if the agent makes no pause for long. [asyncio]

        A screencast costs each action a third of its time even while the browser sends no frames: it copies each one.
        """
        if self._is_on:
            await self._turn_off()
        interval_s = max(self._interval_s, _ACTED_INTERVAL_S)
        if await happens(self.pauses.pause, interval_s) or not self.is_wanted():
            return
        self._woken.clear()
        await self._turn_on()
        if await happens(self._woken, _FRAME_TIMEOUT_S):
            await self._send_waiting()

    @property
    def _interval_s(self) -> float:
        if self.tab.secrets.used:
            return _COVERED_INTERVAL_S
        return _ACTED_INTERVAL_S if self.tab.hold.is_acted_on else _INTERVAL_S

    async def _acknowledge(self) -> None:
        session, sent, self._unacknowledged = self.session, self._unacknowledged, []
        assert session is not None
        for number in sent:
            await vendor.send(session, "Page.screencastFrameAck", {"sessionId": number})

    async def _send_waiting(self) -> None:
        frame, self._waiting = self._waiting, None
        if frame is None:
            return
        # Also a frame that equals the last one: others between them were dropped, and others after it may be.
        self._may_lack_last = self._may_lack_last or not self._is_first or len(self._unacknowledged) > 1
        self._is_first = False
        if frame["data"] == self._last_data:
            return
        self._last_data = frame["data"]
        metadata = frame["metadata"]
        jpeg = await self._covered() if self.tab.secrets.used else base64.b64decode(frame["data"])
        if jpeg is not None and len(jpeg) <= MAX_PICTURE_BYTES:
            self.deliver(Picture(jpeg, round(metadata["deviceWidth"]), round(metadata["deviceHeight"])))

    async def _covered(self) -> bytes | None:
        """Return a screenshot that covers secrets; None if there is none in time, since a frame would show them."""
        options = ScreenshotOptions(format="jpeg", quality=_QUALITY, scale="css")
        try:
            async with asyncio.timeout(_COVERED_TIMEOUT_S):
                # To hide the caret, which a person needs, would draw the page anew: there would be a next frame.
                picture = await self.tab.screenshots.screenshot(options, None, hides_caret=False)
                return base64.b64decode(picture.data)
        except FRAME_UNAVAILABLE as error:
            log.info("picture_left_out", error=type(error).__name__)
            return None
