"""The client's objects on real pages."""

import asyncio
from pathlib import Path

import attrs
import pytest
import trio

from agentbrowser.client import ActionOutcome, Browser, ExtractionFailed, SequenceFailed, aio, at, blocking, step
from agentbrowser.methods import action, frame, observe
from agentbrowser.methods.agent_observe import ObserveParams
from agentbrowser.protocol.errors import ElementNotFound, InvalidParams, PageNotFound
from agentbrowser.protocol.types.action import ClickOptions, FileUpload, Offset, Point
from agentbrowser.protocol.types.page import Viewport
from agentbrowser.protocol.types.selector import Role
from tests.browser.shared_server import SharedServer
from tests.browser.site import Site

FORM = """
<h1>Boats</h1>
<input id=name aria-label=Name><input id=old type=checkbox aria-label=Old>
<select id=size aria-label=Size><option value=s>Small<option value=l>Large</select>
<input id=file type=file multiple aria-label=Plan>
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
    assert [element.ref for element in seen.elements if element.name == "Go"] == ["@go"]
    assert (await page.observe(format="text")).elements == []
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
    await page["#file"].upload(("a.txt", b"keel"), FileUpload(name="b.txt", buffer="aA=="))
    assert await page.evaluate("document.querySelector('#file').files[0].text()") == "keel"
    await page["#from"].drag_to(page["#to"])
    assert await page.evaluate("document.title") == "dropped"
    await page["#from"].drag_to(Point(x=1, y=1))
    await page["#from"].drag_to(Offset(dx=1, dy=1))
    assert (await page["#gone"].state()).found is False
    state = await page["#size"].state("value", "computedStyle")
    assert (state.value, state.visible) == ("l", None)
    assert state.computed_style is not None
    await browser.new_page()  # is the active one; a call of `page` is still for it
    assert (await page.call(observe.content, format="text")).url == form
    assert (await page.call(frame.list_frames)).frames[0].url == form
    await page.scroll(amount=200)
    assert await page.evaluate("scrollY") == 200
    await page["#go"].scroll(amount="toElement")
    picture = await page.screenshot(format="png", timeout_ms=5000)
    assert picture.startswith(b"\x89PNG")
    assert (picture.format, picture.width, picture.height) == ("png", 400, 300)
    assert (await page.screenshot("#go"))[:2] == b"\xff\xd8"
    assert "# Boats" in await page.content()
    assert await page.content("text", selector="h1") == "Boats"
    with pytest.raises(ElementNotFound) as caught:
        await page["#gone"].click(timeout_ms=100)
    assert caught.value.retry_after_s == 0.5


async def test_a_page_object_loads_and_moves_in_its_history(browser: Browser, form: str) -> None:
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


async def test_looks_at_changes(browser: Browser, form: str) -> None:
    page = await browser.new_page(form)
    assert (await page.observe(incremental=True)).full == "first"
    done = await page["@old"].check(observe="changes")
    assert done.observation is not None
    assert done.observation.text == "changes\n~ @old checked false → true"
    done = await page["@old"].uncheck(observe=ObserveParams(incremental=True))
    assert done.observation is not None
    assert done.observation.changes is not None
    assert [element.ref for element in done.observation.changes.updated] == ["@old"]
    assert (await page.observe(incremental=True)).text == "no changes"
    failed = await page["@old"].check(observe=ObserveParams(cursor="1@none"))
    assert isinstance(failed.observation_error, InvalidParams)


async def test_all_clients_report_the_same_changes(browser: Browser, shared_server: SharedServer, form: str) -> None:
    def block() -> str | None:
        with blocking.connect(shared_server.url, token=shared_server.token) as browser:
            page = browser.new_page(form)
            page.observe()
            return changes_of(page["@old"].check(observe="changes"))

    async def await_all() -> str | None:
        async with aio.connect(shared_server.url, token=shared_server.token) as browser:
            page = await browser.new_page(form)
            await page.observe()
            return changes_of(await page["@old"].check(observe="changes"))

    def changes_of(done: ActionOutcome | blocking.ActionOutcome) -> str | None:
        return done.observation.text if done.observation else None

    expected = "changes\n~ @old checked false → true"
    page = await browser.new_page(form)
    await page.observe()
    assert changes_of(await page["@old"].check(observe="changes")) == expected
    assert await trio.to_thread.run_sync(block) == expected
    assert await trio.to_thread.run_sync(asyncio.run, await_all()) == expected


async def test_a_sequence_takes_typed_and_wire_steps(browser: Browser, form: str) -> None:
    page = await browser.new_page(form)
    await page.observe()
    raw = {"action": "action/click", "params": {"selector": {"type": "css", "value": "#go"}}, "label": "go"}
    done = await page.act([step(action.fill, selector=at("@name"), value="Eve"), raw], post_observe=True)
    assert (done.success, done.results[1].label) == (True, "go")
    assert done.post_observation is not None
    assert done.post_observation.metadata is not None
    assert done.post_observation.metadata.title == "Eve"
    assert [element.ref for element in done.post_observation.elements][:2] == ["@name", "@old"]


async def test_a_sequence_that_fails(browser: Browser, form: str) -> None:
    page = await browser.new_page(form)
    gone = step(action.click, selector=at("#gone"), options=ClickOptions(timeout_ms=100))
    steps = [step(action.fill, selector=at("@name"), value="Eve"), attrs.evolve(gone, label="leave")]
    await page.observe()
    with pytest.raises(SequenceFailed, match=r"^Step 1 \(leave\), action/click, failed: ") as caught:
        await page.act(steps)
    failed = caught.value
    assert (failed.step, failed.label, failed.retryable) == (1, "leave", True)
    assert isinstance(failed.error, ElementNotFound)
    assert isinstance(failed.results[0].result, ActionOutcome)
    assert failed.results[0].result.value == "Eve"
    reported = await page.act(steps, check=False)
    assert (reported.success, reported.failed_at) == (False, 1)
    assert isinstance(reported.results[1].exception, ElementNotFound)
    skipped = await page.act([attrs.evolve(steps[1], on_error="skip"), steps[0]])
    assert (skipped.failed_at, skipped.completed) == (0, 1)


async def test_popups_and_downloads_are_objects(browser: Browser, site: Site, tmp_path: Path) -> None:
    site.html("/more", "more", title="More")
    page = await browser.new_page(
        site.html("/", "<a id=new target=_blank href=/more>New</a><a id=get download=r.txt href=/more>Get</a>")
    )
    opened = (await page["#new"].click()).new_pages
    assert opened is not None
    assert [await one.evaluate("document.title") for one in opened] == ["More"]
    got = (await page["#get"].click()).download
    assert got is not None
    assert got.suggested_name == "r.txt"
    assert b"more" in (await got.save_as(tmp_path / "mine.txt")).read_bytes()
    assert b"more" in await (await browser.downloads())[0].read()


async def test_extracting_instances(browser: Browser, site: Site) -> None:
    page = await browser.new_page(site.html("/", f"<h1>The harbour</h1>{TABLE}"))
    boats = await page.extract(list[Boat])
    assert boats.data == [Boat("Ada", 1200.0, True), Boat("Bob", 90.0, False)]
    assert boats.confidence is not None
    assert 0.5 < boats.confidence <= 1
    assert (await page.extract(list[Boat], max_items=1)).data == [Boat("Ada", 1200.0, True)]
    assert (await page.extract(Shop, selector="body")).data == Shop("The harbour")
    with pytest.raises(ExtractionFailed) as of_one:
        await page.extract(Pedigree)
    with pytest.raises(ExtractionFailed) as of_list:
        await page.extract(list[Pedigree])
    assert "" not in {str(of_one.value), str(of_list.value)}


async def test_events_are_async_iterators(browser: Browser, site: Site) -> None:
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
