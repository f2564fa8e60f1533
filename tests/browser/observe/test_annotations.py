"""Annotations on screenshots of real pages: positions, and no trace in the page."""

import base64
import io
from pathlib import Path
from typing import Any, Final

import pytest
from PIL import Image

from agentbrowser.client import Browser
from agentbrowser.protocol import errors
from tests.browser.site import Site

PAGES: Final = Path(__file__).parents[1] / "pages"
NOTHING_ALLOWED: Final = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; sandbox allow-same-origin"
PURE: Final = {"style": {"badge": {"color": "blue"}, "box": {"color": "lime", "width": 4}}}
BLUE, LIME = (0, 0, 255), (0, 255, 0)
BOX: Final = 4

COUNT_MUTATIONS: Final = """(() => {
  globalThis.mutations = 0;
  const everything = { subtree: true, childList: true, attributes: true, characterData: true };
  new MutationObserver((records) => { globalThis.mutations += records.length; }).observe(document, everything);
})()"""


async def opened(browser: Browser, site: Site) -> None:
    """Open the page, which forbids almost everything, in a viewport of 1000 by 700."""
    for name in ("marks.html", "marks_frame.html"):
        headers = {"Content-Type": "text/html", "Content-Security-Policy": NOTHING_ALLOWED}
        site.serve(f"/{name}", (PAGES / name).read_bytes(), **headers)
    await browser.request("page/create", {"url": site.url("/marks.html"), "viewport": {"width": 1000, "height": 700}})


async def marked(browser: Browser, options: Any, **more: Any) -> tuple[dict[str, Any], Image.Image]:
    seen = await browser.request("agent/observe", {"annotateScreenshot": options, **more})
    picture = Image.open(io.BytesIO(base64.b64decode(seen["screenshot"]["data"])))
    assert picture.size == (seen["screenshot"]["width"], seen["screenshot"]["height"])
    assert seen["screenshot"]["annotated"] is True
    return seen, picture.convert("RGB")


def is_near(pixel: Any, color: tuple[int, int, int]) -> bool:
    """Return True if a pixel has a color, as far as JPEG preserves it."""
    return all(abs(part - other) < 90 for part, other in zip(pixel, color, strict=True))


def marks_by_name(seen: dict[str, Any]) -> dict[str, dict[str, Any]]:
    names = {element["ref"]: element["name"] for element in seen["interactiveElements"]}
    return {names[mark["ref"]]: mark for mark in seen["annotationMap"]}


async def test_visible_elements_are_annotated_where_they_are(browser: Browser, site: Site) -> None:
    await opened(browser, site)
    seen, picture = await marked(browser, PURE)
    marks = marks_by_name(seen)
    assert set(marks) == {"Plain", "One", "Two", "Clipped", "Inner", "Cut"}
    order = [element["ref"] for element in seen["interactiveElements"]]
    assert [mark["ref"] for mark in seen["annotationMap"]] == [
        ref for ref in order if ref in {mark["ref"] for mark in marks.values()}
    ]
    assert [mark["label"] for mark in seen["annotationMap"]] == ["1", "2", "3", "4", "5", "6"]
    for mark in marks.values():
        assert is_near(picture.getpixel((mark["position"]["x"] + 1, mark["position"]["y"] + 1)), BLUE)


@pytest.mark.parametrize(
    ("name", "box"),
    [
        ("Plain", (100, 100, 220, 130)),
        ("Clipped", (940, 650, 1000, 700)),
        ("Inner", (535, 130, 635, 160)),
        ("Cut", (535, 175, 635, 185)),
    ],
)
async def test_a_box_surrounds_the_visible_part_of_an_element(
    browser: Browser, site: Site, name: str, box: tuple[int, int, int, int]
) -> None:
    await opened(browser, site)
    style = {"badge": {"color": "#0000", "textColor": "#0000"}, "box": {"color": "lime", "width": BOX}}
    _, picture = await marked(browser, {"style": style})
    left, top, right, bottom = box
    middle = ((left + right) // 2, (top + bottom) // 2)
    for x, y in ((left - 2, middle[1]), (middle[0], top - 2), (right + 2, middle[1]), (middle[0], bottom + 2)):
        on_image = min(x, picture.width - 2), min(y, picture.height - 2)
        assert is_near(picture.getpixel(on_image), LIME), f"{name} has no line at {on_image}"
    assert not is_near(picture.getpixel(middle), LIME)


async def test_the_page_can_neither_forbid_nor_notice_them(browser: Browser, site: Site) -> None:
    await opened(browser, site)

    async def evaluate(expression: str) -> Any:
        return (await browser.request("script/evaluate", {"expression": expression}))["value"]

    await evaluate(COUNT_MUTATIONS)
    before = await evaluate("document.documentElement.outerHTML")
    seen, picture = await marked(browser, PURE)
    assert any(is_near(color, BLUE) for _, color in picture.getcolors(1 << 24) or [])
    assert seen["annotationMap"]
    assert await evaluate("document.documentElement.outerHTML") == before
    assert await evaluate("globalThis.mutations") == 0


async def test_bounds_are_returned_only_on_request(browser: Browser, site: Site) -> None:
    await opened(browser, site)
    plain, _ = await marked(browser, True, incremental=True)
    returned = plain["interactiveElements"]
    assert (bool(returned), plain["full"]) == (True, "first")
    assert not [element for element in returned if "bounds" in element]
    bounded, _ = await marked(browser, True, includeBounds=True)
    assert all(element["bounds"] for element in bounded["interactiveElements"])


async def test_annotated_elements_can_be_selected(browser: Browser, site: Site) -> None:
    await opened(browser, site)
    seen, _ = await marked(browser, {"maxLabels": 2, "labelFormat": "both"}, filterRoles=["button"])
    refs = [element["ref"] for element in seen["interactiveElements"]]
    assert [mark["label"] for mark in seen["annotationMap"]] == [f"1 {refs[0]}", f"2 {refs[1]}"]
    alone, _ = await marked(browser, True, includeInteractiveElements=False, includeMetadata=False)
    assert set(alone) == {"screenshot", "annotationMap"}
    assert len(alone["annotationMap"]) == 6


async def test_marks_can_be_left_out(browser: Browser, site: Site) -> None:
    await opened(browser, site)
    for options in (False, None, {"enabled": False, "maxLabels": 5}):
        params = {"annotateScreenshot": options, "includeScreenshot": True}
        seen = await browser.request("agent/observe", params)
        assert seen["screenshot"]["annotated"] is False
        assert "annotationMap" not in seen
    compact = await browser.request("agent/observe", {"annotateScreenshot": True, "responseTier": "interactive"})
    assert not {"screenshot", "annotationMap"} & set(compact)


async def test_invalid_options_are_refused_by_path(browser: Browser) -> None:
    for options, path in (
        ({"style": {"badge": {"color": "rainbow"}}}, "annotateScreenshot.style.badge.color"),
        ({"maxLabels": 0}, "annotateScreenshot.maxLabels"),
        ("yes", "annotateScreenshot"),
    ):
        with pytest.raises(errors.InvalidParams) as refused:
            await browser.request("agent/observe", {"annotateScreenshot": options})
        assert refused.value.details["path"] == path
