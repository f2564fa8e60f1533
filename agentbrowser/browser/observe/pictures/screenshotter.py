"""Captures of one tab on its emulated screen."""

import asyncio
import base64
import contextlib
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any, Final

import attrs
from playwright.async_api import CDPSession, Error, FloatRect, Locator

from agentbrowser.browser.observe.surface import ObserveSurface
from agentbrowser.protocol.errors import AgentBrowserError, ElementNotVisible, InvalidParams
from agentbrowser.protocol.types.emulate import Screen

_MAX_TOUCHES: Final = 5
_MAX_CAPTURES: Final = 4


@attrs.define(eq=False)
class Screenshotter:
    """Screen emulation of one tab, and the captures on it.

    Playwright knows only the context's device, and its screenshots bring that back. On another screen a page is
    captured through its own session and masked by our own overlay. Captures beyond the viewport reset touch emulation
    even then.

    Captures and changes of the screen run one at a time: at its end, a capture restores the screen of its start.
    """

    tab: ObserveSurface
    device: Screen
    """The context's screen, which Playwright emulates itself."""
    screen: Screen | None = attrs.field(default=None, init=False)
    """Screen that only we emulate."""
    _lock: asyncio.Lock = attrs.field(factory=asyncio.Lock, init=False)

    async def set_screen(self, screen: Screen) -> None:
        """Emulate this screen. [asyncio]

        Raises:
          InvalidParams: the engine can only change the size.
        """
        if not (self.tab.is_chromium or screen.is_plain):
            expected = "absent, for only Chromium can change that"
            raise InvalidParams("Only the size of this page can be changed.", path="params", expected=expected)
        if self.device.has_touch:  # Chromium has it again after a capture beyond the viewport
            screen = attrs.evolve(screen, has_touch=True)
        async with self._lock:
            await self.tab.page.set_viewport_size({"width": screen.width, "height": screen.height})
            if self.tab.is_chromium:
                await self._apply_screen(screen)
                self.screen = None if screen.is_like(self.device) else screen

    @property
    def is_plain(self) -> bool:
        """Return True if `capture_viewport` can capture the page."""
        return self.tab.is_chromium and self.screen is None

    async def capture_viewport(self, options_: Mapping[str, Any]) -> bytes:
        """Capture the viewport pixel by pixel. [asyncio]

        No clip: it would reset the screen emulation of Playwright's session. A JPEG that is optimized for speed is
        identical bit by bit; other formats get larger.

        Source: bench/peers; Playwright's own method makes four more calls to the page.
        """
        arguments = {"format": options_["type"], "optimizeForSpeed": options_["type"] == "jpeg"}
        if "quality" in options_:
            arguments["quality"] = options_["quality"]
        async with self._lock:
            if self.screen is None:
                return await _captured(await self.tab.cdp(), arguments)
            # From the session that emulates the screen, it would change that meanwhile: input landed elsewhere.
            session = await self.tab.page.context.new_cdp_session(self.tab.page)
            try:
                return await _captured(session, arguments)
            finally:
                await session.detach()

    async def capture_page(
        self,
        options_: Mapping[str, Any],
        area: FloatRect,
        *,
        clip: FloatRect | None,
        full_page: bool,
        timeout_ms: float,
    ) -> bytes:
        """Capture the viewport or the whole document, or a clip of it. [asyncio]

        Args:
          options_: other options of Playwright's ``Page.screenshot``.
          area: area without a clip, in CSS pixels.
        """
        async with self._lock:
            if (screen := self.screen) is None:
                return await self.tab.page.screenshot(full_page=full_page, clip=clip, timeout=timeout_ms, **options_)
            return await self._capture(screen, clip or area, options_, in_document=full_page)

    async def capture_element(self, options_: Mapping[str, Any], locator: Locator, timeout_ms: float) -> bytes:
        """Capture an element. [asyncio]

        Raises:
          ElementNotVisible: the element is not visible any more.
        """
        async with self._lock:
            if (screen := self.screen) is None:
                return await locator.screenshot(timeout=timeout_ms, **options_)
            await locator.scroll_into_view_if_needed(timeout=timeout_ms)
            box = await locator.bounding_box(timeout=timeout_ms)
            if box is None:
                raise ElementNotVisible("The element is hidden.")
            return await self._capture(screen, box, options_, in_document=False)

    async def _capture(
        self, screen: Screen, area: FloatRect, options_: Mapping[str, Any], *, in_document: bool
    ) -> bytes:
        session = await self.tab.cdp()
        viewport = (await session.send("Page.getLayoutMetrics"))["cssVisualViewport"]
        left, top = (0, 0) if in_document else (viewport["pageX"], viewport["pageY"])
        scale = 1 / screen.device_scale_factor if options_["scale"] == "css" else 1
        clip = {**area, "x": left + area.get("x", 0), "y": top + area.get("y", 0), "scale": scale}
        arguments = {"format": options_["type"], "clip": clip, "captureBeyondViewport": in_document}
        if "quality" in options_:
            arguments["quality"] = options_["quality"]
        try:
            async with self._masked(options_.get("mask", ())):
                return base64.b64decode(await _settled_capture(session, arguments))
        finally:
            await session.send("Emulation.setTouchEmulationEnabled", _touch(screen))

    @contextlib.asynccontextmanager
    async def _masked(self, locators: Iterable[Locator]) -> AsyncIterator[None]:
        """Cover the elements for the duration of the block."""
        # One by one: of many handles at once, the pipe keeps a hundred.
        each = [locator.nth(index) for locator in locators for index in range(await locator.count())]
        handles = [handle for locator in each for handle in await locator.element_handles()]
        boxes = [box for handle in handles if (box := await handle.bounding_box()) is not None]
        if not boxes:
            yield
            return
        world = self.tab.isolated_worlds.of(self.tab.page.main_frame)
        try:
            await world.call("showRedactions", {"boxes": boxes})
            yield
        finally:
            with contextlib.suppress(AgentBrowserError):  # the document is gone, and the overlay with it
                await world.call("showRedactions", {"boxes": []})

    async def _apply_screen(self, screen: Screen) -> None:
        session = await self.tab.cdp()
        await session.send("Emulation.setDeviceMetricsOverride", _metrics(screen))
        await session.send("Emulation.setTouchEmulationEnabled", _touch(screen))


