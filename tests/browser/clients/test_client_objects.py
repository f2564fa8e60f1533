"""The client's objects on real pages."""

from pathlib import Path

import attrs
import pytest
import trio

from agentbrowser.client import Browser, ExtractionFailed, at, step
from agentbrowser.methods import action
from agentbrowser.methods.agent_observe import ObserveParams
from agentbrowser.protocol.errors import ElementNotFound, PageNotFound
from agentbrowser.protocol.types.action import FileUpload, Point
from agentbrowser.protocol.types.page import Viewport
from agentbrowser.protocol.types.selector import Role
from tests.browser.site import Site

FORM = """
<h1>Boats</h1>
<input id=name aria-label=Name><input id=old type=checkbox aria-label=Old>
<select id=size aria-label=Size><option value=s>Small<option value=l>Large</select>
<input id=file type=file aria-label=Plan>
<button id=go onclick="document.title = document.querySelector('#name').value">Go</button>
<p id=from draggable=true>drag</p>
<p id=to ondragover="event.preventDefault()" ondrop="document.title = 'dropped'">drop</p>
<a href=/more>More</a><div style="height: 3000px"></div>
"""
TABLE = "<table><tr><th>Boat<th>Price<th>In stock<tr><td>Ada<td>1,200<td>yes<tr><td>Bob<td>90<td>no</table>"


@attrs.frozen
class Boat:
    boat: str
    price: float
    in_stock: bool


@attrs.frozen
class Shop:
    heading: str


@attrs.frozen
class Pedigree:
    grandmother: str


@pytest.fixture
def form(site: Site) -> str:
    site.html("/more", "more", title="More")
    return site.html("/", FORM, title="Boats")


async def test_pages_and_elements(browser: Browser, form: str, tmp_path: Path) -> None:
    page = await browser.new_page(form, viewport=Viewport(width=400, height=300))
    seen = await page.observe(max_elements=50)
    assert seen.text is not None
    assert '@go button "Go"' in seen.text
    assert seen.interactive_elements is None
    assert (await page["@name"].fill("Ada")).value == "Ada"
    assert (await page["#name"].type(" B", delay_ms=1)).value == "Ada B"
    await page["@go"].click(button="left")
    assert await page.evaluate("document.title") == "Ada B"
    await page["#name"].press("Control+a")
    assert (await page["#name"].clear()).value == ""
    assert (await page["#old"].check()).value is True
    assert (await page["#old"].uncheck()).value is False
    assert (await page["#size"].select("Large")).value == "l"
    await page[Role("button", "Go")].hover()
    await page[Role("button", "Go")].dblclick()
    (tmp_path / "plan.txt").write_text("hull")
    await page["#file"].upload(tmp_path / "plan.txt")
    assert await page.evaluate("document.querySelector('#file').files[0].text()") == "hull"
    await page["#file"].upload(FileUpload(name="b.txt", buffer="aA=="))
    await page["#from"].drag_to(page["#to"])
    assert await page.evaluate("document.title") == "dropped"
    await page["#from"].drag_to(Point(x=1, y=1))
    assert (await page["#gone"].state()).found is False
    await page.scroll(amount=200)
    assert await page.evaluate("scrollY") == 200
    await page["#go"].scroll(amount="toElement")
    assert (await page.screenshot(format="png", timeout_ms=5000)).startswith(b"\x89PNG")
    assert (await page.screenshot("#go"))[:2] == b"\xff\xd8"
    assert "# Boats" in await page.content()
    assert await page.content("text", selector="h1") == "Boats"
    with pytest.raises(ElementNotFound) as caught:
        await page["#gone"].click(timeout_ms=100)
    assert caught.value.retry_after_s == 0.5


async def test_navigation(browser: Browser, form: str) -> None:
    page = browser.page
    there = await page.goto(form, observe=ObserveParams(format="text"))
    assert there.observation is not None
    assert '"Go"' in (there.observation.text or "")
    await page["a"].click()
    assert (await page.go_back()).title == "Boats"
    assert (await page.go_forward()).title == "More"
    second = await browser.new_page()
    first, same = await browser.pages()
    assert same == second
    await first.activate()
    assert await browser.page.evaluate("document.title") == "More"
    await second.close()
    assert await browser.pages() == [first]
    assert (await first.reload(wait_until="commit")).navigated
    with pytest.raises(PageNotFound):
        await second.reload()


async def test_a_sequence(browser: Browser, form: str) -> None:
    page = await browser.new_page(form)
    await page.observe()
    raw = {"action": "action/click", "params": {"selector": {"type": "css", "value": "#go"}}, "label": "go"}
    done = await page.act([step(action.fill, selector=at("@name"), value="Eve"), raw], post_observe=True)
    assert (done.success, done.results[1].label) == (True, "go")
    assert done.post_observation["metadata"]["title"] == "Eve"


async def test_extracting_instances(browser: Browser, site: Site) -> None:
    page = await browser.new_page(site.html("/", f"<h1>The harbour</h1>{TABLE}"))
    assert await page.extract(list[Boat]) == [Boat("Ada", 1200.0, True), Boat("Bob", 90.0, False)]
    assert await page.extract(list[Boat], max_items=1) == [Boat("Ada", 1200.0, True)]
    assert await page.extract(Shop, selector="body") == Shop("The harbour")
    with pytest.raises(ExtractionFailed):
        await page.extract(Pedigree)


async def test_events(browser: Browser, site: Site) -> None:
    url = site.html("/", "<script>console.log('one'); console.log('two')</script>")
    heard: list[tuple[str, str]] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(browser.page.goto, url)
        async for event in browser.events("console", "network"):
            heard.append((event.kind, getattr(event, "type", "")))
            if heard.count(("console", "log")) == 2:
                break
    assert ("network", "request") in heard
    async with browser.events("console") as events:
        await browser.page.evaluate("console.log('three')")
        event = await anext(events)
        assert (event.kind, getattr(event, "text", "")) == ("console", "three")
