"""emulate/*: effects on one page and on all pages of a context, and on requests to the site."""

import base64
import struct
from typing import Any

import attrs
import pytest
import trio

from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.methods import emulate, frame, page, script
from agentbrowser.protocol import errors
from agentbrowser.protocol.registry import Scope
from agentbrowser.protocol.types.selector import Css
from agentbrowser.server.app import open_server
from tests.browser.site import Site

SCREEN = """[innerWidth, innerHeight, devicePixelRatio, navigator.maxTouchPoints, 'ontouchstart' in window,
    screen.orientation.type, matchMedia('(pointer: coarse)').matches]"""
PLAIN = [1, 0, False, "landscape-primary", False]
PHONE = {"width": 390, "height": 800, "deviceScaleFactor": 2, "isMobile": True, "hasTouch": True}
ON_PHONE = [390, 800, 2, 5, True, "portrait-primary", True]
AGENT = "[navigator.userAgent, navigator.platform, navigator.languages.join()]"
PLACE = """new Promise((done, failed) => navigator.geolocation.getCurrentPosition(
    ({coords}) => done([coords.latitude, coords.longitude, coords.accuracy]), failed))"""


async def ask(browser: Browser, question: str, page_id: str | None = None) -> Any:
    return (await browser.request("script/evaluate", {"expression": question, "pageId": page_id}))["value"]


async def size(browser: Browser, **params: Any) -> tuple[int, int]:
    """Return the size of a screenshot from the image itself."""
    params["options"] = {"format": "png", **params.get("options", {})}
    taken = await browser.request("observe/screenshot", params)
    width, height = struct.unpack(">II", base64.b64decode(taken["data"])[16:24])
    assert (width, height) == (taken["width"], taken["height"])
    return width, height


async def test_a_size_applies_to_one_page(browser: Browser, site: Site) -> None:
    url = site.html("/", "x")
    one, two = await browser.call(page.create, url=url), await browser.call(page.create, url=url)
    result = await browser.call(emulate.set_viewport, width=500, height=400, page_id=one.id)
    assert (result.applies_to, result.page_id, result.context_id) == ("page", one.id, None)
    assert await ask(browser, SCREEN, one.id) == [500, 400, *PLAIN]
    assert (await ask(browser, SCREEN, two.id))[0] == 1280
    listed = (await browser.call(page.list_pages)).pages
    assert [entry.viewport.width for entry in listed] == [500, 1280]


async def test_a_phone_and_back(browser: Browser, site: Site) -> None:
    await browser.call(page.navigate, url=site.html("/", "<meta name=viewport content='width=device-width'>"))
    await browser.request("emulate/setViewport", PHONE)
    await browser.call(page.reload)
    assert await ask(browser, SCREEN) == ON_PHONE
    await browser.call(
        page.navigate, url=site.html("/wide", "<p>no viewport of its own").replace("127.0.0.1", "localhost")
    )
    assert (await ask(browser, SCREEN))[0] == 980
    await browser.call(emulate.set_viewport, width=600, height=500)
    await browser.call(page.reload)
    assert await ask(browser, SCREEN) == [600, 500, *PLAIN]


async def test_screenshots_of_a_phone_are_right_and_change_nothing(browser: Browser, site: Site) -> None:
    body = "<meta name=viewport content='width=device-width'><p id=p style='width:50px;height:20px;margin:900px 0 0'>p"
    await browser.call(page.navigate, url=site.html("/", body))
    await browser.request("emulate/setViewport", PHONE)
    await browser.call(page.reload)
    element = {"type": "css", "value": "#p"}
    assert await size(browser) == (390, 800)
    assert await size(browser, options={"scale": "device"}) == (780, 1600)
    assert await size(browser, selector=element) == (50, 20)
    assert await size(browser, selector=element, options={"scale": "device"}) == (100, 40)
    tall = (await size(browser, options={"fullPage": True}))[1]
    assert tall > 900
    clip = {"x": 5, "y": 5, "width": 100, "height": 50}
    assert await size(browser, options={"clip": clip, "scale": "device"}) == (200, 100)
    assert await ask(browser, SCREEN) == ON_PHONE
    assert await size(browser, options={"mask": [element], "scale": "device"}) == (780, 1600)
    assert await size(browser, selector=element, options={"mask": [element], "scale": "device"}) == (100, 40)
    assert await ask(browser, SCREEN) == ON_PHONE


