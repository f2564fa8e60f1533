"""What a page is shown on, and pictures of it there."""

import base64
import contextlib
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any, Final, Protocol

import attrs
from playwright.async_api import CDPSession, FloatRect, Locator, Page

from agentbrowser.browser.page.isolated_world import Worlds
from agentbrowser.protocol.errors import AgentBrowserError, ElementNotVisible, InvalidParams
from agentbrowser.protocol.types.emulate import Screen

_MAX_TOUCHES: Final = 5


class Surface(Protocol):
    """What a lens needs of a tab."""

    @property
    def page(self) -> Page:
        """The page."""
        ...

    @property
    def is_chromium(self) -> bool:
        """Whether the engine speaks CDP."""
        ...

    @property
    def worlds(self) -> Worlds:
        """Our scripts in its frames."""
        ...

    async def cdp(self) -> CDPSession:
        """Return the page's session."""
        ...


@attrs.define(eq=False)
class Lens:
    """The screen of one tab.

    Playwright knows no more of it than the size, and its pictures show and undo the rest: on a special screen a page is
    pictured through its own session, and masked by our own panes. Its touch goes with a picture of more than is shown
    even so.
    """

    tab: Surface
    _screen: Screen | None = attrs.field(default=None, init=False)

    async def use(self, screen: Screen) -> None:
        """Show the page on this screen. [asyncio]

        Raises:
          InvalidParams: the engine knows no screens but plain ones.
        """
        if not (self.tab.is_chromium or screen.is_plain):
            expected = "absent, for only Chromium can change that"
            raise InvalidParams("Only the size of this page can be changed.", path="params", expected=expected)
        await self.tab.page.set_viewport_size({"width": screen.width, "height": screen.height})
        if self.tab.is_chromium:
            await self._put(screen)
            self._screen = None if screen.is_plain else screen

    @property
    def is_plain(self) -> bool:
        """Whether the page can be pictured by `snap`."""
        return self.tab.is_chromium and self._screen is None

    async def snap(self, how: Mapping[str, Any]) -> bytes:
        """Picture just what is shown, pixel by pixel. [asyncio]

        Without a clip: that would undo the screen, which is set in Playwright's session. A JPEG made for speed is the
        same, bit by bit; other formats get larger.

        Source: bench/peers; Playwright's own way asks the page four more questions.
        """
        wanted = {"format": how["type"], "optimizeForSpeed": how["type"] == "jpeg"}
        if "quality" in how:
            wanted["quality"] = how["quality"]
        return base64.b64decode((await (await self.tab.cdp()).send("Page.captureScreenshot", wanted))["data"])

    async def shoot(
        self, how: Mapping[str, Any], area: FloatRect, *, clip: FloatRect | None, full_page: bool, timeout_ms: float
    ) -> bytes:
        """Picture the viewport or the whole document, or the clip of it. [asyncio]

        Args:
          how: further options of Playwright's ``Page.screenshot``.
          area: what is pictured without a clip, in CSS pixels.
        """
        if (screen := self._screen) is None:
            return await self.tab.page.screenshot(full_page=full_page, clip=clip, timeout=timeout_ms, **how)
        return await self._picture(screen, clip or area, how, in_document=full_page)

    async def shoot_element(self, how: Mapping[str, Any], locator: Locator, timeout_ms: float) -> bytes:
        """Picture an element. [asyncio]

        Raises:
          ElementNotVisible: it is not shown any more.
        """
        if (screen := self._screen) is None:
            return await locator.screenshot(timeout=timeout_ms, **how)
        await locator.scroll_into_view_if_needed(timeout=timeout_ms)
        box = await locator.bounding_box(timeout=timeout_ms)
        if box is None:
            raise ElementNotVisible("The element is hidden.")
        return await self._picture(screen, box, how, in_document=False)

    async def _picture(self, screen: Screen, area: FloatRect, how: Mapping[str, Any], *, in_document: bool) -> bytes:
        session = await self.tab.cdp()
        shown = (await session.send("Page.getLayoutMetrics"))["cssVisualViewport"]
        left, top = (0, 0) if in_document else (shown["pageX"], shown["pageY"])
        scale = 1 / screen.device_scale_factor if how["scale"] == "css" else 1
        clip = {**area, "x": left + area.get("x", 0), "y": top + area.get("y", 0), "scale": scale}
        wanted = {"format": how["type"], "clip": clip, "captureBeyondViewport": in_document}
        if "quality" in how:
            wanted["quality"] = how["quality"]
        try:
            async with self._masked(how.get("mask", ())):
                return base64.b64decode((await session.send("Page.captureScreenshot", wanted))["data"])
        finally:
            await session.send("Emulation.setTouchEmulationEnabled", _touch(screen))

    @contextlib.asynccontextmanager
    async def _masked(self, locators: Iterable[Locator]) -> AsyncIterator[None]:
        """Cover the elements for as long as the block lasts."""
        handles = [handle for locator in locators for handle in await locator.element_handles()]
        boxes = [box for handle in handles if (box := await handle.bounding_box()) is not None]
        if not boxes:
            yield
            return
        world = self.tab.worlds.of(self.tab.page.main_frame)
        try:
            await world.call("glaze", {"boxes": boxes})
            yield
        finally:
            with contextlib.suppress(AgentBrowserError):  # then the document is gone, and the panes with it
                await world.call("glaze", {"boxes": []})

    async def _put(self, screen: Screen) -> None:
        session = await self.tab.cdp()
        await session.send("Emulation.setDeviceMetricsOverride", _metrics(screen))
        await session.send("Emulation.setTouchEmulationEnabled", _touch(screen))


def _touch(screen: Screen) -> dict[str, Any]:
    return {"enabled": screen.has_touch, "maxTouchPoints": _MAX_TOUCHES}


def _metrics(screen: Screen) -> dict[str, Any]:
    is_upright = screen.is_mobile and screen.height >= screen.width
    sideways = {"angle": 90 if screen.is_mobile else 0, "type": "landscapePrimary"}
    return {
        "width": screen.width,
        "height": screen.height,
        "screenWidth": screen.width,
        "screenHeight": screen.height,
        "deviceScaleFactor": screen.device_scale_factor,
        "mobile": screen.is_mobile,
        "screenOrientation": {"angle": 0, "type": "portraitPrimary"} if is_upright else sideways,
    }
