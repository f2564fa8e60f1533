"""Pointer actions on areas of images, which have no box of their own: Playwright takes them for invisible."""

from typing import Final

import pytest

from agentbrowser.protocol.errors import ElementNotVisible
from agentbrowser.protocol.types.action import ActionOptions, ClickOptions
from agentbrowser.protocol.types.selector import Css
from tests.browser.stage import FakeTab, Stage

IMAGE: Final = "<img id=i usemap=#m width=90 height=60 style='padding:9px;border:5px solid' src='data:,'>"
LOG: Final = """<script>log = []; addEventListener('click', event => log.push(event.target.id));
addEventListener('mouseover', event => log.push('over ' + event.target.id))</script>"""
OTHER: Final = "<area id=o href=#o shape=rect coords=0,0,40,60>"


def mapped(areas: str) -> str:
    return f"<map name=m>{areas}</map>{IMAGE}"


AREA: Final = "<area id=t href=#x shape=rect coords=40,0,90,60>"
READY: Final = {
    "rectangle": mapped(OTHER + AREA),
    "circle": mapped(OTHER + "<area id=t href=#x shape=circle coords=65,30,20>"),
    "polygon whose middle is outside": mapped("<area id=t href=#x shape=poly coords=0,0,90,0,90,60,80,60,80,10,0,10>"),
    "what the others leave": mapped(OTHER + "<area id=t href=#x shape=default>"),
    "on a zoomed image": f"<div style='zoom:1.5'>{mapped(OTHER + AREA)}</div>",
    "below the fold": f"<p style='height:3000px'></p>{mapped(AREA)}",
}
LATER: Final = {
    "there": f"{mapped('')}<script>setTimeout(() => document.querySelector('map').innerHTML = '{AREA}', 100)</script>",
    "uncovered": f"{mapped(AREA)}<div id=c style='position:fixed;inset:0'></div>"
    "<script>setTimeout(() => c.remove(), 100)</script>",
    "shown": f"{mapped(AREA)}<script>i.hidden = true; setTimeout(() => i.hidden = false, 100)</script>",
}


def test_area_of_an_image_is_clicked_and_hovered(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        for name, body in {**READY, **LATER}.items():
            await tab.page.set_content(body + LOG)
            await tab.actions.click(Css("#t"), ClickOptions(timeout_ms=15_000))
            assert (await tab.log())[-1] == "t", name
            await tab.page.mouse.move(900, 600)
            await tab.actions.hover(Css("#t"), ActionOptions(timeout_ms=15_000))
            assert (await tab.log())[-1] == "over t", name

    stage.play("/next", test)


@pytest.mark.parametrize(
    ("more", "reason"),
    [("<style>#i { display: none }</style>", "not visible"), ("<div style='position:fixed;inset:0'></div>", "covered")],
)
def test_area_that_can_not_be_clicked_is_reported_with_the_reason(stage: Stage, more: str, reason: str) -> None:
    async def test(tab: FakeTab) -> None:
        await tab.page.set_content(mapped(AREA) + more)
        with pytest.raises(ElementNotVisible, match=reason):
            await tab.actions.click(Css("#t"), ClickOptions(timeout_ms=300))

    stage.play("/next", test)