COVERED = """<!doctype html><style>* { margin: 0; padding: 0; border: 0 } div { display: none !important }
p { background: red; width: 60px; height: 40px } #far { margin-top: 1000px }
aside { inset: auto; left: 100px; top: 0; width: 60px; height: 40px; background: red }
iframe { position: absolute; left: 200px; top: 0; width: 60px; height: 40px }</style>
<p id=near></p><p id=far></p><aside popover=manual></aside>
<iframe srcdoc="<style>*{margin:0}p{height:40px;background:red}</style><p id=inner></p>"></iframe>
<script>document.querySelector('aside').showPopover()</script>"""
PINK, RED = [255, 0, 255, 255], [255, 0, 0, 255]
COLOURS = """async ([data, points]) => {
    const image = new Image(); image.src = `data:image/png;base64,${data}`; await image.decode();
    const pen = new OffscreenCanvas(image.width, image.height).getContext('2d'); pen.drawImage(image, 0, 0);
    return points.map(([x, y]) => [...pen.getImageData(x, y, 1, 1).data]) }"""


@pytest.mark.parametrize("scale", ["css", "device"])
async def test_masks_cover_elements_on_a_high_density_screen(browser: Browser, site: Site, scale: str) -> None:
    async def colours(*points: tuple[int, int], **options: Any) -> list[list[int]]:
        params = {"options": {"format": "png", "scale": scale, **options}}
        data = (await browser.request("observe/screenshot", params))["data"]
        pixels = [[each * (2 if scale == "device" else 1) for each in point] for point in points]
        return list((await browser.call(script.evaluate, expression=COLOURS, arg=[data, pixels])).value)

    await browser.call(page.navigate, url=site.html("/", COVERED))
    await browser.call(emulate.set_viewport, width=300, height=200, device_scale_factor=2)
    near, above, framed, far = (5, 5), (105, 5), (205, 5), (5, 1045)
    lines = "<!doctype html><style>* { margin: 0 } b { display: block; height: 1px; background: red }</style>"
    await browser.call(page.navigate, url=site.html("/lines", lines + "<b></b>" * 150))
    assert await colours((5, 5), (5, 145), mask=[{"type": "css", "value": "b"}]) == [PINK, PINK]
    await browser.call(page.navigate, url=site.url("/"))
    mask = [{"type": "css", "value": one} for one in ("#near", "aside", "#far")]
    assert await colours(near, above, framed, mask=mask) == [PINK, PINK, RED]
    assert await colours(near, above, framed, far, mask=mask, fullPage=True) == [PINK, PINK, RED, PINK]
    assert await colours(near, above, framed, far, fullPage=True) == [RED] * 4
    await browser.call(script.evaluate, expression="scrollTo(0, 1000)")
    top = (await browser.call(script.evaluate, expression="far.getBoundingClientRect().top")).value
    assert await colours((5, round(top) + 5), mask=mask) == [PINK]
    assert await colours((5, round(top) + 5)) == [RED]
    await browser.call(frame.switch, selector=Css("iframe"))
    await browser.call(script.evaluate, expression="parent.scrollTo(0, 0)")
    assert await colours(near, framed, mask=[{"type": "css", "value": "#inner"}]) == [RED, PINK]


async def test_a_screenshot_of_an_element_shows_that_element(browser: Browser, site: Site) -> None:
    await browser.call(
        page.navigate, url=site.html("/", "<p id=p style='margin:2000px 0 0;height:9px;background:red'>")
    )
    await browser.call(emulate.set_viewport, width=300, height=300, device_scale_factor=2)
    options = {"format": "png"}
    params = {"selector": {"type": "css", "value": "#p"}, "options": options}
    image = (await browser.request("observe/screenshot", params))["data"]
    source = f"data:image/png;base64,{image}"
    colour = """async source => {
        const image = new Image(); image.src = source; await image.decode();
        const pen = new OffscreenCanvas(1, 1).getContext('2d'); pen.drawImage(image, -2, -2);
        return [...pen.getImageData(0, 0, 1, 1).data] }"""
    request = {"expression": colour, "arg": source}
    assert (await browser.request("script/evaluate", request))["value"] == [255, 0, 0, 255]