async def _settled_capture(session: CDPSession, arguments: Mapping[str, Any]) -> str:
    """Capture until two captures in a row are equal, at most four times; return the last one, in base64.

    For a clip, Chromium changes the emulated screen, and one capture in 100 on a busy machine shows the frame from
    before the change: at the wrong scale, cut to the right size.
    """
    data = ""
    for _ in range(_MAX_CAPTURES):
        previous, data = data, (await session.send("Page.captureScreenshot", dict(arguments)))["data"]
        if data == previous:
            break
    return data


async def _captured(session: CDPSession, arguments: Mapping[str, Any]) -> bytes:
    try:
        answer = await session.send("Page.captureScreenshot", dict(arguments))
    except Error:  # Chromium fails now and then behind a reload
        answer = await session.send("Page.captureScreenshot", dict(arguments))
    return base64.b64decode(answer["data"])


def _touch(screen: Screen) -> dict[str, Any]:
    return {"enabled": screen.has_touch, "maxTouchPoints": _MAX_TOUCHES}


def _metrics(screen: Screen) -> dict[str, Any]:
    is_upright = screen.is_mobile and screen.height >= screen.width
    landscape = {"angle": 90 if screen.is_mobile else 0, "type": "landscapePrimary"}
    return {
        "width": screen.width,
        "height": screen.height,
        "screenWidth": screen.width,
        "screenHeight": screen.height,
        "deviceScaleFactor": screen.device_scale_factor,
        "mobile": screen.is_mobile,
        "screenOrientation": {"angle": 0, "type": "portraitPrimary"} if is_upright else landscape,
    }
