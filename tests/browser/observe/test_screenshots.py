"""Screenshots and PDFs, verified by the browser itself."""

import asyncio
import base64
from typing import Any

import pytest
from playwright.async_api import Route

from agentbrowser.protocol.errors import ElementNotFound, ElementNotVisible, InvalidParams, ResourceLimitExceeded
from agentbrowser.protocol.types.observe import Clip, PdfMargin, PdfOptions, ScreenshotOptions, ScreenshotResult
from agentbrowser.protocol.types.selector import Css
from tests.browser.observed_tab import ObservedTab, look_with_observed_tab, with_observed_tab
from tests.browser.stage import FakeTab, Stage

WHITE, RED, BLUE, PINK = (255, 255, 255), (255, 0, 0), (0, 0, 255), (255, 0, 255)

PAINT = """async ([format, data, x, y]) => {
  const image = new Image();
  image.src = `data:image/${format};base64,${data}`;
  await image.decode();
  const pen = new OffscreenCanvas(image.naturalWidth, image.naturalHeight).getContext('2d');
  pen.drawImage(image, 0, 0);
  return { size: [image.naturalWidth, image.naturalHeight], pixel: [...pen.getImageData(x, y, 1, 1).data].slice(0, 3) };
}"""


async def seen(tab: ObservedTab, image: ScreenshotResult, x: int = 5, y: int = 5) -> tuple[int, int, int]:
    """Check an image's size in the browser; return the pure colour that is nearest to a pixel."""
    found: dict[str, Any] = await tab.page.evaluate(PAINT, [image.format, image.data, x, y])
    assert found["size"] == [image.width, image.height]
    red, green, blue = (round(part / 255) * 255 for part in found["pixel"])
    return red, green, blue


def size(image: ScreenshotResult) -> tuple[int, int]:
    return image.width, image.height


@pytest.mark.parametrize("format_", ["jpeg", "png", "webp"])
def test_the_viewport_in_each_format(stage: Stage, format_: Any) -> None:
    async def look(tab: ObservedTab) -> None:
        image = await tab.screenshots.screenshot(ScreenshotOptions(format=format_), None)
        assert (image.format, size(image)) == (format_, (1000, 700))
        assert [await seen(tab, image), await seen(tab, image, 300, 50), await seen(tab, image, 5, 150)] == [
            RED,
            WHITE,
            BLUE,
        ]

    look_with_observed_tab(stage, "/content-colours.html", look)