async def test_a_user_agent_applies_to_a_context_at_once_and_to_pages_to_come(browser: Browser, site: Site) -> None:
    url = site.html("/", "<a target=_blank href=/popup>a</a>")
    site.html("/popup", "popup")
    one, two = await browser.call(page.create, url=url), await browser.call(page.create, url=url)
    result = await browser.call(
        emulate.set_user_agent, user_agent="robot/1", platform="Amiga", accept_language="de-DE,de;q=0.9", page_id=one.id
    )
    assert (result.applies_to, result.page_id, result.context_id) == ("context", None, "default")
    expected = ["robot/1", "Amiga", "de-DE,de"]
    three = await browser.call(page.create, url=site.html("/three", "three"))
    popup = await browser.request("action/click", {"selector": {"type": "css", "value": "a"}, "pageId": two.id})
    with trio.fail_after(20):  # the click does not wait for what the window shows
        while await ask(browser, "document.body?.textContent", popup["newPages"][0]["pageId"]) != "popup":  # noqa: ASYNC110
            await trio.sleep(0.02)
    for page_id in (one.id, two.id, three.id, popup["newPages"][0]["pageId"]):
        assert await ask(browser, AGENT, page_id) == expected
    await browser.call(page.navigate, url=site.url("/popup?again"), page_id=popup["newPages"][0]["pageId"])
    await ask(browser, "fetch('/fetched').then(done => done.text())", one.id)
    headers = {seen.path: seen.headers for seen in site.seen}
    assert headers["/popup"]["User-Agent"] == "robot/1"  # sent before the page could be emulated
    for path in ("/three", "/popup?again", "/fetched"):
        assert headers[path]["User-Agent"] == "robot/1"
        assert headers[path]["Accept-Language"] == "de-DE,de;q=0.9"


async def test_what_a_page_opens_and_a_copy_of_it_have_its_special_screen(browser: Browser, site: Site) -> None:
    """A phone's popup, and its fork, showed the site as a desktop does."""
    meta = "<meta name=viewport content='width=device-width'>"
    site.html("/popup", f"{meta}popup")
    await browser.call(page.navigate, url=site.html("/", f"{meta}<a target=_blank href=/popup>a</a>"))
    await browser.request("emulate/setViewport", PHONE)
    clicked = await browser.request("action/click", {"selector": {"type": "css", "value": "a"}})
    forked = await browser.request("session/fork")
    assert await ask(browser, SCREEN, forked["pageId"]) == ON_PHONE
    with trio.fail_after(20):
        while (await ask(browser, SCREEN, clicked["newPages"][0]["pageId"]))[:3] != ON_PHONE[:3]:  # noqa: ASYNC110
            await trio.sleep(0.02)


async def test_a_page_of_a_language_asks_sites_for_it(browser: Browser, site: Site) -> None:
    await browser.call(page.navigate, url=site.html("/", "x"))
    assert site.seen[-1].headers["Accept-Language"] == "en-US,en"
    other = (await browser.request("context/create", {"options": {"userAgent": "other/1"}}))["contextId"]
    made = await browser.call(page.create, url=site.html("/", "x"), context_id=other, locale="de-AT")
    assert site.seen[-1].headers["Accept-Language"].split(",")[0] == "de-AT"
    assert site.seen[-1].headers["User-Agent"] == "other/1"
    language = "[navigator.language, navigator.userAgent, (0.5).toLocaleString()]"
    assert await ask(browser, language, made.id) == ["de-AT", "other/1", "0,5"]


async def test_a_user_agent_leaves_other_contexts_alone(browser: Browser, site: Site) -> None:
    url = site.html("/", "x")
    other = (await browser.request("context/create", {"options": {"userAgent": "other/1"}}))["contextId"]
    one, two = await browser.call(page.create, url=url), await browser.call(page.create, url=url, context_id=other)
    await browser.call(emulate.set_user_agent, user_agent="robot/1", context_id="default")
    assert [(await ask(browser, AGENT, made.id))[0] for made in (one, two)] == ["robot/1", "other/1"]
    await browser.call(emulate.set_user_agent, user_agent="robot/2", context_id=other)
    await browser.call(page.reload)
    assert [(await ask(browser, AGENT, made.id))[0] for made in (one, two)] == ["robot/1", "robot/2"]
    assert site.seen[-1].headers["User-Agent"] == "robot/2"


