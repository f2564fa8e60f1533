"""Frames: ids, selection, and errors for frames that are gone."""

from typing import Any

import pytest

from agentbrowser.client import Browser
from agentbrowser.methods import frame, page
from agentbrowser.protocol import errors
from agentbrowser.protocol.types.selector import Css
from tests.browser.site import Site

INNER = "<button onclick=\"this.textContent = 'clicked'\">press</button><input aria-label=Inner>"


@pytest.fixture
async def nested(browser: Browser, site: Site) -> Browser:
    """Yield a page with a frame of its own origin, which has a frame of another origin."""
    site.html("/inner", INNER, title="Inner")
    site.html("/middle", f"<p>middle</p><iframe name=deep src='{site.url('/inner', 'localhost')}'></iframe>")
    await browser.call(page.navigate, url=site.html("/", "<button>outer</button><iframe id=one src=/middle></iframe>"))
    return browser


async def names(browser: Browser) -> list[Any]:
    seen = await browser.request("agent/observe")
    return [element.get("name") for element in seen["interactiveElements"]]


async def text(browser: Browser, selector: str) -> Any:
    params = {"selector": {"type": "css", "value": selector}, "properties": ["text"]}
    return (await browser.request("observe/element", params)).get("text")


async def test_frames_are_listed_with_stable_ids(nested: Browser, site: Site) -> None:
    frames = (await nested.call(frame.list_frames)).frames
    main, middle, inner = frames
    assert (main.is_main, main.parent_frame_id) == (True, None)
    assert (middle.is_main, middle.parent_frame_id, middle.url) == (False, main.frame_id, site.url("/middle"))
    assert (inner.parent_frame_id, inner.name) == (middle.frame_id, "deep")
    assert len({one.frame_id for one in frames}) == 3
    assert (await nested.call(frame.list_frames)).frames == frames


async def test_long_names_and_urls_of_frames_are_cut(browser: Browser, site: Site) -> None:
    inner = site.html("/inner", INNER)
    frames = f"<iframe name={'n' * 100_000} src='{inner}#{'a' * 100_000}'></iframe>"
    await browser.call(page.navigate, url=site.html("/", frames))
    _, long = (await browser.call(frame.list_frames)).frames
    assert (len(long.name), len(long.url)) == (4_096, 4_096)


async def test_a_switch_sends_actions_and_observations_to_the_frame(nested: Browser, site: Site) -> None:
    assert await names(nested) == ["outer", "press", "Inner"]
    await nested.call(frame.switch, selector=Css("#one"))
    switched = await nested.call(frame.switch, selector=Css("iframe"))  # from within the first: nested, another origin
    assert switched.url == site.url("/inner", "localhost")
    assert await names(nested) == ["press", "Inner"]
    await nested.request("action/click", {"selector": {"type": "role", "role": "button"}})
    filled = await nested.request("action/fill", {"selector": {"type": "label", "value": "Inner"}, "value": "x"})
    assert filled["value"] == "x"
    assert await text(nested, "button") == "clicked"
    content = await nested.request("observe/content", {"format": "text"})
    assert "clicked" in content["content"]
    await nested.call(frame.main)
    assert await text(nested, "button") == "outer"


async def test_a_frame_of_another_site_is_brought_into_view_before_its_elements(browser: Browser, site: Site) -> None:
    """It has no animation frames out of view, for which Playwright waits first: these requests timed out."""
    inner = "<p style='height:90px'></p><p id=q draggable=true style='width:30px;height:20px'></p><button>b</button>"
    site.html("/inner", inner)
    url = site.html("/", f"<p style='height:3000px'></p><iframe src='{site.url('/inner', 'localhost')}'></iframe>")
    element = {"selector": "#q"}
    for method, params in (("observe/screenshot", element), ("action/scroll", element)):
        await browser.call(page.navigate, url=url)
        await browser.call(frame.switch, selector=Css("iframe"))
        result = await browser.request(method, params)
        assert method == "action/scroll" or (result["width"], result["height"]) == (30, 20)
    await browser.call(frame.main)
    assert (await browser.request("script/evaluate", {"expression": "scrollY"}))["value"] > 2000


async def test_a_ref_in_a_frame_can_be_acted_on(nested: Browser, site: Site) -> None:
    await nested.call(frame.switch, url="/inner")
    seen = await nested.request("agent/observe")
    ref = next(one["ref"] for one in seen["interactiveElements"] if one["role"] == "button")
    await nested.request("action/click", {"selector": {"type": "ref", "value": ref}})
    assert await text(nested, "button") == "clicked"


async def test_a_frame_can_be_named_by_its_id_or_url(nested: Browser, site: Site) -> None:
    middle = (await nested.call(frame.list_frames)).frames[1]
    assert (await nested.call(frame.switch, frame_id=middle.frame_id)).url == middle.url
    assert await text(nested, "p") == "middle"
    assert (await nested.call(frame.switch, url=site.url("/middle"))).frame_id == middle.frame_id


async def test_a_frame_that_is_gone_is_reported(nested: Browser, site: Site) -> None:
    switched = await nested.call(frame.switch, url="/middle")
    await nested.call(page.navigate, url=site.html("/other", "<button>other</button>"))
    with pytest.raises(errors.FrameNotFound) as caught:
        await names(nested)
    assert caught.value.details == {"identifier": switched.frame_id}
    assert await names(nested) == ["other"]


async def test_switch_by_selector_after_the_frame_is_gone_begins_at_the_main_frame(nested: Browser, site: Site) -> None:
    await nested.call(frame.switch, url="/middle")
    inner = site.html("/new", "<p>new</p>")
    await nested.call(page.navigate, url=site.html("/other", f"<iframe src={inner}></iframe>"))
    assert (await nested.call(frame.switch, selector=Css("iframe"))).url == inner


async def test_a_description_of_no_frame_is_refused(nested: Browser, site: Site) -> None:
    for wrong in ({"frameId": "frame-77"}, {"url": "/nowhere"}, {"selector": {"type": "css", "value": "button"}}):
        with pytest.raises(errors.FrameNotFound):
            await nested.request("frame/switch", wrong)
    for vague in ({}, {"url": "/middle", "frameId": "frame-1"}, {"url": "i"}):
        with pytest.raises(errors.InvalidParams):
            await nested.request("frame/switch", vague)
    assert await names(nested) == ["outer", "press", "Inner"]
