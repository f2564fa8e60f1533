"""An emulated screen, while pictures of the page are taken, as the recording does after each action."""

import asyncio
from typing import Any, cast

import pytest

from agentbrowser.browser.observe.pictures.file_formats import image_size
from agentbrowser.browser.observe.pictures.screenshotter import Screenshotter
from agentbrowser.protocol.types.emulate import Screen
from tests.browser.stage import FakeTab, Stage

PHONE = Screen(width=390, height=800, device_scale_factor=2, is_mobile=True, has_touch=True)
PLAIN = Screen(width=1280, height=720)
JPEG = {"type": "jpeg", "quality": 60}


@pytest.mark.parametrize("begins_first", ["the capture", "the screen"])
def test_a_picture_does_not_bring_back_the_screen_before(begins_first: str, stage: Stage) -> None:
    async def act(tab: FakeTab) -> list[object]:
        screenshotter, seen = Screenshotter(cast("Any", tab), PLAIN), []
        for screen in (PHONE, Screen(width=600, height=500)) * 5:
            both = [screenshotter.capture_viewport(JPEG), screenshotter.set_screen(screen)]
            await asyncio.gather(*(both if begins_first == "the capture" else reversed(both)))
            await tab.page.reload()
            seen.append(await tab.page.evaluate("[innerWidth, innerHeight, devicePixelRatio]"))
        return seen

    markup = "<meta name=viewport content='width=device-width'>"
    assert stage.play("/nowhere", act, markup=markup) == [[390, 800, 2], [600, 500, 1]] * 5


def test_input_lands_while_a_picture_is_taken(stage: Stage) -> None:
    """The capture changed the emulated screen: what was clicked meanwhile had its coordinates divided by its scale."""

    async def act(tab: FakeTab) -> object:
        screenshotter, is_over = Screenshotter(cast("Any", tab), PLAIN), asyncio.Event()
        await screenshotter.set_screen(PHONE)
        await tab.page.reload()

        async def take_pictures() -> None:
            while not is_over.is_set():
                assert image_size(await screenshotter.capture_viewport(JPEG)) == (390, 800)

        pictures = asyncio.ensure_future(take_pictures())
        for _ in range(40):
            await tab.page.mouse.click(200, 300)
        is_over.set()
        await pictures
        return await tab.page.evaluate("window.places")

    markup = """<meta name=viewport content='width=device-width'><script>
    window.places = []; onclick = e => places.push([e.clientX, e.clientY])</script>"""
    assert stage.play("/nowhere", act, markup=markup) == [[200, 300]] * 40