async def test_a_blocked_page_delays_no_change(config: Config, site: Site) -> None:
    url = site.html("/", "<button onclick='alert(1)'>a</button>")
    config = attrs.evolve(config, dialog_timeout_s=60)
    async with open_server(config) as server, server.connect() as browser:
        one, two = await browser.call(page.create, url=url), await browser.call(page.create, url=url)
        await browser.request("action/click", {"selector": {"type": "css", "value": "button"}, "pageId": one.id})
        with trio.fail_after(20):
            await browser.call(emulate.set_user_agent, user_agent="robot/1", page_id=two.id)
        await browser.request("dialog/handle", {"action": "accept", "pageId": one.id})
        assert [(await ask(browser, AGENT, made.id))[0] for made in (one, two)] == ["robot/1"] * 2


async def test_geolocation_is_reported_to_every_site(browser: Browser, site: Site) -> None:
    first = await browser.call(page.create, url=site.html("/", "x"))
    with pytest.raises(errors.ActionFailed):
        await ask(browser, PLACE)
    result = await browser.call(emulate.set_geolocation, latitude=48.2, longitude=16.4, accuracy=7)
    assert (result.applies_to, result.context_id) == ("context", "default")
    assert await ask(browser, PLACE) == [48.2, 16.4, 7]
    await browser.call(page.create, url=site.url("/"))
    assert await ask(browser, PLACE) == [48.2, 16.4, 7]
    await browser.call(emulate.set_geolocation, latitude=-33.9, longitude=151.2, page_id=first.id)
    assert (await ask(browser, PLACE, first.id))[:2] == [-33.9, 151.2]


async def test_offline_and_back(browser: Browser, site: Site) -> None:
    await browser.call(page.navigate, url=site.html("/", "x"))
    result = await browser.call(emulate.set_offline, offline=True)
    assert (result.applies_to, result.context_id) == ("context", "default")
    assert await ask(browser, "navigator.onLine") is False
    with pytest.raises(errors.ActionFailed):
        await ask(browser, "fetch('/fetched')")
    with pytest.raises(errors.NavigationFailed) as caught:
        await browser.call(page.create, url=site.url("/"))
    assert caught.value.details["reason"] == "ERR_INTERNET_DISCONNECTED"
    await browser.call(emulate.set_offline, offline=False)
    assert await ask(browser, "fetch('/').then(reply => [navigator.onLine, reply.status])") == [True, 200]
    assert site.paths() == ["/", "/"]


async def test_a_context_is_emulated_before_it_has_a_page(browser: Browser, site: Site) -> None:
    await browser.call(emulate.set_user_agent, user_agent="robot/1")
    assert (await browser.call(page.list_pages)).pages == []
    await browser.call(page.navigate, url=site.html("/", "x"))
    assert site.seen[0].headers["User-Agent"] == "robot/1"
    await browser.call(page.create, url=site.url("/?own"), user_agent="own/1")
    assert site.seen[-1].headers["User-Agent"] == "own/1"
    await browser.call(emulate.set_user_agent, user_agent="robot/2")
    await browser.call(page.navigate, url=site.url("/?later"))
    assert site.seen[-1].headers["User-Agent"] == "robot/2"


@pytest.mark.parametrize(
    ("method", "params", "path"),
    [
        ("setViewport", {"width": 0, "height": 1}, "width"),
        ("setViewport", {"width": 10, "height": 10, "deviceScaleFactor": 0}, "deviceScaleFactor"),
        ("setViewport", {"width": 10}, "height"),
        ("setUserAgent", {"userAgent": "a\r\nX-Evil: 1"}, "userAgent"),
        ("setUserAgent", {"userAgent": "a", "acceptLanguage": "de\r\nX: 1"}, "acceptLanguage"),
        ("setGeolocation", {"latitude": 91, "longitude": 0}, "latitude"),
        ("setOffline", {"offline": "yes"}, "offline"),
    ],
)
async def test_invalid_emulation_is_refused(browser: Browser, method: str, params: Any, path: str) -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        await browser.request(f"emulate/{method}", params)
    assert caught.value.details["path"] == path


