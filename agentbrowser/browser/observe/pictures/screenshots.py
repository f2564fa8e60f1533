"""Screenshots and PDFs of a page."""

import asyncio
import base64
import contextlib
import math
from collections.abc import AsyncIterator
from typing import Any, Final, NoReturn

import attrs
from playwright.async_api import Error, FloatRect, Frame, Locator

from agentbrowser.browser import faults
from agentbrowser.browser.act.locate import ElementSearch, show_frames
from agentbrowser.browser.deadline import Deadline
from agentbrowser.browser.observe.pictures.file_formats import image_size, page_count
from agentbrowser.browser.observe.pictures.screenshotter import Screenshotter
from agentbrowser.browser.observe.surface import ObserveSurface
from agentbrowser.browser.page import secrets
from agentbrowser.browser.portal import remaining_s
from agentbrowser.protocol.errors import (
    ActionFailed,
    AgentBrowserError,
    ElementNotVisible,
    InvalidParams,
    ResourceLimitExceeded,
)
from agentbrowser.protocol.types.emulate import Screen
from agentbrowser.protocol.types.observe import Clip, PdfOptions, PdfResult, ScreenshotOptions, ScreenshotResult
from agentbrowser.protocol.types.selector import Selector, describe

MAX_SIDE: Final = 16_384
MAX_PIXELS: Final = 50_000_000
MAX_PDF_HEIGHT: Final = 1_000_000
"""About a thousand sheets, in CSS pixels."""
_USUAL_QUALITY: Final = 80
_MARGIN_S: Final = 0.2
_ANSWER_TIMEOUT_S: Final = 0.5
"""Time for a frame to hide its caret."""


@attrs.frozen
class PageExtent:
    """Sizes of viewport and document in CSS pixels, and the number of device pixels per CSS pixel."""

    viewport: FloatRect
    document: FloatRect
    ratio: float
    is_plain: bool
    """True if the viewport can be captured without waiting or conversion."""


@attrs.frozen
class Screenshots:
    """Screenshots and PDFs of one tab."""

    tab: ObserveSurface
    device: Screen = Screen(width=1280, height=720)
    """The context's screen, which Playwright emulates itself."""
    screenshotter: Screenshotter = attrs.field(
        default=attrs.Factory(lambda made: Screenshotter(made.tab, made.device), takes_self=True), init=False
    )

    async def screenshot(
        self,
        options: ScreenshotOptions,
        selector: Selector | None,
        timeout_ms: int | None = None,
        *,
        hides_caret: bool = True,
    ) -> ScreenshotResult:
        """Take a screenshot of the viewport, the document, a part of it, or one element. [asyncio]

        Raises:
          InvalidParams: the options exclude each other, or the clip is outside the image.
          ResourceLimitExceeded, ActionFailed: the image would be too large, or show a secret that can't be covered.
        """
        _check(options, selector)
        options_ = await self._capture_options(options)
        async with self._measured(hides_caret=hides_caret) as extent:
            ratio = extent.ratio if options.scale == "device" else 1
            if selector is None:
                image = await self._page(options, extent, ratio, options_)
            else:
                image = await self._element(selector, Deadline.of_request(timeout_ms), ratio, options_)
        width, height = image_size(image)
        data = base64.b64encode(image).decode("ascii")
        return ScreenshotResult(data=data, format=options.format, width=width, height=height)

    async def _capture_options(self, options: ScreenshotOptions) -> dict[str, Any]:
        # Playwright would hide the caret by styles in the page's DOM, and stopping animations would end them.
        options_: dict[str, Any] = {
            "animations": "allow",
            "caret": "initial",
            "type": options.format,
            "scale": options.scale,
        }
        if options.format != "png":
            options_["quality"] = _USUAL_QUALITY if options.quality is None else options.quality
        masks = await secrets.places_to_cover(self.tab)
        masks += [locator for masked in options.mask or () if (locator := await self._masked(masked))]
        return options_ | ({"mask": masks} if masks else {})

    async def _masked(self, selector: Selector) -> Locator | None:
        with faults.mapped(selector=describe(selector)):
            found = await ElementSearch(self.tab, selector).find_all()
            if found is None:
                return None
            await found.locator.count()  # raises for an invalid selector here, and not in the screenshot
            return found.locator

    async def _page(
        self, options: ScreenshotOptions, extent: PageExtent, ratio: float, options_: dict[str, Any]
    ) -> bytes:
        area = extent.document if options.full_page else extent.viewport
        clip = _clip_within(options.clip, area) if options.clip else None
        _check_size(clip or area, ratio)
        with faults.mapped(action="screenshot"):
            if (
                extent.is_plain
                and area is extent.viewport
                and not clip
                and self.screenshotter.is_plain
                and "mask" not in options_
            ):
                image = await self.screenshotter.capture_viewport(options_)
                if image_size(image) == (area["width"], area["height"]):  # a window can be larger than the page in it
                    return image
            return await self.screenshotter.capture_page(
                options_, area, clip=clip, full_page=options.full_page, timeout_ms=_left_ms()
            )

    async def _element(self, selector: Selector, deadline: Deadline, ratio: float, options_: dict[str, Any]) -> bytes:
        with faults.mapped(action="screenshot", selector=describe(selector)):
            found = await ElementSearch(self.tab, selector).locate(deadline)
            deadline.restart()
            box = await found.locator.bounding_box(timeout=deadline.left_ms)
            if box is None:
                raise ElementNotVisible("The element is hidden.", selector=describe(selector))
            _check_size(box, ratio)
            await show_frames(self.tab, found.frame, deadline.left_ms)
            image = await self.screenshotter.capture_element(options_, found.locator, deadline.left_ms)
            if _is_before_viewport(box):  # where no scrolling leads: the image shows nothing of it
                box = await found.locator.bounding_box(timeout=deadline.left_ms)
                if box is not None and _is_before_viewport(box):
                    message = "The element can't be scrolled into the viewport."
                    raise ElementNotVisible(message, selector=describe(selector))
            return image

    @contextlib.asynccontextmanager
    async def _measured(self, *, hides_caret: bool) -> AsyncIterator[PageExtent]:
        """Return the sizes, and hide the caret for the duration of the block: without one, by no call of its own."""
        main = self.tab.page.main_frame
        extent, caret = await self._extent(hides_caret=hides_caret)
        children = self.tab.page.frames[1:] if caret["isInFrame"] else []
        try:
            await asyncio.gather(*(self._call(frame, "hideCaret") for frame in children))
            yield extent
        finally:
            hidden_in = [main] if caret["isHidden"] else children
            await asyncio.gather(*(self._call(frame, "showCaret") for frame in hidden_in))

    async def _call(self, frame: Frame, function: str) -> None:
        """Call a function in a frame, unless that is busy or gone, or has another document by now. [asyncio]"""
        with contextlib.suppress(TimeoutError, AgentBrowserError):
            async with asyncio.timeout(_ANSWER_TIMEOUT_S):
                await self.tab.isolated_worlds.of(frame).call(function)

    async def _extent(self, *, hides_caret: bool) -> tuple[PageExtent, dict[str, bool]]:
        world = self.tab.isolated_worlds.of(self.tab.page.main_frame)
        answer = await world.call("extent", {"hidesCaret": hides_caret})
        extent = PageExtent(answer["shown"], answer["whole"], answer["ratio"], is_plain=answer["isPlain"])
        return extent, answer["caret"]

    async def pdf(self, options: PdfOptions) -> PdfResult:
        """Print the page as PDF. [asyncio]

        Raises:
          ActionFailed: the browser can't print, or the page shows a secret, which can't be covered in a PDF.
          InvalidParams: the margins leave no room.
          ResourceLimitExceeded: the page would fill more than about a thousand sheets.
        """
        if not self.tab.is_chromium:
            raise ActionFailed("Only Chromium prints to PDF.", action="pdf", reason="browser")
        if await secrets.secret_locators(self.tab) != []:
            reason = "the page shows a secret"
            raise ActionFailed(f"The pdf failed: {reason}.", action="pdf", reason=reason, hint="Take a screenshot.")
        height = (await self._extent(hides_caret=False))[0].document["height"]
        if height > MAX_PDF_HEIGHT:
            message = f"The page is {height:.0f} pixels long; more than {MAX_PDF_HEIGHT} are not printed."
            raise ResourceLimitExceeded(message, resource="pdf", limit=MAX_PDF_HEIGHT, current=round(height))
        with faults.mapped(action="pdf"):
            pdf = await self._print(options)
        return PdfResult(data=base64.b64encode(pdf).decode("ascii"), pages=page_count(pdf))

    async def _print(self, options: PdfOptions) -> bytes:
        margin: Any = attrs.asdict(options.margin, filter=lambda _, side: side is not None) if options.margin else None
        try:
            return await self.tab.page.pdf(
                format=options.format,
                landscape=options.landscape,
                scale=options.scale,
                margin=margin,
                print_background=options.print_background,
            )
        except Error as error:
            if "content area is empty" in error.message:
                _refuse("options.margin", "margins that leave room on the page", "no room")
            raise