def test_jpeg_is_the_default_and_its_quality_counts(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        lengths = [
            len((await tab.screenshots.screenshot(ScreenshotOptions(quality=quality), None)).data)
            for quality in (0, None, 100)
        ]
        assert lengths == sorted(set(lengths))
        assert (await tab.screenshots.screenshot(ScreenshotOptions(), None)).data.startswith("/9j/")

    look_with_observed_tab(stage, "/content.html", look)


SCREEN = "[innerWidth, innerHeight, outerWidth, screen.width, screen.height, scrollY, window.resized ?? 0]"


TWO_FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def test_a_screenshot_shows_the_viewport_and_does_not_change_the_screen(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        await tab.page.set_viewport_size({"width": 640, "height": 480})
        await tab.page.evaluate(TWO_FRAMES)  # in which the page receives the change
        await tab.page.evaluate("addEventListener('resize', () => { resized = (window.resized ?? 0) + 1 })")
        await tab.page.evaluate("scrollTo(0, 150)")
        before = await tab.page.evaluate(SCREEN)
        image = await tab.screenshots.screenshot(ScreenshotOptions(format="png"), None)
        assert (size(image), await seen(tab, image)) == ((640, 480), BLUE)
        theirs = await tab.page.screenshot(animations="allow", caret="initial")
        clip = Clip(x=0, y=0, width=640, height=480)
        clipped = await tab.screenshots.screenshot(ScreenshotOptions(format="png", clip=clip), None)
        assert base64.b64decode(image.data) == theirs == base64.b64decode(clipped.data)
        assert await tab.page.evaluate(SCREEN) == before

    with_observed_tab(stage, "/content-colours.html", look)


LOAD_A_FONT = """() => {
  const face = new FontFace("slow", "url(/slow.woff2)");
  document.fonts.add(face);
  face.load().catch(() => {});
}"""


def test_a_screenshot_waits_for_fonts(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        commands, arrive = asyncio.Event(), asyncio.Event()

        async def hold(route: Route) -> None:
            commands.set()
            await arrive.wait()
            await route.abort()

        await tab.page.route("**/slow.woff2", hold)
        await tab.page.evaluate(LOAD_A_FONT)
        await commands.wait()
        shooting = asyncio.ensure_future(tab.screenshots.screenshot(ScreenshotOptions(), None))
        session = await tab.cdp()
        for _ in range(2):  # by then the other one would be there too, which may hold the lock of captures
            await session.send("Page.captureScreenshot", {"format": "jpeg"})
        assert not shooting.done()
        arrive.set()
        assert size(await shooting) == (1000, 700)

    with_observed_tab(stage, "/content.html", look)


def test_the_whole_document_and_parts_of_it(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        screenshot = tab.screenshots.screenshot
        whole = await screenshot(ScreenshotOptions(full_page=True, format="png"), None)
        assert size(whole) == (1000, 2100)
        assert await seen(tab, whole, 5, 2095) == BLUE
        part = await screenshot(ScreenshotOptions(clip=Clip(x=190, y=90, width=20, height=20), format="png"), None)
        assert size(part) == (20, 20)
        assert [await seen(tab, part), await seen(tab, part, 15, 5), await seen(tab, part, 5, 15)] == [RED, WHITE, BLUE]
        edge = await screenshot(ScreenshotOptions(clip=Clip(x=900, y=600, width=500, height=500)), None)
        assert size(edge) == (100, 100)
        low = ScreenshotOptions(full_page=True, clip=Clip(x=0, y=2000, width=50, height=500), format="png")
        assert size(await screenshot(low, None)) == (50, 100)

    look_with_observed_tab(stage, "/content-colours.html", look)


def test_a_screenshot_of_an_element_shows_it_alone_or_fails_with_its_state(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        image = await tab.screenshots.screenshot(ScreenshotOptions(format="png"), Css("#red"))
        assert size(image) == (200, 100)
        assert await seen(tab, image, 199, 99) == RED
        with pytest.raises(ElementNotVisible):
            await tab.screenshots.screenshot(ScreenshotOptions(), Css("#gone"), 1000)
        with pytest.raises(ElementNotFound):
            await tab.screenshots.screenshot(ScreenshotOptions(), Css("#never"), 100)
        await tab.page.eval_on_selector("#red", "red => { red.style.cssText += '; position: absolute; left: -900px' }")
        with pytest.raises(ElementNotVisible, match="can't be scrolled"):  # the image was white
            await tab.screenshots.screenshot(ScreenshotOptions(), Css("#red"), 5000)

    with_observed_tab(stage, "/content-colours.html", look)


def test_only_masked_elements_are_pink(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        options = ScreenshotOptions(mask=[Css("#red"), Css("#never")], format="webp")
        image = await tab.screenshots.screenshot(options, None)
        assert [await seen(tab, image, 100, 50), await seen(tab, image, 300, 50)] == [PINK, WHITE]
        plain = await tab.screenshots.screenshot(ScreenshotOptions(format="png"), None)
        assert await seen(tab, plain, 100, 50) == RED
        with pytest.raises(InvalidParams):
            await tab.screenshots.screenshot(ScreenshotOptions(mask=[Css("#red[")]), None)

    look_with_observed_tab(stage, "/content-colours.html", look)


def test_a_screenshot_in_device_pixels(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        fine = ObservedTab(await stage.browser.new_page(device_scale_factor=2))
        clip = Clip(x=0, y=0, width=60, height=40)
        device = await fine.screenshots.screenshot(ScreenshotOptions(scale="device", clip=clip), None)
        css = await fine.screenshots.screenshot(ScreenshotOptions(scale="css", clip=clip), None)
        await fine.page.close()
        assert (size(device), size(css)) == ((120, 80), (60, 40))

    with_observed_tab(stage, "/content-colours.html", look)


def test_the_page_is_not_touched(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        await tab.page.evaluate(
            """() => {
              window.changes = 0;
              new MutationObserver(all => changes += all.length)
                .observe(document, { attributes: true, childList: true, subtree: true });
            }"""
        )
        await tab.screenshots.screenshot(ScreenshotOptions(full_page=True), None)
        await tab.screenshots.screenshot(ScreenshotOptions(), Css("#user"))
        assert await tab.page.evaluate("changes") == 0

    look_with_observed_tab(stage, "/content.html", look)


# The caret does not blink here, so that a picture without it has hidden it.
CARET = "<style>* { caret-color: red; caret-animation: manual; font-size: 90px; outline: 0 }</style>"
FIELDS = {
    "a field": "<input id=a>",
    "an important rule of the page": "<style>#a { caret-color: red !important }</style><textarea id=a></textarea>",
    "an editor": "<div contenteditable id=a><p>x</p></div>",
    "a shadow root": f"<p id=a></p><script>a.attachShadow({{mode: 'open', delegatesFocus: true}}).innerHTML = "
    f"'{CARET}<input>'</script>",
    "a frame": f"<iframe id=a srcdoc='{CARET}<input autofocus>'></iframe>",
    "a frame of another origin": f'<iframe id=a sandbox="allow-scripts" srcdoc="{CARET}<input autofocus>"></iframe>',
}
HAS_RED = """async data => {
  const image = new Image();
  image.src = `data:image/png;base64,${data}`;
  await image.decode();
  const pen = new OffscreenCanvas(image.naturalWidth, image.naturalHeight).getContext('2d');
  pen.drawImage(image, 0, 0);
  const { data: bytes } = pen.getImageData(0, 0, image.naturalWidth, image.naturalHeight);
  const isRed = at => bytes[at] > 200 && bytes[at + 1] < 60 && bytes[at + 2] < 60;
  return Array.from({ length: bytes.length / 4 }, (_, pixel) => 4 * pixel).some(isRed);
}"""


@pytest.mark.parametrize("field", FIELDS)
def test_a_screenshot_shows_no_caret_and_the_page_does_again(field: str, stage: Stage) -> None:
    async def act(fake: FakeTab) -> list[object]:
        tab = ObservedTab(fake.page)

        async def shows_caret() -> object:
            image = await tab.page.screenshot(caret="initial")
            return await tab.page.evaluate(HAS_RED, base64.b64encode(image).decode())

        async def shot_shows_caret(options: ScreenshotOptions, selector: Css | None = None) -> object:
            image = await tab.screenshots.screenshot(options, selector)
            return await tab.page.evaluate(HAS_RED, image.data)

        await tab.page.frames[-1].locator("input, textarea, [contenteditable]").first.focus()
        return [
            await shows_caret(),
            await shot_shows_caret(ScreenshotOptions(format="png")),
            await shot_shows_caret(ScreenshotOptions(format="png", full_page=True)),
            await shot_shows_caret(ScreenshotOptions(format="png"), Css("#a")),
            await shows_caret(),
            await tab.page.evaluate("document.adoptedStyleSheets.length"),
        ]

    assert stage.play("/nowhere", act, markup=CARET + FIELDS[field]) == [True, False, False, False, True, 0]


@pytest.mark.parametrize(
    ("options", "selector", "path"),
    [
        (ScreenshotOptions(format="png", quality=50), None, "options.quality"),
        (ScreenshotOptions(clip=Clip(x=0, y=0, width=5, height=5)), Css("#red"), "options.clip"),
        (ScreenshotOptions(full_page=True), Css("#red"), "options.fullPage"),
        (ScreenshotOptions(clip=Clip(x=1000, y=0, width=5, height=5)), None, "options.clip"),
        (ScreenshotOptions(clip=Clip(x=0, y=700, width=5, height=5)), None, "options.clip"),
    ],
)
def test_options_without_effect_are_refused(
    stage: Stage, options: ScreenshotOptions, selector: Css | None, path: str
) -> None:
    async def look(tab: ObservedTab) -> None:
        with pytest.raises(InvalidParams) as refused:
            await tab.screenshots.screenshot(options, selector)
        assert refused.value.details["path"] == path

    look_with_observed_tab(stage, "/content-colours.html", look)


@pytest.mark.parametrize(
    ("width", "height", "limit", "current"),
    [(100, 60_000, 16_384, 60_000), (20_000, 400_000, 16_384, 400_000), (8_000, 8_000, 50_000_000, 64_000_000)],
)
def test_a_too_large_screenshot_is_refused(stage: Stage, width: int, height: int, limit: int, current: int) -> None:
    async def look(tab: ObservedTab) -> None:
        style = f"width: {width}px; height: {height}px"
        await tab.page.set_content(f"<body style='margin: 0'><div id=big style='{style}'></div>")
        for options, selector in ((ScreenshotOptions(full_page=True), None), (ScreenshotOptions(), Css("#big"))):
            with pytest.raises(ResourceLimitExceeded) as refused:
                await tab.screenshots.screenshot(options, selector)
            assert refused.value.details == {"resource": "screenshot", "limit": limit, "current": current}
        assert size(await tab.screenshots.screenshot(ScreenshotOptions(), None)) == (1000, 700)

    look_with_observed_tab(stage, "/content-colours.html", look)


def test_a_pdf_has_the_reported_number_of_pages(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        sheets = "".join(f"<p style='break-after: page'>{number}</p>" for number in range(10))
        await tab.page.set_content(f"<title>/Type /Page /Count 99</title>{sheets}<p>last")
        result = await tab.screenshots.pdf(PdfOptions())
        pdf = base64.b64decode(result.data)
        assert pdf.startswith(b"%PDF-")
        # Chromium writes its page objects uncompressed; a second way to count them.
        assert result.pages == 11 == pdf.count(b"<</Type /Page\n")

    look_with_observed_tab(stage, "/content.html", look)


def test_paper_margins_and_scale_count(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        await tab.page.set_content("<div style='height: 3000px'>long</div>")
        wide = PdfOptions(format="A5", landscape=True, margin=PdfMargin(top="2cm", bottom="1in"))
        options = [PdfOptions(format="A3"), PdfOptions(), wide, PdfOptions(scale=2)]
        pages = [(await tab.screenshots.pdf(option)).pages for option in options]
        assert pages == [2, 3, 8, 6]
        with pytest.raises(InvalidParams) as refused:
            await tab.screenshots.pdf(PdfOptions(margin=PdfMargin(left="5in", right="5in")))
        assert refused.value.details["path"] == "options.margin"

    look_with_observed_tab(stage, "/content.html", look)


def test_an_endless_page_is_not_printed(stage: Stage) -> None:
    async def look(tab: ObservedTab) -> None:
        await tab.page.set_content("<div style='height: 20000000px'>long</div>")
        with pytest.raises(ResourceLimitExceeded) as refused:
            await tab.screenshots.pdf(PdfOptions())
        assert refused.value.details["resource"] == "pdf"

    look_with_observed_tab(stage, "/content.html", look)