async def test_an_unknown_page_can_not_be_emulated(browser: Browser) -> None:
    with pytest.raises(errors.ContextNotFound):
        await browser.call(emulate.set_offline, offline=True, context_id="nowhere")
    with pytest.raises(errors.PageNotFound):
        await browser.call(emulate.set_offline, offline=True, page_id="page-77")
    with pytest.raises(errors.PageNotFound):
        await browser.call(emulate.set_viewport, width=1, height=1, page_id="page-77")


async def test_pages_and_popups_of_a_context_are_on_its_device(browser: Browser, site: Site) -> None:
    screen = SCREEN.replace("maxTouchPoints", "maxTouchPoints > 0")  # Playwright emulates one point, and we five
    on_phone = [*ON_PHONE[:3], True, *ON_PHONE[4:]]
    with_touch = [1, True, True, "landscape-primary", True]
    head = "<meta name=viewport content='width=device-width'>"
    site.html("/popup", f"{head}<script>early = {screen}</script>")
    device = {name: value for name, value in PHONE.items() if name not in ("width", "height")}
    options = {"viewport": {"width": 390, "height": 800}, **device}
    context_id = (await browser.request("context/create", {"options": options}))["contextId"]
    url = site.html("/", f"{head}<style>body {{ margin: 0; height: 2000px }}</style><a target=_blank href=/popup>x</a>")
    page_id = (await browser.request("page/create", {"contextId": context_id, "url": url}))["id"]

    async def sizes() -> list[tuple[int, int]]:
        """Take pictures of the viewport, of its device pixels, and of the whole page."""
        choices: list[dict[str, Any]] = [{}, {"scale": "device"}, {"fullPage": True}]
        images = [
            await browser.request("observe/screenshot", {"pageId": page_id, "options": options}) for options in choices
        ]
        return [(image["width"], image["height"]) for image in images]

    assert await ask(browser, screen, page_id) == on_phone
    link = {"pageId": page_id, "selector": {"type": "css", "value": "a"}}
    (popup,) = (await browser.request("action/click", link))["newPages"]
    early = await browser.request(
        "script/evaluate", {"expression": "early", "pageId": popup["pageId"], "world": "main"}
    )
    assert early["value"] == on_phone
    assert await sizes() == [(390, 800), (780, 1600), (390, 2000)]
    assert await ask(browser, screen, page_id) == on_phone

    await browser.request("emulate/setViewport", {"pageId": page_id, "width": 800, "height": 390})
    assert await ask(browser, "[innerHeight, devicePixelRatio, orientation]", page_id) == [390, 2, 90]

    plain = {"width": 390, "height": 800, "deviceScaleFactor": 1, "isMobile": False}
    await browser.request("emulate/setViewport", {**plain, "pageId": page_id})
    await browser.request("page/reload", {"pageId": page_id})
    for _ in range(2):
        assert await ask(browser, screen, page_id) == [390, 800, *with_touch]
        assert await sizes() == [(390, 800), (390, 800), (390, 2000)]

    await browser.request("emulate/setViewport", {**PHONE, "pageId": page_id, "width": 500})
    await browser.request("page/reload", {"pageId": page_id})
    for _ in range(2):
        assert await ask(browser, screen, page_id) == [500, *on_phone[1:]]
        assert await sizes() == [(500, 800), (1000, 1600), (500, 2000)]

    (entry,) = (await browser.request("context/list"))["contexts"]
    assert entry["options"] == options
    fork = await browser.request("session/fork", {"pageId": page_id})
    assert await ask(browser, screen, fork["pageId"]) == [500, *on_phone[1:]]


async def test_emulation_beyond_the_viewport_needs_the_scope_full(config: Config) -> None:
    async with open_server(attrs.evolve(config, scope=Scope.STANDARD)) as server, server.connect() as browser:
        await browser.call(emulate.set_viewport, width=300, height=300)
        with pytest.raises(errors.ScopeDenied):
            await browser.call(emulate.set_offline, offline=True)
        with pytest.raises(errors.ScopeDenied):
            await browser.call(emulate.set_user_agent, user_agent="x")
        with pytest.raises(errors.ScopeDenied):
            await browser.call(emulate.set_geolocation, latitude=0, longitude=0)