def _left_ms() -> float:
    """Return the remaining time for Playwright, which takes 0 as no limit."""
    left_s = remaining_s()
    return 0 if math.isinf(left_s) else max(1.0, (left_s - _MARGIN_S) * 1000)


def _is_before_viewport(box: FloatRect) -> bool:
    """Return True if all of a box is to the left of the viewport, or above it."""
    return box["x"] + box["width"] <= 0 or box["y"] + box["height"] <= 0


def _check(options: ScreenshotOptions, selector: Selector | None) -> None:
    """Reject options that would have no effect: silence would hide the mistake."""
    if options.quality is not None and options.format == "png":
        _refuse("options.quality", "absent with png, which has no quality", str(options.quality))
    if selector is not None and options.clip is not None:
        _refuse("options.clip", "absent with a selector", "both")
    if selector is not None and options.full_page:
        _refuse("options.fullPage", "false with a selector", "both")


def _refuse(path: str, expected: str, got: str) -> NoReturn:
    raise InvalidParams(f"{path} must be {expected}.", path=path, expected=expected, got=got)


def _clip_within(clip: Clip, area: FloatRect) -> FloatRect:
    """Return the part of the clip inside the area."""
    width = min(clip.x + clip.width, area["width"]) - clip.x
    height = min(clip.y + clip.height, area["height"]) - clip.y
    if width <= 0 or height <= 0:
        _refuse("options.clip", f"within {area['width']:g} x {area['height']:g} pixels", f"{clip.x:g}, {clip.y:g}")
    return {"x": clip.x, "y": clip.y, "width": width, "height": height}


def _check_size(area: FloatRect, ratio: float) -> None:
    width, height = math.ceil(area["width"] * ratio), math.ceil(area["height"] * ratio)
    for current, limit, unit in (
        (max(width, height), MAX_SIDE, "pixels on a side"),
        (width * height, MAX_PIXELS, "pixels"),
    ):
        if current > limit:
            raise ResourceLimitExceeded(
                f"The image would be {width} x {height} pixels; it may have {limit} {unit}.",
                resource="screenshot",
                limit=limit,
                current=current,
                hint="Ask for a clip, an element, or the css scale.",
            )
